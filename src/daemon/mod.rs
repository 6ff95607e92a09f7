//! The daemon: one process per user that owns the store and serves every session over one socket.
//!
//! The database lock is the only truth about who runs. Start: home, log, configuration, store (takes the lock),
//! socket, ready line. Stop: no more connections, calls finish, socket removed, store closed. No pid file.

pub mod assemble;
mod calls;
pub mod config;
pub mod connection;
pub mod ending;
pub mod life;
pub mod lines;
pub mod listener;
pub mod log;
pub mod open;
pub mod passphrase;
mod peer;
mod timers;
mod trim;

use std::io::Write;
use std::process::ExitCode;
use std::rc::Rc;

use tokio::runtime::Builder;
use tokio::task::LocalSet;

use crate::mcp::service::Service;
pub use config::Config;
use ending::{Ender, Ending, StartError};
use life::Life;
use listener::Door;

use crate::ipc::start::{ALREADY, DETACHED, FAILED, READY};
use crate::ipc::{Home, SocketTrouble};

/// Runs `packd daemon` in the foreground until it is asked to end.
///
/// `open` opens the store and what serves it; it is called inside the runtime, and its `Ender` is how the
/// service ends a daemon that can promise nothing more.
pub fn run<F>(open: F) -> ExitCode
where
    F: FnOnce(&Home, &Config, &Ender) -> Result<Rc<dyn Service>, StartError>,
{
    if std::env::var_os(DETACHED).is_some() {
        // Fails only for a group leader, which has left the client's session already.
        let _ = rustix::process::setsid();
    }
    let mut home = None;
    let ended = prepare(&mut home).and_then(|(home, config)| serve(&home, &config, open));
    log::release();
    match ended {
        Ok(code) => code,
        Err(trouble) => {
            // The log gets it too, where there is a home that has been used: a first start that fails leaves nothing.
            if let Some(home) = &home
                && (home.database().exists() || home.config().exists())
                && !log::to_stderr()
                && let Ok(mut file) = log::open(home)
            {
                let said = crate::core::redact::text(&trouble.to_string()).0;
                let _ = writeln!(file, "packd could not start. {said}");
            }
            say(&format!("{FAILED}{}\t{}", flat(&trouble.message), flat(&trouble.hint)));
            if std::env::var_os(DETACHED).is_none() {
                let _ = writeln!(std::io::stderr(), "{trouble}");
            }
            ExitCode::FAILURE
        }
    }
}

fn prepare(known: &mut Option<Home>) -> Result<(Home, Config), SocketTrouble> {
    let home = Home::locate()?;
    home.prepare()?;
    *known = Some(home.clone());
    home.socket()?;
    // Everything is said by absolute path from here on, and no directory is kept from being unmounted.
    let _ = std::env::set_current_dir("/");
    let mut config = Config::load(&home)?;
    config.obey(|name| std::env::var(name).ok())?;
    let file = if log::to_stderr() { None } else { Some(log::open(&home)?) };
    log::begin(file, config.log);
    raise_descriptor_limit();
    Ok((home, config))
}

fn serve<F>(home: &Home, config: &Config, open: F) -> Result<ExitCode, SocketTrouble>
where
    F: FnOnce(&Home, &Config, &Ender) -> Result<Rc<dyn Service>, StartError>,
{
    let runtime = Builder::new_current_thread().enable_all().build().map_err(|e| {
        SocketTrouble::new(
            format!("The event loop cannot be started: {e}."),
            "Raise the limit of open files.",
        )
    })?;
    LocalSet::new().block_on(&runtime, async {
        let ender = Ender::default();
        let passed = Door::passed()?;
        let service = match open(home, config, &ender) {
            Ok(service) => service,
            // With a passed socket this is a failure: the supervisor would start us again at once, for ever.
            Err(StartError::AlreadyRunning) if passed.is_some() => {
                return Err(SocketTrouble::new(
                    "Another packd daemon holds the database, so the supervisor's socket cannot be served.",
                    "Run `packd stop`, then start the unit again.",
                ));
            }
            Err(StartError::AlreadyRunning) => {
                say(ALREADY);
                return Ok(ExitCode::SUCCESS);
            }
            Err(StartError::Failed { message, hint }) => return Err(SocketTrouble::new(message, hint)),
        };
        let door = match passed {
            Some(door) => door,
            None => Door::bind(home)?,
        };
        life::watch_signals(&ender).map_err(|e| {
            SocketTrouble::new(format!("Signals cannot be watched: {e}."), "Raise the limit of open files.")
        })?;
        life::watch_dog();
        tracing::info!(
            version = env!("CARGO_PKG_VERSION"),
            pid = std::process::id(),
            home = %home.dir().display(),
            "Ready."
        );
        say(READY);
        // Nobody waits for it: what was said so far is written once it is clean.
        std::thread::spawn(log::release);
        let _ = sd_notify::notify(&[sd_notify::NotifyState::Ready]);
        let home = home.dir().to_string_lossy().into_owned();
        let most_sessions =
            sessions_within(rustix::process::getrlimit(rustix::process::Resource::Nofile).current);
        let ending = Life { door, service, ender, idle: config.idle(), home, most_sessions }.run().await;
        tracing::info!("Ended.");
        Ok(match ending {
            Ending::Drain(_) => ExitCode::SUCCESS,
            Ending::Fail(_) => ExitCode::FAILURE,
        })
    })
}

/// The one line on stdout. Nobody may be reading it, which is no reason to stop.
fn say(line: &str) {
    let mut stdout = std::io::stdout();
    let _ = writeln!(stdout, "{line}").and_then(|()| stdout.flush());
}

fn flat(text: &str) -> String {
    text.replace(['\n', '\r', '\t'], " ")
}

/// Each session costs one descriptor; the usual soft limit is far below what the system allows.
fn raise_descriptor_limit() {
    use rustix::process::{Resource, getrlimit, setrlimit};
    let mut limit = getrlimit(Resource::Nofile);
    if limit.current != limit.maximum {
        limit.current = limit.maximum;
        // Refused, it stays as it was.
        let _ = setrlimit(Resource::Nofile, limit);
    }
}

/// How many sessions may be open with this many descriptors: a quarter of them, at least 32, stays for the
/// database, files, programs and connections that only ask something.
fn sessions_within(descriptors: Option<u64>) -> u64 {
    let Some(all) = descriptors else { return u64::MAX };
    all.saturating_sub((all / 4).clamp(32, 1024)).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn descriptors_are_left_for_files_and_programs() {
        assert_eq!(sessions_within(None), u64::MAX);
        for (all, sessions) in [(16, 1), (64, 32), (256, 192), (1024, 768), (1_048_576, 1_047_552)] {
            assert_eq!(sessions_within(Some(all)), sessions, "{all}");
        }
    }
}
