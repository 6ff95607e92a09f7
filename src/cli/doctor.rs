//! `packd doctor`: one line per check, each failure with the exact remedy; `--fix` applies what is safe.

use std::os::unix::fs::PermissionsExt;

use serde_json::{Value, json};

use super::args::DoctorArgs;
use super::view::doctor::{self as view, CheckVerdict, DoctorCheck};
use super::view::render::Render;
use super::view::{place, size};
use super::{Client, CommandFailure, CommandScope, ToolArgs, service, setup};
use crate::daemon::Config;
use crate::ipc::Home;
use crate::version::BUILD;

impl DoctorCheck {
    pub(super) fn pass(name: &'static str, found: impl Into<String>) -> DoctorCheck {
        DoctorCheck { name, verdict: CheckVerdict::Pass, found: found.into(), remedy: None }
    }

    pub(super) fn bad(
        name: &'static str,
        verdict: CheckVerdict,
        found: impl Into<String>,
        remedy: impl Into<String>,
    ) -> DoctorCheck {
        DoctorCheck { name, verdict, found: found.into(), remedy: Some(remedy.into()) }
    }
}

pub fn run(args: &DoctorArgs, render: Render, scope: &CommandScope) -> Result<(), CommandFailure> {
    let home = Home::locate()?;
    let mut fixed = Vec::new();
    if args.fix {
        // A home that is open to others keeps the daemon from starting: this comes first.
        close_to_others(home.dir(), 0o700, &mut fixed);
        if let Ok(socket) = home.socket() {
            close_to_others(&socket, 0o600, &mut fixed);
        }
    }
    let mut checks = vec![directory(&home), config(&home), shim(), git()];
    // Only while nobody has it open can every page be looked at.
    let file = pages(&home);
    let broken = file.as_ref().is_some_and(|check| check.verdict == CheckVerdict::Fail);
    checks.extend(file);
    match Client::open(scope) {
        Ok(mut client) => {
            checks.push(daemon(&client));
            checks.push(socket(&home));
            if !broken {
                checks.extend(rows(&mut client));
            }
            checks.extend(gone(&mut client));
            checks.extend(approval(&mut client));
            checks.push(registries(&mut client));
            checks.extend(hosts(&mut client, args.fix, &mut fixed));
            checks.extend(super::doctor_hooks::checks(&mut client));
        }
        Err(failure) => checks.push(DoctorCheck::bad(
            "daemon",
            CheckVerdict::Fail,
            failure.message,
            failure.hint.unwrap_or_else(|| "Run `packd daemon` in a terminal to see why.".into()),
        )),
    }
    checks.push(supervisor(&home));
    checks.push(disk(&home));
    let list: Vec<Value> = checks
        .iter()
        .map(|c| json!({"check": c.name, "verdict": c.verdict.word(), "found": c.found, "remedy": c.remedy}))
        .collect();
    let failed = checks.iter().any(|c| c.verdict == CheckVerdict::Fail);
    render.show(&json!({"ok": !failed, "checks": list, "fixed": fixed}), |r| view::print(r, &checks, &fixed));
    match failed {
        true => Err(CommandFailure::refused("Something needs your attention; see above.").shown()),
        false => Ok(()),
    }
}

fn directory(home: &Home) -> DoctorCheck {
    let shown = place::project(&home.dir().to_string_lossy());
    match home.verify() {
        Ok(true) => DoctorCheck::pass("home", format!("{shown} is yours alone")),
        Ok(false) => DoctorCheck::pass("home", format!("{shown} will be created at the first start")),
        Err(trouble) => DoctorCheck::bad("home", CheckVerdict::Fail, trouble.message, trouble.hint),
    }
}

fn config(home: &Home) -> DoctorCheck {
    match Config::load(home) {
        Ok(_) if home.config().exists() => {
            DoctorCheck::pass("config", place::project(&home.config().to_string_lossy()))
        }
        Ok(_) => DoctorCheck::pass("config", "defaults (no config.toml)"),
        Err(trouble) => DoctorCheck::bad("config", CheckVerdict::Fail, trouble.message, trouble.hint),
    }
}

