//! The world outside the store as families may see it while preparing: files, programs, web addresses.
//!
//! Implemented once, in the engine; a fake in tests. Nothing here changes what the user has: it looks, it runs what
//! only looks, and [`cache`](World::cache) alone keeps copies, in a directory of the engine's own.
//! `house::tidy::families_keep_no_caches_of_their_own_on_disk`, `house::tidy::git_is_spoken_in_one_place`,
//! `hostile::cache::a_session_that_only_looks_deploys_from_what_is_cached_and_names_what_is_missing`,
//! `hostile::git::no_look_runs_what_a_repository_names`.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use super::cache::{Cached, PinnedCheckout};
use super::snapshot::{TreeAsk, TreeSeen};
use super::{Effect, Error, FileImage, Memories, Result, Timestamp};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileKind {
    File,
    Dir,
    Symlink,
    /// Sockets, pipes, devices: never read.
    Other,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stat {
    pub kind: FileKind,
    pub size: u64,
    pub mode: u32,
    /// The uid it belongs to.
    pub owner: u32,
    /// Nanoseconds since 1970, inode and device: together they tell an untouched file.
    pub mtime: i128,
    pub ctime: i128,
    pub inode: u64,
    pub device: u64,
}

/// Coarser than any clock that stamps files with fractions of a second.
const SETTLED_MICROS: i128 = 100_000;
/// Coarser than any other file system's clock.
const SETTLED_WHOLE_SECONDS: i128 = 3_000_000;
const NANOS: i128 = 1_000_000_000;

impl Stat {
    /// Whether any change from now on must show in these stamps: what is remembered under them is never wrong.
    pub fn settled(&self, now: Timestamp) -> bool {
        let newest = self.mtime.max(self.ctime);
        // Two whole numbers by chance only make us wait longer.
        let whole = self.mtime % NANOS == 0 && self.ctime % NANOS == 0;
        let wait = if whole { SETTLED_WHOLE_SECONDS } else { SETTLED_MICROS };
        i128::from(now.micros()) - newest / 1000 > wait
    }
}

/// Why a file could not be read, told apart because contracts do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReadError {
    Missing,
    /// A directory, pipe, device or socket.
    NotAFile(FileKind),
    TooLarge(u64),
    /// packd may open no more files now: it says nothing about this one.
    NoDescriptors,
    /// Anything else, in the system's words.
    Failed(String),
}

impl std::fmt::Display for ReadError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ReadError::Missing => f.write_str("it does not exist"),
            ReadError::NotAFile(FileKind::Dir) => f.write_str("it is a directory"),
            ReadError::NotAFile(_) => f.write_str("it is not a regular file"),
            ReadError::TooLarge(n) => write!(f, "it has {n} bytes, which is over the limit"),
            ReadError::NoDescriptors => f.write_str("packd has too many files open to open one more"),
            ReadError::Failed(why) => f.write_str(why),
        }
    }
}

/// A program to run: no shell, arguments as they are.
#[derive(Debug, Clone)]
pub struct Command {
    pub program: String,
    pub args: Vec<String>,
    pub cwd: PathBuf,
    pub env: Vec<(String, String)>,
    pub stdin: Vec<u8>,
    pub timeout: Duration,
}

#[derive(Debug, Clone)]
pub struct Output {
    /// Exit code; `None` = ended by a signal or by the time-out.
    pub code: Option<i32>,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
    pub timed_out: bool,
}

