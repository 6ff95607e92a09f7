//! A project, a home and a registry in a temporary directory, and authors who publish to it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use packd::core::SessionInfo;
use packd::engine::{Options, Session};
use serde_json::{Value, json};

use crate::common::engine::{TestEngine, session_info};

pub struct Rig {
    pub dir: tempfile::TempDir,
    pub t: TestEngine,
    pub session: Arc<Session>,
}

/// What an author wants to publish.
pub struct Package<'a> {
    pub name: &'a str,
    pub version: &'a str,
    pub dependencies: &'a [(&'a str, &'a str)],
    /// (kind in the plural, name, file content)
    pub artifacts: &'a [(&'a str, &'a str, &'a str)],
}

impl Rig {
    /// With an initialised project and one registry, `main`.
    pub fn new() -> Rig {
        Rig::build(|_| {})
    }

    pub fn build(adjust: impl FnOnce(&mut Options)) -> Rig {
        let rig = Rig::bare(adjust);
        fs::create_dir_all(rig.path("registry")).unwrap();
        fs::create_dir_all(rig.path("work/.aam")).unwrap();
        rig.ok("aam_registry_add", json!({"name": "main", "url": rig.path("registry")}));
        rig
    }

    /// Without a workspace directory and without registries.
    pub fn bare(adjust: impl FnOnce(&mut Options)) -> Rig {
        let dir = tempfile::tempdir().unwrap();
        for part in ["work", "home"] {
            fs::create_dir(dir.path().join(part)).unwrap();
        }
        let state = dir.path().join("state");
        let t = TestEngine::build(|options| {
            options.home = Some(state);
            adjust(options);
        });
        let session = t.open(info(dir.path(), "work"));
        Rig { dir, t, session }
    }

    pub fn path(&self, rest: &str) -> PathBuf {
        self.dir.path().join(rest)
    }

    pub fn write(&self, rest: &str, text: &str) {
        let path = self.path(rest);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub fn read(&self, rest: &str) -> String {
        let path = self.path(rest);
        fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
    }

    pub fn has(&self, rest: &str) -> bool {
        self.path(rest).exists()
    }

    pub fn yaml(&self, rest: &str) -> Value {
        serde_saphyr::from_str(&self.read(rest)).unwrap()
    }

    /// A session in another project of the same user.
    pub fn session_in(&self, project: &str) -> Arc<Session> {
        self.t.open(info(self.dir.path(), project))
    }

    pub fn ok(&self, tool: &str, args: Value) -> Value {
        self.t.ok(&self.session, tool, args)
    }

    /// The text of a call that must fail.
    pub fn err(&self, tool: &str, args: Value) -> String {
        let reply = self.t.call(&self.session, tool, args.clone());
        assert!(reply.is_error, "{tool} {args} should have failed: {}", reply.text);
        reply.text
    }

    /// The list of a call that answers with one.
    pub fn list(&self, tool: &str, args: Value) -> Vec<Value> {
        self.ok(tool, args)["result"].as_array().unwrap().clone()
    }

    pub fn install(&self, packages: &[&str]) -> Value {
        self.ok("aam_install", json!({"packages": packages}))
    }

    pub fn undo(&self) {
        self.ok("history_undo", json!({"yes": true}));
    }

    /// Writes an author's project without publishing it.
    pub fn author(&self, package: &Package) -> String {
        let project = format!("authors/{}-{}", package.name.replace(['@', '/'], "_"), package.version);
        let mut artifacts: BTreeMap<&str, Vec<Value>> = BTreeMap::new();
        for (kind, name, text) in package.artifacts {
            let (path, file) = match *kind {
                "skills" => (format!("skills/{name}/"), format!("skills/{name}/SKILL.md")),
                "agents" => (format!("agents/{name}"), format!("agents/{name}/system-prompt.md")),
                kind => (format!("{kind}/{name}.md"), format!("{kind}/{name}.md")),
            };
            self.write(&format!("{project}/{file}"), text);
            if *kind == "agents" {
                let about =
                    format!("name: {name}\ndescription: About {name}\nsystem_prompt: system-prompt.md\n");
                self.write(&format!("{project}/agents/{name}/agent.yaml"), &about);
            }
            let description = format!("About {name}");
            artifacts
                .entry(kind)
                .or_default()
                .push(json!({"name": name, "path": path, "description": description}));
        }
        let dependencies: BTreeMap<_, _> = package.dependencies.iter().copied().collect();
        let manifest = json!({
            "name": package.name, "version": package.version, "description": format!("The {}", package.name),
            "author": "Ada", "license": "MIT", "keywords": ["sample"], "artifacts": artifacts,
            "dependencies": dependencies,
        });
        self.write(&format!("{project}/aam.yaml"), &serde_saphyr::to_string(&manifest).unwrap());
        project
    }

    pub fn publish(&self, package: &Package) -> Value {
        let project = self.author(package);
        self.t.ok(&self.session_in(&project), "aam_publish", json!({}))
    }

    /// Publishes a package with one skill of its own name.
    pub fn skill(&self, name: &str, version: &str, dependencies: &[(&str, &str)]) -> Value {
        let skill = name.rsplit('/').next().unwrap();
        let text = format!("---\nname: {skill}\n---\n# {name} {version}\n");
        self.publish(&Package { name, version, dependencies, artifacts: &[("skills", skill, &text)] })
    }

    /// Every file below a directory with its content.
    pub fn tree(&self, rest: &str) -> BTreeMap<String, String> {
        let root = self.path(rest);
        let mut out = BTreeMap::new();
        collect(&root, &root, &mut out);
        out
    }

    pub fn installed(&self) -> Vec<(String, String)> {
        let text = |v: &Value| v.as_str().unwrap().to_string();
        self.list("aam_list", json!({})).iter().map(|p| (text(&p["name"]), text(&p["version"]))).collect()
    }
}

pub fn info(dir: &Path, project: &str) -> SessionInfo {
    let workspace = dir.join(project);
    let mut info = session_info(project, workspace.to_str().unwrap());
    info.home = dir.join("home");
    info.env.insert("PACKD_HOME".into(), dir.join("packd").display().to_string());
    info
}

fn collect(root: &Path, at: &Path, out: &mut BTreeMap<String, String>) {
    for entry in fs::read_dir(at).into_iter().flatten() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(root, &path, out);
        } else {
            let name = path.strip_prefix(root).unwrap().display().to_string();
            out.insert(name, String::from_utf8_lossy(&fs::read(&path).unwrap()).into_owned());
        }
    }
}