/// Takes the bits of others away from what is ours; anything else is left for its own check to report.
fn close_to_others(path: &std::path::Path, mode: u32, fixed: &mut Vec<String>) {
    let Ok(meta) = std::fs::symlink_metadata(path) else { return };
    let open = meta.permissions().mode() & 0o077 != 0;
    let ours = std::os::unix::fs::MetadataExt::uid(&meta) == rustix::process::geteuid().as_raw();
    if open
        && ours
        && !meta.file_type().is_symlink()
        && std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).is_ok()
    {
        fixed.push(format!("{} now has mode {mode:o}", path.display()));
    }
}

/// The shim lives beside this program; hosts are pointed at it.
fn shim() -> DoctorCheck {
    let Ok(path) = setup::shim() else {
        let remedy = "Install both programs into the same directory.";
        return DoctorCheck::bad("shim", CheckVerdict::Warn, "packd-mcp is not beside packd", remedy);
    };
    let said = std::process::Command::new(&path).arg("--version").output();
    let said = said.map(|out| String::from_utf8_lossy(&out.stdout).trim().to_string()).unwrap_or_default();
    if said == format!("packd-mcp {BUILD}") {
        return DoctorCheck::pass("shim", format!("{}, {said}", place::project(&path.to_string_lossy())));
    }
    let found = format!("{} says '{said}', packd is {}", path.display(), BUILD);
    DoctorCheck::bad("shim", CheckVerdict::Warn, found, "Install both programs from the same build.")
}

/// One line for each host that has an entry of packd, or one that says that none has.
fn hosts(client: &mut Client, fix: bool, fixed: &mut Vec<String>) -> Vec<DoctorCheck> {
    let rows = match setup::survey(client) {
        Ok(rows) => rows,
        Err(failure) => {
            return vec![DoctorCheck::bad("hosts", CheckVerdict::Warn, failure.message, "Look at the log.")];
        }
    };
    let text = |row: &Value, field: &str| row[field].as_str().unwrap_or_default().to_string();
    // A bare name is looked up by the host on its own PATH, which is not ours to judge.
    let stale = |row: &Value| {
        let command = text(row, "command");
        command.starts_with('/') && !std::path::Path::new(&command).is_file()
    };
    let mut checks = Vec::new();
    for row in &rows {
        let (host, file) = (text(row, "host"), text(row, "file"));
        if row["action"] == "refused" {
            let found = format!("{host}: {file} cannot be read as its host would: {}", text(row, "why"));
            checks.push(DoctorCheck::bad("host", CheckVerdict::Warn, found, "Correct the file."));
        } else if row["configured"] == true && row["plugin"] == true {
            let found = format!("{host} has packd as a plugin and as an entry of its own, and starts both");
            checks.push(DoctorCheck::bad(
                "host",
                CheckVerdict::Warn,
                found,
                format!("Run `packd setup {host} --remove`."),
            ));
        } else if row["plugin"] == true {
            checks.push(DoctorCheck::pass("host", format!("{host} has packd as a plugin")));
        } else if row["configured"] != true {
            continue;
        } else if !stale(row) {
            checks.push(DoctorCheck::pass(
                "host",
                format!("{host} starts {}", place::project(&text(row, "command"))),
            ));
        } else if fix && setup::repair(std::slice::from_ref(&host)).is_ok() {
            fixed.push(format!(
                "{file} points at packd-mcp again (`packd undo --family hosts --yes` takes it back)"
            ));
            checks.push(DoctorCheck::pass("host", format!("{host} starts packd-mcp")));
        } else {
            let found = format!("{host} starts {}, which does not exist", text(row, "command"));
            checks.push(DoctorCheck::bad(
                "host",
                CheckVerdict::Fail,
                found,
                format!("Run `packd setup {host}`."),
            ));
        }
    }
    if checks.is_empty() {
        checks.push(DoctorCheck::bad("hosts", CheckVerdict::Warn, "no host is set up", "Run `packd setup`."));
    }
    checks
}

/// Projects whose directories are gone: moved, most of the time.
fn gone(client: &mut Client) -> Option<DoctorCheck> {
    let known = super::workspace::known(client).ok()?;
    let lost = known.iter().filter(|row| row["exists"] == false);
    let names: Vec<String> =
        lost.filter_map(|row| row["workspace"].as_str()).take(SHOWN).map(place::project).collect();
    if names.is_empty() {
        return None;
    }
    let remedy = "`packd workspace move OLD NEW` takes what is kept of a project to where it is now.";
    Some(DoctorCheck::bad("projects", CheckVerdict::Warn, format!("gone: {}", names.join(", ")), remedy))
}

