//! What a tool of this family is given (a scene) and what it works out (a plan): files, rows, record and reply.
//!
//! Everything this family knows lives in files, so a tool works while it looks, one writer at a time, and its
//! decision only turns the plan into an outcome.

use std::marker::PhantomData;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::cache::Caches;
use super::errors::{DENIED, INVALID, NOT_INITIALIZED, Then, fail};
use super::reply::{self, ReplyPage};
use super::rows::Ownership;
use super::stage::FileStage;
use crate::core::agents::CODEX;
use crate::core::arguments::Arguments;
use crate::core::changed::Changed;
use crate::core::ctx::Explanation;
use crate::core::inside::{self, Located};
use crate::core::layout::Next;
use crate::core::world::{FileKind, ReadError};
use crate::core::{
    Ctx, Effect, Error, Look, Needs, Outcome, Record, Reply, Result, Sha, Tool, World, Writes, owner,
};

/// A tool of this family: what it takes, and the plan it makes of what it finds.
pub trait Planner: Send + Sync + 'static {
    type Args: Arguments;
    const NAME: &'static str;
    const WRITES: Writes = Writes::Rows;

    fn plan(scene: &PackageScene, args: &Self::Args) -> Result<PackagePlan>;
}

/// A planner as a tool of the engine's.
pub struct AsPlanned<T>(PhantomData<fn() -> T>);

impl<T> AsPlanned<T> {
    pub const TOOL: AsPlanned<T> = AsPlanned(PhantomData);
}

impl<T: Planner> Tool for AsPlanned<T> {
    type Args = T::Args;
    type Seen = PackagePlan;
    const NAME: &'static str = T::NAME;
    const NEEDS: Needs = Needs::World;
    const WRITES: Writes = T::WRITES;

    fn look(look: &Look, args: &T::Args) -> Result<PackagePlan> {
        T::plan(&PackageScene::of(look.ctx, look.world), args)
    }

    fn decide(ctx: &Ctx, _args: &T::Args, plan: &PackagePlan) -> Result<Outcome> {
        plan.outcome(ctx)
    }

    fn explain(_ctx: &Ctx, _args: &T::Args, plan: Option<&PackagePlan>) -> Explanation {
        match plan {
            Some(plan) => plan.explanation(),
            None => Explanation {
                would: format!("{} would change files of this project or the settings.", T::NAME),
                ..Explanation::default()
            },
        }
    }
}

pub struct PackageScene<'a> {
    pub ctx: &'a Ctx<'a>,
    pub world: &'a dyn World,
    pub caches: Arc<Caches>,
}

