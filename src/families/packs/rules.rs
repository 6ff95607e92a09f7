//! What makes an id, key, name, path, range or time to live acceptable.

use crate::core::Result;

use super::errors::invalid;
use super::model::{ContextPack, LineRange};

pub const ID_ALPHABET: &[u8; 32] = b"abcdefghijklmnopqrstuvwxyz234567";
pub const ID_LETTERS: usize = 8;
const MAX_SPAN: u64 = 2000;
const MAX_PATH: usize = 1024;
/// Five years of 365 days.
const MAX_TTL_MINUTES: u64 = 5 * 365 * 24 * 60;

/// `pk_` and eight base32 letters.
pub fn is_id(text: &str) -> bool {
    text.strip_prefix("pk_")
        .is_some_and(|rest| rest.len() == ID_LETTERS && rest.bytes().all(|b| ID_ALPHABET.contains(&b)))
}

/// `[a-z0-9][a-z0-9_-]{1,63}`.
pub fn key(field: &str, text: &str) -> Result<()> {
    let plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit();
    let bytes = text.as_bytes();
    let fits = (2..=64).contains(&bytes.len())
        && plain(bytes[0])
        && bytes.iter().all(|&b| plain(b) || b == b'_' || b == b'-');
    if fits {
        return Ok(());
    }
    Err(invalid(format!("'{field}' must match ^[a-z0-9][a-z0-9_-]{{1,63}}$, but is '{text}'")))
}

pub fn name(text: &str) -> Result<()> {
    if !(3..=120).contains(&text.len()) {
        return Err(invalid(format!("'name' must have 3 to 120 bytes, but has {}", text.len())));
    }
    if is_id(text) {
        return Err(invalid(format!("'name' must not look like a pack id, but is '{text}'")));
    }
    Ok(())
}

/// A path as it is stored: relative, without `..`, with forward slashes.
///
/// Backslashes are replaced before the checks, so that `a\..\..\b` cannot slip through.
pub fn path(text: &str) -> Result<String> {
    if text.len() > MAX_PATH {
        return Err(invalid(format!("'path' must have at most {MAX_PATH} bytes, but has {}", text.len())));
    }
    let path = text.replace('\\', "/");
    if path.starts_with('/') {
        return Err(invalid(format!("'path' must be relative to the source root, but is '{text}'")));
    }
    if path.split('/').any(|part| part == "..") {
        return Err(invalid(format!("'path' must not contain '..', but is '{text}'")));
    }
    Ok(path)
}

pub fn lines(start: u64, end: u64) -> Result<LineRange> {
    if start == 0 {
        return Err(invalid("'line_start' must be at least 1"));
    }
    if end < start {
        return Err(invalid(format!("'line_end' ({end}) must not be before 'line_start' ({start})")));
    }
    if end - start >= MAX_SPAN {
        return Err(invalid(format!("a ref may span at most {MAX_SPAN} lines, but {start}-{end} is longer")));
    }
    Ok(LineRange { start, end })
}

/// Minutes to live, as seconds.
pub fn ttl(field: &str, minutes: u64) -> Result<i64> {
    if !(1..=MAX_TTL_MINUTES).contains(&minutes) {
        return Err(invalid(format!("'{field}' must be between 1 and {MAX_TTL_MINUTES}, but is {minutes}")));
    }
    // At most MAX_TTL_MINUTES, which is far below the limit of i64.
    Ok(minutes as i64 * 60)
}

/// Every rule a pack that was built call by call keeps; for documents that come from elsewhere.
pub fn whole(pack: &ContextPack) -> Result<()> {
    if let Some(text) = &pack.name {
        name(text)?;
    }
    let mut sections = Keys::default();
    for section in &pack.sections {
        sections.take("section_key", &section.key)?;
        let (mut refs, mut diagrams) = (Keys::default(), Keys::default());
        for r in &section.refs {
            refs.take("ref_key", &r.key)?;
            if path(&r.path)? != r.path || r.path.trim().is_empty() {
                return Err(invalid(format!(
                    "'path' must be written with forward slashes, but is '{}'",
                    r.path
                )));
            }
            lines(r.lines.start, r.lines.end)?;
        }
        for d in &section.diagrams {
            diagrams.take("diagram_key", &d.key)?;
        }
    }
    Ok(())
}

#[derive(Default)]
struct Keys<'a>(std::collections::BTreeSet<&'a str>);

impl<'a> Keys<'a> {
    fn take(&mut self, field: &str, text: &'a str) -> Result<()> {
        key(field, text)?;
        if self.0.insert(text) { Ok(()) } else { Err(invalid(format!("'{field}' '{text}' occurs twice"))) }
    }
}
