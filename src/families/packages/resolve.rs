//! Dependency resolution with backtracking: what is asked for, what is installed and what registries offer.
//!
//! Registries are asked in the order of the configuration; the first that has a fitting version provides it.
//! Installed packages stay as they are unless something asked for cannot be had otherwise.

use std::cell::RefCell;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::{self, Display};
use std::rc::Rc;

use pubgrub::{
    DefaultStringReporter, Dependencies, DependencyConstraints, DependencyProvider,
    PackageResolutionStatistics, PubGrubError, Reporter, VersionSet,
};
use serde_json::{Map, Value, json};

use super::constraint::Set;
use super::errors::{CONFLICT, fail};
use super::lock::PackageLock;
use super::plan::PackageScene;
use super::registry::{Metadata, OpenedRegistry, PackageRegistry, PublishedVersion, best};
use super::version::Version;
use crate::core::{Error, Result};

/// One registry's offer of a package.
pub struct Offer {
    pub registry: usize,
    pub metadata: Metadata,
    pub versions: Vec<PublishedVersion>,
}

/// Registries with what they said so far.
pub struct Pool<'a> {
    pub scene: &'a PackageScene<'a>,
    pub registries: Vec<PackageRegistry>,
    opened: RefCell<HashMap<usize, OpenedRegistry>>,
    offers: RefCell<HashMap<String, Rc<Vec<Offer>>>>,
}

impl<'a> Pool<'a> {
    pub fn new(scene: &'a PackageScene<'a>, registries: Vec<PackageRegistry>) -> Self {
        Pool { scene, registries, opened: RefCell::default(), offers: RefCell::default() }
    }

    pub fn open(&self, registry: usize) -> Result<OpenedRegistry> {
        if let Some(opened) = self.opened.borrow().get(&registry) {
            return Ok(opened.clone());
        }
        let opened = self.registries[registry].open(self.scene)?;
        self.opened.borrow_mut().insert(registry, opened.clone());
        Ok(opened)
    }

    /// All offers of a package, in the order of the registries.
    ///
    /// A registry that cannot be reached fails the question, unless an earlier one has the package: taking a
    /// later one's package instead would be a way to smuggle one in.
    pub fn offers(&self, name: &str) -> Result<Rc<Vec<Offer>>> {
        if let Some(known) = self.offers.borrow().get(name) {
            return Ok(known.clone());
        }
        let mut out: Vec<Offer> = Vec::new();
        for registry in 0..self.registries.len() {
            let asked = self.open(registry).and_then(|o| o.metadata(self.scene, name));
            match asked {
                Ok(Some(metadata)) => out.push(Offer { registry, versions: metadata.versions(), metadata }),
                Ok(None) => {}
                Err(_) if !out.is_empty() => {}
                Err(e) => return Err(e),
            }
        }
        let out = Rc::new(out);
        self.offers.borrow_mut().insert(name.to_string(), out.clone());
        Ok(out)
    }
}

/// A package the resolution settled on.
#[derive(Debug, Clone)]
pub struct ChosenPackage {
    pub name: String,
    pub version: Version,
    /// `None` = what is installed stays.
    pub registry: Option<usize>,
    pub checksum: Option<String>,
    pub dependencies: BTreeMap<String, String>,
}

pub struct ResolveQuestion<'a> {
    pub pool: &'a Pool<'a>,
    pub lock: &'a PackageLock,
    pub wanted: &'a BTreeMap<String, Set>,
    /// Constraints under which installed packages were asked for earlier.
    pub kept: &'a BTreeMap<String, Set>,
    /// Packages for which the newest version is wanted, not the installed one.
    pub fresh: &'a BTreeSet<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Pkg {
    Request,
    Installed,
    Named(String),
}

impl Display for Pkg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Pkg::Request => f.write_str("your request"),
            Pkg::Installed => f.write_str("what is installed"),
            Pkg::Named(name) => f.write_str(name),
        }
    }
}

impl ResolveQuestion<'_> {
    fn installed(&self, name: &str) -> Option<(Version, BTreeMap<String, String>)> {
        let locked = self.lock.get(name)?;
        Some((Version::parse(&locked.version).ok()?, locked.dependencies))
    }

    fn choose(&self, name: &str, set: &Set) -> Result<Option<Version>> {
        let installed = self.installed(name).map(|(v, _)| v).filter(|v| set.contains(v));
        if installed.is_some() && !self.fresh.contains(name) {
            return Ok(installed);
        }
        for offer in self.pool.offers(name)?.iter() {
            let fitting: Vec<PublishedVersion> =
                offer.versions.iter().filter(|p| set.contains(&p.version)).cloned().collect();
            if let Some(found) = best(&fitting) {
                return Ok(Some(found.version.clone()));
            }
        }
        Ok(installed)
    }

    /// Where a version comes from: what is installed, or the first registry that has it.
    fn origin(&self, name: &str, version: &Version) -> Result<Option<ChosenPackage>> {
        let named = |registry, checksum, dependencies| ChosenPackage {
            name: name.to_string(),
            version: version.clone(),
            registry,
            checksum,
            dependencies,
        };
        if let Some((_, dependencies)) = self.installed(name).filter(|(v, _)| v == version) {
            return Ok(Some(named(None, None, dependencies)));
        }
        for offer in self.pool.offers(name)?.iter() {
            if let Some(found) = offer.versions.iter().find(|p| p.version == *version) {
                let dependencies = strings(&found.dependencies);
                return Ok(Some(named(Some(offer.registry), found.checksum.clone(), dependencies)));
            }
        }
        Ok(None)
    }

    /// Packages in an order in which each comes after what it depends on; cycles end where they began.
    pub fn answer(&self) -> Result<Vec<ChosenPackage>> {
        let root = Version::of([0, 0, 0]);
        let solution = pubgrub::resolve(self, Pkg::Request, root).map_err(told)?;
        let mut chosen = BTreeMap::new();
        for (package, version) in solution.iter() {
            let Pkg::Named(name) = package else { continue };
            if let Some(found) = self.origin(name, version)? {
                chosen.insert(name.clone(), found);
            }
        }
        let mut out = Vec::new();
        let mut seen = BTreeSet::new();
        for name in chosen.keys() {
            visit(name, &chosen, &mut seen, &mut out);
        }
        Ok(out)
    }
}

