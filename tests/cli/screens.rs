//! Every screen as a person sees it: success, empty, error. 80 columns, no colour; reviewed as text in `snapshots/`.

use super::rig::Desk;
use crate::families::deploy::rig::write;

#[test]
fn empty_screens_say_what_to_type() {
    let desk = Desk::new();
    desk.screen("empty_dashboard", &[]);
    desk.screen("empty_status", &["status"]);
    for (name, args) in [
        ("empty_history", &["history"][..]),
        ("empty_show", &["show"]),
        ("empty_undo", &["undo"]),
        ("empty_redo", &["redo"]),
        ("empty_revert", &["revert", "deadbeef"]),
        ("empty_packs", &["pack", "list"]),
        ("empty_pack_check", &["pack", "check"]),
        ("empty_tasks", &["task", "list"]),
        ("empty_radar", &["task", "radar"]),
        ("empty_task_next", &["task", "next"]),
        ("empty_task_tree", &["task", "tree"]),
        ("empty_focus", &["task", "focus"]),
        ("empty_eco", &["eco", "list"]),
        ("empty_eco_status", &["eco", "status"]),
        ("empty_runs", &["run", "list"]),
        ("empty_run_logs", &["run", "logs"]),
        ("empty_packages", &["pkg", "list"]),
        ("empty_search", &["pkg", "search", "review"]),
        ("empty_outdated", &["pkg", "outdated"]),
        ("empty_verify", &["pkg", "verify"]),
        ("empty_upgrade", &["pkg", "upgrade"]),
        ("empty_registries", &["pkg", "registry", "list"]),
        ("empty_validate", &["pkg", "validate"]),
        ("empty_install", &["pkg", "install", "greeter"]),
        ("empty_deploy", &["deploy"]),
        ("empty_snapshots", &["deploy", "snapshots"]),
        ("empty_confirm", &["confirm", "--list"]),
        ("empty_trash", &["trash"]),
        ("empty_find", &["find", "login", "token"]),
        ("empty_mode", &["mode"]),
        ("empty_dashboard_running", &[]),
    ] {
        desk.screen(name, args);
    }
}

#[test]
fn wrong_values_end_with_two_and_say_what_is_right() {
    let desk = Desk::new();
    for (name, args) in [
        ("wrong_family", &["history", "--family", "nosuch"][..]),
        ("wrong_undo_family", &["undo", "--family", "nosuch"]),
        ("wrong_tool", &["history", "--tool", "nosuch"]),
        ("wrong_target", &["history", "--target", "nosuch"]),
        ("wrong_client", &["history", "--by", "nobody"]),
        ("wrong_time", &["history", "--since", "yesterday"]),
        ("wrong_short_id", &["show", "9c"]),
        ("wrong_call_tool", &["call", "nosuch"]),
        ("wrong_call_json", &["call", "input", "{broken"]),
        ("wrong_topic", &["help", "nosuch"]),
        ("wrong_kind", &["find", "login", "--kind", "nosuch"]),
        ("wrong_color", &["history", "--color", "sometimes"]),
        ("wrong_mode", &["mode", "fast"]),
        ("wrong_task_title", &["task", "add", " "]),
        ("wrong_task_status", &["task", "list", "--status", "maybe"]),
        ("wrong_pack_title", &["pack", "new", ""]),
        ("wrong_pack_lines", &["pack", "add", "login", "src/login.rs:9-3"]),
        ("wrong_pack_no_lines", &["pack", "add", "login", "src/login.rs"]),
        ("wrong_eco_name", &["eco", "init", "No Good"]),
        ("wrong_toolset", &["setup", "cursor", "--toolsets", "nosuch"]),
        ("wrong_tools", &["tools", "nosuch"]),
        ("wrong_limit", &["history", "--limit", "0"]),
    ] {
        assert_eq!(desk.screen(name, args).code, Some(2), "{args:?}");
    }
    for (name, args) in [
        ("missing_pack", &["pack", "show", "nosuch"][..]),
        ("missing_task", &["task", "show", "TASK-099"]),
        ("missing_task_title", &["task", "show", "nosuch"]),
        ("missing_run", &["run", "logs", "deadbeef"]),
        ("missing_operation", &["show", "deadbeef"]),
        ("missing_session", &["history", "--session", "deadbeef"]),
        ("missing_confirmation", &["confirm", "deadbeef"]),
        ("missing_ecosystem", &["eco", "status", "nosuch"]),
        ("missing_package", &["pkg", "info", "nosuch"]),
        ("missing_snapshot", &["deploy", "rollback", "17", "--yes"]),
        ("missing_backup", &["restore", "nosuch.redb", "--yes"]),
    ] {
        assert_eq!(desk.screen(name, args).code, Some(1), "{args:?}");
    }
}

