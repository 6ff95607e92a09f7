//! `packd service`: packd under the supervisor of this user's session.
//!
//! packd needs none: editors start it. A service only makes it start earlier and stay.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::args::ServiceCommand;
use super::progress::SignOfLife;
use super::units::{self, Paths};
use super::view::render::{Ink, Render};
use super::{CommandFailure, daemon};
use crate::ipc::connect::{Reached, connect};
use crate::ipc::hello::{Hello, KIND_STATUS, Welcome};
use crate::ipc::home::user_home;
use crate::ipc::{Home, start};

/// The supervisor of this session.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum InitSystem {
    Systemd,
    Launchd,
}

impl InitSystem {
    fn find() -> Result<InitSystem, CommandFailure> {
        if cfg!(target_os = "macos") {
            return Ok(InitSystem::Launchd);
        }
        let answered = quiet("systemctl", &["--user", "show-environment"]);
        if answered.is_ok_and(|ok| ok) {
            return Ok(InitSystem::Systemd);
        }
        Err(CommandFailure::refused("Neither a systemd user session nor launchd was found here.")
            .hint("packd needs none: it starts by itself when an editor connects."))
    }

    fn name(self) -> &'static str {
        match self {
            InitSystem::Systemd => "systemd",
            InitSystem::Launchd => "launchd",
        }
    }

    /// Where this user's units go.
    fn dir(self) -> Result<PathBuf, CommandFailure> {
        let home = user_home()?;
        Ok(match self {
            InitSystem::Launchd => home.join("Library/LaunchAgents"),
            InitSystem::Systemd => std::env::var_os("XDG_CONFIG_HOME")
                .map(PathBuf::from)
                .filter(|p| p.is_absolute())
                .unwrap_or_else(|| home.join(".config"))
                .join("systemd/user"),
        })
    }

    fn files(self, paths: &Paths) -> Result<Vec<(PathBuf, String)>, CommandFailure> {
        let dir = self.dir()?;
        Ok(match self {
            InitSystem::Systemd => {
                units::systemd(paths).into_iter().map(|(name, text)| (dir.join(name), text)).collect()
            }
            InitSystem::Launchd => {
                vec![(dir.join(format!("{}.plist", units::LABEL)), units::launchd(paths))]
            }
        })
    }
}

pub fn run(command: ServiceCommand, render: Render) -> Result<(), CommandFailure> {
    let home = Home::locate()?;
    match command {
        ServiceCommand::Install { dry_run: true } => {
            let supervisor = InitSystem::find()?;
            let files = supervisor.files(&paths(&home)?)?;
            let list: Vec<_> = files.iter().map(|(path, text)| json!({"file": path, "text": text})).collect();
            render.show(&json!({"supervisor": supervisor.name(), "files": list}), |r| {
                for (path, text) in &files {
                    r.line(r.ink(Ink::Bold, format!("# {}", path.display())));
                    r.raw(text);
                }
            });
            Ok(())
        }
        ServiceCommand::Install { dry_run: false } => install(&home, render),
        ServiceCommand::Uninstall => uninstall(&home, render),
        ServiceCommand::Status => status(&home, render),
        ServiceCommand::Logs { follow, tail } => logs(&home, follow, tail),
    }
}

fn paths(home: &Home) -> Result<Paths, CommandFailure> {
    let program =
        std::env::current_exe().map_err(|e| CommandFailure::refused(format!("Where is packd? {e}.")))?;
    Ok(Paths { program, home: home.dir().to_path_buf(), socket: home.socket()?, log: home.log() })
}

