//! One line becomes messages: requests and notifications with their id kept as the client wrote it.
//!
//! Parsing never fails as a whole: what is wrong becomes an item that carries its own answer. Params are not
//! looked into here.

use std::fmt;

use serde::Deserialize;
use serde::de::Deserializer;
use serde_json::error::Category;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::fault::{INVALID_REQUEST, PARSE, RpcFault};

/// A longer message is refused without being parsed.
pub const MAX_MESSAGE: usize = 16 * 1024 * 1024;
/// More messages in one array are refused: each keeps a call open until the last is done.
pub const MAX_BATCH: usize = 1024;

/// A request id, a string or a number, echoed byte for byte.
#[derive(Debug, Clone)]
pub struct RequestId(Box<RawValue>);

impl RequestId {
    pub fn value(&self) -> Value {
        // Valid JSON was checked when the line was read; what cannot be a value (a lone surrogate) compares as text.
        serde_json::from_str(self.0.get()).unwrap_or_else(|_| Value::String(self.0.get().to_string()))
    }
}

impl fmt::Display for RequestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.get())
    }
}

#[derive(Debug)]
pub struct RpcMessage {
    /// `None` for a notification.
    pub id: Option<RequestId>,
    pub method: String,
    /// An object, or why it is none.
    pub params: Result<Map<String, Value>, RpcFault>,
}

#[derive(Debug)]
pub enum RpcItem {
    Message(RpcMessage),
    /// Answered without being handled.
    Bad(Option<RequestId>, RpcFault),
    /// The answer to something this server asked; an error counts as no answer.
    Answer(RequestId, Value),
    /// A blank line, or a response that names no request.
    Nothing,
}

#[derive(Debug)]
pub enum Parsed {
    One(RpcItem),
    Batch(Vec<RpcItem>),
}

#[derive(Deserialize)]
struct Envelope<'a> {
    #[serde(borrow, default)]
    jsonrpc: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    id: Option<&'a RawValue>,
    #[serde(borrow, default)]
    method: Option<&'a RawValue>,
    #[serde(borrow, default)]
    params: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    result: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    error: Option<&'a RawValue>,
}

/// Keeps `null` apart from absent.
fn present<'de: 'a, 'a, D: Deserializer<'de>>(from: D) -> Result<Option<&'a RawValue>, D::Error> {
    <&'a RawValue>::deserialize(from).map(Some)
}

pub fn parse(line: &str) -> Parsed {
    // A byte order mark is no JSON, but some clients open with one.
    let line = line.trim_start_matches('\u{feff}').trim_matches([' ', '\t', '\r', '\n']);
    if line.len() > MAX_MESSAGE {
        let text = format!("The message has {} bytes; at most {MAX_MESSAGE} are accepted.", line.len());
        return Parsed::One(RpcItem::Bad(None, RpcFault::new(INVALID_REQUEST, text)));
    }
    match line.as_bytes().first() {
        None => Parsed::One(RpcItem::Nothing),
        Some(b'[') => batch(line),
        Some(_) => Parsed::One(item(line)),
    }
}

fn batch(line: &str) -> Parsed {
    let invalid = |text: &str| Parsed::One(RpcItem::Bad(None, RpcFault::new(INVALID_REQUEST, text)));
    match serde_json::from_str::<Vec<&RawValue>>(line) {
        Err(error) => Parsed::One(RpcItem::Bad(None, unreadable(&error))),
        Ok(items) if items.is_empty() => invalid("A batch must hold at least one message."),
        Ok(items) if items.len() > MAX_BATCH => {
            invalid(&format!("A batch of {} messages is too large; send at most {MAX_BATCH}.", items.len()))
        }
        Ok(items) => Parsed::Batch(items.into_iter().map(|raw| item(raw.get())).collect()),
    }
}

fn item(text: &str) -> RpcItem {
    let invalid =
        |id: Option<&RawValue>, text: &str| RpcItem::Bad(own(id), RpcFault::new(INVALID_REQUEST, text));
    // Derived readers also take arrays for structs, so the shape is checked first.
    if !text.starts_with('{') {
        return match serde_json::from_str::<&RawValue>(text) {
            Ok(_) => invalid(None, "A message must be a JSON object."),
            Err(error) => RpcItem::Bad(None, unreadable(&error)),
        };
    }
    let envelope: Envelope = match serde_json::from_str(text) {
        Ok(envelope) => envelope,
        Err(error) => return RpcItem::Bad(None, unreadable(&error)),
    };
    if envelope.jsonrpc.is_some_and(|v| !v.get().starts_with('"')) {
        return invalid(envelope.id, "'jsonrpc' must be the string \"2.0\".");
    }
    let Some(method) = envelope.method else {
        // A response to nothing anyone asked has an id of null.
        let known = envelope.id.filter(|id| id.get() != "null");
        return match (envelope.result, envelope.error, own(known)) {
            (Some(result), _, Some(id)) => {
                RpcItem::Answer(id, serde_json::from_str(result.get()).unwrap_or_default())
            }
            (None, Some(_), Some(id)) => RpcItem::Answer(id, Value::Null),
            (None, None, id) => {
                RpcItem::Bad(id, RpcFault::new(INVALID_REQUEST, "The message has no 'method'."))
            }
            _ => RpcItem::Nothing,
        };
    };
    if envelope.id.is_some_and(|id| !answerable(id)) {
        // Without an id that can be echoed nobody could tell whose answer it is, so nothing is done either.
        return invalid(None, "'id' must be a string or a number; a notification has none.");
    }
    match serde_json::from_str(method.get()) {
        Ok(method) => {
            RpcItem::Message(RpcMessage { id: own(envelope.id), method, params: params(envelope.params) })
        }
        Err(_) => invalid(envelope.id, "'method' must be a string."),
    }
}

fn own(id: Option<&RawValue>) -> Option<RequestId> {
    id.filter(|raw| answerable(raw)).map(|raw| RequestId(raw.to_owned()))
}

fn answerable(id: &RawValue) -> bool {
    matches!(id.get().as_bytes().first(), Some(b'"' | b'-' | b'0'..=b'9'))
}

fn params(raw: Option<&RawValue>) -> Result<Map<String, Value>, RpcFault> {
    let Some(raw) = raw else { return Ok(Map::new()) };
    if !raw.get().starts_with('{') {
        return Err(RpcFault::params("'params' must be an object."));
    }
    serde_json::from_str(raw.get()).map_err(|e| RpcFault::params(format!("'params' cannot be read: {e}.")))
}

fn unreadable(error: &serde_json::Error) -> RpcFault {
    match error.classify() {
        Category::Data => RpcFault::new(INVALID_REQUEST, format!("This is no JSON-RPC message: {error}.")),
        _ => RpcFault::new(PARSE, format!("parse error: {error}.")),
    }
}
