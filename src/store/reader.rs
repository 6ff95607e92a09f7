//! The store as a [`View`]: one implementation for snapshots and for the open write transaction.

use super::Catalog;
use super::layout::{self, Stack, log_tables};
use super::raw::{Raw, Span, decode_number};
use crate::core::op::Stream;
use crate::core::view::{LogPage, LogQuery, LogView};
use crate::core::{
    Change, Error, Index, IndexEntry, IndexQuery, Key, Op, Result, Row, RowQuery, Sha, Table, View, row,
};

pub struct Reader<'a, R> {
    pub(super) raw: &'a R,
    pub(super) catalog: &'a Catalog,
}

impl<R: Raw> View for Reader<'_, R> {
    fn row(&self, table: Table, key: &Key) -> Result<Option<Row>> {
        match self.raw.get(table.0, key.as_bytes())? {
            Some(bytes) => layout::decode_row(&bytes).map(Some).map_err(|e| row::unreadable(table, key, &e)),
            None => Ok(None),
        }
    }

    fn rows(&self, query: &RowQuery) -> Result<Vec<(Key, Row)>> {
        let mut span = Span::prefix(query.prefix.as_bytes()).reverse(query.reverse).limit(query.limit);
        if let Some(from) = &query.from {
            span = span.from(from.as_bytes().to_vec());
        }
        let found = self.raw.collect(query.table.0, &span)?.into_iter().map(|(k, v)| {
            let key = Key::from_bytes(&k);
            let row = layout::decode_row(&v).map_err(|e| row::unreadable(query.table, &key, &e))?;
            Ok((key, row))
        });
        found.collect()
    }

    fn index(&self, query: &IndexQuery) -> Result<Vec<IndexEntry>> {
        let prefix = layout::group_key(query.index, &query.group);
        let mut span = Span::prefix(prefix.as_bytes()).reverse(query.reverse).limit(query.limit);
        if let Some(from) = &query.from {
            span = span.from(prefix.clone().join(from).as_bytes().to_vec());
        }
        let found = self.raw.collect(layout::INDEX, &span)?.into_iter().map(|(k, value)| IndexEntry {
            index: query.index,
            group: query.group.clone(),
            sort: Key::from_bytes(&k[prefix.as_bytes().len()..]),
            value,
        });
        Ok(found.collect())
    }

    fn count(&self, index: Index, group: &Key) -> Result<u64> {
        self.raw.number(layout::COUNTS, layout::group_key(index, group).as_bytes())
    }

    fn blob(&self, sha: &Sha) -> Result<Option<Vec<u8>>> {
        super::blobs::get(self.raw, sha)
    }

    fn has_blob(&self, sha: &Sha) -> Result<bool> {
        self.raw.has(layout::BLOBS, sha.as_str().as_bytes())
    }

    fn counter(&self, name: &str) -> Result<u64> {
        self.raw.number(layout::COUNTERS, name.as_bytes())
    }

    fn entries_of(&self, table: Table, key: &Key, row: &Row) -> Vec<IndexEntry> {
        self.catalog.entries_of(table, key, row)
    }

    fn grave(&self, table: Table, key: &Key) -> Result<Option<(u64, u64)>> {
        let at = Key::of(table.0).join(key);
        Ok(self.raw.get(layout::GRAVES, at.as_bytes())?.and_then(|b| layout::decode_grave(&b)))
    }

    fn log(&self) -> &dyn LogView {
        self
    }

    fn table(&self, name: &str) -> Result<Table> {
        self.catalog.table(name)
    }
}

