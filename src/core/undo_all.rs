//! Taking back everything one session or client did, as one operation: newest first, all of it or nothing.
//!
//! Each operation is taken back on top of the ones before it, so what they did to each other is no conflict; what
//! anybody else did to the same fields since is, and then nothing is touched.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde_json::json;

use super::apart::{self, ChangedPaths, StayingFile};
use super::change::Way;
use super::history::{conflict, dropped, turn_rows};
use super::view::LogQuery;
use super::{Ctx, Effect, Error, Kind, Op, OpKind, OpStatus, Outcome, Record, Result, Timestamp};

/// More than this is not one thing to look at.
const MOST: usize = 1000;
const PAGE: usize = 100;

/// Whose operations are meant, and since when.
#[derive(Debug, Clone, Default)]
pub struct UndoScope {
    pub session: Option<String>,
    pub client: Option<String>,
    pub since: Option<Timestamp>,
}

/// Everything that would be taken back, newest first, what has to stay with the reason, and the outcome.
pub struct Steps {
    pub ops: Vec<Op>,
    pub left: Vec<(Op, String)>,
    /// Files that stay as they are.
    pub stay: Vec<StayingFile>,
    pub outcome: Outcome,
}

/// `changed` = files that are not what taking these back expects, as far as each may stay by itself.
pub fn undo_all(ctx: &Ctx, whose: &UndoScope, changed: &ChangedPaths) -> Result<Steps> {
    let (ops, left) = found(ctx, whose)?;
    if ops.is_empty() {
        return Err(Error::new(Kind::State, "nothing_to_undo", "There is nothing of theirs to undo.")
            .hint("history_list with the same session or client shows what they did."));
    }
    let mut draft = ctx.draft();
    let mut effects: Vec<Effect> = Vec::new();
    let mut files = Files::default();
    for op in &ops {
        let changes = ctx.view.log().changes(op)?.ok_or_else(|| dropped(op))?;
        let blocking = turn_rows(&mut draft, changes, Way::Back)?;
        if !blocking.is_empty() {
            return Err(conflict(ctx, op, blocking)?);
        }
        for effect in op.effects.iter().rev().map(Effect::inverse) {
            let path = effect.full_path();
            files.note(op, &path);
            if let Err(e) = join(&mut effects, effect, op) {
                if !files.apart(&path) {
                    return Err(e);
                }
                files.broken.insert(path);
            }
        }
    }
    effects.retain(|effect| effect.kept || effect.before != effect.after);
    let stay = files.set_aside(&mut effects, changed);
    let mut outcome = draft.into_outcome();
    outcome.effects = effects;
    outcome.kind = Some(OpKind::UndoAll(ops.iter().map(|op| op.id.clone()).collect()));
    let mut targets: Vec<String> = ops.iter().flat_map(|op| op.targets.clone()).collect();
    targets.sort_unstable();
    targets.dedup();
    let who = ops.first().map_or("", |op| op.who.client.as_str());
    outcome.record = Record {
        summary: format!("Undid {} operations of {who}", ops.len()),
        targets,
        data: json!({"operation_ids": ops.iter().map(|op| op.id.as_str()).collect::<Vec<_>>()}),
        file_by_file: ops.iter().all(|op| op.file_by_file),
        ..Record::default()
    };
    if !stay.is_empty() {
        outcome.record.data["left"] = json!(stay);
        if !outcome.changes_something() {
            return Err(apart::conflict(&ops[0].id, &stay));
        }
    }
    Ok(Steps { ops, left, stay, outcome })
}

/// What each file of theirs may do by itself.
#[derive(Default)]
struct Files {
    /// Written by an operation whose files go together.
    bound: BTreeSet<PathBuf>,
    /// Somebody else changed it between their operations.
    broken: BTreeSet<PathBuf>,
}

impl Files {
    fn note(&mut self, op: &Op, path: &Path) {
        if !op.file_by_file {
            self.bound.insert(path.to_path_buf());
        }
    }

    fn apart(&self, path: &Path) -> bool {
        !self.bound.contains(path)
    }

    fn set_aside(&self, effects: &mut Vec<Effect>, changed: &ChangedPaths) -> Vec<StayingFile> {
        let mut stay = Vec::new();
        effects.retain(|effect| {
            let path = effect.full_path();
            let because = match (self.broken.contains(&path), changed.contains(&path)) {
                (true, _) => "somebody else changed it between their operations",
                (false, true) => "it was changed since",
                (false, false) => return true,
            };
            let stays = self.apart(&path);
            if stays {
                stay.push(StayingFile { path, because: because.to_string() });
            }
            !stays
        });
        stay
    }
}

/// Live operations, newest first, and those that cannot be taken back this way.
#[expect(clippy::type_complexity, reason = "what goes, and what stays with its reason")]
fn found(ctx: &Ctx, whose: &UndoScope) -> Result<(Vec<Op>, Vec<(Op, String)>)> {
    let (mut ops, mut left) = (Vec::new(), Vec::new());
    let mut before = None;
    loop {
        let query = LogQuery {
            workspace: Some(ctx.session.workspace.clone()),
            session: whose.session.clone(),
            client: whose.client.clone(),
            newest_first: true,
            before,
            limit: PAGE,
            ..LogQuery::default()
        };
        let page = super::two_logs::ops(ctx, &query)?;
        let early = |op: &Op| whose.since.is_some_and(|since| op.time < since);
        for op in page.ops.iter().filter(|op| !early(op) && op.status == OpStatus::Done) {
            match (&op.kind, &op.irreversible) {
                (OpKind::Do | OpKind::Revert(_), _) if op.by_id_only => {
                    left.push((
                        op.clone(),
                        "Nobody asked for it through packd; it goes by its id.".to_string(),
                    ));
                }
                (OpKind::Do | OpKind::Revert(_), Some(why)) => left.push((op.clone(), why.clone())),
                (OpKind::Do | OpKind::Revert(_), None) if super::run::Reversal::of(&op.data).is_some() => {
                    left.push((op.clone(), "A run did its work; undo it by itself.".to_string()));
                }
                (OpKind::Do | OpKind::Revert(_), None) => ops.push(op.clone()),
                _ => {}
            }
        }
        if ops.len() > MOST {
            let message = format!("That is more than {MOST} operations.");
            return Err(Error::invalid("too_many", message).hint("Say since when, with 'since'."));
        }
        match page.ops.last().filter(|last| page.has_more && !early(last)) {
            Some(last) => before = Some(last.seq),
            None => return Ok((ops, left)),
        }
    }
}

/// Adds a file's way back to what is planned for the same file already.
fn join(effects: &mut Vec<Effect>, effect: Effect, op: &Op) -> Result<()> {
    let same = |known: &&mut Effect| known.full_path() == effect.full_path() && !known.kept;
    match effects.iter_mut().find(same) {
        Some(known) if known.after == effect.before => known.after = effect.after,
        Some(known) => {
            let path = known.full_path();
            return Err(Error::new(
                Kind::Conflict,
                "undo_conflict",
                format!("Somebody else changed {} between their operations.", path.display()),
            )
            .hint("Undo operations one by one. Nothing was changed.")
            .details(json!({"operation_id": op.id, "path": path})));
        }
        None => effects.push(effect),
    }
    Ok(())
}
