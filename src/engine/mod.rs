//! The one path every call takes: policy, preparation, family, one commit, effects, reply.
//!
//! The engine knows the store, the families and the policy; it does not know MCP, sockets or terminals.

mod activity;
mod admin;
mod attendance;
mod audit;
mod cache;
mod call;
mod call_world;
mod checks;
pub mod clock;
mod commit;
pub mod confirm;
mod consult;
pub mod disk;
mod early;
pub mod environment;
pub mod files;
pub mod health;
mod hooks;
mod housekeeping;
mod in_writer;
mod looking;
pub mod mirror;
mod neighbours;
mod news;
mod owner;
mod programs;
mod refused;
mod request;
mod restore;
mod runs;
mod scans;
mod serve;
mod session;
pub mod settings;
pub mod snapshots;
mod stats;
mod tools;
mod trash;
mod web;

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use tokio::sync::broadcast;

use crate::core::run;
use crate::core::{Declared, Error, Family, Ids, Result, SessionInfo, World};
use crate::store::{Catalog, Retention, Store, Writer};

pub use activity::{Activity, HOURS};
pub use clock::Clock;
pub use environment::Environment;
pub use hooks::{Hook, HookEvent};
pub use looking::{LiveSession, NextSteps};
pub use request::{CallRequest, CancelFlag, ProgressNote};
pub use runs::{Orphans, Supervisor};
pub use session::Session;

/// Something changed that other sessions may want to know.
#[derive(Debug, Clone)]
pub struct Event {
    pub workspace: String,
    pub family: String,
    /// Resources whose content changed.
    pub uris: Vec<String>,
    /// Resources came or went.
    pub list_changed: bool,
    pub ended: Vec<RunEnded>,
}

/// A run came to its end: news for the session that asked for it.
#[derive(Debug, Clone)]
pub struct RunEnded {
    pub session: String,
    pub run: String,
    pub subject: String,
    pub tool: String,
    pub status: run::RunStatus,
    pub note: String,
}

/// Everything the engine is given instead of taking it from the process.
pub struct Options {
    pub families: Vec<Box<dyn Family>>,
    pub tools: Vec<Declared>,
    pub clock: Arc<dyn Clock>,
    pub ids: Arc<dyn Ids>,
    pub world: Arc<dyn World>,
    pub retention: Retention,
    /// A human must confirm; agents cannot.
    pub human_confirms: bool,
    /// What the tools around confirmations are called.
    pub names: crate::core::confirm::ConfirmNames,
    /// What a person may have to say besides.
    pub passphrase: Arc<dyn confirm::person::Passphrase>,
    /// Ceiling for every session.
    pub max_mode: Option<crate::core::Mode>,
    /// A directory of the daemon's own for temporary files of mirrors.
    pub scratch: Option<std::path::PathBuf>,
    /// The daemon's own directory: caches lie in it, and no call writes into it.
    pub home: Option<std::path::PathBuf>,
    /// What lets programs of runs outlive the daemon; without it they end with it.
    pub supervisor: Option<Supervisor>,
    pub orphans: Orphans,
    /// Where what is taken away is kept for a while.
    pub trash: Option<std::path::PathBuf>,
    pub snapshots: snapshots::Settings,
    /// The resource that tells a session how things stand when it starts.
    pub cold_start: Option<&'static str>,
    /// Called when the outcome of a commit is unknown and the process must end.
    pub on_fatal: Box<dyn Fn(&Error) + Send>,
    /// Told how many file effects of an operation are done; tests stop the world here.
    pub after_effect: Box<dyn Fn(usize) + Send + Sync>,
}

impl Options {
    /// The tables and indexes of the families, for opening a store.
    pub fn catalog(&self) -> Catalog {
        let mut tables = vec![
            crate::core::call::SESSIONS,
            crate::core::confirm::CONFIRMATIONS,
            crate::core::effect::MADE,
            settings::SETTINGS,
            run::RUNS,
            run::RUN_LOGS,
            run::RUN_SPECS,
        ];
        tables.extend(self.families.iter().flat_map(|f| f.tables()));
        let mut indexers: Vec<crate::core::Indexer> = vec![crate::core::confirm::index, run::index];
        indexers.extend(self.families.iter().flat_map(|f| f.indexers()));
        let shapes = self.families.iter().flat_map(|f| f.shapes().iter().copied()).collect();
        let finders = self.families.iter().filter_map(|f| f.searchable()).map(|found| found.label).collect();
        Catalog { tables, indexers, shapes, finders, ..Catalog::default() }
    }
}

/// What every call needs, shared with the writer and with blocking threads.
pub(crate) struct Shared {
    pub store: Store,
    pub writer: Writer,
    pub families: Vec<Box<dyn Family>>,
    pub tools: Vec<Declared>,
    pub typed: tools::Tools,
    pub clock: Arc<dyn Clock>,
    pub ids: Arc<dyn Ids>,
    pub world: Arc<dyn World>,
    pub retention: Retention,
    pub human_confirms: bool,
    pub names: crate::core::confirm::ConfirmNames,
    pub passphrase: Arc<dyn confirm::person::Passphrase>,
    /// One passphrase is checked at a time.
    pub guessing: tokio::sync::Mutex<()>,
    /// Beats whenever a person has decided something.
    pub decisions: tokio::sync::watch::Sender<u64>,
    /// Answers of calls that waited for a person, for whoever waits for them.
    pub answers: std::sync::Mutex<std::collections::VecDeque<(String, crate::core::Reply)>>,
    pub max_mode: Option<crate::core::Mode>,
    pub events: broadcast::Sender<Event>,
    pub news: news::News,
    /// One for each family whose rows are also files.
    pub mirrors: Vec<mirror::roots::Mirror>,
    pub sessions: session::OpenSessions,
    pub attendance: attendance::Attendances,
    pub stats: stats::ToolStats,
    pub health: health::Health,
    pub hooks: hooks::Hooks,
    pub cold_start: Option<&'static str>,
    /// One collection at a time.
    pub collecting: tokio::sync::Mutex<()>,
    pub scans: scans::Scans,
    pub deciders: early::Deciders,
    /// What families remember of the outside.
    pub memories: Arc<crate::core::Memories>,
    pub after_effect: Box<dyn Fn(usize) + Send + Sync>,
    /// One operation at a time writes files.
    pub files: Arc<tokio::sync::Mutex<()>>,
    /// And in each family one call at a time plans to.
    pub turns: HashMap<&'static str, Arc<tokio::sync::Mutex<()>>>,
    pub runs: runs::Keeper,
    pub home: Option<std::path::PathBuf>,
    pub trash: Option<std::path::PathBuf>,
    pub cache: cache::Cache,
    pub snapshots: snapshots::Snapshots,
    pub stopped: AtomicBool,
}

