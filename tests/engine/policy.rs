//! The whole policy matrix, spelt out a second time by hand from the rules a user reads.

use packd::core::ctx::ErrorCtx;
use packd::core::declared::{Confirm, Gate, Safety};
use packd::core::{AnyTool, Ctx, Declared, Error, Family, Key, Mode, Outcome, Record, Reply, Table};
use packd::policy::{self, Decision, PolicyRequest, Reason};
use serde_json::json;

use crate::common::engine::{TestEngine, person, session_info};
use crate::common::plain;

const MODES: [Option<Mode>; 4] = [None, Some(Mode::Ask), Some(Mode::Plan), Some(Mode::Execute)];
const SAFETIES: [Safety; 3] = [Safety::ReadOnly, Safety::SafeWrite, Safety::Dangerous];
const GATES: [Gate; 4] = [Gate::Own, Gate::Yes, Gate::AllowWrite, Gate::Mode];
const CONFIRMS: [Confirm; 4] = [Confirm::None, Confirm::Simple, Confirm::Preview, Confirm::Type];

fn every(mut check: impl FnMut(PolicyRequest)) {
    for said in MODES {
        for ceiling in MODES {
            for safety in SAFETIES {
                for gate in GATES {
                    for confirm in CONFIRMS {
                        for (only_reads, ungated) in
                            [(false, false), (true, false), (false, true), (true, true)]
                        {
                            for wants_person in [false, true] {
                                check(PolicyRequest {
                                    said,
                                    ceiling,
                                    safety,
                                    gate,
                                    confirm,
                                    only_reads,
                                    ungated,
                                    wants_person,
                                });
                            }
                        }
                    }
                }
            }
        }
    }
}

/// What may at most happen: the caller's mode, under the human's ceiling.
fn most(request: &PolicyRequest) -> Mode {
    let wanted = request.said.unwrap_or(Mode::Ask);
    request.ceiling.map_or(wanted, |c| if c < wanted { c } else { wanted })
}

#[test]
fn the_full_matrix_holds() {
    let mut seen = 0;
    every(|request| {
        seen += 1;
        let decision = policy::decide(request);
        let reads = request.safety == Safety::ReadOnly || request.only_reads || request.ungated;
        let silent = request.said.is_none() && matches!(request.ceiling, None | Some(Mode::Execute));
        let person = request.wants_person && request.safety == Safety::Dangerous;
        let expected = if reads || (silent && request.gate != Gate::Mode && !person) {
            Decision::Run
        } else if silent && request.gate != Gate::Mode {
            Decision::Person(request.confirm)
        } else {
            match most(&request) {
                Mode::Ask => {
                    let reason = match (request.said, request.ceiling) {
                        (Some(Mode::Ask), _) => Reason::Said,
                        (_, Some(Mode::Ask)) => Reason::Ceiling,
                        _ => Reason::Default,
                    };
                    Decision::Refuse { mode: Mode::Ask, reason }
                }
                Mode::Plan => Decision::DryRun,
                Mode::Execute if person => Decision::Person(request.confirm),
                Mode::Execute if request.gate != Gate::Mode => Decision::Run,
                Mode::Execute if request.confirm == Confirm::None => Decision::Run,
                Mode::Execute => Decision::Confirm(request.confirm),
            }
        };
        assert_eq!(decision, expected, "{request:?}");
    });
    assert_eq!(seen, 4 * 4 * 3 * 4 * 4 * 4 * 2);
}

#[test]
fn no_call_gets_past_a_ceiling() {
    every(|request| {
        if request.only_reads || request.ungated || request.safety == Safety::ReadOnly {
            return;
        }
        let decision = policy::decide(request);
        if matches!(request.ceiling, Some(Mode::Ask)) {
            assert!(matches!(decision, Decision::Refuse { .. }), "{request:?} {decision:?}");
        }
        if matches!(request.ceiling, Some(Mode::Plan)) {
            let acts = matches!(decision, Decision::Run | Decision::Confirm(_) | Decision::Person(_));
            assert!(!acts, "{request:?} {decision:?}");
        }
    });
}

/// Where a person must confirm, nothing dangerous runs by itself, whatever its gate and whatever was said.
#[test]
fn nothing_dangerous_runs_where_a_person_must_confirm() {
    every(|request| {
        let writes = !request.only_reads && !request.ungated;
        if writes && request.wants_person && request.safety == Safety::Dangerous {
            let decision = policy::decide(request);
            assert!(!matches!(decision, Decision::Run | Decision::Confirm(_)), "{request:?} {decision:?}");
        }
    });
}

