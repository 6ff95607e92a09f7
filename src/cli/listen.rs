//! Waiting for news instead of asking for it: one request that the daemon answers when something was recorded.
//!
//! A daemon that stops is waited for and never brought back: whoever stopped it meant it.

use std::time::Duration;

use serde_json::Value;

use super::view::render::{Ink, Render};
use super::{Client, CommandFailure, CommandScope, ToolArgs};

/// How often to look whether a daemon is there again. Looking starts none.
const LOOK: Duration = Duration::from_millis(300);

/// From now on nothing is missed: what is recorded after this makes [`wait`] return.
pub fn begin(client: &mut Client) -> Result<(), CommandFailure> {
    client.seen = heard(&client.request("packd/wait", ToolArgs::new())?);
    Ok(())
}

fn heard(answer: &Value) -> u64 {
    answer["seen"].as_u64().unwrap_or(0)
}

/// Returns once there may be something new, with a client that is connected.
pub fn wait(mut client: Client, render: Render, scope: &CommandScope) -> Result<Client, CommandFailure> {
    match client.request("packd/wait", ToolArgs::new().with("seen", client.seen)) {
        Ok(answer) if answer["ending"] != true => {
            client.seen = heard(&answer);
            return Ok(client);
        }
        Ok(_) => {}
        Err(failure) if failure.code == 3 => {}
        Err(failure) => return Err(failure),
    }
    drop(client);
    if !render.json {
        render.line(render.ink(Ink::Yellow, "The daemon has stopped; waiting for it to start again."));
    }
    loop {
        std::thread::sleep(LOOK);
        if let Some(mut client) = Client::if_running(scope)? {
            // Read before anything is printed, so that nothing falls in between.
            begin(&mut client)?;
            return Ok(client);
        }
    }
}
