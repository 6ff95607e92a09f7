//! Which workspace a session lands in.

use std::fs;
use std::path::Path;

use packd::mcp::service::{Flags, Hello};
use serde_json::json;
use tempfile::TempDir;

use crate::mcp::rig::{Rig, run};

struct Place {
    dir: TempDir,
}

impl Place {
    fn new() -> Place {
        let dir = TempDir::new().unwrap();
        for path in ["home/.codex/worktrees/w/sub", "home/.claude", "repo/deep/er", "plain", "other"] {
            fs::create_dir_all(dir.path().join(path)).unwrap();
        }
        fs::create_dir(dir.path().join("repo/.git")).unwrap();
        // A linked work tree has a file there.
        fs::write(dir.path().join("home/.codex/worktrees/w/.git"), "gitdir: elsewhere").unwrap();
        Place { dir }
    }

    fn path(&self, name: &str) -> String {
        let root = self.dir.path().canonicalize().unwrap();
        if name.is_empty() { String::new() } else { root.join(name).to_string_lossy().into_owned() }
    }

    fn hello(&self, cwd: &str) -> Hello {
        Hello { cwd: self.path(cwd), user_home: self.path("home"), ..Hello::default() }
    }
}

async fn workspace(hello: &Hello) -> String {
    let client = Rig::new().open(hello).unwrap();
    let seen = client.call("alpha_who", json!({})).await;
    seen["result"]["structuredContent"]["workspace"].as_str().unwrap().to_string()
}

#[test]
fn the_directory_decides() {
    run(async {
        let place = Place::new();
        for (cwd, expected) in [
            ("repo/deep/er", place.path("repo")),
            ("repo", place.path("repo")),
            ("plain", place.path("plain")),
            ("home", place.path("home")),
            ("home/.codex", "~".to_string()),
            ("home/.claude", "~".to_string()),
            ("home/.codex/worktrees", "~".to_string()),
            ("home/.codex/worktrees/w/sub", place.path("home/.codex/worktrees/w")),
            ("gone", "~".to_string()),
            ("", "~".to_string()),
        ] {
            assert_eq!(workspace(&place.hello(cwd)).await, expected, "from {cwd:?}");
        }
    });
}

#[test]
fn the_flag_beats_the_project_variable_and_that_beats_the_directory() {
    run(async {
        let place = Place::new();
        let mut hello = place.hello("repo");
        hello.env.insert("CLAUDE_PROJECT_DIR".into(), place.path("plain"));
        assert_eq!(workspace(&hello).await, place.path("plain"));
        hello.flags = Flags { workspace: Some("../other".into()), ..Flags::default() };
        assert_eq!(workspace(&hello).await, place.path("other"), "relative to where the client is");
        hello.flags.workspace = None;
        hello.env.insert("CLAUDE_PROJECT_DIR".into(), place.path("gone"));
        assert_eq!(workspace(&hello).await, place.path("repo"), "a variable that leads nowhere is ignored");
        hello.flags.workspace = Some("gone".into());
        let refused = Rig::new().open(&hello).err().unwrap();
        assert!(refused.message.contains("is not a directory"), "{}", refused.message);
    });
}

#[cfg(unix)]
#[test]
fn a_symlink_leads_to_the_same_workspace() {
    run(async {
        let place = Place::new();
        std::os::unix::fs::symlink(place.path("repo"), Path::new(&place.path("alias"))).unwrap();
        assert_eq!(workspace(&place.hello("alias/deep")).await, place.path("repo"));
    });
}
