//! What an agent's day costs, with the real programs: the script that `cargo bench --bench economy` prints the figures
//! of, held to its budgets. Calls and bytes do not depend on the machine.

#[path = "../../benches/economy/jobs.rs"]
mod jobs;

use std::path::PathBuf;

use serde_json::{Value, json};

use crate::common::real::{Place, Process, SHIM};

impl jobs::Place for Place {
    fn home(&self) -> PathBuf {
        self.path().to_path_buf()
    }

    fn project(&self) -> PathBuf {
        self.work()
    }

    fn session(&self, flags: &[&str]) -> Box<dyn jobs::Session> {
        let mut command = self.command(SHIM);
        command.args(flags);
        let mut shim = Process::spawn(command);
        shim.initialize();
        Box::new(shim)
    }
}

impl jobs::Session for Process {
    /// Notices that come before the reply are passed over.
    fn call(&mut self, tool: &str, args: Value) -> Value {
        let params = json!({"name": tool, "arguments": args});
        self.send(&json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}));
        loop {
            let reply = self.reply();
            if reply["id"] == 1 {
                return reply["result"].clone();
            }
        }
    }
}

#[test]
fn a_day_of_work_costs_at_most_24_calls_and_40_kilobytes() {
    let spent: Vec<_> = jobs::JOBS.iter().map(|job| (job.name, jobs::run(job, &Place::new()))).collect();
    let calls: usize = spent.iter().map(|(_, spent)| spent.calls).sum();
    let bytes: usize = spent.iter().map(|(_, spent)| spent.bytes).sum();
    let each: Vec<_> = spent.iter().map(|(name, spent)| (*name, spent.calls, spent.bytes)).collect();
    assert!(calls <= jobs::MOST_CALLS && bytes <= jobs::MOST_BYTES, "{calls} calls, {bytes} bytes: {each:?}");
}

#[test]
fn single_replies_keep_their_budgets() {
    let over = |budget: &jobs::Budget| {
        let spent = jobs::spent(budget, &Place::new());
        (spent > budget.most).then(|| format!("{}: {spent} of {}", budget.name, budget.most))
    };
    let over: Vec<String> = jobs::BUDGETS.iter().filter_map(over).collect();
    assert!(over.is_empty(), "{over:?}");
}
