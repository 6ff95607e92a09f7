//! Archives that want to do harm, and packages that try to reach out of themselves.

use std::io::Write;

use packd::core::Sha;
use serde_json::{Value, json};

use super::rig::{Package, Rig};

const MANIFEST: &str = "name: evil\nversion: 1.0.0\ndescription: Evil\nartifacts:\n  skills:\n  - {name: s, path: skills/s/, description: ''}\n";

enum Entry<'a> {
    File(&'a str, &'a [u8]),
    Link(&'a str, &'a str),
    Hard(&'a str, &'a str),
    Special(&'a str, tar::EntryType),
}

/// A tar file with names exactly as given, however wrong.
fn archive(entries: &[Entry]) -> Vec<u8> {
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::new(6));
    let all = [Entry::File("aam.yaml", MANIFEST.as_bytes()), Entry::File("skills/s/SKILL.md", b"# S")];
    let wanted = entries.iter().filter(|e| !matches!(e, Entry::File("-", _)));
    for entry in all.iter().chain(wanted) {
        let mut header = tar::Header::new_gnu();
        let (name, kind, link, bytes): (_, _, _, &[u8]) = match entry {
            Entry::File(name, bytes) => (name, tar::EntryType::Regular, "", bytes),
            Entry::Link(name, target) => (name, tar::EntryType::Symlink, *target, &[]),
            Entry::Hard(name, target) => (name, tar::EntryType::Link, *target, &[]),
            Entry::Special(name, kind) => (name, *kind, "", &[]),
        };
        header.as_old_mut().name[..name.len()].copy_from_slice(name.as_bytes());
        header.as_old_mut().linkname[..link.len()].copy_from_slice(link.as_bytes());
        header.set_entry_type(kind);
        header.set_size(bytes.len() as u64);
        header.set_mode(0o644);
        header.set_cksum();
        gzip.write_all(header.as_bytes()).unwrap();
        gzip.write_all(bytes).unwrap();
        gzip.write_all(&vec![0; (512 - bytes.len() % 512) % 512]).unwrap();
    }
    gzip.write_all(&[0; 1024]).unwrap();
    gzip.finish().unwrap()
}

/// Puts an archive into the registry as version 1.0.0 of `evil`, with a right checksum.
fn publish(rig: &Rig, bytes: &[u8]) {
    let meta = json!({"name": "evil", "dist_tags": {"latest": "1.0.0"}, "versions": [
        {"version": "1.0.0", "checksum": format!("sha256:{}", Sha::of(bytes)), "size": bytes.len(), "dependencies": {}}]});
    rig.write("registry/packages/evil/metadata.yaml", &serde_saphyr::to_string(&meta).unwrap());
    std::fs::create_dir_all(rig.path("registry/packages/evil/versions")).unwrap();
    std::fs::write(rig.path("registry/packages/evil/versions/1.0.0.aam"), bytes).unwrap();
}

fn outcome(rig: &Rig, bytes: &[u8]) -> Value {
    publish(rig, bytes);
    rig.install(&["evil"])["failed"].clone()
}

#[test]
fn hostile_archives_are_refused_and_leave_nothing() {
    let rig = Rig::new();
    let before = rig.tree("");
    let zeros = vec![0; 30 << 20];
    for (what, entries) in [
        ("parent", vec![Entry::File("../../escaped", b"x")]),
        ("inner parent", vec![Entry::File("skills/../../escaped", b"x")]),
        ("absolute", vec![Entry::File("/tmp/escaped", b"x")]),
        ("backslash", vec![Entry::File("..\\escaped", b"x")]),
        ("absolute link", vec![Entry::Link("skills/s/l", "/etc/passwd")]),
        ("escaping link", vec![Entry::Link("skills/s/l", "../../../escaped")]),
        ("hard link out", vec![Entry::Hard("skills/s/l", "../escaped")]),
        ("link to nothing", vec![Entry::Link("skills/s/l", "missing")]),
        ("link loop", vec![Entry::Link("a", "b"), Entry::Link("b", "a")]),
        ("device", vec![Entry::Special("skills/s/dev", tar::EntryType::Char)]),
        ("pipe", vec![Entry::Special("skills/s/pipe", tar::EntryType::Fifo)]),
        ("twice", vec![Entry::File("skills/s/SKILL.md", b"other")]),
        ("file and directory", vec![Entry::File("skills/s", b"x")]),
        ("bomb", vec![Entry::File("skills/s/zeros", &zeros)]),
    ] {
        let failed = outcome(&rig, &archive(&entries));
        assert_eq!(failed[0]["code"], json!("AAM_ARCHIVE_INVALID"), "{what}: {failed}");
    }
    let truncated = archive(&[]);
    assert_eq!(outcome(&rig, &truncated[..truncated.len() / 2])[0]["code"], json!("AAM_ARCHIVE_INVALID"));
    std::fs::remove_dir_all(rig.path("registry/packages")).unwrap();
    assert_eq!(rig.tree(""), before);
}

