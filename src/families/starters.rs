//! First files of a project, written because a person asked for them: all new, none replaced, one operation.
//!
//! Declares no tool: agents write files with the means of their hosts. The command line reaches it through
//! `packd/init` and says what the files hold; what they mean is known to the families that read them.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::core::ctx::{ErrorCtx, Gathered};
use crate::core::outcome::OP_ID;
use crate::core::{
    Call, Ctx, Effect, Error, Family, FileImage, Kind, Outcome, Record, Reply, Result, SessionInfo, Sha,
    World,
};

/// The call that reaches this family.
pub const TOOL: &str = "packd_init";

pub struct Starters;

/// A file to write: a directory that exists, the rest of the path, the text.
struct New {
    root: PathBuf,
    below: PathBuf,
    text: String,
    mode: u32,
}

impl Family for Starters {
    fn name(&self) -> &'static str {
        "starters"
    }

    fn wants_world(&self, _call: &Call, _session: &SessionInfo) -> bool {
        true
    }

    fn writes_files(&self, _call: &Call) -> bool {
        true
    }

    fn prepare(&self, ctx: &Ctx, world: &dyn World) -> Result<Gathered> {
        let files = ctx.call.args.get("files").and_then(Value::as_array).into_iter().flatten();
        let mut new = Vec::new();
        for file in files {
            let (Some(path), Some(text)) = (file["path"].as_str(), file["text"].as_str()) else {
                return Err(Error::invalid("invalid_arguments", "A file is a path and a text."));
            };
            let path = PathBuf::from(path);
            if !path.is_absolute() {
                return Err(Error::invalid("invalid_arguments", "Files are named by their full path."));
            }
            if world.stat(&path)?.is_some() {
                let message = format!("{} exists already and is left as it is.", path.display());
                return Err(Error::new(Kind::Conflict, "file_exists", message)
                    .hint("Move it away first, or change it by hand.")
                    .details(json!({"path": path})));
            }
            let (root, below) = split(&path, world)?;
            let mode = if file["executable"] == json!(true) { 0o755 } else { 0o644 };
            new.push(New { root, below, text: text.to_string(), mode });
        }
        Ok(Box::new(new))
    }

    fn call(&self, ctx: &Ctx) -> Result<Outcome> {
        let files = ctx.prepared::<Vec<New>>()?;
        let mut outcome = Outcome::default();
        let mut paths = Vec::new();
        for file in files {
            let sha = Sha::of(file.text.as_bytes());
            outcome.blobs.push((sha.clone(), file.text.as_bytes().to_vec()));
            outcome.effects.push(Effect {
                root: file.root.clone(),
                path: file.below.clone(),
                before: None,
                after: Some(FileImage { sha, mode: file.mode }),
                kept: false,
            });
            paths.push(file.root.join(&file.below).display().to_string());
        }
        let summary = ctx.call.text("summary").unwrap_or("Wrote first files").to_string();
        outcome.record = Record { summary, paths: paths.clone(), ..Record::default() };
        outcome.reply = Reply::json(json!({"written": paths, "operation_id": OP_ID}));
        Ok(outcome)
    }

    fn render_error(&self, error: &Error, _ctx: &ErrorCtx) -> Reply {
        Reply::text(error.to_string()).error()
    }
}

/// The nearest directory that exists, resolved, and the rest of the path.
fn split(file: &Path, world: &dyn World) -> Result<(PathBuf, PathBuf)> {
    for dir in file.ancestors().skip(1) {
        if let Some(root) = world.canonical(dir)? {
            return Ok((root, file.strip_prefix(dir).unwrap_or(file).to_path_buf()));
        }
    }
    Err(Error::io(format!("{} is below no directory.", file.display())))
}
