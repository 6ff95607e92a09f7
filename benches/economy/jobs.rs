//! What an agent does in a day, as one script: six jobs, and single replies with a budget of their own. The bench prints
//! what they cost, a test holds the budgets; both run this.
//!
//! A job is measured from its first call to its last; what is there before it (files, the work of others) is prepared by
//! calls that do not count. Bytes of a reply are those of its text, and of its structured content unless the text is that
//! same JSON.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

/// So many bytes are a kilobyte.
pub const KB: usize = 1024;
/// What all jobs together may cost.
pub const MOST_CALLS: usize = 24;
pub const MOST_BYTES: usize = 40 * KB;

/// A user with a project, whose sessions go through the real shim to a daemon of their own.
pub trait Place {
    fn home(&self) -> PathBuf;
    fn project(&self) -> PathBuf;
    fn session(&self, flags: &[&str]) -> Box<dyn Session>;
}

pub trait Session {
    /// The result of a tool call, as it came over the wire.
    fn call(&mut self, tool: &str, args: Value) -> Value;
}

pub struct Job {
    pub name: &'static str,
    flags: &'static [&'static str],
    prepare: fn(&dyn Place, &mut Meter),
    work: fn(&dyn Place, &mut Meter),
}

pub const JOBS: [Job; 6] = [
    Job { name: "a pack of 20 refs, and an edit below them", flags: &[], prepare: sources, work: pack },
    Job { name: "a feature to DONE, with evidence", flags: &[], prepare: nothing, work: feature },
    Job { name: "a cold start", flags: &[], prepare: half_done, work: cold_start },
    Job { name: "a deploy over a hand edit, and back", flags: &[], prepare: edited_by_hand, work: deploy },
    Job {
        name: "publish, install, upgrade, uninstall",
        flags: &["--allow-write"],
        prepare: authored,
        work: packages,
    },
    Job {
        name: "an ecosystem of three repositories to a release",
        flags: &[],
        prepare: remotes,
        work: release,
    },
];

/// One reply with a budget of its own.
pub struct Budget {
    pub name: &'static str,
    pub most: usize,
    prepare: fn(&dyn Place, &mut Meter),
    reply: fn(&dyn Place, &mut Meter),
}

pub const BUDGETS: [Budget; 12] = [
    Budget { name: "create a task with 10 steps", most: 3 * KB, prepare: a_plan, reply: ten_steps },
    Budget { name: "close a step of 3", most: 3 * KB / 2, prepare: |_, m| task(m, 3), reply: close_first },
    Budget {
        name: "close a step of 150",
        most: 3 * KB / 2,
        prepare: |_, m| task(m, 150),
        reply: close_first,
    },
    Budget { name: "a batch of 29 closes", most: 8 * KB, prepare: |_, m| task(m, 29), reply: close_all },
    Budget { name: "close_task apply, 30 steps", most: 3 * KB, prepare: all_closed, reply: close_task },
    Budget { name: "upsert_ref into a pack of 20 refs", most: KB, prepare: twenty_refs, reply: upsert_ref },
    Budget { name: "history_show of a changed field", most: 2 * KB, prepare: one_edit, reply: show_edit },
    Budget { name: "radar of 30 steps", most: 4 * KB, prepare: |_, m| task(m, 30), reply: radar },
    Budget { name: "history_list of 20", most: 6 * KB, prepare: twenty_notes, reply: list_twenty },
    Budget {
        name: "deploy of 2 changes, with their diffs",
        most: 3 * KB,
        prepare: configured,
        reply: review,
    },
    Budget { name: "amof_confirm, without the preview again", most: KB, prepare: remotes, reply: confirm },
    Budget { name: "now, in the middle of a task", most: 3 * KB, prepare: half_done, reply: cold_start },
];

/// A session whose calls are counted.
pub struct Meter {
    session: Box<dyn Session>,
    pub calls: usize,
    pub bytes: usize,
}

impl Meter {
    fn new(session: Box<dyn Session>) -> Meter {
        Meter { session, calls: 0, bytes: 0 }
    }

