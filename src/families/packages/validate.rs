//! aam_validate: what is wrong with a package directory. Problems are the answer, not an error.

use serde_json::{Value, json};

use super::errors::relative;
use super::manifest::FILE as MANIFEST;
use super::plan::{Plan, Scene};
use super::source::{Report, examine};
use crate::core::Result;

pub fn validate(scene: &Scene) -> Result<Plan> {
    let given = scene.ctx.call.text("path").unwrap_or(".");
    let mut dir = scene.resolve(given);
    if dir.file_name().is_some_and(|n| n == MANIFEST) {
        dir.pop();
    }
    let report = examine(scene, &dir)?.unwrap_or_else(|| Report {
        errors: vec![format!("No {MANIFEST} found at {given}")],
        ..Report::default()
    });
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
