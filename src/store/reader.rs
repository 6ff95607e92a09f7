//! The store as a [`View`]: one implementation for snapshots and for the open write transaction.

use super::found::{self, By};
use super::layout::{self, Stack};
use super::numbers::Numbers;
use super::raw::{Raw, Span, decode_number};
use super::{Catalog, older};
use crate::core::findable::{WordPage, WordQuery};
use crate::core::op::Stream;
use crate::core::view::{LogPage, LogQuery, LogView};
use crate::core::{
    Index, IndexEntry, IndexQuery, Key, Op, Result, Row, RowChange, RowQuery, Sha, Table, TableShape, View,
    row,
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

    fn words(&self, query: &WordQuery) -> Result<WordPage> {
        super::search::search(self.raw, query)
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

    fn shape(&self, table: Table) -> TableShape {
        self.catalog.shape(table)
    }
}

impl<R: Raw> Reader<'_, R> {
    /// The numbers of all records of a stream that stand below one thing, oldest first.
    fn found(&self, by: By, what: &Key, stream: Stream) -> Result<Vec<u64>> {
        let mut prefix = found::prefix(by, what);
        prefix.push(stream as u8);
        let all = self.raw.collect(layout::FOUND, &Span::prefix(&prefix))?;
        Ok(all.iter().map(|(key, _)| decode_number(&key[prefix.len()..])).collect())
    }

    /// The top of a stack.
    fn newest(&self, workspace: &str, family: Option<&str>, stack: Stack) -> Result<Option<Op>> {
        let prefix = layout::history_key(workspace, family.unwrap_or(""), stack);
        let span = Span::prefix(prefix.as_bytes()).reverse(true).limit(1);
        match self.raw.collect(layout::HISTORY, &span)?.first() {
            Some((_, seq)) => self.op_at(Stream::Ops, decode_number(seq)),
            None => Ok(None),
        }
    }

    /// A record as it was written.
    pub(super) fn recorded(&self, stream: Stream, seq: u64) -> Result<Option<Op>> {
        match self.raw.get(layout::LOG, &layout::log_key(stream, seq))? {
            Some(bytes) => layout::decode_op(stream, seq, &bytes).map(Some),
            None => older::op(self.raw, stream, seq),
        }
    }

    /// Says of a record what became of it since.
    fn standing(&self, mut op: Op) -> Result<Op> {
        let Some(bytes) = self.raw.get(layout::STANDING, &layout::log_key(op.stream, op.seq))? else {
            return Ok(op);
        };
        let standing: layout::OpStanding =
            row::decode(&bytes).map_err(|e| layout::unreadable(op.stream, op.seq, &e))?;
        op.status = standing.status;
        if let Some(note) = &standing.note {
            super::apply::set_note(&mut op.data, note);
        }
        Ok(op)
    }

    /// Operations that a crash left half-way.
    pub fn pending(&self) -> Result<Vec<Op>> {
        let seqs = self.raw.collect(layout::PENDING, &Span::prefix(&[]))?;
        let ops = seqs.iter().map(|(seq, _)| self.op_at(Stream::Ops, decode_number(seq)));
        Ok(ops.collect::<Result<Vec<_>>>()?.into_iter().flatten().collect())
    }

    /// Does a record that fits otherwise touch the wanted row and field? What is no longer kept is believed.
    fn touches(&self, query: &LogQuery, op: &Op) -> Result<bool> {
        if query.row.is_none() && query.field.is_none() {
            return Ok(true);
        }
        let Some(changes) = self.changes(op)? else { return Ok(true) };
        let row = |change: &RowChange| {
            query.row.as_ref().is_none_or(|(table, key)| change.table == table.0 && change.key == *key)
        };
        let field = |change: &RowChange| {
            let shape = self.catalog.shape_named(&change.table);
            query.field.as_ref().is_none_or(|path| change.touches(&shape, path))
        };
        Ok(changes.iter().any(|change| row(change) && field(change)))
    }
}

