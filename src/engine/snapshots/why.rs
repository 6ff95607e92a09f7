//! `packd/why`: which operation, session and task last wrote a line of a file.
//!
//! The line is followed back through the versions that snapshots keep. What is older than the first of them, and what
//! nobody recorded yet, is said to be so.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::index::{IndexedState, TreeIndex};
use super::place::TreePlace;
use crate::core::snapshot::{FileChange, LineOrigin, SNAPSHOTS, Side, SnapshotRow, trace};
use crate::core::view::{LogQuery, RowQuery};
use crate::core::world::ReadError;
use crate::core::{Error, FileImage, Key, Kind, Op, Result, SessionInfo, View};
use crate::engine::{Engine, Session, Shared};

const MAX_TEXT: u64 = 8 << 20;
/// Operations among which the one that packd itself wrote a file with is looked for.
const OPS: usize = 2000;

#[derive(Debug, Deserialize)]
struct Params {
    path: PathBuf,
    /// From 1; absent = the file as a whole.
    #[serde(default)]
    line: Option<usize>,
}

#[derive(Debug, Serialize)]
struct Answer {
    path: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    /// `operation`, `unrecorded` (changed since the last snapshot) or `older` (than the first one).
    known: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    operation: Option<Wrote>,
    next: String,
}

#[derive(Debug, Serialize)]
struct Wrote {
    operation_id: String,
    time: String,
    summary: String,
    tool: String,
    client: String,
    session: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    task: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    call_id: Option<String>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    shared: bool,
}

impl Engine {
    pub(in crate::engine) async fn why(&self, session: &Arc<Session>, params: &Value) -> Result<Value> {
        let params: Params = serde_json::from_value(params.clone())
            .map_err(|e| Error::invalid("invalid_params", format!("This cannot be read: {e}.")))?;
        let (shared, info) = (self.shared.clone(), session.info());
        let work = move || shared.why(&info, &params);
        let done = tokio::task::spawn_blocking(work).await;
        done.unwrap_or_else(|_| Err(Error::internal("A look at a file was stopped by a defect.")))
    }
}