impl<R: Raw> Reader<'_, R> {
    /// The top of a stack.
    fn newest(&self, workspace: &str, family: Option<&str>, stack: Stack) -> Result<Option<Op>> {
        let prefix = layout::history_key(workspace, family.unwrap_or(""), stack);
        let span = Span::prefix(prefix.as_bytes()).reverse(true).limit(1);
        match self.raw.collect(layout::HISTORY, &span)?.first() {
            Some((_, seq)) => self.op_at(Stream::Ops, decode_number(seq)),
            None => Ok(None),
        }
    }

    /// The images of the operation (never of an audit record) with this number.
    pub(super) fn images_at(&self, seq: u64) -> Result<Option<Vec<Change>>> {
        match self.raw.get(layout::IMAGES, &seq.to_be_bytes())? {
            Some(bytes) => row::decode(&bytes).map(Some).map_err(|e| {
                Error::io(format!("The images of operation {seq} cannot be read: {e}."))
                    .hint("Run `packd doctor`.")
            }),
            None => Ok(None),
        }
    }

    /// Operations that a crash left half-way.
    pub fn pending(&self) -> Result<Vec<Op>> {
        let seqs = self.raw.collect(layout::PENDING, &Span::prefix(&[]))?;
        let ops = seqs.iter().map(|(seq, _)| self.op_at(Stream::Ops, decode_number(seq)));
        Ok(ops.collect::<Result<Vec<_>>>()?.into_iter().flatten().collect())
    }

    /// The narrowest list of sequence numbers that contains every record the query wants.
    fn log_list(&self, query: &LogQuery) -> (&'static str, Key) {
        let tables = log_tables(query.stream);
        match (&query.workspace, &query.target) {
            (Some(ws), Some(target)) => (tables.by_target, Key::of(ws).text(target)),
            (Some(ws), None) => (tables.by_scope, Key::of(ws).text(query.family.as_deref().unwrap_or(""))),
            (None, _) => (tables.records, Key::empty()),
        }
    }
}

impl<R: Raw> LogView for Reader<'_, R> {
    fn op(&self, id: &str) -> Result<Option<Op>> {
        for stream in [Stream::Ops, Stream::Audit] {
            if let Some(seq) = self.raw.get(log_tables(stream).by_id, id.as_bytes())? {
                return self.op_at(stream, decode_number(&seq));
            }
        }
        Ok(None)
    }

    fn op_at(&self, stream: Stream, seq: u64) -> Result<Option<Op>> {
        match self.raw.get(log_tables(stream).records, &seq.to_be_bytes())? {
            Some(bytes) => layout::decode_op(stream, seq, &bytes).map(Some),
            None => Ok(None),
        }
    }

    fn op_by_request(&self, request_key: &str) -> Result<Option<Op>> {
        match self.raw.get(layout::BY_REQUEST, request_key.as_bytes())? {
            Some(seq) => self.op_at(Stream::Ops, decode_number(&seq)),
            None => Ok(None),
        }
    }

    fn ops(&self, query: &LogQuery) -> Result<LogPage> {
        let (table, prefix) = self.log_list(query);
        let at = |seq: u64| prefix.clone().number(seq).as_bytes().to_vec();
        let mut span = Span::prefix(prefix.as_bytes()).reverse(query.newest_first);
        if let Some(after) = query.after {
            span.start = std::ops::Bound::Included(at(after.saturating_add(1)));
        }
        if let Some(before) = query.before {
            span.end = std::ops::Bound::Excluded(at(before));
        }
        let mut page = LogPage::default();
        let mut failed = None;
        let mut looked = 0;
        let whole = table == log_tables(query.stream).records;
        self.raw.walk(table, &span, &mut |k, v| {
            let seq = decode_number(&k[k.len() - 8..]);
            if query.step.is_some_and(|step| looked >= step) {
                page.has_more = true;
                return false;
            }
            looked += 1;
            // A write transaction cannot open a table twice, so the records table is decoded in place.
            let record = if whole {
                layout::decode_op(query.stream, seq, v).map(Some)
            } else {
                self.op_at(query.stream, seq)
            };
            match record {
                Ok(Some(op)) if query.wants(&op) => {
                    if page.ops.len() == query.limit {
                        page.has_more = true;
                        return false;
                    }
                    page.ops.push(op);
                    page.next = Some(seq);
                }
                Ok(_) => page.next = Some(seq),
                Err(e) => {
                    failed = Some(e);
                    return false;
                }
            }
            true
        })?;
        failed.map_or(Ok(page), Err)
    }

    fn images(&self, op: &Op) -> Result<Option<Vec<Change>>> {
        match op.stream {
            Stream::Ops => self.images_at(op.seq),
            Stream::Audit => Ok(Some(Vec::new())),
        }
    }

    fn newest_live(&self, workspace: &str, family: Option<&str>) -> Result<Option<Op>> {
        self.newest(workspace, family, Stack::Live)
    }

    fn newest_undone(&self, workspace: &str, family: Option<&str>) -> Result<Option<Op>> {
        self.newest(workspace, family, Stack::Redo)
    }

    fn head(&self, stream: Stream) -> Result<u64> {
        let span = Span::prefix(&[]).reverse(true).limit(1);
        let last = self.raw.collect(log_tables(stream).records, &span)?;
        Ok(last.first().map_or(0, |(k, _)| decode_number(k)))
    }
}
