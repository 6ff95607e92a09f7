//! A hook from its start to its end: what it costs a host that waits for it. The floor is two spawns of /bin/true and one
//! connection to the daemon, asked how it is.

use std::io::Write;
use std::process::Command;

use crate::home::Home;
use crate::measure::{Goal, Plan, Samples, Table, in_turn, time};

fn run(home: &Home, event: &str, said: &str, samples: &mut Samples) {
    samples.time(|| {
        let mut hook = home.shim();
        hook.args(["hook", event, "--host", "claude"]);
        let mut child = hook.spawn().expect("the hook starts");
        child.stdin.take().expect("a pipe").write_all(said.as_bytes()).expect("the hook reads");
        assert!(child.wait().expect("the hook ends").success());
    });
}

/// Twice the spawn of a program that does nothing, and one round trip over the socket.
fn floor(home: &Home, samples: &mut Samples) {
    samples.time(|| {
        for _ in 0..2 {
            assert!(Command::new("/bin/true").status().expect("/bin/true runs").success());
        }
        assert!(home.pid().is_some());
    });
}

pub fn measure(plan: &Plan, table: &mut Table) {
    let home = Home::new();
    let _daemon = home.start();
    let said = |event: &str| {
        format!(
            r#"{{"session_id":"bench","cwd":"{}","hook_event_name":"{event}","source":"","tool_name":"Bash","tool_input":{{"command":"true"}}}}"#,
            home.project().display()
        )
    };
    let (stop, start, tool) = (said("Stop"), said("SessionStart"), said("PreToolUse"));
    let mut stops = |samples: &mut Samples| run(&home, "stop", &stop, samples);
    let mut starts = |samples: &mut Samples| run(&home, "session-start", &start, samples);
    let mut tools = |samples: &mut Samples| {
        run(&home, "pre-tool", &tool, samples);
        // Its window is closed again, untimed.
        run(&home, "post-tool", &tool, &mut Samples::default());
    };
    let mut base = |samples: &mut Samples| floor(&home, samples);
    let [stops, starts, tools, base] =
        in_turn(plan.times(20), 10, [&mut stops, &mut starts, &mut tools, &mut base]);
    let goal = || Goal::Times(1.0);
    let what = "hook at a stop, start to exit (p50; floor: 2 spawns of /bin/true and a socket round trip)";
    table.add(what, stops.p50(), base.p50(), time, goal());
    table.add("  the same at p90", stops.quantile(0.9), base.quantile(0.9), time, goal());
    table.add("hook at a session's start, with what is said there", starts.p50(), base.p50(), time, goal());
    table.add("hook before a tool, with its snapshot", tools.p50(), base.p50(), time, goal());
}
