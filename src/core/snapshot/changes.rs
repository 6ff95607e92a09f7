//! What became of files between two states, and the operation that it is.
//!
//! Pure: the contents are elsewhere, known by their addresses.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{Doer, HeldFile, OUTSIDE};
use crate::core::{Effect, FileImage, Outcome, Record, Who};

/// Paths that a record names, for those who look for them; the rest is in the effects.
const NAMED: usize = 200;

/// What a file was on one side of a change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    Absent,
    Kept(FileImage),
    /// There was something whose content was not kept, and why.
    Unkept(String),
}

impl Side {
    /// The object that keeps its content.
    pub fn object(&self) -> Option<&str> {
        match self {
            Side::Kept(image) => image.object.as_deref(),
            _ => None,
        }
    }

    /// `Err` = nobody knows.
    fn image(&self) -> std::result::Result<HeldFile, &str> {
        match self {
            Side::Absent => Ok(None),
            Side::Kept(image) => Ok(Some(image.clone())),
            Side::Unkept(why) => Err(why),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileChange {
    pub path: String,
    pub before: Side,
    pub after: Side,
}

impl FileChange {
    /// One word for it.
    pub fn verb(&self) -> &'static str {
        match (&self.before, &self.after) {
            (Side::Absent, _) => "created",
            (_, Side::Absent) => "deleted",
            _ => "changed",
        }
    }
}

/// A file that cannot be brought back, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LostFile {
    pub path: String,
    pub because: String,
}

/// Changes as effects on files below a root: what goes first, the deepest first, so that each has room.
pub fn effects(root: &Path, changes: &[FileChange]) -> (Vec<Effect>, Vec<LostFile>) {
    let (mut out, mut lost) = (Vec::new(), Vec::new());
    for change in changes {
        match (change.before.image(), change.after.image()) {
            (Ok(before), Ok(after)) => out.push(Effect {
                root: root.to_path_buf(),
                path: change.path.clone().into(),
                before,
                after,
                kept: false,
            }),
            (Err(why), _) | (_, Err(why)) => {
                lost.push(LostFile { path: change.path.clone(), because: why.to_string() });
            }
        }
    }
    let (mut gone, stay): (Vec<Effect>, Vec<Effect>) = out.into_iter().partition(|e| e.after.is_none());
    gone.sort_by(|a, b| b.path.cmp(&a.path));
    gone.extend(stay);
    (gone, lost)
}

/// Everything an operation made of changes is told.
pub struct Operation<'a> {
    pub root: &'a str,
    pub changes: &'a [FileChange],
    /// Whose they are, the first foremost; empty = nobody's here.
    pub doers: &'a [Doer],
    /// The snapshots it lies between, by name.
    pub from: &'a str,
    pub to: &'a str,
    /// Nobody told when the call began.
    pub unannounced: bool,
}

impl Operation<'_> {
    /// As an operation that happened; `None` = there is nothing to tell.
    pub fn outcome(&self) -> Option<Outcome> {
        if self.changes.is_empty() {
            return None;
        }
        let (effects, lost) = effects(Path::new(self.root), self.changes);
        let irreversible = effects.is_empty().then(|| match lost.first() {
            Some(first) => format!("What it replaced was not kept: {}", first.because),
            None => "Nothing of it was kept.".to_string(),
        });
        let paths: Vec<String> = self.changes.iter().map(|c| c.path.clone()).collect();
        let mut data = json!({
            "tree": self.root, "from": self.from, "to": self.to, "files": self.changes.len(),
        });
        if let Some(doer) = self.doers.first() {
            data["call"] = json!(doer);
        }
        if self.doers.len() > 1 {
            data["shared_with"] = json!(self.doers[1..]);
        }
        if self.unannounced {
            data["unannounced"] = json!(true);
        }
        if !lost.is_empty() {
            data["not_reversible"] = json!(lost);
        }
        let who = match self.doers.first() {
            Some(doer) => doer.who(),
            None => Who { session: OUTSIDE.into(), client: OUTSIDE.into(), ..Who::default() },
        };
        Some(Outcome {
            effects,
            happened: true,
            record: Record {
                summary: self.summary(),
                paths: paths.into_iter().take(NAMED).collect(),
                data,
                irreversible,
                who: Some(who),
                file_by_file: true,
                by_id_only: self.doers.is_empty(),
                ..Record::default()
            },
            ..Outcome::default()
        })
    }

    fn summary(&self) -> String {
        let what = match self.changes {
            [one] => one.path.clone(),
            more => format!("{} files", more.len()),
        };
        let verb = match self.changes {
            [one] => one.verb(),
            _ => "changed",
        };
        let doer = match self.doers.first() {
            Some(doer) => format!("{} in {}", doer.tool, doer.host),
            None => "Somebody outside packd".to_string(),
        };
        let shared = match self.doers.len() {
            0 | 1 => "",
            _ => " (shared: another tool call was under way)",
        };
        format!("{doer} {verb} {what}{shared}")
    }
}

