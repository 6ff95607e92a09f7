//! DriftReport: how the disk differs from what was deployed, root by root, and what to do about it.

use serde_json::{Map, Value, json};

use super::reply::put_path;
use super::state::{DeployState, FileState, RootState};
use super::target_file::TargetFile;
use super::targets::TargetRoot;
use crate::core::Sha;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DriftKind {
    Modified,
    Missing,
    Extra,
}

impl DriftKind {
    pub fn as_str(self) -> &'static str {
        match self {
            DriftKind::Modified => "modified",
            DriftKind::Missing => "missing",
            DriftKind::Extra => "extra",
        }
    }
}

pub struct FileDrift {
    pub at: TargetFile,
    pub root: Option<usize>,
    pub kind: DriftKind,
    pub expected: Option<Sha>,
    pub actual: Option<Sha>,
    /// A manifest lists it (an extra: used to).
    pub managed: bool,
    /// Why a modified file differs, where a manifest says what was deployed.
    pub cause: Option<Cause>,
}

/// Why a file is not what it should be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    /// It is not what was deployed.
    EditedByHand,
    /// It is what was deployed; something else is wanted since.
    ConfigChanged,
}

impl Cause {
    fn of(known: &FileState) -> Option<Cause> {
        let deployed = &known.managed.as_ref()?.sha256;
        Some(if known.now_sha()? == deployed { Cause::ConfigChanged } else { Cause::EditedByHand })
    }

    fn as_str(self) -> &'static str {
        match self {
            Cause::EditedByHand => "edited_by_hand",
            Cause::ConfigChanged => "config_changed",
        }
    }
}

pub struct DriftReport {
    pub drift: Vec<FileDrift>,
    /// Wanted, not there, and never deployed: not drift where a manifest exists.
    pub not_deployed: Vec<TargetFile>,
    pub warnings: Vec<String>,
    any_manifest: bool,
    missing_manifest: bool,
}

pub fn report(seen: &DeployState) -> DriftReport {
    let any_manifest = seen.roots.iter().any(|r| r.entries.is_some());
    let mut out = DriftReport {
        drift: Vec::new(),
        not_deployed: Vec::new(),
        warnings: Vec::new(),
        any_manifest,
        missing_manifest: false,
    };
    if !any_manifest && seen.wanted().next().is_some() {
        out.missing_manifest = true;
        out.warnings.push("nothing was deployed here yet: no target manifest found".into());
    }
    let mut wanting = vec![false; seen.roots.len()];
    for (at, known) in &seen.files {
        if let Some(index) = known.root {
            wanting[index] |= known.wanted.is_some();
            out.file(at, known, index, &seen.roots[index]);
        }
    }
    for (state, wanting) in seen.roots.iter().zip(wanting) {
        if state.entries.is_none() && any_manifest && wanting {
            out.missing_manifest = true;
            let TargetRoot { path, target, .. } = &state.root;
            out.warnings.push(format!("no target manifest in {} ({target})", path.display()));
        }
    }
    for (at, index, sha) in &seen.extras {
        out.drift.push(FileDrift {
            at: at.clone(),
            root: Some(*index),
            kind: DriftKind::Extra,
            expected: None,
            actual: Some(sha.clone()),
            managed: false,
            cause: None,
        });
    }
    out.drift.sort_by(|a, b| a.at.cmp(&b.at));
    out
}

impl DriftReport {
    fn file(&mut self, at: &TargetFile, known: &FileState, index: usize, state: &RootState) {
        let expected = known.wanted.as_ref().map(|output| &output.content.sha);
        let actual = known.now_sha();
        let managed = known.managed.is_some() && (state.entries.is_some() || expected.is_none());
        if expected.is_some() && actual.is_none() && !managed {
            self.not_deployed.push(at.clone());
        }
        let kind = match (expected, actual) {
            // With a manifest, only what it lists can have drifted.
            (Some(_), _) if state.entries.is_some() && !managed => return,
            (Some(expected), Some(actual)) if expected != actual => DriftKind::Modified,
            (Some(_), None) => DriftKind::Missing,
            (None, Some(_)) => DriftKind::Extra,
            _ => return,
        };
        self.drift.push(FileDrift {
            at: at.clone(),
            root: Some(index),
            kind,
            expected: expected.cloned(),
            actual: actual.cloned(),
            managed,
            cause: Cause::of(known).filter(|_| kind == DriftKind::Modified),
        });
    }

