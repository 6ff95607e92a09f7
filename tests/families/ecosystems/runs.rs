//! Runs belong to the daemon: queue, log, cancel, interruption, lookup by a shortened id.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use packd::core::run::{RUNS, RunProgress, RunRow, RunStatus};
use packd::core::{AnyTool, Declared, Family, Key, Outcome};
use packd::engine::CallRequest;
use serde_json::{Value, json};

use super::rig::Rig;
use crate::common::plain;

const DEPLOY: &str = "amof_spin_deploy";

/// Starts a deployment and returns its run id without waiting.
fn start(rig: &Rig, ecosystem: &str) -> Value {
    let token = rig.token(DEPLOY, json!({"ecosystem": ecosystem}));
    rig.ok("amof_confirm", json!({"token": token}))["run_id"].clone()
}

fn until(what: &str, mut so: impl FnMut() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(30);
    while !so() {
        assert!(Instant::now() < deadline, "never happened: {what}");
        std::thread::yield_now();
    }
}

fn status(rig: &Rig, run: &Value) -> String {
    rig.ok("amof_get_run_status", json!({"run_id": run}))["status"].as_str().unwrap().to_string()
}

#[test]
fn output_is_kept_in_order_with_stream_and_level_and_without_secrets() {
    let rig = Rig::new();
    rig.write(
        "provisioners/local/spin.sh",
        "i=0\nwhile [ $i -lt 10000 ]; do i=$((i+1)); echo \"line $i\"; done\necho 'error: broken pipe' >&2\necho 'fetch https://user:hunter2@host/x and https://tok3n@host/y'\n",
    );
    let run = start(&rig, "demo");
    let ended = rig.ended(&run);
    assert_eq!(ended["status"], "success");
    assert!(ended["log_lines"].as_u64().unwrap() > 10_000);
    let page = rig.ok("amof_get_run_logs", json!({"run_id": run, "after": 4000, "tail": 5000}));
    let numbers: Vec<u64> = page["lines"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|l| l["text"].as_str().unwrap().strip_prefix("line ")?.parse().ok())
        .collect();
    assert!(numbers.len() > 4900 && numbers.windows(2).all(|w| w[1] == w[0] + 1));
    let errors = rig.ok("amof_get_run_logs", json!({"run_id": run, "level": "error"}));
    assert_eq!(errors["lines"][0]["stream"], "stderr");
    assert_eq!(errors["lines"][0]["text"], "error: broken pipe");
    let tail = rig.log(&run);
    assert!(!tail.contains("hunter2") && !tail.contains("tok3n"), "{tail}");
}

#[test]
fn cancelling_ends_the_whole_process_group() {
    let rig = Rig::new();
    let pid = rig.base().join("child.pid");
    let script = format!("sleep 600 &\necho $! > {0}.tmp && mv {0}.tmp {0}\necho up\nwait\n", pid.display());
    rig.write("provisioners/local/spin.sh", &script);
    let run = start(&rig, "demo");
    until("the script starts", || pid.exists());
    let child = std::fs::read_to_string(&pid).unwrap().trim().to_string();
    let short = run.as_str().unwrap()[..8].to_string();
    rig.ok("amof_cancel_run", json!({"run_id": short}));
    assert_eq!(rig.ended(&run)["status"], "cancelled");
    until("the child is gone", || {
        let stat = std::fs::read_to_string(format!("/proc/{child}/stat")).unwrap_or_default();
        stat.is_empty() || stat.contains(") Z ")
    });
    assert_eq!(rig.code("amof_cancel_run", json!({"run_id": run})), "run_finished");
    let status = rig.ok("amof_get_ecosystem_status", json!({"ecosystem": "demo"}));
    assert_eq!(status["deployment"]["state"], "failed");
    assert_eq!(status["deployment"]["failed"]["status"], "cancelled");
    assert_eq!(status["deployment"]["failed"]["run_id"], run);
}

