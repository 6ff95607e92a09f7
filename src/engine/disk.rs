//! The real world behind [`World`]: files, programs and web addresses, looked at but never changed.

use std::ffi::OsStr;
use std::fs::{File, Metadata};
use std::io::{Read, Write};
use std::os::unix::fs::MetadataExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use rustix::fs::{AtFlags, FileType, Mode, OFlags};
use rustix::io::Errno;

use crate::core::world::{Command, FileKind, Output, ReadError, Stat};
use crate::core::{Error, Kind, Result, World};

pub struct Disk;

fn kind_of(t: std::fs::FileType) -> FileKind {
    if t.is_file() {
        FileKind::File
    } else if t.is_dir() {
        FileKind::Dir
    } else if t.is_symlink() {
        FileKind::Symlink
    } else {
        FileKind::Other
    }
}

fn gone(e: &std::io::Error) -> bool {
    matches!(e.kind(), std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory)
}

fn failed(verb: &str, path: &Path, e: &std::io::Error) -> Error {
    Error::io(format!("Cannot {verb} {}: {e}.", path.display()))
}

fn stat_of(m: &Metadata) -> Stat {
    Stat {
        kind: kind_of(m.file_type()),
        size: m.len(),
        mode: m.mode() & 0o7777,
        mtime: i128::from(m.mtime()) * 1_000_000_000 + i128::from(m.mtime_nsec()),
        ctime: i128::from(m.ctime()) * 1_000_000_000 + i128::from(m.ctime_nsec()),
        inode: m.ino(),
        device: m.dev(),
    }
}

/// The same from the system's own record.
#[allow(clippy::useless_conversion, clippy::unnecessary_cast, reason = "the widths differ between systems")]
fn raw_stat(s: &rustix::fs::Stat) -> Stat {
    let kind = match FileType::from_raw_mode(s.st_mode) {
        FileType::RegularFile => FileKind::File,
        FileType::Directory => FileKind::Dir,
        FileType::Symlink => FileKind::Symlink,
        _ => FileKind::Other,
    };
    Stat {
        kind,
        size: s.st_size as u64,
        mode: u32::from(s.st_mode) & 0o7777,
        mtime: i128::from(s.st_mtime) * 1_000_000_000 + i128::from(s.st_mtime_nsec),
        ctime: i128::from(s.st_ctime) * 1_000_000_000 + i128::from(s.st_ctime_nsec),
        inode: s.st_ino,
        device: s.st_dev as u64,
    }
}

fn unreadable(e: std::io::Error) -> ReadError {
    if gone(&e) { ReadError::Missing } else { ReadError::Failed(e.to_string()) }
}

/// Opens without blocking, so that a pipe in the file's place cannot hang the thread.
fn open_and_read(
    path: &Path,
    how: OFlags,
    limit: u64,
) -> std::result::Result<(Metadata, Vec<u8>), ReadError> {
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC | how;
    let fd = rustix::fs::open(path, flags, Mode::empty()).map_err(|e| match e {
        Errno::LOOP if how.contains(OFlags::NOFOLLOW) => ReadError::NotAFile(FileKind::Symlink),
        // A socket, or a device without a driver: there is nothing to open.
        Errno::NXIO | Errno::NODEV => ReadError::NotAFile(FileKind::Other),
        e => unreadable(e.into()),
    })?;
    let file = File::from(fd);
    let meta = file.metadata().map_err(unreadable)?;
    if !meta.is_file() {
        return Err(ReadError::NotAFile(kind_of(meta.file_type())));
    }
    if meta.len() > limit {
        return Err(ReadError::TooLarge(meta.len()));
    }
    // What is appended from now on belongs to the next look. Files of the kernel's own have no length.
    let most = if meta.len() == 0 { limit + 1 } else { meta.len() };
    let mut bytes = Vec::with_capacity(usize::try_from(meta.len()).unwrap_or(0));
    file.take(most).read_to_end(&mut bytes).map_err(unreadable)?;
    if bytes.len() as u64 > limit {
        return Err(ReadError::TooLarge(bytes.len() as u64));
    }
    Ok((meta, bytes))
}

impl World for Disk {
    fn read(&self, path: &Path, limit: u64) -> std::result::Result<Vec<u8>, ReadError> {
        let meta = std::fs::metadata(path).map_err(unreadable)?;
        if !meta.is_file() {
            return Err(ReadError::NotAFile(kind_of(meta.file_type())));
        }
        open_and_read(path, OFlags::empty(), limit).map(|(_, bytes)| bytes)
    }

    fn load(&self, path: &Path, limit: u64) -> std::result::Result<(Stat, Vec<u8>), ReadError> {
        open_and_read(path, OFlags::NOFOLLOW, limit).map(|(meta, bytes)| (stat_of(&meta), bytes))
    }

    fn stat(&self, path: &Path) -> Result<Option<Stat>> {
        match std::fs::symlink_metadata(path) {
            Ok(meta) => Ok(Some(stat_of(&meta))),
            Err(e) if gone(&e) => Ok(None),
            Err(e) => Err(failed("look at", path, &e)),
        }
    }

