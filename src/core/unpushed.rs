//! What a checkout holds that exists nowhere else: the one answer for status, discard, archive, tickets, sync and undo.
//!
//! That is every commit reachable from HEAD (attached or not), a branch, a tag, another worktree or something in
//! progress and not from a remote; the stash; and every modified, untracked and ignored file. It only looks, and
//! knows nothing of ecosystems.

use std::path::{Path, PathBuf};

use super::content::{ContentsDigest, Measured};
use super::git::Git;
use super::submodules::{OWN, changed_submodules};
use super::{Error, Result, SessionInfo, World, redact};

/// A commit as lists show it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Commit {
    pub sha: String,
    pub subject: String,
}

/// A file or directory that git is told to ignore.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ignored {
    pub path: String,
    pub measured: Measured,
}

/// What git says about one checkout.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Checkout {
    pub dir: PathBuf,
    pub exists: bool,
    pub head: Option<String>,
    /// `None` = detached.
    pub branch: Option<String>,
    /// One line per changed or untracked file: two status letters and the path.
    pub dirty: Vec<String>,
    /// Paths among them whose filter was not run for looking: they may look changed without being it.
    pub filtered: Vec<String>,
    pub ignored: Vec<Ignored>,
    /// Commits that no remote has, newest first; at most 50.
    pub unpushed: Vec<Commit>,
    pub unpushed_count: u64,
    /// The revisions that select them; what is added at the end is taken off.
    pub range: Vec<String>,
    pub stashes: u64,
    /// A rebase, merge, cherry-pick, revert or bisect that is not finished.
    pub in_progress: Vec<&'static str>,
    /// Other worktrees of this clone: they stop working without it.
    pub worktrees: Vec<PathBuf>,
    pub origin: Option<String>,
    /// Changes when the content of a modified, staged or untracked file does.
    pub digest: String,
    /// Changes when an ignored file does.
    pub ignored_digest: String,
}

impl Checkout {
    /// Everything a preview may be made of, ignored files only where it shows them.
    pub fn state(&self, with_ignored: bool) -> String {
        let shown = Checkout { ignored: Vec::new(), ignored_digest: String::new(), ..self.clone() };
        if with_ignored { format!("{self:?}") } else { format!("{shown:?}") }
    }

    /// That work, one line each, for people.
    pub fn lines(&self, name: &str) -> Vec<String> {
        let mut lines = commit_lines(name, &self.unpushed, self.unpushed_count);
        lines.extend(self.loose(name));
        lines.extend(self.ignored_lines(name));
        lines
    }

    /// What a push would leave behind, ignored files aside.
    pub fn loose(&self, name: &str) -> Vec<String> {
        let mut lines: Vec<String> =
            self.dirty.iter().map(|d| format!("{name}: uncommitted {}", printable(d))).collect();
        if self.stashes > 0 {
            lines.push(format!("{name}: {} stashed changes", self.stashes));
        }
        lines.extend(self.in_progress.iter().map(|what| format!("{name}: a {what} in progress")));
        let broken = |tree: &PathBuf| format!("{name}: the worktree {} belongs to it", tree.display());
        lines.extend(self.worktrees.iter().map(broken));
        lines
    }

    pub fn ignored_lines(&self, name: &str) -> Vec<String> {
        let line = |i: &Ignored| format!("{name}: ignored {} ({})", printable(&i.path), i.measured);
        self.ignored.iter().map(line).collect()
    }
}

const LIST: usize = 50;
/// In a clone's git directory: the tags it came with, one object id a line.
pub const REMOTE_TAGS: &str = "packd-remote-tags";
/// So many of them count, so that git's command line stays within its limits.
const TAGS: usize = 10_000;
/// What git leaves in a git directory while something is in progress: where it began and what it put aside.
const IN_PROGRESS: [(&str, &str); 9] = [
    ("rebase-merge/orig-head", "rebase"),
    ("rebase-merge/autostash", "rebase"),
    ("rebase-apply/orig-head", "rebase"),
    ("rebase-apply/autostash", "rebase"),
    ("MERGE_HEAD", "merge"),
    ("MERGE_AUTOSTASH", "merge"),
    ("CHERRY_PICK_HEAD", "cherry-pick"),
    ("REVERT_HEAD", "revert"),
    ("BISECT_START", "bisect"),
];
/// Object ids take one line of at most 64 letters each.
const HEADS: u64 = 64 * 1024;

/// Whose work counts as this checkout's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CheckoutScope<'a> {
    /// A clone: everything in it, whichever ref, stash or worktree holds it.
    All,
    /// A worktree of a repository that lives elsewhere: only what no other branch than this one has.
    Own(&'a str),
}

