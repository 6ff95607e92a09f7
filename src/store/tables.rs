//! The tables of one open write transaction, each opened once however many rows of it are read and written.
//!
//! Opening costs more than writing a row, and one batch writes some twenty rows for each of its calls.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

use redb::{ReadableTable, Table, WriteTransaction};

use super::raw::{Raw, RawWrite, Span, definition, in_table, is_fatal, sound, walk_table};
use crate::core::{Error, Result};

type Open<'t> = Rc<RefCell<Table<'t, &'static [u8], &'static [u8]>>>;

/// Must be dropped before the transaction is committed.
pub struct Tables<'t> {
    txn: &'t WriteTransaction,
    open: RefCell<HashMap<String, Open<'t>>>,
    failed: Cell<Option<Error>>,
    witness: RefCell<Option<Witness>>,
}

/// The first entry that a transaction changed and what was there before: after a commit that failed it tells
/// whether the transaction is in the file, since all of it is or none.
pub(super) struct Witness {
    pub table: String,
    pub key: Vec<u8>,
    pub before: Option<Vec<u8>>,
}

impl<'t> Tables<'t> {
    pub(super) fn of(txn: &'t WriteTransaction) -> Self {
        Tables { txn, open: RefCell::default(), failed: Cell::default(), witness: RefCell::default() }
    }

    fn table(&self, name: &str) -> Result<Open<'t>> {
        if let Some(table) = self.open.borrow().get(name) {
            return Ok(Rc::clone(table));
        }
        let opened = sound(name, || self.txn.open_table(definition(name)).map_err(|e| in_table(name, e)));
        let table = Rc::new(RefCell::new(self.noted(opened)?));
        self.open.borrow_mut().insert(name.to_string(), Rc::clone(&table));
        Ok(table)
    }

    fn noted<T>(&self, result: Result<T>) -> Result<T> {
        if let Err(e) = &result
            && is_fatal(e)
        {
            self.failed.set(Some(e.clone()));
        }
        result
    }

    /// A write that failed may have left half of a change: the transaction must not be committed.
    fn written(&self, result: Result<()>) -> Result<()> {
        if let Err(e) = &result {
            self.failed.set(Some(e.clone()));
        }
        result
    }

    /// Why nothing of this transaction may be stored, if something failed in it, and its witness.
    pub(super) fn end(self) -> (Option<Error>, Option<Witness>) {
        (self.failed.take(), self.witness.take())
    }

    fn changed(&self, table: &str, key: &[u8], before: Option<&[u8]>) {
        let mut witness = self.witness.borrow_mut();
        if witness.is_none() {
            let before = before.map(<[u8]>::to_vec);
            *witness = Some(Witness { table: table.to_string(), key: key.to_vec(), before });
        }
    }
}

// Readers borrow a table shared and may nest; writers borrow it alone and call nobody meanwhile.
impl Raw for Tables<'_> {
    fn get(&self, name: &str, key: &[u8]) -> Result<Option<Vec<u8>>> {
        let table = self.table(name)?;
        let table = table.borrow();
        self.noted(sound(name, || {
            let value = table.get(key).map_err(|e| in_table(name, e))?;
            Ok(value.map(|v| v.value().to_vec()))
        }))
    }

    fn has(&self, name: &str, key: &[u8]) -> Result<bool> {
        let table = self.table(name)?;
        let table = table.borrow();
        self.noted(sound(name, || Ok(table.get(key).map_err(|e| in_table(name, e))?.is_some())))
    }

    fn walk(&self, name: &str, span: &Span, each: &mut dyn FnMut(&[u8], &[u8]) -> bool) -> Result<()> {
        let table = self.table(name)?;
        self.noted(walk_table(name, &*table.borrow(), span, each))
    }
}

impl RawWrite for Tables<'_> {
    fn put(&self, name: &str, key: &[u8], value: &[u8]) -> Result<()> {
        let table = self.table(name)?;
        let mut table = table.borrow_mut();
        self.written(sound(name, || {
            let before = table.insert(key, value).map_err(|e| in_table(name, e))?;
            let before = before.as_ref().map(redb::AccessGuard::value);
            if before != Some(value) {
                self.changed(name, key, before);
            }
            Ok(())
        }))
    }

    fn remove(&self, name: &str, key: &[u8]) -> Result<()> {
        let table = self.table(name)?;
        let mut table = table.borrow_mut();
        self.written(sound(name, || {
            let before = table.remove(key).map_err(|e| in_table(name, e))?;
            if let Some(before) = &before {
                self.changed(name, key, Some(before.value()));
            }
            Ok(())
        }))
    }
}
