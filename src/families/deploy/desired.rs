//! The configuration of a call: what it wants to have, before anybody looks at the targets.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::json;

use super::args::{Args, own_places};
use super::config::DeployConfig;
use super::errors::coded;
use super::file_reader::FileReader;
use super::locations::{self, Locations};
use super::lock::ModuleLock;
use super::module::{self, Materialized};
use super::overlay::OverlayDirs;
use super::targets::{self, Desired, Sink, TargetRoot, TargetSetup};
use super::upstream::Upstreams;
use crate::core::{Error, Result, SessionInfo, Sha, owner, templates};

/// Read, parsed and narrowed to the chosen targets.
pub struct LoadedConfig {
    pub place: Locations,
    pub config: Arc<DeployConfig>,
    pub targets: Vec<&'static str>,
}

pub fn load(reader: &FileReader, args: &Args) -> Result<LoadedConfig> {
    let place = locations::find(reader, args)?;
    let path = place.repo.join("agentpack.yaml");
    owner::check(reader.world, &place.repo)?;
    owner::check(reader.world, &path)?;
    let Some(content) = reader.optional(&path)? else {
        return Err(missing(&place, &path, reader.session));
    };
    let parsed = content.made(|bytes| DeployConfig::parse(&path, bytes).map(Arc::new));
    let config = Result::clone(&parsed)?;
    let targets = config.chosen(&args.target)?;
    Ok(LoadedConfig { place, config, targets })
}

fn missing(place: &Locations, path: &Path, session: &SessionInfo) -> Error {
    let error = coded("E_CONFIG_MISSING", format!("There is no config repo at {}.", place.repo.display()));
    let form = templates::AGENTPACK.uri();
    if session.is_cli() || own_places(session).iter().any(|own| place.repo.starts_with(own)) {
        return error
            .hint(format!(
                "deploy_init writes a first one; {form} shows its form. Or send the path of the config repo as 'repo'."
            ))
            .details(json!({"path": path}));
    }
    // Nothing would be written there.
    error
        .hint(format!("Send the path of the config repo as 'repo'; {form} shows the form of one."))
        .details(json!({"path": path, "next_actions": ["retry_with_repo"]}))
}

/// The managed roots of the chosen targets, once each, sorted.
pub fn roots(reader: &FileReader, loaded: &LoadedConfig) -> Result<Vec<TargetRoot>> {
    let mut out: Vec<TargetRoot> = Vec::new();
    for setup in setups(loaded) {
        // Both come from the same list of names.
        let Some(target) = targets::find(setup.target) else { continue };
        for root in (target.roots)(&setup) {
            match out.iter_mut().find(|r| r.target == root.target && r.path == root.path) {
                Some(known) => known.scan |= root.scan,
                None => out.push(root),
            }
        }
    }
    let mut bases: BTreeMap<PathBuf, PathBuf> = BTreeMap::new();
    for root in &mut out {
        if !bases.contains_key(&root.base) {
            bases.insert(root.base.clone(), existing(reader, &root.base)?);
        }
        root.base = bases[&root.base].clone();
    }
    out.sort_by(|a, b| (a.target, &a.path).cmp(&(b.target, &b.path)));
    Ok(out)
}

/// The directory itself or the nearest one above it that exists.
fn existing(reader: &FileReader, base: &Path) -> Result<PathBuf> {
    for dir in base.ancestors() {
        if reader.exists(dir)? {
            return Ok(dir.to_path_buf());
        }
    }
    Ok(base.to_path_buf())
}

fn setups(loaded: &LoadedConfig) -> Vec<TargetSetup<'_>> {
    let of = |target: &&'static str| {
        let config = loaded.config.targets.get(*target)?;
        Some(TargetSetup { target, config, place: &loaded.place })
    };
    loaded.targets.iter().filter_map(of).collect()
}

pub fn read_lock(
    reader: &FileReader,
    loaded: &LoadedConfig,
    warnings: &mut Vec<String>,
) -> Result<(Option<ModuleLock>, Option<Sha>)> {
    let path = loaded.place.repo.join("agentpack.lock.json");
    owner::check(reader.world, &path)?;
    let Some(content) = reader.optional(&path)? else { return Ok((None, None)) };
    let needed = loaded.config.modules.iter().any(|m| m.enabled && m.source.git.is_some());
    match ModuleLock::parse(&path, &content.bytes) {
        Ok(lock) => Ok((Some(lock), Some(content.sha.clone()))),
        Err(e) if needed => Err(e),
        Err(e) => {
            warnings.push(e.message);
            Ok((None, None))
        }
    }
}

pub fn materialize(
    reader: &FileReader,
    args: &Args,
    loaded: &LoadedConfig,
    lock: Option<&ModuleLock>,
    warnings: &mut Vec<String>,
) -> Result<BTreeMap<String, Materialized>> {
    let mut out = BTreeMap::new();
    let layers = OverlayDirs::find(reader, &loaded.place)?;
    let mut sources = Upstreams::new(reader, &loaded.place, lock)?;
    let selected = loaded.config.selected(&args.profile)?;
    let total = selected.len().max(1);
    for (n, module) in selected.into_iter().enumerate() {
        let used = |target: &&str| {
            let wanted = module.targets.is_empty() || module.targets.iter().any(|t| t == *target);
            wanted && targets::find(target).is_some_and(|t| t.kinds.contains(&module.kind))
        };
        if !loaded.targets.iter().any(used) {
            continue;
        }
        if reader.world.cancelled() {
            return Err(coded("E_UNEXPECTED", "The call was cancelled; nothing was changed."));
        }
        let upstream = sources.upstream(module)?;
        let done = module::materialize(reader, &layers, module, upstream, warnings)?;
        out.insert(module.id.clone(), done);
        if n % 50 == 49 {
            reader.world.progress((n as f64 + 1.0) / total as f64 / 2.0, "reading modules");
        }
    }
    Ok(out)
}

pub fn render(loaded: &LoadedConfig, modules: &BTreeMap<String, Materialized>) -> Result<Desired> {
    let mut desired = Desired::new();
    for setup in setups(loaded) {
        let Some(target) = targets::find(setup.target) else { continue };
        let wanted = |m: &&Materialized| {
            m.module.targets.is_empty() || m.module.targets.iter().any(|t| t == setup.target)
        };
        let mine: Vec<&Materialized> = modules.values().filter(wanted).collect();
        let mut sink = Sink { target: target.name(), desired: &mut desired };
        (target.render)(&setup, &mine, &mut sink)?;
    }
    Ok(desired)
}
