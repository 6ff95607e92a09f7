//! `packd setup --hooks`, `--agents-md` and `--plugin` with the real programs: comments stay, and each comes back by itself.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use packd::families::hosts::hooks::HOOKED;
use packd::families::hosts::table::UserDirs;
use serde_json::{Value, json};

use crate::common::real::{PACKD, Place, Ran, SHIM};

fn places(place: &Place) -> UserDirs {
    UserDirs {
        home: place.path().into(),
        workspace: place.work(),
        macos: cfg!(target_os = "macos"),
        ..UserDirs::default()
    }
}

/// A lived-in file for every host with hooks. Returns the files with their bytes.
fn furnish(place: &Place) -> Vec<(&'static str, PathBuf, String)> {
    let mut files = Vec::new();
    for hooked in HOOKED {
        let path = hooked.file(&places(place), false);
        let text = "{\n  // mine\n  \"hooks\": {\n    \"Stop\": [ { \"command\": \"say done\" } ]\n  },\n  \"other\": [1, 2]\n}\n";
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        files.push((hooked.host, path, text.to_string()));
    }
    files
}

#[test]
fn hooks_are_written_between_what_was_there_and_each_host_comes_back_by_itself() {
    let place = Place::new();
    let files = furnish(&place);
    for (host, path, before) in &files {
        let dry = place.packd(&["setup", host, "--hooks", "--dry-run", "--json"]).json();
        assert_eq!(dry["hosts"][0]["action"], "added");
        assert_eq!(&fs::read_to_string(path).unwrap(), before, "a dry run wrote {host}");
        let done = place.packd(&["setup", host, "--hooks", "--json"]).json();
        assert_eq!(
            (&done["hosts"][0]["action"], &done["changed"]),
            (&json!("added"), &json!(true)),
            "{done}"
        );
        let text = fs::read_to_string(path).unwrap();
        for part in ["// mine", "say done", "[1, 2]", SHIM, " hook session-start --host ", "PACKD_HOME="] {
            assert!(text.contains(part), "{part} is not in {host}:\n{text}");
        }
        let again = place.packd(&["setup", host, "--hooks", "--json"]).json();
        assert_eq!(again["hosts"][0]["action"], "unchanged");
    }
    let listed = place.packd(&["setup", "--hooks", "--json"]).json();
    assert!(
        listed["hosts"].as_array().unwrap().iter().all(|row| row["hooks"].as_u64() >= Some(4)),
        "{listed}"
    );

    // A host rewrote its file since: undo takes out the entries and keeps the rest.
    let (last, path, before) = files.last().unwrap();
    let text = fs::read_to_string(path).unwrap().replace("[1, 2]", "[1, 2, 3]");
    fs::write(path, &text).unwrap();
    place.packd(&["undo", "--family", "hosts", "--yes"]).ok();
    let after = fs::read_to_string(path).unwrap();
    assert_eq!(after.replace("[1, 2, 3]", "[1, 2]"), *before, "{last}");
    for (host, path, before) in files.iter().rev().skip(1) {
        place.packd(&["undo", "--family", "hosts", "--yes"]).ok();
        assert_eq!(&fs::read_to_string(path).unwrap(), before, "{host}");
    }
}

#[test]
fn hooks_are_taken_out_and_an_older_path_is_renewed() {
    let place = Place::new();
    let files = furnish(&place);
    let (host, path, before) = &files[0];
    place.packd(&["setup", host, "--hooks"]).ok();
    let old = fs::read_to_string(path).unwrap().replace(SHIM, "/old/packd-mcp");
    fs::write(path, &old).unwrap();
    let done = place.packd(&["setup", host, "--hooks", "--json"]).json();
    assert_eq!(done["hosts"][0]["action"], "updated");
    assert!(!fs::read_to_string(path).unwrap().contains("/old/"));
    place.packd(&["setup", host, "--hooks", "--remove"]).ok();
    let without_space = |text: &str| text.split_whitespace().collect::<String>();
    assert_eq!(without_space(&fs::read_to_string(path).unwrap()), without_space(before));
    assert_eq!(
        place.packd(&["setup", host, "--hooks", "--remove", "--json"]).json()["hosts"][0]["action"],
        "absent"
    );
}

