//! What may happen to a call: a pure table of mode, safety and gate.
//!
//! Families never see the mode; the engine asks [`decide`] and obeys. The README and `packd policy` print
//! [`table`], which is computed from the same function, so the documentation cannot disagree with it.

use serde::Serialize;

use crate::core::Mode;
use crate::core::declared::{Confirm, Gate, Safety};

/// Everything a decision depends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PolicyRequest {
    /// The call's `mode` argument, else the session's mode.
    pub said: Option<Mode>,
    /// What a human allowed at most.
    pub ceiling: Option<Mode>,
    pub safety: Safety,
    pub gate: Gate,
    pub confirm: Confirm,
    /// These arguments make a writing tool read.
    pub only_reads: bool,
    /// Changes nothing but the session itself.
    pub ungated: bool,
    /// The configuration wants a person for what is dangerous, and whoever calls is none.
    pub wants_person: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    Run,
    /// The same code runs and its changes are thrown away.
    DryRun,
    Refuse {
        mode: Mode,
        reason: Reason,
    },
    /// Two phases: preview and token first, the work on confirmation.
    Confirm(Confirm),
    /// The call's own gate first, then it waits until a person agrees. Nobody gets a token.
    Person(Confirm),
}

/// Why a call is refused, which decides what the caller can do about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// Somebody said `ask`, in the call or for the session.
    Said,
    /// Nobody said a mode, and the default `ask` governs here.
    Default,
    /// A human's ceiling; no call can raise it.
    Ceiling,
}

/// The mode that governs a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Effective {
    pub mode: Mode,
    /// Somebody said it: then it governs every family. Otherwise it is the silent default.
    pub said: bool,
    /// The ceiling is what made it this low.
    pub capped: bool,
}

/// Call argument or session, else `ask`, capped by the ceiling. A ceiling that restricts counts as said; a
/// ceiling of `execute` restricts nothing and therefore says nothing.
pub fn effective(said: Option<Mode>, ceiling: Option<Mode>) -> Effective {
    let ceiling = ceiling.unwrap_or(Mode::Execute);
    let wanted = said.unwrap_or(Mode::Ask);
    Effective {
        mode: wanted.min(ceiling),
        said: said.is_some() || ceiling < Mode::Execute,
        capped: wanted > ceiling || (said.is_none() && ceiling == Mode::Ask),
    }
}

pub fn decide(request: PolicyRequest) -> Decision {
    if request.ungated || request.only_reads || request.safety == Safety::ReadOnly {
        return Decision::Run;
    }
    let effective = effective(request.said, request.ceiling);
    let person = request.wants_person && request.safety == Safety::Dangerous;
    if !effective.said && request.gate != Gate::Mode {
        return if person { Decision::Person(request.confirm) } else { Decision::Run };
    }
    match effective.mode {
        Mode::Ask => Decision::Refuse { mode: Mode::Ask, reason: reason(request, effective) },
        Mode::Plan => Decision::DryRun,
        Mode::Execute if person => Decision::Person(request.confirm),
        Mode::Execute if request.gate == Gate::Mode && request.confirm != Confirm::None => {
            Decision::Confirm(request.confirm)
        }
        Mode::Execute => Decision::Run,
    }
}

fn reason(request: PolicyRequest, effective: Effective) -> Reason {
    match request.said {
        _ if effective.capped => Reason::Ceiling,
        Some(_) => Reason::Said,
        None => Reason::Default,
    }
}

/// One line of the printed table: a class of tools and what happens in each column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PolicyRow {
    pub class: &'static str,
    pub safety: Safety,
    pub gate: Gate,
    /// In the order of [`COLUMNS`].
    pub cells: [&'static str; 5],
}

pub const COLUMNS: [&str; 5] =
    ["ask, said", "plan, said", "execute, said", "nothing said", "execute, where a person must confirm"];

/// What was said, and whether the configuration wants a person.
const SAID: [(Option<Mode>, bool); 5] = [
    (Some(Mode::Ask), false),
    (Some(Mode::Plan), false),
    (Some(Mode::Execute), false),
    (None, false),
    (Some(Mode::Execute), true),
];

const CLASSES: [(&str, Safety, Gate, Confirm); 7] = [
    ("read-only", Safety::ReadOnly, Gate::Own, Confirm::None),
    ("safe-write (packs, tasks, history)", Safety::SafeWrite, Gate::Own, Confirm::None),
    ("undo and redo of files", Safety::Dangerous, Gate::Own, Confirm::None),
    ("deploy family", Safety::Dangerous, Gate::Yes, Confirm::None),
    ("packages, writing", Safety::Dangerous, Gate::AllowWrite, Confirm::None),
    ("ecosystems, safe-write", Safety::SafeWrite, Gate::Mode, Confirm::None),
    ("ecosystems, dangerous", Safety::Dangerous, Gate::Mode, Confirm::Preview),
];

/// The whole policy, for people.
pub fn table() -> Vec<PolicyRow> {
    let row = |(class, safety, gate, confirm)| {
        let cell = |(said, wants_person)| {
            let request = PolicyRequest {
                said,
                ceiling: None,
                safety,
                gate,
                confirm,
                only_reads: false,
                ungated: false,
                wants_person,
            };
            words(decide(request), request)
        };
        PolicyRow { class, safety, gate, cells: SAID.map(cell) }
    };
    CLASSES.into_iter().map(row).collect()
}

fn words(decision: Decision, request: PolicyRequest) -> &'static str {
    match decision {
        Decision::Run => match request.gate {
            _ if request.safety == Safety::ReadOnly => "runs",
            Gate::Yes => "own gate: `yes` and confirm token",
            Gate::AllowWrite => "own gate: `--allow-write`",
            Gate::Own if request.safety == Safety::Dangerous => "own gate: `yes`",
            Gate::Own if request.said.is_none() => "runs: its own guards apply",
            Gate::Own | Gate::Mode => "runs",
        },
        Decision::DryRun if request.confirm != Confirm::None => "dry run with preview",
        Decision::DryRun => "dry run",
        Decision::Refuse { .. } => "refused, explained",
        Decision::Confirm(_) => "two-phase confirmation",
        Decision::Person(_) if request.gate == Gate::Mode => "a person confirms",
        Decision::Person(_) => "own gate, then a person confirms",
    }
}

/// How much a cell of the printed table lets through; a greater number is laxer.
pub fn laxity(cell: &str) -> u8 {
    match cell {
        "refused, explained" => 0,
        "dry run" | "dry run with preview" => 1,
        "a person confirms" | "own gate, then a person confirms" => 2,
        "two-phase confirmation" => 3,
        cell if cell.starts_with("own gate") => 4,
        _ => 5,
    }
}

/// The table as Markdown, as the README and `packd policy` show it.
#[allow(dead_code, reason = "docs are made of it")]
pub fn markdown() -> String {
    let mut out = format!("| | {} |\n|{}\n", COLUMNS.join(" | "), "---|".repeat(COLUMNS.len() + 1));
    for row in table() {
        out.push_str(&format!("| {} | {} |\n", row.class, row.cells.join(" | ")));
    }
    out
}
