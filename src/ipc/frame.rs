//! Takes messages out of a byte stream, whatever framing the host uses, and gives each back as one line.
//!
//! Taken: `Content-Length` frames, one JSON text per line, pretty-printed JSON over many lines, JSON without a
//! final newline, any number of messages in one read. What is none of these is reported, skipped, and never
//! swallows what comes after it. Values are not parsed: only brackets, strings and separators are followed.

use super::json::{NO_ID, PARSE_ERROR, TOO_LARGE};
use super::scan;
use walk::{Walk, WalkOutcome};

mod walk;

/// The largest message, framed or not.
pub const MESSAGE_MAX: usize = 16 * 1024 * 1024;
/// The largest block of headers.
const HEADERS_MAX: usize = 16 * 1024;
/// An announced length above this is a broken header, not a large message to be skipped.
const SKIP_MAX: u64 = 1 << 30;

/// How replies are framed; the first message decides, for good.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Framing {
    Lines,
    Headers,
}

/// What the reader found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Frame {
    /// One message without any line break. Not necessarily valid JSON.
    Message(String),
    /// Something that is no message; the answer to it.
    Bad { id: String, code: i32, message: String },
}

/// The incremental reader.
#[derive(Default)]
pub struct FrameReader {
    buffer: Vec<u8>,
    /// Everything before this is done with; it is let go of once per read, not once per message.
    front: usize,
    /// How far behind the front has been looked at.
    at: usize,
    state: State,
    mode: Option<Framing>,
}

#[derive(Default)]
enum State {
    #[default]
    Between,
    /// Inside unframed JSON that starts at the front of the buffer.
    Json(Walk),
    /// Inside a header block that starts at the front of the buffer.
    Headers,
    /// Inside a body of that many bytes, which starts at the front of the buffer.
    Body(usize),
    /// Skipping the rest of a body, of oversize JSON, of a line.
    SkipBody(u64),
    SkipJson(Walk),
    SkipLine,
}

impl FrameReader {
    pub fn new() -> FrameReader {
        FrameReader::default()
    }

    /// How to frame replies.
    pub fn mode(&self) -> Framing {
        self.mode.unwrap_or(Framing::Lines)
    }

    fn rest(&self) -> &[u8] {
        &self.buffer[self.front..]
    }

    /// Takes in what was read and calls `found` for everything that is now complete.
    pub fn push(&mut self, bytes: &[u8], found: &mut dyn FnMut(Frame)) {
        self.buffer.extend_from_slice(bytes);
        while self.step(found) {}
        self.buffer.drain(..self.front);
        self.front = 0;
        if self.buffer.is_empty() && self.buffer.capacity() > 1024 * 1024 {
            self.buffer = Vec::new();
        }
    }

    /// The stream ended: whatever is left is incomplete.
    pub fn end(&mut self, found: &mut dyn FnMut(Frame)) {
        let cut = match &self.state {
            State::Between | State::Headers => !self.rest().trim_ascii().is_empty(),
            State::Json(_) | State::Body(_) => true,
            State::SkipBody(_) | State::SkipJson(_) | State::SkipLine => false,
        };
        self.buffer.clear();
        self.at = 0;
        self.state = State::Between;
        if cut {
            found(bad("parse error: the input ended inside a message"));
        }
    }

    /// Makes one step; false when more input is needed.
    fn step(&mut self, found: &mut dyn FnMut(Frame)) -> bool {
        match std::mem::take(&mut self.state) {
            State::Between => self.between(found),
            State::Json(walk) => self.json(walk, found),
            State::Headers => self.headers(found),
            State::Body(length) => self.body(length, found),
            State::SkipBody(left) => {
                let now = left.min(self.rest().len() as u64);
                // The cast is exact: `now` is at most the length of the buffer.
                self.consume(now as usize);
                if left > now {
                    self.state = State::SkipBody(left - now);
                }
                left == now
            }
            State::SkipJson(walk) => self.skip_json(walk),
            State::SkipLine => match position(self.rest(), b'\n') {
                Some(end) => {
                    self.consume(end + 1);
                    true
                }
                None => {
                    self.consume(self.rest().len());
                    self.state = State::SkipLine;
                    false
                }
            },
        }
    }

    fn between(&mut self, found: &mut dyn FnMut(Frame)) -> bool {
        let blank = self.rest().iter().take_while(|b| b.is_ascii_whitespace()).count();
        self.consume(blank);
        // A byte order mark is white space to people.
        if self.rest().starts_with(b"\xef\xbb\xbf") {
            self.consume(3);
            return true;
        }
        let Some(first) = self.rest().first() else { return false };
        if matches!(first, b'{' | b'[') {
            self.state = State::Json(Walk::default());
            return true;
        }
        match position(self.rest(), b'\n') {
            Some(end) if header(&self.rest()[..end]).is_none() => {
                self.consume(end + 1);
                found(bad("parse error: a line that is neither JSON nor a header"));
                true
            }
            Some(_) => {
                self.state = State::Headers;
                true
            }
            None if self.rest().len() > HEADERS_MAX => {
                self.consume(self.rest().len());
                self.state = State::SkipLine;
                found(bad("parse error: a line that is neither JSON nor a header"));
                true
            }
            None => false,
        }
    }