#[test]
fn the_printed_table_is_the_table_of_the_design() {
    insta::assert_snapshot!(policy::markdown(), @r"
    | | ask, said | plan, said | execute, said | nothing said | execute, where a person must confirm |
    |---|---|---|---|---|---|
    | read-only | runs | runs | runs | runs | runs |
    | safe-write (packs, tasks, history) | refused, explained | dry run | runs | runs: its own guards apply | runs |
    | undo and redo of files | refused, explained | dry run | own gate: `yes` | own gate: `yes` | own gate, then a person confirms |
    | deploy family | refused, explained | dry run | own gate: `yes` and confirm token | own gate: `yes` and confirm token | own gate, then a person confirms |
    | packages, writing | refused, explained | dry run | own gate: `--allow-write` | own gate: `--allow-write` | own gate, then a person confirms |
    | ecosystems, safe-write | refused, explained | dry run | runs | refused, explained | runs |
    | ecosystems, dangerous | refused, explained | dry run with preview | two-phase confirmation | refused, explained | a person confirms |
    ");
}

const PROBES: [&str; 8] = [
    "probe_safe_write_own",
    "probe_safe_write_yes",
    "probe_safe_write_allow_write",
    "probe_safe_write_mode",
    "probe_dangerous_own",
    "probe_dangerous_yes",
    "probe_dangerous_allow_write",
    "probe_dangerous_mode",
];

/// A family whose tools do nothing but leave a row, one for every safety and gate.
struct Probe;

const ROWS: Table = Table("probe");

impl Family for Probe {
    fn name(&self) -> &'static str {
        "probe"
    }

    fn tables(&self) -> &'static [Table] {
        &[ROWS]
    }

    fn tools(&self) -> &'static [&'static dyn AnyTool] {
        plain::tools(&PROBES, leave_a_row)
    }
    fn render_error(&self, error: &Error, _ctx: &ErrorCtx) -> Reply {
        Reply::json(json!({"code": error.code, "details": error.details})).error()
    }
}

fn leave_a_row(ctx: &Ctx) -> packd::core::Result<Outcome> {
    let mut draft = ctx.draft();
    draft.put(ROWS, &Key::of("row"), &ctx.call.tool)?;
    let mut outcome = draft.into_outcome();
    outcome.record = Record { summary: "Left a row.".into(), ..Record::default() };
    outcome.reply = Reply::json(json!({"preview": ctx.call.preview}));
    Ok(outcome)
}

fn probe_tools() -> Vec<Declared> {
    let mut tools = Vec::new();
    for safety in ["safe-write", "dangerous"] {
        for gate in ["own", "yes", "allow-write", "mode"] {
            let confirm = if safety == "dangerous" && gate == "mode" { "simple" } else { "none" };
            tools.push(json!({
                "name": format!("probe_{}_{}", safety.replace('-', "_"), gate.replace('-', "_")),
                "inputSchema": {"type": "object", "properties": {"mode": {"type": "string"}}},
                "packd": {"safety": safety, "gate": gate, "confirm": confirm, "line": "x"},
            }));
        }
    }
    Declared::parse_all(&json!({"family": "probe", "tools": tools}).to_string()).unwrap()
}

/// What really happens in the engine, for a mode said in the call, for the session, by a flag, or not at all.
#[test]
fn the_engine_does_what_the_table_says() {
    let ways: [(&str, Option<Mode>); 4] = [
        ("nothing", None),
        ("ask", Some(Mode::Ask)),
        ("plan", Some(Mode::Plan)),
        ("execute", Some(Mode::Execute)),
    ];
    for tool in probe_tools() {
        for (word, mode) in ways {
            for by in ["call", "session", "flag"] {
                let t = TestEngine::with_family(Box::new(Probe), probe_tools());
                let mut info = session_info("s", "/w");
                let mut args = json!({});
                match (by, mode) {
                    ("call", Some(_)) => args["mode"] = json!(word),
                    ("flag", _) => info.mode = mode,
                    _ => {}
                }
                let session = t.open(info);
                if let ("session", Some(_)) = (by, mode) {
                    t.ok(&session, "amof_set_mode", json!({"mode": word}));
                }
                let reply = t.call(&session, &tool.name, args);
                let wrote = t.ok(&session, "history_list", json!({}))["operations"] != json!([]);
                let told = reply.structured.unwrap();
                let at = format!("{} with {word} said by {by}: {told}", tool.name);
                let by_mode = tool.rules.gate == Gate::Mode;
                match mode {
                    None if !by_mode => assert!(wrote, "{at}"),
                    None | Some(Mode::Ask) => {
                        assert!(!wrote && told["code"] == "mode_denied", "{at}");
                        assert_eq!(told["details"]["switch"]["tool"], "amof_set_mode", "{at}");
                    }
                    Some(Mode::Plan) => assert!(!wrote && told["preview"] == true, "{at}"),
                    Some(Mode::Execute) if by_mode && tool.rules.safety == Safety::Dangerous => {
                        assert!(!wrote && told["status"] == "confirmation_required", "{at}");
                    }
                    Some(Mode::Execute) => assert!(wrote && told["preview"] == false, "{at}"),
                }
            }
        }
    }
}

