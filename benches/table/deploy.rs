//! Deploying 10, 100 and 1,000 files: beside hashing the same files once, and writing them safely.
//!
//! "Cold" means that every file was touched since the last look, so that all of them are read again, in the
//! module and where they are deployed; "warm" that none was.

use std::cell::RefCell;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use serde_json::{Value, json};

use crate::client::{self, Direct};
use crate::home::{Daemon, Home};
use crate::measure::{Goal, Plan, Samples, Table, in_turn, on_one_core, time};

const FILE_BYTES: usize = 2_000;
/// Longer than the daemon wants a file to have been left alone before it trusts its stamps.
const SETTLED: Duration = Duration::from_millis(300);

/// What the files are to packd.
#[derive(Clone, Copy)]
enum Shape {
    /// One skill with all the files.
    Skill,
    /// One command per file.
    Commands,
}

impl Shape {
    fn describe(self, files: usize) -> String {
        match self {
            Shape::Skill => format!("{files} files"),
            Shape::Commands => format!("{files} modules of one file"),
        }
    }
}

struct Project {
    client: Direct,
    sources: PathBuf,
    deployed: PathBuf,
    files: usize,
    edits: usize,
    _daemon: Daemon,
    home: Home,
}

impl Project {
    fn new(files: usize, shape: Shape) -> Project {
        let home = Home::new();
        let repo = home.scratch().join(".agentpack/repo");
        let sources = repo.join("modules/all");
        fs::create_dir_all(&sources).expect("a directory of modules");
        let mut manifest = "version: 1\nprofiles:\n  default:\n    include_tags: [t]\n".to_string();
        let deployed = match shape {
            Shape::Skill => {
                fs::write(sources.join("SKILL.md"), "---\nname: many\ndescription: many files\n---\n")
                    .expect("a skill");
                manifest += "targets:\n  codex: {mode: files, scope: user}\nmodules:\n  \
                             - {id: 'skill:many', type: skill, tags: [t], source: {local_path: {path: modules/all}}}\n";
                home.scratch().join(".codex/skills/many")
            }
            Shape::Commands => {
                manifest += "targets:\n  claude_code: {mode: files, scope: user}\nmodules:\n";
                for n in 0..files {
                    manifest += &format!(
                        "  - {{id: 'command:{n}', type: command, tags: [t], source: {{local_path: {{path: modules/all/{}}}}}}}\n",
                        name(n)
                    );
                }
                home.scratch().join(".claude/commands")
            }
        };
        fs::write(repo.join("agentpack.yaml"), manifest).expect("a manifest");
        let first = usize::from(matches!(shape, Shape::Skill));
        for n in first..files {
            fs::write(sources.join(name(n)), content(n, 0)).expect("a file");
        }
        let daemon = home.start();
        let mut client = client::direct(&home);
        // A store that is in use: the very first write of all also makes the tables.
        client.round(&client::create(1));
        Project { client, sources, deployed, files, edits: 0, _daemon: daemon, home }
    }

