//! Which files are never stored, by their names: the patterns of `[snapshots] exclude`.
//!
//! A pattern without a slash is compared with each name on the way, one with a slash with the whole path below the
//! tree. `*` stands for anything but a slash, `**` for anything, `?` for one character. Case does not count.

/// Patterns as they were written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Patterns(Vec<String>);

/// What holds secrets by its name.
const DEFAULT: [&str; 16] = [
    ".env*",
    "*.pem",
    "*.key",
    "*.p12",
    "*.pfx",
    "*.jks",
    "*.keystore",
    "*.kdbx",
    "*.ppk",
    "id_rsa*",
    "id_dsa*",
    "id_ecdsa*",
    "id_ed25519*",
    ".netrc",
    ".npmrc",
    ".pypirc",
];

impl Default for Patterns {
    fn default() -> Patterns {
        Patterns::new(DEFAULT.map(str::to_string))
    }
}

impl Patterns {
    pub fn new(patterns: impl IntoIterator<Item = String>) -> Patterns {
        let tidy = |p: String| p.trim().trim_start_matches("./").trim_end_matches('/').to_lowercase();
        Patterns(patterns.into_iter().map(tidy).filter(|p| !p.is_empty()).collect())
    }

    /// The pattern that a path meets, or a directory on its way.
    pub fn meets(&self, path: &str) -> Option<&str> {
        let path = path.to_lowercase();
        let hit = |pattern: &&String| match pattern.trim_start_matches('/') {
            whole if whole.contains('/') => {
                parents(&path).any(|part| fits(whole.as_bytes(), part.as_bytes()))
            }
            name => path.split('/').any(|part| fits(name.as_bytes(), part.as_bytes())),
        };
        self.0.iter().find(hit).map(String::as_str)
    }
}

/// A path and every directory above it.
fn parents(path: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(path), |path| path.rsplit_once('/').map(|(dir, _)| dir))
}

/// Compares in time linear in both, but for patterns with several stars.
fn fits(pattern: &[u8], text: &[u8]) -> bool {
    match (pattern.first(), text.first()) {
        (None, None) => true,
        (Some(b'*'), _) if pattern.starts_with(b"**") => {
            let rest = pattern[2..].strip_prefix(b"/").unwrap_or(&pattern[2..]);
            (0..=text.len()).any(|n| fits(rest, &text[n..]))
        }
        (Some(b'*'), _) => {
            let most = text.iter().position(|b| *b == b'/').unwrap_or(text.len());
            (0..=most).any(|n| fits(&pattern[1..], &text[n..]))
        }
        (Some(b'?'), Some(c)) if *c != b'/' => fits(&pattern[1..], &text[1..]),
        (Some(p), Some(c)) if p == c => fits(&pattern[1..], &text[1..]),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_paths_are_met() {
        let patterns = Patterns::default();
        for path in [".env", "a/.env.local", "deep/ID_RSA", "x/server.PEM", ".envrc", "id_ed25519.pub"] {
            assert!(patterns.meets(path).is_some(), "{path}");
        }
        for path in ["env", "src/main.rs", "a.env", "keys.rs", "monkey"] {
            assert_eq!(patterns.meets(path), None, "{path}");
        }
        let own = Patterns::new(["secrets/".into(), "data/**/raw".into(), "/top/*.bin".into(), " ".into()]);
        for path in ["a/secrets/x", "data/1/2/raw", "data/raw/file", "top/a.bin"] {
            assert!(own.meets(path).is_some(), "{path}");
        }
        for path in ["a/top/a.bin", "top/sub/a.bin", "data/x"] {
            assert_eq!(own.meets(path), None, "{path}");
        }
    }
}
