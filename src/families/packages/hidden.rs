//! Characters a reader cannot see but a model reads: bidirectional controls, zero-width and tag characters.

/// One line of a text that hides something.
pub struct Hidden {
    pub line: usize,
    pub what: &'static str,
    pub code: u32,
}

/// The first hidden character of each line.
pub fn find(text: &str) -> Vec<Hidden> {
    let mut out = Vec::new();
    for (i, line) in text.lines().enumerate() {
        let start = usize::from(i == 0 && line.starts_with('\u{feff}'));
        if let Some((c, what)) = line.chars().skip(start).find_map(|c| kind(c).map(|k| (c, k))) {
            out.push(Hidden { line: i + 1, what, code: u32::from(c) });
        }
    }
    out
}

/// Joiners (U+200C, U+200D) are left alone: scripts and emoji need them.
fn kind(c: char) -> Option<&'static str> {
    match c {
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}' | '\u{61c}' => {
            Some("bidirectional control")
        }
        '\u{200b}' | '\u{2060}'..='\u{2064}' | '\u{feff}' | '\u{180e}' | '\u{ad}' => Some("zero-width"),
        '\u{e0000}'..='\u{e007f}' => Some("tag"),
        '\u{e0100}'..='\u{e01ef}' => Some("variation selector"),
        _ => None,
    }
}

/// Warnings for one file, at most a handful.
pub fn warnings(path: &str, bytes: &[u8]) -> Vec<String> {
    let Ok(text) = std::str::from_utf8(bytes) else { return Vec::new() };
    let found = find(text);
    let more = found.len().saturating_sub(3);
    let mut out: Vec<String> = found
        .iter()
        .take(3)
        .map(|h| format!("{path}: line {} contains a hidden {} character (U+{:04X})", h.line, h.what, h.code))
        .collect();
    if more > 0 {
        out.push(format!("{path}: {more} more lines contain hidden characters"));
    }
    out
}