pub trait World: Send + Sync {
    /// Follows symlinks; opens only regular files; reads at most `limit` bytes.
    fn read(&self, path: &Path, limit: u64) -> std::result::Result<Vec<u8>, ReadError>;
    /// The file of this very name (a symlink is not one), with its stat from before it was read.
    fn load(&self, path: &Path, limit: u64) -> std::result::Result<(Stat, Vec<u8>), ReadError>;
    /// Without following a final symlink. `None` = nothing there.
    fn stat(&self, path: &Path) -> Result<Option<Stat>>;
    /// The same for several names in one directory: cheaper than one by one.
    fn stat_all(&self, dir: &Path, names: &[&OsStr]) -> Result<Vec<Option<Stat>>> {
        names.iter().map(|name| self.stat(&dir.join(name))).collect()
    }
    /// Names in a directory, sorted; `None` = no such directory.
    fn list(&self, dir: &Path) -> Result<Option<Vec<(String, FileKind)>>>;
    /// With every symlink resolved. `None` = nothing there.
    fn canonical(&self, path: &Path) -> Result<Option<PathBuf>>;
    fn read_link(&self, path: &Path) -> Result<Option<PathBuf>>;
    fn run(&self, command: &Command) -> Result<Output>;
    /// The same, ended early once nobody wants the result any more.
    fn run_while(&self, command: &Command, _wanted: &dyn Fn() -> bool) -> Result<Output> {
        self.run(command)
    }
    /// GET with a size limit and a time-out; `https` and `http` only.
    fn fetch(&self, url: &str, limit: u64) -> Result<Vec<u8>>;
    /// The same with the proxies that an environment names.
    fn fetch_in(&self, url: &str, limit: u64, _env: &[(String, String)]) -> Result<Vec<u8>> {
        self.fetch(url, limit)
    }
    fn host_name(&self) -> String;
    /// The uid packd runs as; whoever asks about trust compares with it, see [`owner`](super::owner).
    fn user(&self) -> u32;
    /// What people call a user.
    fn user_name(&self, _uid: u32) -> Option<String> {
        None
    }
    /// Keeps other programs that lock this directory away until the operation is over; waits for them a while.
    /// A directory that does not exist needs no lock.
    fn lock(&self, _dir: &Path) -> Result<()> {
        Ok(())
    }
    /// Refuses a file below a root that this call may never write: another family keeps it, or packd itself.
    fn may_write(&self, _root: &Path, _path: &Path) -> Result<()> {
        Ok(())
    }
    /// The call is only explained or previewed: nobody outside this machine may be asked anything.
    fn offline(&self) -> bool {
        false
    }
    /// A repository elsewhere as a directory at one commit. The engine keeps it: this is the one thing here that may
    /// write, in a directory that nobody else does, and never for a call that may only look.
    fn cache(&self, _wanted: &PinnedCheckout) -> Result<Cached> {
        Err(Error::internal("There is no cache in this world."))
    }
    /// What is remembered between calls; nothing, in a world that does not last.
    fn memories(&self) -> Arc<Memories> {
        Arc::default()
    }
    /// The tree that the session works in. A snapshot is taken and recorded only for a call that may change things.
    fn tree(&self, _ask: &TreeAsk) -> Result<TreeSeen> {
        Err(Error::internal("There are no snapshots in this world."))
    }
    /// The content of an image of a file below a root; `None` = it is no longer kept.
    fn content(&self, _root: &Path, _image: &FileImage) -> Result<Option<Vec<u8>>> {
        Ok(None)
    }
    /// For each effect: is its file still what it expects to find (or to leave)?
    fn stands(&self, effects: &[Effect]) -> Vec<bool> {
        vec![true; effects.len()]
    }
    /// Tells the caller how far a long preparation is (0 to 1).
    fn progress(&self, _fraction: f64, _message: &str) {}
    /// The caller no longer wants the answer; long work should stop.
    fn cancelled(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_settled_once_its_clock_must_have_moved_on() {
        let at = |mtime: i128, ctime: i128| Stat {
            kind: FileKind::File,
            size: 1,
            mode: 0o644,
            mtime,
            ctime,
            inode: 1,
            device: 1,
            owner: 0,
        };
        let now = Timestamp::from_seconds(1000);
        let ago = |micros: i128| (1000 * 1_000_000 - micros) * 1000;
        assert!(at(ago(200_000), ago(200_000)).settled(now));
        assert!(!at(ago(50_000), ago(50_000)).settled(now), "within the grain of a fine clock");
        assert!(!at(ago(9_000_000), ago(50_000)).settled(now), "the content may be new, its date copied");
        assert!(!at(ago(2_000_000), ago(2_000_000)).settled(now), "a clock of whole seconds, or of two");
        assert!(at(ago(4_000_000), ago(4_000_000)).settled(now));
        assert!(!at(ago(-500_000), ago(-500_000)).settled(now), "a date in the future says nothing");
    }
}
