//! The world outside the store as families may see it while preparing: files, programs, web addresses.
//!
//! Implemented once, in the engine; a fake in tests. Everything here only looks; nothing writes.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::Result;

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
    /// Nanoseconds since 1970, inode and device: together they tell an untouched file.
    pub mtime: i128,
    pub ctime: i128,
    pub inode: u64,
    pub device: u64,
}

/// Why a file could not be read, told apart because contracts do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReadError {
    Missing,
    /// A directory, pipe, device or socket.
    NotAFile(FileKind),
    TooLarge(u64),
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
    fn host_name(&self) -> String;
    /// Keeps other programs that lock this directory away until the operation is over; waits for them a while.
    /// A directory that does not exist needs no lock.
    fn lock(&self, _dir: &Path) -> Result<()> {
        Ok(())
    }
    /// Tells the caller how far a long preparation is (0 to 1).
    fn progress(&self, _fraction: f64, _message: &str) {}
    /// The caller no longer wants the answer; long work should stop.
    fn cancelled(&self) -> bool {
        false
    }
}
