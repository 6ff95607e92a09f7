//! What else the daemon can open for the command line, asked for on the same socket: the local page.
//!
//! MCP only passes the question on; what is opened, and for whom, is decided there.

use std::rc::Rc;
use std::sync::Arc;

use serde_json::Value;

use super::service::Local;
use crate::core::Result;
use crate::engine::Session;

/// The method that asks for it.
pub const METHOD: &str = "packd/ui";

pub trait LocalPage {
    /// Opens it, or tells how to get to what is open already.
    fn open(self: Rc<Self>, from: Arc<Session>, params: Value) -> Local<Result<Value>>;

    /// True while somebody may come: the daemon then does not end as idle.
    fn is_open(&self) -> bool;

    /// Ends everything that is served there.
    fn close(&self) -> Local<()>;
}
