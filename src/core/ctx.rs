//! What a family is given and what it must provide.

use std::any::Any;

use serde_json::{Map, Value};

use super::confirm::Gatekeeper;
use super::findable::{Findable, Finder};
use super::mirrored::Mirrored;
use super::op::operation_id;
use super::resource::{Prompt, Resource, ResourceContents, ResourceTemplate};
use super::standing::{Neighbours, Standing};
use super::{
    AnyTool, Call, Draft, Error, Indexer, Look, Op, OpKind, Outcome, Presence, Reply, ReservedFile, Result,
    SessionInfo, Table, TableShape, Timestamp, View, World, refusal,
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
    /// Who else is here.
    pub presence: &'a dyn Presence,
    pub gatekeeper: &'a dyn Gatekeeper,
    /// What other families have to say.
    pub neighbours: &'a dyn Neighbours,
    pub session: &'a SessionInfo,
    pub call: &'a Call,
    /// What was gathered before; downcast with [`prepared`](Ctx::prepared).
    pub gathered: Option<&'a (dyn Any + Send + Sync)>,
}

impl<'a> Ctx<'a> {
    pub fn draft(&self) -> Draft<'a> {
        Draft::new(self.view)
    }

    /// An id for the operation or audit record that this call will leave, for whoever must name it before it is there.
    /// It counts once it stands in the record of the outcome.
    pub fn record_id(&self) -> String {
        operation_id(self.now, self.ids)
    }

    pub fn prepared<T: 'static>(&self) -> Result<&'a T> {
        self.gathered
            .and_then(|g| g.downcast_ref::<T>())
            .ok_or_else(|| Error::internal(format!("{} was called without its preparation.", self.call.tool)))
    }
}

pub type Gathered = Box<dyn Any + Send + Sync>;

/// A tool family: its tools, its tables with their shapes, what it offers beside them, and its own way to word an error.
pub trait Family: Send + Sync {
    fn name(&self) -> &'static str;

    /// Its tools, each a type of its own; also those that only the engine calls.
    fn tools(&self) -> &'static [&'static dyn AnyTool];

    /// The tables this family owns; a table belongs to exactly one family.
    fn tables(&self) -> &'static [Table] {
        &[]
    }

    fn indexers(&self) -> Vec<Indexer> {
        Vec::new()
    }

    /// Do its things belong to the tree that is worked in, rather than to the workspace of all its linked work trees?
    fn of_tree(&self) -> bool {
        false
    }

    /// Tables whose rows tell how things stand at this moment (who works on what): written with whatever call changes
    /// them, but never part of an operation, of its history or of an undo.
    fn fleeting(&self) -> &'static [Table] {
        &[]
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

    /// Names of environment variables that this family reads from a session; a trailing `*` stands for whatever
    /// follows. A client says these in its Hello and no others: `proto/environment.txt` is made of these lists.
    fn variables(&self) -> &'static [&'static str] {
        &[]
    }

    /// Its rows that are also files of a project, if it has such.
    fn mirrored(&self) -> Option<&dyn Mirrored> {
        None
    }

    /// Shows or takes back what any family did: files of mirrored rows are looked at before its calls, too.
    fn spans_families(&self) -> bool {
        false
    }

    /// Files that belong to this family alone: no call of another family ever writes them.
    fn keeps(&self, _session: &SessionInfo) -> Vec<ReservedFile> {
        Vec::new()
    }

    /// The family's own error shape. Also used for refusals by policy and for failures of the engine.
    fn render_error(&self, error: &Error, _ctx: &ErrorCtx) -> Reply {
        refusal::render(error)
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

    /// Texts that teach an agent to use its tools.
    fn skills(&self) -> &'static [&'static super::skills::Skill] {
        &[]
    }

    fn templates(&self) -> Vec<ResourceTemplate> {
        Vec::new()
    }

    /// Reads one resource, on a blocking thread. `None` = not a resource of this family.
    fn read_resource(&self, _ctx: &Ctx, _world: &dyn World, _uri: &str) -> Result<Option<ResourceContents>> {
        Ok(None)
    }

    /// The resources an operation changed, for notices to subscribers.
    fn changed_resources(&self, _op: &Op) -> Vec<String> {
        Vec::new()
    }

    fn prompts(&self) -> Vec<Prompt> {
        Vec::new()
    }

    /// How things stand with what is this family's, for somebody who asks where they are. Must be quick: it looks at
    /// what is cheap to look at.
    fn standing(&self, _look: &Look) -> Result<Standing> {
        Ok(Standing::default())
    }

    /// What its rows are found by; a row that none has a label for is not found by words.
    fn finder(&self) -> Option<Finder> {
        None
    }

    /// Its rows that this session finds.
    fn findable(&self, _ctx: &Ctx) -> Option<Findable> {
        None
    }

    /// The text of a prompt for which the world is looked at, on a blocking thread.
    fn look_prompt(&self, look: &Look, name: &str, args: &Map<String, Value>) -> Result<Option<String>> {
        self.prompt(look.ctx, name, args)
    }

    /// The text of a prompt. `None` = not a prompt of this family.
    fn prompt(&self, _ctx: &Ctx, _name: &str, _args: &Map<String, Value>) -> Result<Option<String>> {
        Ok(None)
    }

    /// Values for an argument of a prompt or a resource template that start with (or contain) `typed`.
    fn complete(&self, _ctx: &Ctx, _reference: &str, _argument: &str, _typed: &str) -> Result<Vec<String>> {
        Ok(Vec::new())
    }

    /// What the session works on, as far as this family knows: every operation of the session says so.
    fn in_hand(&self, _ctx: &Ctx) -> Result<Option<String>> {
        Ok(None)
    }

    /// A session comes to a stop: what its person should hear, in words for a person. `changed` is where in the log it
    /// last changed files of the work tree, if it did.
    fn at_stop(&self, _ctx: &Ctx, _changed: Option<u64>) -> Result<Option<String>> {
        Ok(None)
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
    /// `wanted` as it would have been written and `was` as the operation left it, where that is still known. `None` = it
    /// is left alone, and the undo refused.
    fn mend(
        &self,
        _path: &std::path::Path,
        _current: &str,
        _was: Option<&str>,
        _wanted: Option<&str>,
    ) -> Option<String> {
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
