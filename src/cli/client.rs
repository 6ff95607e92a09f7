//! The command line as an MCP client: the same socket, the same messages, no private door.

use std::io::{BufRead, BufReader, Write};
use std::os::unix::net::UnixStream;

use serde::Serialize;
use serde_json::{Value, json};

use super::CommandFailure;
use super::ToolArgs;
use super::bar::Bar;
use super::terminal::Terminal;
use super::view::told;
use crate::core::call::CLI_CLIENT;
use crate::ipc::connect::{Reached, connect};
use crate::ipc::hello::{Hello, KIND_MCP, Welcome};
use crate::ipc::home::user_home;
use crate::ipc::{Home, start};

/// The workspace and mode a command acts with.
#[derive(Debug, Clone, Default)]
pub struct CommandScope {
    pub workspace: Option<String>,
    /// What belongs to the user and to no project: entries in the files of hosts.
    pub user_wide: bool,
}

/// The workspace of what belongs to no project.
pub const USER_WIDE: &str = "~";

impl CommandScope {
    /// The scope in which an operation of this workspace is found.
    pub fn of(workspace: &str) -> CommandScope {
        match workspace {
            USER_WIDE => CommandScope { workspace: None, user_wide: true },
            dir => CommandScope { workspace: Some(dir.to_string()), user_wide: false },
        }
    }
}

pub struct Client {
    stream: BufReader<UnixStream>,
    pub welcome: Welcome,
    next_id: u64,
    /// How much of what the daemon recorded was heard of; see [`super::listen`].
    pub seen: u64,
}

/// A tool's answer.
pub struct ToolAnswer {
    pub text: String,
    pub structured: Value,
    pub is_error: bool,
}

impl ToolAnswer {
    /// The structured part, or the text as a JSON string.
    pub fn value(&self) -> Value {
        if self.structured.is_null() { Value::String(self.text.clone()) } else { self.structured.clone() }
    }
}

impl Client {
    /// Connects, starting a daemon if none runs.
    pub fn open(scope: &CommandScope) -> Result<Client, CommandFailure> {
        let home = Home::locate()?;
        let started = start::connect_or_start(&home, &hello(scope)?)?;
        Client::greet(started.link.stream, started.link.welcome)
    }

    /// Connects to a daemon that runs; starts none. A daemon that is just ending counts as none.
    pub fn if_running(scope: &CommandScope) -> Result<Option<Client>, CommandFailure> {
        let home = Home::locate()?;
        match connect(&home, &hello(scope)?)? {
            Reached::Daemon(link) => match Client::greet(link.stream, link.welcome) {
                Err(failure) if failure.code == 3 => Ok(None),
                client => client.map(Some),
            },
            _ => Ok(None),
        }
    }

    fn greet(stream: UnixStream, welcome: Welcome) -> Result<Client, CommandFailure> {
        let mut client = Client { stream: BufReader::new(stream), welcome, next_id: 0, seen: 0 };
        client.request(
            "initialize",
            json!({
                "protocolVersion": "2025-11-25", "capabilities": {},
                "clientInfo": {"name": CLI_CLIENT, "version": env!("CARGO_PKG_VERSION")},
            }),
        )?;
        Ok(client)
    }

    /// Sends a request and waits for its reply; notices in between are passed over.
    pub fn request(&mut self, method: &str, params: impl Serialize) -> Result<Value, CommandFailure> {
        self.next_id += 1;
        let id = self.next_id;
        let message = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        self.stream.get_mut().write_all(format!("{message}\n").as_bytes()).map_err(lost)?;
        let mut bar = Bar::default();
        loop {
            let mut line = String::new();
            if self.stream.read_line(&mut line).map_err(lost)? == 0 {
                return Err(CommandFailure::unreachable(
                    "The daemon closed the connection before it answered.",
                ));
            }
            let Ok(reply) = serde_json::from_str::<Value>(&line) else { continue };
            if reply["method"] == "notifications/progress" {
                bar.show(&reply["params"]);
            }
            if reply["id"] != id {
                continue;
            }
            bar.clear();
            if let Some(error) = reply.get("error") {
                let mut failure =
                    CommandFailure::refused(error["message"].as_str().unwrap_or("The request failed."));
                *failure.details = error["data"].clone();
                return Err(failure);
            }
            return Ok(reply["result"].clone());
        }
    }

    /// A request that only the command line may make.
    pub fn own(&mut self, method: &str, params: ToolArgs) -> Result<Value, CommandFailure> {
        // Daemons before this one know the asking session only by its name.
        let params = params.with("from", &self.welcome.session);
        match self.request(method, &params) {
            Err(failure) if failure.details["code"] == "needs_passphrase" => {
                super::passphrase::unlock(self)?;
                self.request(method, params)
            }
            answer => answer,
        }
    }

    /// A tool that only the command line may call; with `preview` it says what it would do.
    pub fn own_tool(
        &mut self,
        tool: &str,
        args: impl Serialize,
        preview: bool,
    ) -> Result<Value, CommandFailure> {
        self.own(
            "packd/tool",
            ToolArgs::new().with("name", tool).with("arguments", args).with("preview", preview),
        )
    }

    /// Calls a tool; where that needs the passphrase, the person is asked for it first.
    pub fn call(&mut self, tool: &str, args: impl Serialize) -> Result<ToolAnswer, CommandFailure> {
        let answer = self.call_once(tool, &args)?;
        if !(answer.is_error && told::of(&answer.text, &answer.structured).wants_passphrase()) {
            return Ok(answer);
        }
        super::passphrase::unlock(self)?;
        self.call_once(tool, &args)
    }

    fn call_once(&mut self, tool: &str, args: impl Serialize) -> Result<ToolAnswer, CommandFailure> {
        let params = ToolArgs::new()
            .with("name", tool)
            .with("arguments", args)
            .with("_meta", ToolArgs::new().with("progressToken", "bar"));
        let result = self.request("tools/call", params)?;
        let text = result["content"][0]["text"].as_str().unwrap_or_default().to_string();
        Ok(ToolAnswer {
            text,
            structured: result["structuredContent"].clone(),
            is_error: result["isError"].as_bool().unwrap_or(false),
        })
    }

    /// A call whose failure ends the command with the tool's own words.
    pub fn must(&mut self, tool: &str, args: impl Serialize) -> Result<Value, CommandFailure> {
        let answer = self.call(tool, args)?;
        if answer.is_error { Err(CommandFailure::of_tool(&answer)) } else { Ok(answer.value()) }
    }
}

fn hello(scope: &CommandScope) -> Result<Hello, CommandFailure> {
    let mut hello = Hello::of_this_process(KIND_MCP, user_home()?.to_string_lossy().into_owned());
    hello.flags.workspace = scope.workspace.clone();
    if scope.user_wide {
        // A client that is nowhere has no project.
        hello.cwd.clear();
        hello.env.remove("CLAUDE_PROJECT_DIR");
    }
    // A person at the command line may do what the flag keeps agents from.
    hello.flags.allow_write = true;
    hello.env.insert("PACKD_CLI".into(), "1".into());
    hello.terminal = Terminal::controlling().is_some();
    Ok(hello)
}

fn lost(e: std::io::Error) -> CommandFailure {
    CommandFailure::unreachable(format!("The connection to the daemon broke: {e}."))
}
