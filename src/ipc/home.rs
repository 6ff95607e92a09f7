//! The one directory of a user's packd, and what is in it.
//!
//! Shim, command line and daemon must compute the same path in every environment, so only `PACKD_HOME`, `HOME`
//! and the passwd entry decide: hosts strip XDG variables and `TMPDIR` from the servers they start.

use std::fs::{self, DirBuilder};
use std::io::ErrorKind;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use super::SocketTrouble;

/// `sun_path` holds this many bytes, the closing zero included.
const SUN_PATH: usize = if cfg!(target_os = "linux") { 108 } else { 104 };

/// A packd directory. Making one touches nothing; [`Home::prepare`] does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Home(PathBuf);

impl Home {
    /// The directory this user's packd lives in.
    pub fn locate() -> Result<Home, SocketTrouble> {
        if let Some(dir) = std::env::var_os("PACKD_HOME").filter(|d| !d.is_empty()) {
            let dir = PathBuf::from(dir);
            if !dir.is_absolute() {
                return Err(SocketTrouble::new(
                    format!("PACKD_HOME is {}, which is not an absolute path.", dir.display()),
                    "Set it to a full path: client and daemon run in different directories.",
                ));
            }
            return Ok(Home(dir));
        }
        let below = if cfg!(target_os = "macos") {
            "Library/Application Support/packd"
        } else {
            ".local/state/packd"
        };
        Ok(Home(user_home()?.join(below)))
    }

    pub fn at(dir: impl Into<PathBuf>) -> Home {
        Home(dir.into())
    }

    pub fn dir(&self) -> &Path {
        &self.0
    }

    pub fn database(&self) -> PathBuf {
        self.0.join("packd.redb")
    }

    pub fn config(&self) -> PathBuf {
        self.0.join("config.toml")
    }

    pub fn trash(&self) -> PathBuf {
        self.0.join("trash")
    }

    pub fn log(&self) -> PathBuf {
        self.0.join("log")
    }

    /// The socket, if its path fits into a socket address.
    pub fn socket(&self) -> Result<PathBuf, SocketTrouble> {
        let path = self.0.join("packd.sock");
        let length = path.as_os_str().as_bytes().len();
        if length >= SUN_PATH {
            return Err(SocketTrouble::new(
                format!(
                    "The socket path {} has {length} bytes; this system allows {}.",
                    path.display(),
                    SUN_PATH - 1
                ),
                "Set PACKD_HOME to a shorter directory, in the environment of every host that starts packd-mcp.",
            ));
        }
        Ok(path)
    }

    /// Creates the directory where it is missing and verifies that nobody else can reach into it.
    pub fn prepare(&self) -> Result<(), SocketTrouble> {
        let made = DirBuilder::new().mode(0o700).recursive(true).create(&self.0);
        match self.verify()? {
            true => Ok(()),
            false => Err(SocketTrouble::new(
                match made {
                    Err(e) => format!("The directory {} cannot be created: {e}.", self.0.display()),
                    Ok(()) => format!("The directory {} vanished while packd started.", self.0.display()),
                },
                "Make its parent writable, or set PACKD_HOME to a directory of your own.",
            )),
        }
    }

    /// True if the directory is there and safe, false if it is not there; anything else is refused.
    pub fn verify(&self) -> Result<bool, SocketTrouble> {
        let dir = self.0.display();
        let found = match fs::symlink_metadata(&self.0) {
            Ok(found) => found,
            Err(e) if e.kind() == ErrorKind::NotFound => return Ok(false),
            Err(e) => {
                return Err(SocketTrouble::new(
                    format!("The directory {dir} cannot be examined: {e}."),
                    "Check the permissions of the directories above it, or set PACKD_HOME.",
                ));
            }
        };
        if found.file_type().is_symlink() {
            return Err(SocketTrouble::new(
                format!("The directory {dir} is a symbolic link, which packd does not follow."),
                "Set PACKD_HOME to the directory it points to, or replace the link by a directory.",
            ));
        }
        if !found.is_dir() {
            return Err(SocketTrouble::new(
                format!("{dir} is not a directory."),
                "Move that file away, or set PACKD_HOME to another directory.",
            ));
        }
        let me = rustix::process::geteuid().as_raw();
        if found.uid() != me {
            return Err(SocketTrouble::new(
                format!("The directory {dir} belongs to user {}, but packd runs as user {me}.", found.uid()),
                format!(
                    "Run `chown {me} '{dir}'` as its owner, or set PACKD_HOME to a directory of your own."
                ),
            ));
        }
        let mode = found.permissions().mode() & 0o777;
        if mode & 0o077 != 0 {
            return Err(SocketTrouble::new(
                format!("The directory {dir} is open to other users (mode {mode:03o})."),
                format!("Run `chmod 700 '{dir}'`."),
            ));
        }
        Ok(true)
    }
}

/// The user's home directory: `HOME`, else the passwd entry.
pub fn user_home() -> Result<PathBuf, SocketTrouble> {
    std::env::home_dir().ok_or_else(|| {
        SocketTrouble::new(
            "Your home directory is unknown: HOME is not set and the user database has no entry.",
            "Set HOME, or set PACKD_HOME to a directory of your own.",
        )
    })
}