fn install(home: &Home, render: Render) -> Result<(), CommandFailure> {
    let supervisor = InitSystem::find()?;
    home.prepare()?;
    let files = supervisor.files(&paths(home)?)?;
    let _progress = SignOfLife::start(render, "installing the service");
    for (path, text) in &files {
        write(path, text)?;
    }
    let running = running(home);
    match supervisor {
        InitSystem::Systemd => {
            if let Err(failure) = verify(&files) {
                files.iter().for_each(|(path, _)| drop(std::fs::remove_file(path)));
                return Err(failure);
            }
            must("systemctl", &["--user", "daemon-reload"])?;
            // The socket first: from now on clients find systemd there, and none of them starts a daemon of
            // its own when the one that runs ends.
            must("systemctl", &["--user", "enable", "--now", "packd.socket"])?;
            must("systemctl", &["--user", "enable", "packd.service"])?;
            match &running {
                Some(welcome) if activated(welcome) => {
                    must("systemctl", &["--user", "restart", "packd.service"])?
                }
                Some(welcome) => end(welcome.pid)?,
                None => {}
            }
            must("systemctl", &["--user", "start", "packd.service"])?;
        }
        InitSystem::Launchd => {
            let domain = format!("gui/{}", rustix::process::geteuid().as_raw());
            // Fails where it was not loaded, which is the usual case.
            let _ = quiet("launchctl", &["bootout", &format!("{domain}/{}", units::LABEL)]);
            start::stop(home)?;
            let plist = files.first().map(|(path, _)| path.display().to_string()).unwrap_or_default();
            must("launchctl", &["bootstrap", &domain, &plist])?;
        }
    }
    let shown: Vec<_> = files.iter().map(|(path, _)| path.display().to_string()).collect();
    let answer =
        json!({"supervisor": supervisor.name(), "files": shown, "replaced_pid": running.map(|w| w.pid)});
    drop(_progress);
    render.show(&answer, |r| {
        shown.iter().for_each(|path| r.line(format!("{}  {path}", r.ink(Ink::Green, "wrote"))));
        r.line(format!("packd runs under {}; open editors reconnect by themselves.", supervisor.name()));
    });
    Ok(())
}

fn uninstall(home: &Home, render: Render) -> Result<(), CommandFailure> {
    let supervisor = InitSystem::find()?;
    let files = supervisor.files(&paths(home)?)?;
    let present: Vec<_> = files.iter().map(|(path, _)| path).filter(|path| path.exists()).collect();
    if !present.is_empty() {
        match supervisor {
            InitSystem::Systemd => {
                must("systemctl", &["--user", "disable", "--now", "packd.socket", "packd.service"])?
            }
            InitSystem::Launchd => {
                let domain = format!("gui/{}/{}", rustix::process::geteuid().as_raw(), units::LABEL);
                let _ = quiet("launchctl", &["bootout", &domain]);
            }
        }
    }
    for path in &present {
        std::fs::remove_file(path)
            .map_err(|e| CommandFailure::refused(format!("Cannot remove {}: {e}.", path.display())))?;
    }
    if supervisor == InitSystem::Systemd && !present.is_empty() {
        must("systemctl", &["--user", "daemon-reload"])?;
    }
    render.show(&json!({"supervisor": supervisor.name(), "removed": present}), |r| {
        match present.as_slice() {
            [] => r.line("The service was not installed."),
            gone => {
                gone.iter().for_each(|path| r.line(format!("removed  {}", path.display())));
                r.line("Editors start packd by themselves from now on.");
            }
        }
    });
    Ok(())
}

/// What `packd doctor` and `packd service status` know.
pub fn survey(home: &Home) -> Value {
    let Ok(supervisor) = InitSystem::find() else { return json!({"supervisor": null, "installed": false}) };
    let files = paths(home).and_then(|p| supervisor.files(&p)).unwrap_or_default();
    let installed = !files.is_empty() && files.iter().all(|(path, _)| path.exists());
    let current =
        files.iter().all(|(path, text)| std::fs::read_to_string(path).is_ok_and(|found| found == *text));
    let active = match supervisor {
        InitSystem::Systemd => quiet("systemctl", &["--user", "is-active", "--quiet", "packd.socket"]),
        InitSystem::Launchd => {
            let domain = format!("gui/{}/{}", rustix::process::geteuid().as_raw(), units::LABEL);
            quiet("launchctl", &["print", &domain])
        }
    };
    json!({
        "supervisor": supervisor.name(), "installed": installed, "current": installed && current,
        "active": active.unwrap_or(false), "files": files.iter().map(|(path, _)| path).collect::<Vec<_>>(),
    })
}

fn status(home: &Home, render: Render) -> Result<(), CommandFailure> {
    let mut answer = survey(home);
    answer["daemon"] =
        running(home).map_or(Value::Null, |w| json!({"pid": w.pid, "activated": activated(&w)}));
    render.show(&answer, |r| {
        let Some(supervisor) = answer["supervisor"].as_str() else {
            r.line("Neither a systemd user session nor launchd was found here.");
            return r.line("packd needs none: it starts by itself when an editor connects.");
        };
        let flag = |name: &str| answer[name] == true;
        r.line(match (flag("installed"), flag("current"), flag("active")) {
            (false, _, _) => format!("not installed under {supervisor}; `packd service install` does it"),
            (_, false, _) => "installed, but for another packd; run `packd service install` again".into(),
            (_, _, true) => format!("{} under {supervisor}", r.ink(Ink::Green, "installed and active")),
            (_, _, false) => format!("{} under {supervisor}", r.ink(Ink::Yellow, "installed, not active")),
        });
    });
    if !render.json { daemon::status(render) } else { Ok(()) }
}

