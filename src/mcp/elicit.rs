//! Asking the person behind the host to confirm, where the configuration says that a person must.
//!
//! Legacy clients are asked with `elicitation/create`; modern ones get `input_required` and call again with
//! the answer and a sealed state. Anything but an explicit yes means "not done". Clients that cannot ask get the
//! preview as it is, and `packd confirm` is the way.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::time::Duration;

use serde_json::{Map, Value, json};
use tokio::sync::oneshot;

use super::dispatch::Request;
use super::envelope::Id;
use super::era::{self, Era};
use super::fault::Fault;
use super::result::Body;
use super::session::Session;
use crate::core::json::digest;
use crate::core::{Reply, Sha};

/// A little less than a token lives.
const ANSWER_WITHIN: Duration = Duration::from_secs(290);
/// The name of our one question in a modern round trip.
const QUESTION: &str = "confirm";

/// Questions to the client that are still open.
#[derive(Default)]
pub struct Questions {
    next: Cell<u64>,
    open: RefCell<HashMap<String, oneshot::Sender<Value>>>,
    /// The handshake's capabilities had `elicitation`.
    pub offered: Cell<bool>,
}

impl Questions {
    /// A response from the client; what nobody waits for is dropped.
    pub fn answered(&self, id: &Id, result: Value) {
        let id = id.value().as_str().map(str::to_string).unwrap_or_default();
        if let Some(waiting) = self.open.borrow_mut().remove(&id) {
            let _ = waiting.send(result);
        }
    }
}

/// A preview that waits for a confirmation.
struct Waiting<'a> {
    token: &'a str,
    typed: bool,
    text: &'a str,
}

fn waiting(reply: &Reply) -> Option<Waiting<'_>> {
    let confirmation = reply.structured.as_ref()?.get("confirmation")?;
    let token = confirmation.get("token")?.as_str()?;
    Some(Waiting { token, typed: confirmation["type"] == json!("type"), text: &reply.text })
}

impl Waiting<'_> {
    /// The form: yes or no, and the name where it must be typed.
    fn form(&self) -> Value {
        let mut properties = json!({"decision": {
            "type": "string", "title": "Do this?", "enum": ["approve", "deny"], "default": "deny",
        }});
        let mut required = vec!["decision"];
        if self.typed {
            properties["typed_value"] = json!({"type": "string", "title": "Name", "description": "Type the ecosystem's name to confirm."});
            required.push("typed_value");
        }
        let message = self.text.split("amof_confirm").next().unwrap_or(self.text).trim_end();
        json!({"message": message,
               "requestedSchema": {"type": "object", "properties": properties, "required": required}})
    }
}

/// The call an approval is for: method, tool and arguments.
pub fn binding(params: &Map<String, Value>) -> String {
    let name = params.get("name").and_then(Value::as_str).unwrap_or_default();
    let none = Map::new();
    let args = params.get("arguments").and_then(Value::as_object).unwrap_or(&none);
    format!("tools/call\n{name}\n{}", digest(args))
}

/// What the person said: `Some(typed)` = yes.
fn approval(answer: &Value) -> Option<Option<String>> {
    let content = &answer["content"];
    (answer["action"] == json!("accept") && content["decision"] == json!("approve"))
        .then(|| content["typed_value"].as_str().map(str::to_string))
}

impl Session {
    /// Continues a call whose preview waits for a person. `None` = there is nothing to ask.
    pub(super) async fn ask_person(
        &self,
        request: &Request,
        bound: &str,
        reply: &Reply,
    ) -> Option<Result<Body, Fault>> {
        let waiting = waiting(reply)?;
        match request.era {
            Era::Modern if era::elicits(&request.params) => Some(self.input_required(bound, &waiting)),
            Era::Legacy if self.questions.offered.get() => {
                let answer = self.ask(&waiting).await;
                let typed = match approval(&answer) {
                    Some(typed) => typed,
                    None => return Some(self.declined(waiting.token).await),
                };
                let reply =
                    self.engine.confirm_for_person(&self.state, waiting.token, typed.as_deref()).await;
                Some(super::tools::render(&reply, true))
            }
            _ => None,
        }
    }

    async fn ask(&self, waiting: &Waiting<'_>) -> Value {
        let number = self.questions.next.get() + 1;
        self.questions.next.set(number);
        let id = format!("packd-{number}");
        let (tell, told) = oneshot::channel();
        self.questions.open.borrow_mut().insert(id.clone(), tell);
        let question =
            json!({"jsonrpc": "2.0", "id": id, "method": "elicitation/create", "params": waiting.form()});
        self.out.send(question.to_string());
        let answer = tokio::time::timeout(ANSWER_WITHIN, told).await;
        self.questions.open.borrow_mut().remove(&id);
        answer.ok().and_then(Result::ok).unwrap_or(Value::Null)
    }

    async fn declined(&self, token: &str) -> Result<Body, Fault> {
        self.engine.give_up(&self.state, token).await;
        let reply =
            Reply::text("Not done: the person did not approve it. The confirmation is cancelled.").error();
        super::tools::render(&reply, true)
    }

    fn input_required(&self, bound: &str, waiting: &Waiting) -> Result<Body, Fault> {
        let mut form = waiting.form();
        form["mode"] = json!("form");
        let state = format!("{}.{}", waiting.token, self.seal(bound, waiting.token));
        Ok(Body::of(&json!({
            "inputRequests": {QUESTION: {"method": "elicitation/create", "params": form}},
            "requestState": state,
        }))?
        .input_required())
    }

    /// Binds a token to the very call it was issued for; the client cannot move it to another.
    fn seal(&self, bound: &str, token: &str) -> String {
        self.engine.resume_key(&Sha::of(format!("{bound}\n{token}").as_bytes()).0)
    }

    /// The second round of a modern call: the same call again, with what the person said.
    pub(super) async fn resume_call(&self, request: &Request) -> Option<Result<Body, Fault>> {
        let state = request.params.get("requestState")?.as_str()?;
        let answer = request.params.get("inputResponses").and_then(|r| r.get(QUESTION))?;
        let bound = binding(&request.params);
        let sealed = state.split_once('.').filter(|(token, seal)| self.seal(&bound, token) == *seal);
        let Some((token, _)) = sealed else {
            return Some(Err(Fault::params("'requestState' does not belong to this call.")));
        };
        Some(match approval(answer) {
            Some(typed) => {
                let reply = self.engine.confirm_for_person(&self.state, token, typed.as_deref()).await;
                super::tools::render(&reply, true)
            }
            None => self.declined(token).await,
        })
    }
}
