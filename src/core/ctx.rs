//! What a family is given and what it must provide.

use std::any::Any;

use serde_json::{Map, Value};

use super::resource::{Contents, Prompt, Resource, Template};
use super::{
    Call, Draft, Error, Indexer, Kept, Op, OpKind, Outcome, Reply, Result, SessionInfo, Table, TableShape,
    Timestamp, View, World,
};

/// Random bits, injected so that tests can fix them.
pub trait Ids: Send + Sync {
    fn random(&self) -> u128;

    /// `len` characters of an alphabet whose size is a power of two or small enough for the bias not to matter.
    fn letters(&self, alphabet: &[u8], len: usize) -> String {
        let mut bits = self.random();
        let mut out = String::with_capacity(len);
        for i in 0..len {
            if i > 0 && i % 16 == 0 {
                bits = self.random();
            }
            out.push(alphabet[(bits % 256) as usize % alphabet.len()] as char);
            bits >>= 8;
        }
        out
    }

    fn uuid(&self) -> String {
        uuid::Builder::from_random_bytes(self.random().to_le_bytes()).into_uuid().to_string()
    }
}

/// Everything a family may know while it handles one call.
pub struct Ctx<'a> {
    pub view: &'a dyn View,
    pub now: Timestamp,
    pub ids: &'a dyn Ids,
    pub session: &'a SessionInfo,
    pub call: &'a Call,
    /// What the family's own `prepare` gathered; downcast with [`prepared`](Ctx::prepared).
    pub gathered: Option<&'a (dyn Any + Send + Sync)>,
}

impl<'a> Ctx<'a> {
    pub fn draft(&self) -> Draft<'a> {
        Draft::new(self.view)
    }

    pub fn prepared<T: 'static>(&self) -> Result<&'a T> {
        self.gathered
            .and_then(|g| g.downcast_ref::<T>())
            .ok_or_else(|| Error::internal(format!("{} was called without its preparation.", self.call.tool)))
    }
}

pub type Gathered = Box<dyn Any + Send + Sync>;

/// A tool family: pure functions of a view and arguments, plus its own way to word an error.
pub trait Family: Send + Sync {
    fn name(&self) -> &'static str;