    /// A call that must succeed: its structured content, or its text where it has none.
    fn call(&mut self, tool: &str, args: Value) -> Value {
        let result = self.session.call(tool, args.clone());
        assert_ne!(result["isError"], json!(true), "{tool} {args} failed: {result}");
        let text = result["content"][0]["text"].as_str().unwrap_or_default();
        let structured = result.get("structuredContent");
        let told = structured.map(Value::to_string).unwrap_or_default();
        self.calls += 1;
        self.bytes += text.len() + if told == text { 0 } else { told.len() };
        structured.cloned().unwrap_or_else(|| json!(text))
    }

    /// The call that a reply names.
    fn follow(&mut self, next: &Value) -> Value {
        self.call(next["tool"].as_str().expect("a next call"), next["arguments"].clone())
    }
}

fn measured(
    place: &dyn Place,
    flags: &[&str],
    prepare: fn(&dyn Place, &mut Meter),
    work: fn(&dyn Place, &mut Meter),
) -> Meter {
    // Wherever the directory is, it is a project of its own.
    git(place, &place.project(), &["init", "-q"]);
    write(&place.home().join(".gitconfig"), "[user]\nname = Ada\nemail = ada@example.org\n");
    prepare(place, &mut Meter::new(place.session(flags)));
    let mut meter = Meter::new(place.session(flags));
    work(place, &mut meter);
    meter
}

pub fn run(job: &Job, place: &dyn Place) -> Meter {
    measured(place, job.flags, job.prepare, job.work)
}

/// The bytes of the reply that a budget is about, the last of what it does.
pub fn spent(budget: &Budget, place: &dyn Place) -> usize {
    measured(place, &[], budget.prepare, budget.reply).bytes
}

fn nothing(_place: &dyn Place, _meter: &mut Meter) {}

fn write(path: &Path, text: &str) {
    std::fs::create_dir_all(path.parent().expect("a file in a directory")).expect("a directory");
    std::fs::write(path, text).expect("a file");
}

fn git(place: &dyn Place, dir: &Path, args: &[&str]) {
    let mut command = Command::new("git");
    command.args(["-c", "init.defaultBranch=main"]).args(args).current_dir(dir);
    command.env("HOME", place.home()).env("GIT_CONFIG_NOSYSTEM", "1").env_remove("GIT_DIR");
    let ran = command.output().expect("git runs");
    assert!(ran.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&ran.stderr));
}

// Packs

fn sources(place: &dyn Place, _meter: &mut Meter) {
    for file in 0..4 {
        let function = |n| {
            format!(
                "fn item_{file}_{n}() -> u32 {{\n    let value = compute({n});\n    value + {file}\n}}\n\n"
            )
        };
        write(&place.project().join(format!("src/m{file}.rs")), &(0..10).map(function).collect::<String>());
    }
}

fn write_pack(meter: &mut Meter) -> Value {
    let refs = |file: usize| -> Value {
        let one = |n| {
            json!({"key": format!("ref-{n}"), "path": format!("src/m{file}.rs"), "symbol": format!("item_{file}_{n}"),
                "why": "Where the value is made, who asks for it, and what happens to it when nobody needs it any more"})
        };
        (0..5).map(one).collect()
    };
    let section = |s| json!({"key": format!("part-{s}"), "title": format!("Part {s}"), "refs": refs(s)});
    let sections: Value = (0..4).map(section).collect();
    meter.call(
        "input",
        json!({"action": "write", "name": "flow", "title": "How it flows", "sections": sections}),
    )
}

fn pack(place: &dyn Place, meter: &mut Meter) {
    let written = write_pack(meter);
    assert_eq!(written["payload"]["counts"]["ok"], 20, "{written}");
    let file = place.project().join("src/m0.rs");
    let text = std::fs::read_to_string(&file).expect("a source file");
    write(&file, &format!("//! Three\n//! new\n//! lines\n{}", text.replace("compute(1)", "compute_now(1)")));
    let read = meter.call("output", json!({"name": "flow"}));
    let text = read["markdown"].as_str().expect("code that moved is told in both forms");
    assert!(text.contains("15 ok, 4 moved, 1 changed"), "{text}");
    let kept = meter.call(
        "input",
        json!({"action": "set_status", "name": "flow", "status": "finalized", "reviewed": true, "expected_revision": 1}),
    );
    assert_eq!(kept["repaired"], 5, "{kept}");
}

