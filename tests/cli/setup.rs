//! `packd setup` and `packd doctor` with the real programs: hosts' files change, and change back.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};

use packd::families::hosts::table::{Format, HOSTS, UserDirs};
use serde_json::{Value, json};

use crate::common::real::{Place, SHIM};

fn places(place: &Place) -> UserDirs {
    UserDirs {
        home: place.path().into(),
        workspace: place.work(),
        macos: cfg!(target_os = "macos"),
        ..UserDirs::default()
    }
}

/// A lived-in file for every host: comments, other servers. Returns the files with their bytes.
fn furnish(place: &Place) -> Vec<(PathBuf, String)> {
    let mut files = Vec::new();
    for host in HOSTS {
        let path = host.file(&places(place), false);
        let text = match host.format {
            Format::Toml => "# mine\n[mcp_servers.other]\ncommand = \"npx\" # keep\n".to_string(),
            Format::Json => {
                format!(
                    "{{\n  // mine\n  \"{}\": {{ \"other\": {{ \"command\": \"npx\" }} }}\n}}\n",
                    host.section
                )
            }
        };
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, &text).unwrap();
        files.push((path, text));
    }
    files
}

fn actions(answer: &Value) -> Vec<&str> {
    answer["hosts"].as_array().unwrap().iter().map(|row| row["action"].as_str().unwrap()).collect()
}

#[test]
fn every_host_is_set_up_and_each_undo_takes_one_back() {
    let place = Place::new();
    let files = furnish(&place);
    let dry = place.packd(&["setup", "--all", "--dry-run", "--json"]).json();
    assert_eq!(actions(&dry), ["added"; 7]);
    assert_eq!(dry["operation_id"], json!(null));
    for (path, text) in &files {
        assert_eq!(&fs::read_to_string(path).unwrap(), text, "a dry run wrote {}", path.display());
    }

    let done = place
        .packd(&["setup", "--all", "--toolsets", "packs,history", "--max-mode", "plan", "--json"])
        .json();
    assert_eq!(actions(&done), ["added"; 7]);
    for (path, _) in &files {
        let text = fs::read_to_string(path).unwrap();
        for part in ["mine", "other", SHIM, "packs,history", "--max-mode", "PACKD_HOME"] {
            assert!(text.contains(part), "{part} is not in {}:\n{text}", path.display());
        }
    }
    let again = place
        .packd(&["setup", "--all", "--toolsets", "packs,history", "--max-mode", "plan", "--json"])
        .json();
    assert_eq!(actions(&again), ["unchanged"; 7]);
    assert_eq!(again["changed"], json!(false));

    // They belong to no project, so a project has nothing to undo, and any directory will do.
    assert!(place.packd(&["undo"]).failed(1).contains("nothing to undo"));
    let elsewhere = place.path().join("elsewhere");
    fs::create_dir(&elsewhere).unwrap();
    let there = |args: &[&str]| {
        let mut command = place.command(crate::common::real::PACKD);
        command.args(args).current_dir(&elsewhere);
        crate::common::real::Ran::of(command)
    };
    let listed = there(&["history", "--family", "hosts"]).ok();
    assert_eq!(listed.matches("Enter packd into").count(), 7, "{listed}");
    assert!(there(&["undo", "--family", "hosts"]).ok().contains("--yes"));
    for left in (0..7).rev() {
        there(&["undo", "--family", "hosts", "--yes"]).ok();
        let with = files.iter().filter(|(path, _)| fs::read_to_string(path).unwrap().contains(SHIM)).count();
        assert_eq!(with, left, "each undo takes one host back");
    }
    for (path, text) in &files {
        assert_eq!(&fs::read_to_string(path).unwrap(), text, "undo left {} changed", path.display());
    }
    for _ in 0..7 {
        place.packd(&["redo", "--family", "hosts", "--yes"]).ok();
    }
    assert!(fs::read_to_string(&files[0].0).unwrap().contains(SHIM));
    let out = place.packd(&["setup", "--all", "--remove", "--json"]).json();
    assert_eq!(actions(&out), ["removed"; 7]);
}

#[test]
fn a_file_that_cannot_be_read_is_left_alone_and_the_snippet_is_shown() {
    let place = Place::new();
    let path = place.path().join(".cursor/mcp.json");
    fs::create_dir(path.parent().unwrap()).unwrap();
    fs::write(&path, "{ \"mcpServers\": ").unwrap();
    let said = place.packd(&["setup", "cursor"]).failed(1);
    assert!(said.contains("\"packd\": {") && said.contains(SHIM), "{said}");
    assert_eq!(fs::read_to_string(&path).unwrap(), "{ \"mcpServers\": ");
    assert!(place.packd(&["history"]).ok().contains("Nothing"));
}

