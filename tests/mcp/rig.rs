//! A server with two small families behind it, and sessions that take raw lines.

use std::rc::Rc;
use std::sync::{Arc, Condvar, Mutex};

use packd::core::ctx::ErrorCtx;
use packd::core::resource::{
    Offers, Prompt, PromptArgument, Resource, ResourceContents, ResourcePage, ResourceTemplate,
};
use packd::core::{
    AnyTool, Ctx, Declared, Error, Family, Key, Look, Op, Outcome, Record, Reply, Result, Table,
};
use packd::engine::{Engine, Options};
use packd::mcp::Server;
use packd::mcp::service::{Flags, Hello, HelloError, Out, Service, ServiceSession, Welcome};
use packd::store::Store;
use serde_json::{Map, Value, json};

use crate::common::plain::{self, Looks, Plain};

const NOTES: Table = Table("test_notes");
/// More than two pages.
const RESOURCES: usize = 250;

/// Holds calls open until a test says so.
#[derive(Default)]
pub struct Gate {
    state: Mutex<(usize, bool)>,
    changed: Condvar,
}

impl Gate {
    fn pass(&self) {
        let mut state = self.state.lock().unwrap();
        state.0 += 1;
        self.changed.notify_all();
        while !state.1 {
            state = self.changed.wait(state).unwrap();
        }
    }

    pub fn open(&self) {
        self.state.lock().unwrap().1 = true;
        self.changed.notify_all();
    }

    /// Returns once so many calls wait inside.
    pub fn wait_for(&self, calls: usize) {
        let mut state = self.state.lock().unwrap();
        while state.0 < calls {
            state = self.changed.wait(state).unwrap();
        }
    }
}

/// `alpha` has resources, prompts and tools of every temper; `beta` only tools.
struct TestFamily {
    name: &'static str,
    gate: Arc<Gate>,
}

impl Family for TestFamily {
    fn name(&self) -> &'static str {
        self.name
    }

    fn tools(&self) -> &'static [&'static dyn AnyTool] {
        let named = tools().into_iter().filter(|tool| tool.family == self.name);
        plain::leak(named.map(|tool| self.tool(tool.name)).collect())
    }

    fn tables(&self) -> &'static [Table] {
        if self.name == "alpha" { &[NOTES] } else { &[] }
    }

    fn render_error(&self, error: &Error, _: &ErrorCtx) -> Reply {
        Reply::text(format!("{}: {}", error.code, error.message)).error()
    }

    fn offers(&self) -> Option<&dyn Offers> {
        (self.name == "alpha").then_some(&AlphaOffers)
    }
}

struct AlphaOffers;

impl Offers for AlphaOffers {
    fn resources(&self, _: &Ctx, cursor: Option<&str>, limit: usize) -> Result<ResourcePage> {
        let start: usize = match cursor.map(str::parse) {
            None => 0,
            Some(Ok(start)) => start,
            Some(Err(_)) => return Err(Error::invalid("cursor", "The cursor is not a number.")),
        };
        let end = (start + limit).min(RESOURCES);
        let page = (start..end).map(|n| Resource {
            uri: format!("alpha://{n}"),
            name: format!("r{n}"),
            title: None,
            description: None,
            mime: "text/plain",
        });
        Ok((page.collect(), (end < RESOURCES).then(|| end.to_string())))
    }

    fn templates(&self) -> Vec<ResourceTemplate> {
        vec![ResourceTemplate {
            uri_template: "alpha://{n}",
            name: "n",
            description: "A number.",
            mime: "text/plain",
        }]
    }

    fn read(&self, _: &Look, uri: &str) -> Result<Option<ResourceContents>> {
        let number = uri.strip_prefix("alpha://").and_then(|n| n.parse::<usize>().ok());
        Ok(number.filter(|n| *n < RESOURCES).map(|n| ResourceContents {
            uri: uri.into(),
            mime: "text/plain".into(),
            text: format!("text {n}"),
        }))
    }

    fn changed(&self, op: &Op) -> Vec<String> {
        op.targets.clone()
    }