    fn json(&mut self, mut walk: Walk, found: &mut dyn FnMut(Frame)) -> bool {
        match walk.over(&self.buffer[self.front..], &mut self.at) {
            WalkOutcome::More if self.rest().len() > MESSAGE_MAX => {
                found(self.too_large());
                self.consume(self.rest().len());
                self.state = State::SkipJson(walk);
                true
            }
            WalkOutcome::More => {
                self.state = State::Json(walk);
                false
            }
            WalkOutcome::Done => {
                let end = self.at;
                if end > MESSAGE_MAX {
                    found(self.too_large());
                    self.consume(end);
                    return true;
                }
                self.mode.get_or_insert(Framing::Lines);
                let text = &self.rest()[..end];
                match std::str::from_utf8(text) {
                    Ok(text) => found(Frame::Message(one_line(text))),
                    Err(_) => {
                        let text = String::from_utf8_lossy(text);
                        let message = "parse error: the message is not UTF-8";
                        found(Frame::Bad {
                            id: scan::first_id(&text).into(),
                            code: PARSE_ERROR,
                            message: message.into(),
                        });
                    }
                }
                self.consume(end);
                true
            }
            WalkOutcome::Broken { resume } => {
                found(bad("parse error: the JSON text is broken off or malformed"));
                self.after_broken(resume);
                true
            }
        }
    }

    fn skip_json(&mut self, mut walk: Walk) -> bool {
        match walk.over(&self.buffer[self.front..], &mut self.at) {
            WalkOutcome::More => {
                self.consume(self.rest().len());
                self.state = State::SkipJson(walk);
                false
            }
            WalkOutcome::Done => {
                self.consume(self.at);
                true
            }
            WalkOutcome::Broken { resume } => {
                self.after_broken(resume);
                true
            }
        }
    }

    /// Goes on at `resume` if that is where a new message seems to begin, else with the next line.
    fn after_broken(&mut self, resume: Option<usize>) {
        self.consume(resume.unwrap_or(self.at));
        if resume.is_none() {
            self.state = State::SkipLine;
        }
    }

    /// Reads the header block line by line; the block ends at a blank line.
    fn headers(&mut self, found: &mut dyn FnMut(Frame)) -> bool {
        let mut length = None;
        let mut at = 0;
        while let Some(end) = position(&self.rest()[at..], b'\n') {
            let line = self.rest()[at..at + end].trim_ascii();
            if line.is_empty() {
                self.consume(at + end + 1);
                return self.announced(length, found);
            }
            let Some((name, value)) = header(line) else {
                // Not a header after all: what came before is garbage, this line may be a message.
                self.consume(at);
                found(bad("parse error: a header block without a blank line after it"));
                return true;
            };
            if name.eq_ignore_ascii_case(b"content-length") {
                length = Some(std::str::from_utf8(value).ok().and_then(|v| v.parse::<u64>().ok()));
            }
            at += end + 1;
        }
        if self.rest().len() > HEADERS_MAX {
            self.consume(self.rest().len());
            self.state = State::SkipLine;
            found(bad("parse error: the header block is too long"));
            return true;
        }
        self.state = State::Headers;
        false
    }

    /// The headers are read. The outer `Option` says whether there was a length, the inner whether it was a number.
    fn announced(&mut self, length: Option<Option<u64>>, found: &mut dyn FnMut(Frame)) -> bool {
        match length {
            Some(Some(length)) if length <= MESSAGE_MAX as u64 => {
                self.mode.get_or_insert(Framing::Headers);
                // The cast is exact: the length is at most MESSAGE_MAX.
                self.state = State::Body(length as usize);
            }
            Some(Some(length)) if length <= SKIP_MAX => {
                self.mode.get_or_insert(Framing::Headers);
                let message = format!("The message has {length} bytes; {MESSAGE_MAX} are allowed.");
                found(Frame::Bad { id: NO_ID.into(), code: TOO_LARGE, message });
                self.state = State::SkipBody(length);
            }
            Some(_) => found(bad("parse error: the Content-Length header is not a usable number")),
            None => found(bad("parse error: the headers have no Content-Length")),
        }
        true
    }

    fn body(&mut self, length: usize, found: &mut dyn FnMut(Frame)) -> bool {
        if self.rest().len() < length {
            self.state = State::Body(length);
            return false;
        }
        let text = String::from_utf8_lossy(&self.rest()[..length]);
        match text.trim() {
            "" => found(bad("parse error: the message is empty")),
            text if walk::break_in_string(text) => {
                let message = "parse error: a line break inside a string".into();
                found(Frame::Bad { id: NO_ID.into(), code: PARSE_ERROR, message });
            }
            text => found(Frame::Message(one_line(text))),
        }
        self.consume(length);
        true
    }

    fn too_large(&self) -> Frame {
        let head = String::from_utf8_lossy(&self.rest()[..self.rest().len().min(MESSAGE_MAX)]);
        let message = format!("The message is larger than {MESSAGE_MAX} bytes, which is the limit.");
        Frame::Bad { id: scan::first_id(&head).into(), code: TOO_LARGE, message }
    }

    fn consume(&mut self, bytes: usize) {
        self.front += bytes;
        self.at = 0;
    }
}

fn bad(message: &str) -> Frame {
    Frame::Bad { id: NO_ID.into(), code: PARSE_ERROR, message: message.into() }
}

/// Outside strings a line break is white space, and inside it was refused before.
fn one_line(text: &str) -> String {
    text.replace('\n', " ")
}

/// `Name: value`, if the line is one.
fn header(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let colon = position(line, b':')?;
    let name = line[..colon].trim_ascii_end();
    let plain = !name.is_empty() && name.iter().all(|b| b.is_ascii_alphanumeric() || b"-_".contains(b));
    plain.then(|| (name, line[colon + 1..].trim_ascii()))
}

fn position(bytes: &[u8], wanted: u8) -> Option<usize> {
    bytes.iter().position(|b| *b == wanted)
}
