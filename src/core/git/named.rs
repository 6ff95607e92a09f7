//! Programs that git's configuration names under names of its own choosing: filters and credential helpers.
//!
//! Everything else that could run has a fixed key and is switched off by it; these must be asked for first.

/// What to ask `git config` for; matched against keys in git's own spelling.
pub const PATTERN: &str =
    r"^(packd\.heard|filter\..*\.(clean|smudge|process|required)|credential\.(.*\.)?helper)$";
/// A setting that comes back only from a git that heeds the settings it is given.
pub const HEARD: (&str, &str) = ("packd.heard", "true");

#[derive(Debug, Clone, PartialEq, Eq)]
struct Entry {
    /// The user's or the system's own configuration, rather than the repository's.
    trusted: bool,
    key: String,
    value: String,
}

/// What the configuration that holds in one repository names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NamedPrograms(Vec<Entry>);

impl NamedPrograms {
    /// Reads what `git config -z --show-scope --get-regexp` prints: scope NUL key LF value NUL. `None` = this git did
    /// not hear what it was told, so nothing it was told to leave alone is safe from it.
    pub fn heard(output: &[u8]) -> Option<NamedPrograms> {
        let text = String::from_utf8_lossy(output);
        let heard = format!("command\0{}\n{}\0", HEARD.0, HEARD.1);
        text.contains(&heard).then(|| NamedPrograms::parse(output))
    }

    fn parse(output: &[u8]) -> NamedPrograms {
        let text = String::from_utf8_lossy(output);
        let mut parts = text.split('\0');
        let mut entries = Vec::new();
        while let (Some(scope), Some(pair)) = (parts.next(), parts.next()) {
            let (key, value) = pair.split_once('\n').unwrap_or((pair, ""));
            let trusted = matches!(scope, "system" | "global");
            if key == HEARD.0 {
                continue;
            }
            entries.push(Entry { trusted, key: key.into(), value: value.into() });
        }
        NamedPrograms(entries)
    }

    /// The names of the filters, each once.
    pub fn filters(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.0.iter().filter_map(|e| filter(&e.key)).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// Settings under which no filter runs, whoever named it.
    pub fn silenced(&self) -> Vec<(String, String)> {
        self.filters().into_iter().flat_map(without).collect()
    }

    /// Settings under which only what the user's own configuration names runs.
    pub fn only_the_users(&self) -> Vec<(String, String)> {
        let foreign = |e: &&Entry| !e.trusted;
        let mut out = Vec::new();
        for name in self.filters() {
            if self.0.iter().filter(foreign).any(|e| filter(&e.key) == Some(name)) {
                out.extend(without(name));
                out.extend(self.trusted().filter(|(key, _)| filter(key) == Some(name)));
            }
        }
        if self.0.iter().filter(foreign).any(|e| filter(&e.key).is_none()) {
            // An empty helper forgets all before it; those of the user are said again after it.
            let mut keys: Vec<&str> =
                self.0.iter().map(|e| e.key.as_str()).filter(|k| filter(k).is_none()).collect();
            keys.sort_unstable();
            keys.dedup();
            out.extend(keys.into_iter().map(|key| (key.to_string(), String::new())));
            out.extend(self.trusted().filter(|(key, _)| filter(key).is_none()));
        }
        out
    }

    fn trusted(&self) -> impl Iterator<Item = (String, String)> {
        self.0.iter().filter(|e| e.trusted).map(|e| (e.key.clone(), e.value.clone()))
    }
}

/// The name in `filter.NAME.clean`; it may hold anything, dots as well.
fn filter(key: &str) -> Option<&str> {
    key.strip_prefix("filter.")?.rsplit_once('.').map(|(name, _)| name)
}

fn without(name: &str) -> [(String, String); 4] {
    let set = |what: &str, value: &str| (format!("filter.{name}.{what}"), value.to_string());
    // A required filter that is not there would be an error.
    [set("clean", ""), set("smudge", ""), set("process", ""), set("required", "false")]
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAID: &str = "global\0filter.lfs.clean\ngit-lfs clean -- %f\0local\0filter.a=b c.d.process\n/x\0\
                        local\0filter.lfs.clean\n/evil\0global\0credential.helper\nstore\0\
                        local\0credential.https://h.helper\n!/evil\0worktree\0filter.w.required\0";

    #[test]
    fn every_filter_is_silenced_whatever_its_name() {
        let named = NamedPrograms::parse(SAID.as_bytes());
        assert_eq!(named.filters(), ["a=b c.d", "lfs", "w"]);
        let settings = named.silenced();
        assert!(settings.contains(&("filter.a=b c.d.process".into(), String::new())));
        assert!(settings.contains(&("filter.w.required".into(), "false".into())));
        assert!(settings.iter().all(|(_, value)| value.is_empty() || value == "false"));
    }

    #[test]
    fn the_users_own_programs_stay_where_the_repository_names_others() {
        let settings = NamedPrograms::parse(SAID.as_bytes()).only_the_users();
        let last = |key: &str| settings.iter().rfind(|(k, _)| k == key).map(|(_, v)| v.as_str());
        assert_eq!(last("filter.lfs.clean"), Some("git-lfs clean -- %f"));
        assert_eq!(last("filter.a=b c.d.process"), Some(""));
        assert_eq!(last("credential.https://h.helper"), Some(""));
        assert_eq!(last("credential.helper"), Some("store"));
        assert!(settings.iter().all(|(_, v)| !v.contains("evil")));
    }

    #[test]
    fn a_git_that_does_not_listen_is_noticed() {
        assert_eq!(NamedPrograms::heard(b"command\0packd.heard\ntrue\0"), Some(NamedPrograms::default()));
        assert_eq!(NamedPrograms::heard(b""), None);
        assert_eq!(NamedPrograms::heard(b"local\0packd.heard\ntrue\0"), None, "a repository may say it, too");
    }

    #[test]
    fn a_configuration_that_names_nothing_needs_nothing() {
        assert_eq!(NamedPrograms::parse(b"").silenced(), []);
        assert_eq!(NamedPrograms::parse(b"global\0filter.lfs.clean\nx\0").only_the_users(), []);
    }
}
