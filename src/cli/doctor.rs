//! `packd doctor`: one line per check, each failure with the exact remedy.

use std::os::unix::fs::PermissionsExt;

use serde_json::{Value, json};

use super::render::{Ink, Render};
use super::{Client, Failure, Scope};
use crate::daemon::Config;
use crate::ipc::Home;

#[derive(Clone, Copy, PartialEq)]
enum Verdict {
    Pass,
    Warn,
    Fail,
}

struct Check {
    name: &'static str,
    verdict: Verdict,
    found: String,
    remedy: Option<String>,
}

impl Check {
    fn pass(name: &'static str, found: impl Into<String>) -> Check {
        Check { name, verdict: Verdict::Pass, found: found.into(), remedy: None }
    }

    fn bad(
        name: &'static str,
        verdict: Verdict,
        found: impl Into<String>,
        remedy: impl Into<String>,
    ) -> Check {
        Check { name, verdict, found: found.into(), remedy: Some(remedy.into()) }
    }
}

pub fn run(render: Render) -> Result<(), Failure> {
    let home = Home::locate()?;
    let mut checks = vec![directory(&home), config(&home), shim(), git()];
    match Client::open(&Scope::default()) {
        Ok(mut client) => {
            checks.push(daemon(&client));
            checks.push(socket(&home));
            checks.push(rows(&mut client));
        }
        Err(failure) => checks.push(Check::bad(
            "daemon",
            Verdict::Fail,
            failure.message,
            failure.hint.unwrap_or_else(|| "Run `packd daemon` in a terminal to see why.".into()),
        )),
    }
    checks.push(disk(&home));
    let word = |v: Verdict| match v {
        Verdict::Pass => "pass",
        Verdict::Warn => "warn",
        Verdict::Fail => "fail",
    };
    let list: Vec<Value> = checks
        .iter()
        .map(|c| json!({"check": c.name, "verdict": word(c.verdict), "found": c.found, "remedy": c.remedy}))
        .collect();
    let failed = checks.iter().any(|c| c.verdict == Verdict::Fail);
    render.show(&json!({"ok": !failed, "checks": list}), |r| {
        for check in &checks {
            let ink = match check.verdict {
                Verdict::Pass => Ink::Green,
                Verdict::Warn => Ink::Yellow,
                Verdict::Fail => Ink::Red,
            };
            r.line(format!("{}  {:<10} {}", r.ink(ink, word(check.verdict)), check.name, check.found));
            if let Some(remedy) = &check.remedy {
                r.line(format!("      {remedy}"));
            }
        }
    });
    if failed { Err(Failure::refused("Something needs your attention; see above.")) } else { Ok(()) }
}

fn directory(home: &Home) -> Check {
    let shown = home.dir().display();
    match home.verify() {
        Ok(true) => Check::pass("home", format!("{shown} is yours alone")),
        Ok(false) => Check::pass("home", format!("{shown} will be created at the first start")),
        Err(trouble) => Check::bad("home", Verdict::Fail, trouble.message, trouble.hint),
    }
}

fn config(home: &Home) -> Check {
    match Config::load(home) {
        Ok(_) if home.config().exists() => Check::pass("config", home.config().display().to_string()),
        Ok(_) => Check::pass("config", "defaults (no config.toml)"),
        Err(trouble) => Check::bad("config", Verdict::Fail, trouble.message, trouble.hint),
    }
}

/// The shim lives beside this program; hosts are pointed at it.
fn shim() -> Check {
    let beside = std::env::current_exe().ok().map(|exe| exe.with_file_name("packd-mcp"));
    match beside {
        Some(path) if path.is_file() => Check::pass("shim", path.display().to_string()),
        _ => Check::bad(
            "shim",
            Verdict::Warn,
            "packd-mcp is not beside packd",
            "Install both programs into the same directory.",
        ),
    }
}

fn git() -> Check {
    match std::process::Command::new("git").arg("--version").output() {
        Ok(out) if out.status.success() => {
            Check::pass("git", String::from_utf8_lossy(&out.stdout).trim().to_string())
        }
        _ => Check::bad(
            "git",
            Verdict::Warn,
            "git was not found",
            "Install git; deploys and ecosystems use it.",
        ),
    }
}

fn daemon(client: &Client) -> Check {
    let (theirs, ours) = (client.welcome.version.as_str(), env!("CARGO_PKG_VERSION"));
    if theirs == ours {
        return Check::pass("daemon", format!("pid {}, version {theirs}", client.welcome.pid));
    }
    let found = format!("the daemon is {theirs}, this program is {ours}");
    Check::bad("daemon", Verdict::Warn, found, "Run `packd restart`; open editors notice nothing.")
}

fn socket(home: &Home) -> Check {
    let Ok(path) = home.socket() else {
        return Check::bad("socket", Verdict::Fail, "path too long", "Set PACKD_HOME.");
    };
    match std::fs::symlink_metadata(&path) {
        Ok(meta) if meta.permissions().mode() & 0o077 == 0 => {
            Check::pass("socket", path.display().to_string())
        }
        Ok(meta) => Check::bad(
            "socket",
            Verdict::Warn,
            format!("{} has mode {:03o}", path.display(), meta.permissions().mode() & 0o777),
            format!("Run `chmod 600 '{}'`.", path.display()),
        ),
        Err(e) => Check::bad("socket", Verdict::Fail, e.to_string(), "Run `packd restart`."),
    }
}

fn rows(client: &mut Client) -> Check {
    let answer = match client.request("packd/doctor", json!({})) {
        Ok(answer) => answer,
        Err(failure) => return Check::bad("database", Verdict::Fail, failure.message, "Look at the log."),
    };
    let damaged = answer["damaged_rows"].as_array().cloned().unwrap_or_default();
    if damaged.is_empty() {
        return Check::pass("database", "every row can be read");
    }
    let names: Vec<String> = damaged.iter().map(|d| format!("{}/{}", d["table"], d["key"])).collect();
    let found = format!("{} rows cannot be read: {}", damaged.len(), names.join(", "));
    Check::bad("database", Verdict::Fail, found, "Restore a backup, or undo or delete what they belong to.")
}

fn disk(home: &Home) -> Check {
    let dir = home.dir().ancestors().find(|d| d.exists()).unwrap_or(std::path::Path::new("/"));
    match rustix::fs::statvfs(dir) {
        Ok(s) => {
            let free = s.f_bavail.saturating_mul(s.f_frsize) / (1024 * 1024);
            if free < 200 {
                let remedy =
                    "Free some space: packd refuses to lose data, so it stops when the disk is full.";
                return Check::bad("disk", Verdict::Warn, format!("{free} MiB free"), remedy);
            }
            Check::pass("disk", format!("{free} MiB free"))
        }
        Err(e) => {
            Check::bad("disk", Verdict::Warn, e.to_string(), "Check the file system of the home directory.")
        }
    }
}
