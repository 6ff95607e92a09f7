//! `aam_doctor`: looks at everything that can be wrong, and fails at nothing itself.

use serde::Serialize;

use super::super::config::{ConfigLayer, PackagesConfig};
use super::super::constraint::Set;
use super::super::drift::drift;
use super::super::errors::relative;
use super::super::lock::{FILE as LOCK, PackageLock};
use super::super::names::directory;
use super::super::plan::{PackagePlan, PackageScene, Planner};
use super::super::registry::PackageRegistry;
use super::super::rows::Owners;
use super::super::version::Version;
use crate::core::{NoArguments, Result};
use pubgrub::VersionSet;

pub struct PackagesDoctor;

impl Planner for PackagesDoctor {
    type Args = NoArguments;
    const NAME: &'static str = "aam_doctor";

    fn plan(scene: &PackageScene, _args: &NoArguments) -> Result<PackagePlan> {
        doctor(scene)
    }
}

#[derive(Serialize)]
struct DoctorReply {
    healthy: bool,
    checks: Vec<Check>,
    summary: String,
}

#[derive(Serialize)]
struct Check {
    name: String,
    status: Status,
    message: String,
    suggestion: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Status {
    Pass,
    Warn,
    Fail,
}

struct Checks<'a> {
    scene: &'a PackageScene<'a>,
    done: Vec<Check>,
}

impl Checks<'_> {
    fn add(&mut self, name: &str, status: Status, message: impl AsRef<str>, suggestion: Option<&str>) {
        let home = self.scene.home().to_string_lossy();
        let message = relative(message.as_ref(), &self.scene.ctx.session.workspace, &home);
        let suggestion = suggestion.map(str::to_string);
        self.done.push(Check { name: name.to_string(), status, message, suggestion });
    }

    /// Passes if nothing was found, else says what, at most a handful.
    fn found(&mut self, name: &str, status: Status, good: &str, found: &[String], suggestion: &str) {
        if found.is_empty() {
            return self.add(name, Status::Pass, good, None);
        }
        let more = found.len().saturating_sub(5);
        let mut message = found.iter().take(5).cloned().collect::<Vec<_>>().join("; ");
        if more > 0 {
            message.push_str(&format!("; and {more} more"));
        }
        self.add(name, status, message, Some(suggestion));
    }
}

fn doctor(scene: &PackageScene) -> Result<PackagePlan> {
    let mut checks = Checks { scene, done: Vec::new() };
    checks.add("packd_version", Status::Pass, format!("packd {}", env!("CARGO_PKG_VERSION")), None);
    configuration(&mut checks);
    match PackageLock::load(scene) {
        Ok(lock) => {
            let known = format!("{} packages are installed", lock.names().len());
            checks.add("lock_file", Status::Pass, known, None);
            packages(&mut checks, &lock)?;
            leftovers(&mut checks, &lock)?;
        }
        Err(e) => checks.add("lock_file", Status::Fail, &e.message, e.hint.as_deref()),
    }
    let count = |status| checks.done.iter().filter(|check| check.status == status).count();
    let (pass, warn, fail) = (count(Status::Pass), count(Status::Warn), count(Status::Fail));
    let warnings = if warn == 1 { "warning" } else { "warnings" };
    let summary = format!("{pass} passed, {warn} {warnings}, {fail} failed");
    Ok(PackagePlan::object(DoctorReply { healthy: fail == 0, checks: checks.done, summary }))
}

fn configuration(checks: &mut Checks) {
    let scene = checks.scene;
    for (name, root) in [("global_config", scene.home().join(".aam")), ("project_config", scene.aam())] {
        match ConfigLayer::load(scene, root) {
            Ok(layer) if layer.text.is_empty() => {
                checks.add(name, Status::Pass, "No file; defaults apply", None)
            }
            Ok(_) => checks.add(name, Status::Pass, "The file can be read", None),
            Err(e) => checks.add(name, Status::Fail, &e.message, e.hint.as_deref()),
        }
    }
    let usable = PackagesConfig::load(scene).and_then(|config| {
        config.platforms()?;
        config.flag("security.require_checksum")?;
        config.flag("security.require_signature")?;
        PackageRegistry::all(&config, scene)
    });
    match usable {
        Ok(registries) => {
            checks.add("config_valid", Status::Pass, "Config loaded successfully", None);
            for registry in registries {
                let name = format!("registry_{}", registry.name);
                match registry.accessible(scene) {
                    Ok(()) => checks.add(&name, Status::Pass, "Registry accessible", None),
                    Err(e) => checks.add(
                        &name,
                        Status::Warn,
                        &e.message,
                        Some("Correct or remove it in the configuration"),
                    ),
                }
            }
        }
        Err(e) => checks.add("config_valid", Status::Fail, &e.message, e.hint.as_deref()),
    }
}

