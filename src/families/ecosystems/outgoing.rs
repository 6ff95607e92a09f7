//! What each remote would receive, and exactly that, commit by commit: before a push, and before an archive.
//!
//! It only looks: what is sent is the tools' (`tools/push`).

use std::path::PathBuf;

use serde::Serialize;

use super::ecosystem::Ecosystem;
use super::git::{self, Checkout, Commit, Git, Remote, short};
use super::reply::plural;
use super::rows;
use crate::core::unpushed::{commit_lines, unpushed};
use crate::core::{Look, Result, SessionInfo, World, redact};

/// More refs of one remote are not looked at.
const REFS: usize = 10_000;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PushFate {
    /// The remote has no such branch yet.
    New,
    Ahead,
    UpToDate,
    /// The remote has commits that are not here; it will refuse.
    Diverged,
    /// It did not answer; what it said instead.
    Unreachable(String),
}

/// One branch on its way to one remote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outgoing {
    pub name: String,
    pub dir: PathBuf,
    pub branch: String,
    pub local: String,
    pub remote: Option<String>,
    pub url: String,
    pub commits: Vec<Commit>,
    pub fate: PushFate,
    /// The remote itself was asked; else this is what it had when it was last heard of.
    pub asked: bool,
    /// Changes that are not committed and therefore stay behind.
    pub dirty: usize,
}

impl Outgoing {
    pub fn sends(&self) -> bool {
        self.fate != PushFate::UpToDate
    }

    /// The same in one line.
    pub fn line(&self) -> String {
        let count = self.commits.len();
        let what = match &self.fate {
            PushFate::New => format!("creates the branch with {count} commit{}", plural(count)),
            PushFate::Ahead => format!("receives {count} commit{}", plural(count)),
            PushFate::UpToDate => "has everything already".into(),
            PushFate::Diverged => "will refuse: it has commits that are not here; sync first".into(),
            PushFate::Unreachable(why) => format!("cannot be reached: {why}"),
        };
        let behind = match self.dirty {
            0 => String::new(),
            n => format!("; {n} uncommitted changes stay behind"),
        };
        let when = if self.asked { "" } else { " (as last fetched; the remote was not asked)" };
        format!("{}: {} {} at {} {what}{behind}{when}", self.name, self.url, self.branch, short(&self.local))
    }

    pub fn shown(&self) -> ShownOutgoing<'_> {
        ShownOutgoing {
            name: &self.name,
            remote: &self.url,
            branch: &self.branch,
            state: match &self.fate {
                PushFate::New => "new",
                PushFate::Ahead => "ahead",
                PushFate::UpToDate => "up_to_date",
                PushFate::Diverged => "diverged",
                PushFate::Unreachable(_) => "unreachable",
            },
            from: self.remote.as_deref(),
            to: &self.local,
            uncommitted: self.dirty,
            remote_asked: self.asked,
            commits: self.commits.iter().map(ShownCommit::of).collect(),
        }
    }
}

/// As replies have it.
#[derive(Serialize)]
pub struct ShownOutgoing<'a> {
    name: &'a str,
    remote: &'a str,
    branch: &'a str,
    state: &'static str,
    from: Option<&'a str>,
    to: &'a str,
    uncommitted: usize,
    remote_asked: bool,
    commits: Vec<ShownCommit<'a>>,
}

#[derive(Serialize)]
pub struct ShownCommit<'a> {
    commit: &'a str,
    subject: &'a str,
}