    fn stat_all(&self, dir: &Path, names: &[&OsStr]) -> Result<Vec<Option<Stat>>> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let fd = match rustix::fs::open(dir, flags, Mode::empty()) {
            Ok(fd) => fd,
            Err(Errno::NOENT | Errno::NOTDIR) => return Ok(vec![None; names.len()]),
            // A directory that may be searched need not be one that may be read.
            Err(_) => return names.iter().map(|name| self.stat(&dir.join(name))).collect(),
        };
        let one = |name: &&OsStr| match rustix::fs::statat(&fd, *name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(found) => Ok(Some(raw_stat(&found))),
            Err(Errno::NOENT) => Ok(None),
            Err(e) => Err(failed("look at", &dir.join(name), &e.into())),
        };
        names.iter().map(one).collect()
    }

    fn list(&self, dir: &Path) -> Result<Option<Vec<(String, FileKind)>>> {
        let entries = match std::fs::read_dir(dir) {
            Ok(entries) => entries,
            Err(e) if gone(&e) => return Ok(None),
            Err(e) => return Err(failed("list", dir, &e)),
        };
        let mut out = Vec::new();
        for entry in entries {
            let entry = entry.map_err(|e| failed("list", dir, &e))?;
            let kind = entry.file_type().map_err(|e| failed("look at", &entry.path(), &e))?;
            out.push((entry.file_name().to_string_lossy().into_owned(), kind_of(kind)));
        }
        out.sort_by(|a, b| a.0.cmp(&b.0));
        Ok(Some(out))
    }

    fn canonical(&self, path: &Path) -> Result<Option<PathBuf>> {
        match std::fs::canonicalize(path) {
            Ok(p) => Ok(Some(p)),
            Err(e) if gone(&e) => Ok(None),
            Err(e) => Err(failed("resolve", path, &e)),
        }
    }

    fn read_link(&self, path: &Path) -> Result<Option<PathBuf>> {
        match std::fs::read_link(path) {
            Ok(p) => Ok(Some(p)),
            Err(e) if gone(&e) || e.kind() == std::io::ErrorKind::InvalidInput => Ok(None),
            Err(e) => Err(failed("read the link", path, &e)),
        }
    }

    fn run(&self, command: &Command) -> Result<Output> {
        run(command, &|| true)
    }

    fn run_while(&self, command: &Command, wanted: &dyn Fn() -> bool) -> Result<Output> {
        run(command, wanted)
    }

    fn fetch(&self, url: &str, limit: u64) -> Result<Vec<u8>> {
        super::web::fetch(url, limit)
    }

    fn host_name(&self) -> String {
        rustix::system::uname().nodename().to_string_lossy().into_owned()
    }
}

/// Runs a program in its own process group, so that a time-out or a cancellation ends everything it started.
fn run(command: &Command, wanted: &dyn Fn() -> bool) -> Result<Output> {
    let mut program = std::process::Command::new(&command.program);
    for name in super::steps::FOREIGN {
        program.env_remove(name);
    }
    let mut child = program
        .args(&command.args)
        .current_dir(&command.cwd)
        .envs(command.env.iter().cloned())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0)
        .spawn()
        .map_err(|e| Error::io(format!("Cannot start {}: {e}.", command.program)))?;
    let pid = rustix::process::Pid::from_child(&child);
    let stdin = child.stdin.take();
    let input = command.stdin.clone();
    let feeder = std::thread::spawn(move || {
        if let Some(mut pipe) = stdin {
            // A program that does not read its input closes the pipe; that is its right.
            let _ = pipe.write_all(&input);
        }
    });
    let reader = |pipe: Option<Box<dyn Read + Send>>| {
        std::thread::spawn(move || {
            let mut out = Vec::new();
            if let Some(mut pipe) = pipe {
                let _ = pipe.read_to_end(&mut out);
            }
            out
        })
    };
    let stdout = reader(child.stdout.take().map(|p| Box::new(p) as Box<dyn Read + Send>));
    let stderr = reader(child.stderr.take().map(|p| Box::new(p) as Box<dyn Read + Send>));
    let deadline = Instant::now() + command.timeout;
    let mut pause = Duration::from_micros(200);
    let (status, timed_out) = loop {
        match child.try_wait() {
            Ok(Some(status)) => break (Some(status), false),
            Ok(None) if Instant::now() >= deadline || !wanted() => {
                let _ = rustix::process::kill_process_group(pid, rustix::process::Signal::KILL);
                break (child.wait().ok(), true);
            }
            Ok(None) => {
                std::thread::sleep(pause);
                pause = (pause * 2).min(Duration::from_millis(20));
            }
            Err(e) => return Err(Error::io(format!("Cannot wait for {}: {e}.", command.program))),
        }
    };
    let _ = feeder.join();
    if timed_out && !wanted() {
        return Err(Error::new(Kind::State, "cancelled", "The call was cancelled; nothing was changed."));
    }
    Ok(Output {
        code: if timed_out { None } else { status.and_then(|s| s.code()) },
        stdout: stdout.join().unwrap_or_default(),
        stderr: stderr.join().unwrap_or_default(),
        timed_out,
    })
}
