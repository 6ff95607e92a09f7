//! What each dependency brings that nothing else would, from `Cargo.lock`, beside the reason in `Cargo.toml`.
//!
//! Counts packages for every system; which of them are built anywhere is Cargo's affair.

use std::collections::{BTreeMap, BTreeSet};

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/dependencies.md");
const MANIFEST: &str = include_str!("../../../Cargo.toml");
const LOCK: &str = include_str!("../../../Cargo.lock");

/// Packages by `name version`, with what each needs.
struct Packages(BTreeMap<String, Vec<String>>);

impl Packages {
    fn read() -> Packages {
        let lock: toml::Table = toml::from_str(LOCK).unwrap();
        let mut versions: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        let packages = lock["package"].as_array().unwrap();
        let text = |package: &'_ toml::Value, name: &str| package[name].as_str().unwrap().to_string();
        for package in packages {
            let id = format!("{} {}", text(package, "name"), text(package, "version"));
            versions.entry(package["name"].as_str().unwrap()).or_default().push(id);
        }
        // Only where there are several versions is one said.
        let whole = |said: &str| {
            let known = said.split_once(' ').is_none().then(|| versions[said][0].clone());
            known.unwrap_or_else(|| said.to_string())
        };
        let needs = |package: &toml::Value| -> Vec<String> {
            let list = package.get("dependencies").and_then(toml::Value::as_array);
            list.into_iter().flatten().map(|said| whole(said.as_str().unwrap())).collect()
        };
        let named =
            |package| (format!("{} {}", text(package, "name"), text(package, "version")), needs(package));
        Packages(packages.iter().map(named).collect())
    }

    /// Everything that is needed for these direct dependencies.
    fn behind(&self, direct: &dyn Fn(&str) -> bool) -> BTreeSet<&str> {
        let own = self.0.iter().filter(|(id, _)| is_own(name(id))).flat_map(|(_, needs)| needs);
        let mut next: Vec<&String> = own.filter(|id| !is_own(name(id)) && direct(name(id))).collect();
        let mut seen = BTreeSet::new();
        while let Some(id) = next.pop() {
            if seen.insert(id.as_str()) {
                next.extend(&self.0[id]);
            }
        }
        seen
    }
}

fn name(id: &str) -> &str {
    id.split_once(' ').unwrap().0
}

/// A crate of packd itself.
fn is_own(name: &str) -> bool {
    name == "packd" || name.starts_with("packd-")
}

/// What the crates of packd are built of, tests apart.
fn built() -> BTreeSet<String> {
    let root: toml::Table = toml::from_str(MANIFEST).unwrap();
    let members = root["workspace"]["members"].as_array().unwrap().iter().map(|dir| dir.as_str().unwrap());
    let manifest =
        |dir| std::fs::read_to_string(format!("{}/{dir}/Cargo.toml", env!("CARGO_MANIFEST_DIR"))).unwrap();
    let names = |text: String| -> Vec<String> {
        let manifest: toml::Table = toml::from_str(&text).unwrap();
        manifest["dependencies"].as_table().unwrap().keys().cloned().collect()
    };
    members.map(manifest).flat_map(names).collect()
}

/// The dependencies of the workspace with the comment above each.
fn reasons() -> Vec<(&'static str, String)> {
    let lines = MANIFEST.lines().skip_while(|line| *line != "[workspace.dependencies]").skip(1);
    let (mut out, mut said) = (Vec::new(), Vec::new());
    for line in lines.take_while(|line| !line.starts_with('[')) {
        match (line.strip_prefix("# "), line.split_once(" = ")) {
            (Some(words), _) => said.push(words),
            (None, Some((name, _))) if is_own(name) => {}
            (None, Some((name, _))) => {
                assert!(!said.is_empty(), "{name} says no reason");
                out.push((name, std::mem::take(&mut said).join(" ")));
            }
            _ => said.clear(),
        }
    }
    out
}

#[test]
fn the_table_of_dependencies_is_true() {
    let packages = Packages::read();
    let names = built();
    let (built, tests): (Vec<_>, Vec<_>) = reasons().into_iter().partition(|(name, _)| names.contains(*name));
    let all = packages.behind(&|_| true);
    let shipped = packages.behind(&|direct| built.iter().any(|(name, _)| *name == direct));
    let mut out = format!(
        "\n{} packages for all systems together, {} of them for tests alone.\n",
        all.len(),
        all.len() - shipped.len()
    );
    for (title, list) in [("in the programs", &built), ("in tests", &tests)] {
        out += &format!("\n| {title} | alone brings | why |\n|---|---|---|\n");
        for (name, why) in list {
            let without = packages.behind(&|direct| direct != *name);
            out += &format!("| `{name}` | {} | {why} |\n", all.len() - without.len());
        }
    }
    super::check(PAGE, "dependencies", &out);
}