#[test]
fn a_file_that_is_no_json_is_left_alone_and_a_host_without_hooks_says_so() {
    let place = Place::new();
    let (host, path, _) = furnish(&place).remove(1);
    fs::write(&path, "{ broken").unwrap();
    let ran = place.packd(&["setup", host, "--hooks"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.stdout.contains("paste this") && ran.stdout.contains("hook session-start"), "{}", ran.stdout);
    assert_eq!(fs::read_to_string(&path).unwrap(), "{ broken");
    let zed = place.packd(&["setup", "zed", "--hooks"]).failed(1);
    assert!(zed.contains("Zed runs no hooks") && zed.contains("claude, codex"), "{zed}");
}

#[test]
fn a_server_entry_and_hooks_in_one_file_come_back_apart() {
    let place = Place::new();
    place.packd(&["setup", "gemini"]).ok();
    place.packd(&["setup", "gemini", "--hooks"]).ok();
    let path = place.path().join(".gemini/settings.json");
    // The host adds something of its own, so that undo goes by entries.
    let text = fs::read_to_string(&path).unwrap().replacen('{', "{\n  \"theme\": \"dark\",", 1);
    fs::write(&path, text).unwrap();
    place.packd(&["undo", "--family", "hosts", "--yes"]).ok();
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains("mcpServers") && text.contains(SHIM) && !text.contains(" hook "), "{text}");
    // Hooks again, then the entry goes by hand; undoing the hooks does not bring the entry back.
    place.packd(&["setup", "gemini", "--hooks"]).ok();
    place.packd(&["setup", "gemini", "--remove"]).ok();
    let id = place.packd(&["history", "--family", "hosts", "--json"]).json()["operations"][1]["operation_id"]
        .clone();
    place.packd(&["revert", id.as_str().unwrap(), "--yes"]).ok();
    let text = fs::read_to_string(&path).unwrap();
    assert!(!text.contains("packd-mcp") && text.contains("dark"), "{text}");
}

#[test]
fn the_section_for_agents_is_written_renewed_and_taken_back() {
    let place = Place::new();
    let work = place.work();
    fs::create_dir(work.join(".git")).unwrap();
    fs::write(work.join("CLAUDE.md"), "# Mine\n\nBe kind.\n").unwrap();
    fs::create_dir(work.join(".github")).unwrap();
    fs::write(work.join(".github/copilot-instructions.md"), "Short.").unwrap();
    std::os::unix::fs::symlink("AGENTS.md", work.join("GEMINI.md")).unwrap();
    place.packd(&["setup", "--agents-md"]).ok();
    let agents = fs::read_to_string(work.join("AGENTS.md")).unwrap();
    assert_eq!(agents.matches("<!-- packd: begin").count(), 1, "a link is not a second file");
    let claude = fs::read_to_string(work.join("CLAUDE.md")).unwrap();
    assert!(claude.starts_with("# Mine\n\nBe kind.\n\n<!-- packd: begin") && claude.contains("`now`"));
    assert!(
        fs::read_to_string(work.join(".github/copilot-instructions.md")).unwrap().contains("`tasks_claim`")
    );
    // Somebody wrote below it, and the words of the section are older than this packd's.
    fs::write(work.join("CLAUDE.md"), claude.replace("`now`", "`then`") + "\nMore of mine.\n").unwrap();
    let again = place.packd(&["setup", "--agents-md", "--json"]).json();
    let actions: Vec<&Value> = again["files"].as_array().unwrap().iter().map(|row| &row["action"]).collect();
    assert_eq!(actions, ["unchanged", "updated", "unchanged"]);
    let claude = fs::read_to_string(work.join("CLAUDE.md")).unwrap();
    assert!(claude.contains("`now`") && claude.ends_with("-->\n\nMore of mine.\n"));
    place.packd(&["undo", "--family", "hosts", "--yes"]).ok();
    place.packd(&["undo", "--family", "hosts", "--yes"]).ok();
    assert!(!work.join("AGENTS.md").exists(), "what packd made goes");
    let claude = fs::read_to_string(work.join("CLAUDE.md")).unwrap();
    assert!(
        claude.starts_with("# Mine\n\nBe kind.\n")
            && claude.contains("More of mine.")
            && !claude.contains("packd: begin")
    );
    assert_eq!(fs::read_to_string(work.join(".github/copilot-instructions.md")).unwrap(), "Short.");
}

#[test]
fn taking_the_section_out_leaves_no_trace() {
    let place = Place::new();
    fs::create_dir(place.work().join(".git")).unwrap();
    fs::write(place.work().join("AGENTS.md"), "# Mine\n").unwrap();
    place.packd(&["setup", "--agents-md"]).ok();
    place.packd(&["setup", "--agents-md", "--remove"]).ok();
    assert_eq!(fs::read_to_string(place.work().join("AGENTS.md")).unwrap(), "# Mine\n");
}

