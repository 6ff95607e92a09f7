//! One call: what the daemon adds to a raw echo, and what the shim adds to the daemon. On one core: across two, the
//! way between them is most of it.

use serde_json::json;

use crate::client::{self, Direct};
use crate::echo::Echo;
use crate::home::Home;
use crate::measure::{Goal, Plan, Samples, Table, in_turn, on_one_core, time};

const PING: &str = r#"{"jsonrpc":"2.0","id":7,"method":"ping"}"#;

/// A daemon with one pack, and the call that reads it.
fn with_a_pack(home: &Home) -> String {
    let mut client = client::direct(home);
    let args = json!({"action": "create", "ttl_minutes": 60, "title": "A pack", "brief": "To be read"});
    let id = client::pack_id(&client.call("input", args));
    client::call(7, "input", &json!({"action": "get", "id": id}))
}

/// Several sessions each: where the scheduler puts the two ends decides more than anything else, and only
/// changes from session to session.
pub fn shim(plan: &Plan, table: &mut Table) {
    on_one_core(|| through_shim(plan, table));
}

fn through_shim(plan: &Plan, table: &mut Table) {
    let home = Home::new();
    let _daemon = home.start();
    let get = with_a_pack(&home);
    let (mut through, mut straight) = (Samples::default(), Samples::default());
    for _ in 0..plan.times(12) {
        let (mut child, mut piped) = client::piped(&home);
        let mut direct = client::direct(&home);
        let mut shim = |samples: &mut Samples| samples.run(|| piped.round(&get).len());
        let mut socket = |samples: &mut Samples| samples.run(|| direct.round(&get).len());
        let [one, other] = in_turn(5, 100, [&mut shim, &mut socket]);
        through.join(one);
        straight.join(other);
        drop(piped);
        let _ = child.wait();
    }
    let what = "`input get` through the shim, one core (p50; floor: straight on the socket)";
    table.add(what, through.p50(), straight.p50(), time, Goal::Times(2.0));
    table.add("  the same at p99", through.p99(), straight.p99(), time, Goal::Times(3.0));
}

pub fn ping(plan: &Plan, table: &mut Table) {
    on_one_core(|| {
        let home = Home::new();
        let _daemon = home.start();
        against_echo(plan, table, &home, "ping", PING, 1.5);
    });
}

pub fn get(plan: &Plan, table: &mut Table) {
    on_one_core(|| {
        let home = Home::new();
        let _daemon = home.start();
        let get = with_a_pack(&home);
        against_echo(plan, table, &home, "input get", &get, 2.5);
    });
}

fn against_echo(plan: &Plan, table: &mut Table, home: &Home, name: &str, request: &str, goal: f64) {
    let (mut daemon, mut floor) = (Samples::default(), Samples::default());
    for _ in 0..plan.times(12) {
        let mut direct: Direct = client::direct(home);
        let reply = direct.round(request).to_string();
        let mut echo = Echo::start(home, &reply);
        let mut one = |samples: &mut Samples| samples.run(|| direct.round(request).len());
        let mut other = |samples: &mut Samples| samples.run(|| echo.client.round(request).len());
        let [calls, echoes] = in_turn(5, 100, [&mut one, &mut other]);
        daemon.join(calls);
        floor.join(echoes);
    }
    let what = format!("`{name}` at the daemon, one core (p50; floor: raw echo of the same size)");
    table.add(what, daemon.p50(), floor.p50(), time, Goal::Times(goal));
    table.add("  the same at p10", daemon.quantile(0.1), floor.quantile(0.1), time, Goal::Times(goal));
}
