//! The three overlay layers on top of a module: files that replace, or patches that change.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Deserialize;
use serde_json::json;

use super::errors::coded;
use super::file_reader::FileReader;
use super::ids;
use super::locations::Locations;
use super::patch::FilePatch;
use super::tree::{HashedContent, ModuleLayer, ModuleTree, TreeFile};
use crate::core::inside::{self, Located};
use crate::core::world::FileKind;
use crate::core::{Error, Result};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OverlayKind {
    #[default]
    Dir,
    Patch,
}

#[derive(Deserialize)]
struct Meta {
    overlay_kind: OverlayKind,
}

#[derive(Deserialize)]
struct Baseline {
    #[serde(default)]
    file_manifest: Vec<BaselineFile>,
}

#[derive(Deserialize)]
struct BaselineFile {
    path: String,
    sha256: String,
}

/// An overlay directory that exists.
pub struct Overlay {
    pub layer: ModuleLayer,
    pub dir: PathBuf,
    pub kind: OverlayKind,
    /// Other directories of the same layer that are shadowed by this one.
    pub shadowed: Vec<PathBuf>,
}

/// Where a layer keeps its overlays.
pub fn layer_dir(place: &Locations, layer: ModuleLayer) -> PathBuf {
    match layer {
        ModuleLayer::Machine => place.repo.join("overlays/machines").join(&place.machine),
        ModuleLayer::Project => place.repo.join("projects").join(&place.project_id).join("overlays"),
        ModuleLayer::Global | ModuleLayer::Upstream => place.repo.join("overlays"),
    }
}

/// The overlay directories there are, listed once for all modules.
pub struct OverlayDirs(Vec<(ModuleLayer, PathBuf, BTreeSet<String>)>);

impl OverlayDirs {
    pub fn find(reader: &FileReader, place: &Locations) -> Result<OverlayDirs> {
        let mut out = Vec::new();
        for layer in [ModuleLayer::Global, ModuleLayer::Machine, ModuleLayer::Project] {
            let parent = layer_dir(place, layer);
            if !reader.is_dir(&parent)? {
                continue;
            }
            if inside::locate(reader.world, &place.repo, &parent)? == Located::Outside {
                return Err(coded(
                    "E_CONFIG_INVALID",
                    format!(
                        "{} leads out of the config repo, so its overlays are not read.",
                        parent.display()
                    ),
                )
                .details(json!({"path": parent})));
            }
            let entries = reader.world.list(&parent)?.unwrap_or_default();
            let dirs = entries.into_iter().filter(|(_, kind)| *kind == FileKind::Dir);
            out.push((layer, parent, dirs.map(|(name, _)| name).collect()));
        }
        Ok(OverlayDirs(out))
    }

    /// The overlays of a module, lowest layer first.
    pub fn of(&self, reader: &FileReader, module: &str) -> Result<Vec<Overlay>> {
        if self.0.is_empty() {
            return Ok(Vec::new());
        }
        let mut names = vec![ids::fs_key(module), ids::uncut_key(module)];
        if !module.contains(['/', '\\']) && module != "." && module != ".." {
            names.push(module.to_string());
        }
        names.dedup();
        let mut out = Vec::new();
        for (layer, parent, dirs) in &self.0 {
            let mut found = names.iter().filter(|name| dirs.contains(*name)).map(|name| parent.join(name));
            let Some(dir) = found.next() else { continue };
            let kind = kind_of(reader, &dir, module, *layer)?;
            out.push(Overlay { layer: *layer, dir, kind, shadowed: found.collect() });
        }
        Ok(out)
    }
}

fn bad(module: &str, layer: ModuleLayer, dir: &Path, why: impl std::fmt::Display) -> Error {
    coded(
        "E_CONFIG_INVALID",
        format!("The {} overlay of module {module} is not valid: {why}.", layer.as_str()),
    )
    .details(json!({"module_id": module, "scope": layer.as_str(), "overlay_dir": dir, "path": dir}))
}

fn kind_of(reader: &FileReader, dir: &Path, module: &str, layer: ModuleLayer) -> Result<OverlayKind> {
    let path = dir.join(".agentpack/overlay.json");
    let Some(content) = reader.optional(&path)? else { return Ok(OverlayKind::Dir) };
    let meta: Meta = serde_json::from_slice(&content.bytes)
        .map_err(|e| bad(module, layer, dir, format!("overlay.json: {e}")))?;
    Ok(meta.overlay_kind)
}