impl Shared {
    fn why(&self, session: &SessionInfo, params: &Params) -> Result<Value> {
        let full = session.cwd.join(&params.path);
        let dir = full.parent().ok_or_else(|| no_file(&full))?;
        let full = dir.canonicalize().map_err(|_| no_file(&full))?.join(full.file_name().unwrap_or_default());
        let place = TreePlace::of(full.parent().unwrap_or(&full), session)?;
        let path =
            full.strip_prefix(&place.root).ok().and_then(Path::to_str).ok_or_else(|| no_file(&full))?;
        let now = match self.world.read(&full, MAX_TEXT) {
            Ok(bytes) => bytes,
            Err(ReadError::Missing) => return Err(no_file(&full)),
            Err(e) => return Err(Error::io(format!("{} cannot be read: {e}.", full.display()))),
        };
        let text = String::from_utf8_lossy(&now).into_owned();
        let line = params.line.map(|line| line.wrapping_sub(1));
        let shown = line.and_then(|line| text.lines().nth(line).map(|l| l.trim_end().to_string()));
        if line.is_some() && shown.is_none() {
            let message = format!("{path} has {} lines.", text.lines().count());
            return Err(Error::invalid("no_such_line", message).hint("Lines are counted from 1."));
        }
        let answer = |known: &'static str, operation: Option<&Op>, next: &str| Answer {
            path: path.to_string(),
            line: params.line,
            text: shown.clone(),
            known,
            operation: operation.map(wrote),
            next: next.to_string(),
        };
        let found = self.follow(&place, path, text.clone(), line)?;
        Ok(json!(match found {
            Trace::Op(op) => {
                let next = format!("packd show {0}  ·  packd revert {0}", &op.id);
                answer("operation", Some(&op), &next)
            }
            Trace::Unrecorded => answer("unrecorded", None, "packd snap take records it"),
            Trace::Older => answer("older", None, &format!("git blame {path}")),
        }))
    }

    fn follow(
        &self,
        place: &TreePlace,
        path: &str,
        mut text: String,
        mut line: Option<usize>,
    ) -> Result<Trace> {
        let root = place.name();
        let snapshot = self.store.read()?;
        let view = snapshot.view();
        let mut before = None;
        let mut newest = true;
        loop {
            let prefix = Key::of(&root);
            let mut query = RowQuery::new(SNAPSHOTS, prefix.clone()).reverse().limit(64);
            query.from = before.clone();
            let rows = view.rows(&query)?;
            let Some((last, _)) = rows.last() else {
                return match newest && self.is_unrecorded(place, path, &text, line)? {
                    true => Ok(Trace::Unrecorded),
                    false => Ok(Trace::Older),
                };
            };
            before = Some(last.clone());
            for (key, row) in &rows {
                let row: SnapshotRow = row.decode(SNAPSHOTS, key)?;
                let Some(change) = row.changes.iter().find(|change| change.path == path) else { continue };
                let Side::Kept(after) = &change.after else { return Ok(Trace::Older) };
                let Some(left) = self.text(&place.root, after)? else { return Ok(Trace::Older) };
                if newest && left != text {
                    match line.map(|line| trace(&left, &text, line)) {
                        Some(LineOrigin::Was(was)) => line = Some(was),
                        _ => return Ok(Trace::Unrecorded),
                    }
                }
                newest = false;
                let earlier = match &change.before {
                    Side::Absent => String::new(),
                    Side::Kept(image) => match self.text(&place.root, image)? {
                        Some(text) => text,
                        None => return Ok(Trace::Older),
                    },
                    Side::Unkept(_) => return Ok(Trace::Older),
                };
                match line.map(|line| trace(&earlier, &left, line)) {
                    Some(LineOrigin::Was(was)) => line = Some(was),
                    _ => return self.writer_of(&view, &row, change, &place.root),
                }
                text = earlier;
            }
        }
    }

    /// Was a line of a file that no snapshot saw changing changed since the last look?
    fn is_unrecorded(&self, place: &TreePlace, path: &str, text: &str, line: Option<usize>) -> Result<bool> {
        let file = self.snapshots.index_file(&place.store, &place.root);
        let index = file.and_then(|file| TreeIndex::load(&file)).unwrap_or_default();
        let Some(IndexedState::Kept { object, .. }) = index.find(path).map(|entry| &entry.state) else {
            return Ok(!index.entries.is_empty());
        };
        let Some(objects) = self.objects_of(&place.root)? else { return Ok(false) };
        if objects.id_of(text.as_bytes()) == *object {
            return Ok(false);
        }
        let mut written = true;
        let nobody = crate::engine::housekeeping::nobody("");
        objects.get_all(&*self.world, &nobody, &[(object.clone(), 0)], &mut |_, bytes| {
            let was = String::from_utf8_lossy(&bytes).into_owned();
            written = line.is_none_or(|line| trace(&was, text, line) == LineOrigin::Written);
            Ok(())
        })?;
        Ok(written)
    }

    fn text(&self, root: &Path, image: &FileImage) -> Result<Option<String>> {
        Ok(self.content(root, image)?.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()))
    }

    /// The operation that a step is; where packd wrote the file itself, the one that did.
    fn writer_of(
        &self,
        view: &dyn View,
        row: &SnapshotRow,
        change: &FileChange,
        root: &Path,
    ) -> Result<Trace> {
        let full = root.join(&change.path);
        let touches = |op: &Op| op.effects.iter().any(|e| e.full_path() == full);
        if let Some(op) = row.operation.as_ref().map(|id| view.log().op(id)).transpose()?.flatten()
            && (touches(&op) || op.data["not_reversible"].to_string().contains(&change.path))
        {
            return Ok(Trace::Op(Box::new(op)));
        }
        let query = LogQuery { newest_first: true, include_undone: true, limit: OPS, ..LogQuery::default() };
        let wrote = |op: &Op| {
            let after = |image: &FileImage| change.after == Side::Kept(image.clone());
            op.time <= row.time
                && op.effects.iter().any(|e| e.full_path() == full && e.after.as_ref().is_some_and(after))
        };
        let found = view.log().ops(&query)?.ops.into_iter().find(wrote);
        Ok(found.map_or(Trace::Older, |op| Trace::Op(Box::new(op))))
    }
}

enum Trace {
    Op(Box<Op>),
    Unrecorded,
    Older,
}

fn wrote(op: &Op) -> Wrote {
    let text = |value: &Value| value.as_str().map(str::to_string);
    Wrote {
        operation_id: op.id.clone(),
        time: op.time.zulu(),
        summary: op.summary.clone(),
        tool: op.tool.clone(),
        client: op.who.client.clone(),
        session: op.who.session.clone(),
        task: text(&op.data["call"]["task"]),
        call_id: text(&op.data["call"]["call_id"]),
        shared: op.data["shared_with"].is_array(),
    }
}

fn no_file(path: &Path) -> Error {
    Error::new(Kind::NotFound, "no_such_file", format!("There is no file {}.", path.display()))
        .hint("Say it as FILE or FILE:LINE, seen from where you are.")
}