#[test]
fn what_could_not_be_installed_is_not_published() {
    let rig = Rig::new();
    let zeros = "\0".repeat(4 << 20);
    let artifacts: &[(&str, &str, &str)] = &[("skills", "s", &zeros)];
    let project = rig.author(&Package { name: "p", version: "1.0.0", dependencies: &[], artifacts });
    let text = rig.t.call(&rig.session_in(&project), "aam_publish", json!({})).text;
    assert!(text.starts_with("[AAM_ARCHIVE_INVALID] "), "{text}");
    assert_eq!(rig.tree("registry"), Default::default());
}

#[test]
fn a_link_inside_the_package_becomes_a_copy() {
    let rig = Rig::new();
    let bytes = archive(&[
        Entry::Link("skills/s/README.md", "SKILL.md"),
        Entry::Hard("skills/s/h", "skills/s/SKILL.md"),
    ]);
    assert_eq!(outcome(&rig, &bytes), json!([]));
    for name in ["README.md", "h"] {
        let path = format!("work/.cursor/skills/s/{name}");
        assert_eq!(rig.read(&path), "# S");
        assert!(!rig.path(&path).is_symlink());
    }
}

#[test]
fn an_archive_of_another_package_is_not_taken_for_this_one() {
    let rig = Rig::new();
    let renamed = rig.author(&Package {
        name: "honest",
        version: "1.0.0",
        dependencies: &[],
        artifacts: &[("skills", "s", "x")],
    });
    rig.t.ok(&rig.session_in(&renamed), "aam_publish", json!({}));
    let bytes = std::fs::read(rig.path("registry/packages/honest/versions/1.0.0.aam")).unwrap();
    assert_eq!(outcome(&rig, &bytes)[0]["code"], json!("AAM_ARCHIVE_INVALID"));
}

/// AAM copied any readable file into a deployed agent when agent.yaml named it.
#[test]
fn a_system_prompt_outside_the_package_is_not_read() {
    for path in ["/etc/hostname", "../../../../etc/hostname"] {
        let rig = Rig::new();
        let manifest = "name: evil\nversion: 1.0.0\ndescription: Evil\nartifacts:\n  agents:\n  - {name: a, path: agents/a, description: ''}\n";
        let about = format!("name: a\ndescription: A\nsystem_prompt: {path}\n");
        let mut gzip =
            tar::Builder::new(flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::new(6)));
        for (name, text) in [("aam.yaml", manifest), ("agents/a/agent.yaml", &about)] {
            let mut header = tar::Header::new_gnu();
            header.set_size(text.len() as u64);
            header.set_mode(0o644);
            gzip.append_data(&mut header, name, text.as_bytes()).unwrap();
        }
        let bytes = gzip.into_inner().unwrap().finish().unwrap();
        assert_eq!(outcome(&rig, &bytes)[0]["code"], json!("AAM_MANIFEST_INVALID"), "{path}");
        assert!(!rig.has("work/.cursor"));
    }
}

#[test]
fn a_description_cannot_add_front_matter() {
    let rig = Rig::new();
    let project = rig.author(&Package {
        name: "p",
        version: "1.0.0",
        dependencies: &[],
        artifacts: &[("instructions", "rule", "Body")],
    });
    let mut manifest = rig.yaml(&format!("{project}/aam.yaml"));
    let nasty = "x\"\nalwaysApply: false\nglobs: \"*";
    manifest["artifacts"]["instructions"][0]["description"] = json!(nasty);
    rig.write(&format!("{project}/aam.yaml"), &serde_saphyr::to_string(&manifest).unwrap());
    rig.t.ok(&rig.session_in(&project), "aam_publish", json!({}));
    rig.install(&["p"]);
    let text = rig.read("work/.cursor/rules/rule.mdc");
    let head: Value = serde_saphyr::from_str(text.split("---\n").nth(1).unwrap()).unwrap();
    assert_eq!(head, json!({"description": nasty, "alwaysApply": true}));
}

#[test]
fn the_same_files_give_the_same_archive_without_what_does_not_belong() {
    let rig = Rig::new();
    let artifacts: &[(&str, &str, &str)] = &[("skills", "s", "# S")];
    let mut sums = Vec::new();
    for (version, home) in [("1.0.0", "registry"), ("1.0.0", "again")] {
        std::fs::create_dir_all(rig.path(home)).unwrap();
        let project = rig.author(&Package { name: "p", version, dependencies: &[], artifacts });
        for junk in [
            ".env",
            "notes.txt",
            "p-0.9.0.aam",
            ".git/HEAD",
            "skills/s/.DS_Store",
            "skills/s/.env",
            "skills/s/__pycache__/x.pyc",
        ] {
            rig.write(&format!("{project}/{junk}"), home);
        }
        rig.write(&format!("{project}/README.md"), "Read me");
        if home == "again" {
            rig.ok("aam_registry_add", json!({"name": "again", "url": rig.path(home)}));
        }
        let name = if home == "again" { "again" } else { "main" };
        sums.push(
            rig.t.ok(&rig.session_in(&project), "aam_publish", json!({"registry": name}))["checksum"].clone(),
        );
    }
    assert_eq!(sums[0], sums[1]);
    rig.install(&["p"]);
    let files: Vec<String> = rig.tree("work/.aam/packages/p").into_keys().collect();
    assert_eq!(files, ["README.md", "aam.yaml", "skills/s/SKILL.md"]);
}
