//! Names derived from ids: directory keys, machine and project ids. Published formats, byte for byte.

use crate::core::Sha;

/// The directory of a module's overlay: sanitised id, cut to 64 characters, and a short digest.
pub fn fs_key(module_id: &str) -> String {
    let short: String = sanitise(module_id).chars().take(64).collect();
    keyed(&short, module_id)
}

/// Older installs did not cut the readable part.
pub fn uncut_key(module_id: &str) -> String {
    keyed(&sanitise(module_id), module_id)
}

fn keyed(readable: &str, module_id: &str) -> String {
    format!("{readable}--{}", &Sha::of(module_id.as_bytes()).as_str()[..10])
}

/// Everything outside `[A-Za-z0-9_-]` becomes `_`.
pub fn sanitise(text: &str) -> String {
    let kept: String = text
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() || c == '_' || c == '-' { c } else { '_' })
        .collect();
    if kept.is_empty() { "module".into() } else { kept }
}

/// Trimmed, lower case, runs of other characters as one `-`, none at the ends. Empty = no id.
pub fn machine_id(text: &str) -> Option<String> {
    let mut out = String::new();
    for c in text.trim().to_lowercase().chars() {
        if c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_' || c == '-' {
            out.push(c);
        } else if !out.ends_with('-') {
            out.push('-');
        }
    }
    let out = out.trim_matches('-');
    (!out.is_empty()).then(|| out.to_string())
}

/// First 16 hex digits over the normalised origin, or over the project's path.
pub fn project_id(origin: Option<&str>, root: &str) -> String {
    let basis = origin.map(normal_url).filter(|u| !u.is_empty()).unwrap_or_else(|| root.to_string());
    Sha::of(basis.as_bytes()).as_str()[..16].to_string()
}

fn normal_url(url: &str) -> String {
    let url = url.trim();
    let url = url.strip_suffix(".git").unwrap_or(url);
    let url = match url.strip_prefix("git@") {
        Some(rest) => rest.replace(':', "/"),
        None => url.to_string(),
    };
    let url = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://")).unwrap_or(&url);
    url.to_lowercase()
}

/// The name a module's output carries: what follows the first colon of its id.
pub fn module_name(id: &str) -> String {
    id.split_once(':').map_or_else(|| sanitise(id), |(_, name)| name.to_string())
}

/// May this text be a relative path below a root? No empty, `.` or `..` parts, nothing absolute or odd.
pub fn safe_relative(text: &str) -> bool {
    !text.is_empty()
        && !text.contains(['\\', '\0', '\n', '\r'])
        && text.split('/').all(|part| !part.is_empty() && part != "." && part != "..")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_examples_hold() {
        assert_eq!(fs_key("instructions:base"), "instructions_base--d39861fff1");
        assert_eq!(fs_key("prompt:draft"), "prompt_draft--4c683d0b2e");
        assert_eq!(project_id(Some("git@example.com:Org/Proj.git"), "/x"), "de9d546a53904cce");
        assert_eq!(machine_id("boxA").as_deref(), Some("boxa"));
        assert_eq!(machine_id(" My  Box.local! ").as_deref(), Some("my-box-local"));
        assert_eq!(machine_id(" ?? "), None);
        assert_eq!(fs_key(&"x".repeat(100)).len(), 64 + 2 + 10);
        assert_eq!(uncut_key(&"x".repeat(100)).len(), 100 + 2 + 10);
    }

    #[test]
    fn only_plain_relative_paths_are_safe() {
        for bad in ["", "/x", "a//b", "../a", "a/..", ".", "a\\b", "a/"] {
            assert!(!safe_relative(bad), "{bad}");
        }
        assert!(safe_relative("a/b-c.d"));
    }
}