impl Shared {
    pub fn family(&self, name: &str) -> Result<&dyn Family> {
        let found = self.families.iter().find(|f| f.name() == name);
        found.map(|f| &**f).ok_or_else(|| Error::internal(format!("There is no family {name}.")))
    }

    pub fn tool(&self, name: &str) -> Option<&Declared> {
        self.tools.binary_search_by(|t| t.name.as_str().cmp(name)).ok().map(|i| &self.tools[i])
    }
}

pub struct Engine {
    pub(crate) shared: Arc<Shared>,
}

impl Engine {
    /// Starts the writer and finishes or takes back what a crash left half-way.
    pub fn start(store: Store, options: Options) -> Result<Engine> {
        let typed = tools::Tools::of(&options.families, &options.tools)?;
        let writer = Writer::start(&store, options.on_fatal);
        let (events, _) = broadcast::channel(1024);
        let turns = options.families.iter().map(|family| (family.name(), Arc::default())).collect();
        let attendance = attendance::Attendances::since(options.clock.now());
        let mirrors = options.families.iter().filter(|family| family.mirrored().is_some());
        let mirrors = mirrors
            .map(|family| mirror::roots::Mirror::new(family.name(), options.scratch.clone()))
            .collect();
        let shared = Arc::new(Shared {
            store,
            writer,
            families: options.families,
            tools: options.tools,
            typed,
            clock: options.clock,
            ids: options.ids,
            world: options.world,
            retention: options.retention,
            human_confirms: options.human_confirms,
            names: options.names,
            passphrase: options.passphrase,
            guessing: Default::default(),
            decisions: tokio::sync::watch::channel(0).0,
            answers: Default::default(),
            max_mode: options.max_mode,
            events,
            news: news::News::default(),
            mirrors,
            sessions: session::OpenSessions::default(),
            attendance,
            stats: stats::ToolStats::default(),
            health: health::Health::default(),
            hooks: hooks::Hooks::default(),
            cold_start: options.cold_start,
            collecting: Default::default(),
            scans: scans::Scans::default(),
            deciders: early::Deciders::default(),
            memories: Arc::default(),
            after_effect: options.after_effect,
            files: Arc::default(),
            turns,
            runs: runs::Keeper::new(options.supervisor, options.orphans),
            cache: cache::Cache::at(options.home.clone()),
            snapshots: snapshots::Snapshots::at(options.home.as_deref(), options.snapshots),
            home: options.home,
            trash: options.trash,
            stopped: AtomicBool::new(false),
        });
        files::recover::finish_pending(&shared)?;
        runs::take_up(&shared)?;
        settings::compare(&shared)?;
        trash::finish_moves(&shared)?;
        Ok(Engine { shared })
    }

    pub fn tools(&self) -> &[Declared] {
        &self.shared.tools
    }

    pub fn families(&self) -> &[Box<dyn Family>] {
        &self.shared.families
    }

    #[allow(dead_code, reason = "tests look behind the engine")]
    pub fn store(&self) -> &Store {
        &self.shared.store
    }

    /// A session that said nothing of its environment.
    pub fn open_session(&self, info: SessionInfo) -> Arc<Session> {
        self.open_session_in(info, Environment::default())
    }

    /// `environment` is what its programs are given a part of.
    pub fn open_session_in(&self, info: SessionInfo, environment: Environment) -> Arc<Session> {
        let session = Arc::new(Session::new(info, environment));
        self.shared.sessions.add(&session);
        self.shared.attendance.came(session.id());
        session
    }

    pub fn events(&self) -> broadcast::Receiver<Event> {
        self.shared.events.subscribe()
    }

    /// Runs that are queued or under way.
    pub fn active_runs(&self) -> usize {
        self.shared.runs.active()
    }

    /// Waits until no run is queued or under way; false when that took too long. Blocks the thread.
    #[allow(dead_code, reason = "tests wait for the end of a run")]
    pub fn wait_for_runs(&self, timeout: std::time::Duration) -> bool {
        self.shared.runs.wait_idle(timeout)
    }

    /// Runs that were taken up and ended before their session came back.
    pub fn ended_meanwhile(&self, session: &str) -> Vec<RunEnded> {
        self.shared.runs.ended_meanwhile(session)
    }

    /// The daemon is about to end: calls that only wait for a run answer now with how it stands.
    pub fn end_waits(&self) {
        self.shared.runs.end_waits();
        self.shared.news.end();
    }

    /// Finishes every waiting write and closes the writer; later changes are refused.
    pub fn stop(&self) {
        self.shared.runs.stop();
        self.shared.stopped.store(true, std::sync::atomic::Ordering::SeqCst);
        self.shared.writer.stop();
    }
}
