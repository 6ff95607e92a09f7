//! `packd deploy` as a person uses it: the plan, the refusal, the write, the drift, the way back.

use crate::common::real::Place;
use crate::families::deploy::rig::{git, write};

const YAML: &str = "\
version: 1
profiles: {default: {include_tags: [core]}}
targets: {codex: {mode: files, scope: project}, claude_code: {mode: files, scope: project}}
modules:
  - {id: 'instructions:base', type: instructions, tags: [core], source: {local_path: {path: modules/base}}}
  - {id: 'command:hello', type: command, tags: [core], source: {local_path: {path: modules/hello.md}}}
";

fn place() -> Place {
    let place = Place::new();
    let repo = place.path().join(".agentpack/repo");
    write(&repo.join("agentpack.yaml"), YAML);
    write(&repo.join("modules/base/AGENTS.md"), "# base\n");
    write(&repo.join("modules/hello.md"), "---\ndescription: hi\n---\n");
    place
}

/// Lines of the output that contain all of these words.
fn lines<'a>(text: &'a str, words: &[&str]) -> Vec<&'a str> {
    text.lines().filter(|line| words.iter().all(|w| line.contains(w))).collect()
}

#[test]
fn a_person_sees_the_plan_decides_and_can_go_back() {
    let place = place();
    write(&place.work().join("AGENTS.md"), "mine\n");
    let plan = place.packd(&["deploy"]).ok();
    assert_eq!(lines(&plan, &["update", "AGENTS.md", "needs --adopt"]).len(), 1, "{plan}");
    assert!(plan.contains("1 to create, 1 to update, 0 to delete."), "{plan}");
    let refused = place.packd(&["deploy", "--apply"]).failed(1);
    assert!(refused.contains("This needs your agreement"), "nobody was asked: {refused}");
    let refused = place.packd(&["deploy", "--apply", "--yes"]).failed(1);
    assert!(refused.contains("An existing file that packd does not manage"), "{refused}");
    assert!(refused.contains("--adopt overwrites them"), "a person needs a flag, not a call: {refused}");
    assert_eq!(std::fs::read_to_string(place.work().join("AGENTS.md")).unwrap(), "mine\n");
    let done = place.packd(&["deploy", "--apply", "--yes", "--adopt"]).ok();
    assert!(done.contains("Deployed 2 files; snapshot "), "{done}");
    assert!(place.packd(&["deploy", "status"]).ok().contains("Everything is as it was deployed."));
    assert!(place.packd(&["deploy"]).ok().contains("Everything is up to date."));
    let snapshots = place.packd(&["deploy", "snapshots"]).ok();
    let current = lines(&snapshots, &["claude_code,codex (current)"])[0].split(' ').next().unwrap();
    let back = place.packd(&["deploy", "rollback", current, "--yes"]).ok();
    assert!(back.contains("Everything is as snapshot"), "{back}");
    let preview = place.packd(&["undo"]).ok();
    let show = lines(&preview, &["packd show "])[0].split('`').nth(1).unwrap().to_string();
    let args: Vec<&str> = show.split(' ').skip(1).collect();
    let shown = place.packd(&args).ok();
    assert!(shown.contains("-mine\n+# base\n"), "the team lead sees what was changed: {shown}");
    assert!(place.packd(&["undo", "--yes"]).ok().contains("Deployed 2 files"));
    assert_eq!(std::fs::read_to_string(place.work().join("AGENTS.md")).unwrap(), "mine\n");
    assert!(!place.work().join(".claude").exists());
}

#[test]
fn drift_is_told_apart_and_edits_find_their_way_back() {
    let place = place();
    let repo = place.path().join(".agentpack/repo");
    git(&repo, &["init", "-q"]);
    git(&repo, &["add", "-A"]);
    git(&repo, &["commit", "-qm", "one"]);
    place.packd(&["deploy", "--apply", "--yes"]).ok();
    write(&place.work().join("AGENTS.md"), "# base\nby hand\n");
    std::fs::remove_file(place.work().join(".claude/commands/hello.md")).unwrap();
    write(&place.work().join(".claude/commands/other.md"), "theirs\n");
    let status = place.packd(&["deploy", "status"]).ok();
    assert_eq!(lines(&status, &["modified", "AGENTS.md"]).len(), 1, "{status}");
    assert_eq!(lines(&status, &["missing", "hello.md"]).len(), 1, "{status}");
    assert_eq!(lines(&status, &["extra", "other.md"]).len(), 1, "{status}");
    assert!(status.contains("`packd deploy evolve propose` keeps the edits"), "{status}");
    let diff = place.packd(&["deploy", "diff"]).ok();
    let only = place.packd(&["deploy", "status", "--only", "missing"]).ok();
    assert!(only.contains("hello.md") && !only.contains("AGENTS.md"), "{only}");
    place.packd(&["deploy", "diff", "--adopt"]).failed(2);
    let header = "update AGENTS.md";
    assert!(diff.contains(header) && diff.contains("-by hand"), "{diff}");
    let preview = place.packd(&["deploy", "evolve", "propose"]).ok();
    assert_eq!(lines(&preview, &["propose", "instructions:base", "AGENTS.md"]).len(), 1, "{preview}");
    assert!(preview.contains("A preview"), "{preview}");
    let missing = place.packd(&["deploy", "evolve", "propose", "--yes"]).failed(1);
    assert!(missing.contains("Set user.name and user.email"), "{missing}");
    git(&repo, &["config", "user.name", "t"]);
    git(&repo, &["config", "user.email", "t@example.com"]);
    let proposed = place.packd(&["deploy", "evolve", "propose", "--scope", "project", "--yes"]).ok();
    assert!(proposed.contains("Committed 1 overlay file on branch evolve/propose-project-"), "{proposed}");
    let none = place.packd(&["deploy", "evolve", "restore", "--module", "instructions:base"]).ok();
    assert!(none.contains("No file is missing."), "{none}");
    let restored = place.packd(&["deploy", "evolve", "restore", "--yes"]).ok();
    assert_eq!(lines(&restored, &["restore", "hello.md"]).len(), 1, "{restored}");
    write(&repo.join("modules/new.md"), "---\ndescription: new\n---\n");
    let more = "  - {id: 'command:new', type: command, tags: [core], source: {local_path: {path: modules/new.md}}}\n";
    write(&repo.join("agentpack.yaml"), format!("{YAML}{more}"));
    let status = place.packd(&["deploy", "status"]).ok();
    assert_eq!(lines(&status, &["not deployed yet", "new.md"]).len(), 1, "{status}");
    let doctor = place.packd(&["deploy", "doctor"]).ok();
    assert_eq!(lines(&doctor, &["ok", "claude_code", ".claude/commands"]).len(), 1, "{doctor}");
}
