//! Registries in git repositories: cloned by commit into packd's own cache, then read like a directory.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::plan::Scene;
use crate::core::world::Command;
use crate::core::{Error, Result, Sha};

const PATIENCE: Duration = Duration::from_secs(120);

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remote {
    pub url: String,
    /// Branch or tag after `#`.
    pub reference: Option<String>,
}

impl Remote {
    /// `git+https://…`, `ssh://…`, `git@host:…`, `….git`, or anything if the configuration says git.
    pub fn parse(url: &str, sure: bool) -> Option<Remote> {
        let (base, reference) = match url.split_once('#') {
            Some((base, reference)) if !reference.is_empty() => (base, Some(reference.to_string())),
            _ => (url, None),
        };
        let explicit = base.strip_prefix("git+");
        let looks = base.ends_with(".git") || base.starts_with("ssh://") || base.starts_with("git@");
        if explicit.is_none() && !looks && !sure {
            return None;
        }
        Some(Remote { url: explicit.unwrap_or(base).to_string(), reference })
    }
}

impl std::fmt::Display for Remote {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.url)?;
        self.reference.as_ref().map_or(Ok(()), |r| write!(f, "#{r}"))
    }
}

fn git(scene: &Scene, cwd: &Path, args: &[&str]) -> Result<String> {
    let env = [
        // Never asks, never runs a helper program that an address names.
        ("GIT_TERMINAL_PROMPT", "0"),
        ("GIT_ALLOW_PROTOCOL", "file:git:http:https:ssh"),
        ("GIT_LFS_SKIP_SMUDGE", "1"),
    ];
    let out = scene.world.run(&Command {
        program: "git".into(),
        args: args.iter().map(|a| a.to_string()).collect(),
        cwd: cwd.to_path_buf(),
        env: env.map(|(k, v)| (k.to_string(), v.to_string())).to_vec(),
        stdin: Vec::new(),
        timeout: PATIENCE,
    })?;
    if out.timed_out {
        return Err(Error::io("git did not finish in time"));
    }
    if out.code != Some(0) {
        let told = String::from_utf8_lossy(&out.stderr);
        let last = told.lines().rev().find(|l| !l.trim().is_empty()).unwrap_or("git failed");
        return Err(Error::io(last.trim().to_string()));
    }
    Ok(String::from_utf8_lossy(&out.stdout).into_owned())
}

/// The directory that holds the newest commit of the remote.
pub fn checkout(scene: &Scene, remote: &Remote) -> Result<PathBuf> {
    scene.caches.checkout(&remote.to_string(), scene.ctx.now, || {
        let commit = newest(scene, remote)?;
        let base = cache_dir(scene).join(&Sha::of(remote.to_string().as_bytes()).as_str()[..32]);
        for attempt in 0..8 {
            let name = if attempt == 0 { commit.clone() } else { format!("{commit}-{attempt}") };
            let dir = base.join(name);
            if scene.world.stat(&dir)?.is_none() {
                clone(scene, remote, &dir)?;
            }
            // The index is written when the checkout is complete: a clone that was killed has none.
            if scene.world.stat(&dir.join(".git/index"))?.is_some() {
                return Ok(dir);
            }
        }
        Err(Error::io("its cache is full of unfinished clones"))
    })
}

fn newest(scene: &Scene, remote: &Remote) -> Result<String> {
    let reference = remote.reference.as_deref().unwrap_or("HEAD");
    let listed = git(scene, scene.home(), &["ls-remote", "--", &remote.url, reference])?;
    let commit = listed.split_whitespace().next().unwrap_or_default();
    if commit.len() >= 40 && commit.bytes().all(|b| b.is_ascii_hexdigit()) {
        Ok(commit.to_string())
    } else {
        Err(Error::io(format!("it has no '{reference}'")))
    }
}

fn clone(scene: &Scene, remote: &Remote, dir: &Path) -> Result<()> {
    let dir = dir.display().to_string();
    let mut args = vec!["clone", "--quiet", "--depth", "1", "--no-tags"];
    if let Some(reference) = &remote.reference {
        args.extend(["--branch", reference]);
    }
    args.extend(["--", &remote.url, &dir]);
    scene.world.progress(0.1, &format!("Cloning {}", crate::core::redact::text(&remote.url).0));
    git(scene, scene.home(), &args).map(|_| ())
}

fn cache_dir(scene: &Scene) -> PathBuf {
    let home = match scene.ctx.session.env.get("PACKD_HOME").filter(|v| !v.is_empty()) {
        Some(dir) => PathBuf::from(dir),
        None => scene.home().join(".local/state/packd"),
    };
    home.join("cache/git")
}
