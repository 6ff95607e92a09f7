//! What comes back, fitted to the present: what a family says about its rows and files when an operation of its own is
//! taken back, done again or reverted.

use std::path::Path;

use super::{Draft, OpKind, Result, Timestamp};

pub trait Restored: Send + Sync {
    /// Brings what follows from other fields up to date in a row that was put together from what is taken back and what
    /// others did since.
    fn resettle(&self, _table: &str, value: Vec<u8>) -> Result<Vec<u8>> {
        Ok(value)
    }

    /// Adjusts what comes back to the present (an expired pack gets time to live).
    fn revive(&self, _table: &str, value: Vec<u8>, _now: Timestamp) -> Result<Vec<u8>> {
        Ok(value)
    }

    /// Last word before rows come back: refuses what would break an invariant (say, a name that somebody else has taken
    /// since).
    fn check(&self, _kind: &OpKind, _draft: &Draft, _now: Timestamp) -> Result<()> {
        Ok(())
    }

    /// A file that is about to be written, but that somebody changed since: what it should hold now, with `wanted` as it
    /// would have been written and `was` as the operation left it, where that is still known. `None` = it is left
    /// alone, and the undo refused.
    fn mend(
        &self,
        _path: &Path,
        _current: &str,
        _was: Option<&str>,
        _wanted: Option<&str>,
    ) -> Option<String> {
        None
    }
}
