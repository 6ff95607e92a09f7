//! Secrets of every shape through the real binaries: in requests, notes, evidence, errors, audit records and output
//! of runs. None may be found in the database, the log or an export afterwards.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use packd::core::redact::{self, MARK, Pattern};
use serde_json::{Value, json};

use crate::common::real::{Place, Process};

/// The pieces of an example that must never be stored; very short ones are parts of ordinary words.
fn secrets(pattern: &Pattern) -> Vec<String> {
    let (shown, _) = redact::text(&pattern.example);
    let kept: Vec<&str> = shown.split(MARK).collect();
    let mut rest = pattern.example.as_str();
    let mut out = Vec::new();
    for (n, part) in kept.iter().enumerate() {
        let at = if part.is_empty() && n > 0 { rest.len() } else { rest.find(part).unwrap() };
        out.extend(rest[..at].lines().filter(|l| l.len() > 8).map(str::to_string));
        rest = &rest[at + part.len()..];
    }
    out
}

/// Every file below a directory, with its path; what is no text is left out of the bytes between.
fn files(dir: &Path, out: &mut Vec<(String, String)>) {
    for entry in fs::read_dir(dir).unwrap().map(|e| e.unwrap()) {
        let kind = entry.file_type().unwrap();
        if kind.is_dir() {
            files(&entry.path(), out);
        } else if kind.is_file() {
            let bytes = fs::read(entry.path()).unwrap();
            out.push((entry.path().display().to_string(), String::from_utf8_lossy(&bytes).into_owned()));
        }
    }
}

struct Client {
    shim: Process,
    id: u64,
}

impl Client {
    fn new(place: &Place) -> Client {
        let mut shim = place.shim();
        shim.initialize();
        Client { shim, id: 0 }
    }

    /// The whole reply of a call, whether it succeeded or not.
    fn call(&mut self, tool: &str, args: Value) -> Value {
        self.id += 1;
        self.shim.send(&json!({"jsonrpc": "2.0", "id": self.id, "method": "tools/call",
                               "params": {"name": tool, "arguments": args}}));
        loop {
            let line = self.shim.reply();
            if line["id"] == self.id {
                return line["result"].clone();
            }
        }
    }

    fn ok(&mut self, tool: &str, args: Value) -> Value {
        let reply = self.call(tool, args);
        assert!(reply.is_object() && reply["isError"] != json!(true), "{tool}: {reply}");
        reply["structuredContent"].clone()
    }
}

/// Nothing in packd's home or in an export may hold any of the secrets.
fn nowhere(place: &Place, table: &[Pattern]) {
    let out = place.path().join("export");
    place.packd(&["export", out.to_str().unwrap()]).ok();
    place.packd(&["stop"]).ok();
    let mut kept = Vec::new();
    files(place.home().dir(), &mut kept);
    files(&out, &mut kept);
    assert!(kept.iter().any(|(path, _)| path.ends_with("ops.jsonl")));
    assert!(kept.iter().any(|(path, text)| path.ends_with(".redb") && text.contains(MARK)));
    for pattern in table {
        for secret in secrets(pattern) {
            for (path, text) in &kept {
                assert!(!text.contains(&secret), "{}: {secret:?} is in {path}", pattern.name);
            }
        }
    }
}

#[test]
fn what_agents_say_is_kept_without_secrets() {
    let place = Place::with_config("log = \"trace\"\n");
    let mut client = Client::new(&place);
    client.ok("tasks_create", json!({"kind": "plan", "title": "Plan"}));
    let steps = json!([{"title": "Step", "success_criteria": ["done"]}]);
    let table = redact::patterns();
    for (n, pattern) in (1..).zip(&table) {
        client
            .ok("tasks_create", json!({"kind": "task", "parent": "PLAN-001", "title": "T", "steps": steps}));
        let secret = pattern.example.as_str();
        let step = |more: Value| {
            let mut args = json!({"task": format!("TASK-{n:03}"), "path": "s:0"});
            args.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            args
        };
        client.ok("tasks_note", step(json!({"note": secret})));
        let output = json!([{"kind": "cmd_output", "command": secret, "exit_code": 1, "stdout": secret, "stderr": secret},
                            {"kind": "diff", "diff": format!("+{secret}\n")}]);
        let checks =
            json!([{"kind": "command", "spec": secret, "preview": secret, "details": {"said": secret}}]);
        let evidence = json!({"artifacts": output, "checks": checks, "verification_outcome": secret});
        client.ok("tasks_evidence_capture", step(evidence));
        client.ok("tasks_block", step(json!({"blocked": true, "reason": secret})));
        let confirmed = json!({"criteria": {"confirmed": true, "note": secret}});
        client.call("tasks_verify", step(json!({"checkpoints": confirmed})));
        // Refused by policy, unknown, misspelt: what comes back and what the audit keeps.
        let refused = [
            client.call("amof_spin_deploy", json!({"ecosystem": secret, "mode": "ask"})),
            client.call("tasks_note", json!({"task": secret, "path": secret, "note": secret})),
            client.call("history_show", json!({"id": secret})),
        ];
        for reply in refused {
            let said = reply.to_string();
            for piece in secrets(pattern) {
                assert!(!said.contains(&piece), "{}: {said}", pattern.name);
            }
        }
    }
    nowhere(&place, &table);
}

#[test]
fn what_programs_print_is_kept_without_secrets() {
    let place = Place::with_config("log = \"trace\"\n");
    let work = place.work();
    fs::create_dir_all(work.join("ecosystems/demo")).unwrap();
    fs::create_dir_all(work.join("provisioners/local")).unwrap();
    fs::write(work.join("ecosystems/demo/ecosystem.yaml"), "provisioner: local\nrepos: []\n").unwrap();
    let table = redact::patterns();
    let output: String = table.iter().map(|p| format!("-- {}\n{}\n", p.name, p.example)).collect();
    fs::write(place.path().join("output"), &output).unwrap();
    let from = place.path().join("output").display().to_string();
    let script = format!("cat {from}\ncat {from} >&2\nexit 3\n");
    fs::write(work.join("provisioners/local/spin.sh"), script).unwrap();
    let mut client = Client::new(&place);
    let staged = client.ok("amof_spin_deploy", json!({"ecosystem": "demo", "mode": "execute"}));
    let token = staged["confirmation"]["token"].clone();
    let run = client.ok("amof_confirm", json!({"token": token}))["run_id"].clone();
    let ended = client.ok("amof_get_run_status", json!({"run_id": run, "wait_seconds": 60}));
    assert_eq!(ended["status"], "failed", "{ended}");
    nowhere(&place, &table);
}

#[test]
fn an_export_is_for_its_owner_only() {
    let place = Place::new();
    let mut client = Client::new(&place);
    client.ok("tasks_create", json!({"kind": "plan", "title": "Plan"}));
    let out = place.path().join("export");
    fs::create_dir(&out).unwrap();
    fs::write(out.join("ops.jsonl"), "older").unwrap();
    fs::set_permissions(out.join("ops.jsonl"), fs::Permissions::from_mode(0o644)).unwrap();
    place.packd(&["export", out.to_str().unwrap()]).ok();
    let mut kept = Vec::new();
    files(&out, &mut kept);
    assert!(kept.len() >= 3);
    for (path, _) in kept {
        let mode = fs::metadata(&path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode, 0o600, "{path}");
    }
}
