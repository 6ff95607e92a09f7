//! A JSON-RPC error: its code, its sentence and its data. The only place that knows error codes.

use serde_json::{Value, json};

use super::era::{Era, VERSIONS};
use crate::core::{Error, Kind};

pub const PARSE: i32 = -32700;
pub const INVALID_REQUEST: i32 = -32600;
const METHOD_NOT_FOUND: i32 = -32601;
const INVALID_PARAMS: i32 = -32602;
pub const INTERNAL: i32 = -32603;
/// The answer to whatever comes after `shutdown`.
pub const SHUT_DOWN: i32 = -32000;
const RESOURCE_NOT_FOUND: i32 = -32002;
const UNSUPPORTED_VERSION: i32 = -32022;

#[derive(Debug, Clone, PartialEq)]
pub struct RpcFault {
    pub code: i32,
    pub message: String,
    pub data: Option<Value>,
}

impl RpcFault {
    pub fn new(code: i32, message: impl Into<String>) -> RpcFault {
        RpcFault { code, message: message.into(), data: None }
    }

    pub fn params(message: impl Into<String>) -> RpcFault {
        RpcFault::new(INVALID_PARAMS, message)
    }

    pub fn internal(message: impl Into<String>) -> RpcFault {
        RpcFault::new(INTERNAL, message)
    }

    pub fn method(name: &str) -> RpcFault {
        RpcFault::new(METHOD_NOT_FOUND, format!("There is no method '{}'.", clipped(name)))
    }

    /// Clients recognise the era of a server by this shape.
    pub fn version(requested: &str) -> RpcFault {
        let message = format!("Protocol version '{}' is not supported.", clipped(requested));
        RpcFault::new(UNSUPPORTED_VERSION, message)
            .data(json!({ "supported": VERSIONS, "requested": clipped(requested) }))
    }

    /// The code for a missing resource moved between the eras.
    pub fn no_resource(uri: &str, era: Era) -> RpcFault {
        let code = if era == Era::Modern { INVALID_PARAMS } else { RESOURCE_NOT_FOUND };
        RpcFault::new(code, format!("There is no resource '{}'.", clipped(uri)))
            .data(json!({ "uri": clipped(uri) }))
    }

    #[must_use]
    pub fn data(mut self, data: Value) -> RpcFault {
        self.data = Some(data);
        self
    }
}

impl From<Error> for RpcFault {
    fn from(error: Error) -> RpcFault {
        let code = match error.kind {
            Kind::Internal | Kind::Io | Kind::Migration => INTERNAL,
            _ => INVALID_PARAMS,
        };
        let mut data = json!({ "code": error.code });
        if let Some(left) = error.details.as_ref().and_then(|d| d.get("attempts_left")) {
            data["attempts_left"] = left.clone();
        }
        RpcFault::new(code, error.to_string()).data(data)
    }
}

/// What a client sent, short enough to be repeated to it.
pub fn clipped(text: &str) -> &str {
    let end = text.char_indices().nth(120).map_or(text.len(), |(at, _)| at);
    &text[..end]
}