/// A host's own program that notes what it was asked, and says in its settings what the real one says.
fn stand_in(place: &Place) -> PathBuf {
    let bin = place.path().join("bin");
    fs::create_dir(&bin).unwrap();
    let program = bin.join("claude");
    fs::write(
        &program,
        "#!/bin/sh\necho \"$@\" >> \"$HOME/asked\"\ncase \"$2\" in\n\
         install) mkdir -p \"$HOME/.claude\"; echo '{\"enabledPlugins\": {\"packd@packd\": true}}' > \"$HOME/.claude/settings.json\";;\n\
         uninstall) [ -f \"$HOME/.claude/settings.json\" ] && rm \"$HOME/.claude/settings.json\";;\nesac\n",
    )
    .unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    bin
}

fn with_stand_in(place: &Place, bin: &std::path::Path, args: &[&str]) -> Ran {
    let mut command = place.command(PACKD);
    command.args(args).env("PATH", format!("{}:/usr/bin:/bin", bin.display()));
    Ran::of(command)
}

#[test]
fn a_plugin_takes_the_place_of_the_plain_entry_and_doctor_names_a_host_with_both() {
    let place = Place::new();
    let bin = stand_in(&place);
    with_stand_in(&place, &bin, &["setup", "claude"]).ok();
    let done = with_stand_in(&place, &bin, &["setup", "claude", "--plugin", "--json"]).json();
    assert_eq!(done["plain_entry_removed"], true, "{done}");
    let dir = PathBuf::from(done["dir"].as_str().unwrap());
    assert!(fs::read_to_string(dir.join(".mcp.json")).unwrap().contains(SHIM), "with the full path");
    let asked = fs::read_to_string(place.path().join("asked")).unwrap();
    assert!(
        asked.contains(&format!("plugin marketplace add {}\nplugin install packd@packd\n", dir.display())),
        "{asked}"
    );
    assert!(!fs::read_to_string(place.path().join(".claude.json")).unwrap().contains("packd-mcp"));
    let doctor = |what: &str| {
        let ran = with_stand_in(&place, &bin, &["doctor", "--json"]);
        let checks = ran.json()["checks"].as_array().unwrap().clone();
        checks.iter().any(|check| check["found"].as_str().unwrap().contains(what))
    };
    assert!(doctor("claude has packd as a plugin"));
    assert!(doctor("none has fired"), "its hooks were not heard of yet");
    with_stand_in(&place, &bin, &["setup", "claude"]).ok();
    assert!(doctor("claude has packd as a plugin and as an entry of its own"));
    with_stand_in(&place, &bin, &["setup", "claude", "--plugin", "--remove"]).ok();
    assert!(!dir.exists());
    // A program that fails says why, and nothing else is changed.
    fs::write(bin.join("claude"), "#!/bin/sh\necho no such command; exit 1\n").unwrap();
    let failed = with_stand_in(&place, &bin, &["setup", "claude", "--plugin"]).failed(1);
    assert!(failed.contains("no such command"), "{failed}");
    assert!(fs::read_to_string(place.path().join(".claude.json")).unwrap().contains("packd-mcp"));
}

#[test]
fn a_host_that_takes_no_plugin_gets_the_entry() {
    let place = Place::new();
    let done = place.packd(&["setup", "zed", "--plugin", "--json"]).json();
    assert_eq!(done["hosts"][0]["action"], "created", "{done}");
}

/// Found with a real host: the tree was made in a home that did not exist yet, open to all, and the daemon refused it.
#[test]
fn a_plugin_may_be_the_first_thing_anybody_asks_of_packd() {
    let place = Place::new();
    let bin = place.path().join("bin");
    fs::create_dir(&bin).unwrap();
    fs::write(bin.join("codex"), "#!/bin/sh\nexit 0\n").unwrap();
    fs::set_permissions(bin.join("codex"), fs::Permissions::from_mode(0o755)).unwrap();
    let mut setup = place.command(PACKD);
    setup.args(["setup", "codex", "--plugin"]).env("PATH", format!("{}:/usr/bin:/bin", bin.display()));
    Ran::of(setup).ok();
    let mode = fs::metadata(place.home().dir()).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o700);
    place.packd(&["status"]).ok();
}
