//! Settings: `~/.aam/config.yaml` below `<project>/.aam/config.yaml`, each key with its type and true source.

use std::path::PathBuf;

use serde_json::{Map, Value, json};

use super::errors::{INVALID, Then, fail};
use super::plan::PackageScene;
use super::targets::Platform;
use super::yaml;
use crate::core::layout::Next;
use crate::core::{Error, Result, redact};

pub const FILE: &str = "config.yaml";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Type {
    Platform,
    Platforms,
    Flag,
    OnFailure,
    Text,
    /// Shown, but changed by other means.
    Other,
}

const KEYS: [(&str, Type); 9] = [
    ("default_platform", Type::Platform),
    ("active_platforms", Type::Platforms),
    ("registries", Type::Other),
    ("security.require_checksum", Type::Flag),
    ("security.require_signature", Type::Flag),
    ("security.on_signature_failure", Type::OnFailure),
    ("author.name", Type::Text),
    ("author.email", Type::Text),
    ("publish.default_scope", Type::Text),
];

fn defaults() -> Value {
    json!({
        "default_platform": "cursor",
        "active_platforms": ["cursor"],
        "registries": [],
        "security": {"require_checksum": true, "require_signature": false, "on_signature_failure": "warn"},
        "author": {"name": null, "email": null},
        "publish": {"default_scope": ""},
    })
}

/// One configuration file as it is on disk.
pub struct ConfigLayer {
    pub root: PathBuf,
    pub text: String,
    pub map: Map<String, Value>,
}

impl ConfigLayer {
    pub fn load(scene: &PackageScene, root: PathBuf) -> Result<ConfigLayer> {
        let path = root.join(FILE);
        let text = scene.read_text(&path)?.unwrap_or_default();
        let map = yaml::mapping(text.as_bytes()).map_err(|why| {
            fail(INVALID, format!("The configuration file {} cannot be read: {why}.", path.display()))
                .hint("Correct the file by hand; nothing was changed.")
        })?;
        Ok(ConfigLayer { root, text, map })
    }

    pub fn get(&self, key: &str) -> Option<&Value> {
        look_up(&self.map, key)
    }

    /// The file with one key set, and nothing else.
    pub fn with(&self, key: &str, value: Value) -> String {
        let (top, inner) = key.split_once('.').map_or((key, None), |(a, b)| (a, Some(b)));
        let block = match inner {
            None => value,
            Some(inner) => {
                let mut section = self.map.get(top).and_then(Value::as_object).cloned().unwrap_or_default();
                section.insert(inner.to_string(), value);
                Value::Object(section)
            }
        };
        yaml::set_block(&self.text, &self.map, top, &block)
    }
}

fn look_up<'a>(map: &'a Map<String, Value>, key: &str) -> Option<&'a Value> {
    match key.split_once('.') {
        None => map.get(key),
        Some((top, inner)) => map.get(top)?.as_object()?.get(inner),
    }
}

pub struct PackagesConfig {
    pub global: ConfigLayer,
    pub project: ConfigLayer,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RegistryEntry {
    pub name: String,
    pub url: String,
    pub kind: Option<String>,
    pub default: bool,
}

impl PackagesConfig {
    pub fn load(scene: &PackageScene) -> Result<PackagesConfig> {
        Ok(PackagesConfig {
            global: ConfigLayer::load(scene, scene.home().join(".aam"))?,
            project: ConfigLayer::load(scene, scene.aam())?,
        })
    }

    /// The same for a key that somebody named, without secrets.
    pub fn named(&self, key: &str) -> Result<(Value, &'static str)> {
        if !KEYS.iter().any(|(k, _)| *k == key) {
            return Err(unknown(key));
        }
        let (value, source) = self.value(key);
        Ok((redact::value(&value), source))
    }

    /// The effective value of a key and where it comes from.
    fn value(&self, key: &str) -> (Value, &'static str) {
        if let Some(value) = self.project.get(key) {
            return (value.clone(), "project");
        }
        if let Some(value) = self.global.get(key) {
            return (value.clone(), "global");
        }
        let defaults = defaults();
        let map = defaults.as_object();
        (map.and_then(|m| look_up(m, key)).cloned().unwrap_or(Value::Null), "default")
    }

    pub fn merged(&self) -> Value {
        let mut out = defaults();
        for layer in [&self.global, &self.project] {
            merge(&mut out, &Value::Object(layer.map.clone()));
        }
        redact::value(&out)
    }

