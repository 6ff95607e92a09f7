//! Replies as text. One place adds what an era demands of every result, so that no handler knows about it.

use std::fmt::Write;

use serde::Serialize;

use super::envelope::Id;
use super::era::{Era, SERVER_KEY, SUBSCRIPTION_KEY};
use super::fault::Fault;

/// What a handler answers: the members of the result object, without its braces.
#[derive(Debug, Default, PartialEq)]
pub struct Body {
    members: String,
    /// How long a modern client may keep this; `None` where the protocol has no such hint.
    ttl_ms: Option<u64>,
    null: bool,
    /// The client must gather input and call again (modern only).
    wants_input: bool,
}

impl Body {
    /// `{}`
    pub fn empty() -> Body {
        Body::default()
    }

    /// `null`, which the packs contract answers to `shutdown`.
    pub fn null() -> Body {
        Body { null: true, ..Body::default() }
    }

    /// Members that are JSON text already.
    pub fn raw(members: impl Into<String>) -> Body {
        Body { members: members.into(), ..Body::default() }
    }

    /// The members of a value that serialises as an object.
    pub fn of(value: &impl Serialize) -> Result<Body, Fault> {
        let text = serde_json::to_string(value).map_err(|e| Fault::internal(e.to_string()))?;
        match text.strip_prefix('{').and_then(|t| t.strip_suffix('}')) {
            Some(members) => Ok(Body::raw(members)),
            None => Err(Fault::internal("A result was not an object.")),
        }
    }

    /// Marks the result as a question to the client.
    #[must_use]
    pub fn input_required(mut self) -> Body {
        self.wants_input = true;
        self
    }

    /// Adds the cache hint that modern lists, reads and discovery must carry.
    #[must_use]
    pub fn cached(mut self, ttl_ms: u64) -> Body {
        self.ttl_ms = Some(ttl_ms);
        self
    }
}

/// A whole reply line. `server_info` is JSON text.
pub fn reply(id: &Id, body: &Body, era: Era, server_info: &str) -> String {
    let mut line = String::with_capacity(body.members.len() + 256);
    let comma = if body.members.is_empty() { "" } else { "," };
    // Writing to a String cannot fail.
    let _ = write!(line, r#"{{"jsonrpc":"2.0","id":{id},"result":"#);
    match era {
        _ if body.null => line.push_str("null"),
        Era::Legacy => {
            line.push('{');
            line.push_str(&body.members);
            line.push('}');
        }
        Era::Modern => {
            let kind = if body.wants_input { "input_required" } else { "complete" };
            let _ = write!(line, r#"{{"resultType":"{kind}""#);
            line.push_str(comma);
            line.push_str(&body.members);
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
pub fn error(id: Option<&Id>, fault: &Fault) -> String {
    let id = id.map_or_else(|| "null".to_string(), Id::to_string);
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
    serde_json::Value::from(text).to_string()
}

/// The result of a `subscriptions/listen` request: its stream ended in good order.
pub fn subscription_end(id: &Id, server_info: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","id":{id},"result":{{"resultType":"complete","_meta":{{"{SUBSCRIPTION_KEY}":{id},"{SERVER_KEY}":{server_info}}}}}}}"#
    )
}