impl<R: Raw> LogView for Reader<'_, R> {
    fn op(&self, id: &str) -> Result<Option<Op>> {
        for stream in [Stream::Ops, Stream::Audit] {
            for seq in self.found(By::Id, &Key::of(id), stream)? {
                let op = self.op_at(stream, seq)?;
                if let Some(op) = op.filter(|op| op.id == id || op.aliases.iter().any(|alias| alias == id)) {
                    return Ok(Some(op));
                }
            }
            if let Some(seq) = older::by_id(self.raw, stream, id)? {
                return self.op_at(stream, seq);
            }
        }
        Ok(None)
    }

    fn op_at(&self, stream: Stream, seq: u64) -> Result<Option<Op>> {
        self.recorded(stream, seq)?.map(|op| self.standing(op)).transpose()
    }

    fn op_by_request(&self, request_key: &str) -> Result<Option<Op>> {
        // The newest first: a host may use an id again.
        for seq in self.found(By::Request, &Key::of(request_key), Stream::Ops)?.into_iter().rev() {
            let op = self.op_at(Stream::Ops, seq)?;
            if let Some(op) = op.filter(|op| op.request_key.as_deref() == Some(request_key)) {
                return Ok(Some(op));
            }
        }
        match older::by_request(self.raw, request_key)? {
            Some(seq) => self.op_at(Stream::Ops, seq),
            None => Ok(None),
        }
    }

    fn ops(&self, query: &LogQuery) -> Result<LogPage> {
        let mut numbers = Numbers::of(self.raw, query)?;
        let mut page = LogPage::default();
        let mut looked = 0;
        while let Some(seq) = numbers.next(self.raw)? {
            if query.step.is_some_and(|step| looked >= step) {
                page.has_more = true;
                break;
            }
            looked += 1;
            let op = self.op_at(query.stream, seq)?.filter(|op| query.wants(op));
            if let Some(op) = op
                && self.touches(query, &op)?
            {
                if page.ops.len() == query.limit {
                    page.has_more = true;
                    break;
                }
                page.ops.push(op);
            }
            page.next = Some(seq);
        }
        Ok(page)
    }

    fn changes(&self, op: &Op) -> Result<Option<Vec<RowChange>>> {
        if op.stream == Stream::Audit {
            return Ok(Some(Vec::new()));
        }
        match self.raw.get(layout::LOG, &layout::log_key(op.stream, op.seq))? {
            Some(bytes) => layout::decode_changes(op.stream, op.seq, &bytes),
            None => older::changes(self.raw, self.catalog, op),
        }
    }

    fn image_from(&self, table: Table, key: &Key, seq: u64) -> Result<Option<(u64, Row)>> {
        let of_row = Key::of(table.0).join(key);
        let span =
            Span::prefix(of_row.as_bytes()).from(of_row.clone().number(seq).as_bytes().to_vec()).limit(1);
        // Another row's key may begin with this one's.
        let own = |found: &[u8]| found.len() == of_row.as_bytes().len() + 8;
        let found = self.raw.collect(layout::IMAGES, &span)?;
        let Some((at, bytes)) = found.first().filter(|(at, _)| own(at)) else { return Ok(None) };
        let image = layout::decode_row(bytes).map_err(|e| row::unreadable(table, key, &e))?;
        Ok(Some((decode_number(&at[at.len() - 8..]), image)))
    }

    fn newest_live(&self, workspace: &str, family: Option<&str>) -> Result<Option<Op>> {
        self.newest(workspace, family, Stack::Live)
    }

    fn newest_undone(&self, workspace: &str, family: Option<&str>) -> Result<Option<Op>> {
        self.newest(workspace, family, Stack::Redo)
    }

    fn head(&self, stream: Stream) -> Result<u64> {
        let span = Span::prefix(&[stream as u8]).reverse(true).limit(1);
        let last = self.raw.collect(layout::LOG, &span)?;
        match last.first().and_then(|(key, _)| layout::decode_log_key(key)) {
            Some((_, seq)) => Ok(seq),
            None => older::head(self.raw, stream),
        }
    }
}
