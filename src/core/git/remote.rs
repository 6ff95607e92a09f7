//! The address of a repository elsewhere, checked before git sees it.
//!
//! Helpers that run programs (`ext::`, `fd::`), and whatever git or ssh would take for an option, never get through.

use std::path::Path;

use crate::core::{Error, Result, redact};

/// An address that git can be given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remote(String);

impl Remote {
    /// A path is taken as seen from `dir`.
    pub fn parse(address: &str, dir: &Path) -> Result<Remote> {
        let address = address.trim();
        if let Some(why) = unsafe_because(address) {
            return Err(Error::invalid(
                "unsafe_remote",
                format!("The address '{}' is not used: {why}.", redact::line(address)),
            )
            .hint("Use an https, ssh, git or file address, or a path."));
        }
        let path = !address.contains("://") && scp_host(address).is_none();
        Ok(Remote(if path { dir.join(address).to_string_lossy().into_owned() } else { address.to_string() }))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// `host` and `user@host` in `host:path`, which is how git tells it from a path.
fn scp_host(address: &str) -> Option<&str> {
    let (host, _) = address.split_once(':')?;
    (!host.contains('/')).then_some(host)
}

fn unsafe_because(address: &str) -> Option<&'static str> {
    if address.is_empty() {
        return Some("it is empty");
    }
    if address.starts_with('-') {
        return Some("it would be taken for an option");
    }
    if address.chars().any(char::is_control) {
        return Some("it holds control characters");
    }
    // `name::rest` asks for the program git-remote-name.
    if let Some((helper, _)) = address.split_once("::")
        && !helper.contains(['/', '@', '['])
    {
        return Some("it names a helper program");
    }
    let host = match address.split_once("://") {
        Some((scheme, rest)) => {
            let known = ["file", "git", "http", "https", "ssh", "git+ssh", "ssh+git"];
            if !known.contains(&scheme.to_ascii_lowercase().as_str()) {
                return Some("packd does not know its protocol");
            }
            rest.split('/').next().unwrap_or_default()
        }
        None => scp_host(address)?,
    };
    let mut parts = host.rsplit('@');
    if parts.next().is_some_and(|h| h.starts_with('-')) || host.starts_with('-') {
        return Some("its host would be taken for an option");
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_addresses_pass_and_paths_are_seen_from_their_repository() {
        let parse = |text: &str| Remote::parse(text, Path::new("/projects/tree")).map(|r| r.0);
        for same in ["https://h/a.git", "ssh://git@h:22/a", "git@h:a/b.git", "file:///a/b", "/a/b", "[::1]:a"]
        {
            assert_eq!(parse(same).unwrap(), same);
        }
        assert_eq!(parse("../up.git").unwrap(), "/projects/tree/../up.git");
    }

    #[test]
    fn what_would_run_a_program_does_not_pass() {
        for bad in [
            "",
            "-u/x",
            "--upload-pack=/x",
            "ext::sh -c x",
            "fd::3",
            "EXT::x",
            "ssh://-oProxyCommand=x/a",
            "ssh://git@-oProxyCommand=x/a",
            "-oProxyCommand=x:a",
            "git@-oProxyCommand=x:a",
            "svn://h/a",
            "https://h/a\nb",
        ] {
            assert_eq!(Remote::parse(bad, Path::new("/")).unwrap_err().code, "unsafe_remote", "{bad}");
        }
    }
}