fn twenty_refs(place: &dyn Place, meter: &mut Meter) {
    sources(place, meter);
    write_pack(meter);
}

fn upsert_ref(_place: &dyn Place, meter: &mut Meter) {
    meter.call(
        "input",
        json!({"action": "upsert_ref", "name": "flow", "expected_revision": 1, "section_key": "part-0",
            "ref_key": "ref-0", "path": "src/m0.rs", "line_start": 2, "line_end": 4, "ref_why": "Where it is made"}),
    );
}

// Tasks

fn step(n: usize) -> Value {
    json!({"title": format!("Step number {n} of the feature"), "success_criteria": ["It works", "It is seen"],
        "tests": ["cargo test"]})
}

fn a_plan(_place: &dyn Place, meter: &mut Meter) {
    meter.call("tasks_create", json!({"kind": "plan", "title": "Release"}));
}

fn create(meter: &mut Meter, steps: usize) -> Value {
    let steps: Vec<Value> = (0..steps).map(step).collect();
    meter.call(
        "tasks_create",
        json!({"parent": "PLAN-001", "title": "Search", "description": "Lorem ipsum. ".repeat(50),
            "success_criteria": ["Search finds notes"], "steps": steps}),
    )
}

fn task(meter: &mut Meter, steps: usize) {
    meter.call("tasks_create", json!({"kind": "plan", "title": "Release"}));
    create(meter, steps);
}

fn ten_steps(_place: &dyn Place, meter: &mut Meter) {
    create(meter, 10);
}

/// Confirms both checkpoints of a step and closes it.
fn closing(n: usize) -> Value {
    let confirmed = json!({"confirmed": true});
    json!({"intent": "close_step", "path": format!("s:{n}"), "note": "done", "verification_outcome": "pass",
        "checkpoints": {"criteria": confirmed, "tests": confirmed}})
}

fn evidence(n: usize) -> Value {
    json!({"intent": "evidence_capture", "path": format!("s:{n}"), "verification_outcome": "pass",
        "artifacts": [{"kind": "cmd_output", "command": "cargo test", "stdout": "test result: ok. 12 passed"}]})
}

fn close_first(_place: &dyn Place, meter: &mut Meter) {
    let mut args = closing(0);
    args["task"] = json!("TASK-001");
    let closed = meter.call("tasks_close_step", args);
    assert_eq!(closed["result"]["completed"], true, "{closed}");
}

fn close_steps(meter: &mut Meter, steps: usize) -> Value {
    let operations: Vec<Value> = (0..steps).map(closing).collect();
    meter.call("tasks_batch", json!({"atomic": true, "task": "TASK-001", "operations": operations}))
}

fn close_all(_place: &dyn Place, meter: &mut Meter) {
    assert_eq!(close_steps(meter, 29)["result"]["completed"], 29);
}

fn all_closed(_place: &dyn Place, meter: &mut Meter) {
    task(meter, 30);
    close_steps(meter, 30);
}

fn close_task(_place: &dyn Place, meter: &mut Meter) {
    let closed = meter.call("tasks_close_task", json!({"task": "TASK-001", "apply": true}));
    assert_eq!(closed["result"]["task"]["status"], "DONE", "{closed}");
}

fn radar(_place: &dyn Place, meter: &mut Meter) {
    meter.call("tasks_radar", json!({"task": "TASK-001"}));
}

fn feature(place: &dyn Place, meter: &mut Meter) {
    a_plan(place, meter);
    create(meter, 3);
    for n in 0..3 {
        let operations = json!([evidence(n), closing(n)]);
        meter.call("tasks_batch", json!({"atomic": true, "task": "TASK-001", "operations": operations}));
    }
    close_task(place, meter);
}

const NOTE: &str = "half way: walker.rs edited, tests red";

