//! Walks over unframed JSON to find its end, and notices as early as it can that it is none.
//!
//! Noticing matters: a message that was cut off must not swallow the ones after it. So brackets must match, and
//! a string or a bracket may only stand where a value or a key may: that catches a new message at once.

/// The state of the walk between two reads.
#[derive(Default)]
pub(super) struct Walk {
    /// The open brackets, as their closing bytes.
    open: Vec<u8>,
    /// The last byte outside strings that was not white space; `"` for a whole string.
    last: u8,
    in_string: bool,
    escaped: bool,
    /// Only white space since the last line break.
    line_start: bool,
}

pub(super) enum WalkOutcome {
    /// The buffer ended first.
    More,
    /// The value ended; the position is just behind it.
    Done,
    /// This is not JSON. `resume`: a new message seems to begin here.
    Broken { resume: Option<usize> },
}

impl Walk {
    /// Goes on from `at` to the end of the value or of the buffer.
    pub(super) fn over(&mut self, buffer: &[u8], at: &mut usize) -> WalkOutcome {
        while let Some(&byte) = buffer.get(*at) {
            if self.in_string {
                *at += 1;
                match byte {
                    // A string never spans lines: the message was cut off, the next line is another one.
                    b'\n' => return WalkOutcome::Broken { resume: Some(*at) },
                    _ if self.escaped => self.escaped = false,
                    b'\\' => self.escaped = true,
                    b'"' => self.in_string = false,
                    _ => {}
                }
                continue;
            }
            match byte {
                b'\n' => self.line_start = true,
                _ if byte.is_ascii_whitespace() => {}
                b'"' | b'{' | b'[' if !self.value_may_start(byte) => {
                    return WalkOutcome::Broken { resume: (self.line_start && byte != b'"').then_some(*at) };
                }
                b'"' => {
                    self.in_string = true;
                    self.seen(byte);
                }
                b'{' | b'[' => {
                    self.open.push(byte + 2);
                    self.seen(byte);
                }
                b'}' | b']' => {
                    *at += 1;
                    if self.open.pop() != Some(byte) {
                        return WalkOutcome::Broken { resume: None };
                    }
                    if self.open.is_empty() {
                        return WalkOutcome::Done;
                    }
                    self.seen(byte);
                    continue;
                }
                _ => self.seen(byte),
            }
            *at += 1;
        }
        WalkOutcome::More
    }

    fn seen(&mut self, byte: u8) {
        self.last = byte;
        self.line_start = false;
    }

    fn value_may_start(&self, byte: u8) -> bool {
        match self.open.last() {
            None => self.last == 0,
            Some(b'}') => self.last == b':' || (byte == b'"' && matches!(self.last, b'{' | b',')),
            Some(_) => matches!(self.last, b'[' | b','),
        }
    }
}

/// True if a string in this text contains a raw line break, which JSON forbids.
pub(super) fn break_in_string(text: &str) -> bool {
    let (mut inside, mut escaped) = (false, false);
    for byte in text.bytes() {
        match byte {
            b'\n' if inside => return true,
            _ if escaped => escaped = false,
            b'\\' if inside => escaped = true,
            b'"' => inside = !inside,
            _ => {}
        }
    }
    false
}
