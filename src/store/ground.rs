//! One snapshot of the database as the last checkpoint left it, shared by everybody who reads until the next one.
//!
//! Each table is opened once: that costs more than reading a row. A failure after which redb must be opened again is
//! noted for whoever does that.

use std::collections::{BTreeSet, HashMap};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use redb::{ReadOnlyTable, ReadTransaction, TableError, TableHandle};

use super::raw::{Raw, Span, definition, in_table, is_fatal, sound, storage, walk_table};
use crate::core::Result;

type Table = Arc<ReadOnlyTable<&'static [u8], &'static [u8]>>;

pub(super) struct Ground {
    txn: ReadTransaction,
    /// A table that is not there is remembered, too: a snapshot never changes.
    open: RwLock<HashMap<String, Option<Table>>>,
    suspect: Arc<AtomicBool>,
}

impl Ground {
    pub fn of(txn: ReadTransaction, suspect: Arc<AtomicBool>) -> Ground {
        Ground { txn, open: RwLock::default(), suspect }
    }

    pub fn table_names(&self) -> Result<BTreeSet<String>> {
        let names = self.txn.list_tables().map_err(storage);
        Ok(self.noted(names)?.map(|table| table.name().to_string()).collect())
    }

    fn table(&self, name: &str) -> Result<Option<Table>> {
        if let Some(known) = self.open.read().unwrap_or_else(PoisonError::into_inner).get(name) {
            return Ok(known.clone());
        }
        let opened = sound(name, || match self.txn.open_table(definition(name)) {
            Ok(table) => Ok(Some(Arc::new(table))),
            Err(TableError::TableDoesNotExist(_)) => Ok(None),
            Err(e) => Err(in_table(name, e)),
        })?;
        self.open.write().unwrap_or_else(PoisonError::into_inner).insert(name.to_string(), opened.clone());
        Ok(opened)
    }

    fn noted<T>(&self, result: Result<T>) -> Result<T> {
        if let Err(e) = &result
            && is_fatal(e)
        {
            self.suspect.store(true, Ordering::Release);
        }
        result
    }
}

impl Raw for Ground {
    fn get(&self, name: &str, key: &[u8]) -> Result<Option<Vec<u8>>> {
        let Some(table) = self.noted(self.table(name))? else { return Ok(None) };
        self.noted(sound(name, || {
            Ok(table.get(key).map_err(|e| in_table(name, e))?.map(|value| value.value().to_vec()))
        }))
    }

    fn has(&self, name: &str, key: &[u8]) -> Result<bool> {
        let Some(table) = self.noted(self.table(name))? else { return Ok(false) };
        self.noted(sound(name, || Ok(table.get(key).map_err(|e| in_table(name, e))?.is_some())))
    }

    fn walk(&self, name: &str, span: &Span, each: &mut dyn FnMut(&[u8], &[u8]) -> bool) -> Result<()> {
        match self.noted(self.table(name))? {
            Some(table) => self.noted(walk_table(name, &*table, span, each)),
            None => Ok(()),
        }
    }
}