/// Somebody else's work: the first step is closed, the second has a note.
fn half_done(_place: &dyn Place, meter: &mut Meter) {
    task(meter, 5);
    let operations = json!([evidence(0), closing(0), {"intent": "note", "path": "s:1", "note": NOTE}]);
    meter.call("tasks_batch", json!({"atomic": true, "task": "TASK-001", "operations": operations}));
}

fn cold_start(_place: &dyn Place, meter: &mut Meter) {
    let now = meter.call("now", json!({}));
    let text = now.as_str().map_or_else(|| now.to_string(), str::to_string);
    for told in ["TASK-001", "s:1", NOTE, "cargo test"] {
        assert!(text.contains(told), "{told} is not told: {text}");
    }
}

// History

fn one_edit(_place: &dyn Place, meter: &mut Meter) {
    task(meter, 30);
    let ops = json!([{"op": "set", "field": "description", "value": "Another text"}]);
    meter.call("tasks_patch", json!({"task": "TASK-001", "ops": ops}));
}

fn show_edit(_place: &dyn Place, meter: &mut Meter) {
    let newest = meter.call("history_list", json!({"limit": 1}));
    meter.bytes = 0;
    let shown = meter.call("history_show", json!({"operation_id": newest["operations"][0]["operation_id"]}));
    assert!(shown.to_string().contains("Another text"), "{shown}");
}

fn twenty_notes(_place: &dyn Place, meter: &mut Meter) {
    task(meter, 3);
    for n in 0..20 {
        meter.call("tasks_note", json!({"task": "TASK-001", "path": "s:0", "note": format!("note {n}")}));
    }
}

fn list_twenty(_place: &dyn Place, meter: &mut Meter) {
    let listed = meter.call("history_list", json!({}));
    assert_eq!(listed["operations"].as_array().map(Vec::len), Some(20));
}

// Deploys

const CONFIG: &str = "\
version: 1
profiles: {default: {include_tags: [core]}}
targets: {codex: {mode: files, scope: project}}
modules:
  - {id: 'instructions:base', type: instructions, tags: [core], source: {local_path: {path: modules/base}}}
  - {id: 'skill:tool', type: skill, tags: [core], source: {local_path: {path: modules/tool}}}
";

fn configured(place: &dyn Place, _meter: &mut Meter) {
    let repo = place.home().join(".agentpack/repo");
    write(&repo.join("agentpack.yaml"), CONFIG);
    write(&repo.join("modules/base/AGENTS.md"), "# base\nrule one\nrule two\n");
    write(&repo.join("modules/tool/SKILL.md"), "---\nname: tool\ndescription: does things\n---\n\nUse it.\n");
}

fn review(_place: &dyn Place, meter: &mut Meter) {
    let seen = meter.call("deploy", json!({}));
    let text = seen["diffs"].to_string();
    assert!(text.contains("+rule one") && text.contains("+Use it."), "{seen}");
}

fn edited_by_hand(place: &dyn Place, meter: &mut Meter) {
    configured(place, meter);
    let seen = meter.call("deploy", json!({}));
    meter.follow(&seen["next"]);
    write(&place.project().join("AGENTS.md"), "# base\nrule one\nmy own rule\n");
    write(&place.home().join(".agentpack/repo/modules/base/AGENTS.md"), "# base\nrule one\nrule three\n");
}

fn deploy(place: &dyn Place, meter: &mut Meter) {
    let file = || std::fs::read_to_string(place.project().join("AGENTS.md")).expect("a deployed file");
    let status = meter.call("status", json!({}));
    assert_eq!(status["data"]["drift"][0]["cause"], "edited_by_hand", "{status}");
    let seen = meter.call("deploy", json!({}));
    assert!(seen["diffs"].to_string().contains("-my own rule"), "{seen}");
    meter.follow(&seen["next"]);
    assert!(file().contains("rule three"));
    meter.call("history_undo", json!({"family": "deploy", "yes": true}));
    assert!(file().contains("my own rule"), "{}", file());
}

// Packages

