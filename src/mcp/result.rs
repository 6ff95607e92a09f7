//! Replies as text. One place adds what an era demands of every result, so that no handler knows about it.

use std::fmt::Write;
use std::sync::Arc;

use serde::Serialize;

use super::envelope::RequestId;
use super::era::{Era, SERVER_KEY, SUBSCRIPTION_KEY};
use super::fault::RpcFault;
use super::form::Form;
use super::quote::quote;
use crate::core::Reply;

/// What a handler answers: the members of the result object, without its braces.
#[derive(Debug, Default)]
pub struct ResultBody {
    members: Members,
    /// How long a modern client may keep this; `None` where the protocol has no such hint.
    ttl_ms: Option<u64>,
    null: bool,
    /// The client must gather input and call again (modern only).
    wants_input: bool,
}

/// The members in the form that costs least until they are written.
#[derive(Debug)]
enum Members {
    Text(String),
    /// The same for many.
    Shared(Arc<str>),
    /// The answer of a tool, and the form its client wants.
    Reply(Reply, Form),
}

impl Default for Members {
    fn default() -> Self {
        Members::Text(String::new())
    }
}

impl Members {
    /// About how long they are.
    fn len(&self) -> usize {
        match self {
            Members::Text(text) => text.len(),
            Members::Shared(text) => text.len(),
            Members::Reply(reply, form) if reply.structured.is_some() && form.structured => {
                2 * reply.text.len() + reply.text.len() / 8
            }
            Members::Reply(reply, _) => reply.text.len() + reply.text.len() / 8,
        }
    }

    fn write(&self, line: &mut String) {
        match self {
            Members::Text(text) => line.push_str(text),
            Members::Shared(text) => line.push_str(text),
            Members::Reply(reply, form) => write_reply(reply, *form, line),
        }
    }
}

/// The members of a `tools/call` result. Structured content that is the text's own JSON is not made a second time.
fn write_reply(reply: &Reply, form: Form, line: &mut String) {
    line.push_str(r#""content":[{"type":"text","text":"#);
    quote(&reply.text, line);
    line.push('}');
    for (uri, name) in reply.links.iter().filter(|_| form.links) {
        let _ = write!(line, r#",{{"type":"resource_link","uri":{},"name":{}}}"#, quoted(uri), quoted(name));
    }
    line.push(']');
    if let Some(structured) = reply.structured.as_ref().filter(|_| form.structured) {
        line.push_str(r#","structuredContent":"#);
        debug_assert!(!reply.same || reply.text == *structured.to_string(), "{}", reply.text);
        match reply.same {
            true => line.push_str(&reply.text),
            // Writing to a String cannot fail.
            false => drop(write!(line, "{structured}")),
        }
    }
    line.push_str(if reply.is_error { r#","isError":true"# } else { r#","isError":false"# });
}

impl ResultBody {
    /// `{}`
    pub fn empty() -> ResultBody {
        ResultBody::default()
    }

    /// `null`, the answer to `shutdown`.
    pub fn null() -> ResultBody {
        ResultBody { null: true, ..ResultBody::default() }
    }

    /// Members that are JSON text already.
    pub fn raw(members: impl Into<String>) -> ResultBody {
        ResultBody { members: Members::Text(members.into()), ..ResultBody::default() }
    }

    /// The same where many answers are alike.
    pub fn shared(members: &Arc<str>) -> ResultBody {
        ResultBody { members: Members::Shared(Arc::clone(members)), ..ResultBody::default() }
    }

    /// What a tool answered, in the form that its client wants.
    pub fn of_reply(reply: Reply, form: Form) -> ResultBody {
        ResultBody { members: Members::Reply(form.fitted(reply), form), ..ResultBody::default() }
    }

    /// The members of a value that serialises as an object.
    pub fn of(value: &impl Serialize) -> Result<ResultBody, RpcFault> {
        let text = serde_json::to_string(value).map_err(|e| RpcFault::internal(e.to_string()))?;
        match text.strip_prefix('{').and_then(|t| t.strip_suffix('}')) {
            Some(members) => Ok(ResultBody::raw(members)),
            None => Err(RpcFault::internal("A result was not an object.")),
        }
    }

    /// Marks the result as a question to the client.
    #[must_use]
    pub fn input_required(mut self) -> ResultBody {
        self.wants_input = true;
        self
    }

    /// Adds the cache hint that modern lists, reads and discovery must carry.
    #[must_use]
    pub fn cached(mut self, ttl_ms: u64) -> ResultBody {
        self.ttl_ms = Some(ttl_ms);
        self
    }
}

/// A whole reply line. `server_info` is JSON text.
pub fn reply(id: &RequestId, body: &ResultBody, era: Era, server_info: &str) -> String {
    let mut line = String::with_capacity(body.members.len() + 256);
    let comma = if body.members.len() == 0 { "" } else { "," };
    // Writing to a String cannot fail.
    let _ = write!(line, r#"{{"jsonrpc":"2.0","id":{id},"result":"#);
    match era {
        _ if body.null => line.push_str("null"),
        Era::Legacy => {
            line.push('{');
            body.members.write(&mut line);
            line.push('}');
        }
        Era::Modern => {
            let kind = if body.wants_input { "input_required" } else { "complete" };
            let _ = write!(line, r#"{{"resultType":"{kind}""#);
            line.push_str(comma);
            body.members.write(&mut line);
            if let Some(ttl) = body.ttl_ms {
                let _ = write!(line, r#","ttlMs":{ttl},"cacheScope":"private""#);
            }
            let _ = write!(line, r#","_meta":{{"{SERVER_KEY}":{server_info}}}}}"#);
        }
    }
    line.push('}');
    line
}

/// The reply to what went wrong; without a readable id it is `null`.
pub fn error(id: Option<&RequestId>, fault: &RpcFault) -> String {
    let id = id.map_or_else(|| "null".to_string(), RequestId::to_string);
    let message = quoted(&fault.message);
    let data = fault.data.as_ref().map_or_else(String::new, |data| format!(r#","data":{data}"#));
    format!(r#"{{"jsonrpc":"2.0","id":{id},"error":{{"code":{},"message":{message}{data}}}}}"#, fault.code)
}

/// A notification line; `params` is the text of an object's members.
pub fn notification(method: &str, params: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","method":"{method}","params":{{{params}}}}}"#)
}

/// Text as a JSON string.
pub fn quoted(text: &str) -> String {
    let mut out = String::new();
    quote(text, &mut out);
    out
}

/// The result of a `subscriptions/listen` request: its stream ended in good order.
pub fn subscription_end(id: &RequestId, server_info: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","id":{id},"result":{{"resultType":"complete","_meta":{{"{SUBSCRIPTION_KEY}":{id},"{SERVER_KEY}":{server_info}}}}}}}"#
    )
}