#[test]
fn a_day_with_packs_and_tasks() {
    let desk = Desk::new();
    desk.screen("pack_new", &["pack", "new", "How login works", "--name", "login-flow"]);
    desk.screen("pack_add", &["pack", "add", "login", "src/login.rs:1-3", "--why", "the check itself"]);
    desk.screen("pack_add_symbol", &["pack", "add", "login", "src/login.rs", "--symbol", "main"]);
    desk.screen("pack_list", &["--absolute", "pack", "list"]);
    desk.screen("pack_show", &["pack", "show", "login"]);
    desk.screen("pack_check_ok", &["pack", "check", "login"]);
    desk.screen("pack_export", &["pack", "export", "login"]);
    desk.screen("pack_export_to", &["pack", "export", "login", "--to", "packs"]);
    write(
        &desk.work().join("src/login.rs"),
        "// new\n\nfn verify(token: &str) -> bool {\n    !token.is_empty()\n}\n\nfn main() {}\n",
    );
    desk.screen("pack_check_moved", &["pack", "check", "login"]);
    desk.screen("pack_check_fix", &["pack", "check", "login", "--fix"]);

    desk.screen(
        "task_add",
        &[
            "task",
            "add",
            "Ship OAuth",
            "--step",
            "Wire the login flow",
            "--step",
            "Document it",
            "--test",
            "cargo test",
        ],
    );
    desk.screen("task_add_more", &["task", "add", "Write the guide"]);
    desk.screen("task_step", &["task", "step", "TASK-002", "Collect questions"]);
    desk.screen("task_list", &["task", "list"]);
    desk.screen("task_radar_which", &["task", "radar"]);
    desk.screen("task_start", &["task", "start", "TASK-001"]);
    desk.screen("task_radar", &["task", "radar"]);
    desk.screen("task_next", &["task", "next"]);
    desk.screen("task_done_open", &["task", "done", "TASK-001", "s:0"]);
    desk.screen("task_note", &["task", "note", "TASK-001", "s:0", "the parser works"]);
    desk.screen("task_close_step", &["task", "close", "TASK-001", "s:0"]);
    desk.screen("task_close_open", &["task", "close", "TASK-001"]);
    desk.screen("task_show", &["task", "show", "TASK-001"]);
    desk.screen("task_tree_plan", &["task", "tree", "PLAN-001"]);
    desk.screen("task_focus", &["task", "focus"]);
    desk.screen("task_focus_clear", &["task", "focus", "--clear"]);
    desk.screen("task_undo", &["task", "undo"]);
    desk.screen("task_export", &["task", "export", "out"]);
    desk.screen("dashboard", &["--absolute"]);
    desk.screen("history", &["--absolute", "history", "--limit", "8"]);
    desk.screen("history_family", &["--absolute", "history", "--family", "packs"]);
    desk.screen("history_target", &["--absolute", "history", "--target", "login-flow", "--limit", "2"]);
    desk.screen("history_by", &["--utc", "history", "--by", "you", "--since", "1h", "--limit", "2"]);
    desk.screen("history_all", &["--absolute", "history", "--all", "--limit", "2"]);
    desk.screen("show", &["--absolute", "show"]);
    desk.screen("undo", &["--absolute", "undo", "--yes"]);
    desk.screen("redo", &["--absolute", "redo", "--yes"]);
    desk.screen("revert", &["--absolute", "revert", "@", "--yes"]);
    desk.screen("log", &["--absolute", "log"]);
    desk.screen("workspace_list", &["--absolute", "workspace", "list"]);
    desk.screen("export", &["export", "everything"]);
    let found = desk.screen("find", &["find", "login"]);
    assert!(found.stdout.contains("packd pack show"), "{}", found.stdout);
}