/// Puts an overlay on top of the tree below it.
pub fn lay(
    reader: &FileReader,
    overlay: &Overlay,
    module: &str,
    upstream: &ModuleTree,
    tree: &mut ModuleTree,
    warnings: &mut Vec<String>,
) -> Result<()> {
    let Overlay { layer, dir, kind, .. } = overlay;
    let files = reader.tree(dir, *layer, module)?.unwrap_or_default();
    let patch_dir = dir.join(".agentpack/patches");
    if inside::locate(reader.world, dir, &patch_dir)? == Located::Outside {
        return Err(bad(module, *layer, dir, ".agentpack/patches leads out of it"));
    }
    let patches = reader.tree(&patch_dir, *layer, module)?.unwrap_or_default();
    let mixed = match kind {
        OverlayKind::Dir => !patches.is_empty(),
        OverlayKind::Patch => !files.is_empty(),
    };
    if mixed {
        return Err(bad(
            module,
            *layer,
            dir,
            "it mixes files and patches, or its kind disagrees with its content",
        ));
    }
    let touched: Vec<Arc<str>> = match kind {
        OverlayKind::Dir => files.keys().cloned().collect(),
        OverlayKind::Patch => {
            patches.keys().filter_map(|p| p.strip_suffix(".patch").map(Arc::from)).collect()
        }
    };
    tell_drift(reader, overlay, module, upstream, &touched, warnings)?;
    match kind {
        OverlayKind::Dir => tree.extend(files),
        OverlayKind::Patch => {
            for (name, file) in &patches {
                apply_patch(overlay, module, &patch_dir, name, file, tree)?;
            }
        }
    }
    Ok(())
}

fn apply_patch(
    overlay: &Overlay,
    module: &str,
    patch_dir: &Path,
    name: &str,
    file: &TreeFile,
    tree: &mut ModuleTree,
) -> Result<()> {
    let Overlay { layer, dir, .. } = overlay;
    let wrong = |why: &str| bad(module, *layer, dir, format!("{name}: {why}"));
    let rel = name.strip_suffix(".patch").filter(|r| ids::safe_relative(r));
    let rel = rel.ok_or_else(|| wrong("its name must be <path>.patch"))?;
    let text = file.content.text().ok_or_else(|| wrong("it is not UTF-8"))?;
    let patch = FilePatch::parse(text).map_err(|e| wrong(&e))?;
    if patch.old_path != rel || patch.new_path != rel {
        return Err(wrong("its headers name another file"));
    }
    let Some(target) = tree.get_mut(rel) else { return Err(wrong("the file it changes does not exist")) };
    let before = target.content.text().ok_or_else(|| wrong("the file it changes is not UTF-8"))?;
    match patch.apply(before) {
        Ok(after) => {
            let origin = patch_dir.join(name);
            *target = TreeFile {
                content: HashedContent::new(after.into_bytes()),
                layer: *layer,
                origin,
                exec: target.exec,
            };
            Ok(())
        }
        Err(why) => Err(coded(
            "E_OVERLAY_PATCH_APPLY_FAILED",
            format!(
                "A patch of the {} overlay of module {module} does not apply to {rel}: {why}.",
                layer.as_str()
            ),
        )
        .hint("Regenerate the patch against the current module, or use a directory overlay.")
        .details(json!({
            "module_id": module, "scope": layer.as_str(), "overlay_dir": dir,
            "patch_file": patch_dir.join(name), "relpath": rel, "stderr": why,
        }))),
    }
}

/// Says so when the module changed below an overlay that was made against an older version.
fn tell_drift(
    reader: &FileReader,
    overlay: &Overlay,
    module: &str,
    upstream: &ModuleTree,
    touched: &[Arc<str>],
    warnings: &mut Vec<String>,
) -> Result<()> {
    let Some(content) = reader.optional(&overlay.dir.join(".agentpack/baseline.json"))? else {
        return Ok(());
    };
    let Ok(baseline) = serde_json::from_slice::<Baseline>(&content.bytes) else {
        warnings.push(format!(
            "overlay baseline ({}) of module {module} cannot be read: {}",
            overlay.layer.as_str(),
            overlay.dir.join(".agentpack/baseline.json").display()
        ));
        return Ok(());
    };
    for rel in touched {
        let old = baseline.file_manifest.iter().find(|f| *f.path == **rel).map(|f| f.sha256.as_str());
        let new = upstream.get(rel).map(|f| f.content.sha.as_str());
        if old != new {
            warnings.push(format!(
                "overlay drift ({}) module {module}: upstream changed for {rel} ({} -> {})",
                overlay.layer.as_str(),
                old.unwrap_or("missing"),
                new.unwrap_or("missing")
            ));
        }
    }
    Ok(())
}
