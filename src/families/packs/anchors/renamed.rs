//! Where git says that a file which is not there any more has gone: renamed in what is staged, in a commit since, or
//! by hand with git not told yet.
//!
//! Gives names only. What of an anchor stands there, and whether it is the same, is for whoever reads the file.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::path::Path;
use std::time::Duration;

use super::committed::in_a_repository;
use super::fingerprint::squeeze;
use crate::core::git::Git;
use crate::core::{SessionInfo, World};

/// Renames one after another.
const HOPS: usize = 8;
/// Files that git is asked about in one look; beyond it the content alone decides.
const ASKED: usize = 16;
/// A history that is searched for longer is not worth the wait.
const PATIENCE: Duration = Duration::from_secs(5);
/// New files that are compared with one that went.
const COMPARED: usize = 200;
const MAX_ONE: u64 = 2 << 20;

/// The renames of one repository, as far as they were asked for.
pub struct Renames<'a> {
    git: Git<'a>,
    world: &'a dyn World,
    root: &'a Path,
    here: bool,
    staged: OnceCell<Vec<(String, String)>>,
    known: HashMap<String, Option<String>>,
}

impl<'a> Renames<'a> {
    pub fn below(world: &'a dyn World, session: &'a SessionInfo, root: &'a Path) -> Renames<'a> {
        Renames {
            git: Git::new(world, session, root).patience(PATIENCE),
            world,
            root,
            here: in_a_repository(world, root),
            staged: OnceCell::new(),
            known: HashMap::new(),
        }
    }

    /// What a file that is gone is called now; `None` = it is still there, or nobody can tell.
    pub fn of(&mut self, path: &str, blob: Option<&str>) -> Option<String> {
        if !self.here || self.is_there(path) || self.world.cancelled() {
            return None;
        }
        if let Some(known) = self.known.get(path) {
            return known.clone();
        }
        let found = (self.known.len() < ASKED).then(|| self.follow(path, blob)).flatten();
        self.known.insert(path.to_string(), found.clone());
        found
    }

    fn follow(&self, path: &str, blob: Option<&str>) -> Option<String> {
        let mut at = path.to_string();
        for _ in 0..HOPS {
            let Some(next) = self.staged(&at).or_else(|| self.committed(&at)) else { break };
            if self.is_there(&next) {
                return Some(next);
            }
            at = next;
        }
        let blob = blob.filter(|id| id.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
        self.with_blob(blob).or_else(|| self.untracked(path, blob))
    }

    fn is_there(&self, path: &str) -> bool {
        self.world.stat(&self.root.join(path)).is_ok_and(|found| found.is_some())
    }

    fn staged(&self, path: &str) -> Option<String> {
        let args =
            ["diff-index", "--cached", "-M", "--relative", "--diff-filter=R", "--name-status", "-z", "HEAD"];
        let all = self.staged.get_or_init(|| self.renames(&args));
        all.iter().find(|(old, _)| old == path).map(|(_, new)| new.clone())
    }

    /// The commit in which the file went, and what came for it there.
    fn committed(&self, path: &str) -> Option<String> {
        let literal = format!(":(literal){path}");
        let went =
            ["log", "-1", "--no-follow", "--no-renames", "--diff-filter=D", "--format=%H", "--", &literal];
        let commit = self.git.maybe(&went).ok().flatten().filter(|id| !id.is_empty())?;
        let args = [
            "diff-tree",
            "-r",
            "-M",
            "--relative",
            "--diff-filter=R",
            "--name-status",
            "-z",
            "--no-commit-id",
            &commit,
        ];
        self.renames(&args).into_iter().find(|(old, _)| old == path).map(|(_, new)| new)
    }

    /// Old and new names, as `--name-status -z` lists them.
    fn renames(&self, args: &[&str]) -> Vec<(String, String)> {
        let said = match self.git.output(args, Vec::new()) {
            Ok(out) if out.code == Some(0) => out.stdout,
            _ => return Vec::new(),
        };
        let words: Vec<&str> =
            said.split(|byte| *byte == 0).filter_map(|w| std::str::from_utf8(w).ok()).collect();
        let three = words.chunks_exact(3).filter(|three| three[0].starts_with('R'));
        three.map(|three| (three[1].to_string(), three[2].to_string())).collect()
    }

    /// The same content under another name that git has heard of.
    fn with_blob(&self, blob: &str) -> Option<String> {
        let said = self.git.plumbing(&["ls-files", "-z", "--stage"], Vec::new()).ok()?;
        let all =
            said.split(|byte| *byte == 0).filter_map(|line| std::str::from_utf8(line).ok()?.split_once('\t'));
        let mut same = all.filter(|(facts, _)| facts.split(' ').nth(1) == Some(blob)).map(|(_, path)| path);
        same.find(|path| self.is_there(path)).map(str::to_string)
    }

    /// A new file that git does not know and that is more like the committed one than not, as git would count it.
    fn untracked(&self, path: &str, blob: &str) -> Option<String> {
        let ending =
            |path: &str| path.rsplit('/').next().and_then(|n| n.rsplit_once('.')).map(|(_, e)| e.to_string());
        let said =
            self.git.plumbing(&["ls-files", "-z", "--others", "--exclude-standard"], Vec::new()).ok()?;
        let new = said.split(|byte| *byte == 0).filter_map(|name| std::str::from_utf8(name).ok());
        let new: Vec<&str> = new.filter(|name| !name.is_empty() && ending(name) == ending(path)).collect();
        if new.is_empty() {
            return None;
        }
        let old = self.git.plumbing(&["cat-file", "blob", blob], Vec::new()).ok()?;
        let old = String::from_utf8(old).ok()?;
        let mut best: Option<(usize, &str)> = None;
        for name in new.into_iter().take(COMPARED) {
            let Ok(bytes) = self.world.read(&self.root.join(name), MAX_ONE) else { continue };
            let Ok(text) = String::from_utf8(bytes) else { continue };
            let percent = alike(&old, &text);
            if percent >= 50 && best.is_none_or(|(than, _)| percent > than) {
                best = Some((percent, name));
            }
        }
        best.map(|(_, name)| name.to_string())
    }
}

/// How much of the longer one the two have in common, in percent of its lines that are not blank.
fn alike(old: &str, new: &str) -> usize {
    let lines = |text: &str| -> Vec<String> { text.lines().map(squeeze).filter(|l| !l.is_empty()).collect() };
    let (old, new) = (lines(old), lines(new));
    let mut left: HashMap<&str, usize> = HashMap::new();
    for line in &old {
        *left.entry(line).or_default() += 1;
    }
    let mut common = 0;
    for line in &new {
        if let Some(n) = left.get_mut(line.as_str()).filter(|n| **n > 0) {
            *n -= 1;
            common += 1;
        }
    }
    common * 100 / old.len().max(new.len()).max(1)
}

#[cfg(test)]
mod tests {
    use super::alike;

    #[test]
    fn likeness_is_counted_in_lines_of_the_longer_one() {
        assert_eq!(alike("a\nb\n", "  a\n\nb\n"), 100);
        assert_eq!(alike("a\nb\n", "a\nb\nc\nd\n"), 50);
        assert_eq!(alike("a\na\n", "a\n"), 50, "each line counts once");
        assert_eq!(alike("", ""), 0);
    }
}