#[test]
fn configuration_and_packages() {
    let desk = Desk::new();
    desk.screen("deploy_init", &["deploy", "init"]);
    desk.screen("deploy_init_again", &["deploy", "init"]);
    desk.screen("deploy_plan_screen", &["deploy"]);
    desk.screen("deploy_diff", &["deploy", "diff"]);
    desk.screen("deploy_apply", &["deploy", "--apply", "--yes"]);
    desk.screen("deploy_status", &["deploy", "status"]);
    desk.screen("deploy_nothing", &["deploy"]);
    write(&desk.work().join("AGENTS.md"), "mine\n");
    desk.screen("deploy_drift", &["deploy", "status"]);
    desk.screen("deploy_doctor", &["deploy", "doctor"]);
    desk.screen("deploy_snapshots_screen", &["--absolute", "deploy", "snapshots"]);
    desk.screen("deploy_evolve", &["deploy", "evolve", "propose"]);
    desk.screen("deploy_restore", &["deploy", "evolve", "restore"]);
    desk.screen("deploy_undo_preview", &["--absolute", "undo"]);

    desk.registry();
    desk.screen("pkg_init", &["pkg", "init", "--name", "my-pack"]);
    desk.screen("pkg_validate", &["pkg", "validate"]);
    desk.screen("pkg_search", &["pkg", "search", "greet"]);
    desk.screen("pkg_info", &["pkg", "info", "greeter"]);
    desk.screen("pkg_install", &["pkg", "install", "greeter"]);
    desk.screen("pkg_list", &["pkg", "list"]);
    desk.screen("pkg_outdated", &["pkg", "outdated"]);
    desk.screen("pkg_verify", &["pkg", "verify"]);
    desk.screen("pkg_upgrade", &["pkg", "upgrade"]);
    desk.screen("pkg_restore", &["pkg", "restore"]);
    desk.screen("pkg_config", &["pkg", "config", "get"]);
    desk.screen("pkg_config_one", &["pkg", "config", "get", "default_platform"]);
    desk.screen("pkg_config_set", &["pkg", "config", "set", "default_platform", "claude"]);
    desk.screen("pkg_registries", &["pkg", "registry", "list"]);
    desk.screen("pkg_doctor", &["pkg", "doctor"]);
    desk.screen("pkg_publish", &["pkg", "publish"]);
    desk.screen("pkg_uninstall", &["pkg", "uninstall", "greeter"]);
    desk.screen("pkg_create", &["pkg", "create", "--name", "second"]);
}

#[test]
fn ecosystems_and_runs() {
    let desk = Desk::new();
    desk.screen("eco_init", &["eco", "init", "fresh"]);
    desk.screen("eco_init_again", &["eco", "init", "fresh"]);
    desk.packd(&["undo", "--yes"]).ok();
    desk.ecosystem();
    desk.screen("eco_list", &["eco", "list"]);
    desk.screen("eco_describe", &["eco", "describe", "demo"]);
    desk.screen("eco_validate", &["eco", "validate", "demo"]);
    desk.screen("eco_status_before", &["eco", "status", "demo"]);
    desk.screen("eco_install_unasked", &["eco", "install", "demo"]);
    desk.screen("eco_install", &["eco", "install", "demo", "--yes"]);
    desk.screen("eco_status", &["--absolute", "eco", "status", "demo"]);
    desk.screen("eco_push_nothing", &["eco", "push", "demo", "--yes"]);
    desk.screen("eco_sync", &["eco", "sync", "demo"]);
    desk.screen("eco_deploy", &["eco", "deploy", "demo", "--yes"]);
    desk.screen("eco_ticket_none", &["eco", "ticket", "list", "demo"]);
    desk.screen("eco_ticket_start", &["eco", "ticket", "start", "ABC-1", "demo"]);
    desk.screen("eco_ticket_list", &["--absolute", "eco", "ticket", "list", "demo"]);
    desk.screen("eco_ticket_switch", &["eco", "ticket", "switch", "main", "demo"]);
    desk.screen("eco_ticket_end", &["eco", "ticket", "end", "ABC-1", "demo", "--yes"]);
    desk.screen("eco_release_status", &["eco", "release", "status", "demo"]);
    desk.screen("eco_release_validate", &["eco", "release", "validate", "demo"]);
    desk.screen("eco_release_log", &["eco", "release", "log", "demo"]);
    desk.screen("run_list", &["--absolute", "run", "list"]);
    desk.screen("run_status", &["--absolute", "run", "status"]);
    desk.screen("run_logs", &["run", "logs"]);
    desk.screen("run_cancel_ended", &["run", "cancel", "@"]);
}

#[test]
fn the_service_and_help() {
    let desk = Desk::new();
    for (name, args) in [
        ("help", &["help"][..]),
        ("help_undo", &["help", "undo"]),
        ("help_modes", &["help", "modes"]),
        ("help_workspaces", &["help", "workspaces"]),
        ("help_hosts", &["help", "hosts"]),
        ("help_task_add", &["help", "task", "add"]),
        ("policy", &["policy"]),
        ("tools_one", &["tools", "tasks_create"]),
        ("tools_history", &["tools", "--family", "history"]),
        ("call_example", &["call", "tasks_note", "--example"]),
        ("setup_list", &["setup"]),
        ("setup_cursor", &["setup", "cursor"]),
        ("setup_again", &["setup", "cursor"]),
        ("setup_dry_run", &["setup", "zed", "--dry-run"]),
        ("setup_remove", &["setup", "cursor", "--remove"]),
        ("setup_remove_which", &["setup", "--remove"]),
        ("doctor", &["doctor"]),
        ("gc", &["gc"]),
        ("backup", &["backup", "kept.redb"]),
        ("backup_exists", &["backup", "kept.redb"]),
        ("restore", &["restore", "kept.redb", "--yes"]),
        ("stop", &["stop"]),
        ("stop_again", &["stop"]),
        ("repair_nothing", &["repair"]),
    ] {
        desk.screen(name, args);
    }
}
