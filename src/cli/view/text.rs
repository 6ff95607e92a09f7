//! Lines that fit: wrapping at words, cutting at words, and how wide a text is on the screen.

use std::borrow::Cow;

/// Width on screen: escape sequences do not count.
pub fn visible(text: &str) -> usize {
    let mut n = 0;
    let mut escape = false;
    for c in text.chars() {
        match (escape, c) {
            (true, 'm') => escape = false,
            (true, _) => {}
            (false, '\x1b') => escape = true,
            (false, _) => n += 1,
        }
    }
    n
}

/// Cut to a width at the end of a word, with an ellipsis where something is missing.
pub fn shorten(text: &str, width: usize) -> String {
    let text: Cow<str> = if text.contains('\n') { text.replace('\n', " ").into() } else { text.into() };
    if text.chars().count() <= width {
        return text.into_owned();
    }
    let head: String = text.chars().take(width.saturating_sub(1)).collect();
    // One long word is cut inside; a sentence is not.
    let whole = match head.rfind(' ') {
        Some(at) if at > 0 => head[..at].trim_end().to_string(),
        _ => head,
    };
    format!("{whole}…")
}

/// Lines of at most this width, broken between words; a word that is wider is broken after a `/` or where it must.
pub fn wrap(text: &str, width: usize) -> Vec<String> {
    hanging(text, width, width)
}

/// The same with another width for every line but the first of each paragraph. Spaces at the beginning stay.
pub fn hanging(text: &str, first: usize, rest: usize) -> Vec<String> {
    let (first, rest) = (first.max(4), rest.max(4));
    let mut lines = Vec::new();
    for line in text.split('\n') {
        let begin = lines.len();
        let lead = line.len() - line.trim_start_matches(' ').len();
        let mut now = " ".repeat(lead);
        let mut used = lead;
        let mut fresh = true;
        for word in line.trim_start_matches(' ').split(' ') {
            for (i, part) in pieces(word, rest.min(first)).into_iter().enumerate() {
                let width = if lines.len() == begin { first } else { rest };
                let size = visible(&part);
                let gap = usize::from(i == 0 && !fresh);
                if used + gap + size > width && !fresh {
                    lines.push(std::mem::take(&mut now).trim_end().to_string());
                    used = 0;
                } else if gap == 1 {
                    now.push(' ');
                    used += 1;
                }
                now.push_str(&part);
                used += size;
                fresh = false;
            }
        }
        lines.push(now.trim_end().to_string());
    }
    lines
}

/// A word in parts that fit; one part unless it is too wide.
fn pieces(word: &str, width: usize) -> Vec<String> {
    if visible(word) <= width {
        return vec![word.to_string()];
    }
    let mut out = Vec::new();
    let mut now = String::new();
    for c in word.chars() {
        if now.chars().count() == width {
            let at = now.rfind('/').map(|at| at + 1).filter(|at| *at * 4 > now.len()).unwrap_or(now.len());
            let rest = now.split_off(at);
            out.push(std::mem::replace(&mut now, rest));
        }
        now.push(c);
    }
    out.push(now);
    out
}

/// `1 file`, `2 files`.
pub fn count(n: u64, noun: &str) -> String {
    match (n, noun.strip_suffix('y')) {
        (1, _) => format!("1 {noun}"),
        (_, Some(stem)) if !noun.ends_with("ey") && !noun.ends_with("ay") => format!("{n} {stem}ies"),
        _ => format!("{n} {noun}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_word_is_cut_while_it_fits() {
        let text = "The diff is too long to be shown here, so look at the file itself.";
        for width in 12..80 {
            let lines = wrap(text, width);
            assert!(lines.iter().all(|l| l.chars().count() <= width), "{width}: {lines:?}");
            assert_eq!(lines.join(" "), text);
        }
    }

    #[test]
    fn what_hangs_is_narrower_and_the_beginning_stays() {
        let lines = hanging("  pass  home is yours alone and more", 20, 12);
        assert_eq!(lines, ["  pass  home is", "yours alone", "and more"]);
    }

    #[test]
    fn a_path_breaks_behind_a_slash() {
        assert_eq!(wrap("worktrees/demo/repos/api", 16), ["worktrees/demo/", "repos/api"]);
        assert_eq!(wrap("~/.gemini/settings.json", 20), ["~/.gemini/", "settings.json"]);
    }

    #[test]
    fn cutting_leaves_whole_words() {
        assert_eq!(shorten("Deployed two files to codex", 20), "Deployed two files…");
        assert_eq!(shorten("Set default_platform", 12), "Set…");
        assert_eq!(shorten("abcdefghij", 5), "abcd…");
        assert_eq!(shorten("fits", 5), "fits");
    }

    #[test]
    fn numbers_have_the_right_noun() {
        assert_eq!([count(1, "file"), count(2, "file")], ["1 file", "2 files"]);
        assert_eq!([count(1, "repository"), count(0, "repository")], ["1 repository", "0 repositories"]);
        assert_eq!(count(3, "key"), "3 keys");
    }
}
