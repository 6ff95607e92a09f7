//! Publishing, creating packages, and registries that are not directories.

use std::io::{Read, Write};
use std::process::Command;

use serde_json::{Value, json};

use super::rig::{Package, Rig};

fn tool(version: &str) -> Package<'_> {
    Package { name: "tool", version, dependencies: &[], artifacts: &[("skills", "tool", "# T")] }
}

#[test]
fn publishing_writes_what_aam_reads_and_can_be_undone() {
    let rig = Rig::new();
    let first = rig.publish(&tool("1.0.0"));
    let archive = std::fs::read(rig.path("registry/packages/tool/versions/1.0.0.aam")).unwrap();
    assert_eq!((&first["registry"], &first["archive_size"]), (&json!("main"), &json!(archive.len())));
    let registry = rig.yaml("registry/registry.yaml");
    assert_eq!((&registry["type"], &registry["api_version"]), (&json!("local"), &json!(1)));
    let meta = rig.yaml("registry/packages/tool/metadata.yaml");
    assert_eq!(meta["dist_tags"], json!({"latest": "1.0.0"}));
    assert_eq!(
        (&meta["versions"][0]["checksum"], &meta["versions"][0]["size"]),
        (&first["checksum"], &first["archive_size"])
    );
    rig.skill("other", "1.0.0", &[]);
    let index = rig.yaml("registry/index.yaml");
    let names: Vec<_> = index["packages"].as_array().unwrap().iter().map(|p| &p["name"]).collect();
    assert_eq!(names, ["tool", "other"]);
    assert_eq!(index["packages"][0]["artifact_types"], json!(["skill"]));
    let before = rig.tree("registry");
    rig.publish(&tool("1.1.0"));
    let author = rig.session_in("authors/tool-1.1.0");
    rig.t.ok(&author, "history_undo", json!({"yes": true}));
    assert_eq!(rig.tree("registry"), before);
}

#[test]
fn a_version_is_published_once_and_latest_never_goes_back() {
    let rig = Rig::new();
    rig.publish(&tool("2.0.0"));
    let again = rig.t.call(&rig.session_in("authors/tool-2.0.0"), "aam_publish", json!({}));
    assert!(
        again.is_error && again.text.starts_with("[AAM_INVALID_ARGUMENT] ") && again.text.contains("2.0.0"),
        "{}",
        again.text
    );
    let older = rig.publish(&tool("1.0.1"));
    assert!(older["warnings"][0].as_str().unwrap().contains("stays at 2.0.0"), "{older}");
    let project = rig.author(&tool("3.0.0-rc.1"));
    rig.t.ok(&rig.session_in(&project), "aam_publish", json!({"tag": "next"}));
    let meta = rig.yaml("registry/packages/tool/metadata.yaml");
    assert_eq!(meta["dist_tags"], json!({"latest": "2.0.0", "next": "3.0.0-rc.1"}));
    assert_eq!(rig.list("aam_search", json!({"query": "tool"}))[0]["version"], json!("2.0.0"));
    for tag in ["1.0", "Latest", "true", "a b"] {
        let text = rig.t.call(&rig.session_in(&project), "aam_publish", json!({"tag": tag})).text;
        assert!(text.starts_with("[AAM_INVALID_ARGUMENT] "), "{tag}: {text}");
    }
}

#[test]
fn publishing_fails_with_the_right_code() {
    let rig = Rig::new();
    let project = rig.author(&tool("1.0.0"));
    let session = rig.session_in(&project);
    let text = rig.t.call(&session, "aam_publish", json!({"registry": "nope"})).text;
    assert!(text.starts_with("[AAM_REGISTRY_NOT_FOUND] ") && text.contains("main"), "{text}");
    std::fs::remove_file(rig.path(&format!("{project}/skills/tool/SKILL.md"))).unwrap();
    std::fs::remove_dir(rig.path(&format!("{project}/skills/tool"))).unwrap();
    let text = rig.t.call(&session, "aam_publish", json!({})).text;
    assert!(text.starts_with("[AAM_MANIFEST_INVALID] ") && text.contains("skills/tool/"), "{text}");
    assert_eq!(rig.tree("registry"), Default::default());
}

