//! `doctor`: can every managed root be written, are manifests ignored by git, are overlays what they seem.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::{Value, json};

use crate::core::git::Git;
use crate::core::world::{Command, FileKind};
use crate::core::{Ctx, Look, Needs, Outcome, Result, Tool};
use crate::families::deploy::args::{Args, CommonArgs};
use crate::families::deploy::desired::{self, LoadedConfig};
use crate::families::deploy::file_reader::FileReader;
use crate::families::deploy::locations;
use crate::families::deploy::overlay::OverlayDirs;
use crate::families::deploy::reply::{self, put_path, shown};
use crate::families::deploy::targets::TargetRoot;

pub struct DeployDoctor;

impl Tool for DeployDoctor {
    type Args = CommonArgs;
    type Seen = Findings;
    const NAME: &'static str = "doctor";
    const NEEDS: Needs = Needs::World;

    fn look(look: &Look, args: &CommonArgs) -> Result<Findings> {
        examine(&FileReader::of(look), &args.of(look.call))
    }

    fn decide(_ctx: &Ctx, _args: &CommonArgs, found: &Findings) -> Result<Outcome> {
        Ok(Outcome::reply(reply::ok(Self::NAME, None, found.data.clone(), &found.warnings)))
    }
}

/// What doctor found, ready to be shown.
pub struct Findings {
    data: Value,
    warnings: Vec<String>,
}

fn examine(reader: &FileReader, args: &Args) -> Result<Findings> {
    let loaded = desired::load(reader, args)?;
    let roots = desired::roots(reader, &loaded)?;
    let mut warnings = Vec::new();
    let mut list = Vec::new();
    for root in &roots {
        list.push(examine_root(reader, root)?);
    }
    let open = not_ignored(reader, &roots)?;
    for (top, files) in &open {
        warnings.push(format!(
            "{} target manifests in {} are not ignored by git: add '.agentpack.manifest*.json' to its .gitignore",
            files.len(),
            top.display()
        ));
    }
    examine_overlays(reader, &loaded, &mut warnings)?;
    let data = json!({
        "machine_id": loaded.place.machine,
        "project_id": loaded.place.project_id,
        "project": shown(&loaded.place.project),
        "repo": shown(&loaded.place.repo),
        "roots": list,
        "gitignore_fixes": [],
    });
    Ok(Findings { data, warnings })
}

fn examine_root(reader: &FileReader, root: &TargetRoot) -> Result<Value> {
    let mut issues = Vec::new();
    let mut suggestion = None;
    let mut writable = false;
    let real = reader.world.canonical(&root.path)?;
    let kind = match &real {
        Some(real) => reader.world.stat(real)?.map(|s| s.kind),
        None => None,
    };
    match kind {
        None => {
            issues.push("missing");
            suggestion = Some(format!("create directory: mkdir -p {}", root.path.display()));
        }
        Some(FileKind::Dir) => {
            writable = is_writable(reader, &root.path);
            if !writable {
                issues.push("not_writable");
                suggestion =
                    Some(format!("fix permissions: {} must be writable by you", root.path.display()));
            }
        }
        Some(_) => {
            issues.push("not_a_directory");
            suggestion = Some(format!("move {} away: a directory is needed there", root.path.display()));
        }
    }
    let mut out = json!({"target": root.target});
    put_path(&mut out, "root", &root.path);
    out["exists"] = json!(kind.is_some());
    out["writable"] = json!(writable);
    out["scan_extras"] = json!(root.scan);
    out["issues"] = json!(issues);
    out["suggestion"] = json!(suggestion);
    Ok(out)
}

/// Asks the system without writing anything.
fn is_writable(reader: &FileReader, dir: &Path) -> bool {
    let command = Command {
        program: "test".into(),
        args: vec!["-w".to_string(), dir.to_string_lossy().into_owned()],
        cwd: PathBuf::from("/"),
        env: Vec::new(),
        stdin: Vec::new(),
        timeout: Duration::from_secs(10),
    };
    reader.world.run(&command).is_ok_and(|o| o.code == Some(0))
}

/// The manifests inside git work trees that git would track, by work tree. One question per work tree.
fn not_ignored(reader: &FileReader, roots: &[TargetRoot]) -> Result<BTreeMap<PathBuf, Vec<PathBuf>>> {
    let mut by_top: BTreeMap<PathBuf, Vec<PathBuf>> = BTreeMap::new();
    for root in roots {
        if let Some((top, _)) = locations::top_level(reader, &root.path)? {
            by_top.entry(top).or_default().push(root.manifest());
        }
    }
    for (top, files) in &mut by_top {
        let lines: String = files.iter().map(|f| format!("{}\0", f.display())).collect();
        let git = Git::new(reader.world, reader.session, top);
        let Ok(output) = git.output(&["check-ignore", "-z", "--stdin"], lines.into_bytes()) else {
            files.clear();
            continue;
        };
        let ignored: Vec<PathBuf> = output
            .stdout
            .split(|b| *b == 0)
            .map(|p| PathBuf::from(String::from_utf8_lossy(p).into_owned()))
            .collect();
        match output.code {
            Some(0 | 1) => files.retain(|f| !ignored.contains(f)),
            _ => files.clear(),
        }
    }
    by_top.retain(|_, files| !files.is_empty());
    Ok(by_top)
}

fn examine_overlays(reader: &FileReader, loaded: &LoadedConfig, warnings: &mut Vec<String>) -> Result<()> {
    let layers = OverlayDirs::find(reader, &loaded.place)?;
    for module in &loaded.config.modules {
        for overlay in layers.of(reader, &module.id)? {
            for other in &overlay.shadowed {
                warnings.push(format!(
                    "module {} has two {} overlays; {} is not used",
                    module.id,
                    overlay.layer.as_str(),
                    other.display()
                ));
            }
            let named = reader.optional(&overlay.dir.join(".agentpack/module_id"))?;
            let named = named.as_ref().and_then(|c| c.text()).map(str::trim);
            if let Some(named) = named.filter(|n| *n != module.id) {
                warnings.push(format!(
                    "{} says it belongs to module {named}, not {}",
                    overlay.dir.display(),
                    module.id
                ));
            }
        }
    }
    Ok(())
}
