//! Work on the database that only one program at a time may do: the daemon ends first, and starts again with what is
//! there afterwards. Open editors reconnect by themselves.

use super::CommandFailure;
use super::view::op::OWN_CLIENT;
use crate::core::{Error, Who};
use crate::engine::Clock;
use crate::engine::clock::{RandomIds, SystemClock, operation_id};
use crate::ipc::{Home, start};
use crate::store::{Catalog, NewOp};

/// Editors reconnect at once and start a daemon; after so many lost races it is better to say so.
const TRIES: usize = 20;

/// Ends the daemon and does the work; where somebody was faster, again.
pub fn with<T>(home: &Home, mut work: impl FnMut() -> Result<T, Error>) -> Result<T, CommandFailure> {
    let mut tries = 0;
    loop {
        // A daemon that cannot open its database answers nobody, so there may be none to stop.
        start::stop(home)?;
        tries += 1;
        match work() {
            Err(e) if e.code == "already_running" && tries < TRIES => {}
            done => return done.map_err(failed),
        }
    }
}

/// The tables this packd knows.
pub fn tables() -> Result<Catalog, Error> {
    Ok(crate::daemon::assemble::options(|_| {})?.catalog())
}

/// What is known of an operation that the command line does while no daemon runs.
pub fn operation(workspace: &str, family: &str, tool: &str) -> NewOp {
    let now = SystemClock.now();
    NewOp {
        id: operation_id(now, &RandomIds),
        now,
        workspace: workspace.to_string(),
        family: family.to_string(),
        tool: tool.to_string(),
        who: Who { client: OWN_CLIENT.to_string(), ..Who::default() },
        request: serde_json::Value::Null,
        request_key: None,
        trace: serde_json::Value::Null,
    }
}

pub fn failed(e: Error) -> CommandFailure {
    let code = if e.kind == crate::core::Kind::Invalid { 2 } else { 1 };
    CommandFailure { hint: e.hint, code, ..CommandFailure::refused(e.message) }
}
