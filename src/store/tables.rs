//! The tables of one open write transaction, each opened once however many rows of it are read and written.
//!
//! Opening costs more than writing a row, and one batch writes some twenty rows for each of its calls.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use redb::{ReadableTable, Table, WriteTransaction};

use super::raw::{Raw, RawWrite, Span, definition, storage, walk_table};
use crate::core::Result;

type Open<'t> = Rc<RefCell<Table<'t, &'static [u8], &'static [u8]>>>;

/// Must be dropped before the transaction is committed.
pub struct Tables<'t> {
    txn: &'t WriteTransaction,
    open: RefCell<HashMap<String, Open<'t>>>,
}

impl<'t> Tables<'t> {
    pub(super) fn of(txn: &'t WriteTransaction) -> Self {
        Tables { txn, open: RefCell::default() }
    }

    fn table(&self, name: &str) -> Result<Open<'t>> {
        if let Some(table) = self.open.borrow().get(name) {
            return Ok(Rc::clone(table));
        }
        let table = Rc::new(RefCell::new(self.txn.open_table(definition(name)).map_err(storage)?));
        self.open.borrow_mut().insert(name.to_string(), Rc::clone(&table));
        Ok(table)
    }
}

// Readers borrow a table shared and may nest; writers borrow it alone and call nobody meanwhile.
impl Raw for Tables<'_> {
    fn get(&self, table: &str, key: &[u8]) -> Result<Option<Vec<u8>>> {
        let table = self.table(table)?;
        let table = table.borrow();
        let value = table.get(key).map_err(storage)?;
        Ok(value.map(|v| v.value().to_vec()))
    }

    fn has(&self, table: &str, key: &[u8]) -> Result<bool> {
        let table = self.table(table)?;
        let table = table.borrow();
        Ok(table.get(key).map_err(storage)?.is_some())
    }

    fn walk(&self, table: &str, span: &Span, each: &mut dyn FnMut(&[u8], &[u8]) -> bool) -> Result<()> {
        let table = self.table(table)?;
        walk_table(&*table.borrow(), span, each)
    }
}

impl RawWrite for Tables<'_> {
    fn put(&self, table: &str, key: &[u8], value: &[u8]) -> Result<()> {
        self.table(table)?.borrow_mut().insert(key, value).map_err(storage)?;
        Ok(())
    }

    fn remove(&self, table: &str, key: &[u8]) -> Result<()> {
        self.table(table)?.borrow_mut().remove(key).map_err(storage)?;
        Ok(())
    }
}
