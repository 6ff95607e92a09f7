//! Opens what the real daemon serves: the store, the engine over it, and MCP over that.

use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;

use super::config::{self, Config, Confirmer};
use super::ending::{Ender, StartError};
use crate::core::Error;
use crate::engine::{Engine, Orphans, Supervisor};
use crate::ipc::Home;
use crate::mcp::Server;
use crate::mcp::service::Service;
use crate::page::Page;
use crate::store::Store;

/// Takes the database lock, so only one process of this home gets past it.
pub fn open(home: &Home, config: &Config, ender: &Ender) -> Result<Rc<dyn Service>, StartError> {
    let fatal = ender.clone();
    let mut options = super::assemble::options(move |e| fatal.fail(e.to_string())).map_err(failed)?;
    options.max_mode = config.max_mode;
    options.human_confirms = config.confirm == Confirmer::Human;
    options.home = Some(home.dir().to_path_buf());
    options.passphrase = Arc::new(super::passphrase::KeptPassphrase::new(home));
    options.scratch = Some(home.dir().join("scratch"));
    options.trash = Some(home.trash());
    options.retention.days = config.retention.days;
    options.retention.megabytes = config.retention.megabytes;
    let snapshots = &config.snapshots;
    options.snapshots.automatic = snapshots.automatic;
    options.snapshots.megabytes = snapshots.megabytes;
    options.snapshots.days = snapshots.days;
    if let Some(exclude) = &snapshots.exclude {
        options.snapshots.exclude = crate::core::snapshot::Patterns::new(exclude.clone());
    }
    options.orphans = match config.runs.orphans {
        config::OrphanFate::Adopt => Orphans::Adopt,
        config::OrphanFate::End => Orphans::End,
    };
    options.supervisor = shim().map(|program| Supervisor { program, dir: home.dir().join("runs") });
    let store = Store::open(&home.database(), options.catalog()).map_err(failed)?;
    let engine = Arc::new(Engine::start(store, options).map_err(failed)?);
    super::timers::start(&engine);
    let page = Page::new(Arc::clone(&engine), home.dir().to_path_buf());
    Ok(Rc::new(Server::new(engine, home.dir().to_string_lossy()).with_page(page)))
}

/// The shim's program, which is also the supervisor: beside this one, wherever that is installed.
fn shim() -> Option<PathBuf> {
    Some(std::env::current_exe().ok()?.parent()?.join("packd-mcp"))
}

fn failed(e: Error) -> StartError {
    match e.code.as_str() {
        "already_running" => StartError::AlreadyRunning,
        _ => StartError::Failed {
            hint: e.hint.unwrap_or_else(|| "Run `packd doctor` to learn more.".into()),
            message: e.message,
        },
    }
}
