//! A person with a project and the page, spoken to byte by byte.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::TcpStream;

use serde_json::{Value, json};

use crate::common::real::{DEADLINE, Place, Process};
use crate::families::deploy::rig::write;

/// One configuration of two files for Codex: enough for a deploy that has to be confirmed.
const YAML: &str = "\
version: 1
profiles: {default: {include_tags: [core]}}
targets: {codex: {mode: files, scope: project}}
modules:
  - {id: 'instructions:base', type: instructions, tags: [core], source: {local_path: {path: modules/base}}}
";

pub struct Visit {
    pub place: Place,
    pub port: u16,
    pub code: String,
    pub cookie: String,
    pub token: String,
}

#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub headers: BTreeMap<String, String>,
    pub body: String,
}

impl Answer {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|e| panic!("not JSON ({e}): {self:?}"))
    }
}

/// Asks for the page and takes its address apart.
pub fn open(place: &Place, args: &[&str]) -> (u16, String) {
    let said = place.packd(&[&["ui", "--no-open"], args].concat()).ok();
    let address = said.lines().next().unwrap().to_string();
    let rest = address.strip_prefix("http://127.0.0.1:").unwrap_or_else(|| panic!("{said}"));
    let (port, code) = rest.split_once("/#").unwrap();
    (port.parse().unwrap(), code.to_string())
}

impl Visit {
    pub fn new() -> Visit {
        Visit::at(Place::new())
    }

    pub fn at(place: Place) -> Visit {
        let (port, code) = open(&place, &[]);
        let mut visit = Visit { place, port, code, cookie: String::new(), token: String::new() };
        visit.sign_in();
        visit
    }

    /// Exchanges the code.
    pub fn sign_in(&mut self) {
        let answer = self.post_bare("/sign-in", &json!({"code": self.code}));
        assert_eq!(answer.status, 200, "{answer:?}");
        self.token = answer.json()["token"].as_str().unwrap().to_string();
        let set = &answer.headers["set-cookie"];
        self.cookie = set.split(';').next().unwrap().to_string();
    }

    fn post_bare(&self, path: &str, body: &Value) -> Answer {
        self.ask("POST", path, &[("Content-Type", "application/json")], body.to_string().as_bytes())
    }

    /// One request on a connection of its own, with the right host and nothing else.
    pub fn ask(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Answer {
        let mut text =
            format!("{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nConnection: close\r\n", self.port);
        for (name, value) in headers {
            text.push_str(&format!("{name}: {value}\r\n"));
        }
        if method == "POST" {
            text.push_str(&format!("Content-Length: {}\r\n", body.len()));
        }
        text.push_str("\r\n");
        let mut bytes = text.into_bytes();
        bytes.extend_from_slice(body);
        self.raw(&bytes).unwrap_or_else(|| panic!("{method} {path} was not answered"))
    }

    /// Signed in.
    pub fn get(&self, path: &str) -> Answer {
        self.ask("GET", path, &[("Cookie", &self.cookie)], b"")
    }

    pub fn post(&self, path: &str, body: &Value) -> Answer {
        let headers = [
            ("Cookie", self.cookie.as_str()),
            ("X-Packd-Token", self.token.as_str()),
            ("Content-Type", "application/json"),
        ];
        self.ask("POST", path, &headers, body.to_string().as_bytes())
    }

    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(DEADLINE)).unwrap();
        stream
    }

    /// Whatever bytes; `None` where the connection was closed without an answer.
    pub fn raw(&self, bytes: &[u8]) -> Option<Answer> {
        let mut stream = self.connect();
        // The other side may have refused already.
        let _ = stream.write_all(bytes);
        let mut all = Vec::new();
        let _ = stream.read_to_end(&mut all);
        let text = String::from_utf8_lossy(&all).into_owned();
        let (head, body) = text.split_once("\r\n\r\n")?;
        let mut lines = head.lines();
        let status = lines.next()?.split(' ').nth(1)?.parse().ok()?;
        let headers = lines.filter_map(|line| line.split_once(": "));
        let headers = headers.map(|(name, value)| (name.to_lowercase(), value.to_string())).collect();
        Some(Answer { status, headers, body: body.to_string() })
    }
}

/// An agent of the project, connected as an editor connects it.
pub fn agent(place: &Place) -> Process {
    let mut shim = place.shim();
    shim.initialize();
    shim
}

pub fn call(agent: &mut Process, tool: &str, arguments: Value) -> Value {
    let id = json!(uuid::Uuid::new_v4().to_string());
    let params = json!({"name": tool, "arguments": arguments});
    agent.send(&json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params}));
    // News of others may come in between.
    loop {
        let reply = agent.reply();
        if reply["id"] == id {
            return reply["result"]["structuredContent"].clone();
        }
    }
}

/// A place where an agent can ask for a deploy and only a person can agree to it.
pub fn gated(more: &str) -> Place {
    let place = Place::with_config(&format!("confirm = \"human\"\n{more}"));
    deployable(&place);
    place
}

pub fn deployable(place: &Place) {
    let repo = place.path().join(".agentpack/repo");
    write(&repo.join("agentpack.yaml"), YAML);
    write(&repo.join("modules/base/AGENTS.md"), "# base\n");
}

/// The agent asks for the deploy; the id of the confirmation it leaves.
pub fn asks_for_deploy(agent: &mut Process) -> String {
    let plan = call(agent, "deploy", json!({}));
    let token = &plan["data"]["confirm_token"];
    let told = call(agent, "deploy_apply", json!({"yes": true, "confirm_token": token}));
    let id = told.pointer("/errors/0/details/confirmation/id").and_then(Value::as_str);
    id.unwrap_or_else(|| panic!("nobody is asked: {told}")).to_string()
}

/// The value of an attribute of the element with another one.
pub fn attribute(page: &str, near: &str, name: &str) -> String {
    let at = page.find(near).unwrap_or_else(|| panic!("{near} is not there: {page}"));
    let begin = page[..=at].rfind('<').unwrap();
    let element = &page[begin..begin + page[begin..].find('>').unwrap()];
    let value = element.split(&format!("{name}=\"")).nth(1).unwrap_or_else(|| panic!("no {name}: {element}"));
    value.split('"').next().unwrap().to_string()
}
