//! A tool is one type in one file: what it takes, what it looks at, what it decides.
//!
//! ```text
//! struct Push;                                  families/ecosystems/tools/push.rs
//! impl Tool for Push {
//!     type Args = PushArgs;                     #[derive(Deserialize)], read once by `core::arguments`
//!     type Seen = Survey;                       what it found outside; `()` = it looks at nothing
//!     const NAME: &'static str = "amof_push_ecosystem";
//!     const NEEDS: Needs = Needs::World;
//!     fn look(look, args) -> Result<Survey>     files, git, a registry: read-only, before any transaction
//!     fn decide(ctx, args, seen) -> Result<Outcome>   pure: what should change, and the reply
//!     fn finish(ctx, args, done) -> Result<Outcome>   only tools that start runs: records how one ended
//! }
//! pub const TOOLS: &[&dyn AnyTool] = &[&Push, …];     families/ecosystems/mod.rs
//! ```
//!
//! `decide` may run more than once for one call (a preview, a decision against a snapshot that has changed since), so
//! it draws nothing from anywhere but its context. The engine sees tools through [`AnyTool`] alone; this file is the
//! one place where their types are erased and found again.

use std::any::Any;
use std::ops::Deref;
use std::sync::Arc;

use serde_json::{Map, Value};

use super::arguments::Arguments;
use super::ctx::{Explanation, Gathered};
use super::run::RunDone;
use super::{Call, Ctx, Error, Outcome, Result, SessionInfo, World};

/// Where a call of a tool has to run before it can be decided. Ordered by cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Needs {
    /// A few rows: it is decided where it is asked.
    Rows,
    /// It may have to read many rows: it is decided where no other client waits for it.
    Scan,
    /// Something outside: it looks on a blocking thread first.
    World,
}

/// What a call may change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Writes {
    Rows,
    /// Files too: such calls of one family are looked at and carried out one at a time.
    Files,
}

/// What a call wants to happen before it is decided.
pub enum Wait {
    /// A run ends: this one, or the newest that the session sees.
    Run { id: Option<String>, seconds: u64 },
    /// A person decides about one confirmation of the session, or about any.
    Decision { id: Option<String>, seconds: u64 },
}

/// What only the engine can do, instead of a decision.
pub enum Act {
    /// Take a confirmation and run what it stands for.
    Confirm { token: String, typed: Option<String>, wait: Option<u64> },
}

/// What a tool may look at: the world, and everything its decision will know but what it is about to see.
pub struct Look<'a> {
    pub ctx: &'a Ctx<'a>,
    pub world: &'a dyn World,
}

impl Look<'_> {
    /// What was remembered of the outside since the daemon started; empty the first time, and never the truth.
    pub fn memory<T: Default + Send + Sync + 'static>(&self) -> Arc<T> {
        self.world.memories().of::<T>()
    }
}

impl<'a> Deref for Look<'a> {
    type Target = Ctx<'a>;
    fn deref(&self) -> &Ctx<'a> {
        self.ctx
    }
}

/// What a confirmation is issued for.
pub struct Bound {
    /// The arguments with everything that the session implied spelt out.
    pub args: Map<String, Value>,
    /// The name to type, where the tool asks for that.
    pub typed: Option<String>,
    /// Digest of the state that was previewed; anything that changes it makes the token drift.
    pub state: String,
}

/// One tool: pure functions of its arguments, what it saw and a read-only view.
pub trait Tool: Send + Sync + 'static {
    type Args: Arguments;
    type Seen: Send + Sync + 'static;

    const NAME: &'static str;
    const NEEDS: Needs = Needs::Rows;
    const WRITES: Writes = Writes::Rows;
    /// Must be decided in the writer, after everything that came before it: undo, claiming whatever is next. Other
    /// decisions may be made early, and count if nothing that they read has changed.
    const IN_TURN: bool = false;

    /// What this very call needs, where that depends on its arguments. Asked on the runtime thread: must be cheap.
    fn needs(_session: &SessionInfo, _args: &Self::Args) -> Needs {
        Self::NEEDS
    }

    /// The same for what it may change.
    fn writes(_args: &Self::Args) -> Writes {
        Self::WRITES
    }

    /// What this call waits for, if anything.
    fn waits(_args: &Self::Args) -> Option<Wait> {
        None
    }

    /// What the engine does instead of deciding, if that is it.
    fn act(_args: &Self::Args) -> Option<Act> {
        None
    }

    /// Gathers what is slow or comes from outside, on a blocking thread and before any transaction. The view is a
    /// snapshot: what depends on it must be checked again in `decide`. Called only where the call needs the world.
    fn look(look: &Look, args: &Self::Args) -> Result<Self::Seen>;

    /// What a call has seen that did not have to look, where [`needs`](Tool::needs) says that of some calls only.
    fn unseen() -> Option<&'static Self::Seen> {
        None
    }

    /// What should change and what is answered. Changes nothing.
    fn decide(ctx: &Ctx, args: &Self::Args, seen: &Self::Seen) -> Result<Outcome>;

    /// A run that an earlier decision started has ended: what is recorded of it.
    fn finish(_ctx: &Ctx, _args: &Self::Args, _done: &RunDone) -> Result<Outcome> {
        Err(Error::internal(format!("No run belongs to {}.", Self::NAME)))
    }

    /// What the ask answer says: what would happen and in what state things are. `None` = it could not look.
    fn explain(_ctx: &Ctx, _args: &Self::Args, _seen: Option<&Self::Seen>) -> Explanation {
        Explanation { would: format!("{} would change stored state.", Self::NAME), ..Explanation::default() }
    }

    /// What a call is about, as the targets of its operation would name it; asked when the call was refused.
    fn concerns(_ctx: &Ctx, _args: &Self::Args) -> Vec<String> {
        Vec::new()
    }

    /// What a confirmation of this call is bound to.
    fn bind(ctx: &Ctx, _args: &Self::Args, _seen: &Self::Seen) -> Result<Bound> {
        Ok(Bound { args: ctx.call.args.clone(), typed: None, state: String::new() })
    }
}

