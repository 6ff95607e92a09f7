//! `tasks_note`: a progress note on a step, without secrets.

use serde::{Deserialize, Serialize};

use crate::core::{Given, Result, redact};

use super::super::address::Address;
use super::super::answer::IntentAnswer;
use super::super::args::{Common, text};
use super::super::errors::fail;
use super::super::intent::{FocusUse, Intent};
use super::super::request::IntentRequest;
use super::super::rows::clip;
use super::super::target::IntentTarget;

pub struct Note;

/// Characters of a note that the answer repeats.
const SHOWN: usize = 200;

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct NoteArgs {
    #[serde(flatten)]
    common: Common,
    path: Given<String>,
    step_id: Given<String>,
    note: Given<String>,
}

#[derive(Serialize)]
struct Noted<'a> {
    task_id: &'a str,
    path: &'a str,
    note: &'a str,
    total_notes: usize,
    computed_status: &'static str,
    revision: u64,
}

impl Intent for Note {
    type Args = NoteArgs;
    const TOOL: &'static str = "tasks_note";
    const FOCUS: FocusUse = FocusUse::Task;
    const WRITES: bool = true;

    fn common(args: &NoteArgs) -> &Common {
        &args.common
    }

    fn answer(request: &mut IntentRequest, args: &NoteArgs, target: &IntentTarget) -> Result<IntentAnswer> {
        let (mut item, path) = request.step(target, &Address::of_step(&args.path, &args.step_id))?;
        let Some(note) = text(&args.note) else {
            return Err(fail("MISSING_NOTE", "'note' is required.").hint("Say in 'note' what was done."));
        };
        let note = redact::text(note).0;
        let step = path.step_mut(&mut item)?;
        step.progress_notes.push(note.clone());
        step.start(request.ctx.now);
        let (total_notes, computed_status) = (step.progress_notes.len(), step.computed_status());
        let saved = request.save(item)?;
        let task_id = &saved.item.id;
        // Whoever wrote it knows it.
        let note = clip(&note, SHOWN);
        let result = Noted {
            task_id,
            path: path.as_str(),
            note: &note,
            total_notes,
            computed_status,
            revision: saved.rev,
        };
        Ok(IntentAnswer::about(task_id, &result).at(&path))
    }
}
