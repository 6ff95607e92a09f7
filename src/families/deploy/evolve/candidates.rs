//! Which edits on disk can become overlay files, and why others cannot.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::families::deploy::module::{self, Materialized};
use crate::families::deploy::overlay::{OverlayKind, layer_dir};
use crate::families::deploy::reply::put_path;
use crate::families::deploy::state::DeployState;
use crate::families::deploy::target_file::TargetFile;
use crate::families::deploy::targets::{OutputShape, TargetOutput, rule_body, sections};
use crate::families::deploy::tree::{HashedContent, ModuleLayer, ModuleTree};
use crate::families::deploy::{ids, reply};

pub struct Candidate {
    pub module_id: String,
    pub at: TargetFile,
    /// Path inside the config repo.
    pub repo_path: String,
    pub content: HashedContent,
    pub exec: bool,
}

#[derive(Default)]
pub struct Candidates {
    pub candidates: Vec<Candidate>,
    pub skipped: Vec<Value>,
    pub warnings: Vec<String>,
    counts: BTreeMap<&'static str, u64>,
}

pub fn find(seen: &DeployState, scope: ModuleLayer, only: Option<&str>) -> Candidates {
    let mut found = Candidates::default();
    let mut taken: BTreeMap<(String, String), (HashedContent, TargetFile)> = BTreeMap::new();
    for (at, known, output) in seen.wanted() {
        let ids = output.module_ids();
        if only.is_some_and(|id| !ids.iter().any(|x| x == id)) {
            continue;
        }
        let Some(now) = &known.now else {
            found.skip(
                at,
                output,
                "missing",
                "the file does not exist",
                &[("evolve_restore", "bring it back")],
            );
            continue;
        };
        if now.content.sha == output.content.sha {
            continue;
        }
        let Some(edits) = edits(output, &now.content) else {
            let message = "several modules make up this file and its markers cannot be trusted";
            let hint = [("edit_module_sources", "change the modules themselves")];
            found.skip(at, output, "multi_module_output", message, &hint);
            continue;
        };
        let edits: Vec<_> = edits.into_iter().filter(|(id, _, _)| only.is_none_or(|o| o == id)).collect();
        if edits.is_empty() && only.is_none() {
            let message = "only text that packd itself generates was changed";
            found.skip(at, output, "generated_only", message, &[("deploy", "write it again")]);
        }
        for (id, rel, content) in edits {
            let key = (id.clone(), rel.clone());
            match taken.get(&key) {
                Some((known, _)) if known.sha == content.sha => continue,
                Some((_, first)) => {
                    found.warnings.push(format!(
                        "{rel} of module {id} was edited differently in {} and {}; the first one is taken",
                        first.path.display(),
                        at.path.display()
                    ));
                    continue;
                }
                None => {}
            }
            taken.insert(key, (content.clone(), at.clone()));
            match accept(seen, scope, at, &id, &rel, content, &mut found.warnings) {
                Ok(candidate) => found.candidates.push(candidate),
                Err((reason, message)) => {
                    found.skip(
                        at,
                        output,
                        reason,
                        &message,
                        &[("edit_overlay", "change the overlay by hand")],
                    );
                }
            }
        }
    }
    found
}

/// The module files an edited output stands for: (module, path in it, new content).
fn edits(output: &TargetOutput, now: &HashedContent) -> Option<Vec<(String, String, HashedContent)>> {
    let edit = |n: usize, content: HashedContent| {
        let part = &output.parts[n];
        (part.module_id.to_string(), part.rel.to_string(), content)
    };
    match (output.shape, output.parts.len()) {
        (OutputShape::Verbatim, 1) => Some(vec![edit(0, now.clone())]),
        (OutputShape::Rule, 1) => {
            let (was, is) = (rule_body(output.content.text()?), rule_body(now.text()?));
            if was == is {
                return Some(Vec::new());
            }
            Some(vec![edit(0, HashedContent::new(is.as_bytes().to_vec()))])
        }
        (OutputShape::Combined, _) => {
            let (was, is) = (sections(output.content.text()?)?, sections(now.text()?)?);
            let same_modules =
                was.len() == is.len() && was.iter().all(|(id, _)| is.iter().any(|(x, _)| x == id));
            if !same_modules {
                return None;
            }
            let mut out = Vec::new();
            for (n, part) in output.parts.iter().enumerate() {
                let of = |list: &[(String, String)]| {
                    list.iter().find(|(id, _)| **id == *part.module_id).map(|(_, text)| text.clone())
                };
                let (was, is) = (of(&was)?, of(&is)?);
                if was != is {
                    out.push(edit(n, HashedContent::new(is.into_bytes())));
                }
            }
            Some(out)
        }
        _ => None,
    }
}

