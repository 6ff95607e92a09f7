//! Tickets take up branches that are there, and checkouts do not show as untracked files.

use serde_json::json;

use super::rig::Rig;

const START: &str = "amof_ticket_start";

fn plan(rig: &Rig, ticket: &str) -> String {
    rig.t.call(&rig.session, START, json!({"ecosystem": "demo", "ticket_id": ticket, "mode": "plan"})).text
}

fn start(rig: &Rig, ticket: &str) {
    let run = rig.ran(START, json!({"ecosystem": "demo", "ticket_id": ticket}));
    assert_eq!(run["status"], "success", "{}", rig.log(&run["run_id"]));
}

/// Starting a ticket failed where its branch existed, or would have begun a second one of that name elsewhere.
#[test]
fn a_local_branch_of_the_name_is_taken_up_and_stays() {
    let rig = Rig::new();
    rig.install();
    let clone = rig.checkout("api");
    rig.git(&clone, &["switch", "-q", "-c", "feature/T-1"]);
    let tip = rig.commit(&clone, "Begun by hand");
    let blocked = rig.err(START, json!({"ecosystem": "demo", "ticket_id": "T-1"}));
    assert_eq!(blocked["code"], "preflight_failed");
    assert!(blocked["message"].as_str().unwrap().contains("is checked out in"), "{blocked}");
    rig.git(&clone, &["switch", "-q", "main"]);
    let said = plan(&rig, "T-1");
    assert!(said.contains(&format!("existing local branch feature/T-1 (at {})", &tip[..8])), "{said}");
    assert!(said.contains("web: branch feature/T-1 from origin/main"), "{said}");
    start(&rig, "T-1");
    let tree = rig.root().join("worktrees/demo.tickets/T-1/api");
    assert_eq!(rig.git(&tree, &["rev-parse", "HEAD"]), tip);
    assert_eq!(rig.git(&tree, &["symbolic-ref", "--short", "HEAD"]), "feature/T-1");
    // Its commit is on a branch that stays, but it is on no remote: it goes there before the ticket can be undone.
    rig.git(&clone, &["push", "-q", "origin", "feature/T-1"]);
    rig.ok("history_undo", json!({"yes": true}));
    assert!(!tree.exists());
    assert_eq!(rig.git(&clone, &["rev-parse", "feature/T-1"]), tip, "it was there before");
    assert_eq!(rig.git(&rig.checkout("web"), &["branch", "--list", "feature/T-1"]), "");
    rig.ok("history_redo", json!({"yes": true}));
    assert_eq!(rig.git(&tree, &["rev-parse", "HEAD"]), tip);
    let run = rig.done("amof_ticket_end", json!({"ecosystem": "demo", "ticket_id": "T-1", "cleanup": true}));
    assert_eq!(run["status"], "success", "{}", rig.log(&run["run_id"]));
    assert!(!tree.exists());
    assert_eq!(rig.git(&clone, &["rev-parse", "feature/T-1"]), tip, "and after");
}

#[test]
fn a_remote_branch_of_the_name_is_taken_up() {
    let rig = Rig::new();
    let other = rig.base().join("other");
    rig.git(&rig.base(), &["clone", "-q", rig.remote_dir("api").to_str().unwrap(), other.to_str().unwrap()]);
    rig.git(&other, &["switch", "-q", "-c", "feature/T-2"]);
    let tip = rig.commit(&other, "Begun by somebody else");
    rig.git(&other, &["push", "-q", "origin", "feature/T-2"]);
    rig.install();
    let said = plan(&rig, "T-2");
    assert!(
        said.contains(&format!("existing remote branch origin/feature/T-2 (at {})", &tip[..8])),
        "{said}"
    );
    start(&rig, "T-2");
    let tree = rig.root().join("worktrees/demo.tickets/T-2/api");
    assert_eq!(rig.git(&tree, &["rev-parse", "HEAD"]), tip);
    assert_eq!(rig.git(&tree, &["rev-parse", "--abbrev-ref", "@{upstream}"]), "origin/feature/T-2");
    rig.ok("history_undo", json!({"yes": true}));
    assert!(!tree.exists());
    assert_eq!(rig.git(&rig.checkout("api"), &["branch", "--list", "feature/T-2"]), "");
}

/// Whoever looked at the platform's status saw `?? worktrees/`, and `git add -A` added clones as submodules.
#[test]
fn clones_and_worktrees_are_nobodys_untracked_files() {
    let rig = Rig::new();
    let root = rig.root();
    let file = root.join(".git/info/exclude");
    let before = std::fs::read_to_string(&file).unwrap_or_default();
    rig.install();
    assert_eq!(rig.git(&root, &["status", "--porcelain"]), "");
    assert_eq!(rig.git(&root.join("worktrees/demo"), &["status", "--porcelain"]), "");
    start(&rig, "T-3");
    assert_eq!(rig.git(&root, &["status", "--porcelain"]), "");
    let with_both = std::fs::read_to_string(&file).unwrap();
    assert_eq!(with_both.matches("/worktrees/demo/\n").count(), 1, "{with_both}");
    rig.ok("history_undo", json!({"yes": true}));
    rig.ok("history_redo", json!({"yes": true}));
    assert_eq!(std::fs::read_to_string(&file).unwrap(), with_both);
    rig.ok("history_undo", json!({"yes": true}));
    rig.ok("history_undo", json!({"yes": true}));
    assert_eq!(std::fs::read_to_string(&file).unwrap_or_default(), before, "undone with the operation");
}
