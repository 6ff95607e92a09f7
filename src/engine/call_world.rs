//! The world as one call sees it: the real one, with this caller's progress and cancellation.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use super::files::locks::Locks;
use super::files::reserved::Reserved;
use super::request::{CancelFlag, ProgressNote, ProgressSink};
use super::{Environment, Session, Shared};
use crate::core::cache::{Cached, PinnedCheckout};
use crate::core::snapshot::{TreeAsk, TreeSeen};
use crate::core::world::{Command, FileKind, Output, ReadError, Stat};
use crate::core::{Effect, FileImage, Memories, Result, SessionInfo, World};

/// The world of one call: the real one, with this caller's progress and cancellation.
#[derive(Clone)]
pub(super) struct CallWorld {
    pub inner: Arc<dyn World>,
    pub shared: Arc<Shared>,
    pub session: SessionInfo,
    /// Whose call it is.
    pub family: &'static str,
    pub cancel: CancelFlag,
    pub progress: Option<ProgressSink>,
    /// Held until the files are written.
    pub locks: Locks,
    pub reserved: Arc<Reserved>,
    /// The calling session, where it is open.
    pub asking: Option<Arc<Session>>,
    /// What programs get of its environment; found out when one is started, which few calls do.
    pub env: Arc<OnceLock<Vec<(String, String)>>>,
    /// Only explained or previewed: no remote is asked anything.
    pub offline: bool,
}

impl CallWorld {
    /// Without anybody who listens or cancels.
    pub fn quiet(shared: &Arc<Shared>, family: &'static str, info: &SessionInfo) -> Self {
        CallWorld {
            inner: shared.world.clone(),
            shared: shared.clone(),
            session: info.clone(),
            family,
            cancel: CancelFlag::default(),
            progress: None,
            locks: Locks::default(),
            reserved: Arc::new(Reserved::new(shared, info)),
            asking: shared.sessions.newest(&info.id),
            env: Arc::default(),
            offline: false,
        }
    }

    fn env(&self) -> &[(String, String)] {
        self.env.get_or_init(|| match &self.asking {
            Some(session) => self.shared.env_from(session, &self.session, self.family),
            None => Environment::default().for_programs(&self.session.home, &[]),
        })
    }
}

impl World for CallWorld {
    fn read(&self, path: &Path, limit: u64) -> std::result::Result<Vec<u8>, ReadError> {
        self.inner.read(path, limit)
    }
    fn load(&self, path: &Path, limit: u64) -> std::result::Result<(Stat, Vec<u8>), ReadError> {
        self.inner.load(path, limit)
    }
    fn stat(&self, path: &Path) -> Result<Option<Stat>> {
        self.inner.stat(path)
    }
    fn stat_all(&self, dir: &Path, names: &[&OsStr]) -> Result<Vec<Option<Stat>>> {
        self.inner.stat_all(dir, names)
    }
    fn list(&self, dir: &Path) -> Result<Option<Vec<(String, FileKind)>>> {
        self.inner.list(dir)
    }
    fn memories(&self) -> Arc<Memories> {
        self.shared.memories.clone()
    }
    fn canonical(&self, path: &Path) -> Result<Option<PathBuf>> {
        self.inner.canonical(path)
    }
    fn read_link(&self, path: &Path) -> Result<Option<PathBuf>> {
        self.inner.read_link(path)
    }
    fn run(&self, command: &Command) -> Result<Output> {
        let env = [self.env(), &command.env].concat();
        self.inner.run_while(&Command { env, ..command.clone() }, &|| !self.cancel.is_set())
    }
    fn offline(&self) -> bool {
        self.offline
    }
    fn fetch(&self, url: &str, limit: u64) -> Result<Vec<u8>> {
        self.inner.fetch_in(url, limit, self.env())
    }
    fn host_name(&self) -> String {
        self.inner.host_name()
    }
    fn user(&self) -> u32 {
        self.inner.user()
    }
    fn user_name(&self, uid: u32) -> Option<String> {
        self.inner.user_name(uid)
    }
    fn lock(&self, dir: &Path) -> Result<()> {
        self.locks.take(dir)
    }
    fn may_write(&self, root: &Path, path: &Path) -> Result<()> {
        self.reserved.check(self.family, root, path)
    }
    fn cache(&self, wanted: &PinnedCheckout) -> Result<Cached> {
        self.shared.cache.get(self, &self.session, wanted)
    }
    fn tree(&self, ask: &TreeAsk) -> Result<TreeSeen> {
        let quiet = self.offline || self.session.read_only;
        let ask = match ask {
            TreeAsk::Take { .. } | TreeAsk::BeforeRestore if quiet => &TreeAsk::Look,
            ask => ask,
        };
        self.shared.tree(self, &self.session, ask)
    }
    fn content(&self, root: &Path, image: &FileImage) -> Result<Option<Vec<u8>>> {
        self.shared.content(root, image)
    }
    fn stands(&self, effects: &[Effect]) -> Vec<bool> {
        super::files::effects::stand(effects)
    }
    fn progress(&self, fraction: f64, message: &str) {
        if let Some(sink) = &self.progress {
            sink(ProgressNote { progress: fraction, total: Some(1.0), message: message.to_string() });
        }
    }
    fn cancelled(&self) -> bool {
        self.cancel.is_set()
    }
}
