//! Words: what a text is found by. The same rules make the words of what is kept and those of a query.
//!
//! A word is a run of letters and digits in lower case. What begins with an asked word fits it, so a word is also kept
//! from each place where a part of it begins: at the humps of `parseHeader`, and at each character of a script that is
//! written without spaces.

/// Characters of a word that count.
const LONGEST: usize = 32;
/// The same where each character begins a word.
const LONGEST_UNSPACED: usize = 8;
/// Words of one query that count.
const ASKED: usize = 12;

/// Tells every word of a text, some of them more than once.
pub fn each(text: &str, take: &mut dyn FnMut(&str)) {
    for run in runs(text) {
        let mut before: Option<char> = None;
        let mut letters = run.char_indices().peekable();
        while let Some((at, c)) = letters.next() {
            let after = letters.peek().map(|(_, c)| *c);
            if before.is_none_or(|before| begins(before, c, after)) {
                take(&cut(&run[at..]));
            }
            before = Some(c);
        }
    }
}

/// The words that are asked for, each once.
pub fn asked(query: &str) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for run in runs(query) {
        let mut rest = run;
        while !rest.is_empty() && out.len() < ASKED {
            let word = cut(rest);
            // What is written without spaces is looked for piece by piece, anything else by its beginning.
            let long = rest.chars().next().filter(|c| is_unspaced(*c));
            let next =
                long.and_then(|_| rest.char_indices().nth(LONGEST_UNSPACED)).map_or(rest.len(), |(at, _)| at);
            rest = &rest[next..];
            if !out.contains(&word) {
                out.push(word);
            }
        }
    }
    out
}

/// Texts that nobody looks for by words: times and digests.
pub fn is_said(text: &str) -> bool {
    let bytes = text.as_bytes();
    let time = bytes.len() >= 20 && bytes[4] == b'-' && bytes[7] == b'-' && bytes[10] == b'T';
    let digest = text.strip_prefix("sha256:").unwrap_or(text);
    let digest = digest.len() >= 40 && digest.bytes().all(|b| b.is_ascii_hexdigit());
    !time && !digest
}

fn runs(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|run| !run.is_empty())
}

/// Does a part of a word begin here?
fn begins(before: char, c: char, after: Option<char>) -> bool {
    is_unspaced(c)
        || is_unspaced(before)
        || c.is_uppercase() && (!before.is_uppercase() || after.is_some_and(char::is_lowercase))
}

fn cut(run: &str) -> String {
    let most = if run.chars().next().is_some_and(is_unspaced) { LONGEST_UNSPACED } else { LONGEST };
    match run.is_ascii() {
        true => run[..run.len().min(most)].to_ascii_lowercase(),
        false => run.chars().take(most).flat_map(char::to_lowercase).collect(),
    }
}

/// Chinese, Japanese and Thai have no spaces between words.
fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{0e00}'..='\u{0eff}' | '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        let mut out = Vec::new();
        each(text, &mut |word| out.push(word.to_string()));
        out
    }

    fn finds(query: &str, text: &str) -> bool {
        let (asked, kept) = (asked(query), words(text));
        !asked.is_empty() && asked.iter().all(|word| kept.iter().any(|kept| kept.starts_with(word.as_str())))
    }

    #[test]
    fn a_text_is_found_by_its_words_their_beginnings_and_their_parts() {
        let text = "src/families/parse_header.rs: HTTPServer reads parseHeaderLine, Größe 12";
        for query in [
            "parse_header.rs",
            "HEADER",
            "header",
            "server",
            "http",
            "headerline",
            "line",
            "größe",
            "fam",
            "12",
        ] {
            assert!(finds(query, text), "{query}: {:?}", words(text));
        }
        for query in ["eader", "erver", "12 13", "?", ""] {
            assert!(!finds(query, text), "{query}");
        }
        assert!(finds("設計", "データベース設計の記録です"));
        assert!(finds("データベース設計の記録", "データベース設計の記録です"));
        assert!(finds(&"x".repeat(500), &"x".repeat(400)), "only the beginning of a long word counts");
    }

    #[test]
    fn times_and_digests_are_not_said() {
        assert!(is_said("TASK-001") && is_said("a note") && is_said("2026-01-02"));
        assert!(!is_said("2026-01-02T03:04:05Z") && !is_said(&"0f".repeat(20)));
        assert!(!is_said(&format!("sha256:{}", "0f".repeat(32))));
    }
}
