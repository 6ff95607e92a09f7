//! Opens what the real daemon serves: the store, the engine over it, and MCP over that.

use std::rc::Rc;
use std::sync::Arc;

use super::config::{Config, Confirm};
use super::service::{Ender, Service, StartError};
use crate::core::Error;
use crate::engine::{Engine, Options};
use crate::ipc::Home;
use crate::mcp::Server;
use crate::store::Store;

/// Takes the database lock, so only one process of this home gets past it.
pub fn open(home: &Home, config: &Config, ender: &Ender) -> Result<Rc<dyn Service>, StartError> {
    let fatal = ender.clone();
    let mut options = Options::real(move |e| fatal.fail(e.to_string())).map_err(failed)?;
    options.max_mode = config.max_mode;
    options.human_confirms = config.confirm == Confirm::Human;
    options.scratch = Some(home.dir().join("scratch"));
    options.retention.days = config.retention.days;
    options.retention.megabytes = config.retention.megabytes;
    let store = Store::open(&home.database(), options.catalog()).map_err(failed)?;
    let engine = Arc::new(Engine::start(store, options).map_err(failed)?);
    super::timers::start(&engine);
    Ok(Rc::new(Server::new(engine, home.dir().to_string_lossy())))
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
