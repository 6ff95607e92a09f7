//! Redaction of output that comes line by line: keys of many lines, and secrets that stand below their name.

use super::{MARK, addresses, blank, table};

/// How much of what was said before is looked at together with a line.
const CONTEXT: usize = 512;
/// A key of 16,384 bits has about 200 lines; what is longer is no key.
const LONGEST_KEY: usize = 400;

/// One stream of lines. Each source of output has its own.
#[derive(Debug, Default)]
pub struct RedactStream {
    /// The end of what came before, as it was.
    before: String,
    key: Option<Key>,
}

/// Inside the lines of a private key.
#[derive(Debug, Default)]
struct Key {
    lines: usize,
    /// The line before was shorter than a whole one: only the end of the key may follow.
    last: bool,
}

impl RedactStream {
    /// The line without secrets. A line inside a key is nothing but the mark.
    pub fn line(&mut self, line: &str) -> String {
        if let Some(key) = &mut self.key {
            match key.takes(line) {
                Taken::Inside => return MARK.to_string(),
                Taken::End(at) => {
                    self.key = None;
                    return format!("{MARK}{}", self.look(&line[at..]));
                }
                Taken::Not => self.key = None,
            }
        }
        self.look(line)
    }

    fn look(&mut self, line: &str) -> String {
        let from = self.before.len();
        let text = format!("{}{line}", self.before);
        let spans = table::spans(&text);
        let own = spans.into_iter().filter(|r| r.end > from).map(|r| r.start.max(from) - from..r.end - from);
        let shown = addresses(&blank(line, own));
        if opens_key(line) {
            self.key = Some(Key::default());
            self.before.clear();
        } else {
            self.before = text;
            self.before.push('\n');
            let mut cut = self.before.len().saturating_sub(CONTEXT);
            while !self.before.is_char_boundary(cut) {
                cut += 1;
            }
            self.before.drain(..cut);
        }
        shown
    }
}

enum Taken {
    Inside,
    /// The key ends in this line, before this byte.
    End(usize),
    Not,
}

impl Key {
    fn takes(&mut self, line: &str) -> Taken {
        self.lines += 1;
        if let Some(at) = closes_key(line) {
            return Taken::End(at);
        }
        if self.lines > LONGEST_KEY || self.last {
            return Taken::Not;
        }
        let text = line.trim();
        let word = text.rsplit(char::is_whitespace).next().unwrap_or_default();
        let coded = word.chars().all(|c| c.is_ascii_alphanumeric() || "+/=".contains(c));
        let header = ["Proc-Type:", "DEK-Info:", "Comment:", "Version:", "Subject:"];
        if text.is_empty() || header.iter().any(|h| text.starts_with(h)) || (coded && word.len() >= 40) {
            return Taken::Inside;
        }
        self.last = true;
        if coded { Taken::Inside } else { Taken::Not }
    }
}

fn opens_key(line: &str) -> bool {
    let Some(at) = line.rfind("BEGIN ") else { return false };
    line[at..].contains("PRIVATE KEY") && closes_key(&line[at..]).is_none()
}

/// Behind the end of a key, if one ends here.
fn closes_key(line: &str) -> Option<usize> {
    let end = line.find("END ").filter(|at| line[*at..].contains("PRIVATE KEY"))?;
    let dashes = line[end..].find("-----").map_or(line.len(), |at| end + at + 5);
    Some(dashes.min(line.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(lines: &[&str]) -> Vec<String> {
        let mut stream = RedactStream::default();
        lines.iter().map(|l| stream.line(l)).collect()
    }

    #[test]
    fn a_key_of_many_lines_leaves_nothing() {
        let body = "EXAMPLE0example1".repeat(4);
        let lines = said(&[
            "before",
            "-----BEGIN PRIVATE KEY-----",
            &body,
            "abc=",
            "-----END PRIVATE KEY-----",
            "after",
        ]);
        assert_eq!(lines, ["before", MARK, MARK, MARK, MARK, "after"]);
    }

    #[test]
    fn a_key_without_an_end_does_not_swallow_the_rest() {
        let lines =
            said(&["found -----BEGIN RSA PRIVATE KEY----- in a file", "Deploying to the cluster.", "Done."]);
        assert_eq!(lines[1..], ["Deploying to the cluster.", "Done."]);
    }

    #[test]
    fn a_secret_below_its_name_goes() {
        let lines = said(&["machine host.example", "login bob", "password example-0-word", "done"]);
        assert_eq!(lines[2..], ["password <redacted>", "done"]);
    }
}