/// Who can say yes in the person's name.
fn approval(client: &mut Client) -> Option<DoctorCheck> {
    let gates = client.request("packd/gates", ToolArgs::new()).ok()?;
    if gates["passphrase"] == true {
        return Some(DoctorCheck::pass("approval", "needs your passphrase, in a terminal and on the page"));
    }
    let found = "any process of this user can approve, on the page of `packd ui`: no passphrase is set";
    Some(match gates["human"] == true {
        true => {
            DoctorCheck::bad("approval", CheckVerdict::Warn, found, "Run `packd confirm --set-passphrase`.")
        }
        // Where agents may confirm by themselves there is nothing to keep from them.
        false => DoctorCheck::pass("approval", found),
    })
}

/// The package registries of this project and this user.
fn registries(client: &mut Client) -> DoctorCheck {
    let answer = match client.must("aam_registry_list", ToolArgs::new()) {
        Ok(answer) => answer,
        Err(failure) => {
            let remedy = "`packd pkg registry list` shows them.";
            return DoctorCheck::bad("registries", CheckVerdict::Warn, failure.message, remedy);
        }
    };
    let list = answer["result"].as_array().cloned().unwrap_or_default();
    match list.iter().find(|registry| registry["accessible"] != true) {
        Some(registry) => {
            let found = format!("{} at {} cannot be reached", registry["name"], registry["url"]);
            DoctorCheck::bad(
                "registries",
                CheckVerdict::Warn,
                found.replace('"', ""),
                "Bring it back, or take it out of the settings of packages.",
            )
        }
        None if list.is_empty() => DoctorCheck::pass("registries", "none"),
        None => DoctorCheck::pass("registries", format!("{} can be reached", list.len())),
    }
}

fn supervisor(home: &Home) -> DoctorCheck {
    let found = service::survey(home);
    let flag = |name: &str| found[name] == true;
    match (found["supervisor"].as_str(), flag("installed")) {
        (None, _) => DoctorCheck::pass("service", "none here; editors start packd"),
        (Some(_), false) => DoctorCheck::pass("service", "not installed; editors start packd"),
        (Some(name), true) if flag("current") && flag("active") => {
            DoctorCheck::pass("service", format!("under {name}"))
        }
        (Some(name), true) if flag("current") => DoctorCheck::bad(
            "service",
            CheckVerdict::Warn,
            format!("installed under {name}, but not active"),
            "Run `packd service install` again, or `packd service uninstall`.",
        ),
        (Some(_), true) => DoctorCheck::bad(
            "service",
            CheckVerdict::Warn,
            "installed for another packd or another home",
            "Run `packd service install` again.",
        ),
    }
}

fn git() -> DoctorCheck {
    match std::process::Command::new("git").arg("--version").output() {
        Ok(out) if out.status.success() => {
            let said = String::from_utf8_lossy(&out.stdout).trim().to_string();
            match is_old_git(&said) {
                false => DoctorCheck::pass("git", said),
                true => DoctorCheck::bad(
                    "git",
                    CheckVerdict::Warn,
                    format!("{said} cannot be told which programs not to run, so packd does not use it"),
                    "Install git 2.31 or newer and put it first in PATH.",
                ),
            }
        }
        _ => DoctorCheck::bad(
            "git",
            CheckVerdict::Warn,
            "git was not found",
            "Install git; deploys and ecosystems use it.",
        ),
    }
}

/// From before git took settings from its environment.
fn is_old_git(said: &str) -> bool {
    let mut numbers = said.split(|c: char| !c.is_ascii_digit()).filter_map(|n| n.parse::<u32>().ok());
    matches!((numbers.next(), numbers.next()), (Some(major), Some(minor)) if (major, minor) < (2, 31))
}