    fn summary<'a>(&self, drift: impl Iterator<Item = &'a FileDrift> + Clone) -> Value {
        let n = |kind: DriftKind| drift.clone().filter(|d| d.kind == kind).count();
        json!({"modified": n(DriftKind::Modified), "missing": n(DriftKind::Missing), "extra": n(DriftKind::Extra)})
    }

    pub fn data(&self, seen: &DeployState, only: &[String]) -> Value {
        let shown_drift: Vec<&FileDrift> = self
            .drift
            .iter()
            .filter(|d| only.is_empty() || only.iter().any(|kind| kind == d.kind.as_str()))
            .collect();
        let mut data = json!({
            "profile": seen.args.profile, "targets": seen.targets,
            "drift": shown_drift.iter().map(|d| d.json(seen)).collect::<Vec<_>>(),
            "summary": self.summary(shown_drift.iter().copied()),
            "summary_by_root": self.by_root(seen, &shown_drift),
        });
        if !only.is_empty() {
            data["summary_total"] = self.summary(self.drift.iter());
        }
        data["summary"]["not_deployed"] = json!(self.not_deployed.len());
        if !self.not_deployed.is_empty() {
            let list = self.not_deployed.iter().map(|at| {
                let mut item = json!({"target": at.target});
                put_path(&mut item, "path", &at.path);
                let wanted = seen.files.get(at).and_then(|known| known.wanted.as_ref());
                item["expected"] = json!(wanted.map(|output| format!("sha256:{}", output.content.sha)));
                item
            });
            data["not_deployed"] = Value::Array(list.collect());
        }
        let actions = self.actions(seen);
        if !actions.is_empty() {
            data["next_actions"] = actions.iter().map(|a| a["command"].clone()).collect();
            data["next_actions_detailed"] = Value::Array(actions);
        }
        data
    }

    fn by_root(&self, seen: &DeployState, drift: &[&FileDrift]) -> Value {
        let mut out = Vec::new();
        for (index, state) in seen.roots.iter().enumerate() {
            let mine: Vec<&FileDrift> = drift.iter().copied().filter(|d| d.root == Some(index)).collect();
            let mut item = json!({"target": state.root.target});
            put_path(&mut item, "root", &state.root.path);
            item["summary"] = self.summary(mine.into_iter());
            out.push(item);
        }
        Value::Array(out)
    }

    /// Calls that make sense now, in a fixed order.
    fn actions(&self, seen: &DeployState) -> Vec<Value> {
        let any = |kinds: &[DriftKind]| self.drift.iter().any(|d| kinds.contains(&d.kind));
        let drifted = any(&[DriftKind::Modified, DriftKind::Missing]);
        let call = |tool: &str, extra: Value| {
            let mut args: Map<String, Value> = seen.args.common();
            args.extend(extra.as_object().cloned().unwrap_or_default());
            let args = Value::Object(args);
            json!({"action": tool, "command": format!("{tool} {args}"), "tool": tool, "arguments": args})
        };
        let mut out = Vec::new();
        if drifted || any(&[DriftKind::Extra]) {
            out.push(call("preview", json!({"diff": true})));
        }
        if drifted || self.missing_manifest || !self.not_deployed.is_empty() {
            out.push(call("deploy", json!({})));
        }
        if drifted && self.any_manifest {
            out.push(call("evolve_propose", json!({"dry_run": true})));
        }
        out
    }
}

impl FileDrift {
    pub fn json(&self, seen: &DeployState) -> Value {
        let mut out = json!({"target": self.at.target});
        if let Some(index) = self.root {
            put_path(&mut out, "root", &seen.roots[index].root.path);
        }
        put_path(&mut out, "path", &self.at.path);
        let hash = |sha: &Option<Sha>| sha.as_ref().map(|s| format!("sha256:{s}"));
        out["expected"] = json!(hash(&self.expected));
        out["actual"] = json!(hash(&self.actual));
        out["kind"] = json!(self.kind.as_str());
        if let Some(cause) = self.cause {
            out["cause"] = json!(cause.as_str());
        }
        out
    }
}