/// Looks at a checkout. `skip` are paths below it, and worktrees beside it, that somebody else answers for (clones
/// inside a worktree, worktrees of tickets).
pub fn look(
    world: &dyn World,
    session: &SessionInfo,
    dir: &Path,
    skip: &[PathBuf],
    whose: CheckoutScope,
) -> Result<Checkout> {
    let mut found = Checkout { dir: dir.to_path_buf(), ..Checkout::default() };
    if world.stat(&dir.join(".git"))?.is_none() {
        return Ok(found);
    }
    let git = Git::new(world, session, dir);
    found.exists = true;
    let below: Vec<String> =
        skip.iter().filter_map(|p| p.strip_prefix(dir).ok()).map(|p| p.to_string_lossy().into()).collect();
    let (mut dirty, mut hidden) = (ContentsDigest::new(world), ContentsDigest::new(world));
    files(world, &git, &below, &mut found, &mut dirty, &mut hidden)?;
    for line in changed_submodules(world, session, &git, dir, &found.dirty)? {
        dirty.take(dir, &line[3..]);
        found.dirty.push(line);
    }
    let edited =
        found.dirty.iter().filter(|line| line.get(1..3) == Some("M ")).filter_map(|line| line.get(3..));
    found.filtered = git.filtered(&edited.collect::<Vec<_>>())?;
    (found.digest, found.ignored_digest) = (dirty.digest(), hidden.digest());
    found.origin = git.maybe(&["remote", "get-url", "origin"])?;
    let paths = git.text(&["rev-parse", "--path-format=absolute", "--git-dir", "--git-common-dir"])?;
    let Some((own, common)) = paths.split_once('\n') else {
        return Err(Error::io(format!("git does not say where the repository of {} is.", dir.display())));
    };
    let mut tips = started(world, Path::new(own), &mut found.in_progress)?;
    found.range = match whose {
        CheckoutScope::All => {
            for (tree, admin) in worktrees(world, Path::new(common))? {
                tips.extend(started(world, &admin, &mut Vec::new())?);
                if !skip.contains(&tree) && tree != dir && world.stat(&tree)?.is_some() {
                    found.worktrees.push(tree);
                }
            }
            found.stashes = git.text(&["stash", "list", "--format=%h"])?.lines().count() as u64;
            // HEADs of all worktrees are part of --all; the stash is counted apart; a prefetch is a remote's.
            let theirs = ids(&world.read(&Path::new(common).join(REMOTE_TAGS), 4 << 20).unwrap_or_default());
            let all = ["--exclude=refs/stash", "--all"].map(String::from).into_iter();
            all.chain(tips).chain(not()).chain(theirs.into_iter().take(TAGS)).collect()
        }
        CheckoutScope::Own(branch) => {
            let name = format!("refs/heads/{branch}");
            let tip = git.maybe(&["rev-parse", "--verify", "--quiet", &name])?;
            tips.extend(found.head.clone());
            tips.extend(tip);
            let others = [format!("--exclude={branch}"), "--branches".into()];
            tips.into_iter().chain(not()).chain(others).collect()
        }
    };
    let commits = unpushed(&git, &found.range, &[])?;
    (found.unpushed, found.unpushed_count) = commits;
    Ok(found)
}

fn not() -> [String; 3] {
    ["--not", "--remotes", "--glob=refs/prefetch"].map(String::from)
}

/// The commits a range selects, without those that `covered` reaches: at most 50, and how many there are.
pub fn unpushed(git: &Git, range: &[String], covered: &[String]) -> Result<(Vec<Commit>, u64)> {
    let range: Vec<&str> = range.iter().chain(covered).map(String::as_str).collect();
    // Nothing but exclusions would mean HEAD.
    if range.is_empty() || range.first() == Some(&"--not") {
        return Ok((Vec::new(), 0));
    }
    // What is in progress may name objects that a careful cleaning has removed.
    let list = format!("-n{LIST}");
    let log =
        git.text(&[&["log", "--ignore-missing", "--format=%H%x09%s", &list], &range[..], &["--"]].concat())?;
    let found = commits(&log);
    let mut count = found.len() as u64;
    if found.len() == LIST {
        let all = git.text(&[&["rev-list", "--ignore-missing", "--count"], &range[..], &["--"]].concat())?;
        count = all.parse().unwrap_or(count);
    }
    Ok((found, count))
}

