//! Names that end up in paths and in arguments of git: what may be one, so that none can be an option.

/// One path component: ecosystems, repositories, provisioners, tickets.
pub fn plain(name: &str) -> Result<(), String> {
    let ok = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
    let first = name.chars().next().is_some_and(|c| c.is_ascii_alphanumeric() || c == '_');
    if first && name.len() <= 100 && name.chars().all(ok) && !name.contains("..") && !name.ends_with(".lock")
    {
        Ok(())
    } else {
        Err(format!(
            "'{name}' must begin with a letter or digit and hold only letters, digits, '.', '_' and '-'."
        ))
    }
}

/// A branch or tag name as git allows it, and never an option.
pub fn branch(name: &str) -> Result<(), String> {
    let bad = |c: char| c.is_whitespace() || c.is_control() || "~^:?*[\\".contains(c);
    let wrong = name.is_empty()
        || name.len() > 200
        || name.chars().any(bad)
        || name.contains("..")
        || name.contains("@{")
        || name.contains("//")
        || name.starts_with('-')
        || name == "@"
        || name.split('/').any(|part| part.is_empty() || part.starts_with('.') || part.ends_with(".lock"))
        || name.ends_with('.');
    if wrong { Err(format!("'{name}' is not a valid branch name.")) } else { Ok(()) }
}

/// A variable of the calling session that a script may be given. What steers git, packd, the loader or the shell is not.
pub fn variable(name: &str) -> Result<(), String> {
    let first = name.chars().next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_');
    if !first || name.len() > 100 || !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
        return Err(format!("'{name}' is not the name of a variable (letters, digits and '_')."));
    }
    let upper = name.to_ascii_uppercase();
    match ["GIT_", "PACKD_", "LD_", "DYLD_", "BASH_"].iter().find(|prefix| upper.starts_with(**prefix)) {
        Some(prefix) => Err(format!("'{name}' is not passed on: nothing that begins with {prefix} is.")),
        None if name == "ENV" => Err("'ENV' is not passed on: it names a file that shells run.".into()),
        None => Ok(()),
    }
}

pub fn relative_path(path: &str) -> Result<(), String> {
    let wrong = path.starts_with('/')
        || path.contains('\\')
        || path.chars().any(char::is_control)
        || path
            .split('/')
            .any(|p| p.is_empty() || p == "." || p == ".." || p == ".git" || p.starts_with('-'));
    if wrong {
        Err(format!("'{path}' must be a relative path without '.', '..', '.git' or empty parts."))
    } else {
        Ok(())
    }
}

/// Refuses what git would read as an option or run as a helper program.
pub fn url(url: &str) -> Result<(), String> {
    if url.starts_with('-') || url.chars().any(|c| c.is_control() || c.is_whitespace()) || url.contains("::")
    {
        Err("is not an address that git may be given (no leading '-', no spaces, no '::' helpers)."
            .to_string())
    } else {
        Ok(())
    }
}

pub fn known_url(url: &str) -> bool {
    url == "local" || ["git@", "https://", "http://", "ssh://", "file://"].iter().any(|p| url.starts_with(p))
}
