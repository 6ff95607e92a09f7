//! The part of an address after `?`, and how names are put into addresses.
//!
//! It decodes; what a value may be is the business of whoever asks for it.

/// What is looked at: one project or all, and which part of the timeline.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Query {
    pub project: Option<String>,
    pub family: Option<String>,
    pub client: Option<String>,
    pub session: Option<String>,
    /// `ops` or `audit`; both where nothing is said.
    pub stream: Option<String>,
    /// Where the next page of the timeline begins, in each stream.
    pub before: Option<String>,
    pub before_audit: Option<String>,
}

/// Longer values are no names of anything.
const LONGEST: usize = 4096;

impl Query {
    pub fn parse(text: &str) -> Query {
        let mut out = Query::default();
        for pair in text.split('&') {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            let value = decode(value).filter(|v| !v.is_empty() && v.len() <= LONGEST);
            match name {
                "project" => out.project = value,
                "family" => out.family = value,
                "client" => out.client = value,
                "session" => out.session = value,
                "stream" => out.stream = value.filter(|v| v == "ops" || v == "audit"),
                "before" => out.before = value,
                "before_audit" => out.before_audit = value,
                _ => {}
            }
        }
        out
    }

    /// The same as text: two queries that mean the same are written the same.
    pub fn text(&self) -> String {
        let mut out = String::new();
        for (name, value) in [
            ("project", &self.project),
            ("family", &self.family),
            ("client", &self.client),
            ("session", &self.session),
            ("stream", &self.stream),
            ("before", &self.before),
            ("before_audit", &self.before_audit),
        ] {
            if let Some(value) = value {
                out.push(if out.is_empty() { '?' } else { '&' });
                out.push_str(name);
                out.push('=');
                out.push_str(&encode(value));
            }
        }
        out
    }

    /// Is the timeline narrowed?
    pub fn narrows(&self) -> bool {
        [&self.family, &self.client, &self.session, &self.stream].iter().any(|f| f.is_some())
    }
}

/// `None` for what is not text once it is decoded.
pub fn decode(text: &str) -> Option<String> {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'%' => {
                let digits = text.get(at + 1..at + 3)?;
                out.push(u8::from_str_radix(digits, 16).ok()?);
                at += 3;
            }
            b'+' => {
                out.push(b' ');
                at += 1;
            }
            byte => {
                out.push(byte);
                at += 1;
            }
        }
    }
    String::from_utf8(out).ok()
}

/// For a value of a query or a part of a path.
pub fn encode(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => out.push(byte as char),
            byte => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_what_is_read() {
        let query = Query {
            project: Some("/home/me/a b&c=ü%".into()),
            family: Some("tasks".into()),
            stream: Some("audit".into()),
            ..Query::default()
        };
        assert_eq!(Query::parse(query.text().trim_start_matches('?')), query);
        assert_eq!(Query::parse(""), Query::default());
        assert_eq!(Query::parse("project=&stream=both&nosuch=1&family=%zz&client=%ff"), Query::default());
        assert_eq!(Query::parse(&format!("client={}", "x".repeat(5000))), Query::default());
        assert_eq!(decode("%4"), None);
        assert_eq!(decode("a+b").as_deref(), Some("a b"));
    }
}