/// The same where a person must confirm: whatever is dangerous waits, and then runs by the person's word alone.
#[test]
fn the_engine_asks_a_person_about_whatever_is_dangerous() {
    for tool in probe_tools() {
        for mode in [None, Some("execute")] {
            let t = TestEngine::build(|options| {
                options.families.push(Box::new(Probe));
                options.tools.extend(probe_tools());
                options.tools.sort_by(|a, b| a.name.cmp(&b.name));
                options.human_confirms = true;
            });
            let session = t.session("s", "/w");
            let args = mode.map_or(json!({}), |mode| json!({"mode": mode}));
            let reply = t.call(&session, &tool.name, args);
            let wrote = || t.ok(&session, "history_list", json!({}))["operations"] != json!([]);
            let told = reply.structured.unwrap();
            let at = format!("{} with {mode:?}: {told}", tool.name);
            let silent = mode.is_none() && tool.rules.gate == Gate::Mode;
            if silent || tool.rules.safety != Safety::Dangerous {
                assert_eq!(wrote(), !silent, "{at}");
                continue;
            }
            assert!(!wrote() && told["code"] == "needs_human", "{at}");
            assert!(!told.to_string().contains("amof_confirm"), "{at}");
            let id = told["details"]["confirmation"]["id"].clone();
            let refused = t.err(&session, "amof_confirm", json!({"token": id}));
            assert_eq!(refused["error"]["code"], "confirm_needs_human", "{at}");
            let person = t.open(person("terminal", "/elsewhere"));
            t.ok(&person, "amof_confirm", json!({"token": id}));
            assert!(wrote(), "{at}");
            let decided = t.ok(&session, "amof_list_pending", json!({"id": id}));
            assert_eq!(decided["decided"][0]["status"], "done", "{decided}");
            assert_eq!(decided["pending"], json!([]), "{decided}");
        }
    }
}

/// The matrix of the contract, tool by tool.
#[test]
fn ecosystem_tools_have_the_classes_of_the_contract() {
    let tools = packd::daemon::assemble::declared().unwrap();
    let of = |name: &str| {
        let rules =
            &tools.iter().find(|t| t.name == name).unwrap_or_else(|| panic!("{name} is missing")).rules;
        (rules.safety, rules.confirm)
    };
    for (name, safety, confirm) in [
        ("amof_list_ecosystems", Safety::ReadOnly, Confirm::None),
        ("amof_get_server_status", Safety::ReadOnly, Confirm::None),
        ("amof_install_ecosystem", Safety::Dangerous, Confirm::Simple),
        ("amof_push_ecosystem", Safety::Dangerous, Confirm::Simple),
        ("amof_spin_deploy", Safety::Dangerous, Confirm::Preview),
        ("amof_spin_destroy", Safety::Dangerous, Confirm::Type),
        ("amof_discard_ecosystem", Safety::Dangerous, Confirm::Type),
        ("amof_release_bump", Safety::Dangerous, Confirm::Preview),
        ("amof_release_promote", Safety::Dangerous, Confirm::Preview),
    ] {
        assert_eq!(of(name), (safety, confirm), "{name}");
    }
    let end = tools.iter().find(|t| t.name == "amof_ticket_end").unwrap();
    let args = |v: serde_json::Value| v.as_object().unwrap().clone();
    assert_eq!(end.safety(&args(json!({"cleanup": true}))), (Safety::Dangerous, Confirm::Simple));
    assert_eq!(end.safety(&args(json!({}))), (Safety::SafeWrite, Confirm::None));
}
