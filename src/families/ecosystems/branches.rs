//! Branches that a ticket may take up: one of its name in a clone, or on its remote as far as it was fetched.

use crate::core::Result;

use super::git::Git;

/// What there is of a ticket's branch in one clone.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Existing {
    pub local: Option<String>,
    /// Where the local one is checked out already.
    pub checked_out: Option<String>,
    pub remote: Option<String>,
}

/// Looks at what is here; no remote is asked.
pub fn look(git: &Git, branch: &str) -> Result<Existing> {
    let (local, remote) = (format!("refs/heads/{branch}"), format!("refs/remotes/origin/{branch}"));
    let format = "--format=%(refname)%09%(objectname)%09%(worktreepath)";
    let mut found = Existing::default();
    for line in git.text(&["for-each-ref", format, &local, &remote])?.lines() {
        let mut fields = line.splitn(3, '\t');
        let (Some(name), Some(commit)) = (fields.next(), fields.next()) else { continue };
        if name == local {
            found.local = Some(commit.to_string());
            found.checked_out = fields.next().filter(|dir| !dir.is_empty()).map(str::to_string);
        } else if name == remote {
            found.remote = Some(commit.to_string());
        }
    }
    Ok(found)
}

/// Where the branch of a ticket comes from in one clone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// It exists and is taken up as it is.
    Local {
        reference: String,
        name: String,
        commit: String,
    },
    /// It exists on the remote and is taken up from there.
    Remote {
        reference: String,
        name: String,
        commit: String,
    },
    New {
        reference: String,
        name: String,
    },
    /// It exists, but another worktree has it.
    CheckedOut(String),
}

impl Origin {
    /// `base` is the branch a new one begins at.
    pub fn of(found: &Existing, branch: &str, base: &str) -> Origin {
        match (&found.checked_out, &found.local, &found.remote) {
            (Some(at), _, _) => Origin::CheckedOut(at.clone()),
            (None, Some(commit), _) => Origin::Local {
                reference: format!("refs/heads/{branch}"),
                name: branch.to_string(),
                commit: commit.clone(),
            },
            (None, None, Some(commit)) => Origin::Remote {
                reference: format!("refs/remotes/origin/{branch}"),
                name: format!("origin/{branch}"),
                commit: commit.clone(),
            },
            (None, None, None) => Origin::New {
                reference: format!("refs/remotes/origin/{base}"),
                name: format!("origin/{base}"),
            },
        }
    }

    pub fn reference(&self) -> &str {
        match self {
            Origin::Local { reference, .. }
            | Origin::Remote { reference, .. }
            | Origin::New { reference, .. } => reference,
            Origin::CheckedOut(_) => "",
        }
    }

    pub fn name(&self) -> &str {
        match self {
            Origin::Local { name, .. } | Origin::Remote { name, .. } | Origin::New { name, .. } => name,
            Origin::CheckedOut(at) => at,
        }
    }

    /// For the plan.
    pub fn shown(&self, branch: &str) -> String {
        let short = |commit: &str| commit.get(..8).unwrap_or(commit).to_string();
        match self {
            Origin::Local { commit, .. } => {
                format!("takes up the existing local branch {branch} (at {})", short(commit))
            }
            Origin::Remote { name, commit, .. } => {
                format!("takes up the existing remote branch {name} (at {}) as {branch}", short(commit))
            }
            Origin::New { name, .. } => format!("branch {branch} from {name}"),
            Origin::CheckedOut(at) => format!("branch {branch} is checked out in {at}"),
        }
    }
}
