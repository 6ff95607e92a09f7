//! Branches that a ticket may take up: one of its name in a clone, or on its remote as far as it was fetched.

use crate::core::Result;

use super::git::Git;

/// What there is of a ticket's branch in one clone.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ExistingBranch {
    pub local: Option<String>,
    /// Where the local one is checked out already.
    pub checked_out: Option<String>,
    pub remote: Option<String>,
}

/// Looks at what is here; no remote is asked.
pub fn look(git: &Git, branch: &str) -> Result<ExistingBranch> {
    let (local, remote) = (format!("refs/heads/{branch}"), format!("refs/remotes/origin/{branch}"));
    let format = "--format=%(refname)%09%(objectname)%09%(worktreepath)";
    let mut found = ExistingBranch::default();
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
pub enum BranchOrigin {
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

impl BranchOrigin {
    /// `base` is the branch a new one begins at.
    pub fn of(found: &ExistingBranch, branch: &str, base: &str) -> BranchOrigin {
        match (&found.checked_out, &found.local, &found.remote) {
            (Some(at), _, _) => BranchOrigin::CheckedOut(at.clone()),
            (None, Some(commit), _) => BranchOrigin::Local {
                reference: format!("refs/heads/{branch}"),
                name: branch.to_string(),
                commit: commit.clone(),
            },
            (None, None, Some(commit)) => BranchOrigin::Remote {
                reference: format!("refs/remotes/origin/{branch}"),
                name: format!("origin/{branch}"),
                commit: commit.clone(),
            },
            (None, None, None) => BranchOrigin::New {
                reference: format!("refs/remotes/origin/{base}"),
                name: format!("origin/{base}"),
            },
        }
    }

    pub fn reference(&self) -> &str {
        match self {
            BranchOrigin::Local { reference, .. }
            | BranchOrigin::Remote { reference, .. }
            | BranchOrigin::New { reference, .. } => reference,
            BranchOrigin::CheckedOut(_) => "",
        }
    }

    pub fn name(&self) -> &str {
        match self {
            BranchOrigin::Local { name, .. }
            | BranchOrigin::Remote { name, .. }
            | BranchOrigin::New { name, .. } => name,
            BranchOrigin::CheckedOut(at) => at,
        }
    }

    /// For the plan.
    pub fn shown(&self, branch: &str) -> String {
        let short = |commit: &str| commit.get(..8).unwrap_or(commit).to_string();
        match self {
            BranchOrigin::Local { commit, .. } => {
                format!("takes up the existing local branch {branch} (at {})", short(commit))
            }
            BranchOrigin::Remote { name, commit, .. } => {
                format!("takes up the existing remote branch {name} (at {}) as {branch}", short(commit))
            }
            BranchOrigin::New { name, .. } => format!("branch {branch} from {name}"),
            BranchOrigin::CheckedOut(at) => format!("branch {branch} is checked out in {at}"),
        }
    }
}