fn visit(
    name: &str,
    all: &BTreeMap<String, ChosenPackage>,
    seen: &mut BTreeSet<String>,
    out: &mut Vec<ChosenPackage>,
) {
    let Some(chosen) = all.get(name) else { return };
    if !seen.insert(name.to_string()) {
        return;
    }
    for dependency in chosen.dependencies.keys() {
        visit(dependency, all, seen, out);
    }
    out.push(chosen.clone());
}

/// Which of `roots` need `name`, directly or through others.
pub fn roots_of(name: &str, roots: &[String], all: &[ChosenPackage]) -> Vec<String> {
    let by_name: BTreeMap<String, ChosenPackage> = all.iter().map(|c| (c.name.clone(), c.clone())).collect();
    let reaches = |root: &&String| {
        let (mut seen, mut out) = (BTreeSet::new(), Vec::new());
        visit(root, &by_name, &mut seen, &mut out);
        seen.contains(name)
    };
    roots.iter().filter(reaches).cloned().collect()
}

pub fn strings(map: &Map<String, Value>) -> BTreeMap<String, String> {
    map.iter().filter_map(|(k, v)| v.as_str().map(|v| (k.clone(), v.to_string()))).collect()
}

impl DependencyProvider for ResolveQuestion<'_> {
    type P = Pkg;
    type V = Version;
    type VS = Set;
    type Priority = (u32, Reverse<usize>);
    type M = String;
    type Err = Error;

    fn prioritize(&self, package: &Pkg, set: &Set, stats: &PackageResolutionStatistics) -> Self::Priority {
        // Few choices first: a dead end shows early. A registry that fails is reported when it is chosen from.
        let choices = match package {
            Pkg::Named(name) => self.pool.offers(name).map_or(0, |offers| {
                offers.iter().flat_map(|o| &o.versions).filter(|p| set.contains(&p.version)).count()
            }),
            _ => 0,
        };
        (stats.conflict_count(), Reverse(choices))
    }

    fn choose_version(&self, package: &Pkg, set: &Set) -> Result<Option<Version>> {
        match package {
            Pkg::Named(name) => self.choose(name, set),
            _ => Ok(Some(Version::of([0, 0, 0])).filter(|v| set.contains(v))),
        }
    }

    fn get_dependencies(&self, package: &Pkg, version: &Version) -> Result<Dependencies<Pkg, Set, String>> {
        let mut out: DependencyConstraints<Pkg, Set> = DependencyConstraints::default();
        match package {
            Pkg::Request => {
                out.insert(Pkg::Installed, Set::singleton(Version::of([0, 0, 0])));
                for (name, set) in self.wanted {
                    out.insert(Pkg::Named(name.clone()), set.clone());
                }
            }
            Pkg::Installed => {
                for name in self.lock.names() {
                    if !self.wanted.contains_key(&name) {
                        let set = self.kept.get(&name).cloned().unwrap_or_else(Set::any);
                        out.insert(Pkg::Named(name), set);
                    }
                }
            }
            Pkg::Named(name) => {
                let Some(chosen) = self.origin(name, version)? else {
                    return Ok(Dependencies::Unavailable("no registry has it".to_string()));
                };
                for (dependency, constraint) in &chosen.dependencies {
                    let Ok(set) = Set::parse(constraint) else {
                        let why = format!("its constraint {constraint:?} on {dependency} cannot be read");
                        return Ok(Dependencies::Unavailable(why));
                    };
                    // An installed package whose dependency exists nowhere must not block everything else.
                    let nowhere = chosen.registry.is_none()
                        && self.lock.get(dependency).is_none()
                        && self.pool.offers(dependency)?.is_empty();
                    if !nowhere {
                        out.insert(Pkg::Named(dependency.clone()), set);
                    }
                }
            }
        }
        Ok(Dependencies::Available(out))
    }
}

fn told(error: PubGrubError<ResolveQuestion<'_>>) -> Error {
    match error {
        PubGrubError::NoSolution(mut tree) => {
            tree.collapse_no_versions();
            let report = plain(&DefaultStringReporter::report(&tree));
            let reasons: Vec<&str> = report.lines().filter(|l| !l.trim().is_empty()).collect();
            fail(CONFLICT, format!("The dependencies contradict each other. {}", reasons.join(" ")))
                .hint("Ask for other versions, or upgrade the packages named. Nothing was changed.")
                .details(json!({"reasons": reasons}))
        }
        PubGrubError::ErrorRetrievingDependencies { source, .. }
        | PubGrubError::ErrorChoosingVersion { source, .. }
        | PubGrubError::ErrorInShouldCancel(source) => source,
    }
}

/// The solver's report in the words of somebody who installs packages.
fn plain(report: &str) -> String {
    [
        ("your request 0.0.0", "your request"),
        ("what is installed 0.0.0", "what is installed"),
        (" (any version)", ""),
        ("your request depends on what is installed", "what is installed must stay"),
        ("your request depends on", "you asked for"),
        ("what is installed depends on", "what is installed needs"),
        ("your request is forbidden", "your request cannot be met"),
        (" depends on ", " needs "),
    ]
    .iter()
    .fold(report.to_string(), |text, (from, to)| text.replace(from, to))
}
