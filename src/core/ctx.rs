//! What a family is given and what it must provide.

use std::any::Any;
use std::path::PathBuf;

use super::confirm::Gatekeeper;
use super::findable::Searchable;
use super::mirrored::Mirrored;
use super::op::operation_id;
use super::resource::Offers;
use super::restored::Restored;
use super::skills::Skill;
use super::standing::{Neighbours, Standing};
use super::{
    AnyTool, Call, Draft, Error, Indexer, Look, Outcome, Presence, Reply, ReservedFile, Result, SessionInfo,
    Table, TableShape, Timestamp, View, refusal,
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
}

/// What a tool saw when it looked, without its type.
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

    /// What it offers beside its tools, if anything.
    fn offers(&self) -> Option<&dyn Offers> {
        None
    }

    /// What becomes of its rows and files when an operation is taken back, where that is not just what they were.
    fn restored(&self) -> Option<&dyn Restored> {
        None
    }

    /// Texts that teach an agent to use its tools.
    fn skills(&self) -> &'static [&'static Skill] {
        &[]
    }

    /// How things stand with what is this family's, for somebody who asks where they are. Must be quick: it looks at
    /// what is cheap to look at.
    fn standing(&self, _look: &Look) -> Result<Standing> {
        Ok(Standing::default())
    }

    /// How its rows are found by their words, if they are.
    fn searchable(&self) -> Option<Searchable> {
        None
    }

    /// Directories that a session names as those it works at, beside its workspace: runs that belong there are shown to
    /// it.
    fn work_places(&self, _session: &SessionInfo) -> Vec<PathBuf> {
        Vec::new()
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

    /// Housekeeping the daemon asks for once in a while (expired things go): one operation each. `in_project` tells of
    /// a space whether the directory of its files is there.
    fn sweep(&self, _ctx: &Ctx, _in_project: &dyn Fn(&str) -> bool) -> Result<Vec<Sweep>> {
        Ok(Vec::new())
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
