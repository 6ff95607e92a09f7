//! Whether a value beside a telling name is a secret: not a placeholder, not code, odd, or drawn by chance.
//!
//! Text about secrets is more common than secrets. These guesses decide only where the shape alone does not.

/// Names of types and words of prose that stand behind `password:` or `--token` without being one.
const WORDS: [&str; 75] = [
    "a",
    "an",
    "and",
    "any",
    "are",
    "as",
    "asked",
    "at",
    "be",
    "bool",
    "boolean",
    "by",
    "bytes",
    "can",
    "change",
    "checked",
    "false",
    "file",
    "flag",
    "for",
    "from",
    "has",
    "have",
    "if",
    "in",
    "int",
    "integer",
    "is",
    "it",
    "its",
    "kept",
    "key",
    "may",
    "must",
    "name",
    "nil",
    "no",
    "none",
    "not",
    "null",
    "number",
    "object",
    "of",
    "on",
    "only",
    "option",
    "optional",
    "or",
    "password",
    "path",
    "remove",
    "required",
    "secret",
    "see",
    "set",
    "str",
    "string",
    "text",
    "that",
    "the",
    "then",
    "this",
    "to",
    "token",
    "true",
    "undefined",
    "uuid",
    "value",
    "was",
    "what",
    "when",
    "which",
    "will",
    "with",
    "your",
];

/// `PWD=/home/me`, which every shell tells its programs, is a directory and not a password.
pub fn shells_directory(before: &str, value: &str) -> bool {
    let Some(name) = before.strip_suffix('=') else { return false };
    let start = name.rfind(|c: char| !c.is_ascii_alphanumeric() && c != '_').map_or(0, |at| at + 1);
    value.starts_with('/') && name.is_char_boundary(start) && matches!(&name[start..], "PWD" | "OLDPWD")
}

/// Anything a person would use as a password: not empty, not a stand-in, not prose, not code.
pub fn value(text: &str) -> bool {
    let text = text.trim_matches(|c: char| c.is_whitespace() || ".,:;!?)".contains(c));
    if text.is_empty() || text.starts_with(['<', '$', '{', '[', '…', '&', '|', '%']) {
        return false;
    }
    let mut chars = text.chars();
    let first = chars.next();
    if text.chars().count() > 2 && chars.all(|c| Some(c) == first) {
        return false;
    }
    let lower = text.to_lowercase();
    let prose = lower.split(|c: char| c.is_whitespace() || c == ',').any(|w| WORDS.contains(&w));
    !prose && !stand_in(text) && !code(text) && !text.ends_with('{')
}

/// `YOUR_TOKEN`, `PASSWORD`: capitals that name what belongs there.
fn stand_in(text: &str) -> bool {
    const NAMES: [&str; 8] = ["PASS", "TOKEN", "SECRET", "KEY", "YOUR", "NAME", "VALUE", "EXAMPLE"];
    text.chars().all(|c| c.is_ascii_uppercase() || "_-".contains(c)) && NAMES.iter().any(|n| text.contains(n))
}

/// A name followed by what only a program has behind it: `ids.uuid()`, `Vec<u8>`, `String,`, `&str`, `self.key`.
fn code(text: &str) -> bool {
    let name = text.trim_start_matches(['&', '*', '!']);
    let rest = name.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '_');
    let word = &name[..name.len() - rest.len()];
    let starts = word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    let follows = match rest.chars().next() {
        None => TYPES.contains(&word),
        Some('.') => rest[1..].starts_with(|c: char| c.is_ascii_lowercase()) && !digits(text),
        Some(c) => "([<{:?;".contains(c) && (!digits(word) || rest.ends_with(['>', ')'])),
    };
    starts && follows
}

const TYPES: [&str; 12] =
    ["String", "Vec", "Option", "Token", "Value", "None", "Some", "Self", "Arc", "Box", "Send", "Sync"];

fn digits(text: &str) -> bool {
    text.contains(|c: char| c.is_ascii_digit())
}

/// Letters mixed with digits or signs.
pub fn odd(text: &str) -> bool {
    let text = text.trim_end_matches(['.', ',', ':', '!', '?']);
    let letters = text.contains(|c: char| c.is_ascii_alphabetic());
    let other = digits(text) || text.contains(|c: char| "!@#$%^*+=~".contains(c));
    text.len() >= 5 && letters && other && value(text)
}

/// Drawn by chance: a long piece without separators, letters and digits mixed, hardly anything repeated.
pub fn random(text: &str) -> bool {
    let text = text.trim_end_matches(['.', ',', '=', '-', '_', '/']);
    let piece = text.split(['-', '_', '.', '/', '~']).max_by_key(|p| p.len()).unwrap_or_default();
    let count = |f: fn(&char) -> bool| piece.chars().filter(f).count();
    let (numbers, letters) = (count(char::is_ascii_digit), count(char::is_ascii_alphabetic));
    piece.len() >= 12
        && numbers >= 2
        && letters >= 3
        && entropy(piece) >= 2.8
        && entropy(text) >= 3.0
        && value(text)
}

/// Bits per character.
fn entropy(text: &str) -> f64 {
    let mut counts = [0u32; 256];
    text.bytes().for_each(|b| counts[usize::from(b)] += 1);
    let all = text.len() as f64;
    let share = |n: &u32| f64::from(*n) / all;
    counts.iter().filter(|n| **n > 0).map(|n| -share(n) * share(n).log2()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_directory_of_a_shell_is_no_password() {
        let shown = |text: &str| super::super::text(text).0;
        let list = "OLDPWD=/srv/app\nPWD=/home/me/project\nPATH=/bin";
        assert_eq!(shown(list), list);
        assert_eq!(shown("cd there; PWD=/home/me make"), "cd there; PWD=/home/me make");
        let mark = super::super::MARK;
        assert_eq!(shown("DB_PWD=/swordfish"), format!("DB_PWD={mark}"));
        assert_eq!(shown("PWD=swordfish"), format!("PWD={mark}"));
    }

    #[test]
    fn code_prose_and_placeholders_are_no_secrets() {
        for text in [
            "String,",
            "&str",
            "ids.uuid()",
            "Vec<u8>",
            "<token>",
            "$TOKEN",
            "YOUR_TOKEN",
            "xxxx",
            "***",
            "is",
        ] {
            assert!(!value(text), "{text}");
        }
        for text in ["hunter2", "swordfish", "x", "correct horse battery staple", "p.w0rd", "S3cr3t!"] {
            assert!(value(text), "{text}");
        }
        assert!(odd("hunter2") && !odd("nothing") && !odd("12345"));
        assert!(random("0Exa1mpl2Exa3mpl4Exa5mpl") && random("5f2d1c0b-9a88-4b7e-8c1d-0e9f7a6b5c4d"));
        assert!(!random("tests/common/engine_world.rs") && !random("aaaaaaaaaaaaaaaa1111"));
    }
}
