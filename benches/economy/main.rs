//! `cargo bench --bench economy`: what the jobs of an agent cost it, in calls and in bytes of replies, with the real
//! programs through the real shim. Nothing is timed; the figures are the same on every machine but for the length of
//! its paths. Ends with failure where a budget is not kept, as the test does that runs the same script.

#![allow(clippy::disallowed_methods, reason = "tests and measurements are outside")]

#[allow(dead_code, reason = "the other bench uses the rest")]
#[path = "../table/client.rs"]
mod client;
#[allow(dead_code, reason = "the other bench uses the rest")]
#[path = "../table/home.rs"]
mod home;
mod jobs;

use std::path::PathBuf;
use std::process::{Child, ExitCode};

use client::Piped;
use home::Home;
use jobs::{BUDGETS, JOBS, MOST_BYTES, MOST_CALLS, Place, Session};
use serde_json::Value;

impl Place for Home {
    fn home(&self) -> PathBuf {
        self.scratch().to_path_buf()
    }

    fn project(&self) -> PathBuf {
        Home::project(self)
    }

    fn session(&self, flags: &[&str]) -> Box<dyn Session> {
        let mut shim = self.shim();
        let path = std::env::var_os("PATH").unwrap_or_default();
        // Only what a host gives its servers: nothing of this user's own.
        shim.env_clear().env("PATH", path).env("HOME", self.home()).env("PACKD_HOME", self.ipc().dir());
        let (child, client) = client::piped_to(shim.args(flags));
        Box::new(Through { child, client })
    }
}

struct Through {
    child: Child,
    client: Piped,
}

impl Session for Through {
    fn call(&mut self, tool: &str, args: Value) -> Value {
        let reply: Value =
            serde_json::from_str(self.client.round(&client::call(1, tool, &args))).expect("JSON");
        reply["result"].clone()
    }
}

impl Drop for Through {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn main() -> ExitCode {
    let (mut calls, mut bytes, mut kept) = (0, 0, true);
    println!("| job | calls | bytes |\n| --- | ---: | ---: |");
    for job in &JOBS {
        let spent = jobs::run(job, &Home::new());
        println!("| {} | {} | {} |", job.name, spent.calls, spent.bytes);
        calls += spent.calls;
        bytes += spent.bytes;
    }
    kept &= calls <= MOST_CALLS && bytes <= MOST_BYTES;
    println!("| all, at most {MOST_CALLS} calls and {MOST_BYTES} bytes | {calls} | {bytes} |\n");
    println!("| reply | bytes | at most |\n| --- | ---: | ---: |");
    for budget in &BUDGETS {
        let spent = jobs::spent(budget, &Home::new());
        kept &= spent <= budget.most;
        println!("| {} | {spent} | {} |", budget.name, budget.most);
    }
    if kept {
        return ExitCode::SUCCESS;
    }
    println!("\nA budget is not kept.");
    ExitCode::FAILURE
}
