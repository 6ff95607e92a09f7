//! The real engine over an in-memory store, with a clock and ids that never vary.

use std::sync::Arc;

use packd::core::{Declared, Family, Reply, SessionFacts, SessionInfo, World};
use packd::engine::clock::{CountingIds, FixedClock};
use packd::engine::{CallRequest, Engine, Options, Session};
use packd::store::Store;
use serde_json::{Map, Value};

pub struct TestEngine {
    pub engine: Engine,
    pub clock: Arc<FixedClock>,
    runtime: tokio::runtime::Runtime,
}

/// What a shim would say about itself.
pub fn session_info(id: &str, workspace: &str) -> SessionInfo {
    SessionFacts {
        id: id.into(),
        client: "test".into(),
        workspace: workspace.into(),
        tree: workspace.into(),
        cwd: workspace.into(),
        home: "/nowhere".into(),
        allow_write: true,
        ..SessionFacts::default()
    }
    .into()
}

/// A person at a terminal.
pub fn person(id: &str, workspace: &str) -> SessionInfo {
    let mut info = session_info(id, workspace);
    info.env.insert("PACKD_CLI".into(), "1".into());
    info.client = "packd-cli".into();
    info.terminal = true;
    info
}

impl TestEngine {
    /// All real families.
    pub fn new() -> Self {
        Self::build(|_| {})
    }

    /// Real families plus a made-up one with its tools.
    pub fn with_family(family: Box<dyn Family>, tools: Vec<Declared>) -> Self {
        Self::build(|options| {
            options.families.push(family);
            options.tools.extend(tools);
            options.tools.sort_by(|a, b| a.name.cmp(&b.name));
        })
    }

    pub fn with_world(world: Arc<dyn World>) -> Self {
        Self::build(|options| options.world = world)
    }

    /// Real options, adjusted.
    pub fn build(adjust: impl FnOnce(&mut Options)) -> Self {
        let (options, clock) = options(adjust);
        let store = Store::in_memory(options.catalog()).unwrap();
        Self::start(store, options, clock)
    }

    pub fn start(store: Store, options: Options, clock: Arc<FixedClock>) -> Self {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        TestEngine { engine: Engine::start(store, options).unwrap(), clock, runtime }
    }

    pub fn session(&self, id: &str, workspace: &str) -> Arc<Session> {
        self.engine.open_session(session_info(id, workspace))
    }

    pub fn open(&self, info: SessionInfo) -> Arc<Session> {
        self.engine.open_session(info)
    }

    pub fn call(&self, session: &Arc<Session>, tool: &str, args: Value) -> Reply {
        self.request(session, CallRequest::new(tool, args))
    }

    pub fn request(&self, session: &Arc<Session>, request: CallRequest) -> Reply {
        self.runtime.block_on(self.engine.call(session, request))
    }

    /// The structured reply of a call that must succeed.
    pub fn ok(&self, session: &Arc<Session>, tool: &str, args: Value) -> Value {
        let reply = self.call(session, tool, args.clone());
        assert!(!reply.is_error, "{tool} {args} failed: {}", reply.text);
        reply.structured.unwrap_or_else(|| Value::String(reply.text))
    }

    /// The structured reply of a call that must fail.
    pub fn err(&self, session: &Arc<Session>, tool: &str, args: Value) -> Value {
        let reply = self.call(session, tool, args.clone());
        assert!(reply.is_error, "{tool} {args} should have failed: {}", reply.text);
        reply
            .structured
            .unwrap_or_else(|| Value::Object(Map::from_iter([("text".to_string(), reply.text.into())])))
    }

    pub fn block_on<T>(&self, future: impl Future<Output = T>) -> T {
        self.runtime.block_on(future)
    }
}

/// Real families with a fixed clock and counting ids.
pub fn options(adjust: impl FnOnce(&mut Options)) -> (Options, Arc<FixedClock>) {
    let clock = Arc::new(FixedClock::at("2026-01-02T03:04:05Z"));
    let mut options = packd::daemon::assemble::options(|e| panic!("the writer failed: {e}")).unwrap();
    options.clock = clock.clone();
    options.ids = Arc::new(CountingIds::default());
    adjust(&mut options);
    (options, clock)
}

/// Opens a database that this process may just have closed: a program that another test is starting shares our
/// descriptors, and with them the lock, until it runs.
pub fn open(
    path: &std::path::Path,
    catalog: impl Fn() -> packd::store::Catalog,
) -> packd::core::Result<packd::store::Store> {
    let by = std::time::Instant::now() + std::time::Duration::from_secs(10);
    loop {
        match packd::store::Store::open(path, catalog()) {
            Err(e) if e.code == "already_running" && std::time::Instant::now() < by => {
                std::thread::yield_now()
            }
            opened => return opened,
        }
    }
}
