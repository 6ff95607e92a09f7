//! What is in `packaging/` fits the program. `PACKD_UPDATE_PACKAGING=1 cargo test packaging` renews what is generated.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use clap_complete::{Generator, Shell};
use serde_json::{Value, json};

fn dir() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("packaging")
}

fn read(path: &str) -> String {
    fs::read_to_string(dir().join(path)).unwrap_or_else(|e| panic!("{path}: {e}"))
}

fn files_in(path: &Path) -> BTreeMap<String, String> {
    let entries = fs::read_dir(path).into_iter().flatten().map(|e| e.unwrap().path());
    entries
        .map(|p| (p.file_name().unwrap().to_string_lossy().into_owned(), fs::read_to_string(&p).unwrap()))
        .collect()
}

/// A directory holds exactly these files.
fn in_sync(name: &str, wanted: &BTreeMap<String, String>) {
    let path = dir().join(name);
    if std::env::var_os("PACKD_UPDATE_PACKAGING").is_some() {
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        wanted.iter().for_each(|(file, text)| fs::write(path.join(file), text).unwrap());
        return;
    }
    let found = files_in(&path);
    let names = |files: &BTreeMap<String, String>| files.keys().cloned().collect::<Vec<_>>();
    let renew = "renew it with PACKD_UPDATE_PACKAGING=1 cargo test packaging";
    assert_eq!(names(&found), names(wanted), "packaging/{name}: {renew}");
    for (file, text) in wanted {
        assert!(found[file] == *text, "packaging/{name}/{file} is not what the program says: {renew}");
    }
}

#[test]
fn completions_are_those_of_the_command_line() {
    let shells = [Shell::Bash, Shell::Zsh, Shell::Fish, Shell::Elvish, Shell::PowerShell];
    let place = crate::common::real::Place::new();
    let wanted = shells
        .map(|shell| (shell.file_name("packd"), place.packd(&["completions", &shell.to_string()]).ok()));
    in_sync("completions", &BTreeMap::from(wanted));
}

#[test]
fn manual_pages_are_those_of_the_command_line() {
    let scratch = tempfile::tempdir().unwrap();
    let place = crate::common::real::Place::new();
    place.packd(&["man", scratch.path().to_str().unwrap()]).ok();
    assert!(scratch.path().join("packd-mcp.1").is_file());
    in_sync("man", &files_in(scratch.path()));
}

#[test]
fn the_registry_entry_follows_its_schema() {
    let entry: Value = serde_json::from_str(&filled("mcp/server.json.in")).unwrap();
    assert_eq!(
        entry["$schema"],
        json!("https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json")
    );
    let name = entry["name"].as_str().unwrap();
    assert_eq!(name.matches('/').count(), 1);
    assert!((3..=200).contains(&name.len()));
    assert!((1..=100).contains(&entry["description"].as_str().unwrap().len()));
    assert_eq!(entry["version"], json!(env!("CARGO_PKG_VERSION")));
    let package = &entry["packages"][0];
    assert_eq!(package["version"], json!(env!("CARGO_PKG_VERSION")));
    assert_eq!(package["transport"]["type"], json!("stdio"));
    // The crate's own program is no MCP server; the bundle starts the one that is.
    assert_eq!(package["registryType"], json!("mcpb"));
    assert!(package["identifier"].as_str().unwrap().ends_with(".mcpb"));
    assert_eq!(package["fileSha256"].as_str().unwrap().len(), 64);
}

#[test]
fn the_bundle_starts_the_shim_with_arguments_it_takes() {
    let manifest: Value = serde_json::from_str(&filled("mcpb/manifest.json.in")).unwrap();
    assert_eq!(manifest["version"], json!(env!("CARGO_PKG_VERSION")));
    assert_eq!(manifest["server"]["type"], json!("binary"));
    let config = &manifest["server"]["mcp_config"];
    let entry_point = manifest["server"]["entry_point"].as_str().unwrap();
    assert_eq!(config["command"], json!(format!("${{__dirname}}/{entry_point}")));
    let filled: Vec<String> = config["args"]
        .as_array()
        .unwrap()
        .iter()
        .map(|arg| {
            let arg = arg.as_str().unwrap();
            match arg.strip_prefix("${user_config.").and_then(|a| a.strip_suffix('}')) {
                Some(key) => manifest["user_config"][key]["default"].as_str().unwrap().to_string(),
                None => arg.to_string(),
            }
        })
        .collect();
    takes(&filled.iter().map(String::as_str).collect::<Vec<_>>());
}

/// A template as `release.sh` fills it.
fn filled(path: &str) -> String {
    read(path)
        .replace("@VERSION@", env!("CARGO_PKG_VERSION"))
        .replace("@BASE@", "https://example.org")
        .replace("@MCPB@", "packd.mcpb")
        .replace("@MCPB_SHA256@", &"0".repeat(64))
}

/// The shim understands these arguments.
fn takes(args: &[&str]) {
    let args = args.iter().map(std::ffi::OsString::from);
    if let Err(why) = packd::shim::flags::parse(args, |_| None) {
        panic!("packd-mcp: {why}");
    }
}

#[test]
fn the_debian_package_names_files_that_exist() {
    let manifest = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml")).unwrap();
    let manifest: toml::Table = manifest.parse().unwrap();
    let deb = &manifest["package"]["metadata"]["deb"];
    let mut programs = 0;
    for asset in deb["assets"].as_array().unwrap() {
        let from = asset[0].as_str().unwrap();
        match from.strip_prefix("target/release/") {
            Some(program) => {
                assert!(["packd", "packd-mcp"].contains(&program));
                programs += 1;
            }
            None => {
                let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(from.replace("*.1", "packd.1"));
                assert!(path.is_file(), "{from} does not exist");
            }
        }
    }
    assert_eq!(programs, 2);
}

#[test]
fn the_scripts_are_shell_and_the_formula_is_a_template() {
    for script in ["install.sh", "release.sh"] {
        let path = dir().join(script);
        assert!(Command::new("sh").arg("-n").arg(&path).status().unwrap().success(), "{script}");
        use std::os::unix::fs::PermissionsExt;
        assert!(fs::metadata(&path).unwrap().permissions().mode() & 0o111 != 0, "{script} is not executable");
    }
    assert!(Command::new(dir().join("install.sh")).arg("--wrong").output().unwrap().status.code() == Some(2));
    let formula = read("homebrew/packd.rb.in");
    for part in ["@URL@", "@SHA256@", "packd\", \"daemon\"", "PACKD_IDLE_MINUTES"] {
        assert!(formula.contains(part), "{part}");
    }
}