#[test]
fn one_run_at_a_time_per_ecosystem_and_others_do_not_wait() {
    let rig = Rig::new();
    rig.write("ecosystems/other/ecosystem.yaml", "provisioner: quick\nrepos: []\n");
    rig.write("provisioners/quick/spin.sh", "echo quick\n");
    let go = rig.base().join("go");
    rig.write(
        "provisioners/local/spin.sh",
        &format!("while [ ! -e {} ]; do sleep 0.02; done\n", go.display()),
    );
    let first = start(&rig, "demo");
    until("the first runs", || status(&rig, &first) == "running");
    let second = start(&rig, "demo");
    let third = start(&rig, "demo");
    let other = start(&rig, "other");
    until("the other ecosystem does not wait", || status(&rig, &other) == "success");
    assert_eq!(status(&rig, &second), "queued");
    assert_eq!(rig.ok("amof_get_active_runs", json!({}))["runs"].as_array().unwrap().len(), 3);
    rig.ok("amof_cancel_run", json!({"run_id": third}));
    until("a queued run is cancelled at once", || status(&rig, &third) == "cancelled");
    std::fs::write(&go, "").unwrap();
    rig.wait();
    assert_eq!((status(&rig, &first), status(&rig, &second)), ("success".into(), "success".into()));
    let counts = rig.ok("amof_global_telemetry", json!({}));
    assert_eq!(counts["by_status"], json!({"cancelled": 1, "success": 3}));
}

#[test]
fn a_run_that_the_daemon_left_behind_is_interrupted_not_running() {
    let place = tempfile::tempdir().unwrap();
    let file = place.path().join("packd.redb");
    let rig = Rig::on_file(&file);
    rig.write("provisioners/local/spin.sh", "echo up\nsleep 600\n");
    let run = start(&rig, "demo");
    let waiting = start(&rig, "demo");
    until("it runs", || rig.log(&run).contains("up"));
    let rig = rig.restarted(&file);
    assert_eq!(status(&rig, &run), "interrupted");
    assert_eq!(status(&rig, &waiting), "interrupted");
    assert!(rig.log(&run).contains("up"), "what it said before is kept");
    assert_eq!(rig.ok("amof_get_active_runs", json!({}))["runs"], json!([]));
}

#[test]
fn waiting_for_a_run_reports_progress_and_answers_at_its_end() {
    let rig = Rig::new();
    let run = start(&rig, "demo");
    let heard = Arc::new(Mutex::new(Vec::new()));
    let ear = heard.clone();
    let mut request = CallRequest::new("amof_get_run_status", json!({"run_id": run, "wait_seconds": 60}));
    request.progress = Some(Arc::new(move |p| ear.lock().unwrap().push((p.progress, p.total))));
    let reply = rig.t.request(&rig.session, request);
    assert_eq!(reply.structured.unwrap()["status"], "success");
    let heard = heard.lock().unwrap();
    assert_eq!(heard.last(), Some(&(2.0, Some(2.0))), "{heard:?}");
    assert!(heard.windows(2).all(|w| w[0].0 < w[1].0), "progress only grows: {heard:?}");
}

/// Leaves 250 runs that ended, whose ids come after those of any real run.
struct EndedRuns;

impl Family for EndedRuns {
    fn name(&self) -> &'static str {
        "ended"
    }
    fn tools(&self) -> &'static [&'static dyn AnyTool] {
        plain::tools(&["ended_runs"], |ctx| {
            let mut draft = ctx.draft();
            for n in 0..250 {
                let row = RunRow {
                    id: format!("z{n}"),
                    root: "/elsewhere".into(),
                    subject: "demo".into(),
                    action: "sync".into(),
                    tool: "amof_sync_ecosystem".into(),
                    status: RunStatus::Success,
                    created: ctx.now,
                    started: None,
                    finished: Some(ctx.now),
                    exit_code: Some(0),
                    session: "another".into(),
                    steps: 1,
                    steps_done: 1,
                    note: String::new(),
                    cancel_asked: false,
                    program: None,
                    progress: RunProgress::default(),
                };
                draft.put(RUNS, &Key::of(&row.id), &row)?;
            }
            Ok(Outcome { quiet: true, ..draft.into_outcome() })
        })
    }
}

