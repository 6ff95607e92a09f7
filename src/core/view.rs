//! What a family may see of the store: a consistent, read-only picture.

use serde::de::DeserializeOwned;

use super::findable::{WordPage, WordQuery};
use super::{IndexEntry, IndexQuery, Key, Op, Result, Row, Sha, Table, TableShape};

/// A page of rows below a prefix, in key order.
#[derive(Debug, Clone)]
pub struct RowQuery {
    pub table: Table,
    pub prefix: Key,
    /// Whole key to start at (inclusive; in reverse: rows strictly before it).
    pub from: Option<Key>,
    pub reverse: bool,
    pub limit: usize,
}

impl RowQuery {
    pub fn new(table: Table, prefix: Key) -> Self {
        RowQuery { table, prefix, from: None, reverse: false, limit: usize::MAX }
    }

    #[must_use]
    pub fn from(mut self, key: Key) -> Self {
        self.from = Some(key);
        self
    }

    #[must_use]
    pub fn reverse(mut self) -> Self {
        self.reverse = true;
        self
    }

    #[must_use]
    pub fn limit(mut self, n: usize) -> Self {
        self.limit = n;
        self
    }
}

/// Rows, indexes, blobs, counters and the operation log at one moment.
pub trait View {
    fn row(&self, table: Table, key: &Key) -> Result<Option<Row>>;
    fn rows(&self, query: &RowQuery) -> Result<Vec<(Key, Row)>>;
    fn index(&self, query: &IndexQuery) -> Result<Vec<IndexEntry>>;
    /// How many entries a group of an index has.
    fn count(&self, index: super::Index, group: &Key) -> Result<u64>;
    /// What has all of some words. What a draft only plans is not among it.
    fn words(&self, query: &WordQuery) -> Result<WordPage>;
    fn blob(&self, sha: &Sha) -> Result<Option<Vec<u8>>>;
    /// Whether the content is there, without reading it.
    fn has_blob(&self, sha: &Sha) -> Result<bool>;
    /// The last number handed out by a counter (0 before the first). Counters are never undone.
    fn counter(&self, name: &str) -> Result<u64>;
    /// The index entries a row would have; lets an overlay answer index queries for its own changes.
    fn entries_of(&self, table: Table, key: &Key, row: &Row) -> Vec<IndexEntry>;
    /// The revision and operation a missing row had when it was deleted.
    fn grave(&self, table: Table, key: &Key) -> Result<Option<(u64, u64)>>;
    fn log(&self) -> &dyn LogView;
    /// The table of this name, as a stored change mentions it.
    fn table(&self, name: &str) -> Result<Table>;
    /// What the rows of a table are to its history.
    fn shape(&self, table: Table) -> TableShape;
}

/// Read access to the two streams of the log.
pub trait LogView {
    fn op(&self, id: &str) -> Result<Option<Op>>;
    /// The record with this sequence number.
    fn op_at(&self, stream: super::op::Stream, seq: u64) -> Result<Option<Op>>;
    fn op_by_request(&self, request_key: &str) -> Result<Option<Op>>;
    fn ops(&self, query: &LogQuery) -> Result<LogPage>;
    /// What a record did to each row, field by field; `None` = no longer kept. A record of the audit stream did
    /// nothing.
    fn changes(&self, op: &Op) -> Result<Option<Vec<super::RowChange>>>;
    /// The oldest whole image of a row that was kept at this operation or later, with the operation's number.
    fn image_from(&self, table: Table, key: &Key, seq: u64) -> Result<Option<(u64, Row)>>;
    /// The newest live reversible operation of a workspace, or of one family in it.
    fn newest_live(&self, workspace: &str, family: Option<&str>) -> Result<Option<Op>>;
    /// The operation that redo would bring back: the last one undone.
    fn newest_undone(&self, workspace: &str, family: Option<&str>) -> Result<Option<Op>>;
    /// Sequence number of the last record of a stream (0 = empty).
    fn head(&self, stream: super::op::Stream) -> Result<u64>;
}

/// A page of a stream. Filters are all optional and combine with "and".
#[derive(Debug, Clone, Default)]
pub struct LogQuery {
    pub stream: super::op::Stream,
    pub workspace: Option<String>,
    pub family: Option<String>,
    pub tools: Vec<String>,
    pub target: Option<String>,
    pub session: Option<String>,
    pub client: Option<String>,
    /// Only records that changed this field of some row, or something in it.
    pub field: Option<String>,
    /// Only records that changed this row.
    pub row: Option<(Table, Key)>,
    /// Only records whose `paths` contain one of these.
    pub paths: Vec<String>,
    /// Strictly after this sequence number (oldest first), or strictly before it (newest first).
    pub after: Option<u64>,
    pub before: Option<u64>,
    /// Newest first when true.
    pub newest_first: bool,
    pub include_undone: bool,
    pub limit: usize,
    /// Records looked at before the page ends with less than `limit`; `None` = as many as it takes.
    pub step: Option<usize>,
}

impl LogQuery {
    /// Does a record pass every filter that its metadata can answer?
    pub fn wants(&self, op: &Op) -> bool {
        let one_of = |list: &[String], have: &str| list.is_empty() || list.iter().any(|x| x == have);
        let same = |want: &Option<String>, have: &str| want.as_deref().is_none_or(|w| w == have);
        same(&self.workspace, &op.workspace)
            && same(&self.family, &op.family)
            && one_of(&self.tools, &op.tool)
            && same(&self.session, &op.who.session)
            && same(&self.client, &op.who.client)
            && self.target.as_ref().is_none_or(|t| op.targets.contains(t))
            && (self.paths.is_empty() || op.paths.iter().any(|p| self.paths.contains(p)))
            && (self.include_undone || op.status != super::OpStatus::Undone)
    }
}

#[derive(Debug, Clone, Default)]
pub struct LogPage {
    pub ops: Vec<Op>,
    pub has_more: bool,
    /// Where to go on if there is more: the last record that was looked at.
    pub next: Option<u64>,
}

/// Typed reading on top of any view.
impl dyn View + '_ {
    pub fn get<T: DeserializeOwned>(&self, table: Table, key: &Key) -> Result<Option<(T, Row)>> {
        match self.row(table, key)? {
            Some(row) => Ok(Some((row.decode(table, key)?, row))),
            None => Ok(None),
        }
    }
}
