//! What programs of one session see of that session's environment, and nothing of anybody else's.
//!
//! Kept in memory with the session. It may hold secrets, so it is never stored, logged or part of a reply.

use std::collections::BTreeMap;
use std::path::Path;

/// Passed to every program. Locale variables (`LC_*`) pass as well.
const COMMON: [&str; 18] = [
    "HOME",
    "PATH",
    "USER",
    "LOGNAME",
    "SHELL",
    "LANG",
    "TZ",
    "TERM",
    "TMPDIR",
    "SSH_AUTH_SOCK",
    "http_proxy",
    "https_proxy",
    "no_proxy",
    "all_proxy",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "NO_PROXY",
    "ALL_PROXY",
];
/// Never passed, whoever asks: they change what git or the loader does in programs that did not ask for it.
const NEVER: [&str; 4] = ["GIT_", "LD_", "DYLD_", "BASH_"];
/// For a client that said nothing of its environment.
pub(super) const PATH: &str = if cfg!(target_os = "macos") {
    "/opt/homebrew/bin:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"
} else {
    "/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin"
};

/// Everything a client's Hello said of its environment.
#[derive(Clone, Default)]
pub struct Environment(BTreeMap<String, String>);

impl std::fmt::Debug for Environment {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} variables", self.0.len())
    }
}

impl Environment {
    pub fn new(all: BTreeMap<String, String>) -> Environment {
        let never = |name: &String| NEVER.iter().any(|prefix| name.starts_with(prefix)) || name == "ENV";
        Environment(all.into_iter().filter(|(name, _)| !never(name)).collect())
    }

    /// What a program gets: the common variables and those its family declared. `home` is the session's.
    pub fn for_programs(&self, home: &Path, declared: &[&str]) -> Vec<(String, String)> {
        let passes =
            |name: &str| COMMON.contains(&name) || name.starts_with("LC_") || declared.contains(&name);
        let mut out: BTreeMap<String, String> =
            self.0.iter().filter(|(name, _)| passes(name)).map(|(n, v)| (n.clone(), v.clone())).collect();
        out.insert("HOME".into(), home.to_string_lossy().into_owned());
        out.entry("PATH".into()).or_insert_with(|| PATH.into());
        out.into_iter().collect()
    }

    /// Values that somebody named one by one, where the session has them.
    pub fn pick(&self, names: &[String]) -> Vec<(String, String)> {
        let value = |name: &String| Some((name.clone(), self.0.get(name)?.clone()));
        names.iter().filter_map(value).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn environment(list: &[(&str, &str)]) -> Environment {
        Environment::new(list.iter().map(|(k, v)| ((*k).to_string(), (*v).to_string())).collect())
    }

    #[test]
    fn programs_see_the_common_and_the_declared_and_nothing_else() {
        let said = environment(&[
            ("PATH", "/p"),
            ("HOME", "/elsewhere"),
            ("LC_ALL", "de_DE.UTF-8"),
            ("HTTP_PROXY", "http://p"),
            ("KUBECONFIG", "/k"),
            ("GNUPGHOME", "/g"),
            ("GIT_CONFIG_COUNT", "1"),
            ("LD_PRELOAD", "/x.so"),
        ]);
        let seen = said.for_programs(Path::new("/home/u"), &["GNUPGHOME", "GIT_CONFIG_COUNT"]);
        let names: Vec<&str> = seen.iter().map(|(n, _)| n.as_str()).collect();
        assert_eq!(names, ["GNUPGHOME", "HOME", "HTTP_PROXY", "LC_ALL", "PATH"]);
        assert!(seen.contains(&("HOME".into(), "/home/u".into())));
        assert_eq!(said.pick(&["KUBECONFIG".into(), "GIT_CONFIG_COUNT".into(), "NONE".into()]).len(), 1);
    }

    #[test]
    fn a_client_that_says_nothing_gets_a_home_and_a_path() {
        let seen = Environment::default().for_programs(Path::new("/home/u"), &[]);
        assert_eq!(seen.len(), 2);
        assert!(format!("{:?}", environment(&[("TOKEN", "secret")])) == "1 variables");
    }
}
