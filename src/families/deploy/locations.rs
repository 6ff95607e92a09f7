//! Where a call happens: config repo, project and its id, machine, homes.

use std::path::{Path, PathBuf};

use super::args::{self, Args};
use super::file_reader::FileReader;
use super::ids;
use crate::core::git::Git;
use crate::core::world::FileKind;
use crate::core::{Result, SessionInfo, owner};

#[derive(Debug, Clone)]
pub struct Locations {
    pub repo: PathBuf,
    pub agentpack_home: PathBuf,
    pub home: PathBuf,
    /// `CODEX_HOME`, used only where the target has no option of its own.
    pub codex_env: Option<PathBuf>,
    pub project: PathBuf,
    pub project_id: String,
    pub machine: String,
    /// The machine id without the `machine` argument.
    pub detected_machine: String,
}

pub fn find(reader: &FileReader, args: &Args) -> Result<Locations> {
    let session = reader.session;
    let start = PathBuf::from(&session.workspace);
    let (project, git_dir) = match top_level(reader, &start)? {
        Some((top, git)) => (top, Some(git)),
        None => (start, None),
    };
    if git_dir.is_some() {
        owner::check_repository(reader.world, &project)?;
    }
    let origin = match &git_dir {
        Some(git) => origin_url(reader, git, &project)?,
        None => None,
    };
    let project_id = ids::project_id(origin.as_deref(), &project.to_string_lossy());
    let detected_machine = detect_machine(reader, session);
    let machine =
        args.machine.as_deref().and_then(ids::machine_id).unwrap_or_else(|| detected_machine.clone());
    let codex = session.env.get("CODEX_HOME").map(|v| v.trim()).filter(|v| !v.is_empty());
    Ok(Locations {
        repo: args.repo_path(session),
        agentpack_home: args::agentpack_home(session),
        home: session.home.clone(),
        codex_env: codex.map(|v| session.cwd.join(args::expand_home(v, session))),
        project,
        project_id,
        machine,
        detected_machine,
    })
}

fn detect_machine(reader: &FileReader, session: &SessionInfo) -> String {
    let named = ["AGENTPACK_MACHINE_ID", "HOSTNAME", "COMPUTERNAME"];
    let from_env = named.iter().filter_map(|n| session.env.get(*n)).find_map(|v| ids::machine_id(v));
    from_env.or_else(|| ids::machine_id(&reader.world.host_name())).unwrap_or_else(|| "unknown".into())
}

/// The nearest directory upwards that git would call the top of a work tree, and its git directory.
pub fn top_level(reader: &FileReader, start: &Path) -> Result<Option<(PathBuf, PathBuf)>> {
    for dir in start.ancestors() {
        let git = dir.join(".git");
        match reader.world.stat(&git)?.map(|s| s.kind) {
            Some(FileKind::Dir) if reader.exists(&git.join("HEAD"))? => {
                return Ok(Some((dir.to_path_buf(), git)));
            }
            Some(FileKind::File) => {
                // A linked work tree or submodule names its git directory in a file.
                let text = reader.optional(&git)?;
                let text = text.as_ref().and_then(|c| c.text()).unwrap_or_default();
                if let Some(path) = text.strip_prefix("gitdir:") {
                    return Ok(Some((dir.to_path_buf(), dir.join(path.trim()))));
                }
            }
            _ => {}
        }
    }
    Ok(None)
}

/// The directory that holds refs and config: another one than the git directory in a linked work tree.
pub fn common_dir(reader: &FileReader, git_dir: &Path) -> Result<PathBuf> {
    let named = reader.optional(&git_dir.join("commondir"))?;
    Ok(match named.as_ref().and_then(|c| c.text()) {
        Some(text) => git_dir.join(text.trim()),
        None => git_dir.to_path_buf(),
    })
}

fn origin_url(reader: &FileReader, git_dir: &Path, project: &Path) -> Result<Option<String>> {
    let config = common_dir(reader, git_dir)?.join("config");
    let Some(content) = reader.optional(&config)? else { return Ok(None) };
    let text = String::from_utf8_lossy(&content.bytes);
    if text.to_lowercase().contains("[include") {
        return Ok(ask_git(reader, project));
    }
    Ok(url_in(&text))
}

/// Included files are git's business to find.
fn ask_git(reader: &FileReader, project: &Path) -> Option<String> {
    let git = Git::new(reader.world, reader.session, project);
    git.maybe(&["config", "--get", "remote.origin.url"]).ok().flatten().filter(|url| !url.is_empty())
}

/// The last `url` of `[remote "origin"]`.
fn url_in(config: &str) -> Option<String> {
    let mut inside = false;
    let mut found = None;
    for line in config.lines().map(str::trim) {
        if line.starts_with('[') {
            let section = line.trim_end_matches(|c| c != ']');
            inside = section.eq_ignore_ascii_case("[remote \"origin\"]") && section.contains("\"origin\"");
        } else if let Some((name, value)) = line.split_once('=').filter(|_| inside)
            && name.trim().eq_ignore_ascii_case("url")
        {
            found = Some(plain_value(value));
        }
    }
    found.filter(|url| !url.is_empty())
}

/// A git config value without quotes, escapes and trailing comment.
fn plain_value(raw: &str) -> String {
    let mut out = String::new();
    let (mut quoted, mut escaped) = (false, false);
    for c in raw.trim().chars() {
        match c {
            c if escaped => {
                out.push(c);
                escaped = false;
            }
            '\\' => escaped = true,
            '"' => quoted = !quoted,
            '#' | ';' if !quoted => break,
            c => out.push(c),
        }
    }
    out.trim().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_origin_is_read_as_git_reads_it() {
        let config = "[core]\n\tbare = false\n[remote \"origin\"]\n\turl = git@h:a/b.git ; note\n\tfetch = x\n\
                      [remote \"other\"]\n\turl = no\n";
        assert_eq!(url_in(config).as_deref(), Some("git@h:a/b.git"));
        assert_eq!(url_in("[remote \"origin\"]\nurl = \"a#b\"\n").as_deref(), Some("a#b"));
        assert_eq!(url_in("[remote \"up\"]\nurl = x\n"), None);
    }
}
