//! The real disk and the real programs, with somebody watching what is opened and what is started.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use packd::core::world::{Command, FileKind, Output, ReadError, Stat};
use packd::core::{Result, World};
use packd::engine::disk::Disk;

type OwnerOf = dyn Fn(&Path) -> Option<u32> + Send + Sync;

/// Each watcher is told before the thing happens, and may hold it up.
pub struct WatchedWorld {
    pub before_read: Box<dyn Fn(&Path) + Send + Sync>,
    pub before_run: Box<dyn Fn(&Command) + Send + Sync>,
    /// Who owns a file, if not whom the disk says.
    pub owner: Box<OwnerOf>,
}

impl Default for WatchedWorld {
    fn default() -> Self {
        WatchedWorld {
            before_read: Box::new(|_| {}),
            before_run: Box::new(|_| {}),
            owner: Box::new(|_| None),
        }
    }
}

impl WatchedWorld {
    fn owned(&self, path: &Path, stat: Stat) -> Stat {
        Stat { owner: (self.owner)(path).unwrap_or(stat.owner), ..stat }
    }

    /// A world that notes every file it is asked to read.
    pub fn noting() -> (WatchedWorld, Arc<Mutex<Vec<PathBuf>>>) {
        let noted = Arc::new(Mutex::new(Vec::new()));
        let note = noted.clone();
        let before_read = Box::new(move |path: &Path| note.lock().unwrap().push(path.to_path_buf()));
        (WatchedWorld { before_read, ..WatchedWorld::default() }, noted)
    }
}

impl World for WatchedWorld {
    fn read(&self, path: &Path, limit: u64) -> std::result::Result<Vec<u8>, ReadError> {
        (self.before_read)(path);
        Disk.read(path, limit)
    }
    fn load(&self, path: &Path, limit: u64) -> std::result::Result<(Stat, Vec<u8>), ReadError> {
        (self.before_read)(path);
        Disk.load(path, limit).map(|(stat, bytes)| (self.owned(path, stat), bytes))
    }
    fn stat(&self, path: &Path) -> Result<Option<Stat>> {
        Ok(Disk.stat(path)?.map(|stat| self.owned(path, stat)))
    }
    fn stat_all(&self, dir: &Path, names: &[&OsStr]) -> Result<Vec<Option<Stat>>> {
        names.iter().map(|name| self.stat(&dir.join(name))).collect()
    }
    fn list(&self, dir: &Path) -> Result<Option<Vec<(String, FileKind)>>> {
        Disk.list(dir)
    }
    fn canonical(&self, path: &Path) -> Result<Option<PathBuf>> {
        Disk.canonical(path)
    }
    fn read_link(&self, path: &Path) -> Result<Option<PathBuf>> {
        Disk.read_link(path)
    }
    fn run(&self, command: &Command) -> Result<Output> {
        (self.before_run)(command);
        Disk.run(command)
    }
    fn fetch(&self, url: &str, limit: u64) -> Result<Vec<u8>> {
        Disk.fetch(url, limit)
    }
    fn host_name(&self) -> String {
        Disk.host_name()
    }
    fn user(&self) -> u32 {
        Disk.user()
    }
    fn user_name(&self, uid: u32) -> Option<String> {
        Disk.user_name(uid)
    }
}
