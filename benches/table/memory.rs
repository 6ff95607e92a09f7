//! Resident memory of the two programs.

use serde_json::json;

use crate::client;
use crate::home::{Home, resident};
use crate::measure::{Goal, Plan, Table, mebibytes};
use crate::scale;

const SESSIONS: usize = 100;
const PACKS: u64 = 10_000;

pub fn measure(plan: &Plan, table: &mut Table) {
    let home = Home::new();
    let mut daemon = home.start();
    let (mut shim, piped) = client::piped(&home);
    table.add_alone("resident memory: shim", resident(shim.id()), mebibytes, Goal::AtMost(1.5 * 1024.0));
    drop(piped);
    let _ = shim.wait();
    let what = "resident memory: daemon, idle";
    table.add_alone(what, resident(daemon.pid()), mebibytes, Goal::AtMost(12.0 * 1024.0));

    let packs = if plan.quick { PACKS / 4 } else { PACKS };
    scale::fill(&home, packs);
    let list = client::call(1, "input", &json!({"action": "list", "limit": 20}));
    let mut sessions: Vec<_> = (0..SESSIONS).map(|_| client::direct(&home)).collect();
    for session in &mut sessions {
        session.round(&list);
    }
    let what = format!("resident memory: daemon, {SESSIONS} sessions, {packs} packs");
    table.add_alone(what, resident(daemon.pid()), mebibytes, Goal::AtMost(40.0 * 1024.0));
    daemon.kill();
}
