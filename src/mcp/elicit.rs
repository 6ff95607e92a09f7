//! Asking the person behind the host to confirm, where the configuration says that a person must.
//!
//! Legacy clients are asked with `elicitation/create`; modern ones get `input_required` and call again with
//! the answer and a sealed state. Anything but an explicit yes means "not done". Clients that cannot ask get the
//! refusal as it is, and `packd confirm` is the way. The text is the engine's question, made for people.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::time::Duration;

use serde_json::{Map, Value, json};
use tokio::sync::oneshot;

use super::dispatch::RpcRequest;
use super::envelope::RequestId;
use super::era::{self, Era};
use super::fault::RpcFault;
use super::result::ResultBody;
use super::session::McpSession;
use crate::core::json::digest;
use crate::core::outcome::PersonConfirm;
use crate::core::{Reply, Sha};

/// Lines of details that a dialog shows.
const LINES: usize = 40;
/// A little less than a confirmation lives.
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
    pub fn answered(&self, id: &RequestId, result: Value) {
        let id = id.value().as_str().map(str::to_string).unwrap_or_default();
        if let Some(waiting) = self.open.borrow_mut().remove(&id) {
            let _ = waiting.send(result);
        }
    }
}

/// The form: yes or no, and the name where it must be typed.
pub fn form(asks: &PersonConfirm) -> Value {
    let mut properties = json!({"decision": {
        "type": "string", "title": "Do this?", "enum": ["approve", "deny"], "default": "deny",
    }});
    let mut required = vec!["decision"];
    if asks.question.typed.is_some() {
        properties["typed_value"] =
            json!({"type": "string", "title": "Name", "description": "Type the name to agree."});
        required.push("typed_value");
    }
    json!({"message": asks.question.text(LINES),
           "requestedSchema": {"type": "object", "properties": properties, "required": required}})
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
    (answer["action"] == "accept" && content["decision"] == "approve")
        .then(|| content["typed_value"].as_str().map(str::to_string))
}

impl McpSession {
    /// Continues a call whose preview waits for a person. `None` = there is nothing to ask.
    pub(super) async fn ask_person(
        &self,
        request: &RpcRequest,
        bound: &str,
        reply: &Reply,
    ) -> Option<Result<ResultBody, RpcFault>> {
        let asks = reply.asks.as_deref().filter(|_| self.can_ask(request))?;
        if request.era == Era::Modern {
            return Some(self.input_required(bound, asks));
        }
        let answer = self.ask(asks).await;
        let Some(typed) = approval(&answer) else { return Some(self.declined(&asks.id).await) };
        let reply = self.engine.confirm_for_person(&self.state, &asks.id, typed.as_deref()).await;
        Some(Ok(ResultBody::of_reply(reply, self.form(Era::Modern))))
    }

    /// Has the client said that it can ask its person?
    pub(super) fn can_ask(&self, request: &RpcRequest) -> bool {
        match request.era {
            Era::Modern => era::elicits(&request.params),
            Era::Legacy => self.questions.offered.get(),
        }
    }

    async fn ask(&self, asks: &PersonConfirm) -> Value {
        let number = self.questions.next.get() + 1;
        self.questions.next.set(number);
        let id = format!("packd-{number}");
        let (tell, told) = oneshot::channel();
        self.questions.open.borrow_mut().insert(id.clone(), tell);
        let question =
            json!({"jsonrpc": "2.0", "id": id, "method": "elicitation/create", "params": form(asks)});
        self.out.send(question.to_string());
        let answer = tokio::time::timeout(ANSWER_WITHIN, told).await;
        self.questions.open.borrow_mut().remove(&id);
        answer.ok().and_then(Result::ok).unwrap_or(Value::Null)
    }

    async fn declined(&self, id: &str) -> Result<ResultBody, RpcFault> {
        self.engine.give_up(&self.state, id).await;
        let reply =
            Reply::text("Not done: the person did not approve it. The confirmation is cancelled.").error();
        Ok(ResultBody::of_reply(reply, self.form(Era::Modern)))
    }

    fn input_required(&self, bound: &str, asks: &PersonConfirm) -> Result<ResultBody, RpcFault> {
        let mut form = form(asks);
        form["mode"] = json!("form");
        let state = format!("{}.{}", asks.id, self.seal(bound, &asks.id));
        Ok(ResultBody::of(&json!({
            "inputRequests": {QUESTION: {"method": "elicitation/create", "params": form}},
            "requestState": state,
        }))?
        .input_required())
    }

    /// Binds a confirmation to the very call it was made for; the client cannot move it to another.
    fn seal(&self, bound: &str, id: &str) -> String {
        self.engine.resume_key(&Sha::of(format!("{bound}\n{id}").as_bytes()).0)
    }

    /// The second round of a modern call: the same call again, with what the person said.
    pub(super) async fn resume_call(&self, request: &RpcRequest) -> Option<Result<ResultBody, RpcFault>> {
        let state = request.params.get("requestState")?.as_str()?;
        let answer = request.params.get("inputResponses").and_then(|r| r.get(QUESTION))?;
        let bound = binding(&request.params);
        let sealed = state.split_once('.').filter(|(id, seal)| self.seal(&bound, id) == *seal);
        let Some((id, _)) = sealed else {
            return Some(Err(RpcFault::params("'requestState' does not belong to this call.")));
        };
        Some(match approval(answer) {
            Some(typed) => {
                let reply = self.engine.confirm_for_person(&self.state, id, typed.as_deref()).await;
                Ok(ResultBody::of_reply(reply, self.form(Era::Modern)))
            }
            None => self.declined(id).await,
        })
    }
}