/// Another program holds the registry's lock; a publish waits for it instead of writing into its work.
#[test]
fn a_locked_registry_is_waited_for() {
    let rig = Rig::new();
    let project = rig.author(&tool("1.0.0"));
    let dir = std::fs::File::open(rig.path("registry")).unwrap();
    dir.lock().unwrap();
    let (send, waiting) = std::sync::mpsc::channel::<()>();
    let other = std::thread::spawn(move || {
        waiting.recv().unwrap();
        drop(dir);
    });
    let session = rig.session_in(&project);
    let reply = rig.t.block_on(async {
        let call = rig.t.engine.call(&session, packd::engine::CallRequest::new("aam_publish", json!({})));
        let mut call = Box::pin(call);
        let pending =
            std::future::poll_fn(|cx| std::task::Poll::Ready(call.as_mut().poll(cx).is_pending())).await;
        assert!(pending, "it must not finish while the lock is held");
        send.send(()).unwrap();
        call.await
    });
    other.join().unwrap();
    assert!(!reply.is_error, "{}", reply.text);
    assert!(rig.has("registry/packages/tool/versions/1.0.0.aam"));
}

#[test]
fn create_finds_every_place_of_the_four_platforms() {
    let rig = Rig::bare(|_| {});
    for (path, text) in [
        ("skills/My_Skill/SKILL.md", "---\nname: x\ndescription: Does it well\n---\n# X"),
        ("skills/My_Skill/prompts/inner.md", "part of the skill"),
        ("agents/bot/agent.yaml", "name: bot\ndescription: A bot\nsystem_prompt: p.md\n"),
        ("agents/bot/p.md", "You are a bot"),
        (".cursor/rules/agent-cur.mdc", "---\ndescription: Cur\n---\nAct"),
        (".claude/agents/cla.md", "Act"),
        (".github/agents/cop.agent.md", "Act"),
        ("prompts/plain.md", "Ask"),
        (".claude/commands/com.md", "Ask"),
        (".github/prompts/git.prompt.md", "Ask"),
        ("instructions/be.md", "Be"),
        (".cursor/rules/style.mdc", "Style"),
        (".github/instructions/ins.instructions.md", "Ins"),
        ("CLAUDE.md", "C"),
        ("AGENTS.md", "A"),
        (".github/copilot-instructions.md", "G"),
        ("node_modules/x/SKILL.md", "no"),
        ("docs/prompts/deep.md", "no"),
    ] {
        rig.write(&format!("work/{path}"), text);
    }
    let made = rig.ok("aam_create_package", json!({}));
    assert_eq!((&made["package_name"], &made["version"]), (&json!("work"), &json!("0.1.0")));
    assert_eq!(
        made["artifacts_included"],
        json!({"agents": 4, "skills": 1, "prompts": 3, "instructions": 6})
    );
    assert_eq!(
        (&made["total_artifacts"], &made["manifest_path"]),
        (&json!(14), &json!(rig.path("work/aam.yaml")))
    );
    let manifest = rig.yaml("work/aam.yaml");
    assert_eq!(
        manifest["artifacts"]["skills"],
        json!([{"name": "my-skill", "path": "skills/My_Skill", "description": "Does it well"}])
    );
    assert_eq!(rig.ok("aam_validate", json!({}))["valid"], json!(true), "what is created is valid");
    let text = rig.read("work/aam.yaml");
    assert!(
        rig.err("aam_create_package", json!({})).starts_with("[AAM_INVALID_ARGUMENT] "),
        "never overwritten"
    );
    rig.undo();
    assert!(!rig.has("work/aam.yaml"));
    rig.ok("aam_create_package", json!({}));
    assert_eq!(rig.read("work/aam.yaml"), text, "the same every time");
    rig.undo();
    let some = rig.ok(
        "aam_create_package",
        json!({"artifact_types": ["prompt"], "name": "@me/x", "version": "1.2.3", "description": "D"}),
    );
    assert_eq!(
        (&some["artifacts_included"], &some["package_name"]),
        (&json!({"prompts": 3}), &json!("@me/x"))
    );
}

#[test]
fn create_leaves_out_what_packages_deployed() {
    let rig = Rig::new();
    rig.skill("tool", "1.0.0", &[]);
    rig.install(&["tool"]);
    assert!(rig.err("aam_create_package", json!({})).contains("No artifacts"));
    assert_eq!(rig.ok("aam_create_package", json!({"include_all": true}))["total_artifacts"], json!(1));
}

