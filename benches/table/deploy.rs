//! Deploying one skill of 10, 100 and 1,000 files: beside hashing the same files once, and writing them safely.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::client::{self, Direct};
use crate::home::{Daemon, Home};
use crate::measure::{Goal, Plan, Samples, Table, in_turn, time};

const FILE_BYTES: usize = 2_000;

struct Project {
    client: Direct,
    module: PathBuf,
    files: usize,
    edits: usize,
    _daemon: Daemon,
    home: Home,
}

impl Project {
    fn new(files: usize) -> Project {
        let home = Home::new();
        let repo = home.scratch().join(".agentpack/repo");
        let module = repo.join("modules/skill");
        fs::create_dir_all(&module).expect("a module");
        let manifest = "version: 1\nprofiles:\n  default:\n    include_tags: [t]\n\
                        targets:\n  codex: {mode: files, scope: user}\n\
                        modules:\n  - {id: 'skill:many', type: skill, tags: [t], source: {local_path: {path: modules/skill}}}\n";
        fs::write(repo.join("agentpack.yaml"), manifest).expect("a manifest");
        fs::write(module.join("SKILL.md"), "---\nname: many\ndescription: many files\n---\n")
            .expect("a skill");
        for n in 1..files {
            fs::write(module.join(format!("f{n:04}.md")), content(n, 0)).expect("a file");
        }
        let daemon = home.start();
        let client = client::direct(&home);
        Project { client, module, files, edits: 0, _daemon: daemon, home }
    }

    fn plan(&mut self, tool: &str, samples: &mut Samples) {
        let request = client::call(1, tool, &json!({}));
        let ok = samples.time(|| self.client.round(&request).contains(r#""ok":true"#));
        assert!(ok, "{tool} failed");
    }

    /// Reviews and applies; only the apply is timed.
    fn apply(&mut self, samples: &mut Samples) {
        let plan: Value = serde_json::from_str(&self.client.call("deploy", json!({}))).expect("JSON");
        let args = json!({"yes": true, "confirm_token": plan["data"]["confirm_token"]});
        let request = client::call(2, "deploy_apply", &args);
        let reply = samples.time(|| self.client.round(&request).to_string());
        assert!(reply.contains(r#""ok":true"#), "deploy_apply failed: {reply}");
    }

    fn edit_one(&mut self) {
        self.edits += 1;
        fs::write(self.module.join("f0001.md"), content(1, self.edits)).expect("a file");
    }

    /// Reads and hashes every file of the module once.
    fn hash(&self, samples: &mut Samples) {
        samples.run(|| {
            let entries = fs::read_dir(&self.module).expect("a module").flatten();
            entries.map(|e| packd::core::Sha::of(&fs::read(e.path()).expect("a file")).0.len()).sum::<usize>()
        });
    }

    /// Writes the same files elsewhere as temporary file, fsync, rename; then the directory is flushed.
    fn write(&self, samples: &mut Samples) {
        let to = self.home.scratch().join("floor");
        let _ = fs::remove_dir_all(&to);
        fs::create_dir(&to).expect("a directory");
        let contents: Vec<(String, String)> =
            (0..self.files).map(|n| (format!("f{n:04}.md"), content(n, 0))).collect();
        samples.run(|| {
            for (name, text) in &contents {
                write_safely(&to, name, text);
            }
            fs::File::open(&to).and_then(|dir| dir.sync_all()).expect("a flushed directory");
        });
    }
}

fn content(n: usize, edit: usize) -> String {
    format!("# File {n}, edit {edit}\n{}\n", "x".repeat(FILE_BYTES))
}

/// Temporary file, fsync, rename.
pub fn write_safely(dir: &Path, name: &str, text: &str) {
    let temporary = dir.join(format!(".{name}.tmp"));
    let mut file = fs::File::create(&temporary).expect("a file");
    file.write_all(text.as_bytes()).and_then(|()| file.sync_all()).expect("a flushed file");
    fs::rename(&temporary, dir.join(name)).expect("a renamed file");
}

pub fn measure(plan: &Plan, table: &mut Table) {
    for files in [10, 100, 1_000] {
        let mut project = Project::new(files);
        let mut first = Samples::default();
        let mut floor = Samples::default();
        project.write(&mut floor);
        project.apply(&mut first);
        table.add(
            format!("first `deploy_apply` of {files} files (floor: writing them with fsync and rename)"),
            first.p50(),
            floor.p50(),
            time,
            Goal::Times(2.0),
        );
        let cell = std::cell::RefCell::new(project);
        let [hash, planned, status] = in_turn(
            plan.times(8),
            3,
            [&mut |s| cell.borrow().hash(s), &mut |s| cell.borrow_mut().plan("plan", s), &mut |s| {
                cell.borrow_mut().plan("status", s)
            }],
        );
        for (name, samples) in [("plan", planned), ("status", status)] {
            let what = format!("`{name}` of {files} unchanged files, warm (floor: hashing them once)");
            table.add(what, samples.p50(), hash.p50(), time, Goal::Times(3.0));
        }
        let mut project = cell.into_inner();
        let (mut none, mut one) = (Samples::default(), Samples::default());
        for _ in 0..plan.times(8) {
            project.apply(&mut none);
            project.edit_one();
            project.apply(&mut one);
        }
        for (name, samples) in [("nothing changed", none), ("one changed", one)] {
            let what = format!("`deploy_apply` of {files} files, {name} (floor: hashing them once)");
            table.add(what, samples.p50(), hash.p50(), time, Goal::Times(3.0));
        }
    }
}