    fn look(&mut self, tool: &str, samples: &mut Samples) {
        let request = client::call(1, tool, &json!({}));
        let ok = samples.time(|| self.client.round(&request).contains(r#""ok":true"#));
        assert!(ok, "{tool} failed");
    }

    /// The same after every file was touched.
    fn look_anew(&mut self, tool: &str, samples: &mut Samples) {
        let now = SystemTime::now();
        for dir in [&self.sources, &self.deployed] {
            for entry in fs::read_dir(dir).expect("a directory").flatten() {
                let file = fs::File::options().write(true).open(entry.path()).expect("a file");
                file.set_modified(now).expect("a new date");
            }
        }
        self.look(tool, samples);
    }

    /// Reviews and applies; only the apply is timed.
    fn apply(&mut self, samples: &mut Samples) {
        let plan: Value = serde_json::from_str(&self.client.call("deploy", json!({}))).expect("JSON");
        let args = json!({"yes": true, "confirm_token": plan["data"]["confirm_token"]});
        let request = client::call(2, "deploy_apply", &args);
        let reply = samples.time(|| self.client.round(&request).to_string());
        assert!(reply.contains(r#""ok":true"#), "deploy_apply failed: {reply}");
    }

    fn apply_edited(&mut self, samples: &mut Samples) {
        self.edits += 1;
        fs::write(self.sources.join(name(1)), content(1, self.edits)).expect("a file");
        self.apply(samples);
    }

    /// Reads and hashes every file of the modules once.
    fn hash(&self, samples: &mut Samples) {
        samples.run(|| hash_all(&self.sources));
    }

    /// Writes the same files elsewhere, each as temporary file, fsync, rename; then the directory is flushed.
    fn write(&self, samples: &mut Samples) {
        let to = self.home.scratch().join("floor");
        let _ = fs::remove_dir_all(&to);
        fs::create_dir(&to).expect("a directory");
        let contents: Vec<(String, String)> = (0..self.files).map(|n| (name(n), content(n, 0))).collect();
        samples.run(|| {
            for (name, text) in &contents {
                write_safely(&to, name, text);
            }
            flush(&to);
        });
    }

    /// What cannot be spared when one file changed: hashing all, then writing it and the list of files.
    fn hash_and_write_changed(&self, samples: &mut Samples) {
        let to = self.home.scratch().join("floor");
        let list = fs::read_to_string(self.manifest()).expect("a list of files");
        let text = content(1, self.edits);
        samples.run(|| {
            hash_all(&self.sources);
            write_safely(&to, &name(1), &text);
            write_safely(&to, "list", &list);
            flush(&to);
        });
    }

    fn manifest(&self) -> PathBuf {
        let named = |dir: &Path| {
            let entries = fs::read_dir(dir).expect("a directory").flatten().map(|e| e.path());
            entries.into_iter().find(|p| p.to_string_lossy().contains(".agentpack.manifest"))
        };
        let dirs = [self.deployed.as_path(), self.deployed.parent().expect("a root")];
        dirs.into_iter().find_map(named).expect("a target manifest")
    }
}

fn name(n: usize) -> String {
    format!("f{n:04}.md")
}

fn content(n: usize, edit: usize) -> String {
    format!("---\ndescription: file {n}\n---\n# Edit {edit}\n{}\n", "x".repeat(FILE_BYTES))
}

fn hash_all(dir: &Path) -> usize {
    let entries = fs::read_dir(dir).expect("a directory").flatten();
    entries.map(|e| packd::core::Sha::of(&fs::read(e.path()).expect("a file")).0.len()).sum()
}

/// Temporary file, fsync, rename.
pub fn write_safely(dir: &Path, name: &str, text: &str) {
    let temporary = dir.join(format!(".{name}.tmp"));
    let mut file = fs::File::create(&temporary).expect("a file");
    file.write_all(text.as_bytes()).and_then(|()| file.sync_all()).expect("a flushed file");
    fs::rename(&temporary, dir.join(name)).expect("a renamed file");
}

fn flush(dir: &Path) {
    fs::File::open(dir).and_then(|dir| dir.sync_all()).expect("a flushed directory");
}

pub fn measure(plan: &Plan, table: &mut Table) {
    let mut warm = Vec::new();
    for files in [10, 100, 1_000] {
        warm.push(one(plan, table, files, Shape::Skill));
    }
    one(plan, table, 1_000, Shape::Commands);
    // With few files the ways between cores weigh more than the work.
    on_one_core(|| {
        let mut project = Project::new(10, Shape::Skill);
        project.apply(&mut Samples::default());
        looks(plan, table, &RefCell::new(project), "10 files, on one core");
    });
    // What a file costs once the fixed part of a call is paid.
    let (small, large) = (&warm[0], &warm[2]);
    for (tool, at) in [("plan", 1), ("status", 2)] {
        let each = |samples: usize| (large[samples] - small[samples]) / 990.0;
        let what = format!("`{tool}`, each unchanged file, warm (floor: hashing it once)");
        table.add(what, each(at), each(0), time, Goal::Times(1.0));
    }
}

/// Everything about one project. Gives what [`looks`] gives.
fn one(plan: &Plan, table: &mut Table, files: usize, shape: Shape) -> [f64; 3] {
    let of = shape.describe(files);
    let (mut write, mut first) = (Samples::default(), Samples::default());
    let mut project = None;
    for _ in 0..plan.times(4) {
        let mut fresh = Project::new(files, shape);
        fresh.write(&mut write);
        fresh.apply(&mut first);
        project = Some(fresh);
    }
    let project = RefCell::new(project.expect("at least one round"));
    let what = format!("first `deploy_apply` of {of} (floor: writing them with fsync and rename)");
    table.add(what, first.p50(), write.p50(), time, Goal::Times(2.0));
    let warm = looks(plan, table, &project, &of);
    let [unchanged, edited, least] = in_turn(
        plan.times(8),
        1,
        [&mut |s| project.borrow_mut().apply(s), &mut |s| project.borrow_mut().apply_edited(s), &mut |s| {
            project.borrow().hash_and_write_changed(s)
        }],
    );
    for (name, samples) in [("nothing changed", &unchanged), ("one changed", &edited)] {
        let what = format!("`deploy_apply` of {of}, {name} (floor: writing them with fsync and rename)");
        table.add(what, samples.p50(), write.p50(), time, Goal::Times(2.0));
    }
    let what = "  the same (floor: hashing all, writing the changed one and the list)";
    table.add(what, edited.p50(), least.p50(), time, Goal::Times(2.0));
    warm
}

/// `plan` and `status`, cold and warm. Gives the medians of hashing and of both when warm.
fn looks(plan: &Plan, table: &mut Table, project: &RefCell<Project>, of: &str) -> [f64; 3] {
    let mut medians = |how: &str, look: fn(&mut Project, &str, &mut Samples)| {
        let [hash, planned, status] = in_turn(
            plan.times(8),
            3,
            [
                &mut |s| project.borrow().hash(s),
                &mut |s| look(&mut project.borrow_mut(), "plan", s),
                &mut |s| look(&mut project.borrow_mut(), "status", s),
            ],
        );
        for (tool, samples) in [("plan", &planned), ("status", &status)] {
            let what = format!("`{tool}` of {of}, {how} (floor: hashing them once)");
            table.add(what, samples.p50(), hash.p50(), time, Goal::Times(3.0));
        }
        [hash.p50(), planned.p50(), status.p50()]
    };
    medians("cold", Project::look_anew);
    std::thread::sleep(SETTLED);
    for tool in ["plan", "status"] {
        project.borrow_mut().look(tool, &mut Samples::default());
    }
    medians("warm", Project::look)
}
