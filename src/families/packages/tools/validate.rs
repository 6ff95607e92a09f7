//! `aam_validate`: what is wrong with a package directory. Problems are the answer, not an error.

use serde::{Deserialize, Serialize};

use super::super::errors::{DENIED, relative};
use super::super::manifest::FILE as MANIFEST;
use super::super::plan::{PackagePlan, PackageScene, Planner};
use super::super::source::{self, SourceReport, examine};
use crate::core::Result;
use crate::core::arguments::trimmed;
use crate::core::inside::{self, Located};
use crate::core::layout::Next;
use crate::core::templates::PACKAGE;

pub struct PackagesValidate;

#[derive(Debug, Deserialize)]
pub struct PackagesValidateArgs {
    #[serde(default, deserialize_with = "trimmed")]
    path: Option<String>,
}

#[derive(Serialize)]
struct ValidateReply<'a> {
    valid: bool,
    package_name: Option<&'a str>,
    package_version: Option<&'a str>,
    errors: Vec<String>,
    warnings: Vec<String>,
    artifact_count: usize,
    artifacts_valid: bool,
    /// Where the form of a manifest can be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    form: Option<String>,
}

impl Planner for PackagesValidate {
    type Args = PackagesValidateArgs;
    const NAME: &'static str = "aam_validate";

    fn plan(scene: &PackageScene, args: &PackagesValidateArgs) -> Result<PackagePlan> {
        validate(scene, args.path.as_deref().unwrap_or("."))
    }
}

fn validate(scene: &PackageScene, given: &str) -> Result<PackagePlan> {
    let mut dir = scene.resolve(given);
    if dir.file_name().is_some_and(|n| n == MANIFEST) {
        dir.pop();
    }
    let wrong = |why: String| SourceReport { errors: vec![why], ..SourceReport::default() };
    let missing = || wrong(format!("No {MANIFEST} found at {given}"));
    let report = match scene.inside(&dir.to_string_lossy())? {
        Located::Here(dir) => match examine(scene, &dir) {
            Err(e) if e.code == DENIED => wrong(e.message),
            examined => examined?.unwrap_or_else(missing),
        },
        Located::Missing => missing(),
        Located::Outside => wrong(format!("{} {}", inside::outside(given), inside::REMEDY)),
    };
    let clean = |list: &[String]| -> Vec<String> {
        let home = scene.home().to_string_lossy();
        list.iter().map(|t| relative(t, &scene.ctx.session.workspace, &home)).collect()
    };
    let manifest = &report.manifest;
    let nothing = !report.errors.is_empty() && !report.files.contains_key(MANIFEST);
    // Without a manifest, what is here decides how one comes about.
    let next = match scene.inside(&dir.to_string_lossy())? {
        Located::Here(dir) if nothing => {
            let error = source::no_manifest(scene, &dir, given)?;
            error.details.and_then(|mut details| serde_json::from_value::<Next>(details["next"].take()).ok())
        }
        _ => None,
    };
    Ok(PackagePlan::object(ValidateReply {
        valid: report.errors.is_empty(),
        package_name: Some(manifest.name.as_str()).filter(|name| !name.is_empty()),
        package_version: Some(manifest.version.as_str()).filter(|version| !version.is_empty()),
        errors: clean(&report.errors),
        warnings: clean(&report.warnings),
        artifact_count: manifest.artifacts.len(),
        artifacts_valid: report.artifacts_valid,
        form: (!report.errors.is_empty()).then(|| PACKAGE.uri()),
    })
    .then(next))
}