fn daemon(client: &Client) -> DoctorCheck {
    let (theirs, ours) = (client.welcome.version.as_str(), env!("CARGO_PKG_VERSION"));
    if theirs == ours {
        return DoctorCheck::pass("daemon", format!("pid {}, version {theirs}", client.welcome.pid));
    }
    let found = format!("the daemon is {theirs}, this program is {ours}");
    DoctorCheck::bad("daemon", CheckVerdict::Warn, found, "Run `packd restart`; open editors notice nothing.")
}

fn socket(home: &Home) -> DoctorCheck {
    let Ok(path) = home.socket() else {
        return DoctorCheck::bad("socket", CheckVerdict::Fail, "path too long", "Set PACKD_HOME.");
    };
    match std::fs::symlink_metadata(&path) {
        Ok(meta) if meta.permissions().mode() & 0o077 == 0 => {
            DoctorCheck::pass("socket", place::project(&path.to_string_lossy()))
        }
        Ok(meta) => DoctorCheck::bad(
            "socket",
            CheckVerdict::Warn,
            format!("{} has mode {:03o}", path.display(), meta.permissions().mode() & 0o777),
            format!("Run `chmod 600 '{}'`.", path.display()),
        ),
        Err(e) => DoctorCheck::bad("socket", CheckVerdict::Fail, e.to_string(), "Run `packd restart`."),
    }
}

/// Damaged rows that are named one by one.
const SHOWN: usize = 10;
const DAMAGED: &str = "Run `packd repair`, or bring a backup back with `packd restore FILE`.";

/// The file itself, if no daemon runs.
fn pages(home: &Home) -> Option<DoctorCheck> {
    if !home.database().exists() {
        return None;
    }
    let catalog = crate::daemon::assemble::options(|_| {}).ok()?.catalog();
    match crate::store::survey(&home.database(), &catalog) {
        Ok(damage) if damage.is_empty() => {
            Some(DoctorCheck::pass("pages", "every page of the database is right"))
        }
        Ok(damage) => Some(DoctorCheck::bad("database", CheckVerdict::Fail, damage.join("; "), DAMAGED)),
        Err(e) if e.code == "already_running" => None,
        Err(e) => Some(DoctorCheck::bad("database", CheckVerdict::Fail, e.message, DAMAGED)),
    }
}

/// Whether every row can be read, and when packd last collected what nobody needs.
fn rows(client: &mut Client) -> Vec<DoctorCheck> {
    match client.request("packd/doctor", ToolArgs::new()) {
        Ok(answer) => vec![readable(&answer), super::gc::checked(&answer)],
        Err(failure) => vec![DoctorCheck::bad("database", CheckVerdict::Fail, failure.message, DAMAGED)],
    }
}

fn readable(answer: &Value) -> DoctorCheck {
    let damaged = answer["damaged_rows"].as_array().cloned().unwrap_or_default();
    if damaged.is_empty() {
        return DoctorCheck::pass("database", "every row can be read");
    }
    let text = |d: &Value, field: &str| d[field].as_str().unwrap_or_default().to_string();
    let name = |d: &Value| match text(d, "key").as_str() {
        "" => text(d, "why"),
        key => format!("table {}, row {key}: {}", text(d, "table"), text(d, "why")),
    };
    let names: Vec<String> = damaged.iter().take(SHOWN).map(name).collect();
    let more = damaged.len().saturating_sub(SHOWN);
    let more = if more > 0 { format!("; and {more} more") } else { String::new() };
    DoctorCheck::bad("database", CheckVerdict::Fail, format!("{}{more}", names.join("; ")), DAMAGED)
}

fn disk(home: &Home) -> DoctorCheck {
    let dir = home.dir().ancestors().find(|d| d.exists()).unwrap_or(std::path::Path::new("/"));
    match rustix::fs::statvfs(dir) {
        Ok(s) => {
            let free = s.f_bavail.saturating_mul(s.f_frsize);
            if free < 200_000_000 {
                let remedy =
                    "Free some space: packd refuses to lose data, so it stops when the disk is full.";
                return DoctorCheck::bad(
                    "disk",
                    CheckVerdict::Warn,
                    format!("{} free", size::bytes(free)),
                    remedy,
                );
            }
            DoctorCheck::pass("disk", format!("{} free", size::bytes(free)))
        }
        Err(e) => DoctorCheck::bad(
            "disk",
            CheckVerdict::Warn,
            e.to_string(),
            "Check the file system of the home directory.",
        ),
    }
}
