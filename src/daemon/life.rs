//! From the first accepted connection to the last reply: sessions, idleness, signals, drain.
//!
//! Everything it needs is handed in (the door, the service, the way to be ended), so a test runs it in process.

use std::cell::Cell;
use std::rc::Rc;
use std::time::{Duration, Instant};

use tokio::net::UnixStream;
use tokio::signal::unix::{SignalKind, signal};
use tokio::task::JoinSet;

use super::connection;
use super::ending::{Ender, Ending};
use super::listener::{Door, read_hello, write_welcome};
use super::peer;
use super::trim;
use crate::ipc::hello::{
    self, DaemonStatus, Hello, KIND_DRAIN, KIND_HOOK, KIND_MCP, KIND_STATUS, PROTO, PROTO_MIN, Welcome,
};
use crate::mcp::out::Out;
use crate::mcp::service::{Service, ServiceSession};

/// What calls in flight get once the end was asked for.
const DRAIN_WITHIN: Duration = Duration::from_secs(10);
/// How often the socket file is looked at.
const LOOK_EVERY: Duration = Duration::from_secs(60);

/// Connections beyond the sessions: questions about the daemon, and clients that are about to be refused.
const STRANGERS: u64 = 16;

/// What a daemon needs to live.
pub struct Life {
    pub door: Door,
    pub service: Rc<dyn Service>,
    pub ender: Ender,
    /// End after this long without a session; `None` is never.
    pub idle: Option<Duration>,
    /// The home directory, as told to clients.
    pub home: String,
    /// More sessions are refused, so that descriptors are left for files and programs.
    pub most_sessions: u64,
}

/// What all connections share.
struct Shared {
    service: Rc<dyn Service>,
    ender: Ender,
    sessions: Cell<u64>,
    /// When the last session ended.
    since: Cell<Instant>,
    started: Instant,
    idle: Option<Duration>,
    home: String,
    activated: bool,
    most_sessions: u64,
}

impl Life {
    /// Serves until somebody asks for the end, then finishes what is under way. Must run in a `LocalSet`.
    /// The service is dropped last, after the socket is gone: whoever finds no socket and gets the lock is alone.
    pub async fn run(self) -> Ending {
        let Life { door, service, ender, idle, home, most_sessions } = self;
        let shared = Rc::new(Shared {
            service: Rc::clone(&service),
            ender: ender.clone(),
            sessions: Cell::new(0),
            since: Cell::new(Instant::now()),
            started: Instant::now(),
            idle,
            home,
            activated: door.activated(),
            most_sessions,
        });
        let mut tasks = JoinSet::new();
        let ending = shared.accept(&door, &mut tasks).await;
        let ending = match ending {
            Ending::Drain(why) => {
                tracing::info!("Ending: {why}");
                drain(&shared, &mut tasks).await
            }
            failed => failed,
        };
        if let Ending::Fail(why) = &ending {
            tracing::error!("{why}");
        }
        drop(door);
        tasks.shutdown().await;
        drop(shared);
        drop(service);
        ending
    }
}

impl Shared {
    async fn accept(self: &Rc<Self>, door: &Door, tasks: &mut JoinSet<()>) -> Ending {
        let asked = self.ender.wait();
        tokio::pin!(asked);
        let mut look = tokio::time::interval(LOOK_EVERY);
        let mut trimmed = None;
        loop {
            tokio::select! {
                biased;
                ending = &mut asked => return ending,
                stream = door.accept() => {
                    // Who has not said Hello yet holds a descriptor, too.
                    if tasks.len() as u64 >= self.most_sessions.saturating_add(STRANGERS) {
                        tracing::warn!("A connection was dropped: too many have not said what they want.");
                        continue;
                    }
                    tasks.spawn_local(Rc::clone(self).connection(stream));
                }
                Some(_) = tasks.join_next(), if !tasks.is_empty() => {}
                () = tokio::time::sleep(self.idle_left()), if self.idle.is_some() => {
                    if self.idle_left().is_zero() {
                        self.ender.drain("no session was open for the configured time.");
                    }
                }
                _ = look.tick() => {
                    if !door.reachable() {
                        self.ender.drain("the socket file was removed or replaced, so no client can come here.");
                    }
                    // Once for each time without sessions, and only after a while of it: they may come back.
                    let since = self.since.get();
                    if self.sessions.get() == 0 && since.elapsed() > LOOK_EVERY / 2 && trimmed != Some(since) {
                        trimmed = Some(since);
                        trim::code();
                    }
                }
            }
        }
    }

    /// How long until the daemon has been idle for long enough; the full time while it is in use.
    fn idle_left(&self) -> Duration {
        let idle = self.idle.unwrap_or(Duration::MAX);
        if self.sessions.get() > 0 || self.service.busy() {
            self.since.set(Instant::now());
        }
        idle.saturating_sub(self.since.get().elapsed())
    }

