//! Calls of one family with arguments made from bytes along its schemas: right, nearly right and hostile ones.
//!
//! Each input is a short conversation with an engine of its own, in memory, in a world without files. Families whose
//! work is files are only asked for previews.

use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::nowhere::Nowhere;
use crate::core::{Declared, Mode, SessionFacts, SessionInfo};
use crate::engine::clock::{CountingIds, FixedClock};
use crate::engine::{CallRequest, Engine};
use crate::store::Store;

/// Words that mean something to one family or another.
const WORDS: [&str; 24] = [
    "TASK-001",
    "PLAN-001",
    "s:0",
    "s:0.t:0",
    "s:0.t:0.s:1",
    "",
    " ",
    "/",
    "..",
    "../../etc",
    "a/b.rs",
    "@op-id@",
    "1.2.3",
    ">=1, <2",
    "@scope/name",
    "pk_aaaaaaaa",
    "main",
    "demo",
    "codex",
    "null",
    "\u{0}",
    "ä\u{202e}",
    "~",
    "x",
];
const NUMBERS: [i64; 8] = [0, 1, -1, 2, 100, i64::MAX, i64::MIN, 1 << 53];
/// Calls in one input, nesting of made-up values, members of lists.
const CALLS: usize = 6;
const DEPTH: usize = 4;
const LIST: u8 = 4;

struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    /// Zero once there are none left, so every input ends.
    fn next(&mut self) -> u8 {
        let Some((first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        *first
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> Option<T> {
        let n = usize::from(self.next());
        (!from.is_empty()).then(|| from[n % from.len()])
    }

    fn text(&mut self) -> String {
        match self.next() {
            n if n < 160 => self.pick(&WORDS).unwrap_or_default().to_string(),
            n => {
                let (text, rest) = self.0.split_at(usize::from(n - 160).min(self.0.len()));
                self.0 = rest;
                String::from_utf8_lossy(text).into_owned()
            }
        }
    }

    /// Anything, whatever a schema may say.
    fn any(&mut self, depth: usize) -> Value {
        match self.next() % 8 {
            0 => Value::Null,
            1 => json!(self.next().is_multiple_of(2)),
            2 => json!(self.pick(&NUMBERS)),
            3 => json!(f64::from(self.next()) / 7.0),
            4 if depth < DEPTH => (0..self.next() % LIST).map(|_| self.any(depth + 1)).collect(),
            5 if depth < DEPTH => {
                let members = (0..self.next() % LIST).map(|_| (self.text(), self.any(depth + 1)));
                Value::Object(members.collect())
            }
            _ => json!(self.text()),
        }
    }

    /// What the schema asks for, mostly.
    fn along(&mut self, schema: &Value, depth: usize) -> Value {
        if self.next().is_multiple_of(16) || depth > DEPTH {
            return self.any(depth);
        }
        if let Some(allowed) = schema["enum"].as_array().filter(|a| !a.is_empty()) {
            return allowed[usize::from(self.next()) % allowed.len()].clone();
        }
        let kind = schema["type"].as_str().or_else(|| schema["type"][0].as_str());
        match kind {
            Some("string") => json!(self.text()),
            Some("boolean") => json!(self.next().is_multiple_of(2)),
            Some("integer" | "number") => json!(self.pick(&NUMBERS)),
            Some("array") => {
                (0..self.next() % LIST).map(|_| self.along(&schema["items"], depth + 1)).collect()
            }
            Some("object") => Value::Object(self.members(schema, depth + 1)),
            _ => self.any(depth),
        }
    }

    fn members(&mut self, schema: &Value, depth: usize) -> Map<String, Value> {
        let required: Vec<&str> =
            schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        let mut out = Map::new();
        for (name, part) in schema["properties"].as_object().into_iter().flatten() {
            let wanted = required.contains(&name.as_str());
            if self.next().is_multiple_of(4) || (wanted && !self.next().is_multiple_of(16)) {
                out.insert(name.clone(), self.along(part, depth));
            }
        }
        if self.next().is_multiple_of(32) {
            out.insert(self.text(), self.any(depth));
        }
        out
    }
}

/// No call may end in a defect, whatever it is given.
pub fn family(name: &str, data: &[u8]) {
    let Some((engine, tools)) = engine(name) else { return };
    let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_time().build() else { return };
    let session = engine.open_session(session(name));
    let mut bytes = Bytes(data);
    runtime.block_on(async {
        let step = json!([{"title": "S", "success_criteria": ["c"]}]);
        let plan = CallRequest::new("tasks_create", json!({"kind": "plan", "title": "P"}));
        let task = json!({"kind": "task", "parent": "PLAN-001", "title": "T", "steps": step});
        engine.call(&session, plan).await;
        engine.call(&session, CallRequest::new("tasks_create", task)).await;
        for _ in 0..CALLS {
            if bytes.0.is_empty() {
                break;
            }
            let tool = &tools[usize::from(bytes.next()) % tools.len()];
            let args = Value::Object(bytes.members(&tool.schema, 0));
            let reply = engine.call(&session, CallRequest::new(&tool.name, args.clone())).await;
            assert!(!reply.text.contains("A defect in packd"), "{} {args}: {}", tool.name, reply.text);
        }
    });
}

fn engine(name: &str) -> Option<(Engine, Vec<Declared>)> {
    let mut options = crate::daemon::assemble::options(|_| {}).ok()?;
    options.clock = Arc::new(FixedClock::at("2026-01-02T03:04:05Z"));
    options.ids = Arc::new(CountingIds::default());
    options.world = Arc::new(Nowhere);
    let tools: Vec<Declared> = options.tools.iter().filter(|t| t.family == name).cloned().collect();
    let store = Store::in_memory(options.catalog()).ok()?;
    let engine = Engine::start(store, options).ok()?;
    (!tools.is_empty()).then_some((engine, tools))
}

fn session(family: &str) -> SessionInfo {
    let rows_only = ["tasks", "packs", "history"].contains(&family);
    SessionFacts {
        id: "fuzz".into(),
        client: "fuzz".into(),
        workspace: "/nowhere/work".into(),
        tree: "/nowhere/work".into(),
        cwd: "/nowhere/work".into(),
        home: "/nowhere".into(),
        allow_write: true,
        max_mode: (!rows_only).then_some(Mode::Plan),
        ..SessionFacts::default()
    }
    .into()
}
