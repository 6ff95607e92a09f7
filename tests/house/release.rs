//! A release from end to end: the script makes it of the programs at hand, and what it makes runs from a root of its own.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use crate::common::real::{PACKD, Place};

fn run(command: &mut Command) -> String {
    let out = command.output().unwrap_or_else(|e| panic!("{command:?}: {e}"));
    let said = format!("{}{}", String::from_utf8_lossy(&out.stdout), String::from_utf8_lossy(&out.stderr));
    assert!(out.status.success(), "{command:?}: {said}");
    said
}

fn has(program: &str, args: &[&str]) -> bool {
    Command::new(program).args(args).output().is_ok_and(|out| out.status.success())
}

/// Runs `packd up` and a call of a program below some root, in a home of its own.
fn works(packd: &Path) {
    let place = Place::new();
    let ran = |args: &[&str]| {
        let mut command = place.command(packd.to_str().unwrap());
        run(command.args(args))
    };
    let said = ran(&["up"]);
    assert!(said.contains("ok  shim") && said.contains("ok  undo"), "{said}");
    assert!(ran(&["--version"]).starts_with(&format!("packd {}", env!("CARGO_PKG_VERSION"))));
    ran(&["stop"]);
}

#[test]
fn a_release_is_made_of_one_version_and_runs_where_it_is_installed() {
    let scratch = tempfile::tempdir().unwrap();
    let (dist, root) = (scratch.path().join("dist"), scratch.path().join("root"));
    let bin = Path::new(PACKD).parent().unwrap();
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/packaging/release.sh");
    let mut release = Command::new(script);
    release.arg("--out").arg(&dist).arg("--bin").arg(bin).args(["--base", "https://example.org/r", "--fast"]);
    let said = run(&mut release);
    print!("{said}");
    let version = env!("CARGO_PKG_VERSION");
    let files: Vec<PathBuf> = std::fs::read_dir(&dist).unwrap().map(|e| e.unwrap().path()).collect();
    let ending = |end: &str| files.iter().find(|f| f.to_string_lossy().ends_with(end));

    // The tarball: both programs, completions, a page for each of them.
    let tarball = ending(&format!("-{}.tar.gz", std::env::consts::ARCH)).expect("a tarball").clone();
    std::fs::create_dir(&root).unwrap();
    run(Command::new("tar").arg("-xzf").arg(&tarball).arg("-C").arg(&root));
    let top = std::fs::read_dir(&root).unwrap().next().unwrap().unwrap().path();
    for file in [
        "bin/packd-mcp",
        "share/man/man1/packd.1",
        "share/man/man1/packd-mcp.1",
        "share/bash-completion/completions/packd",
        "share/zsh/site-functions/_packd",
    ] {
        assert!(top.join(file).is_file(), "{file}");
    }
    works(&top.join("bin/packd"));

    // Every file has its checksum, and it is right.
    let sums = std::fs::read_to_string(dist.join("SHA256SUMS")).unwrap();
    assert_eq!(sums.lines().count(), files.len() - 1, "{sums}");
    if has("sha256sum", &["--version"]) {
        run(Command::new("sha256sum").args(["--check", "--quiet", "SHA256SUMS"]).current_dir(&dist));
    }

    match ending(".mcpb") {
        Some(bundle) => {
            let entry: Value =
                serde_json::from_str(&std::fs::read_to_string(dist.join("server.json")).unwrap()).unwrap();
            assert_eq!(entry["version"], json!(version));
            let package = &entry["packages"][0];
            let name = bundle.file_name().unwrap().to_str().unwrap();
            assert_eq!(package["identifier"], json!(format!("https://example.org/r/{name}")));
            assert!(sums.contains(package["fileSha256"].as_str().unwrap()));
        }
        None => assert!(said.contains("skipped: zip"), "{said}"),
    }
    match ending("packd.rb") {
        Some(formula) => {
            let text = std::fs::read_to_string(formula).unwrap();
            assert!(!text.contains('@') && text.contains(&format!("packd-{version}-src.tar.gz")), "{text}");
        }
        None => assert!(said.contains("skipped: git"), "{said}"),
    }

    // The Debian package, unpacked below a root as dpkg would.
    let Some(deb) = ending(".deb") else {
        assert!(said.contains("skipped: cargo deb"), "{said}");
        return println!("skipped: the Debian package (cargo-deb is not installed)");
    };
    if !has("dpkg-deb", &["--version"]) {
        return println!("skipped: dpkg-deb is not installed");
    }
    let system = scratch.path().join("system");
    run(Command::new("dpkg-deb").arg("-x").arg(deb).arg(&system));
    let told = run(Command::new("dpkg-deb").arg("-f").arg(deb).args(["Package", "Version"]));
    assert!(told.contains("packd") && told.contains(version), "{told}");
    assert!(system.join("usr/share/man/man1/packd-mcp.1.gz").is_file());
    works(&system.join("usr/bin/packd"));
}
