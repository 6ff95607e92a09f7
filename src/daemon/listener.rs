//! The socket: where it comes from, who may connect, and the Hello of each connection.

use std::fs;
use std::io::{self, ErrorKind};
use std::os::fd::{FromRawFd, OwnedFd};
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{UnixListener, UnixStream};

use crate::ipc::hello::{self, Hello, Welcome};
use crate::ipc::{Home, SocketTrouble, peer};

/// A client that does not say Hello by then is not one of ours.
const HELLO_WITHIN: Duration = Duration::from_secs(5);

/// A listening socket that knows whether its file is still its own.
pub struct Door {
    listener: UnixListener,
    /// The file this process made; `None` for a socket of a supervisor, which is never unlinked.
    made: Option<Made>,
}

struct Made {
    path: PathBuf,
    inode: (u64, u64),
}

impl Door {
    /// Binds the socket of `home`. Only for the holder of the database lock: it removes what a dead daemon left.
    pub fn bind(home: &Home) -> Result<Door, SocketTrouble> {
        let path = home.socket()?;
        clear(&path)?;
        let inode = |path: &Path| fs::symlink_metadata(path).map(|m| (m.dev(), m.ino()));
        match UnixListener::bind(&path).and_then(|listener| Ok((listener, inode(&path)?))) {
            Ok((listener, inode)) => {
                // Not everywhere can a socket have a mode; the directory is closed to others anyway.
                let _ = fs::set_permissions(&path, fs::Permissions::from_mode(0o600));
                Ok(Door { listener, made: Some(Made { path, inode }) })
            }
            Err(e) => Err(SocketTrouble::new(
                format!("The socket {} cannot be made: {e}.", path.display()),
                "Free space on that disk, or set PACKD_HOME to a directory on a local file system.",
            )),
        }
    }

    /// The socket that a supervisor passed, if it passed one.
    pub fn passed() -> Result<Option<Door>, SocketTrouble> {
        let broken = |e: io::Error| {
            SocketTrouble::new(
                format!("The socket passed by the supervisor cannot be used: {e}."),
                "Check the .socket unit: it must have one ListenStream.",
            )
        };
        let mut fds = sd_notify::listen_fds().map_err(broken)?;
        let Some(fd) = fds.next() else { return Ok(None) };
        // SAFETY: LISTEN_PID names this process, so descriptor 3 was opened for it by the supervisor, and this is
        // the only place that takes it, once per process.
        #[expect(unsafe_code, reason = "a descriptor that is inherited by number can be had in no other way")]
        let fd = unsafe { OwnedFd::from_raw_fd(fd) };
        rustix::io::fcntl_setfd(&fd, rustix::io::FdFlags::CLOEXEC).map_err(|e| broken(e.into()))?;
        let listener = std::os::unix::net::UnixListener::from(fd);
        listener.set_nonblocking(true).map_err(broken)?;
        let listener = UnixListener::from_std(listener).map_err(broken)?;
        Ok(Some(Door { listener, made: None }))
    }

    pub fn activated(&self) -> bool {
        self.made.is_none()
    }

    /// False when somebody removed or replaced the socket file: nobody can find this daemon any more.
    pub fn reachable(&self) -> bool {
        self.made.as_ref().is_none_or(|made| {
            fs::symlink_metadata(&made.path).is_ok_and(|m| (m.dev(), m.ino()) == made.inode)
        })
    }

    /// The next connection of this user; those of others are dropped.
    pub async fn accept(&self) -> UnixStream {
        loop {
            match self.listener.accept().await {
                Ok((stream, _)) if peer::is_own(&stream) => return stream,
                Ok(_) => tracing::warn!("A connection of another user was refused."),
                Err(e) => {
                    tracing::warn!("A connection could not be accepted: {e}.");
                    // Out of descriptors: an immediate retry would only spin.
                    tokio::time::sleep(Duration::from_millis(50)).await;
                }
            }
        }
    }
}

impl Drop for Door {
    fn drop(&mut self) {
        // By path, which must not hit the socket of somebody else.
        if let Some(made) = self.made.as_ref().filter(|_| self.reachable()) {
            let _ = fs::remove_file(&made.path);
        }
    }
}

/// Removes the socket of a dead daemon; anything else in that place is not ours to remove.
fn clear(path: &Path) -> Result<(), SocketTrouble> {
    let trouble =
        |what: String| SocketTrouble::new(what, "Move it away; packd needs that name for its socket.");
    match fs::symlink_metadata(path) {
        Err(e) if e.kind() == ErrorKind::NotFound => Ok(()),
        Ok(found) if found.file_type().is_socket() => fs::remove_file(path)
            .map_err(|e| trouble(format!("The old socket {} cannot be removed: {e}.", path.display()))),
        Ok(_) => Err(trouble(format!("{} is not a socket.", path.display()))),
        Err(e) => Err(trouble(format!("{} cannot be examined: {e}.", path.display()))),
    }
}

/// Reads the Hello of a new connection.
pub async fn read_hello(stream: &mut UnixStream) -> io::Result<Hello> {
    let reading = async {
        let mut head = [0; 4];
        stream.read_exact(&mut head).await?;
        let mut body = vec![0; hello::length(head)?];
        stream.read_exact(&mut body).await?;
        hello::decode(&body)
    };
    tokio::time::timeout(HELLO_WITHIN, reading).await?
}

pub async fn write_welcome(stream: &mut UnixStream, welcome: &Welcome) -> io::Result<()> {
    stream.write_all(&hello::encode(welcome)?).await
}
