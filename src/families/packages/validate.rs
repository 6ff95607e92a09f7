//! aam_validate: what is wrong with a package directory. Problems are the answer, not an error.

use serde_json::{Value, json};

use super::errors::{DENIED, relative};
use super::manifest::FILE as MANIFEST;
use super::plan::{Plan, Scene};
use super::source::{Report, examine};
use crate::core::Result;
use crate::core::inside::{self, Spot};

pub fn validate(scene: &Scene) -> Result<Plan> {
    let given = scene.ctx.call.text("path").unwrap_or(".");
    let mut dir = scene.resolve(given);
    if dir.file_name().is_some_and(|n| n == MANIFEST) {
        dir.pop();
    }
    let wrong = |why: String| Report { errors: vec![why], ..Report::default() };
    let missing = || wrong(format!("No {MANIFEST} found at {given}"));
    let report = match scene.inside(&dir.to_string_lossy())? {
        Spot::Here(dir) => match examine(scene, &dir) {
            Err(e) if e.code == DENIED => wrong(e.message),
            examined => examined?.unwrap_or_else(missing),
        },
        Spot::Missing => missing(),
        Spot::Outside => wrong(format!("{} {}", inside::outside(given), inside::REMEDY)),
    };
    let clean = |list: &[String]| -> Vec<String> {
        let home = scene.home().to_string_lossy();
        list.iter().map(|t| relative(t, &scene.ctx.session.workspace, &home)).collect()
    };
    let some = |text: &str| if text.is_empty() { Value::Null } else { json!(text) };
    Ok(Plan::object(json!({
        "valid": report.errors.is_empty(),
        "package_name": some(&report.manifest.name), "package_version": some(&report.manifest.version),
        "errors": clean(&report.errors), "warnings": clean(&report.warnings),
        "artifact_count": report.manifest.artifacts.len(), "artifacts_valid": report.artifacts_valid,
    })))
}