impl<'a> ShownCommit<'a> {
    pub fn of(commit: &'a Commit) -> ShownCommit<'a> {
        ShownCommit { commit: &commit.sha, subject: &commit.subject }
    }
}

/// What every remote has: it is asked, unless the call is only explained or previewed.
pub fn outgoing(look: &Look, target: &Ecosystem) -> Result<Vec<Outgoing>> {
    let mut out = Vec::new();
    let mut candidates: Vec<(String, &Checkout)> = vec![("workspace".into(), &target.workspace)];
    let active = rows::active_ticket(look.view, &target.id)?;
    for (repo, checkout) in target.repos.iter().filter(|(r, _)| !r.readonly && r.url != "local") {
        candidates.push((repo.name.clone(), checkout));
    }
    for (ticket, list) in target.tickets.iter().filter(|(t, _)| Some(&t.id) == active.as_ref()) {
        candidates.extend(list.iter().map(|(repo, c)| (format!("{repo} ({})", ticket.id), c)));
    }
    for (name, checkout) in candidates {
        let (Some(branch), Some(local), Some(url)) = (&checkout.branch, &checkout.head, &checkout.origin)
        else {
            continue;
        };
        out.push(compare(look.session, look.world, name, checkout, (branch, local, url))?);
    }
    Ok(out)
}

fn compare(
    session: &SessionInfo,
    world: &dyn World,
    name: String,
    checkout: &Checkout,
    (branch, local, url): (&String, &String, &String),
) -> Result<Outgoing> {
    let git = Git::new(world, session, &checkout.dir);
    let mut out = Outgoing {
        name,
        dir: checkout.dir.clone(),
        branch: branch.clone(),
        local: local.clone(),
        remote: None,
        url: redact::line(url),
        commits: Vec::new(),
        fate: PushFate::UpToDate,
        asked: true,
        dirty: checkout.dirty.len(),
    };
    let wanted = format!("refs/heads/{branch}");
    out.asked = !world.offline();
    if out.asked {
        // A push goes where git says it does, which need not be where it fetches from.
        let address = git.maybe(&["remote", "get-url", "--push", "origin"])?;
        let remote = Remote::parse(address.as_deref().unwrap_or(url), &checkout.dir);
        match remote.and_then(|remote| git.refs_of(&remote, &[&wanted])) {
            Ok(heads) => out.remote = heads.split_whitespace().next().map(str::to_string),
            Err(e) => {
                out.fate = PushFate::Unreachable(e.message);
                return Ok(out);
            }
        }
    } else {
        out.remote =
            git.maybe(&["rev-parse", "--verify", "--quiet", &format!("refs/remotes/origin/{branch}")])?;
    }
    let log = |range: &[&str]| git.text(&[&["log", "--format=%H%x09%s", "-n50"], range, &["--"]].concat());
    match &out.remote {
        Some(remote) if remote == local => {}
        Some(remote) => match git.maybe(&["merge-base", "--is-ancestor", remote, local])? {
            Some(_) => {
                out.fate = PushFate::Ahead;
                out.commits = git::commits(&log(&[&format!("{remote}..{local}")])?);
            }
            None => out.fate = PushFate::Diverged,
        },
        None => {
            out.fate = PushFate::New;
            out.commits = git::commits(&log(&[local, "--not", "--remotes"])?);
        }
    }
    Ok(out)
}

/// Commits of clones and of the workspace that no remote has and no push of these would bring there.
///
/// A clone's own answer covers its tickets. The workspace's branch stays in the platform's repository.
pub fn left_behind(look: &Look, target: &Ecosystem) -> Result<Vec<String>> {
    let mut lines = Vec::new();
    let sent: Vec<String> =
        target.outgoing.iter().map(|o| o.local.clone()).chain(target.branch_tip.clone()).collect();
    let clones = target.repos.iter().map(|(r, c)| (r.name.as_str(), c));
    for (name, checkout) in std::iter::once(("workspace", &target.workspace)).chain(clones) {
        if checkout.unpushed_count == 0 {
            continue;
        }
        let git = Git::new(look.world, look.session, &checkout.dir);
        let mut covered = sent.clone();
        // A remote may have tags that no branch of it reaches; without asking it, no tag counts.
        if look.world.offline() {
            covered.push("--tags".into());
        } else if let Some(url) = &checkout.origin
            && let Ok(refs) = Remote::parse(url, &checkout.dir).and_then(|r| git.refs_of(&r, &[]))
        {
            covered.extend(
                refs.lines().filter_map(|l| l.split_whitespace().next()).take(REFS).map(str::to_string),
            );
        }
        let (commits, count) = unpushed(&git, &checkout.range, &covered)?;
        lines.extend(commit_lines(name, &commits, count));
    }
    Ok(lines)
}

/// Remotes that cannot take what is here.
pub fn blocked(list: &[Outgoing]) -> Vec<String> {
    let stuck = |o: &&Outgoing| matches!(o.fate, PushFate::Diverged | PushFate::Unreachable(_));
    list.iter().filter(stuck).map(Outgoing::line).collect()
}
