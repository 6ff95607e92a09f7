//! `config.toml` in the home directory: what a person decides for all sessions of this user.
//!
//! A missing file means the defaults; an unknown key or a wrong type is refused with its line.

use std::io::ErrorKind;
use std::time::Duration;

use serde::Deserialize;

use crate::core::Mode;
use crate::ipc::{Home, SocketTrouble};

/// Everything that can be configured.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// The daemon ends after this long without a session; 0 means never.
    pub idle_minutes: f64,
    /// The ceiling of every session's mode.
    pub max_mode: Option<Mode>,
    pub confirm: Confirmer,
    pub retention: RetentionConfig,
    pub runs: RunsConfig,
    pub snapshots: SnapshotsConfig,
    pub log: LogVerbosity,
}

/// Snapshots of work trees.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SnapshotsConfig {
    /// Hooks of hosts take them.
    pub automatic: bool,
    /// Names of files that are never stored; `None` = those that hold secrets by their name.
    pub exclude: Option<Vec<String>>,
    pub megabytes: u64,
    pub days: u64,
}

impl Default for SnapshotsConfig {
    fn default() -> Self {
        SnapshotsConfig { automatic: true, exclude: None, megabytes: 2048, days: 30 }
    }
}

/// What becomes of long work when the daemon ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RunsConfig {
    pub orphans: OrphanFate,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OrphanFate {
    /// Programs go on, and the next daemon takes them up.
    #[default]
    Adopt,
    /// Programs end with the daemon; those that outlived it are ended by the next one.
    End,
}

/// Who may confirm a dangerous call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Confirmer {
    #[default]
    Agent,
    Human,
}

/// How long before- and after-images are kept; the operations themselves stay for good.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RetentionConfig {
    pub days: u64,
    pub megabytes: u64,
}

/// How much the log says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogVerbosity {
    Error,
    Warn,
    #[default]
    Info,
    Debug,
    Trace,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            idle_minutes: 10.0,
            max_mode: None,
            confirm: Confirmer::default(),
            retention: RetentionConfig::default(),
            runs: RunsConfig::default(),
            snapshots: SnapshotsConfig::default(),
            log: LogVerbosity::default(),
        }
    }
}

impl Default for RetentionConfig {
    fn default() -> Self {
        RetentionConfig { days: 90, megabytes: 512 }
    }
}

impl Config {
    pub fn load(home: &Home) -> Result<Config, SocketTrouble> {
        let path = home.config();
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(e) if e.kind() == ErrorKind::NotFound => return Ok(Config::default()),
            Err(e) => {
                return Err(SocketTrouble::new(
                    format!("The configuration {} cannot be read: {e}.", path.display()),
                    "Make it readable, or move it away to run with the defaults.",
                ));
            }
        };
        Config::parse(&text).map_err(|why| {
            SocketTrouble::new(
                format!("The configuration {} is wrong: {why}.", path.display()),
                "Correct that line, or move the file away to run with the defaults.",
            )
        })
    }

    /// Reads the text of a configuration; the error is one line that names the line.
    pub fn parse(text: &str) -> Result<Config, String> {
        let config: Config = toml::from_str(text).map_err(|e| {
            let at = e.span().map_or(0, |span| span.start).min(text.len());
            let line = text.as_bytes()[..at].iter().filter(|b| **b == b'\n').count() + 1;
            format!("line {line}: {}", e.message().replace('\n', " "))
        })?;
        if !(0.0..=525_600.0).contains(&config.idle_minutes) {
            return Err("idle_minutes must be between 0 (never) and 525600 (a year)".into());
        }
        Ok(config)
    }

    /// A supervisor's word about idleness beats the file: a service that ends itself would only be restarted.
    pub fn obey(&mut self, env: impl Fn(&str) -> Option<String>) -> Result<(), SocketTrouble> {
        let Some(text) = env("PACKD_IDLE_MINUTES").filter(|t| !t.is_empty()) else { return Ok(()) };
        let said = Config::parse(&format!("idle_minutes = {text}")).map_err(|_| {
            SocketTrouble::new(
                format!("PACKD_IDLE_MINUTES is {text:?}, which is not a number of minutes."),
                "Set it to 0 (never) or more, or unset it.",
            )
        })?;
        self.idle_minutes = said.idle_minutes;
        Ok(())
    }

    /// How long to stay without a session; `None` is for ever.
    pub fn idle(&self) -> Option<Duration> {
        (self.idle_minutes > 0.0).then(|| Duration::from_secs_f64(self.idle_minutes * 60.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_can_be_set_and_none_has_to_be() {
        assert_eq!(Config::parse(""), Ok(Config::default()));
        let config = Config::parse(
            "idle_minutes = 0\nmax_mode = \"plan\"\nconfirm = \"human\"\nlog = \"debug\"\n\
             [retention]\ndays = 7\nmegabytes = 10\n[runs]\norphans = \"end\"\n\
             [snapshots]\nautomatic = false\nexclude = [\"*.bin\"]\nmegabytes = 5\ndays = 2\n",
        )
        .unwrap();
        assert_eq!(config.idle(), None);
        assert_eq!(config.max_mode, Some(Mode::Plan));
        assert_eq!(config.confirm, Confirmer::Human);
        assert_eq!(config.runs.orphans, OrphanFate::End);
        assert_eq!(config.retention, RetentionConfig { days: 7, megabytes: 10 });
        let exclude = Some(vec!["*.bin".to_string()]);
        assert_eq!(config.snapshots, SnapshotsConfig { automatic: false, exclude, megabytes: 5, days: 2 });
    }

    #[test]
    fn a_supervisor_decides_about_idleness() {
        let mut config = Config::default();
        config.obey(|_| None).unwrap();
        assert_eq!(config, Config::default());
        config.obey(|name| (name == "PACKD_IDLE_MINUTES").then(|| "0".into())).unwrap();
        assert_eq!(config.idle(), None);
        assert!(config.obey(|_| Some("soon".into())).unwrap_err().message.contains("soon"));
    }

    #[test]
    fn a_mistake_is_reported_with_its_line() {
        for (text, line, word) in [
            ("\nidle_minuts = 3\n", "line 2", "idle_minuts"),
            ("idle_minutes = 1\nconfirm = \"nobody\"\n", "line 2", "nobody"),
            ("[retention]\ndays = \"many\"\n", "line 2", "many"),
            ("[runs]\norphans = \"keep\"\n", "line 2", "keep"),
            ("log = \n", "line 1", ""),
        ] {
            let why = Config::parse(text).unwrap_err();
            assert!(why.starts_with(line) && why.contains(word), "{text:?}: {why}");
        }
        assert!(Config::parse("idle_minutes = -1").is_err());
    }
}