    pub fn text(&self, key: &str) -> Option<String> {
        self.value(key).0.as_str().map(str::to_string).filter(|s| !s.is_empty())
    }

    pub fn flag(&self, key: &str) -> Result<bool> {
        let (value, source) = self.value(key);
        crate::core::yaml::flag(&value).ok_or_else(|| wrong_type(key, source, "true or false"))
    }

    pub fn registries(&self) -> Result<Vec<RegistryEntry>> {
        let (value, source) = self.value("registries");
        let wrong = || wrong_type("registries", source, "a list of registries, each with name and url");
        let mut out = Vec::new();
        for item in value.as_array().ok_or_else(wrong)? {
            let text = |field: &str| item.get(field).and_then(Value::as_str).map(str::to_string);
            out.push(RegistryEntry {
                name: text("name").ok_or_else(wrong)?,
                url: text("url").ok_or_else(wrong)?,
                kind: text("type"),
                default: item.get("default").and_then(crate::core::yaml::flag).unwrap_or(false),
            });
        }
        Ok(out)
    }

    /// Where an install goes when nobody says: the active platforms, if the default one is among them.
    pub fn platforms(&self) -> Result<Vec<Platform>> {
        let (value, source) = self.value("default_platform");
        let platform = |v: &Value| v.as_str().and_then(Platform::parse);
        let default =
            platform(&value).ok_or_else(|| wrong_type("default_platform", source, &Platform::words()))?;
        let (value, source) = self.value("active_platforms");
        let active: Option<Vec<Platform>> = value.as_array().and_then(|l| l.iter().map(platform).collect());
        let mut active =
            active.ok_or_else(|| wrong_type("active_platforms", source, "a list of platforms"))?;
        active.sort();
        active.dedup();
        Ok(if active.contains(&default) { active } else { vec![default] })
    }
}

fn wrong_type(key: &str, source: &str, wanted: &str) -> Error {
    fail(INVALID, format!("The setting {key} in the {source} configuration is not {wanted}."))
        .hint(format!("Set it with aam_config_set {{\"key\":\"{key}\",…}} or correct the file."))
}

fn merge(into: &mut Value, from: &Value) {
    match (into, from) {
        (Value::Object(into), Value::Object(from)) => {
            for (key, value) in from {
                merge(into.entry(key.clone()).or_insert(Value::Null), value);
            }
        }
        (into, from) => *into = from.clone(),
    }
}

/// Is it the name of several settings together?
pub fn is_section(key: &str) -> bool {
    KEYS.iter().any(|(k, _)| k.split_once('.').is_some_and(|(s, _)| s == key))
}

fn valid_keys() -> String {
    KEYS.map(|(k, _)| k).join(", ")
}

fn unknown(key: &str) -> Error {
    fail(INVALID, format!("There is no setting '{key}'."))
        .hint(format!("Valid keys: {}.", valid_keys()))
        .then(Next::call("aam_config_get"))
}

/// The value of a key as text, in the type it has in the file.
pub fn typed(key: &str, given: &str) -> Result<Value> {
    let Some((_, kind)) = KEYS.iter().find(|(k, _)| *k == key) else { return Err(unknown(key)) };
    let wrong = |wanted: &str| {
        Err(fail(INVALID, format!("'{given}' is not a value for {key}.")).hint(format!("Use {wanted}.")))
    };
    match *kind {
        Type::Platform => match Platform::parse(given) {
            Some(_) => Ok(json!(given)),
            None => wrong(&format!("one of: {}", Platform::words())),
        },
        Type::Platforms => {
            let list: Vec<&str> = given
                .trim_matches(['[', ']'])
                .split(',')
                .map(|s| s.trim().trim_matches(['"', '\'']))
                .filter(|s| !s.is_empty())
                .collect();
            if list.is_empty() || list.iter().any(|p| Platform::parse(p).is_none()) {
                return wrong(&format!("a comma-separated list of: {}", Platform::words()));
            }
            Ok(json!(list))
        }
        Type::Flag => match given.to_ascii_lowercase().as_str() {
            "true" | "1" | "yes" => Ok(json!(true)),
            "false" | "0" | "no" => Ok(json!(false)),
            _ => wrong("true or false"),
        },
        Type::OnFailure if ["warn", "error", "ignore"].contains(&given) => Ok(json!(given)),
        Type::OnFailure => wrong("one of: warn, error, ignore"),
        Type::Text => Ok(json!(given)),
        Type::Other => Err(fail(INVALID, format!("{key} is not a single value."))
            .hint("Registries are added with aam_registry_add.")),
    }
}
