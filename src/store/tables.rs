//! The tables of one open write transaction of redb, each opened once however many rows of it are read and written.
//!
//! Opening costs more than writing a row. Used where a database is filled: by a checkpoint, a stamp and a repair.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use redb::{ReadableTable, Table, WriteTransaction};

use super::raw::{Raw, RawWrite, Span, definition, in_table, sound, walk_table};
use crate::core::Result;

type Open<'t> = Rc<RefCell<Table<'t, &'static [u8], &'static [u8]>>>;

/// Must be dropped before the transaction is committed; after an error it must not be.
pub(super) struct Tables<'t> {
    txn: &'t WriteTransaction,
    open: RefCell<HashMap<String, Open<'t>>>,
}

impl<'t> Tables<'t> {
    pub fn of(txn: &'t WriteTransaction) -> Self {
        Tables { txn, open: RefCell::default() }
    }

    fn table(&self, name: &str) -> Result<Open<'t>> {
        if let Some(table) = self.open.borrow().get(name) {
            return Ok(Rc::clone(table));
        }
        let opened = sound(name, || self.txn.open_table(definition(name)).map_err(|e| in_table(name, e)))?;
        let table = Rc::new(RefCell::new(opened));
        self.open.borrow_mut().insert(name.to_string(), Rc::clone(&table));
        Ok(table)
    }
}

impl Tables<'_> {
    /// Puts many entries of one table, in its order, and removes those without a value.
    pub fn fill<'e>(
        &self,
        name: &str,
        entries: impl Iterator<Item = (&'e [u8], Option<&'e [u8]>)>,
    ) -> Result<()> {
        let table = self.table(name)?;
        let mut table = table.borrow_mut();
        sound(name, || {
            for (key, value) in entries {
                match value {
                    Some(value) => table.insert(key, value).map(drop),
                    None => table.remove(key).map(drop),
                }
                .map_err(|e| in_table(name, e))?;
            }
            Ok(())
        })
    }
}

// Readers borrow a table shared and may nest; writers borrow it alone and call nobody meanwhile.
impl Raw for Tables<'_> {
    fn get(&self, name: &str, key: &[u8]) -> Result<Option<Vec<u8>>> {
        let table = self.table(name)?;
        let table = table.borrow();
        sound(name, || {
            let value = table.get(key).map_err(|e| in_table(name, e))?;
            Ok(value.map(|v| v.value().to_vec()))
        })
    }

    fn has(&self, name: &str, key: &[u8]) -> Result<bool> {
        let table = self.table(name)?;
        let table = table.borrow();
        sound(name, || Ok(table.get(key).map_err(|e| in_table(name, e))?.is_some()))
    }

    fn walk(&self, name: &str, span: &Span, each: &mut dyn FnMut(&[u8], &[u8]) -> bool) -> Result<()> {
        let table = self.table(name)?;
        walk_table(name, &*table.borrow(), span, each)
    }
}

impl RawWrite for Tables<'_> {
    fn put(&self, name: &str, key: &[u8], value: &[u8]) -> Result<()> {
        let table = self.table(name)?;
        let mut table = table.borrow_mut();
        sound(name, || table.insert(key, value).map(drop).map_err(|e| in_table(name, e)))
    }

    fn remove(&self, name: &str, key: &[u8]) -> Result<()> {
        let table = self.table(name)?;
        let mut table = table.borrow_mut();
        sound(name, || table.remove(key).map(drop).map_err(|e| in_table(name, e)))
    }
}