    async fn connection(self: Rc<Self>, mut stream: UnixStream) {
        let hello = match read_hello(&mut stream).await {
            Ok(hello) => hello,
            Err(e) => {
                tracing::warn!("A connection ended before its hello: {e}.");
                return;
            }
        };
        // Not only the client's word: the system is asked, too.
        let hello = Hello {
            terminal: hello.terminal && peer::at_terminal(&stream),
            pid: peer::pid(&stream).unwrap_or(hello.pid),
            ..hello
        };
        if hello.kind == KIND_HOOK {
            let said = self.service.hook(hello).await;
            let welcome = Welcome { hook: Some(said), ..Welcome::of_this_process(&self.home) };
            // A hook that ran out of time reads no more.
            let _ = write_welcome(&mut stream, &welcome).await;
            return;
        }
        let out = Out::new();
        let (welcome, session) = self.meet(&hello, &out);
        if let Some(session) = session {
            tracing::info!(session = %welcome.session, pid = hello.pid, cwd = %hello.cwd, "A session began.");
            let open = Open::new(&self);
            match write_welcome(&mut stream, &welcome).await {
                Ok(()) => connection::serve(stream, session, out, &self.ender).await,
                Err(_) => session.closed(),
            }
            drop(open);
            tracing::info!(session = %welcome.session, "A session ended.");
            return;
        }
        if let Some(why) = &welcome.error {
            tracing::warn!(pid = hello.pid, "A client was turned away: {why}");
        }
        let draining = hello.kind == KIND_DRAIN;
        let _ = write_welcome(&mut stream, &welcome).await;
        if draining {
            self.ender.drain(format!("process {} asked for it.", hello.pid));
            // Held open until the process ends, which is how the client learns that the database is closed.
            Box::leak(Box::new(stream));
        }
    }

    /// Decides what a Hello gets: a session, an answer, or why not.
    fn meet(&self, hello: &Hello, out: &Out) -> (Welcome, Option<Rc<dyn ServiceSession>>) {
        let welcome = Welcome::of_this_process(&self.home);
        let refuse = |error: String, hint: String| {
            (Welcome { error: Some(error), hint: Some(hint), ..welcome.clone() }, None)
        };
        // These two are understood whatever the protocol: else nobody could replace an old daemon.
        match hello.kind.as_str() {
            KIND_STATUS => return (Welcome { status: Some(self.status()), ..welcome }, None),
            KIND_DRAIN => return (welcome, None),
            KIND_MCP => {}
            other => {
                let hint = "Run `packd restart` if this client is newer than the daemon.";
                return refuse(
                    format!("This daemon does not know the kind of client {other:?}."),
                    hint.into(),
                );
            }
        }
        let Some(proto) = hello.agree() else {
            return refuse(
                format!(
                    "This daemon speaks protocol {PROTO_MIN} to {PROTO}, the client {} to {}.",
                    hello.proto_min, hello.proto
                ),
                match hello.proto < hello::PROTO_MIN {
                    true => "Update packd-mcp: it is too old for this daemon.".into(),
                    false => "Run `packd restart`: this daemon is older than its client.".into(),
                },
            );
        };
        if self.sessions.get() >= self.most_sessions {
            let hint =
                "Close an editor you do not need, or raise the limit (`ulimit -n`) and run `packd restart`.";
            return refuse(
                format!(
                    "This daemon already serves {} sessions, as many as its limit of open files allows.",
                    self.sessions.get()
                ),
                hint.into(),
            );
        }
        match self.service.open(hello, out.clone()) {
            Ok((opened, session)) => {
                let home = self.home.clone();
                (Welcome { proto, proto_min: PROTO_MIN, home, ..opened }, Some(session))
            }
            Err(e) => refuse(e.message, e.hint),
        }
    }

    fn status(&self) -> DaemonStatus {
        DaemonStatus {
            sessions: self.sessions.get(),
            uptime_seconds: self.started.elapsed().as_secs(),
            idle_seconds: self.idle.map_or(0, |idle| idle.as_secs()),
            activated: self.activated,
            notes: self.service.notes().into_iter().collect(),
        }
    }
}

/// Counts a session for as long as it is open, however it ends.
struct Open(Rc<Shared>);

impl Open {
    fn new(shared: &Rc<Shared>) -> Open {
        shared.sessions.set(shared.sessions.get() + 1);
        Open(Rc::clone(shared))
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        self.0.sessions.set(self.0.sessions.get() - 1);
        self.0.since.set(Instant::now());
    }
}

/// Lets the connections finish and the service close its own work, within bounds.
async fn drain(shared: &Rc<Shared>, tasks: &mut JoinSet<()>) -> Ending {
    let _ = sd_notify::notify(&[sd_notify::NotifyState::Stopping]);
    let finish = async {
        while tasks.join_next().await.is_some() {}
        shared.service.drain().await;
    };
    let failed = async {
        loop {
            match shared.ender.wait().await {
                failed @ Ending::Fail(_) => return failed,
                Ending::Drain(_) => shared.ender.changed().await,
            }
        }
    };
    tokio::select! {
        done = tokio::time::timeout(DRAIN_WITHIN, finish) => {
            if done.is_err() {
                tracing::warn!("Calls were still under way after {} seconds.", DRAIN_WITHIN.as_secs());
            }
            Ending::Drain(String::new())
        }
        failed = failed => failed,
    }
}

/// Turns signals into a request to end. Must be called inside the runtime.
pub fn watch_signals(ender: &Ender) -> std::io::Result<()> {
    for (kind, name) in [
        (SignalKind::terminate(), "SIGTERM"),
        (SignalKind::interrupt(), "SIGINT"),
        (SignalKind::hangup(), "SIGHUP"),
    ] {
        let mut stream = signal(kind)?;
        let ender = ender.clone();
        tokio::task::spawn_local(async move {
            while stream.recv().await.is_some() {
                ender.drain(format!("{name} was received."));
            }
        });
    }
    Ok(())
}

/// Tells a supervisor that all is well, as often as it asked to be told.
pub fn watch_dog() {
    let Some(every) = sd_notify::watchdog_enabled() else { return };
    tokio::task::spawn_local(async move {
        let mut tick = tokio::time::interval(every / 2);
        loop {
            tick.tick().await;
            let _ = sd_notify::notify(&[sd_notify::NotifyState::Watchdog]);
        }
    });
}
