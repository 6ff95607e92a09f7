//! Status: how the disk differs from what was deployed, root by root, and what to do about it.

use serde_json::{Map, Value, json};

use super::envelope::{put_path, shown};
use super::seen::{RootState, Seen};
use crate::core::{Call, Sha};

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

pub struct Drift {
    pub spot: super::seen::Spot,
    pub root: Option<usize>,
    pub kind: DriftKind,
    pub expected: Option<Sha>,
    pub actual: Option<Sha>,
    /// A manifest lists it (an extra: used to).
    pub managed: bool,
}

pub struct Status {
    pub drift: Vec<Drift>,
    /// Wanted, not there, and never deployed: not drift where a manifest exists.
    pub not_deployed: Vec<super::seen::Spot>,
    pub warnings: Vec<String>,
    any_manifest: bool,
    missing_manifest: bool,
}

pub fn status(seen: &Seen) -> Status {
    let any_manifest = seen.roots.iter().any(|r| r.entries.is_some());
    let mut out = Status {
        drift: Vec::new(),
        not_deployed: Vec::new(),
        warnings: Vec::new(),
        any_manifest,
        missing_manifest: false,
    };
    if !any_manifest && !seen.desired.is_empty() {
        out.missing_manifest = true;
        out.warnings.push("nothing was deployed here yet: no target manifest found".into());
    }
    for (index, state) in seen.roots.iter().enumerate() {
        out.root(seen, index, state);
    }
    for (index, path, sha) in &seen.extras {
        out.drift.push(Drift {
            spot: (seen.roots[*index].root.target, path.clone()),
            root: Some(*index),
            kind: DriftKind::Extra,
            expected: None,
            actual: Some(sha.clone()),
            managed: false,
        });
    }
    out.drift.sort_by_cached_key(|d| (d.spot.0, shown(&d.spot.1)));
    out
}

impl Status {
    fn root(&mut self, seen: &Seen, index: usize, state: &RootState) {
        let target = state.root.target;
        let mine = |spot: &&super::seen::Spot| {
            spot.0 == target
                && spot.1.starts_with(&state.root.path)
                && seen.root_of(target, &spot.1) == Some(index)
        };
        let wanted: Vec<_> = seen.desired.keys().filter(mine).collect();
        if state.entries.is_none() && self.any_manifest && !wanted.is_empty() {
            self.missing_manifest = true;
            self.warnings.push(format!("no target manifest in {} ({target})", state.root.path.display()));
        }
        for spot in wanted {
            let managed = state.entries.is_some() && seen.managed.contains_key(spot);
            let expected = &seen.desired[spot].content.sha;
            let actual = seen.disk_sha(&spot.1);
            if !managed && actual.is_none() {
                self.not_deployed.push(spot.clone());
            }
            // With a manifest, only what it lists can have drifted.
            if (state.entries.is_some() && !managed) || actual == Some(expected) {
                continue;
            }
            let kind = if actual.is_some() { DriftKind::Modified } else { DriftKind::Missing };
            self.push(spot, index, kind, Some(expected.clone()), actual.cloned(), managed);
        }
        for spot in seen.managed.keys().filter(mine) {
            if let Some(actual) = seen.disk_sha(&spot.1).filter(|_| !seen.desired.contains_key(spot)) {
                self.push(spot, index, DriftKind::Extra, None, Some(actual.clone()), true);
            }
        }
    }

    fn push(
        &mut self,
        spot: &super::seen::Spot,
        index: usize,
        kind: DriftKind,
        expected: Option<Sha>,
        actual: Option<Sha>,
        managed: bool,
    ) {
        self.drift.push(Drift { spot: spot.clone(), root: Some(index), kind, expected, actual, managed });
    }

    fn summary<'a>(&self, drift: impl Iterator<Item = &'a Drift> + Clone) -> Value {
        let n = |kind: DriftKind| drift.clone().filter(|d| d.kind == kind).count();
        json!({"modified": n(DriftKind::Modified), "missing": n(DriftKind::Missing), "extra": n(DriftKind::Extra)})
    }

    pub fn data(&self, seen: &Seen, call: &Call) -> Value {
        let only: Vec<&str> = call
            .args
            .get("only")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .collect();
        let shown_drift: Vec<&Drift> =
            self.drift.iter().filter(|d| only.is_empty() || only.contains(&d.kind.as_str())).collect();
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
            let list = self.not_deployed.iter().map(|spot| {
                let mut item = json!({"target": spot.0});
                put_path(&mut item, "path", &spot.1);
                item["expected"] = json!(format!("sha256:{}", seen.desired[spot].content.sha));
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

    fn by_root(&self, seen: &Seen, drift: &[&Drift]) -> Value {
        let mut out = Vec::new();
        for (index, state) in seen.roots.iter().enumerate() {
            let mine: Vec<&Drift> = drift.iter().copied().filter(|d| d.root == Some(index)).collect();
            let mut item = json!({"target": state.root.target});
            put_path(&mut item, "root", &state.root.path);
            item["summary"] = self.summary(mine.into_iter());
            out.push(item);
        }
        Value::Array(out)
    }

    /// Calls that make sense now, in a fixed order.
    fn actions(&self, seen: &Seen) -> Vec<Value> {
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

impl Drift {
    pub fn json(&self, seen: &Seen) -> Value {
        let mut out = json!({"target": self.spot.0});
        if let Some(index) = self.root {
            put_path(&mut out, "root", &seen.roots[index].root.path);
        }
        put_path(&mut out, "path", &self.spot.1);
        let hash = |sha: &Option<Sha>| sha.as_ref().map(|s| format!("sha256:{s}"));
        out["expected"] = json!(hash(&self.expected));
        out["actual"] = json!(hash(&self.actual));
        out["kind"] = json!(self.kind.as_str());
        out
    }
}
