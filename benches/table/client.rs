//! A plain client: a Unix socket, the Hello, then JSON lines. Nothing of it is worth measuring.

use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::net::UnixStream;
use std::process::{Child, ChildStdin, ChildStdout, Command};

use packd::ipc::connect::{Reached, connect};
use packd::ipc::hello::{Hello, KIND_MCP};
use serde_json::{Value, json};

use crate::home::Home;

pub const INITIALIZE: &str = r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"bench","version":"1"}}}"#;
const INITIALIZED: &str = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;

/// Lines over anything.
pub struct Client<R, W> {
    from: BufReader<R>,
    to: W,
    line: String,
}

pub type Direct = Client<UnixStream, UnixStream>;
pub type Piped = Client<ChildStdout, ChildStdin>;

/// A connection whose Hello is said, straight on the socket.
pub fn connected(home: &Home) -> UnixStream {
    reached(home).expect("a daemon runs")
}

/// The same where the daemon may be gone already.
pub fn reached(home: &Home) -> Option<UnixStream> {
    let mut hello = Hello::of_this_process(KIND_MCP, home.scratch().to_string_lossy().into_owned());
    hello.cwd = home.project().to_string_lossy().into_owned();
    hello.env.clear();
    // The build directory lies in a repository, which would otherwise be the project.
    hello.flags.workspace = Some(hello.cwd.clone());
    hello.flags.allow_write = true;
    match connect(home.ipc(), &hello) {
        Ok(Reached::Daemon(link)) => Some(link.stream),
        Ok(_) => None,
        Err(trouble) => panic!("{trouble}"),
    }
}

pub fn direct(home: &Home) -> Direct {
    let stream = connected(home);
    let mut client = Client::new(stream.try_clone().expect("a second handle"), stream);
    client.begin();
    client
}

/// A session through the shim.
pub fn piped(home: &Home) -> (Child, Piped) {
    piped_to(&mut home.shim())
}

/// The same through a shim that is started in another way.
pub fn piped_to(shim: &mut Command) -> (Child, Piped) {
    let mut child = shim.spawn().expect("the shim starts");
    let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
    let mut client = Client::new(stdout.expect("a pipe"), stdin.expect("a pipe"));
    client.begin();
    (child, client)
}

impl<R: Read, W: Write> Client<R, W> {
    pub fn new(from: R, to: W) -> Client<R, W> {
        Client { from: BufReader::with_capacity(256 * 1024, from), to, line: String::new() }
    }

    fn begin(&mut self) {
        self.round(INITIALIZE);
        self.send(INITIALIZED);
    }

    pub fn send(&mut self, message: &str) {
        let line = [message, "\n"].concat();
        self.to.write_all(line.as_bytes()).expect("the other end reads");
    }

    /// Sends a request and waits for its reply; notices are passed over.
    pub fn round(&mut self, message: &str) -> &str {
        self.send(message);
        loop {
            self.line.clear();
            let n = self.from.read_line(&mut self.line).expect("the other end answers");
            assert!(n > 0, "the connection ended before the reply to {message}");
            if is_reply(&self.line) {
                return &self.line;
            }
        }
    }

    /// Calls a tool that must succeed, and gives its text.
    pub fn call(&mut self, tool: &str, args: Value) -> String {
        let reply: Value = serde_json::from_str(self.round(&call(1, tool, &args))).expect("JSON");
        let result = &reply["result"];
        assert!(result["isError"] != json!(true) && result.is_object(), "{tool} {args} failed: {reply}");
        result["content"][0]["text"].as_str().unwrap_or_default().to_string()
    }
}

/// Notices have no id.
pub fn is_reply(line: &str) -> bool {
    line.starts_with(r#"{"jsonrpc":"2.0","id":"#)
}

pub fn call(id: u64, tool: &str, args: &Value) -> String {
    json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": tool, "arguments": args}})
        .to_string()
}

/// An ordinary small pack.
pub fn create(id: u64) -> String {
    let args = json!({
        "action": "create", "ttl_minutes": 1440, "title": format!("Pack number {id}"),
        "brief": "What a reader of this pack should know before opening the first file of it.",
        "tags": ["bench"],
    });
    call(id, "input", &args)
}

/// The id of the pack that a call answered with.
pub fn pack_id(text: &str) -> String {
    let reply: Value = serde_json::from_str(text).expect("JSON");
    reply["payload"]["id"].as_str().expect("a pack").to_string()
}
