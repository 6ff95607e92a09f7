//! A session as the engine knows it: one shim process, with what it said about itself.

use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use tokio::sync::{RwLock, RwLockWriteGuard};

use super::environment::Environment;
use super::{Engine, Shared};
use crate::core::call::{CLI_CLIENT, PAGE_CLIENT, SESSIONS, SessionState};
use crate::core::{Change, Family, Key, Mode, Result, SessionInfo, Sha, View};

pub struct Session {
    id: String,
    info: Mutex<SessionInfo>,
    environment: Environment,
    /// Held while the session itself changes (its mode, its scope): calls that came later wait for that.
    barrier: RwLock<()>,
    /// Wrong passphrases said here.
    wrong: AtomicU8,
    /// The store may hold a mode that it said.
    said: AtomicBool,
    /// The process of its client; 0 where that is not known.
    pid: AtomicU32,
}

impl Session {
    pub fn new(info: SessionInfo, environment: Environment) -> Self {
        Session {
            id: info.id.clone(),
            info: Mutex::new(info),
            environment,
            barrier: RwLock::new(()),
            wrong: AtomicU8::new(0),
            said: AtomicBool::new(true),
            pid: AtomicU32::new(0),
        }
    }

    /// Waits for what changes the session now; a call that does so itself keeps later ones waiting until it is dropped.
    pub(super) async fn turn(&self, changes: bool) -> Option<RwLockWriteGuard<'_, ()>> {
        match changes {
            true => Some(self.barrier.write().await),
            false => {
                drop(self.barrier.read().await);
                None
            }
        }
    }

    /// The process at the other end of its connection.
    pub fn runs_as(&self, pid: u32) {
        self.pid.store(pid, Ordering::SeqCst);
    }

    pub(super) fn pid(&self) -> u32 {
        self.pid.load(Ordering::SeqCst)
    }

    /// Nobody had its id before: there is no mode to look for until it says one.
    pub fn is_new(&self) {
        self.said.store(false, Ordering::SeqCst);
    }

    /// Set before what it says can be read by anybody.
    fn says_mode(&self) {
        self.said.store(true, Ordering::SeqCst);
    }

    pub(super) fn may_have_said(&self) -> bool {
        self.said.load(Ordering::SeqCst)
    }

    pub fn id(&self) -> &str {
        &self.id
    }

    pub fn info(&self) -> SessionInfo {
        self.info.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The person behind it said the passphrase.
    pub(super) fn unlock(&self) {
        self.info.lock().unwrap_or_else(PoisonError::into_inner).unlocked = true;
    }

    pub(super) fn wrong_tries(&self) -> u8 {
        self.wrong.load(Ordering::SeqCst)
    }

    /// Counts one more, and says how many there are.
    pub(super) fn wrong_try(&self) -> u8 {
        self.wrong.fetch_add(1, Ordering::SeqCst).saturating_add(1)
    }

    /// Everything it said of its environment: for [`Environment::pick`], never for replies, logs or the store.
    pub fn environment(&self) -> &Environment {
        &self.environment
    }

    /// The host said its name. Those of people's own faces are theirs: history must not call an agent by them.
    pub fn set_client(&self, name: &str) {
        let mut info = self.info.lock().unwrap_or_else(PoisonError::into_inner);
        let taken = !info.is_cli() && [CLI_CLIENT, PAGE_CLIENT].contains(&name);
        info.client = if taken { format!("{name} (an agent)") } else { name.to_string() };
    }
}

/// The sessions that are open now.
#[derive(Default)]
pub struct OpenSessions(Mutex<Vec<Weak<Session>>>);

impl OpenSessions {
    pub fn add(&self, session: &Arc<Session>) {
        let mut open = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        open.retain(|s| s.strong_count() > 0);
        open.push(Arc::downgrade(session));
    }

    /// One that came back after losing its daemon is the newer of two with its id.
    pub fn newest(&self, id: &str) -> Option<Arc<Session>> {
        let open = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        open.iter().rev().filter_map(Weak::upgrade).find(|s| s.id == id)
    }

    /// Every one with this id.
    fn with_id(&self, id: &str) -> Vec<Arc<Session>> {
        let mut open = self.all();
        open.retain(|s| s.id == id);
        open
    }

    pub fn all(&self) -> Vec<Arc<Session>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).iter().filter_map(Weak::upgrade).collect()
    }
}

/// The session as a family knows it: things of the tree have the tree for their workspace.
pub(super) fn scoped(mut info: SessionInfo, family: &dyn Family) -> SessionInfo {
    if family.of_tree()
        && let Some(tree) = info.linked_tree().map(str::to_string)
    {
        info.workspace = tree;
    }
    info
}

impl Shared {
    /// The mode a session is in: what it said last, also to an earlier daemon, else what it was started with.
    pub(super) fn session_mode(&self, info: &SessionInfo) -> Result<Option<Mode>> {
        let snapshot = self.store.read()?;
        let view = snapshot.view();
        let state = (&view as &dyn View).get::<SessionState>(SESSIONS, &Key::of(&info.id))?;
        Ok(state.and_then(|(state, _)| state.mode).or(info.mode))
    }

    /// A session says its mode with these changes: from now on its calls look for it.
    pub(super) fn heed_modes(&self, changes: &[Change]) {
        for change in changes.iter().filter(|change| change.table == SESSIONS.0) {
            let id = change.key.parts().text().unwrap_or_default();
            self.sessions.with_id(&id).iter().for_each(|session| session.says_mode());
        }
    }

    /// What programs of this session and family get of the session's environment, as long as it is open.
    pub(super) fn env_of_open(&self, info: &SessionInfo, family: &str) -> Option<Vec<(String, String)>> {
        let found = self.sessions.newest(&info.id)?;
        Some(self.env_from(&found, info, family))
    }

    /// What programs of this family get of the environment of one session.
    pub(super) fn env_from(
        &self,
        session: &Session,
        info: &SessionInfo,
        family: &str,
    ) -> Vec<(String, String)> {
        let declared = self.family(family).map(Family::environment).unwrap_or_default();
        session.environment.for_programs(&info.home, declared)
    }

    /// The variables that a run names, where the session is open and has them.
    pub(super) fn picked(&self, info: &SessionInfo, names: &[String]) -> Vec<(String, String)> {
        self.sessions.newest(&info.id).map(|s| s.environment.pick(names)).unwrap_or_default()
    }

    /// As [`env_of_open`](Self::env_of_open); of a session that has gone only its home is known.
    pub(super) fn program_env(&self, info: &SessionInfo, family: &str) -> Vec<(String, String)> {
        let without = || Environment::default().for_programs(&info.home, &[]);
        self.env_of_open(info, family).unwrap_or_else(without)
    }
}

impl Engine {
    /// What a client must show to continue a session after it lost its daemon. Computed from the store's
    /// secret, so it survives a restart without a write.
    pub fn resume_key(&self, session: &str) -> String {
        let secret = self.shared.store.secret();
        let inner = Sha::of(&[secret.as_slice(), session.as_bytes()].concat());
        Sha::of(&[secret.as_slice(), inner.as_str().as_bytes()].concat()).0
    }

    pub fn may_resume(&self, session: &str, key: &str) -> bool {
        self.resume_key(session) == key
    }
}
