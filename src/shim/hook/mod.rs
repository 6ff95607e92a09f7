//! `packd-mcp hook EVENT`: a host tells what happens in it, and hears what packd has to say about it.
//!
//! Never in a host's way: whatever goes wrong, and when the time is up, it ends with code 0 and says nothing. It never
//! answers that something is allowed, which would skip the host's own question, and never that it is not.

mod budget;
mod dialect;
mod input;

use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::ipc::Home;
use crate::ipc::connect::{Reached, connect};
use crate::ipc::hello::{Hello, KIND_HOOK};
use crate::ipc::home::user_home;
use crate::ipc::hook::{Happened, Said};
use crate::ipc::start::connect_or_start;
use budget::Budget;
use dialect::{HookHost, HostEvent};

/// The word on the command line.
pub const WORD: &str = "hook";

pub const HELP: &str = "\
packd-mcp hook tells packd what happens in a host. Hosts run it; `packd setup HOST --hooks` writes it down for them.

Usage: packd-mcp hook EVENT [--host HOST]

  EVENT        session-start, pre-tool, post-tool or stop; the hosts' own names are understood, too
  --host HOST  claude, codex, gemini, copilot, cursor or kiro (default: told from what comes on stdin)

It reads what the host says as JSON from stdin, answers in the host's own form, and always ends with code 0. It waits
at most 50 ms for everything (PACKD_HOOK_MS says otherwise), and starts the daemon only at the start of a session.
";

/// Runs to the end, whatever the arguments say.
pub fn run(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    let budget = Budget::begin(std::env::var("PACKD_HOOK_MS").ok().as_deref());
    // The time a host takes to say what happened is part of the budget.
    let began = now();
    // A defect of ours is no reason to disturb a host.
    std::panic::set_hook(Box::new(|_| {}));
    let args: Vec<String> = args.into_iter().map(|arg| arg.to_string_lossy().into_owned()).collect();
    if args.iter().any(|arg| arg == "--help" || arg == "-h") {
        let _ = std::io::stdout().write_all(HELP.as_bytes());
        return ExitCode::SUCCESS;
    }
    let answered = std::panic::catch_unwind(|| answer(&args, &budget, began));
    if let Ok(Some(text)) = answered {
        // One write: a host reads all of it or nothing.
        let _ = rustix::io::write(rustix::stdio::stdout(), text.as_bytes());
    }
    ExitCode::SUCCESS
}

/// What to print, if anything.
fn answer(args: &[String], budget: &Budget, began: u64) -> Option<String> {
    let (event, named) = asked(args)?;
    let text = input::read()?;
    let host = match named {
        Some(name) => HookHost::named(&name)?,
        None => HookHost::told_by(&text, |name| std::env::var(name).ok())?,
    };
    let happened = host.happened(event, &text);
    if event.is_of_a_tool() && !dialect::may_write(&happened.tool) {
        return None;
    }
    let happened = Happened { began, waits_ms: budget.millis(), ..happened };
    host.answer(event, &tell(happened, event == HostEvent::SessionStart)?.text)
}

/// The event, and the host where one is named. What is not understood ends here.
fn asked(args: &[String]) -> Option<(HostEvent, Option<String>)> {
    let mut event = None;
    let mut host = None;
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        match arg.strip_prefix("--host") {
            Some("") => host = Some(args.next()?.clone()),
            Some(value) => host = Some(value.strip_prefix('=')?.to_string()),
            None if event.is_none() => event = Some(HostEvent::named(arg)?),
            None => return None,
        }
    }
    Some((event?, host))
}

/// One connection, one question. Only the start of a session may start a daemon.
fn tell(happened: Happened, start: bool) -> Option<Said> {
    let home = Home::locate().ok()?;
    let mut hello = Hello::of_this_process(KIND_HOOK, user_home().ok()?.to_string_lossy().into_owned());
    if !happened.cwd.is_empty() {
        hello.cwd.clone_from(&happened.cwd);
    }
    hello.hook = Some(Box::new(happened));
    let link = if start {
        connect_or_start(&home, &hello).ok()?.link
    } else {
        match connect(&home, &hello).ok()? {
            Reached::Daemon(link) => link,
            Reached::Nobody | Reached::Ending | Reached::TooOld(_) => return None,
        }
    };
    link.welcome.hook
}

fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_micros()).unwrap_or(u64::MAX)
}