impl<'a> PackageScene<'a> {
    pub fn of(ctx: &'a Ctx<'a>, world: &'a dyn World) -> PackageScene<'a> {
        PackageScene { ctx, world, caches: world.memories().of::<Caches>() }
    }

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
        match self.ctx.session.env.get(CODEX.home.variable).filter(|v| !v.is_empty()) {
            Some(dir) => PathBuf::from(dir),
            None => self.home().join(CODEX.home.below),
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
    pub fn inside(&self, path: &str) -> Result<Located> {
        inside::locate(self.world, self.workspace(), self.resolve(path))
    }

    /// A directory that a call names, which must be there and inside the workspace.
    pub fn directory(&self, given: &str) -> Result<PathBuf> {
        let root = match self.inside(given)? {
            Located::Here(root) => root,
            Located::Missing => self.resolve(given),
            Located::Outside => return Err(fail(INVALID, inside::outside(given)).hint(inside::REMEDY)),
        };
        match self.world.stat(&root)? {
            Some(stat) if stat.kind == FileKind::Dir => Ok(root),
            _ => {
                Err(fail(INVALID, format!("'{given}' is not a directory."))
                    .hint("Name the project's directory."))
            }
        }
    }

    /// A file of the project or of the user's own settings; one of the project is not followed out of it.
    pub fn read(&self, path: &Path) -> Result<Option<Vec<u8>>> {
        if !path.starts_with(self.workspace()) {
            return file_bytes(self.world, path);
        }
        match inside::locate(self.world, self.workspace(), path)? {
            Located::Here(path) => file_bytes(self.world, &path),
            Located::Missing => Ok(None),
            Located::Outside => {
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
                .hint("Create it with aam_init, or with `mkdir .aam` in the project directory.")
                .then(Next::call("aam_init").with("workspace_only", true))),
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
pub struct PackagePlan {
    /// What the answer says; an object.
    body: Map<String, Value>,
    /// The call that comes next; said only where the session has its tool.
    next: Option<Next>,
    /// As long as somebody asked for, so it is not cut.
    asked_for: bool,
    /// The resource that has everything, should the answer have to be cut.
    whole: Option<String>,
    /// What changed, where that is not the files themselves.
    changed: Option<Vec<Changed>>,
    pub record: Record,
    pub effects: Vec<Effect>,
    pub blobs: Vec<(Sha, Vec<u8>)>,
    /// Package name to what is recorded about it; `None` = nothing any more.
    pub owned: Vec<(String, Option<Ownership>)>,
}

/// Part of a list, and how much of it is left.
#[derive(Serialize)]
struct ListReply {
    result: Vec<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    left: Option<usize>,
}

/// The arguments of a tool that answers with a list.
#[derive(Debug, Default, Deserialize)]
pub struct OffsetArgs {
    #[serde(default)]
    pub offset: usize,
}

/// Files of a plan that an explanation names.
const EXPLAINED: usize = 10;

impl PackagePlan {
    pub fn object(body: impl Serialize) -> PackagePlan {
        // Replies are structs of plain data with text keys: there is nothing in them that JSON cannot hold.
        match serde_json::to_value(body).unwrap_or_default() {
            Value::Object(body) => PackagePlan { body, ..PackagePlan::default() },
            _ => PackagePlan::default(),
        }
    }

    /// A list as long as somebody asked for.
    pub fn all(items: &[impl Serialize]) -> PackagePlan {
        let result = items.iter().map(|item| serde_json::to_value(item).unwrap_or_default()).collect();
        PackagePlan { asked_for: true, ..PackagePlan::object(ListReply { result, left: None }) }
    }

    /// A list result, wrapped in an object; from `offset` on, as much as a reply has room for.
    pub fn list(tool: &str, items: &[impl Serialize], offset: usize) -> PackagePlan {
        let page = ReplyPage::of(items, offset);
        let next = page.rest(Next::call(tool));
        let left = page.left();
        PackagePlan { next, ..PackagePlan::object(ListReply { result: page.shown, left }) }
    }

    /// The same with the call that comes next.
    #[must_use]
    pub fn then(mut self, next: impl Into<Option<Next>>) -> PackagePlan {
        self.next = next.into();
        self
    }

    /// The same, naming the resource that has what an answer has no room for.
    #[must_use]
    pub fn whole(mut self, uri: impl Into<String>) -> PackagePlan {
        self.whole = Some(uri.into());
        self
    }

    /// The same, saying this about what changed instead of naming files.
    #[must_use]
    pub fn changing(mut self, changed: Vec<Changed>) -> PackagePlan {
        self.changed = Some(changed);
        self
    }

    pub fn with(mut self, stage: FileStage, record: Record) -> PackagePlan {
        (self.effects, self.blobs) = stage.finish();
        self.record = record;
        self
    }

    fn outcome(&self, ctx: &Ctx) -> Result<Outcome> {
        let mut draft = ctx.draft();
        for (name, owned) in &self.owned {
            let key = super::rows::key(&ctx.session.workspace, name);
            match owned {
                Some(owned) => draft.put(super::rows::OWNED, &key, owned).map(|_| ())?,
                None => draft.delete(super::rows::OWNED, &key)?,
            }
        }
        let mut out = draft.into_outcome();
        out.effects = self.effects.clone();
        out.blobs.extend(self.blobs.iter().cloned());
        out.record = self.record.clone();
        let id = ctx.record_id();
        let operation = out.changes_something().then_some(id.as_str()).filter(|_| !ctx.call.preview);
        out.reply = Reply::json(Value::Object(self.told(ctx, operation)));
        out.record.id = Some(id);
        Ok(out)
    }

    /// The answer: the operation and what comes next stand at the front, what changed at the end.
    fn told(&self, ctx: &Ctx, operation: Option<&str>) -> Map<String, Value> {
        let mut body = self.body.clone();
        let changed = self.changed.clone().unwrap_or_else(|| reply::files(&self.effects, ctx));
        reply::tell(&mut body, changed, operation, ctx);
        if let Some(next) = self.next.clone().and_then(|next| reply::offered(next, ctx.session)) {
            body.shift_insert(0, "next".into(), serde_json::json!(next));
        }
        if let Some(id) = operation {
            body.shift_insert(0, "operation_id".into(), serde_json::json!(id));
        }
        if self.asked_for {
            return body;
        }
        if reply::bound(&mut body)
            && let Some(uri) = &self.whole
        {
            body.insert("whole".into(), serde_json::json!(uri));
        }
        body
    }

    fn explanation(&self) -> Explanation {
        let files = self.effects.len();
        let shown = self.effects.iter().take(EXPLAINED).map(|e| e.path.display().to_string());
        let more = files.checked_sub(EXPLAINED).filter(|more| *more > 0);
        let would = match files {
            0 => "It would change nothing.".to_string(),
            _ => format!("It would write {files} files: {}.", self.record.summary),
        };
        let state = shown.chain(more.map(|more| format!("and {more} more files"))).collect();
        Explanation { would, state, ..Explanation::default() }
    }
}
