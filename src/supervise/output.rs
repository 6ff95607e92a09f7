//! What a program printed, written line by line and bounded: the beginning and the very end are kept.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Write};

/// A longer line is cut into several.
const LINE: usize = 8 * 1024;
/// So much is kept from the beginning.
const BYTES: u64 = 16 * 1024 * 1024;
const LINES: u64 = 100_000;
/// So many lines are kept from the end, which is where programs say what went wrong.
const LAST: usize = 200;

/// The file, and what is held back for its end.
pub struct OutputFile {
    file: File,
    written: u64,
    lines: u64,
    /// Nothing more fits but the last lines.
    full: bool,
    left_out: u64,
    last: VecDeque<Vec<u8>>,
}

/// One stream on its way to becoming lines.
pub struct LineStream {
    mark: u8,
    line: Vec<u8>,
    /// A carriage return came last: a line feed after it ends the same line.
    returned: bool,
}

impl LineStream {
    pub fn new(mark: u8) -> LineStream {
        LineStream { mark, line: vec![mark], returned: false }
    }

    fn empty(&self) -> bool {
        self.line.len() == 1
    }

    /// The finished line, and an empty one in its place.
    fn take(&mut self) -> Vec<u8> {
        self.line.push(b'\n');
        std::mem::replace(&mut self.line, vec![self.mark])
    }
}

impl OutputFile {
    pub fn new(file: File) -> OutputFile {
        OutputFile { file, written: 0, lines: 0, full: false, left_out: 0, last: VecDeque::new() }
    }

    /// Takes a piece of a stream. A carriage return ends a line, too: progress bars.
    pub fn hear(&mut self, stream: &mut LineStream, piece: &[u8]) {
        let mut ready = Vec::new();
        for &byte in piece {
            let ends = byte == b'\r' && !stream.empty();
            let returned = std::mem::replace(&mut stream.returned, ends);
            match byte {
                b'\r' if stream.empty() => {}
                b'\n' if returned => {}
                b'\n' | b'\r' => self.line(stream.take(), &mut ready),
                _ => stream.line.push(byte),
            }
            if stream.line.len() > LINE {
                self.line(stream.take(), &mut ready);
            }
        }
        self.write(&ready);
    }

    fn line(&mut self, line: Vec<u8>, ready: &mut Vec<u8>) {
        let room = self.written + (ready.len() + line.len()) as u64 <= BYTES && self.lines < LINES;
        if !self.full && room {
            self.lines += 1;
            ready.extend_from_slice(&line);
            return;
        }
        if !self.full {
            self.full = true;
            let said = format!(
                "0The output is over {LINES} lines or {} MiB: from here only its last {LAST} lines are kept.\n",
                BYTES >> 20
            );
            ready.extend_from_slice(said.as_bytes());
        }
        self.last.push_back(line);
        if self.last.len() > LAST {
            self.last.pop_front();
            self.left_out += 1;
        }
    }

    /// On a disk without room lines are lost, never parts of lines; the program does not suffer for it.
    fn write(&mut self, ready: &[u8]) {
        if ready.is_empty() {
            return;
        }
        match self.file.write_all(ready) {
            Ok(()) => self.written += ready.len() as u64,
            Err(_) => {
                let _ = self.file.set_len(self.written);
                self.left_out += ready.iter().filter(|b| **b == b'\n').count() as u64;
            }
        }
    }

    /// Writes what is left, durably.
    pub fn end(mut self, streams: [&mut LineStream; 2]) -> io::Result<()> {
        let mut ready = Vec::new();
        for stream in streams {
            if !stream.empty() {
                let line = stream.take();
                self.line(line, &mut ready);
            }
        }
        if self.left_out > 0 {
            ready.extend_from_slice(format!("0{} lines were left out here.\n", self.left_out).as_bytes());
        }
        ready.extend(self.last.drain(..).flatten());
        self.write(&ready);
        self.file.sync_all()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(pieces: &[(u8, &[u8])]) -> String {
        let file = tempfile::NamedTempFile::new().unwrap();
        let mut output = OutputFile::new(file.reopen().unwrap());
        let (mut one, mut two) = (LineStream::new(b'1'), LineStream::new(b'2'));
        for (mark, piece) in pieces {
            output.hear(if *mark == b'1' { &mut one } else { &mut two }, piece);
        }
        output.end([&mut one, &mut two]).unwrap();
        std::fs::read_to_string(file.path()).unwrap()
    }

    #[test]
    fn lines_are_whole_and_marked() {
        let text =
            printed(&[(b'1', b"on"), (b'2', b"oh\n"), (b'1', b"e\n\n10%\r20%\r\n"), (b'1', b"no end")]);
        assert_eq!(text, "2oh\n1one\n1\n110%\n120%\n1no end\n");
        let long = printed(&[(b'1', &[b'x'; 3 * LINE])]);
        assert!(long.lines().all(|line| line.len() <= LINE + 1));
        assert_eq!(long.bytes().filter(|b| *b == b'x').count(), 3 * LINE);
    }

    #[test]
    fn a_flood_keeps_its_beginning_and_its_end() {
        let many: String = (0..LINES + 1000).map(|n| format!("{n}\n")).collect();
        let text = printed(&[(b'1', many.as_bytes())]);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!((lines[0], *lines.last().unwrap()), ("10", format!("1{}", LINES + 999).as_str()));
        assert!(lines.contains(&"0800 lines were left out here."));
        assert_eq!(lines.len() as u64, LINES + LAST as u64 + 2);
    }
}
