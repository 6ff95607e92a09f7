//! `input` action `write` with `ops`: several edits of one pack as one operation, all of them or none.

use crate::core::{Ctx, Error, Given, Outcome, Result, schema};

use super::super::errors::invalid;
use super::super::gate::Repair;
use super::super::model::{LineRange, PackStatus};
use super::super::picking::{self, Library, PickedLines};
use super::super::reply::{ChosenLines, ChosenRange, brief_reply};
use super::super::rows::space_of;
use super::super::store::{record, save};
use super::edit::PackEdit;
use super::faults::Faults;
use super::fields::{Fields, Lacks, SentOp};
use super::{Action, PackTarget};

#[derive(Debug)]
pub struct Ops {
    target: PackTarget,
    edits: Vec<Result<PackEdit>>,
}

/// The path under which the faults of an edit are told.
fn at(i: usize) -> String {
    format!("ops[{i}]")
}

impl Ops {
    pub fn of(fields: &Fields) -> Result<Ops> {
        if fields.sections.is_sent() {
            return Err(invalid("send either 'sections' or 'ops', not both"));
        }
        let target = PackTarget::of(fields)?;
        let Given::Is(ops) = &fields.ops else { return Err(invalid("ops: must be an array")) };
        let one = |op: &Given<SentOp>| match op {
            Given::Is(op) => match op.unknown.keys().next() {
                Some(name) => Err(unknown(name)),
                None => edit(&op.fields),
            },
            _ => Err(invalid("must be an object")),
        };
        Ok(Ops { target, edits: ops.iter().map(one).collect() })
    }

    /// Looks where the refs among the edits will point, one for each edit.
    pub fn look(&self, library: &mut Library) -> Vec<Option<PickedLines>> {
        self.edits.iter().map(|edit| picking::look(library, edit.as_ref().ok()?)).collect()
    }

    pub fn decide(&self, ctx: &Ctx, looked: &[Option<PickedLines>]) -> Result<Outcome> {
        let mut faults = Faults::default();
        let (mut edits, mut repairs, mut stale) = (Vec::new(), Vec::new(), Vec::new());
        let mut lines = ChosenLines::new();
        for (i, (edit, looked)) in self.edits.iter().zip(looked).enumerate() {
            let Some(mut edit) = faults.take(&at(i), edit.clone()) else { continue };
            let mut settled = Ok(());
            if let (PackEdit::UpsertRef { section, item, named }, Some(looked)) = (&mut edit, looked) {
                settled = picking::settle(named, looked, item).map(|extra| {
                    if let Some(ChosenRange { lines: LineRange { start, end }, .. }) = extra.chosen {
                        lines.entry(section.clone()).or_default().push(format!("{start}-{end}"));
                    }
                    repairs.extend(looked.new.clone().map(|new| Repair::of_edit(section, &item.key, new)));
                    stale.extend(looked.warning.clone().map(|why| (at(i), why)));
                });
            }
            if faults.take(&at(i), settled.and_then(|()| edit.check())).is_some() {
                edits.push((edit, at(i)));
            }
        }
        faults.none()?;
        let mut found = self.target.find(ctx)?;
        for (edit, at) in edits {
            faults.take(&at, edit.apply(&mut found.pack, ctx.now));
            faults.none()?;
        }
        let mut draft = ctx.draft();
        let rev = save(&mut draft, &space_of(ctx.session), &found.pack, 0, &repairs)?;
        let mut out = draft.into_outcome();
        out.reply = brief_reply(ctx, (&found.pack, rev), repairs.len(), &stale, &lines)?;
        out.record = record(Action::Write, &found.pack);
        Ok(out)
    }
}

/// What an edit may say beside its action.
const FIELDS: [&str; 24] = [
    "section_key",
    "section_title",
    "section_description",
    "section_order",
    "ref_key",
    "path",
    "line_start",
    "line_end",
    "symbol",
    "match",
    "ref_title",
    "ref_why",
    "group",
    "diagram_key",
    "title",
    "mermaid",
    "diagram_why",
    "brief",
    "tags",
    "status",
    "ttl_minutes",
    "extend_minutes",
    "action",
    "reviewed",
];

fn unknown(name: &str) -> Error {
    let error = invalid(format!("'{name}' is not a field"));
    match schema::closest(name, &FIELDS) {
        Some(near) => error.hint(format!("Did you mean '{near}'?")),
        None => error.hint(format!("Known fields: {}.", FIELDS.join(", "))),
    }
}

fn edit(fields: &Fields) -> Result<PackEdit> {
    let word = fields.action.get().map(String::as_str).unwrap_or_default();
    let Some(action) = Action::named(word) else { return Err(no_edit(word)) };
    PackEdit::check_aliases(action, fields)?;
    let mut lacks = Lacks::default();
    let edit = PackEdit::of(action, fields, &mut lacks);
    lacks.none()?;
    match edit {
        Some(PackEdit::SetStatus(PackStatus::Finalized)) => {
            Err(invalid("finalizing checks every ref").hint("Call set_status when the other edits are done."))
        }
        Some(edit) => Ok(edit),
        None => Err(no_edit(word)),
    }
}

fn no_edit(word: &str) -> Error {
    invalid(format!("'{word}' is not an edit"))
        .hint("Use upsert_section, delete_section, upsert_ref, delete_ref, upsert_diagram, delete_diagram, set_meta, set_status or touch_ttl.")
}
