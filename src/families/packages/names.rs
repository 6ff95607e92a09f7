//! Names of packages and artifacts, and package specifiers such as `@scope/name@^1.0.0`.

use super::constraint::Set;
use super::errors::{INVALID, fail};
use super::version::Version;
use crate::core::Result;

/// `^[a-z0-9][a-z0-9-]{0,63}$`
pub fn is_artifact_name(text: &str) -> bool {
    plain(text, false)
}

/// An optional scope `@a_b/` and a name.
pub fn is_package_name(text: &str) -> bool {
    match text.strip_prefix('@') {
        Some(rest) => {
            rest.split_once('/').is_some_and(|(scope, name)| plain(scope, true) && plain(name, false))
        }
        None => plain(text, false),
    }
}

fn plain(text: &str, underscore: bool) -> bool {
    let ok = |c: u8| c.is_ascii_lowercase() || c.is_ascii_digit();
    let more = |c: u8| ok(c) || c == b'-' || (underscore && c == b'_');
    let bytes = text.as_bytes();
    (1..=64).contains(&bytes.len()) && ok(bytes[0]) && bytes[1..].iter().all(|c| more(*c))
}

/// The directory name of a package: `@scope/name` becomes `scope--name`.
pub fn directory(name: &str) -> String {
    match name.strip_prefix('@').and_then(|rest| rest.split_once('/')) {
        Some((scope, name)) => format!("{scope}--{name}"),
        None => name.to_string(),
    }
}

/// The nearest valid artifact name: lower case, other characters as single hyphens.
pub fn normalise(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars().flat_map(char::to_lowercase) {
        match c {
            'a'..='z' | '0'..='9' => out.push(c),
            _ if out.ends_with('-') || out.is_empty() => {}
            _ => out.push('-'),
        }
    }
    out.truncate(64);
    let trimmed = out.trim_end_matches('-');
    if trimmed.is_empty() { "unnamed".to_string() } else { trimmed.to_string() }
}

/// Which version of a package is wanted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Want {
    Any,
    Within(Set, String),
    Tag(String),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spec {
    pub text: String,
    pub name: String,
    pub want: Want,
}

impl Spec {
    pub fn parse(text: &str) -> Result<Spec> {
        let text = text.trim();
        let (name, want) = match text.rfind('@').filter(|at| *at > 0) {
            Some(at) => (&text[..at], Some(&text[at + 1..])),
            None => (text, None),
        };
        if !is_package_name(name) {
            return Err(fail(INVALID, format!("'{text}' does not name a package."))
                .hint("Write name, name@version, @scope/name or @scope/name@^1.0.0, in lower case."));
        }
        let want = match want {
            None => Want::Any,
            Some(want) => wanted(text, want)?,
        };
        Ok(Spec { text: text.to_string(), name: name.to_string(), want })
    }
}

fn wanted(text: &str, want: &str) -> Result<Want> {
    match Set::parse(want) {
        Ok(set) => Ok(Want::Within(set, want.trim().to_string())),
        Err(_) if is_tag(want) => Ok(Want::Tag(want.to_string())),
        Err(why) => Err(fail(INVALID, format!("The version of '{text}' cannot be read: {why}."))
            .hint("Use a version, a tag, or a constraint such as ^1.2.3, ~1.2.3 or >=1.0.0,<2.0.0.")),
    }
}

/// A distribution tag: up to 32 lower-case letters, digits and hyphens, and nothing that reads as something else.
pub fn is_tag(text: &str) -> bool {
    let fits = (1..=32).contains(&text.len())
        && text.bytes().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == b'-');
    fits && text.as_bytes()[0].is_ascii_lowercase()
        && !matches!(text, "all" | "true" | "false")
        && Version::parse(text).is_err()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_specifiers() {
        for good in ["a", "my-pkg", "@a_b/c-d", "0x"] {
            assert!(is_package_name(good), "{good}");
        }
        for bad in ["", "A", "-a", "a_b", "@a", "@a/", "@/a", "a\n", "../x", "a/b", &"x".repeat(65)] {
            assert!(!is_package_name(bad), "{bad:?}");
        }
        let spec = Spec::parse("@s/n@^1.0.0").unwrap();
        assert_eq!((spec.name.as_str(), matches!(spec.want, Want::Within(..))), ("@s/n", true));
        assert_eq!(Spec::parse("@s/n").unwrap().want, Want::Any);
        assert_eq!(Spec::parse("n@beta").unwrap().want, Want::Tag("beta".into()));
        for bad in ["n@", "./dir", "n@^1", "n@1 2", "@s/n@"] {
            assert!(Spec::parse(bad).is_err(), "{bad}");
        }
        assert_eq!(directory("@s/n"), "s--n");
        assert_eq!(normalise("Bad_Name (2).v1"), "bad-name-2-v1");
    }
}
