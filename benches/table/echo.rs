//! The floor of a round trip: another process that answers every line with a line of a fixed size.

use std::io::{BufRead, BufReader, Write};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use crate::client::Client;
use crate::client::Direct;
use crate::home::Home;

pub const ROLE: &str = "echo-server";

pub struct Echo {
    child: Child,
    socket: PathBuf,
    pub client: Direct,
}

impl Echo {
    /// Replies as long as `reply`, its line break included.
    pub fn start(home: &Home, reply: &str) -> Echo {
        let socket = home.scratch().join("echo");
        let me = std::env::current_exe().expect("this program has a path");
        let size = reply.len().to_string();
        let mut command = Command::new(me);
        command.arg(ROLE).arg(&socket).arg(size).stdout(Stdio::piped());
        let mut child = command.spawn().expect("the echo server starts");
        let mut ready = String::new();
        let stdout = child.stdout.take().expect("a pipe");
        BufReader::new(stdout).read_line(&mut ready).expect("the echo server says when it listens");
        let stream = UnixStream::connect(&socket).expect("it listens");
        Echo { child, socket, client: Client::new(stream.try_clone().expect("a second handle"), stream) }
    }
}

impl Drop for Echo {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = std::fs::remove_file(&self.socket);
    }
}

/// The other process: serves one connection.
pub fn serve(socket: &str, size: &str) {
    let listener = UnixListener::bind(socket).expect("the socket can be made");
    println!("ready");
    let mut answer = br#"{"jsonrpc":"2.0","id":"#.to_vec();
    answer.resize(size.parse::<usize>().expect("a size").saturating_sub(1), b'x');
    answer.push(b'\n');
    let (stream, _) = listener.accept().expect("a connection");
    let mut to = stream.try_clone().expect("a second handle");
    let mut from = BufReader::with_capacity(64 * 1024, stream);
    let mut line = Vec::new();
    while from.read_until(b'\n', &mut line).is_ok_and(|n| n > 0) {
        if to.write_all(&answer).is_err() {
            return;
        }
        line.clear();
    }
}
