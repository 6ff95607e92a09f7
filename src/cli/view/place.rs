//! Paths as people write them: relative to the project they stand in, else from their home.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use crate::ipc::home::user_home;

static PROJECT: OnceLock<Option<PathBuf>> = OnceLock::new();

/// Says which project this command is about; the first to say so decides.
pub fn stand_in(workspace: Option<&str>) {
    let _ = PROJECT.set(match workspace {
        Some(dir) => Path::new(dir).canonicalize().ok(),
        None => std::env::current_dir().ok().and_then(|dir| dir.canonicalize().ok()).map(|cwd| {
            let top = cwd.ancestors().find(|dir| dir.join(".git").exists()).map(Path::to_path_buf);
            top.unwrap_or(cwd)
        }),
    });
}

/// The directory of the project this command is about.
pub fn root() -> Option<&'static Path> {
    PROJECT.get().and_then(Option::as_deref)
}

/// A path of a reply for people.
pub fn shown(path: &str) -> String {
    let project = root();
    let home = user_home().unwrap_or_default();
    inside(Path::new(path), project, &home)
}

/// A sentence of a reply whose paths are written as people write them.
pub fn named(text: &str) -> String {
    let one = |word: &str| {
        let begin =
            word.find('/').filter(|at| word[..*at].chars().all(|c| matches!(c, '(' | '\'' | '`' | '"')));
        let Some(begin) = begin else { return word.to_string() };
        let rest = &word[begin..];
        let end = rest.trim_end_matches(['.', ',', ';', ':', ')', '\'', '`', '"']).len();
        format!("{}{}{}", &word[..begin], shown(&rest[..end]), &rest[end..])
    };
    text.split(' ').map(one).collect::<Vec<_>>().join(" ")
}

/// The name of a project where several are listed: from the home, never relative.
pub fn project(path: &str) -> String {
    inside(Path::new(path), None, &user_home().unwrap_or_default())
}

fn inside(path: &Path, project: Option<&Path>, home: &Path) -> String {
    let below = |root: &Path| path.strip_prefix(root).ok().map(|rest| rest.display().to_string());
    let in_project = project.filter(|p| p.parent().is_some()).and_then(below);
    if let Some(rest) = in_project {
        return if rest.is_empty() { ".".to_string() } else { rest };
    }
    let real = home.canonicalize();
    let in_home = Some(home).filter(|h| h.parent().is_some()).and_then(below);
    match in_home.or_else(|| real.ok().as_deref().and_then(below)) {
        Some(rest) if rest.is_empty() => "~".to_string(),
        Some(rest) => format!("~/{rest}"),
        None => path.display().to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_told_from_where_one_stands() {
        let (project, home) = (Some(Path::new("/home/me/proj")), Path::new("/home/me"));
        assert_eq!(inside(Path::new("/home/me/proj/src/a.rs"), project, home), "src/a.rs");
        assert_eq!(inside(Path::new("/home/me/proj"), project, home), ".");
        assert_eq!(inside(Path::new("/home/me/.claude.json"), project, home), "~/.claude.json");
        assert_eq!(inside(Path::new("/etc/hosts"), project, home), "/etc/hosts");
        assert_eq!(inside(Path::new("/home/me/proj"), None, home), "~/proj");
    }
}
