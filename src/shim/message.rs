//! One message of the host: what it asks for and under which ids it will be answered.
//!
//! Read as far as the shim must know it, and sent on as it is written. What is done about it is not known here.

use crate::ipc::json::NO_ID;
use crate::ipc::scan::{self, MessageHead};

/// One message on its way to the daemon.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostMessage {
    pub text: String,
    pub heads: Vec<MessageHead>,
}

impl HostMessage {
    pub fn new(text: String) -> HostMessage {
        let heads = scan::heads(&text);
        HostMessage { text, heads }
    }

    /// The method, if this is a single message.
    pub fn method(&self) -> &str {
        match self.heads.as_slice() {
            [head] => head.method(&self.text),
            _ => "",
        }
    }

    /// The ids that will be answered, as the answer will say them.
    pub fn ids(&self) -> Vec<String> {
        if self.is_none() {
            return vec![NO_ID.to_string()];
        }
        let said = |h: &MessageHead| match h.nameless {
            true => Some(NO_ID.to_string()),
            false => h.id(&self.text).map(String::from),
        };
        // A live subscription is answered when it ends, which may be never.
        let asks = |h: &&MessageHead| h.method.is_some() && (self.heads.len() == 1 || !h.listens(&self.text));
        self.heads.iter().filter(asks).filter_map(said).collect()
    }

    /// No message at all: the daemon says so, to nobody in particular. Behind a byte order mark it may see one.
    fn is_none(&self) -> bool {
        match self.heads.as_slice() {
            [] => !self.text.trim().is_empty() && !self.text.starts_with('\u{feff}'),
            [head] => head.method.is_none() && head.id.is_none() && !head.reply && !head.nameless,
            _ => false,
        }
    }

    /// False if it has an id that is none: only the daemon's refusal is an answer to that.
    pub fn well_formed(&self) -> bool {
        !self.heads.iter().any(|h| h.nameless)
    }

    /// True if it asks for something other than a sign of life.
    pub fn asks(&self) -> bool {
        let asks = |h: &MessageHead| h.id.is_some() && h.method.is_some() && h.method(&self.text) != "ping";
        self.heads.iter().any(asks)
    }

    /// The messages of a batch, each by itself; a single message has none.
    pub fn parts(&self) -> impl Iterator<Item = HostMessage> {
        let parts = self.heads.iter().filter(|h| !h.span.is_empty());
        parts.map(|h| HostMessage::new(self.text[h.span.clone()].to_string()))
    }

    /// True if doing it twice could change something twice.
    pub fn acts(&self) -> bool {
        self.heads.iter().any(|h| h.method(&self.text) == "tools/call")
    }

    /// True for several messages in one.
    pub fn batch(&self) -> bool {
        self.text.trim_start().starts_with('[')
    }

    /// Gives it another id; a notification has none and stays as it is.
    pub fn rename(&mut self, id: &str) {
        if let Some(range) = self.heads.first().and_then(|h| h.id.clone()) {
            self.text.replace_range(range, id);
            *self = HostMessage::new(std::mem::take(&mut self.text));
        }
    }
}
