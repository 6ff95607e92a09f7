//! `aam_search`: the best matches of all registries.

use serde::{Deserialize, Serialize};

use super::super::archive;
use super::super::config::PackagesConfig;
use super::super::errors::{INVALID, fail};
use super::super::index::{Detail, Listed, RegistryIndex};
use super::super::manifest::{ArtifactKind, FILE as MANIFEST, check};
use super::super::plan::{PackagePlan, PackageScene, Planner};
use super::super::registry::{OpenedRegistry, PackageRegistry, best};
use super::super::yaml;
use crate::core::Result;
use crate::core::arguments::trimmed;

const PAGE: u64 = 10;

pub struct Search;

#[derive(Debug, Deserialize)]
pub struct SearchArgs {
    #[serde(default)]
    query: String,
    #[serde(default)]
    limit: Option<u64>,
    #[serde(default, deserialize_with = "trimmed")]
    package_type: Option<String>,
}

#[derive(Serialize)]
struct SearchHit {
    name: String,
    version: String,
    description: String,
    author: Option<String>,
    artifact_types: Vec<String>,
    registry: String,
}

impl Planner for Search {
    type Args = SearchArgs;
    const NAME: &'static str = "aam_search";

    fn plan(scene: &PackageScene, args: &SearchArgs) -> Result<PackagePlan> {
        search(scene, args)
    }
}

fn search(scene: &PackageScene, args: &SearchArgs) -> Result<PackagePlan> {
    let query = args.query.trim();
    let limit = args.limit.unwrap_or(PAGE);
    if !(1..=50).contains(&limit) {
        return Err(fail(INVALID, format!("'limit' is {limit}.")).hint("Use a number from 1 to 50."));
    }
    let limit = usize::try_from(limit).unwrap_or(50);
    let kind = match args.package_type.as_deref() {
        None => None,
        Some(word) => Some(ArtifactKind::parse(word).ok_or_else(|| {
            fail(INVALID, format!("'{word}' is not a type of artifact."))
                .hint(format!("Use one of: {}.", ArtifactKind::WORDS))
        })?),
    };
    let mut hits: Vec<(u32, String, usize, SearchHit)> = Vec::new();
    for (order, registry) in PackageRegistry::all(&PackagesConfig::load(scene)?, scene)?.iter().enumerate() {
        let opened = registry.open(scene)?;
        let index = opened.index(scene)?;
        let detail = |id| index.detail(id, |listed| work_out(scene, &opened, listed));
        let found = index.search(query, limit, &mut |id| match kind {
            None => Ok(true),
            Some(kind) => Ok(detail(id)?.types.iter().any(|t| t == kind.word())),
        })?;
        for (score, id) in found {
            hits.push((
                score,
                index.get(id).name.clone(),
                order,
                shown(&index, id, &detail(id)?, &opened.name),
            ));
        }
    }
    hits.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)).then(a.2.cmp(&b.2)));
    hits.truncate(limit);
    let hits: Vec<SearchHit> = hits.into_iter().map(|h| h.3).collect();
    Ok(PackagePlan::all(&hits))
}

fn shown(index: &RegistryIndex, id: u32, detail: &Detail, registry: &str) -> SearchHit {
    let listed = index.get(id);
    SearchHit {
        name: listed.name.clone(),
        version: detail.version.clone(),
        description: listed.description.clone().unwrap_or_default(),
        author: detail.author.clone(),
        artifact_types: detail.types.clone(),
        registry: registry.to_string(),
    }
}

/// Entries packd wrote say everything; for others the package itself is asked, once.
fn work_out(scene: &PackageScene, opened: &OpenedRegistry, listed: &Listed) -> Result<Detail> {
    let mut detail = Detail {
        version: listed.latest.clone().unwrap_or_default(),
        author: listed.author.clone().flatten(),
        types: listed.artifact_types.clone().unwrap_or_default(),
    };
    if listed.author.is_some() || opened.dir().is_none() {
        return Ok(detail);
    }
    // What is damaged in one package is told when that package is asked for; a search goes on without it.
    let Ok(Some(metadata)) = opened.metadata(scene, &listed.name) else { return Ok(detail) };
    detail.author = metadata.text("author");
    if let Some(newest) = best(&metadata.versions()) {
        detail.version = newest.version.as_str().to_string();
    }
    if detail.types.is_empty() {
        let bytes = opened.archive(scene, &listed.name, &detail.version).ok().flatten();
        let manifest = bytes.and_then(|b| archive::one_file(&b, MANIFEST).ok().flatten());
        if let Some(value) = manifest.and_then(|m| yaml::parse_bytes(&m).ok()) {
            detail.types = check(&value).0.kinds();
        }
    }
    Ok(detail)
}
