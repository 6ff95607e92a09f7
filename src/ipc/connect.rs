//! One connection to a running daemon: connect, check who answers, say Hello, read the Welcome.
//!
//! Never starts anything; [`start`](super::start) does, and decides by [`Reached`] whether it should.

use std::io::{self, ErrorKind, Write};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::Duration;

use super::hello::{Hello, PROTO_MIN, Welcome, encode, read_frame};
use super::{Home, SocketTrouble, peer};

/// How long a daemon may take from the connection to its Welcome.
const WELCOME_WITHIN: Duration = Duration::from_secs(10);

/// An open conversation: after this, one JSON message is one line, in both directions.
pub struct DaemonLink {
    pub stream: UnixStream,
    pub welcome: Welcome,
}

/// What came of trying.
pub enum Reached {
    Daemon(DaemonLink),
    /// Nobody listens (no file, or connection refused): the only two answers that allow starting a daemon.
    Nobody,
    /// The daemon went away between the connection and its Welcome: it was ending. Try again.
    Ending,
    /// It speaks only protocols that are older than ours.
    TooOld(Welcome),
}

/// Tries once.
pub fn connect(home: &Home, hello: &Hello) -> Result<Reached, SocketTrouble> {
    connect_saying(home, hello, b"")
}

/// The same, with a line sent right behind the Hello: its answer need not wait for the Welcome to arrive. A daemon
/// that gives no session never reads it; one that ends before its Welcome may have, so it must be a line that can be
/// said twice.
pub fn connect_saying(home: &Home, hello: &Hello, line: &[u8]) -> Result<Reached, SocketTrouble> {
    let path = home.socket()?;
    if !home.verify()? {
        return Ok(Reached::Nobody);
    }
    let stream = match UnixStream::connect(&path) {
        Ok(stream) => stream,
        Err(e) if matches!(e.kind(), ErrorKind::NotFound | ErrorKind::ConnectionRefused) => {
            return Ok(Reached::Nobody);
        }
        Err(e) => {
            return Err(SocketTrouble::new(
                format!("The socket {} cannot be used: {e}.", path.display()),
                "Run `packd doctor`, or remove that file while no packd daemon runs.",
            ));
        }
    };
    same_user(&stream, &path)?;
    let welcome = match greet(&stream, hello, line) {
        Ok(welcome) => welcome,
        Err(e) if gone(&e) => return Ok(Reached::Ending),
        Err(e) if e.kind() == ErrorKind::InvalidInput => {
            return Err(SocketTrouble::new(
                e.to_string(),
                hello.longest_variable().map_or_else(String::new, |(name, bytes)| {
                    format!("Shorten the environment variable {name}, which has {bytes} bytes, or unset it.")
                }),
            ));
        }
        Err(e) if matches!(e.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {
            return Err(SocketTrouble::new(
                format!("The packd daemon did not answer within {} seconds.", WELCOME_WITHIN.as_secs()),
                format!("Look at {} and restart it with `packd restart`.", home.log().display()),
            ));
        }
        Err(e) => {
            return Err(SocketTrouble::new(
                format!("The packd daemon gave an answer that cannot be understood: {e}."),
                "Run `packd restart`, so that client and daemon are of the same version.",
            ));
        }
    };
    if let Some(message) = &welcome.error {
        if welcome.proto != 0 && welcome.proto < PROTO_MIN {
            return Ok(Reached::TooOld(welcome));
        }
        return Err(SocketTrouble::new(message.clone(), welcome.hint.clone().unwrap_or_default()));
    }
    Ok(Reached::Daemon(DaemonLink { stream, welcome }))
}

/// A socket somebody else serves would see everything a session says.
fn same_user(stream: &UnixStream, path: &Path) -> Result<(), SocketTrouble> {
    let me = rustix::process::geteuid().as_raw();
    let other = peer::user_of(stream).ok();
    match other {
        Some(uid) if uid == me => Ok(()),
        _ => Err(SocketTrouble::new(
            format!(
                "The socket {} is served by {}, not by you (user {me}).",
                path.display(),
                other.map_or("an unknown user".into(), |uid| format!("user {uid}"))
            ),
            "Set PACKD_HOME to a directory of your own.",
        )),
    }
}

fn greet(mut stream: &UnixStream, hello: &Hello, line: &[u8]) -> io::Result<Welcome> {
    stream.set_read_timeout(Some(WELCOME_WITHIN))?;
    stream.set_write_timeout(Some(WELCOME_WITHIN))?;
    let mut said = encode(hello)?;
    said.extend_from_slice(line);
    stream.write_all(&said)?;
    let welcome = read_frame(&mut stream)?;
    stream.set_read_timeout(None)?;
    stream.set_write_timeout(None)?;
    Ok(welcome)
}

/// True for the errors that mean that the other end closed.
pub fn gone(e: &io::Error) -> bool {
    use ErrorKind::{BrokenPipe, ConnectionAborted, ConnectionReset, UnexpectedEof};
    matches!(e.kind(), BrokenPipe | ConnectionAborted | ConnectionReset | UnexpectedEof)
}