/// HEAD, branch and every file that is not as committed.
fn files(
    world: &dyn World,
    git: &Git,
    skip: &[String],
    found: &mut Checkout,
    contents: &mut ContentsDigest,
    hidden: &mut ContentsDigest,
) -> Result<()> {
    let mut args = vec!["status", "--porcelain=v2", "-z", "--branch", "--untracked-files=normal"];
    args.extend(["--ignored=traditional", OWN, "--", "."]);
    let excluded: Vec<String> = skip.iter().map(|p| format!(":(exclude,literal){p}")).collect();
    args.extend(excluded.iter().map(String::as_str));
    let text = git.text(&args)?;
    let mut entries = text.split('\0');
    while let Some(entry) = entries.next() {
        let Some((kind, rest)) = entry.split_once(' ') else { continue };
        match kind {
            "#" => match rest.split_once(' ') {
                Some(("branch.oid", oid)) if oid != "(initial)" => found.head = Some(oid.to_string()),
                Some(("branch.head", name)) if name != "(detached)" => found.branch = Some(name.to_string()),
                _ => {}
            },
            "?" => {
                found.dirty.push(format!("?? {rest}"));
                contents.take(&found.dir, rest);
            }
            "!" => ignored(world, rest, skip, found, hidden)?,
            "1" | "2" | "u" => {
                // Fields before the path: 7 for a change, 8 for a rename (whose old path follows), 9 for a conflict.
                let fields = if kind == "1" { 7 } else { 8 + usize::from(kind == "u") };
                let path = rest.splitn(fields + 1, ' ').last().unwrap_or_default();
                found.dirty.push(format!("{} {path}", rest.get(..2).unwrap_or("??")));
                // The line itself names the staged content.
                contents.note(rest);
                contents.take(&found.dir, path);
                if kind == "2" {
                    contents.note(entries.next().unwrap_or_default());
                }
            }
            _ => {}
        }
    }
    Ok(())
}

/// One ignored entry; of a directory that holds what is skipped, everything else in it.
fn ignored(
    world: &dyn World,
    path: &str,
    skip: &[String],
    found: &mut Checkout,
    contents: &mut ContentsDigest,
) -> Result<()> {
    let at = Path::new(path);
    if skip.iter().any(|s| at.starts_with(s)) {
        return Ok(());
    }
    if skip.iter().any(|s| Path::new(s).starts_with(at)) {
        for (name, _) in world.list(&found.dir.join(at))?.unwrap_or_default() {
            ignored(world, &at.join(name).to_string_lossy(), skip, found, contents)?;
        }
        return Ok(());
    }
    let measured = contents.measure(&found.dir, path);
    found.ignored.push(Ignored { path: path.to_string(), measured });
    Ok(())
}

/// What is in progress in one git directory, and the commits it started from.
pub fn started(world: &dyn World, git_dir: &Path, what: &mut Vec<&'static str>) -> Result<Vec<String>> {
    let mut tips = Vec::new();
    for (file, name) in IN_PROGRESS {
        let path = git_dir.join(file);
        if world.stat(&path)?.is_none() {
            continue;
        }
        if !what.contains(&name) {
            what.push(name);
        }
        let bytes = world
            .read(&path, HEADS)
            .map_err(|e| Error::io(format!("{} cannot be read: {e}.", path.display())))?;
        tips.extend(ids(&bytes));
    }
    Ok(tips)
}

/// The lines that are object ids.
fn ids(bytes: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(bytes);
    let whole = |line: &&str| matches!(line.len(), 40 | 64) && line.bytes().all(|b| b.is_ascii_hexdigit());
    text.lines().map(str::trim).filter(whole).map(str::to_string).collect()
}

/// The linked worktrees of a repository: where each is, and its own git directory.
pub fn worktrees(world: &dyn World, common: &Path) -> Result<Vec<(PathBuf, PathBuf)>> {
    let admin = common.join("worktrees");
    let mut out = Vec::new();
    for (name, _) in world.list(&admin)?.unwrap_or_default() {
        let own = admin.join(name);
        let Ok(bytes) = world.read(&own.join("gitdir"), HEADS) else { continue };
        let text = String::from_utf8_lossy(&bytes);
        let file = own.join(text.trim_end_matches('\n'));
        let tree = file.parent().unwrap_or(&file);
        out.push((world.canonical(tree)?.unwrap_or_else(|| tree.to_path_buf()), own));
    }
    Ok(out)
}

pub fn commit_lines(name: &str, commits: &[Commit], count: u64) -> Vec<String> {
    let line = |c: &Commit| format!("{name}: unpushed commit {} {}", short(&c.sha), c.subject);
    let mut lines: Vec<String> = commits.iter().map(line).collect();
    let more = count.saturating_sub(commits.len() as u64);
    if more > 0 {
        lines.push(format!("{name}: {more} more unpushed commits"));
    }
    lines
}

/// Says which files may look changed only because their filter was not run.
pub fn unfiltered(paths: &[String]) -> String {
    let shown = paths.iter().take(5).map(String::as_str).collect::<Vec<_>>().join(", ");
    let more = if paths.len() > 5 { format!(" and {} more", paths.len() - 5) } else { String::new() };
    format!("{shown}{more} may look changed because looking runs no filters (such as Git LFS)")
}

pub fn commits(log: &str) -> Vec<Commit> {
    let split = |line: &str| {
        let (sha, subject) = line.split_once('\t')?;
        Some(Commit { sha: sha.to_string(), subject: redact::line(subject) })
    };
    log.lines().filter_map(split).collect()
}

pub fn short(sha: &str) -> &str {
    sha.get(..8).unwrap_or(sha)
}

/// File names are data: what would move a terminal's cursor is shown as a question mark.
fn printable(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { '?' } else { c }).collect()
}