fn logs(home: &Home, follow: bool, tail: u64) -> Result<(), CommandFailure> {
    let tail = tail.to_string();
    let journal = survey(home)["installed"] == true && InitSystem::find()? == InitSystem::Systemd;
    let mut command = if journal {
        let mut command = Command::new("journalctl");
        command.args(["--user", "--unit", "packd.service", "--no-pager", "--lines", &tail]);
        command
    } else {
        let mut command = Command::new("tail");
        command.args(["-n", &tail]);
        command
    };
    if follow {
        command.arg("-f");
    }
    if !journal {
        command.arg(home.log());
    }
    let ended = command
        .status()
        .map_err(|e| CommandFailure::refused(format!("Cannot start {:?}: {e}.", command.get_program())))?;
    if ended.success() { Ok(()) } else { Err(CommandFailure::refused("The log could not be shown.")) }
}

fn running(home: &Home) -> Option<Welcome> {
    match connect(home, &Hello::of_this_process(KIND_STATUS, String::new())) {
        Ok(Reached::Daemon(link)) => Some(link.welcome),
        _ => None,
    }
}

fn activated(welcome: &Welcome) -> bool {
    welcome.status.as_ref().is_some_and(|s| s.activated)
}

/// Lets a daemon that nobody can find any more finish its calls, and waits for its end.
fn end(pid: u32) -> Result<(), CommandFailure> {
    use rustix::process::{Pid, Signal, kill_process, test_kill_process};
    let Some(pid) = i32::try_from(pid).ok().and_then(Pid::from_raw) else { return Ok(()) };
    if kill_process(pid, Signal::TERM).is_err() {
        return Ok(());
    }
    let until = Instant::now() + Duration::from_secs(15);
    while test_kill_process(pid).is_ok() {
        if Instant::now() > until {
            return Err(CommandFailure::refused("The daemon that was running does not end.")
                .hint("End it yourself, then run this again."));
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    Ok(())
}

fn write(path: &Path, text: &str) -> Result<(), CommandFailure> {
    let cannot =
        |e: std::io::Error| CommandFailure::refused(format!("Cannot write {}: {e}.", path.display()));
    let dir = path.parent().unwrap_or(Path::new("/"));
    std::fs::create_dir_all(dir).map_err(cannot)?;
    let mut file = tempfile::NamedTempFile::new_in(dir).map_err(cannot)?;
    std::io::Write::write_all(&mut file, text.as_bytes()).map_err(cannot)?;
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o644);
    file.as_file().set_permissions(mode).map_err(cannot)?;
    file.persist(path).map_err(|e| cannot(e.error))?;
    Ok(())
}

/// `systemd-analyze verify`, where it is installed and can look.
fn verify(files: &[(PathBuf, String)]) -> Result<(), CommandFailure> {
    let mut command = Command::new("systemd-analyze");
    command.args(["--user", "verify", "--man=no"]).args(files.iter().map(|(path, _)| path));
    let Ok(out) = command.output() else { return Ok(()) };
    let said = String::from_utf8_lossy(&out.stderr).trim().to_string();
    // A verdict names the unit; a program that could not start has none to give.
    if out.status.success() || !said.contains("packd.") {
        return Ok(());
    }
    Err(CommandFailure::refused(format!("systemd does not accept the units: {said}")))
}

fn quiet(program: &str, args: &[&str]) -> std::io::Result<bool> {
    let status = Command::new(program)
        .args(args)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()?;
    Ok(status.success())
}

fn must(program: &str, args: &[&str]) -> Result<(), CommandFailure> {
    let shown = format!("{program} {}", args.join(" "));
    match Command::new(program).args(args).output() {
        Ok(out) if out.status.success() => Ok(()),
        Ok(out) => {
            let said = String::from_utf8_lossy(&out.stderr).trim().to_string();
            Err(CommandFailure::refused(format!("`{shown}` failed: {said}")))
        }
        Err(e) => Err(CommandFailure::refused(format!("`{shown}` cannot be run: {e}."))),
    }
}
