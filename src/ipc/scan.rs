//! Looks into a JSON-RPC message just far enough to know what it is: its id, its method, reply or not.
//!
//! Works on raw text and hands out raw text: ids are echoed byte for byte. It does not validate; the daemon does.

use std::ops::Range;

/// One message (or one element of a batch), as far as the transport cares.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MessageHead {
    /// Where the message stands in a batch; empty for a message alone, whose text it is.
    pub span: Range<usize>,
    /// Where the id stands in the text; absent for a notification and for `"id": null`.
    pub id: Option<Range<usize>>,
    /// The id is neither a string nor a number: whatever answers it says `null`.
    pub nameless: bool,
    /// The method as written between its quotes; absent in a reply.
    pub method: Option<Range<usize>>,
    /// A `result` or an `error` was seen.
    pub reply: bool,
}

impl MessageHead {
    pub fn id<'a>(&self, text: &'a str) -> Option<&'a str> {
        self.id.clone().map(|r| &text[r])
    }

    pub fn method<'a>(&self, text: &'a str) -> &'a str {
        self.method.clone().map_or("", |r| &text[r])
    }

    /// A request whose answer comes only at the end of what it opens.
    pub fn listens(&self, text: &str) -> bool {
        self.method(text) == "subscriptions/listen"
    }
}

/// The messages in a text: one, or those of a batch. Text that is neither gives none.
pub fn heads(text: &str) -> Vec<MessageHead> {
    let mut at = Cursor { text: text.as_bytes(), at: 0 };
    match at.peek() {
        Some(b'{') => vec![at.head(true)],
        Some(b'[') => {
            at.at += 1;
            let mut heads = Vec::new();
            loop {
                match at.peek() {
                    Some(b'{') => {
                        let start = at.at;
                        let head = at.head(false);
                        heads.push(MessageHead { span: start..at.at, ..head });
                    }
                    Some(b',') => at.at += 1,
                    Some(b']') | None => return heads,
                    Some(_) => {
                        let before = at.at;
                        at.value();
                        if at.at == before {
                            return heads;
                        }
                    }
                }
            }
        }
        _ => Vec::new(),
    }
}

/// The id of the first message in a text, or `null`: for answers to what is not carried any further.
pub fn first_id(text: &str) -> &str {
    heads(text).first().and_then(|h| h.id(text)).unwrap_or(super::json::NO_ID)
}

/// The raw value of a member of an object, found by walking `path` down from the top.
pub fn member<'a>(text: &'a str, path: &[&str]) -> Option<&'a str> {
    let mut range = 0..text.len();
    for name in path {
        let part = &text[range.clone()];
        let mut at = Cursor { text: part.as_bytes(), at: 0 };
        let mut found = None;
        at.members(|at, key| {
            let value = at.value();
            if &part[key] == *name {
                found = Some(value);
                return false;
            }
            true
        });
        let found = found?;
        range = range.start + found.start..range.start + found.end;
    }
    Some(&text[range])
}

/// The raw value that stands first in a list.
pub fn first(text: &str) -> Option<&str> {
    let mut at = Cursor { text: text.as_bytes(), at: 0 };
    if at.peek() != Some(b'[') {
        return None;
    }
    at.at += 1;
    let value = at.value();
    (!value.is_empty()).then(|| &text[value])
}

struct Cursor<'a> {
    text: &'a [u8],
    at: usize,
}

