//! `packd undo --by CLIENT` and `--session ID`: everything one agent did, taken back as one operation or not at all.

use serde::Deserialize;

use super::args::StepArgs;
use super::step::StaysView;
use super::step::for_people;
use super::terminal::Terminal;
use super::view::op::{self, OWN_CLIENT, OpView};
use super::view::render::{Ink, Render};
use super::view::show;
use super::view::text::count;
use super::{Client, CommandFailure, CommandScope, ToolArgs, history, ids};

#[derive(Deserialize, Default)]
#[serde(default)]
struct Taken {
    undid: Vec<OpView>,
    count: u64,
    files: Vec<show::FileChangeView>,
    files_count: u64,
    left: Vec<Left>,
    clashes: Vec<StaysView>,
}

/// An operation that stays, and why.
#[derive(Deserialize, Default)]
#[serde(default)]
struct Left {
    operation_id: String,
    summary: String,
    because: String,
}

pub fn run(args: &StepArgs, render: Render, scope: &CommandScope) -> Result<(), CommandFailure> {
    let since = history::since(args.since.as_deref(), render)?;
    if args.by.is_none() && args.session.is_none() {
        return Err(CommandFailure::usage("--since needs --by or --session: whose operations are meant?")
            .hint("packd undo --by claude-code --since 1h"));
    }
    let mut client = Client::open(scope)?;
    let request = whose(&mut client, args)?.given("since", since.map(|since| since.to_string()));
    if !args.yes {
        let preview = client.must("history_undo", request.clone()).map_err(for_people)?;
        let terminal = Terminal::controlling().filter(|_| !render.json);
        render.view(&preview, |r, taken: Taken| print(r, &taken, "Would take back"))?;
        let Some(terminal) = terminal else {
            if !render.json {
                render.line("Run it again with --yes to do it.");
            }
            return Ok(());
        };
        if !terminal.agrees("Take all of it back?")? {
            return Err(CommandFailure::refused("Not done."));
        }
    }
    let done = client.must("history_undo", request.with("yes", true)).map_err(for_people)?;
    render.view(&done, |r, taken: Taken| {
        print(r, &taken, "Took back");
        r.hint("`packd redo` brings all of it back.");
    })
}

/// Who is meant, checked against who has done anything here.
fn whose(client: &mut Client, args: &StepArgs) -> Result<ToolArgs, CommandFailure> {
    let mut request = ToolArgs::new();
    let mut clients = std::collections::BTreeSet::new();
    let mut sessions = std::collections::BTreeMap::new();
    ids::each(client, ToolArgs::new(), |op| {
        sessions.insert(op.who.session, op.who.client.clone());
        clients.insert(op.who.client);
        true
    })?;
    if let Some(said) = &args.by {
        let name = if said == "you" { OWN_CLIENT } else { said };
        if !clients.contains(name) {
            let known: Vec<_> =
                clients.iter().map(|c| if c == OWN_CLIENT { "you" } else { c.as_str() }).collect();
            return Err(CommandFailure::usage(format!("No client '{said}' has done anything here.")).hint(
                format!("Known: {}.", if known.is_empty() { "nobody yet".into() } else { known.join(", ") }),
            ));
        }
        request.set("client", name);
    }
    if let Some(said) = &args.session {
        let id = ids::one_of(said, "session", sessions.into_iter().collect()).map_err(
            |failure| match failure.hint {
                Some(_) => failure,
                None => failure.hint("`packd history --json` names the session of each operation."),
            },
        )?;
        request.set("session", id);
    }
    Ok(request)
}

fn print(r: Render, taken: &Taken, words: &str) {
    let files = match taken.files_count {
        0 => String::new(),
        n => format!(", which wrote {}", count(n, "file")),
    };
    r.line(format!("{} {}{files}:", r.ink(Ink::Green, words), count(taken.count, "operation")));
    let narrow = r.narrower(2);
    op::lines(narrow, &taken.undid, false).iter().for_each(|line| r.line(format!("  {line}")));
    let more = taken.count.saturating_sub(taken.undid.len() as u64);
    if more > 0 {
        r.hint(format!("  … and {more} more"));
    }
    taken
        .files
        .iter()
        .for_each(|f| r.prose(9, format!("  {} {}", show::verb(r, &f.change), r.path(&f.path))));
    taken.clashes.iter().for_each(|stays| stays.print(r));
    for left in &taken.left {
        let id = op::short(&left.operation_id);
        r.prose(4, format!("  {} {id} {}: {}", r.ink(Ink::Yellow, "stays"), left.summary, left.because));
    }
}
