//! Snapshots of work trees of three sizes: with nothing changed beside `git status` of the same tree, and with one file
//! changed beside the same snapshot with none.

use std::cell::RefCell;
use std::fs;
use std::process::{Command, Stdio};

use serde_json::json;

use crate::client::{self, Direct};
use crate::home::{Daemon, Home};
use crate::measure::{Goal, Plan, Samples, Table, in_turn, time};

struct Tree {
    client: Direct,
    calls: u64,
    _daemon: Daemon,
    home: Home,
}

impl Tree {
    /// A repository of so many committed files, looked at once.
    fn new(files: usize) -> Tree {
        let home = Home::new();
        let root = home.project();
        for n in 0..files {
            let dir = root.join(format!("dir-{}/part-{}", n / 500, n / 50 % 10));
            fs::create_dir_all(&dir).expect("a directory");
            fs::write(dir.join(format!("file-{n}.txt")), format!("line of file {n}\n").repeat(20))
                .expect("a file");
        }
        let daemon = home.start();
        let client = client::direct(&home);
        let mut tree = Tree { client, calls: 0, _daemon: daemon, home };
        tree.git(&["init", "-q"]);
        tree.git(&["add", "-A"]);
        tree.git(&["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "all"]);
        tree.git(&["status", "--porcelain"]);
        // The first look reads every file, the second one those that were too young for their stamps.
        for _ in 0..3 {
            std::thread::sleep(std::time::Duration::from_millis(200));
            tree.hook("end", &mut Samples::default());
        }
        tree
    }

    fn git(&self, args: &[&str]) {
        let mut git = Command::new("git");
        git.args(args).current_dir(self.home.project()).env("GIT_CONFIG_GLOBAL", "/dev/null");
        assert!(
            git.stdout(Stdio::null()).status().is_ok_and(|status| status.success()),
            "git {args:?} failed"
        );
    }

    fn hook(&mut self, phase: &str, samples: &mut Samples) {
        self.calls += 1;
        let params = json!({"cwd": self.home.project(), "phase": phase, "session": "bench", "host": "bench",
                            "tool": "Bash", "call_id": (self.calls / 2).to_string(), "budget_ms": 60_000});
        let request =
            json!({"jsonrpc": "2.0", "id": 1, "method": "packd/snapshot", "params": params}).to_string();
        let reply = samples.time(|| self.client.round(&request).to_string());
        assert!(reply.contains("\"state\":"), "packd/snapshot failed: {reply}");
    }

    /// One file changes; only the snapshot is timed.
    fn change(&mut self, samples: &mut Samples) {
        let path = self.home.project().join("dir-0/part-0/file-7.txt");
        fs::write(path, format!("change {}\n", self.calls)).expect("a file");
        self.hook("end", samples);
    }
}

pub fn measure(plan: &Plan, table: &mut Table) {
    for files in [500, 5_000, 50_000] {
        let tree = RefCell::new(Tree::new(files));
        let [floor, same, one] = in_turn(
            plan.times(12),
            4,
            [
                &mut |s| s.time(|| tree.borrow().git(&["status", "--porcelain"])),
                &mut |s| tree.borrow_mut().hook("end", s),
                &mut |s| tree.borrow_mut().change(s),
            ],
        );
        let what = format!("A snapshot of {files} files, nothing changed (p50; floor: `git status`)");
        table.add(what, same.p50(), floor.p50(), time, Goal::Times(1.5));
        let what =
            format!("The same with one file changed, recorded (p50; floor: nothing changed, {files} files)");
        table.add(what, one.p50(), same.p50(), time, Goal::Above(15_000.0));
    }
}
