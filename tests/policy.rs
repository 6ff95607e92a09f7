//! The whole policy matrix, spelt out a second time by hand from the rules a user reads.

use packd::core::Mode;
use packd::core::tool::{Confirm, Gate, Safety};
use packd::policy::{self, Decision, Reason, Request};

const MODES: [Option<Mode>; 4] = [None, Some(Mode::Ask), Some(Mode::Plan), Some(Mode::Execute)];
const SAFETIES: [Safety; 3] = [Safety::ReadOnly, Safety::SafeWrite, Safety::Dangerous];
const GATES: [Gate; 4] = [Gate::Own, Gate::Yes, Gate::AllowWrite, Gate::Mode];
const CONFIRMS: [Confirm; 4] = [Confirm::None, Confirm::Simple, Confirm::Preview, Confirm::Type];

fn every(mut check: impl FnMut(Request)) {
    for said in MODES {
        for ceiling in MODES {
            for safety in SAFETIES {
                for gate in GATES {
                    for confirm in CONFIRMS {
                        for (only_reads, ungated) in
                            [(false, false), (true, false), (false, true), (true, true)]
                        {
                            check(Request { said, ceiling, safety, gate, confirm, only_reads, ungated });
                        }
                    }
                }
            }
        }
    }
}

/// What may at most happen: the caller's mode, under the human's ceiling.
fn most(request: &Request) -> Mode {
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
        let expected = if reads {
            Decision::Run
        } else if silent && request.gate != Gate::Mode {
            Decision::Run
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
                Mode::Execute if request.gate != Gate::Mode => Decision::Run,
                Mode::Execute if request.confirm == Confirm::None => Decision::Run,
                Mode::Execute => Decision::Confirm(request.confirm),
            }
        };
        assert_eq!(decision, expected, "{request:?}");
    });
    assert_eq!(seen, 4 * 4 * 3 * 4 * 4 * 4);
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
            assert!(!matches!(decision, Decision::Run | Decision::Confirm(_)), "{request:?} {decision:?}");
        }
    });
}

#[test]
fn the_printed_table_is_the_table_of_the_design() {
    insta::assert_snapshot!(policy::markdown(), @r"
    | | ask, said | plan, said | execute, said | nothing said |
    |---|---|---|---|---|
    | read-only | runs | runs | runs | runs |
    | safe-write (packs, tasks, history) | refused, explained | dry run | runs | runs: its own guards apply |
    | deploy family | refused, explained | dry run | own gate: `yes` and confirm token | own gate: `yes` and confirm token |
    | packages, writing | refused, explained | dry run | own gate: `--allow-write` | own gate: `--allow-write` |
    | ecosystems, safe-write | refused, explained | dry run | runs | refused, explained |
    | ecosystems, dangerous | refused, explained | dry run with preview | two-phase confirmation | refused, explained |
    ");
}