fn git(dir: &std::path::Path, args: &[&str]) {
    let done = Command::new("git")
        .args(["-c", "user.name=a", "-c", "user.email=a@b"])
        .args(args)
        .current_dir(dir)
        .env("HOME", dir)
        .output()
        .unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
}

#[test]
fn a_git_repository_is_a_registry_and_follows_its_commits() {
    let rig = Rig::new();
    rig.publish(&tool("1.0.0"));
    let repo = rig.path("registry");
    git(&repo, &["init", "-q"]);
    git(&repo, &["add", "-A"]);
    git(&repo, &["commit", "-qm", "one"]);
    let url = format!("git+file://{}", repo.display());
    std::fs::write(rig.path("home/.aam/config.yaml"), "").unwrap();
    let added = rig.ok("aam_registry_add", json!({"name": "g", "url": url}));
    assert_eq!((&added["type"], &added["accessible"]), (&json!("git"), &json!(true)));
    assert_eq!(rig.install(&["tool"])["installed"][0]["source"], json!("g"));
    rig.write("home/other.yaml", "");
    let index = rig.read("registry/index.yaml").replace("name: tool", "name: renamed");
    rig.write("registry/index.yaml", &index);
    git(&repo, &["commit", "-qam", "two"]);
    let found = |rig: &Rig| rig.list("aam_search", json!({"query": ""}))[0]["name"].clone();
    assert_eq!(found(&rig), json!("tool"), "asked at most once a minute");
    rig.t.clock.advance(61);
    assert_eq!(found(&rig), json!("renamed"));
    let text = rig.t.call(&rig.session_in("authors/tool-1.0.0"), "aam_publish", json!({})).text;
    assert!(text.starts_with("[AAM_INVALID_ARGUMENT] ") && text.contains("read-only"), "{text}");
    let gone = rig.err("aam_registry_add", json!({"name": "h", "url": "git+file:///nowhere/at/all"}));
    assert!(gone.starts_with("[AAM_REGISTRY_UNREACHABLE] "), "{gone}");
}

/// Serves the files of a directory over http, one request per connection.
fn serve(root: std::path::PathBuf) -> String {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut request = Vec::new();
            let mut chunk = [0; 1024];
            while !request.windows(4).any(|w| w == b"\r\n\r\n") {
                match stream.read(&mut chunk) {
                    Ok(n) if n > 0 => request.extend_from_slice(&chunk[..n]),
                    _ => break,
                }
            }
            let text = String::from_utf8_lossy(&request).into_owned();
            let path = text.split_whitespace().nth(1).unwrap_or("/").trim_start_matches('/').to_string();
            let (status, body) = match std::fs::read(root.join(path)) {
                Ok(body) => ("200 OK", body),
                Err(_) => ("404 Not Found", Vec::new()),
            };
            let head =
                format!("HTTP/1.1 {status}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", body.len());
            let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(&body));
        }
    });
    address
}

#[test]
fn a_static_web_address_is_a_registry() {
    let rig = Rig::new();
    rig.publish(&tool("1.0.0"));
    let url = serve(rig.path("registry"));
    std::fs::write(rig.path("home/.aam/config.yaml"), "").unwrap();
    let added = rig.ok("aam_registry_add", json!({"name": "web", "url": url}));
    assert_eq!((&added["type"], &added["accessible"]), (&json!("http"), &json!(true)));
    assert_eq!(rig.list("aam_search", json!({"query": "tool"}))[0]["registry"], json!("web"));
    assert_eq!(rig.install(&["tool"])["installed"][0]["source"], json!("web"));
    assert_eq!(rig.install(&["nope"])["failed"][0]["code"], json!("AAM_PACKAGE_NOT_FOUND"));
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    for url in [format!("http://{closed}"), "http://example.com/x".to_string(), "ftp://x/y".to_string()] {
        let text = rig.err("aam_registry_add", json!({"name": "bad", "url": url}));
        assert!(text.starts_with("[AAM_REGISTRY_UNREACHABLE] "), "{text}");
    }
    let _: Value = rig.ok("aam_doctor", json!({}));
}