/// The newest run was looked for among 200 rows in the order of their ids, so with more than those nobody waited for it.
#[test]
fn the_newest_run_is_waited_for_however_many_there_are() {
    let rig = Rig::with(|options| {
        let tool = json!({"name": "ended_runs", "inputSchema": {"type": "object"},
                          "packd": {"safety": "safe-write", "gate": "own", "confirm": "none", "line": "x"}});
        options.families.push(Box::new(EndedRuns));
        options
            .tools
            .extend(Declared::parse_all(&json!({"family": "ended", "tools": [tool]}).to_string()).unwrap());
        options.tools.sort_by(|a, b| a.name.cmp(&b.name));
    });
    rig.ok("amof_set_mode", json!({"mode": "execute"}));
    rig.t.call(&rig.session, "ended_runs", json!({}));
    rig.write("provisioners/local/spin.sh", "while [ ! -e go ]; do sleep 0.01; done\n");
    let run = start(&rig, "demo");
    let begun = Instant::now();
    let told = rig.ok("amof_get_run_status", json!({"wait_seconds": 1}));
    assert_eq!(told["run_id"], run, "{told}");
    assert!(begun.elapsed() >= Duration::from_secs(1), "nobody waited");
    rig.ok("amof_cancel_run", json!({"run_id": run}));
}

#[test]
fn old_runs_are_forgotten_with_their_logs() {
    let rig = Rig::new();
    let old = start(&rig, "demo");
    rig.wait();
    rig.t.clock.advance(31 * 24 * 3600);
    let new = start(&rig, "demo");
    rig.wait();
    rig.t.block_on(rig.t.engine.sweep()).unwrap();
    let runs = rig.ok("amof_list_runs", json!({"ecosystem": "demo"}));
    assert_eq!(runs["runs"].as_array().unwrap().len(), 1);
    assert_eq!(runs["runs"][0]["run_id"], new);
    assert_eq!(rig.code("amof_get_run_logs", json!({"run_id": old})), "unknown_run");
}

#[test]
fn ids_may_be_shortened_while_unambiguous() {
    let rig = Rig::new();
    let first = start(&rig, "demo");
    rig.wait();
    let id = first.as_str().unwrap();
    assert_eq!(rig.ok("amof_get_run_status", json!({"run_id": &id[..8]}))["run_id"], id);
    assert_eq!(rig.code("amof_get_run_status", json!({"run_id": "zzzz"})), "unknown_run");
    let mut runs = vec![id.to_string()];
    while !runs.iter().any(|r| r != id && r.as_bytes()[0] == id.as_bytes()[0]) {
        runs.push(start(&rig, "demo").as_str().unwrap().to_string());
        rig.wait();
    }
    assert_eq!(rig.code("amof_get_run_status", json!({"run_id": &id[..1]})), "ambiguous_run");
}

/// Waiting for a run told everybody who knew the first letter of its id how far it was.
#[test]
fn nobody_waits_for_a_run_of_another_workspace() {
    let rig = Rig::new();
    let go = rig.base().join("go");
    let script = format!("echo secret step\nwhile [ ! -e {} ]; do sleep 0.05; done\n", go.display());
    rig.write("provisioners/local/spin.sh", &script);
    let run = start(&rig, "demo");
    until("the run starts", || status(&rig, &run) == "running");
    let elsewhere = rig.base().join("elsewhere");
    std::fs::create_dir_all(elsewhere.join("ecosystems")).unwrap();
    let stranger = rig.other("stranger", |info| {
        info.workspace = elsewhere.to_string_lossy().into_owned();
        info.tree = elsewhere.to_string_lossy().into_owned();
        info.cwd = elsewhere.clone();
        info.env.remove("AMOF_WORKSPACE_ROOT");
    });
    let told = Arc::new(Mutex::new(Vec::new()));
    let sink = told.clone();
    let mut request = CallRequest::new("amof_get_run_status", json!({"run_id": run, "wait_seconds": 3600}));
    request.progress = Some(Arc::new(move |p| sink.lock().unwrap().push(p.message)));
    // It comes back while the run goes on: nothing was waited for.
    let reply = rig.t.block_on(rig.t.engine.call(&stranger, request));
    assert!(reply.is_error && reply.text.contains("no run"), "{}", reply.text);
    assert!(told.lock().unwrap().is_empty(), "{told:?}");
    std::fs::write(go, "").unwrap();
    assert_eq!(rig.ended(&run)["status"], "success");
}
