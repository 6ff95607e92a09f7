//! Says which commit a release is built from, and links the shim statically where that works.
//!
//! An editor waits for the shim, and loading shared libraries is much of its start. Only `packd-mcp`, only glibc on the
//! machine that builds, and only after a program linked in the same way has run here. Anywhere else (no static libc installed, cross compilation) nothing is changed.

#![allow(clippy::disallowed_methods, reason = "a build script")]

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The libraries rustc asks for, and what a static program takes in their place.
const INSTEAD: [(&str, &str); 7] = [
    ("gcc_s", "-lgcc_eh -lgcc"),
    ("c", "-l:libc.a"),
    ("m", "-l:libm.a"),
    ("util", "-l:libutil.a"),
    ("rt", "-l:librt.a"),
    ("pthread", "-l:libpthread.a"),
    ("dl", "-l:libdl.a"),
];

fn main() {
    println!("cargo::rerun-if-changed=packaging/link_shim.rs");
    let var = |name: &str| env::var(name).unwrap_or_default();
    // Every commit would build everything anew, which is worth it only for what is given away.
    if var("PROFILE") == "release" {
        say_commit(&var("CARGO_PKG_VERSION"));
    }
    let native = var("HOST") == var("TARGET");
    let glibc = var("CARGO_CFG_TARGET_OS") == "linux" && var("CARGO_CFG_TARGET_ENV") == "gnu";
    // With crt-static asked for, rustc does all of this itself.
    let asked = var("CARGO_CFG_TARGET_FEATURE").split(',').any(|feature| feature == "crt-static");
    if !native || !glibc || asked {
        return;
    }
    let dir = PathBuf::from(var("OUT_DIR")).join("static");
    let arguments = ["-static-pie".to_string(), format!("-L{}", dir.display())];
    if write_scripts(&dir).is_ok() && runs(&dir, &var("RUSTC"), &arguments) {
        for argument in arguments {
            println!("cargo::rustc-link-arg-bin=packd-mcp={argument}");
        }
    }
}

/// `0.1.0 (1781749ab 2026-11-18)`: from whoever packages packd, or from git; without them only the version is known.
fn say_commit(version: &str) {
    println!("cargo::rerun-if-env-changed=PACKD_COMMIT");
    let said = env::var("PACKD_COMMIT").ok().filter(|commit| !commit.is_empty());
    if let Some(commit) = said.or_else(checked_out) {
        println!("cargo::rustc-env=PACKD_BUILD={version} ({commit})");
    }
}

fn checked_out() -> Option<String> {
    let git = |args: &[&str]| -> Option<String> {
        let output = Command::new("git").args(args).output().ok().filter(|output| output.status.success())?;
        Some(String::from_utf8_lossy(&output.stdout).trim().to_string()).filter(|text| !text.is_empty())
    };
    // A checkout inside somebody else's repository is not that repository.
    let top = git(&["rev-parse", "--show-toplevel"])?;
    let here = env::var("CARGO_MANIFEST_DIR").ok()?;
    if fs::canonicalize(top).ok()? != fs::canonicalize(here).ok()? {
        return None;
    }
    for name in ["HEAD", "logs/HEAD"] {
        if let Some(path) = git(&["rev-parse", "--git-path", name]).filter(|path| Path::new(path).exists()) {
            println!("cargo::rerun-if-changed={path}");
        }
    }
    git(&["log", "-1", "--abbrev=9", "--date=short", "--format=%h %cd"])
}

/// rustc names the shared libraries; a linker script under each name leads to the archive.
fn write_scripts(dir: &Path) -> std::io::Result<()> {
    fs::create_dir_all(dir)?;
    INSTEAD.iter().try_for_each(|(name, archive)| {
        fs::write(dir.join(format!("lib{name}.so")), format!("INPUT ( {archive} )\n"))
    })
}

/// Does a program with threads that panics and unwinds link and run like this?
fn runs(dir: &Path, rustc: &str, arguments: &[String]) -> bool {
    let (source, program) = (dir.join("probe.rs"), dir.join("probe"));
    let text = "fn main() { assert!(std::panic::catch_unwind(|| std::thread::spawn(|| panic!()).join().unwrap()).is_err()) }";
    if fs::write(&source, text).is_err() {
        return false;
    }
    let mut compile = Command::new(rustc);
    compile.arg("--edition=2024").arg(&source).arg("-o").arg(&program);
    for argument in arguments {
        compile.arg(format!("-Clink-arg={argument}"));
    }
    let compiled = compile.output().is_ok_and(|output| output.status.success());
    compiled && Command::new(&program).output().is_ok_and(|output| output.status.success())
}
