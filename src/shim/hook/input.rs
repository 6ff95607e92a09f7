//! What the host says: one JSON object on stdin, read until it is whole. A host may keep the pipe open behind it.

use std::io::Read;

/// Hosts send the whole result of a tool along; more than this is not waited for.
const MOST: usize = 16 * 1024 * 1024;

/// The text of one object; `None` where there is none.
pub fn read() -> Option<String> {
    let mut stdin = std::io::stdin().lock();
    let mut text = Vec::new();
    let mut whole = Whole::default();
    let mut chunk = vec![0; 64 * 1024];
    while !whole.done {
        let n = stdin.read(&mut chunk).ok()?;
        if n == 0 || text.len() + n > MOST {
            return None;
        }
        let used = whole.take(&chunk[..n])?;
        text.extend_from_slice(&chunk[..used]);
    }
    String::from_utf8(text).ok()
}

/// Follows the brackets of an object until its last one.
#[derive(Default)]
struct Whole {
    depth: usize,
    quoted: bool,
    escaped: bool,
    done: bool,
}

impl Whole {
    /// How many of these bytes belong to the object; `None` where they begin with something else.
    fn take(&mut self, bytes: &[u8]) -> Option<usize> {
        for (at, byte) in bytes.iter().enumerate() {
            if self.quoted {
                match byte {
                    _ if self.escaped => self.escaped = false,
                    b'\\' => self.escaped = true,
                    b'"' => self.quoted = false,
                    _ => {}
                }
                continue;
            }
            match byte {
                b'{' => self.depth += 1,
                _ if self.depth == 0 && byte.is_ascii_whitespace() => {}
                _ if self.depth == 0 => return None,
                b'[' => self.depth += 1,
                b'"' => self.quoted = true,
                b'}' | b']' => {
                    self.depth -= 1;
                    if self.depth == 0 {
                        self.done = true;
                        return Some(at + 1);
                    }
                }
                _ => {}
            }
        }
        Some(bytes.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(parts: &[&str]) -> Option<(String, bool)> {
        let (mut whole, mut text) = (Whole::default(), String::new());
        for part in parts {
            if whole.done {
                break;
            }
            let used = whole.take(part.as_bytes())?;
            text.push_str(&part[..used]);
        }
        Some((text, whole.done))
    }

    #[test]
    fn an_object_ends_with_its_last_bracket_however_it_arrives() {
        let text = r#" {"a":"}\"{","b":[{"c":1}]}"#;
        assert_eq!(pieces(&[text, " {\"next\""]).unwrap(), (text.to_string(), true));
        for cut in 1..text.len() - 1 {
            assert_eq!(pieces(&[&text[..cut], &text[cut..]]).unwrap(), (text.to_string(), true), "{cut}");
        }
    }

    #[test]
    fn what_is_no_object_is_told_at_once() {
        for text in ["x", "[1]", "\"{}\"", "]", "}"] {
            assert_eq!(pieces(&[text]), None, "{text}");
        }
        assert_eq!(pieces(&["{\"a\":"]), Some(("{\"a\":".to_string(), false)));
    }
}
