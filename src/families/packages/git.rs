//! Registries in git repositories: asked for by address in the engine's cache, then read like a directory.

use std::path::PathBuf;

use super::plan::PackageScene;
use crate::core::Result;
use crate::core::cache::{PinnedCheckout, Revision, is_commit};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GitAddress {
    pub url: String,
    /// Branch or tag after `#`.
    pub reference: Option<String>,
}

impl GitAddress {
    /// `git+https://…`, `ssh://…`, `git@host:…`, `….git`, or anything if the configuration says git.
    pub fn parse(url: &str, sure: bool) -> Option<GitAddress> {
        let (base, reference) = match url.split_once('#') {
            Some((base, reference)) if !reference.is_empty() => (base, Some(reference.to_string())),
            _ => (url, None),
        };
        let explicit = base.strip_prefix("git+");
        let looks = base.ends_with(".git") || base.starts_with("ssh://") || base.starts_with("git@");
        if explicit.is_none() && !looks && !sure {
            return None;
        }
        Some(GitAddress { url: explicit.unwrap_or(base).to_string(), reference })
    }
}

impl std::fmt::Display for GitAddress {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.url)?;
        self.reference.as_ref().map_or(Ok(()), |r| write!(f, "#{r}"))
    }
}

/// The directory that holds the newest commit of the remote.
pub fn checkout(scene: &PackageScene, remote: &GitAddress) -> Result<PathBuf> {
    scene.caches.checkout(&remote.to_string(), scene.ctx.now, || {
        let at = match remote.reference.as_deref() {
            None => Revision::Refs(vec!["HEAD".into()]),
            Some(id) if is_commit(id) => Revision::Commit(id.to_string()),
            Some(name) => Revision::Refs(vec![
                format!("refs/heads/{name}"),
                format!("refs/tags/{name}^{{}}"),
                format!("refs/tags/{name}"),
            ]),
        };
        let hint = match (&at, &remote.reference) {
            (Revision::Refs(_), Some(name)) => Some(name.clone()),
            _ => None,
        };
        let wanted = PinnedCheckout { url: remote.url.clone(), at, hint, shelf: None };
        scene.world.cache(&wanted).map(|cached| cached.dir)
    })
}