    /// The tables this family owns; a table belongs to exactly one family.
    fn tables(&self) -> &'static [Table] {
        &[]
    }

    fn indexers(&self) -> Vec<Indexer> {
        Vec::new()
    }

    /// What the rows of these tables are to their history, beside the rows themselves.
    fn shapes(&self) -> &'static [TableShape] {
        &[]
    }

    /// Names of environment variables that programs of this family get from the calling session, beyond those that
    /// every program gets.
    fn environment(&self) -> &'static [&'static str] {
        &[]
    }

    /// Does this call need [`prepare`](Family::prepare)? Asked on the runtime thread: must be cheap.
    fn wants_world(&self, _call: &Call, _session: &SessionInfo) -> bool {
        false
    }

    /// May this reading call have to look at many rows? It then runs where no other client waits for it. Asked on the
    /// runtime thread: must be cheap.
    fn scans(&self, _call: &Call) -> bool {
        false
    }

    /// Gathers what is slow or comes from outside (files, git, a registry), on a blocking thread and before
    /// any transaction. `ctx.view` is a snapshot; what depends on it must be checked again in `call`.
    fn prepare(&self, _ctx: &Ctx, _world: &dyn World) -> Result<Gathered> {
        Ok(Box::new(()))
    }

    fn call(&self, ctx: &Ctx) -> Result<Outcome>;

    /// May this call write files? Such calls are prepared and carried out one at a time.
    fn writes_files(&self, _call: &Call) -> bool {
        false
    }

    /// Files that belong to this family alone: no call of another family ever writes them.
    fn keeps(&self, _session: &SessionInfo) -> Vec<Kept> {
        Vec::new()
    }

    /// The family's own error shape. Also used for refusals by policy and for failures of the engine.
    fn render_error(&self, error: &Error, ctx: &ErrorCtx) -> Reply;

    /// What the ask answer says for this tool: what would happen and in what state things are.
    fn explain(&self, ctx: &Ctx) -> Explanation {
        Explanation {
            would: format!("{} would change stored state.", ctx.call.tool),
            ..Explanation::default()
        }
    }

    /// What a call is about, as the targets of its operation would name it; asked when the call was refused.
    fn concerns(&self, _ctx: &Ctx) -> Vec<String> {
        Vec::new()
    }

    /// Digest of the state a confirmation is bound to; anything that changes it makes the token drift.
    fn state_digest(&self, _ctx: &Ctx) -> Result<String> {
        Ok(String::new())
    }

    /// What a confirmation is issued for: the arguments with everything the session implied spelt out, and the
    /// name to type where the tool asks for that.
    fn bind(&self, ctx: &Ctx) -> Result<(Map<String, Value>, Option<String>)> {
        Ok((ctx.call.args.clone(), None))
    }

    /// A page of the resources this session sees, and the cursor of the next page.
    fn resources(
        &self,
        _ctx: &Ctx,
        _cursor: Option<&str>,
        _limit: usize,
    ) -> Result<(Vec<Resource>, Option<String>)> {
        Ok((Vec::new(), None))
    }

    fn templates(&self) -> Vec<Template> {
        Vec::new()
    }

    /// Reads one resource, on a blocking thread. `None` = not a resource of this family.
    fn read_resource(&self, _ctx: &Ctx, _world: &dyn World, _uri: &str) -> Result<Option<Contents>> {
        Ok(None)
    }

    /// The resources an operation changed, for notices to subscribers.
    fn changed_resources(&self, _op: &Op) -> Vec<String> {
        Vec::new()
    }

    fn prompts(&self) -> Vec<Prompt> {
        Vec::new()
    }

    /// The text of a prompt. `None` = not a prompt of this family.
    fn prompt(&self, _ctx: &Ctx, _name: &str, _args: &Map<String, Value>) -> Result<Option<String>> {
        Ok(None)
    }

    /// Values for an argument of a prompt or a resource template that start with (or contain) `typed`.
    fn complete(&self, _ctx: &Ctx, _reference: &str, _argument: &str, _typed: &str) -> Result<Vec<String>> {
        Ok(Vec::new())
    }

    /// Housekeeping the daemon asks for once in a while (expired things go): one operation each.
    fn sweep(&self, _ctx: &Ctx) -> Result<Vec<Sweep>> {
        Ok(Vec::new())
    }

    /// Brings what follows from other fields up to date in a row that an undo, redo or revert put together from
    /// what it took back and what others did since.
    fn resettle(&self, _table: &str, value: Vec<u8>) -> Result<Vec<u8>> {
        Ok(value)
    }

    /// Last word before an undo, redo or revert brings rows back: refuses what would break an invariant
    /// (say, a name that somebody else has taken since).
    fn check_restore(&self, _kind: &OpKind, _draft: &Draft, _now: Timestamp) -> Result<()> {
        Ok(())
    }

    /// A file that undo or redo is about to write, but that somebody changed since: what it should hold now, with
    /// `wanted` as it would have been written. `None` = it is left alone, and the undo refused.
    fn mend(&self, _path: &std::path::Path, _current: &str, _wanted: Option<&str>) -> Option<String> {
        None
    }

    /// Lets content that undo brings back be adjusted to the present (an expired pack gets time to live).
    fn revive(&self, _table: &str, value: Vec<u8>, _now: Timestamp) -> Result<Vec<u8>> {
        Ok(value)
    }
}

/// What an error is rendered with when there may be no full context.
pub struct ErrorCtx<'a> {
    pub tool: &'a str,
    pub call: Option<&'a Call>,
    pub session: Option<&'a SessionInfo>,
    pub now: Timestamp,
}

/// One piece of housekeeping: where it belongs and what it does.
pub struct Sweep {
    pub workspace: String,
    pub tool: &'static str,
    pub outcome: Outcome,
}

/// The parts of an ask-mode answer.
#[derive(Debug, Clone, Default)]
pub struct Explanation {
    pub would: String,
    pub state: Vec<String>,
    pub irreversible: Option<String>,
    pub alternatives: Vec<String>,
}