/// The changes of several neighbours as one: from before the first to after the last.
pub fn joined<'a>(steps: impl IntoIterator<Item = &'a [FileChange]>) -> Vec<FileChange> {
    let mut all: BTreeMap<&str, FileChange> = BTreeMap::new();
    for change in steps.into_iter().flatten() {
        match all.get_mut(change.path.as_str()) {
            Some(known) => known.after = change.after.clone(),
            None => drop(all.insert(&change.path, change.clone())),
        }
    }
    all.into_values().filter(|change| change.before != change.after).collect()
}

/// The same the other way round.
#[must_use]
pub fn reversed(changes: Vec<FileChange>) -> Vec<FileChange> {
    let turn = |c: FileChange| FileChange { path: c.path, before: c.after, after: c.before };
    changes.into_iter().map(turn).collect()
}

/// What a restore does to files: the effects, and what it cannot bring back.
pub fn restoring(root: &str, changes: &[FileChange]) -> (Vec<Effect>, Vec<LostFile>) {
    effects(Path::new(root), changes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::Sha;

    fn kept(text: &str) -> Side {
        Side::Kept(FileImage::new(Sha::of(text.as_bytes()), 0o644))
    }

    fn change(path: &str, before: Side, after: Side) -> FileChange {
        FileChange { path: path.into(), before, after }
    }

    #[test]
    fn neighbours_join_and_what_came_and_went_is_nothing() {
        let first = [change("a", kept("1"), kept("2")), change("b", Side::Absent, kept("b"))];
        let second = [change("a", kept("2"), kept("3")), change("b", kept("b"), Side::Absent)];
        let way = joined([first.as_slice(), second.as_slice()]);
        assert_eq!(way, [change("a", kept("1"), kept("3"))]);
        assert_eq!(reversed(way), [change("a", kept("3"), kept("1"))]);
    }

    #[test]
    fn an_operation_says_who_did_it_and_what_cannot_come_back() {
        let bash =
            Doer { session: "s".into(), host: "claude-code".into(), tool: "Bash".into(), ..Doer::default() };
        let changes = [
            change("a", kept("1"), kept("2")),
            change("big", Side::Unkept("it is larger than 32 MiB".into()), Side::Unkept("x".into())),
            change("c", Side::Absent, kept("c")),
        ];
        let operation = |doers: &[Doer]| {
            let operation = Operation {
                root: "/tree",
                changes: &changes,
                doers,
                from: "sn-1",
                to: "sn-2",
                unannounced: false,
            };
            operation.outcome().unwrap()
        };
        let done = operation(std::slice::from_ref(&bash));
        assert_eq!(done.record.summary, "Bash in claude-code changed 3 files");
        assert_eq!((done.effects.len(), done.record.by_id_only, done.happened), (2, false, true));
        assert_eq!(done.record.data["not_reversible"][0]["path"], "big");
        let outside = operation(&[]);
        assert!(outside.record.by_id_only);
        assert_eq!(outside.record.who.unwrap().client, OUTSIDE);
        let shared = operation(&[bash.clone(), Doer { session: "t".into(), ..bash }]);
        assert!(shared.record.summary.contains("shared"), "{}", shared.record.summary);
        assert_eq!(shared.record.data["shared_with"][0]["session"], "t");
    }
}
