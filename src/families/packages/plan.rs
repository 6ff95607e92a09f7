//! What a tool of this family is given (a scene) and what it works out (a plan): files, rows, record and reply.
//!
//! Everything this family knows lives in files, so a tool runs while preparing, one writer at a time, and the
//! call itself only turns its plan into an outcome.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::cache::Caches;
use super::errors::{DENIED, NOT_INITIALIZED, fail};
use super::owned::Ownership;
use super::stage::Stage;
use crate::core::inside::{self, Spot};
use crate::core::world::{FileKind, ReadError};
use crate::core::{Ctx, Effect, Error, Outcome, Record, Reply, Result, Sha, World, owner};

pub struct Scene<'a> {
    pub ctx: &'a Ctx<'a>,
    pub world: &'a dyn World,
    pub caches: &'a Caches,
}

impl Scene<'_> {
    pub fn workspace(&self) -> &Path {
        Path::new(&self.ctx.session.workspace)
    }

    pub fn home(&self) -> &Path {
        &self.ctx.session.home
    }

    /// The workspace's own directory.
    pub fn aam(&self) -> PathBuf {
        self.workspace().join(".aam")
    }

    /// Where codex looks for skills and prompts: not in the project.
    pub fn codex_home(&self) -> PathBuf {
        match self.ctx.session.env.get("CODEX_HOME").filter(|v| !v.is_empty()) {
            Some(dir) => PathBuf::from(dir),
            None => self.home().join(".codex"),
        }
    }

    /// A path argument as seen from the workspace.
    pub fn resolve(&self, path: &str) -> PathBuf {
        match path.strip_prefix("~/") {
            Some(rest) => self.home().join(rest),
            None => tidy(&self.workspace().join(path)),
        }
    }

    /// A directory or file that a call names, which must be inside the workspace.
    pub fn inside(&self, path: &str) -> Result<Spot> {
        inside::locate(self.world, self.workspace(), self.resolve(path))
    }

    /// A file of the project or of the user's own settings; one of the project is not followed out of it.
    pub fn read(&self, path: &Path) -> Result<Option<Vec<u8>>> {
        if !path.starts_with(self.workspace()) {
            return file_bytes(self.world, path);
        }
        match inside::locate(self.world, self.workspace(), path)? {
            Spot::Here(path) => file_bytes(self.world, &path),
            Spot::Missing => Ok(None),
            Spot::Outside => {
                let name = path.strip_prefix(self.workspace()).unwrap_or(path);
                Err(fail(DENIED, inside::outside(&name.to_string_lossy())).hint(inside::REMEDY))
            }
        }
    }

    pub fn read_text(&self, path: &Path) -> Result<Option<String>> {
        self.read(path)?.map(|bytes| as_text(bytes, path)).transpose()
    }

    /// The directory `.aam/`, which must be there and must be a directory.
    pub fn initialized(&self) -> Result<PathBuf> {
        let dir = self.aam();
        match self.world.stat(&dir)? {
            Some(stat) if stat.kind == FileKind::Dir => {
                owner::check_stat(self.world, &dir, &stat).map(|()| dir)
            }
            Some(_) => Err(fail(NOT_INITIALIZED, ".aam exists but is not a directory.")
                .hint("Move it away and create a directory .aam in the project.")),
            None => Err(fail(NOT_INITIALIZED, "This project has no package workspace.")
                .hint("Create it with `mkdir .aam` in the project directory, then call again.")),
        }
    }

    /// Keeps other programs away from a directory until the operation is over; a preview disturbs nobody.
    pub fn lock(&self, dir: &Path) -> Result<()> {
        if self.ctx.call.preview { Ok(()) } else { self.world.lock(dir) }
    }
}

/// Without `.` and `..`, by the letters alone.
pub fn tidy(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            std::path::Component::CurDir => {}
            std::path::Component::ParentDir => {
                out.pop();
            }
            part => out.push(part),
        }
    }
    out
}

const MAX_TEXT: u64 = 64 << 20;

/// A file that need not exist, but must be the user's own.
pub fn file_bytes(world: &dyn World, path: &Path) -> Result<Option<Vec<u8>>> {
    owner::check(world, path)?;
    match world.read(path, MAX_TEXT) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(ReadError::Missing) => Ok(None),
        Err(why) => Err(Error::io(format!("Cannot read {}: {why}.", path.display()))),
    }
}

fn as_text(bytes: Vec<u8>, path: &Path) -> Result<String> {
    let wrong = |_| Error::io(format!("Cannot read {}: it is not UTF-8 text.", path.display()));
    String::from_utf8(bytes).map_err(wrong)
}

pub fn file_text(world: &dyn World, path: &Path) -> Result<Option<String>> {
    file_bytes(world, path)?.map(|bytes| as_text(bytes, path)).transpose()
}

#[derive(Default)]
pub struct Plan {
    pub reply: Reply,
    pub record: Record,
    pub effects: Vec<Effect>,
    pub blobs: Vec<(Sha, Vec<u8>)>,
    /// Package name to what is recorded about it; `None` = nothing any more.
    pub owned: Vec<(String, Option<Ownership>)>,
}

impl Plan {
    /// A dict result: compact JSON and the same as structured content.
    pub fn object(value: Value) -> Plan {
        Plan { reply: Reply::json(value), ..Plan::default() }
    }

    /// A list result: the array as text, wrapped in an object as structured content.
    pub fn list(items: Vec<Value>) -> Plan {
        let items = Value::Array(items);
        let reply =
            Reply { text: items.to_string(), structured: Some(json!({"result": items})), ..Reply::default() };
        Plan { reply, ..Plan::default() }
    }

    pub fn with(mut self, stage: Stage, record: Record) -> Plan {
        (self.effects, self.blobs) = stage.finish();
        self.record = record;
        self
    }

    pub fn into_outcome(self, ctx: &Ctx) -> Result<Outcome> {
        let mut draft = ctx.draft();
        for (name, owned) in &self.owned {
            let key = super::owned::key(&ctx.session.workspace, name);
            match owned {
                Some(owned) => draft.put(super::owned::TABLE, &key, owned).map(|_| ())?,
                None => draft.delete(super::owned::TABLE, &key)?,
            }
        }
        let mut out = draft.into_outcome();
        out.effects = self.effects;
        out.blobs.extend(self.blobs);
        out.record = self.record;
        out.reply = self.reply;
        Ok(out)
    }
}
