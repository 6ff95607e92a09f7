//! Which of the two protocol eras a request belongs to. Decided per request; only a connection that spoke nothing
//! but the modern one must go on with it (see the session).
//!
//! Modern requests carry their version and the client's capabilities in `_meta`; everything else is legacy.

use serde_json::{Map, Value};

use super::fault::RpcFault;

/// Every version that is served, newest first.
pub const VERSIONS: [&str; 5] = [MODERN, "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];
pub const MODERN: &str = "2026-07-28";
/// What a handshake answers when it cannot echo; the modern version has no handshake.
pub const NEWEST_LEGACY: &str = VERSIONS[1];
/// The first version whose clients know `resource_link`.
const LINKS_SINCE: &str = "2025-06-18";

const VERSION_KEY: &str = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES_KEY: &str = "io.modelcontextprotocol/clientCapabilities";
const CLIENT_KEY: &str = "io.modelcontextprotocol/clientInfo";
pub const SERVER_KEY: &str = "io.modelcontextprotocol/serverInfo";
pub const SUBSCRIPTION_KEY: &str = "io.modelcontextprotocol/subscriptionId";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Era {
    Legacy,
    Modern,
}

/// The version a handshake settles on.
pub fn handshake(asked: Option<&str>) -> &'static str {
    VERSIONS.iter().skip(1).find(|known| Some(**known) == asked).copied().unwrap_or(NEWEST_LEGACY)
}

pub fn knows_links(version: &str) -> bool {
    // Versions are dates, so their order as text is their order in time.
    version >= LINKS_SINCE
}

fn needs_meta(method: &str) -> bool {
    matches!(method, "server/discover" | "subscriptions/listen")
}

/// The era of one request, or the answer to a request that claims the modern era badly.
pub fn of(method: &str, params: &Map<String, Value>) -> Result<Era, RpcFault> {
    let meta = params.get("_meta");
    let has = |key: &str| meta.and_then(|m| m.get(key)).is_some();
    let only_modern = needs_meta(method);
    if method == "initialize" || !(only_modern || has(VERSION_KEY) || has(CAPABILITIES_KEY)) {
        return Ok(Era::Legacy);
    }
    let missing: Vec<&str> = [VERSION_KEY, CAPABILITIES_KEY].into_iter().filter(|key| !has(key)).collect();
    if !missing.is_empty() {
        return Err(RpcFault::params(format!("'_meta' lacks {}.", missing.join(" and "))));
    }
    // Both keys are there.
    let field = |key: &str| meta.and_then(|m| m.get(key)).unwrap_or(&Value::Null);
    let Some(version) = field(VERSION_KEY).as_str() else {
        return Err(RpcFault::params(format!("{VERSION_KEY} must be a string.")));
    };
    if !VERSIONS.contains(&version) {
        return Err(RpcFault::version(version));
    }
    if !field(CAPABILITIES_KEY).is_object() {
        return Err(RpcFault::params(format!("{CAPABILITIES_KEY} must be an object.")));
    }
    Ok(if only_modern || version == MODERN { Era::Modern } else { Era::Legacy })
}

/// The answer to a request without `_meta` where every request so far carried it.
pub fn lost_meta() -> RpcFault {
    RpcFault::params(format!(
        "'_meta' lacks {VERSION_KEY} and {CAPABILITIES_KEY}; without `initialize` every request needs them."
    ))
}

/// Does a modern request say that its client can ask the person?
pub fn elicits(params: &Map<String, Value>) -> bool {
    let capabilities = params.get("_meta").and_then(|m| m.get(CAPABILITIES_KEY));
    capabilities.is_some_and(|c| c.get("elicitation").is_some())
}

/// The client's name for itself, from a handshake or from a modern request.
pub fn client(params: &Map<String, Value>) -> Option<&str> {
    let info = params.get("clientInfo").or_else(|| params.get("_meta")?.get(CLIENT_KEY))?;
    info.get("name")?.as_str().filter(|name| !name.is_empty())
}
