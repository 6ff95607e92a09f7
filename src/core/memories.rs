//! What is remembered of the outside between calls: file contents by their stamps, rendered pages, parsed files.
//!
//! One of each type, made empty when it is first asked for and gone with the daemon. It only saves looking again.

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

#[derive(Default)]
pub struct Memories(Mutex<HashMap<TypeId, Arc<dyn Any + Send + Sync>>>);

impl Memories {
    pub fn of<T: Default + Send + Sync + 'static>(&self) -> Arc<T> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let one = all.entry(TypeId::of::<T>()).or_insert_with(|| Arc::new(T::default())).clone();
        // Stored under its own type; a new one would only mean looking again.
        one.downcast().unwrap_or_default()
    }
}

impl std::fmt::Debug for Memories {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Memories")
    }
}
