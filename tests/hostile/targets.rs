//! packd's own directory and the hosts' own files are never written by a deploy or a package, however they are named.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use serde_json::{Value, json};

use super::client::{Client, write};
use crate::common::real::Place;

fn config(codex: &str) -> String {
    format!(
        "version: 1\nprofiles: {{default: {{include_tags: [core]}}}}\n\
         targets:\n  codex: {{mode: files, scope: user, options: {codex}}}\n\
         modules:\n  - {{id: 'instructions:base', type: instructions, tags: [core], source: {{local_path: {{path: modules/base}}}}}}\n\
         \u{20} - {{id: 'skill:foo', type: skill, tags: [core], source: {{local_path: {{path: modules/foo}}}}}}\n"
    )
}

fn repo(place: &Place, codex: &str) {
    let repo = place.path().join(".agentpack/repo");
    write(&repo.join("agentpack.yaml"), config(codex));
    write(&repo.join("modules/base/AGENTS.md"), "# Rules\n");
    write(&repo.join("modules/foo/SKILL.md"), "---\nname: foo\ndescription: Foo\n---\n");
    write(&repo.join("modules/foo/mcp-config.json"), "{\"mcpServers\": {\"evil\": {}}}\n");
}

/// Every file below a directory with its content.
fn tree(dir: &Path) -> Vec<(String, Vec<u8>)> {
    let mut out = Vec::new();
    for entry in fs::read_dir(dir).into_iter().flatten().flatten() {
        let path = entry.path();
        if entry.file_type().unwrap().is_dir() {
            out.extend(tree(&path));
        } else {
            out.push((path.display().to_string(), fs::read(&path).unwrap_or_default()));
        }
    }
    out.sort();
    out
}

#[test]
fn no_deploy_goes_into_packds_own_directory() {
    let place = Place::new();
    repo(&place, "{}");
    let mut client = Client::new(&place, &[]);
    client.ok("plan", json!({}));
    symlink(place.home().dir(), place.path().join("door")).unwrap();
    for named in ["packd", "packd/deeper", "./x/../packd", "PACKD", "door", "door/sub"] {
        repo(&place, &format!("{{codex_home: '~/{named}'}}"));
        for tool in ["plan", "deploy", "preview"] {
            let told = client.refused(tool, json!({}));
            assert!(told.contains("E_TARGET_RESERVED") && told.contains("packd's own"), "{named}: {told}");
        }
        assert!(!place.home().dir().join("AGENTS.md").exists(), "{named}");
    }
    assert!(!place.path().join("PACKD").exists());
}

#[test]
fn no_deploy_writes_a_file_that_a_host_reads() {
    let place = Place::new();
    repo(&place, "{}");
    let moved = place.path().join(".codex/skills/foo");
    let home = moved.display().to_string();
    let mut client = Client::with_env(&place, &[], &[("COPILOT_HOME", &home)]);
    let told = client.refused("deploy", json!({}));
    assert!(told.contains("E_TARGET_RESERVED") && told.contains("Copilot CLI"), "{told}");
    assert!(!moved.exists());
    // The same repository is fine where that file is nobody's.
    let mut other = Client::new(&place, &[]);
    let plan = other.ok("deploy", json!({}));
    let token = plan["data"]["confirm_token"].clone();
    // The token of another session's plan is no way around either: the place is checked again.
    let told = client.refused("deploy_apply", json!({"confirm_token": token, "yes": true}));
    assert!(!moved.exists(), "{told}");
}

#[test]
fn a_manifest_that_lists_a_hosts_file_does_not_get_it_deleted() {
    let place = Place::new();
    repo(&place, "{}");
    let own = place.path().join(".codex/config.toml");
    write(&own, "model = \"x\"\n");
    let sha = packd::core::Sha::of(b"model = \"x\"\n");
    let manifest = json!({"schema_version": 1, "tool": "codex",
        "generated_at": "2026-01-01T00:00:00Z", "snapshot_id": null,
        "managed_files": [{"path": "config.toml", "sha256": sha.as_str(), "module_ids": ["x"]}]});
    write(&place.path().join(".codex/.agentpack.manifest.codex.json"), manifest.to_string());
    let mut client = Client::new(&place, &[]);
    let plan = client.ok("plan", json!({}));
    let deletes = |plan: &Value| plan["data"]["changes"].to_string().contains("config.toml");
    assert!(!deletes(&plan), "{plan}");
    let plan = client.ok("deploy", json!({}));
    client.ok(
        "deploy_apply",
        json!({"confirm_token": plan["data"]["confirm_token"], "yes": true, "adopt": true}),
    );
    assert_eq!(fs::read_to_string(&own).unwrap(), "model = \"x\"\n");
}

fn author(place: &Place) {
    let work = place.work();
    write(&work.join("skills/greet/SKILL.md"), "---\nname: greet\ndescription: Says hello\n---\n");
    write(&work.join("skills/greet/mcp-config.json"), "{}\n");
    write(
        &work.join("aam.yaml"),
        "name: greet\nversion: 1.0.0\ndescription: Greets\nauthor: me\nlicense: MIT\n\
         artifacts:\n  skills:\n  - {name: greet, path: skills/greet/, description: Says hello}\n",
    );
    fs::create_dir_all(work.join(".aam")).unwrap();
}

