//! The few JSON-RPC texts that are written without the daemon: errors of the transport itself.

/// Not JSON, or not a message.
pub const PARSE_ERROR: i32 = -32700;
/// A request after `shutdown`.
pub const SHUT_DOWN: i32 = -32000;
/// A call was under way when the daemon went away: it may have happened or not.
pub const OUTCOME_UNKNOWN: i32 = 1001;
/// The daemon cannot be reached.
pub const UNREACHABLE: i32 = 1002;
/// The message is larger than the transport carries.
pub const TOO_LARGE: i32 = 1003;
/// A defect in packd: the call ended without an answer.
pub const INTERNAL: i32 = -32603;

/// The id of an answer to something whose id is not known.
pub const NO_ID: &str = "null";

/// A JSON string, quotes included.
pub fn quote(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if u32::from(c) < 0x20 => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// An error reply. `id` is JSON text as the client wrote it, `data` is JSON text.
pub fn error(id: &str, code: i32, message: &str, data: Option<&str>) -> String {
    let message = quote(message);
    let data = data.map(|d| format!(",\"data\":{d}")).unwrap_or_default();
    format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"error\":{{\"code\":{code},\"message\":{message}{data}}}}}")
}

/// A reply whose result is `null`.
pub fn null_result(id: &str) -> String {
    format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"result\":null}}")
}