    fn prompts(&self) -> Vec<Prompt> {
        let argument = PromptArgument { name: "topic", description: "What about.", required: true };
        vec![Prompt {
            name: "alpha_start",
            title: "Start",
            description: "Starts.",
            arguments: vec![argument],
        }]
    }

    fn prompt(&self, _: &Look, name: &str, args: &Map<String, Value>) -> Result<Option<String>> {
        Ok((name == "alpha_start").then(|| format!("Begin with {}.", args["topic"])))
    }

    fn complete(&self, _: &Ctx, reference: &str, argument: &str, typed: &str) -> Result<Vec<String>> {
        if (reference, argument) != ("alpha://{n}", "n") {
            return Ok(Vec::new());
        }
        Ok((0..RESOURCES).map(|n| n.to_string()).filter(|n| n.starts_with(typed)).collect())
    }
}

impl TestFamily {
    fn tool(&self, name: String) -> Plain {
        let gate = Arc::clone(&self.gate);
        let look: Option<Looks> = match name.as_str() {
            "alpha_slow" => Some(Box::new(move |_| gate.pass())),
            // Reports that go back, and more of them than anybody wants to read.
            "alpha_long" => Some(Box::new(|look| {
                [0.1, 0.1, 0.05, 0.2, 0.3, 1.0].iter().for_each(|part| look.world.progress(*part, "working"))
            })),
            _ => None,
        };
        Plain { name: name.leak(), decide, look }
    }
}

fn decide(ctx: &Ctx) -> Result<Outcome> {
    match ctx.call.tool.as_str() {
        "alpha_boom" => panic!("a tool that panics"),
        "alpha_fail" => Err(Error::invalid("wrong", "It went wrong.")),
        "alpha_write" => {
            let uri = ctx.call.args.get("uri").and_then(|v| v.as_str()).unwrap_or("alpha://0").to_string();
            let mut draft = ctx.draft();
            draft.put(NOTES, &Key::of(&ctx.session.workspace).text(&uri), &ctx.call.args)?;
            let mut outcome = draft.into_outcome();
            outcome.record = Record { summary: "wrote".into(), targets: vec![uri], ..Record::default() };
            outcome.reply = Reply::text("written");
            Ok(outcome)
        }
        "alpha_who" => Ok(Outcome::reply(Reply::json(json!({
            "client": ctx.session.client,
            "workspace": ctx.session.workspace,
            "request_id": ctx.call.request_id,
            "request_key": ctx.call.request_key,
        })))),
        "alpha_link" => Ok(Outcome::reply(Reply {
            links: vec![("alpha://7".into(), "seven".into())],
            ..Reply::text("see the link")
        })),
        _ => Ok(Outcome::reply(Reply::json(Value::Object(ctx.call.args.clone())))),
    }
}

fn tool(name: &str, safety: &str, needs_flag: Option<&str>) -> Value {
    let gate = if needs_flag.is_some() { "allow-write" } else { "own" };
    json!({
        "name": name,
        "title": name,
        "description": "A tool of the tests.",
        "inputSchema": { "type": "object" },
        "packd": { "safety": safety, "gate": gate, "confirm": "none", "strict": false, "needs_flag": needs_flag, "line": "x" },
    })
}

fn tools() -> Vec<Declared> {
    let file = |family: &str, tools: Vec<Value>| json!({ "family": family, "tools": tools }).to_string();
    let read = |name: &str| tool(name, "read-only", None);
    let alpha =
        ["alpha_boom", "alpha_echo", "alpha_fail", "alpha_link", "alpha_long", "alpha_slow", "alpha_who"]
            .map(read);
    let mut alpha = alpha.to_vec();
    alpha.push(tool("alpha_write", "safe-write", None));
    let beta = vec![read("beta_echo"), tool("beta_install", "safe-write", Some("allow-write"))];
    let mut all = Declared::parse_all(&file("alpha", alpha)).unwrap();
    all.extend(Declared::parse_all(&file("beta", beta)).unwrap());
    all.sort_by(|a, b| a.name.cmp(&b.name));
    all
}

pub struct Rig {
    pub server: Server,
    pub gate: Arc<Gate>,
}

