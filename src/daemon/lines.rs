//! Splits what a client sends into lines, within a cap, without ever losing step.

use std::collections::VecDeque;
use std::io::BufRead;

use crate::ipc::frame::MESSAGE_MAX;
use crate::ipc::{json, scan};

/// One line, or why it is none.
pub enum ClientLine {
    Text(String),
    Bad { id: String, code: i32, message: String },
}

/// The splitter. Complete lines wait in it until they are asked for.
#[derive(Default)]
pub struct LineSplitter {
    ready: VecDeque<ClientLine>,
    partial: Vec<u8>,
    /// The rest of a line that was too large is being dropped.
    skipping: bool,
}

impl LineSplitter {
    pub fn push(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            // Reading from a slice cannot fail.
            let taken = bytes.read_until(b'\n', &mut self.partial).unwrap_or(0);
            if taken == 0 {
                break;
            }
            if self.partial.last() == Some(&b'\n') {
                self.partial.pop();
                self.complete();
            } else if self.partial.len() > MESSAGE_MAX {
                self.give_up();
            }
        }
    }

    /// The input ended; a last line needs no line break.
    pub fn end(&mut self) {
        self.complete();
    }

    pub fn ready(&self) -> bool {
        !self.ready.is_empty()
    }

    pub fn take(&mut self) -> Option<ClientLine> {
        self.ready.pop_front()
    }

    fn complete(&mut self) {
        let line = std::mem::take(&mut self.partial);
        if std::mem::take(&mut self.skipping) {
            return;
        }
        if line.len() > MESSAGE_MAX {
            self.partial = line;
            self.give_up();
            self.partial.clear();
            self.skipping = false;
            return;
        }
        match String::from_utf8(line) {
            Ok(text) if text.trim().is_empty() => {}
            Ok(text) => self.ready.push_back(ClientLine::Text(text)),
            Err(e) => {
                let text = String::from_utf8_lossy(e.as_bytes());
                let message = "parse error: the message is not UTF-8".into();
                self.ready.push_back(ClientLine::Bad {
                    id: scan::first_id(&text).into(),
                    code: json::PARSE_ERROR,
                    message,
                });
            }
        }
    }

    fn give_up(&mut self) {
        if !std::mem::replace(&mut self.skipping, true) {
            let head = String::from_utf8_lossy(&self.partial);
            let message = format!("The message is larger than {MESSAGE_MAX} bytes, which is the limit.");
            self.ready.push_back(ClientLine::Bad {
                id: scan::first_id(&head).into(),
                code: json::TOO_LARGE,
                message,
            });
        }
        self.partial = Vec::new();
    }
}
