//! The tools that a session can call, for whoever names a next call: nobody is sent to a tool that is not listed.

use std::collections::BTreeSet;
use std::sync::Arc;

/// Chosen once, when the session opens. The default is everything.
#[derive(Debug, Clone, Default)]
pub struct Offered(Option<Arc<BTreeSet<String>>>);

impl Offered {
    pub fn only(names: impl IntoIterator<Item = String>) -> Offered {
        Offered(Some(Arc::new(names.into_iter().collect())))
    }

    pub fn has(&self, tool: &str) -> bool {
        self.0.as_ref().is_none_or(|names| names.contains(tool))
    }
}
