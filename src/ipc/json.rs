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

/// The text of a JSON string, quotes included; `None` where it is none.
pub fn unquote(raw: &str) -> Option<String> {
    let inner = raw.strip_prefix('"')?.strip_suffix('"')?;
    // Escapes speak of UTF-16, in which one character may take two of them.
    let mut units: Vec<u16> = Vec::with_capacity(inner.len());
    let mut chars = inner.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            units.extend_from_slice(c.encode_utf16(&mut [0; 2]));
            continue;
        }
        units.push(match chars.next()? {
            'n' => 10,
            'r' => 13,
            't' => 9,
            'b' => 8,
            'f' => 12,
            '"' => 34,
            '/' => 47,
            '\\' => 92,
            'u' => {
                let digits: String = chars.by_ref().take(4).collect();
                u16::from_str_radix(&digits, 16).ok().filter(|_| digits.len() == 4)?
            }
            _ => return None,
        });
    }
    String::from_utf16(&units).ok()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_quoted_is_read_again() {
        for text in ["", "plain", "a\"b\\c\n\t\u{1}", "grüß 日本 😀", "/x/{}"] {
            assert_eq!(unquote(&quote(text)).as_deref(), Some(text));
        }
        assert_eq!(unquote(r#""\ud83d\ude00\u00e9\/""#).as_deref(), Some("😀é/"));
        for bad in ["x", "\"", r#""\x""#, r#""\u12""#, r#""\ud83d""#, "12"] {
            assert_eq!(unquote(bad), None, "{bad}");
        }
    }
}
