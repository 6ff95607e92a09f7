//! Who holds which task, and what can be started, for people.

use serde::Deserialize;

use super::people::plain;
use super::render::{Ink, Render};
use super::table::TextTable;

/// Who works on something.
#[derive(Debug, Default, Clone, Deserialize)]
#[serde(default)]
pub struct HolderView {
    client: String,
    pub session: String,
    person: Option<String>,
}

impl HolderView {
    /// A person at this command line is "you".
    pub fn name(&self) -> &str {
        if self.person.is_some() { "you" } else { &self.client }
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Claimed {
    task_id: Option<String>,
    title: String,
    lease_until: String,
    renewed: bool,
    taken_from: Option<HolderView>,
    waiting: Vec<Waiting>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Released {
    task_id: String,
    released: bool,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct ReadyView {
    ready: Vec<Task>,
    waiting: Vec<Waiting>,
    yours: Vec<Held>,
    next_cursor: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Task {
    task_id: String,
    title: String,
    steps: String,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Waiting {
    task_id: String,
    because: String,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Held {
    task_id: String,
    title: String,
    lease_until: String,
}

pub fn claimed(r: Render, claimed: &Claimed, warnings: &[String]) {
    let Some(id) = &claimed.task_id else {
        return waiting(r, &claimed.waiting);
    };
    let verb = if claimed.renewed { "still yours" } else { "yours" };
    r.prose(2, format!("{}  {id}  {}", r.ink(Ink::Green, verb), claimed.title));
    let from = claimed.taken_from.as_ref().map(|who| format!(" It was held by {}.", who.name()));
    let until = r.until(&claimed.lease_until);
    r.hint(format!(
        "It is yours {until}, or until you release it: `packd task release {id}`.{}",
        from.unwrap_or_default()
    ));
    warnings.iter().for_each(|warning| r.prose(2, plain(warning)));
}

pub fn released(r: Render, released: &Released) {
    match released.released {
        true => r.line(format!("{}  {}", r.ink(Ink::Green, "released"), released.task_id)),
        false => r.line(format!("{} was not held by you.", released.task_id)),
    }
}

pub fn ready(r: Render, ready: &ReadyView) {
    if !ready.yours.is_empty() {
        r.line(r.ink(Ink::Bold, "Yours"));
        let mut table = TextTable::new(&[]).fluid(1).indent(2);
        for one in &ready.yours {
            table.row([one.task_id.clone(), one.title.clone(), r.until(&one.lease_until)]);
        }
        table.print(r);
    }
    match ready.ready.as_slice() {
        [] if ready.yours.is_empty() && ready.waiting.is_empty() => {
            r.line("There is nothing to do here.");
            return r.hint("`packd task add TITLE` makes a task.");
        }
        [] => r.line("Nothing more can be started now."),
        some => {
            r.line(r.ink(Ink::Bold, "Can be started"));
            let mut table = TextTable::new(&[]).fluid(1).indent(2);
            some.iter()
                .for_each(|one| table.row([one.task_id.clone(), one.title.clone(), one.steps.clone()]));
            table.print(r);
            r.hint(format!("`packd task claim {}` takes the first.", some[0].task_id));
        }
    }
    waiting(r, &ready.waiting);
    if ready.next_cursor.is_some() {
        r.hint("There are more than are shown.");
    }
}

fn waiting(r: Render, list: &[Waiting]) {
    if list.is_empty() {
        return;
    }
    r.line(r.ink(Ink::Bold, "Wait"));
    let mut table = TextTable::new(&[]).fluid(1).indent(2);
    list.iter().for_each(|one| table.row([one.task_id.clone(), r.dated(&plain(&one.because))]));
    table.print(r);
}