#[test]
fn packages_are_not_published_into_packds_own_directory() {
    let place = Place::new();
    author(&place);
    let own = place.home().dir().join("registry");
    let mut client = Client::new(&place, &["--allow-write"]);
    write(&own.join("registry.yaml"), "name: own\ntype: local\napi_version: 1\n");
    client.ok("aam_registry_add", json!({"name": "own", "url": own, "set_default": true}));
    let before = tree(&own);
    for mode in [json!({"registry": "own"}), json!({"registry": "own", "mode": "plan"})] {
        let told = client.refused("aam_publish", mode);
        assert!(told.contains("AAM_PERMISSION_DENIED") && told.contains("packd's own"), "{told}");
    }
    assert_eq!(tree(&own), before);
}

#[test]
fn packages_are_not_installed_over_a_hosts_file() {
    let place = Place::new();
    author(&place);
    let registry = place.path().join("registry");
    write(&registry.join("registry.yaml"), "name: local\ntype: local\napi_version: 1\n");
    let moved = place.work().join(".cursor/skills/greet");
    let home = moved.display().to_string();
    let mut client = Client::with_env(&place, &["--allow-write"], &[("COPILOT_HOME", &home)]);
    client.ok("aam_registry_add", json!({"name": "local", "url": registry, "set_default": true}));
    client.ok("aam_publish", json!({"registry": "local"}));
    let told = client.call("aam_install", json!({"packages": ["greet"], "platform": "cursor"})).to_string();
    assert!(told.contains("AAM_PERMISSION_DENIED") && told.contains("Copilot CLI"), "{told}");
    assert!(!moved.exists());
}

#[test]
fn packages_neither_publish_nor_install_a_repository() {
    let place = Place::new();
    author(&place);
    let work = place.work();
    let registry = place.path().join("registry");
    write(&registry.join("registry.yaml"), "name: local\ntype: local\napi_version: 1\n");
    // Publishing leaves it out, whatever its letters look like.
    for name in [".git", ".GIT", ".Git"] {
        write(&work.join("skills/greet/deep").join(name).join("config"), "[core]\n\tfsmonitor = evil\n");
    }
    let mut client = Client::new(&place, &["--allow-write"]);
    client.ok("aam_registry_add", json!({"name": "local", "url": registry, "set_default": true}));
    client.ok("aam_publish", json!({"registry": "local"}));
    client.ok("aam_install", json!({"packages": ["greet"], "platform": "claude"}));
    let installed = tree(&work.join(".aam/packages"));
    assert!(!installed.is_empty());
    assert!(!installed.iter().any(|(p, _)| p.to_lowercase().contains("/.git/")), "{installed:?}");
    // Naming it does not help.
    for path in [".git/config", "skills/greet/deep/.GIT/config", "door"] {
        write(&work.join(".git/config"), "[core]\n");
        let _ = symlink(work.join(".git/config"), work.join("door"));
        let manifest = format!(
            "name: greet\nversion: 2.0.0\ndescription: Greets\nauthor: me\n\
             artifacts:\n  prompts:\n  - {{name: p, path: {path}, description: P}}\n"
        );
        write(&work.join("aam.yaml"), manifest);
        let told = client.refused("aam_publish", json!({"registry": "local"}));
        assert!(told.contains("never part of a package"), "{path}: {told}");
    }
    // An archive that holds one is refused.
    for name in [".git/hooks/post-checkout", "skills/evil/.GIT/config", "skills/evil/.g\u{200c}it/config"] {
        let archive = packed(&[
            (
                "aam.yaml",
                "name: evil\nversion: 1.0.0\ndescription: E\nartifacts:\n  skills:\n  - {name: evil, path: skills/evil/, description: E}\n",
            ),
            ("skills/evil/SKILL.md", "---\nname: evil\ndescription: E\n---\n"),
            (name, "evil\n"),
        ]);
        let sum = packd::core::Sha::of(&archive);
        write(&registry.join("packages/evil/versions/1.0.0.aam"), &archive);
        write(
            &registry.join("packages/evil/metadata.yaml"),
            format!(
                "name: evil\ndist_tags: {{latest: 1.0.0}}\nversions:\n- {{version: 1.0.0, checksum: 'sha256:{sum}'}}\n"
            ),
        );
        let told =
            client.call("aam_install", json!({"packages": ["evil"], "platform": "claude"})).to_string();
        assert!(told.contains("AAM_ARCHIVE_INVALID") && told.contains(".git"), "{name}: {told}");
        assert!(!work.join(".aam/packages/evil").exists());
    }
}

/// A package archive of these files.
fn packed(files: &[(&str, &str)]) -> Vec<u8> {
    let mut tar = tar::Builder::new(flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast()));
    for (path, text) in files {
        let mut header = tar::Header::new_gnu();
        header.set_size(text.len() as u64);
        header.set_mode(0o644);
        header.set_cksum();
        tar.append_data(&mut header, path, text.as_bytes()).unwrap();
    }
    tar.into_inner().unwrap().finish().unwrap()
}
