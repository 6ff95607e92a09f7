//! The package manager: searching registries of different sizes, publishing into them, installing artifacts.

use std::cell::RefCell;
use std::fs;
use std::path::Path;

use serde_json::json;

use crate::client::{self, Direct};
use crate::deploy::write_safely;
use crate::home::{Daemon, Home};
use crate::measure::{Goal, Plan, Samples, Table, in_turn, on_one_core, time};

struct Project {
    client: Direct,
    publishes: u64,
    _daemon: Daemon,
    home: Home,
}

impl Project {
    /// A registry that lists this many packages, and a project with so many skills to publish.
    fn new(listed: usize, skills: usize) -> Project {
        let home = Home::new();
        let registry = home.scratch().join("registry");
        fs::create_dir_all(&registry).expect("a registry");
        fs::write(registry.join("index.yaml"), index(listed)).expect("an index");
        fs::create_dir_all(home.project().join(".aam")).expect("a workspace");
        for n in 0..skills {
            let dir = home.project().join(format!(".claude/skills/skill-{n:03}"));
            fs::create_dir_all(&dir).expect("a skill");
            fs::write(dir.join("SKILL.md"), skill(n)).expect("a skill");
        }
        let daemon = home.start();
        let mut client = client::direct(&home);
        client.call("aam_registry_add", json!({"name": "main", "url": registry, "set_default": true}));
        client.call("aam_create_package", json!({"name": "many", "version": "1.0.0", "include_all": true}));
        Project { client, publishes: 0, _daemon: daemon, home }
    }

    fn search(&mut self, samples: &mut Samples) {
        let request = client::call(1, "aam_search", &json!({"query": "package-00", "limit": 10}));
        let found = samples.time(|| self.client.round(&request).contains("package-00"));
        assert!(found, "nothing was found");
    }

    fn publish(&mut self, samples: &mut Samples) {
        self.publishes += 1;
        let path = self.home.project().join("aam.yaml");
        let text = fs::read_to_string(&path).expect("a manifest");
        let version = |line: &str| match line.starts_with("version:") {
            true => format!("version: 1.0.{}\n", self.publishes),
            false => format!("{line}\n"),
        };
        fs::write(&path, text.lines().map(version).collect::<String>()).expect("a manifest");
        let request = client::call(1, "aam_publish", &json!({}));
        let reply = samples.time(|| self.client.round(&request).to_string());
        assert!(!reply.contains(r#""isError":true"#), "aam_publish failed: {reply}");
    }

    /// Installs and takes it away again; only the installing is timed.
    fn install(&mut self, samples: &mut Samples) {
        let request = client::call(1, "aam_install", &json!({"packages": ["many"], "platform": "cursor"}));
        let reply = samples.time(|| self.client.round(&request).to_string());
        assert!(
            reply.contains("many") && !reply.contains(r#""isError":true"#),
            "aam_install failed: {reply}"
        );
        self.client.call("aam_uninstall", json!({"package_name": "many"}));
    }

    /// Every artifact is written twice: into the package's directory and where the platform looks for it.
    fn write(&self, skills: usize, samples: &mut Samples) {
        let to = self.home.scratch().join("floor");
        let _ = fs::remove_dir_all(&to);
        fs::create_dir(&to).expect("a directory");
        samples.run(|| {
            for n in 0..skills * 2 {
                let dir = to.join(n.to_string());
                fs::create_dir(&dir).expect("a directory");
                write_safely(&dir, "SKILL.md", &skill(n));
                flush(&dir);
            }
            flush(&to);
        });
    }
}

fn flush(dir: &Path) {
    fs::File::open(dir).and_then(|dir| dir.sync_all()).expect("a flushed directory");
}

fn skill(n: usize) -> String {
    format!("---\nname: skill-{n:03}\ndescription: Skill number {n}\n---\n\n{}\n", "text ".repeat(300))
}

fn index(packages: usize) -> String {
    let entry = |n: usize| {
        format!(
            "- name: package-{n:05}\n  description: Package number {n}\n  latest: 1.0.0\n  keywords: [bench]\n  \
             artifact_types: [skill]\n  author: Ada\n  updated_at: '2026-01-01T00:00:00+00:00'\n"
        )
    };
    let entries: String = (0..packages).map(entry).collect();
    if packages == 0 { "packages: []\n".into() } else { format!("packages:\n{entries}") }
}

pub fn measure(plan: &Plan, table: &mut Table) {
    on_one_core(|| by_registry(plan, table));
    for skills in [10, 100] {
        let project = RefCell::new(Project::new(0, skills));
        project.borrow_mut().publish(&mut Samples::default());
        let [floor, install] = in_turn(
            plan.times(8),
            1,
            [&mut |s| project.borrow().write(skills, s), &mut |s| project.borrow_mut().install(s)],
        );
        let what = format!(
            "`aam_install` of {skills} artifacts (floor: writing the same files with fsync and rename)"
        );
        table.add(what, install.p50(), floor.p50(), time, Goal::Times(2.0));
    }
}

fn by_registry(plan: &Plan, table: &mut Table) {
    type Step = fn(&mut Project, &mut Samples);
    let mut projects = [10, 1_000, 10_000].map(|listed| Project::new(listed, 1));
    let steps: [(&str, Step, usize); 2] =
        [("aam_search", Project::search, 30), ("aam_publish", Project::publish, 2)];
    for (name, step, each) in steps {
        let [small, medium, large] = &mut projects;
        let [small, medium, large] = in_turn(
            plan.times(8),
            each,
            [&mut |s| step(small, s), &mut |s| step(medium, s), &mut |s| step(large, s)],
        );
        for (listed, samples) in [(1_000, medium), (10_000, large)] {
            let what = format!("`{name}` with {listed} packages (p50; floor: itself with 10)");
            table.add(what, samples.p50(), small.p50(), time, Goal::Times(1.5));
        }
    }
}