type Refusal = (&'static str, String);

/// A candidate must leave a module that still renders, in an overlay that can take it.
fn accept(
    seen: &DeployState,
    scope: ModuleLayer,
    at: &TargetFile,
    id: &str,
    rel: &str,
    content: HashedContent,
    warnings: &mut Vec<String>,
) -> Result<Candidate, Refusal> {
    let Some(module) = seen.modules.get(id) else {
        return Err(("unknown_module", "its module is gone".into()));
    };
    let overlay = module.overlays.iter().find(|o| o.layer == scope);
    if overlay.is_some_and(|o| o.kind == OverlayKind::Patch) {
        return Err(("patch_overlay", "the overlay of this scope consists of patches".into()));
    }
    let exec = module.tree.get(rel).is_some_and(|f| f.exec);
    check_renders(module, rel, &content)?;
    if let Some(higher) = module.tree.get(rel).map(|f| f.layer).filter(|l| *l > scope) {
        warnings.push(format!(
            "the {} overlay of module {id} also has {rel} and will hide the proposal",
            higher.as_str()
        ));
    }
    let dir = overlay.map_or_else(|| layer_dir(&seen.place, scope).join(ids::fs_key(id)), |o| o.dir.clone());
    let path = dir.join(rel);
    let repo_path = path.strip_prefix(&seen.place.repo).map(reply::shown).unwrap_or_default();
    if !ids::safe_relative(&repo_path) {
        return Err(("unsafe_path", "its overlay lies outside the config repo".into()));
    }
    Ok(Candidate { module_id: id.to_string(), at: at.clone(), repo_path, content, exec })
}

fn check_renders(module: &Materialized, rel: &str, content: &HashedContent) -> Result<(), Refusal> {
    let mut tree: ModuleTree = module.tree.clone();
    if let Some(file) = tree.get_mut(rel) {
        file.content = content.clone();
    }
    module::validate(&module.id, module.module.kind, &tree).map_err(|e| ("would_not_render", e.message))
}

impl Candidates {
    fn skip(
        &mut self,
        at: &TargetFile,
        output: &TargetOutput,
        reason: &'static str,
        message: &str,
        then: &[(&str, &str)],
    ) {
        *self.counts.entry(reason).or_default() += 1;
        let mut item = json!({"target": at.target});
        put_path(&mut item, "path", &at.path);
        item["reason"] = json!(reason);
        item["reason_code"] = json!(reason);
        item["reason_message"] = json!(message);
        item["next_actions"] = then.iter().map(|(action, _)| json!(action)).collect();
        let ids = output.module_ids();
        match ids.as_slice() {
            [one] => item["module_id"] = json!(one),
            many => item["module_ids"] = json!(many),
        }
        item["suggestions"] = then.iter().map(|(a, r)| json!({"action": a, "reason": r})).collect();
        self.skipped.push(item);
    }

    pub fn summary(&self) -> Value {
        let n = |reason: &str| self.counts.get(reason).copied().unwrap_or(0);
        json!({
            "drifted_proposeable": self.candidates.len(),
            "drifted_skipped": self.skipped.len(),
            "skipped_missing": n("missing"),
            "skipped_multi_module": n("multi_module_output"),
            "skipped_read_error": 0,
        })
    }

    pub fn list(&self) -> Value {
        let item = |c: &Candidate| {
            let mut out = json!({"module_id": c.module_id, "target": c.at.target});
            put_path(&mut out, "path", &c.at.path);
            out
        };
        self.candidates.iter().map(item).collect()
    }
}