/// What was seen, without its type.
pub type AnySeen<'a> = Option<&'a (dyn Any + Send + Sync)>;

/// A [`Tool`] without its types: what the engine calls.
pub trait AnyTool: Send + Sync {
    fn name(&self) -> &'static str;
    /// Reads the arguments into their type, so that whatever is wrong with them is said before anything happens.
    fn read(&self, call: &Call) -> Result<()>;
    fn needs(&self, call: &Call, session: &SessionInfo) -> Needs;
    fn writes(&self, call: &Call) -> Writes;
    fn decides_in_turn(&self) -> bool;
    fn waits(&self, call: &Call) -> Option<Wait>;
    fn act(&self, call: &Call) -> Option<Act>;
    fn look(&self, look: &Look) -> Result<Gathered>;
    fn decide(&self, ctx: &Ctx, seen: AnySeen) -> Result<Outcome>;
    fn finish(&self, ctx: &Ctx, done: &RunDone) -> Result<Outcome>;
    fn explain(&self, ctx: &Ctx, seen: AnySeen) -> Explanation;
    fn concerns(&self, ctx: &Ctx) -> Vec<String>;
    fn bind(&self, ctx: &Ctx, seen: AnySeen) -> Result<Bound>;
}

impl<T: Tool> AnyTool for T {
    fn name(&self) -> &'static str {
        T::NAME
    }

    fn read(&self, call: &Call) -> Result<()> {
        call.read::<T::Args>().map(|_| ())
    }

    /// A call whose arguments cannot be read needs nothing: its decision will say what is wrong.
    fn needs(&self, call: &Call, session: &SessionInfo) -> Needs {
        call.read::<T::Args>().map_or(Needs::Rows, |args| T::needs(session, &args))
    }

    fn writes(&self, call: &Call) -> Writes {
        call.read::<T::Args>().map_or(Writes::Rows, |args| T::writes(&args))
    }

    fn decides_in_turn(&self) -> bool {
        T::IN_TURN
    }

    fn waits(&self, call: &Call) -> Option<Wait> {
        T::waits(&*call.read::<T::Args>().ok()?)
    }

    fn act(&self, call: &Call) -> Option<Act> {
        T::act(&*call.read::<T::Args>().ok()?)
    }

    fn look(&self, look: &Look) -> Result<Gathered> {
        let args = look.call.read::<T::Args>()?;
        Ok(Box::new(T::look(look, &args)?))
    }

    fn decide(&self, ctx: &Ctx, seen: AnySeen) -> Result<Outcome> {
        let args = ctx.call.read::<T::Args>()?;
        T::decide(ctx, &args, found::<T>(seen)?)
    }

    fn finish(&self, ctx: &Ctx, done: &RunDone) -> Result<Outcome> {
        let args = ctx.call.read::<T::Args>()?;
        T::finish(ctx, &args, done)
    }

    fn explain(&self, ctx: &Ctx, seen: AnySeen) -> Explanation {
        match ctx.call.read::<T::Args>() {
            Ok(args) => T::explain(ctx, &args, found::<T>(seen).ok()),
            Err(e) => {
                Explanation { would: format!("It would fail: {}", e.message), ..Explanation::default() }
            }
        }
    }

    fn concerns(&self, ctx: &Ctx) -> Vec<String> {
        ctx.call.read::<T::Args>().map(|args| T::concerns(ctx, &args)).unwrap_or_default()
    }

    fn bind(&self, ctx: &Ctx, seen: AnySeen) -> Result<Bound> {
        let args = ctx.call.read::<T::Args>()?;
        T::bind(ctx, &args, found::<T>(seen)?)
    }
}

/// What was seen, with its type again. A tool that looks at nothing has seen `()`.
fn found<'a, T: Tool>(seen: AnySeen<'a>) -> Result<&'a T::Seen> {
    static NOTHING: () = ();
    let nothing: &(dyn Any + Send + Sync) = &NOTHING;
    let found = seen.unwrap_or(nothing).downcast_ref();
    found
        .or_else(|| T::unseen().filter(|_| seen.is_none()))
        .ok_or_else(|| Error::internal(format!("{} was decided without what it looks at.", T::NAME)))
}