fn packages(checks: &mut Checks, lock: &PackageLock) -> Result<()> {
    let scene = checks.scene;
    let owners = Owners::load(scene.ctx.view)?;
    let (mut damaged, mut unknown, mut deployed, mut needs) =
        (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for name in lock.names() {
        let Some(locked) = lock.get(&name) else { continue };
        let drift = drift(scene, &owners, &name, &locked)?;
        for (word, paths) in
            [("missing", &drift.missing), ("modified", &drift.modified), ("unexpected", &drift.extra)]
        {
            if let Some(first) = paths.first() {
                damaged.push(format!("{name}: {} {word} files, such as {first}", paths.len()));
            }
        }
        if drift.unknown && drift.missing.is_empty() {
            unknown.push(name.clone());
        }
        for (word, paths) in
            [("is missing", &drift.deployed_missing), ("was edited", &drift.deployed_modified)]
        {
            deployed.extend(paths.iter().map(|p| format!("{name}: {p} {word}")));
        }
        for (dependency, constraint) in &locked.dependencies {
            match lock.get(dependency) {
                None => needs.push(format!("{name} needs {dependency} {constraint}, which is not installed")),
                Some(have) if !fits(constraint, &have.version) => {
                    needs.push(format!(
                        "{name} needs {dependency} {constraint}, but {} is installed",
                        have.version
                    ));
                }
                Some(_) => {}
            }
        }
    }
    let restore = "Run aam_restore to put packages back as they were locked";
    if damaged.is_empty() && !unknown.is_empty() {
        let message = format!(
            "{} packages have no hashes: {}",
            unknown.len(),
            unknown.iter().take(5).cloned().collect::<Vec<_>>().join(", ")
        );
        checks.add(
            "packages_integrity",
            Status::Warn,
            message,
            Some("Run aam_install with force to record them"),
        );
    } else {
        checks.found(
            "packages_integrity",
            Status::Fail,
            "All package files match their hashes",
            &damaged,
            restore,
        );
    }
    checks.found("deployed_files", Status::Warn, "All deployed files are as installed", &deployed, restore);
    checks.found(
        "dependencies",
        Status::Warn,
        "All dependencies are installed",
        &needs,
        "Run aam_install for them",
    );
    Ok(())
}

fn fits(constraint: &str, version: &str) -> bool {
    match (Set::parse(constraint), Version::parse(version)) {
        (Ok(set), Ok(version)) => set.contains(&version),
        _ => false,
    }
}

/// Directories without a lock entry, downloads and staging that a crash of another program left.
fn leftovers(checks: &mut Checks, lock: &PackageLock) -> Result<()> {
    let scene = checks.scene;
    let known: Vec<String> = lock.names().iter().map(|n| directory(n)).collect();
    let mut found = Vec::new();
    for (name, _) in scene.world.list(&scene.aam().join("packages"))?.unwrap_or_default() {
        if !known.contains(&name) {
            found.push(format!(".aam/packages/{name} is not in the lock"));
        }
    }
    for (name, _) in scene.world.list(&scene.aam().join(".tmp"))?.unwrap_or_default() {
        found.push(format!(".aam/.tmp/{name} is left over"));
    }
    if scene.world.stat(&scene.aam().join(LOCK))?.is_none() && !found.is_empty() {
        found.push(format!(".aam/{LOCK} is missing"));
    }
    let suggestion = "Remove what is left over, or install the packages again";
    checks.found("incomplete_install", Status::Warn, "Nothing is left over", &found, suggestion);
    Ok(())
}