/// A session and what it was told besides replies.
pub struct Client {
    pub session: Rc<dyn ServiceSession>,
    pub out: Out,
    pub welcome: Welcome,
}

pub fn hello() -> Hello {
    Hello { cwd: "/".into(), user_home: "/nonexistent".into(), ..Hello::default() }
}

impl Rig {
    pub fn new() -> Rig {
        let gate = Arc::new(Gate::default());
        let families: Vec<Box<dyn Family>> = ["alpha", "beta"]
            .map(|name| Box::new(TestFamily { name, gate: Arc::clone(&gate) }) as Box<dyn Family>)
            .into();
        Rig::over(
            Options { families, tools: tools(), ..packd::daemon::assemble::options(|_| {}).unwrap() },
            gate,
        )
    }

    /// Other families than the made-up ones.
    pub fn over(options: Options, gate: Arc<Gate>) -> Rig {
        let store = Store::in_memory(options.catalog()).unwrap();
        let engine = Arc::new(Engine::start(store, options).unwrap());
        Rig { server: Server::new(engine, "/home/of/packd"), gate }
    }

    pub fn open(&self, hello: &Hello) -> std::result::Result<Client, HelloError> {
        let out = Out::new();
        let (welcome, session) = self.server.open(hello, out.clone())?;
        Ok(Client { session, out, welcome })
    }

    pub fn client(&self) -> Client {
        self.open(&hello()).unwrap()
    }

    pub fn with_flags(&self, flags: Flags) -> std::result::Result<Client, HelloError> {
        self.open(&Hello { flags, ..hello() })
    }
}

impl Client {
    /// One raw line in, the raw reply out.
    pub async fn line(&self, line: &str) -> Option<String> {
        Rc::clone(&self.session).accept(line.to_string()).await
    }

    pub async fn reply(&self, line: &str) -> Value {
        let reply = self.line(line).await.unwrap_or_else(|| panic!("no reply to {line}"));
        assert!(!reply.contains('\n'), "a reply is one line");
        serde_json::from_str(&reply).unwrap_or_else(|e| panic!("{e} in {reply}"))
    }

    /// A legacy request.
    pub async fn ask(&self, method: &str, params: Value) -> Value {
        self.reply(&json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params }).to_string())
            .await
    }

    /// A modern request.
    pub async fn ask_modern(&self, method: &str, params: Value) -> Value {
        self.reply(&modern(1, method, params)).await
    }

    pub async fn call(&self, tool: &str, arguments: Value) -> Value {
        self.ask("tools/call", json!({ "name": tool, "arguments": arguments })).await
    }

    pub async fn notify(&self, method: &str, params: Value) {
        let line = json!({ "jsonrpc": "2.0", "method": method, "params": params }).to_string();
        assert_eq!(self.line(&line).await, None, "a notification is not answered");
    }

    pub async fn handshake(&self, version: &str) -> Value {
        let answer = self.ask("initialize", json!({ "protocolVersion": version, "capabilities": {} })).await;
        self.notify("notifications/initialized", json!({})).await;
        answer["result"].clone()
    }

    /// What is sent without being asked for, also if it has to wait for its time.
    pub async fn hears(&self) -> Vec<Value> {
        loop {
            let heard = self.heard().await;
            if !heard.is_empty() {
                return heard;
            }
            self.out.changed().await;
        }
    }

    /// What was sent without being asked for, after everything under way had its turn.
    pub async fn heard(&self) -> Vec<Value> {
        for _ in 0..8 {
            tokio::task::yield_now().await;
        }
        self.out.take_lines().iter().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

pub fn modern(id: i64, method: &str, mut params: Value) -> String {
    params["_meta"]["io.modelcontextprotocol/protocolVersion"] = "2026-07-28".into();
    params["_meta"]["io.modelcontextprotocol/clientCapabilities"] = json!({});
    json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }).to_string()
}

/// Runs a test on the kind of runtime the daemon has.
pub fn run(test: impl Future<Output = ()>) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    tokio::task::LocalSet::new().block_on(&runtime, test);
}
