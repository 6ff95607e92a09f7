//! Tasks: plans, tasks and steps with checkpoints and evidence, as one intent API (`tasks_<intent>`).
//!
//! A call goes `pipeline` → handler → `envelope`. Handlers write into one draft; a batch is one draft and
//! therefore one operation. What to do next is a pure function of a `scene`.

mod args;
mod artifact;
mod auto;
mod batch;
mod body;
mod budget;
mod close;
mod complete;
mod context;
mod contract;
mod create;
mod delete;
mod deps;
mod edit;
mod envelope;
mod evidence;
mod fail;
mod fields;
pub mod file;
mod focus;
mod gates;
mod head;
mod history;
mod intents;
mod lint;
mod mirror;
pub mod model;
mod nodes;
mod notes;
mod offers;
mod parents;
mod patch;
mod path;
mod pipeline;
mod radar;
mod record;
mod resume;
mod row_shape;
mod run;
mod runway;
mod scaffold;
mod scene;
mod shape;
mod state;
mod steps;
mod storage;
pub mod store;
mod suggest;
mod templates;
mod verify;

use serde_json::json;

use crate::core::ctx::{ErrorCtx, Explanation, Gathered};
use crate::core::resource::{Contents, Resource, Template};
use crate::core::{
    Call, Ctx, Draft, Error, Family, Indexer, Op, OpKind, Outcome, Reply, Result, SessionInfo, Table,
    TableShape, Timestamp, World,
};

pub use suggest::TOOLS_JSON;

pub const FAMILY: &str = "tasks";

pub struct Tasks;

fn intent_of(tool: &str) -> &str {
    tool.strip_prefix("tasks_").unwrap_or(tool)
}

impl Family for Tasks {
    fn name(&self) -> &'static str {
        FAMILY
    }

    fn tables(&self) -> &'static [Table] {
        &store::TABLES
    }

    fn indexers(&self) -> Vec<Indexer> {
        vec![store::indexer]
    }

    fn shapes(&self) -> &'static [TableShape] {
        &row_shape::SHAPES
    }

    fn environment(&self) -> &'static [&'static str] {
        &crate::core::git::DECLARED
    }

    fn wants_world(&self, call: &Call, _session: &SessionInfo) -> bool {
        auto::wanted(call) || call.tool == "tasks_storage"
    }

    /// Filters of the log have no index, and a long page or a whole subtree is many rows.
    fn scans(&self, call: &Call) -> bool {
        let said = |names: &[&str]| names.iter().any(|name| call.args.contains_key(*name));
        let long = call.number("limit").is_some_and(|n| n > 50);
        match intent_of(&call.tool) {
            "history" | "delta" => long || said(&["intents", "paths", "intent", "path"]),
            "context" | "lint" => true,
            _ => false,
        }
    }

    fn prepare(&self, ctx: &Ctx, world: &dyn World) -> Result<Gathered> {
        if ctx.call.tool != "tasks_storage" {
            return Ok(Box::new(auto::gather(ctx.session, world)));
        }
        let files = match (ctx.call.text("action"), ctx.call.text("dir")) {
            (Some("import"), Some(dir)) => auto::task_files(ctx.session, world, dir)?,
            _ => None,
        };
        let local_tasks = auto::local_tasks(ctx.session, world);
        Ok(Box::new(auto::Gathered { local_tasks, files, ..auto::Gathered::default() }))
    }

    fn call(&self, ctx: &Ctx) -> Result<Outcome> {
        match intent_of(&ctx.call.tool) {
            intent @ ("undo" | "redo") => history::take_back(ctx, intent),
            intent => {
                let mut run = run::Run::new(ctx);
                let answer = pipeline::execute(&mut run, intent, &ctx.call.args)?;
                Ok(record::outcome(run, intent, answer))
            }
        }
    }

    fn render_error(&self, error: &Error, ctx: &ErrorCtx) -> Reply {
        Reply::json(envelope::of_error(intent_of(ctx.tool), error, ctx.now)).error()
    }

    fn explain(&self, ctx: &Ctx) -> Explanation {
        let intent = intent_of(&ctx.call.tool);
        let named = ctx.call.text("task").or(ctx.call.text("plan")).map(str::to_string);
        let focused = || focus::current(ctx.view, &ctx.session.workspace, &ctx.session.id).ok().flatten();
        let target = named.or_else(|| focused().map(|s| s.id));
        let state = target.as_ref().and_then(|id| {
            let found = store::summary(ctx.view, &ctx.session.workspace, id).ok().flatten()?;
            Some(format!("{id} is {} at revision {}.", found.status.as_str(), found.revision))
        });
        let on = target.map(|id| format!(" on {id}")).unwrap_or_default();
        Explanation {
            would: format!("It would run {intent}{on}; tasks_undo could take it back."),
            state: state.into_iter().collect(),
            alternatives: vec![format!("{} with {}", ctx.call.tool, json!({"dry_run": true}))],
            ..Explanation::default()
        }
    }

    fn resources(
        &self,
        ctx: &Ctx,
        cursor: Option<&str>,
        limit: usize,
    ) -> Result<(Vec<Resource>, Option<String>)> {
        offers::resources(ctx, cursor, limit)
    }

    fn templates(&self) -> Vec<Template> {
        offers::templates()
    }

    fn read_resource(&self, ctx: &Ctx, _world: &dyn World, uri: &str) -> Result<Option<Contents>> {
        offers::read(ctx, uri)
    }

    fn changed_resources(&self, op: &Op) -> Vec<String> {
        op.targets.iter().map(|id| format!("{}{id}", offers::SCHEME)).collect()
    }

    fn resettle(&self, table: &str, value: Vec<u8>) -> Result<Vec<u8>> {
        if table == store::ITEMS.0 { state::resettled(value) } else { Ok(value) }
    }

    fn check_restore(&self, kind: &OpKind, draft: &Draft, _now: Timestamp) -> Result<()> {
        parents::check_restore(kind, draft)
    }
}