fn authored(place: &dyn Place, meter: &mut Meter) {
    for version in ["1.0.0", "1.1.0"] {
        let dir = place.project().join(format!("lint-{version}"));
        let manifest = format!(
            "name: lint\nversion: {version}\ndescription: The lint\nauthor: Ada\nlicense: MIT\nartifacts:\n  skills:\n    - {{name: lint, path: skills/lint/, description: About lint}}\n"
        );
        write(&dir.join("aam.yaml"), &manifest);
        let skill = format!("---\nname: lint\ndescription: Lints\n---\n# lint {version}\n");
        write(&dir.join("skills/lint/SKILL.md"), &skill);
    }
    for dir in [place.home().join("registry"), place.project().join(".aam")] {
        std::fs::create_dir_all(dir).expect("a directory");
    }
    let url = place.home().join("registry");
    meter.call("aam_registry_add", json!({"name": "main", "url": url, "set_default": true}));
}

fn packages(place: &dyn Place, meter: &mut Meter) {
    let skill = place.project().join(".claude/skills/lint/SKILL.md");
    let has = |version: &str| std::fs::read_to_string(&skill).is_ok_and(|text| text.contains(version));
    meter.call("aam_publish", json!({"path": "lint-1.0.0"}));
    meter.call("aam_install", json!({"packages": ["lint"], "platform": "claude"}));
    assert!(has("1.0.0"));
    meter.call("aam_publish", json!({"path": "lint-1.1.0"}));
    meter.call("aam_upgrade", json!({}));
    assert!(has("1.1.0"));
    meter.call("aam_uninstall", json!({"package_name": "lint"}));
    assert!(!skill.exists());
}

// Ecosystems

fn remotes(place: &dyn Place, _meter: &mut Meter) {
    let names = ["api", "web", "lib"];
    let remote = |name: &str| place.home().join("remotes").join(name);
    for name in names {
        let seed = place.home().join("seeds").join(name);
        write(&seed.join("README.md"), name);
        git(place, &seed, &["init", "-q"]);
        git(place, &seed, &["add", "-A"]);
        git(place, &seed, &["commit", "-q", "-m", "First"]);
        let bare = remote(name);
        git(
            place,
            &place.home(),
            &["clone", "-q", "--bare", &seed.to_string_lossy(), &bare.to_string_lossy()],
        );
    }
    let repo =
        |name| format!("  - {{name: {name}, url: 'file://{}', branch: main}}\n", remote(name).display());
    let repos: String = names.into_iter().map(repo).collect();
    let project = place.project();
    write(&project.join("ecosystems/demo/ecosystem.yaml"), &format!("name: demo\nrepos:\n{repos}"));
    write(&project.join("CHANGELOG.md"), "# Changelog\n");
    git(place, &project, &["add", "-A"]);
    git(place, &project, &["commit", "-q", "-m", "Begin"]);
}

/// Says yes to a preview, and waits for the end of its run.
fn agree(meter: &mut Meter, asked: &Value) -> Value {
    let mut next = asked["next"][0].clone();
    next["arguments"]["wait_seconds"] = json!(60);
    let done = meter.follow(&next);
    assert_eq!(done["status"], "success", "{done}");
    assert!(done.get("clones").is_none() && done.get("steps").is_none(), "the preview again: {done}");
    done
}

fn install(meter: &mut Meter) -> Value {
    meter.call("amof_install_ecosystem", json!({"ecosystem": "demo", "mode": "execute"}))
}

fn confirm(_place: &dyn Place, meter: &mut Meter) {
    let asked = install(meter);
    meter.bytes = 0;
    agree(meter, &asked);
}

fn release(place: &dyn Place, meter: &mut Meter) {
    let asked = install(meter);
    agree(meter, &asked);
    for name in ["api", "web", "lib"] {
        assert!(place.project().join("worktrees/demo/repos").join(name).join("README.md").exists());
    }
    let asked = meter
        .call("amof_release_bump", json!({"ecosystem": "demo", "bump_type": "minor", "mode": "execute"}));
    agree(meter, &asked);
    assert!(place.project().join("worktrees/demo/releases/v0.1.0.json").exists());
}