#[test]
fn a_project_file_is_made_with_its_directory_and_both_go_with_undo() {
    let place = Place::new();
    let path = place.work().join(".vscode/mcp.json");
    place.packd(&["setup", "vscode", "--project"]).ok();
    assert!(fs::read_to_string(&path).unwrap().contains(SHIM));
    place.packd(&["undo", "--yes"]).ok();
    assert!(!place.work().join(".vscode").exists());
}

#[test]
fn a_link_into_dotfiles_stays_a_link() {
    let place = Place::new();
    let real = place.path().join("dotfiles/claude.json");
    let link = place.path().join(".claude.json");
    fs::create_dir(real.parent().unwrap()).unwrap();
    fs::write(&real, "{}\n").unwrap();
    std::os::unix::fs::symlink(&real, &link).unwrap();
    place.packd(&["setup", "claude"]).ok();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert!(fs::read_to_string(&real).unwrap().contains(SHIM));
}

/// Claude Code writes to its file at every start, so undo by bytes was refused as soon as the host had run.
#[test]
fn undo_takes_out_the_entry_and_keeps_what_the_host_wrote_since() {
    let place = Place::new();
    let path = place.path().join(".claude.json");
    fs::write(&path, "{\"numStartups\": 1}\n").unwrap();
    place.packd(&["setup", "claude"]).ok();
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replace("\"numStartups\": 1", "\"numStartups\": 2")).unwrap();
    assert!(place.packd(&["undo", "--family", "hosts"]).ok().contains("--yes"), "a preview foresees it");
    place.packd(&["undo", "--family", "hosts", "--yes"]).ok();
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains("\"numStartups\": 2") && !text.contains("packd"), "{text}");
    // The same on the way forth.
    fs::write(&path, text.replace("\"numStartups\": 2", "\"numStartups\": 3")).unwrap();
    place.packd(&["redo", "--family", "hosts", "--yes"]).ok();
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains("\"numStartups\": 3") && text.contains(SHIM), "{text}");
}

#[test]
fn nothing_to_set_up_says_what_can_be_named() {
    let place = Place::new();
    let said = place.packd(&["setup", "--all"]).failed(1);
    assert!(said.contains("claude, codex"), "{said}");
    assert!(place.packd(&["setup", "emacs"]).failed(2).contains("emacs"));
    assert!(place.packd(&["setup", "claude", "--toolsets", "packs,taks"]).failed(2).contains("'taks'"));
    assert!(place.packd(&["setup", "--remove"]).failed(1).contains("--all"));
    assert!(place.packd(&["setup"]).ok().contains("not found"));
}

#[test]
fn an_agent_cannot_ask_for_it() {
    let place = Place::new();
    place.packd(&["stats"]).ok();
    let link = place.session();
    let mut stream = BufReader::new(link.stream);
    for method in ["packd/tool", "packd/backup"] {
        let params = json!({"name": "packd_setup", "arguments": {"verb": "list"}, "file": "/nowhere/x"});
        let message = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
        writeln!(stream.get_mut(), "{message}").unwrap();
        let mut line = String::new();
        stream.read_line(&mut line).unwrap();
        let reply: Value = serde_json::from_str(&line).unwrap();
        assert_eq!(reply["error"]["data"]["code"], json!("not_a_person"), "{line}");
    }
}

#[test]
fn the_doctor_names_a_host_that_starts_nothing_and_mends_it() {
    let place = Place::new();
    let path = place.path().join(".codex/config.toml");
    fs::create_dir(path.parent().unwrap()).unwrap();
    fs::write(&path, "[mcp_servers.packd]\ncommand = \"/gone/packd-mcp\"\nargs = [\"--read-only\"] # mine\n")
        .unwrap();
    let said = place.packd(&["doctor"]).failed(1);
    assert!(said.contains("/gone/packd-mcp") && said.contains("packd setup codex"), "{said}");

    fs::set_permissions(place.socket(), std::os::unix::fs::PermissionsExt::from_mode(0o666)).unwrap();
    let fixed = place.packd(&["doctor", "--fix", "--json"]).json();
    assert_eq!(fixed["ok"], json!(true), "{fixed}");
    assert_eq!(fixed["fixed"].as_array().unwrap().len(), 2, "{fixed}");
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains(SHIM) && text.contains("[\"--read-only\"] # mine"), "{text}");
    assert!(Path::new(SHIM).is_file());
    assert_eq!(place.packd(&["doctor", "--json"]).json()["fixed"], json!([]));
}
