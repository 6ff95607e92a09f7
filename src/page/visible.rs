//! What cannot be seen is made visible: control characters, and marks that turn text around or take no room.
//!
//! Escaping keeps agents' text out of the markup; this keeps it from showing something else than what it says, beyond
//! its own element even.

/// The whole text with the number of each such character in its place.
pub fn visible(text: String) -> String {
    if !text.contains(hidden) {
        return text;
    }
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match hidden(c) {
            true => out.push_str(&format!("⟨{:02X}⟩", u32::from(c))),
            false => out.push(c),
        }
    }
    out
}

fn hidden(c: char) -> bool {
    match c {
        '\n' | '\t' | '\r' => false,
        // Direction: marks, embeddings, overrides, isolates.
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => true,
        // No width. Joiners stay: scripts and emoji are written with them.
        '\u{ad}' | '\u{200b}' | '\u{2028}' | '\u{2029}' | '\u{2060}'..='\u{2064}' | '\u{feff}' => true,
        c => c.is_control(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_turns_text_around_is_shown_and_the_rest_stays() {
        let shown = |text: &str| visible(text.to_string());
        assert_eq!(shown("a\u{202e}gnp.exe"), "a⟨202E⟩gnp.exe");
        assert_eq!(shown("\u{1b}[31mred\u{7}\u{7f}\u{85}"), "⟨1B⟩[31mred⟨07⟩⟨7F⟩⟨85⟩");
        assert_eq!(shown("zero\u{200b}width\u{feff}"), "zero⟨200B⟩width⟨FEFF⟩");
        for kept in ["plain\n\ttext\r\n", "שלום, مرحبا", "👩\u{200d}💻", "<p title=\"ä\">"] {
            assert_eq!(shown(kept), kept);
        }
    }
}
