//! Enters packd into the configuration of MCP hosts, as an operation like any other: seen, undone, redone.
//!
//! Its tools are not declared to agents, who have no business in their host's configuration: only the command line
//! calls them. Pure: texts of files in, texts of files out.

pub mod entry;
mod file;
mod guide;
pub mod hooks;
mod json;
mod mend;
pub mod plugin;
pub mod table;
mod toml;
mod tools;

use crate::core::ctx::ErrorCtx;
use crate::core::restored::Restored;
use crate::core::{AnyTool, Error, Family, Reply, ReservedFile, SessionInfo};

pub struct Hosts;

impl Family for Hosts {
    fn name(&self) -> &'static str {
        "hosts"
    }

    fn of_tree(&self) -> bool {
        true
    }

    fn tools(&self) -> &'static [&'static dyn AnyTool] {
        tools::TOOLS
    }

    fn restored(&self) -> Option<&dyn Restored> {
        Some(&mend::HostFilesBack)
    }

    fn keeps(&self, session: &SessionInfo) -> Vec<ReservedFile> {
        table::files(session)
    }

    fn variables(&self) -> &'static [&'static str] {
        &table::UserDirs::VARIABLES
    }

    fn render_error(&self, error: &Error, _ctx: &ErrorCtx) -> Reply {
        Reply::text(error.to_string()).error()
    }
}