impl Cursor<'_> {
    /// The next byte that is not white space.
    fn peek(&mut self) -> Option<u8> {
        while let Some(b) = self.text.get(self.at) {
            if !b.is_ascii_whitespace() {
                return Some(*b);
            }
            self.at += 1;
        }
        None
    }

    /// Reads an object; with `hurry`, only until everything is known, since nothing follows it.
    fn head(&mut self, hurry: bool) -> MessageHead {
        let mut head = MessageHead::default();
        let text = self.text;
        self.members(|at, key| {
            match &text[key] {
                b"id" => {
                    let value = at.value();
                    head.nameless = !matches!(text.get(value.start), Some(b'"' | b'-' | b'0'..=b'9'));
                    head.id = (&text[value.clone()] != b"null").then_some(value);
                }
                b"method" => {
                    let value = at.value();
                    let quoted = value.len() >= 2 && text[value.start] == b'"';
                    head.method = quoted.then(|| value.start + 1..value.end - 1);
                }
                name => {
                    head.reply |= name == b"result" || name == b"error";
                    if hurry && head.reply && head.id.is_some() {
                        return false;
                    }
                    at.value();
                }
            }
            !(hurry && head.id.is_some() && head.method.is_some())
        });
        head
    }

    /// Calls `each` with the range of every key, the cursor standing before its value, until it says no more.
    fn members(&mut self, mut each: impl FnMut(&mut Self, Range<usize>) -> bool) {
        if self.peek() != Some(b'{') {
            return;
        }
        self.at += 1;
        loop {
            match self.peek() {
                Some(b'"') => {
                    let key = self.value();
                    if self.peek() != Some(b':') {
                        return;
                    }
                    self.at += 1;
                    let closed = key.len() >= 2;
                    if !closed || !each(self, key.start + 1..key.end - 1) {
                        return;
                    }
                }
                Some(b',') => self.at += 1,
                Some(b'}') => {
                    self.at += 1;
                    return;
                }
                _ => return,
            }
        }
    }

    /// Skips one value of any kind and says where it stood.
    fn value(&mut self) -> Range<usize> {
        self.peek();
        let start = self.at;
        let mut depth = 0usize;
        while let Some(b) = self.text.get(self.at) {
            match b {
                b'"' => self.string(),
                b'{' | b'[' => {
                    depth += 1;
                    self.at += 1;
                }
                b'}' | b']' if depth > 0 => {
                    depth -= 1;
                    self.at += 1;
                }
                b'}' | b']' | b',' | b':' if depth == 0 => break,
                _ if b.is_ascii_whitespace() && depth == 0 => break,
                _ => {
                    self.at += 1;
                    // A number or a word goes on until something above ends it.
                    continue;
                }
            }
            if depth == 0 {
                break;
            }
        }
        start..self.at
    }

    fn string(&mut self) {
        self.at += 1;
        while let Some(b) = self.text.get(self.at) {
            self.at += 1;
            match b {
                b'"' => return,
                b'\\' => self.at += 1,
                _ => {}
            }
        }
        self.at = self.at.min(self.text.len());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(text: &str) -> Vec<(Option<&str>, &str, bool)> {
        heads(text).iter().map(|h| (h.id(text), h.method(text), h.reply)).collect()
    }

    #[test]
    fn a_request_a_notification_and_a_reply_are_told_apart() {
        assert_eq!(seen(r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#), [(Some("1"), "ping", false)]);
        assert_eq!(seen(r#"{"method":"ping","params":{"id":5}}"#), [(None, "ping", false)]);
        assert_eq!(seen(r#"{"id":"a\"b" , "result":{"method":"x"}}"#), [(Some(r#""a\"b""#), "", true)]);
        assert_eq!(seen(r#"{"result":{"id":3},"id":4}"#), [(Some("4"), "", true)]);
    }

    #[test]
    fn ids_of_every_type_come_back_as_written() {
        for id in ["1", "1.50", "-0e1", r#""\u0041""#, r#"{"a":[1,{"b":"}"}]}"#, "[1, 2]", "true"] {
            let text = format!(r#"{{"params":[{{"id":9}}], "id": {id} ,"method":"m"}}"#);
            assert_eq!(seen(&text), [(Some(id), "m", false)]);
        }
        assert_eq!(seen(r#"{"id":null,"method":"m"}"#), [(None, "m", false)]);
    }

    #[test]
    fn a_batch_gives_each_of_its_messages() {
        assert_eq!(
            seen(r#"[{"id":1,"method":"a"}, 7, {"method":"b"},{"id":2,"result":{}}]"#),
            [(Some("1"), "a", false), (None, "b", false), (Some("2"), "", true)]
        );
    }

    #[test]
    fn broken_text_ends_without_an_endless_loop() {
        for text in [
            "",
            "{",
            "[",
            "{\"",
            "{\"id",
            "{\"id\":",
            "[}",
            "[:",
            "{]",
            "[1",
            "\"",
            "{\"a\"\"b\"}",
            "[{\"id\":\"\\",
        ] {
            heads(text);
            member(text, &["params", "uri"]);
            first(text);
        }
    }

    #[test]
    fn the_first_of_a_list_is_found() {
        assert_eq!(first(r#" [ "a,]" , 2]"#), Some(r#""a,]""#));
        assert_eq!(first("[[1],2]"), Some("[1]"));
        for none in ["[]", "{}", "", "7", "[", "[ "] {
            assert_eq!(first(none), None, "{none}");
        }
    }

    #[test]
    fn a_member_is_found_below_others() {
        let text = r#"{"a":{"uri":1},"params":{"_meta":{"uri":2},"uri":"pack://x"}}"#;
        assert_eq!(member(text, &["params", "uri"]), Some(r#""pack://x""#));
        assert_eq!(member(text, &["params", "none"]), None);
    }
}
