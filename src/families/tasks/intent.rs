//! An intent is a tool of this family: what it takes, how it uses the focus, whether it writes, and what it answers.
//!
//! Most tools here are one: they go through the pipeline, alone or as an operation of a batch. A tool that is none
//! (undo, redo) implements [`Tool`] itself.

use std::marker::PhantomData;

use serde::Serialize;

use crate::core::arguments::Arguments;
use crate::core::ctx::Explanation;
use crate::core::{Call, Ctx, Look, Needs, Outcome, Result, SessionInfo, Tool};

use super::answer::IntentAnswer;
use super::args::{Common, text};
use super::auto::{self, NOTHING, SeenOutside};
use super::request::IntentRequest;
use super::target::IntentTarget;
use super::{focus, pipeline, rows};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FocusUse {
    /// Neither filled in nor guarded.
    No,
    /// The focus must be a task.
    Task,
    /// A plan or a task.
    Any,
    /// The focused plan, or the plan of the focused task.
    Plan,
}

impl FocusUse {
    /// The argument that names the target.
    pub fn key(self) -> &'static str {
        if self == FocusUse::Plan { "plan" } else { "task" }
    }
}

pub trait Intent: Send + Sync + 'static {
    type Args: Arguments;

    const TOOL: &'static str;
    const FOCUS: FocusUse = FocusUse::No;
    /// Leaves an operation when it changes something.
    const WRITES: bool = false;
    const LOOKS: Needs = Needs::Rows;

    fn common(args: &Self::Args) -> &Common;

    /// Is this call only to show what it would do?
    fn previews(args: &Self::Args) -> bool {
        Self::WRITES && Self::common(args).dry_run.on()
    }

    fn looks(_args: &Self::Args) -> Needs {
        Self::LOOKS
    }

    fn see(look: &Look, _args: &Self::Args) -> Result<SeenOutside> {
        Ok(auto::gather(look.session, look.world))
    }

    fn answer(request: &mut IntentRequest, args: &Self::Args, target: &IntentTarget) -> Result<IntentAnswer>;
}

/// The word a batch uses for a tool.
pub fn intent_of(tool: &str) -> &str {
    tool.strip_prefix("tasks_").unwrap_or(tool)
}

/// An intent without its types: what the pipeline and batches work with.
pub trait AnyIntent: Send + Sync {
    fn tool(&self) -> &'static str;
    fn focus(&self) -> FocusUse;
    fn writes(&self) -> bool;
    /// The common arguments of a call, and whether it is a preview.
    fn read(&self, call: &Call) -> Result<(Common, bool)>;
    fn answer(&self, request: &mut IntentRequest, call: &Call, target: &IntentTarget)
    -> Result<IntentAnswer>;

    fn name(&self) -> &'static str {
        intent_of(self.tool())
    }
}

impl<T: Intent> AnyIntent for T {
    fn tool(&self) -> &'static str {
        T::TOOL
    }

    fn focus(&self) -> FocusUse {
        T::FOCUS
    }

    fn writes(&self) -> bool {
        T::WRITES
    }

    fn read(&self, call: &Call) -> Result<(Common, bool)> {
        let args = call.read::<T::Args>()?;
        Ok((T::common(&args).clone(), T::previews(&args)))
    }

    fn answer(
        &self,
        request: &mut IntentRequest,
        call: &Call,
        target: &IntentTarget,
    ) -> Result<IntentAnswer> {
        let args = call.read::<T::Args>()?;
        T::answer(request, &args, target)
    }
}

/// An intent as the tool it is.
pub struct AsTool<T>(PhantomData<fn() -> T>);

impl<T> AsTool<T> {
    pub const TOOL: AsTool<T> = AsTool(PhantomData);
}

impl<T: Intent> Tool for AsTool<T> {
    type Args = T::Args;
    type Seen = SeenOutside;
    const NAME: &'static str = T::TOOL;
    const NEEDS: Needs = T::LOOKS;

    fn needs(_session: &SessionInfo, args: &T::Args) -> Needs {
        T::looks(args)
    }

    fn look(look: &Look, args: &T::Args) -> Result<SeenOutside> {
        T::see(look, args)
    }

    fn unseen() -> Option<&'static SeenOutside> {
        Some(&NOTHING)
    }

    fn decide(ctx: &Ctx, _args: &T::Args, seen: &SeenOutside) -> Result<Outcome> {
        pipeline::outcome(ctx, pipeline::find(T::TOOL)?, seen)
    }

    fn explain(ctx: &Ctx, args: &T::Args, _seen: Option<&SeenOutside>) -> Explanation {
        explained(ctx, T::TOOL, T::common(args))
    }
}

#[derive(Serialize)]
struct DryRun {
    dry_run: bool,
}

fn explained(ctx: &Ctx, tool: &str, common: &Common) -> Explanation {
    let named = text(&common.task).or(text(&common.plan)).map(str::to_string);
    let focused = || focus::current(ctx.view, &ctx.session.workspace, &ctx.session.id).ok().flatten();
    let target = named.or_else(|| focused().map(|s| s.id));
    let state = target.as_ref().and_then(|id| {
        let found = rows::summary(ctx.view, &ctx.session.workspace, id).ok().flatten()?;
        Some(format!("{id} is {} at revision {}.", found.status.as_str(), found.revision))
    });
    let on = target.map(|id| format!(" on {id}")).unwrap_or_default();
    let preview = serde_json::to_string(&DryRun { dry_run: true }).unwrap_or_default();
    Explanation {
        would: format!("It would run {}{on}; tasks_undo could take it back.", intent_of(tool)),
        state: state.into_iter().collect(),
        alternatives: vec![format!("{tool} with {preview}")],
        ..Explanation::default()
    }
}
