//! The five checkpoints a step, node, plan or item can have confirmed, with notes and evidence.
//!
//! Stored as flat fields (`criteria_confirmed`, `tests_notes`, ...), as task files have them.

use serde::{Deserialize, Serialize};

use super::model::no;

/// One of the five things that can be confirmed about a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gate {
    Criteria,
    Tests,
    Security,
    Perf,
    Docs,
}

impl Gate {
    pub const ALL: [Gate; 5] = [Gate::Criteria, Gate::Tests, Gate::Security, Gate::Perf, Gate::Docs];

    pub fn as_str(self) -> &'static str {
        match self {
            Gate::Criteria => "criteria",
            Gate::Tests => "tests",
            Gate::Security => "security",
            Gate::Perf => "perf",
            Gate::Docs => "docs",
        }
    }

    pub fn parse(text: &str) -> Option<Self> {
        Gate::ALL.into_iter().find(|g| g.as_str() == text)
    }
}

/// Confirmations, notes and evidence references of the five checkpoints.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Gates {
    #[serde(skip_serializing_if = "no")]
    pub criteria_confirmed: bool,
    #[serde(skip_serializing_if = "no")]
    pub tests_confirmed: bool,
    #[serde(skip_serializing_if = "no")]
    pub criteria_auto_confirmed: bool,
    #[serde(skip_serializing_if = "no")]
    pub tests_auto_confirmed: bool,
    #[serde(skip_serializing_if = "no")]
    pub security_confirmed: bool,
    #[serde(skip_serializing_if = "no")]
    pub perf_confirmed: bool,
    #[serde(skip_serializing_if = "no")]
    pub docs_confirmed: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub criteria_notes: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tests_notes: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub security_notes: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub perf_notes: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub docs_notes: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub criteria_evidence_refs: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tests_evidence_refs: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub security_evidence_refs: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub perf_evidence_refs: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub docs_evidence_refs: Vec<String>,
}

impl Gates {
    /// Nothing confirmed; tests count as confirmed while there are none.
    pub fn fresh(tests: &[String]) -> Self {
        Gates { tests_auto_confirmed: tests.is_empty(), ..Gates::default() }
    }

    /// Confirmation, notes and evidence references of one checkpoint.
    fn of(&self, gate: Gate) -> (bool, &Vec<String>, &Vec<String>) {
        match gate {
            Gate::Criteria => (self.criteria_confirmed, &self.criteria_notes, &self.criteria_evidence_refs),
            Gate::Tests => (self.tests_confirmed, &self.tests_notes, &self.tests_evidence_refs),
            Gate::Security => (self.security_confirmed, &self.security_notes, &self.security_evidence_refs),
            Gate::Perf => (self.perf_confirmed, &self.perf_notes, &self.perf_evidence_refs),
            Gate::Docs => (self.docs_confirmed, &self.docs_notes, &self.docs_evidence_refs),
        }
    }

    fn of_mut(&mut self, gate: Gate) -> (&mut bool, &mut Vec<String>, &mut Vec<String>) {
        let s = self;
        match gate {
            Gate::Criteria => {
                (&mut s.criteria_confirmed, &mut s.criteria_notes, &mut s.criteria_evidence_refs)
            }
            Gate::Tests => (&mut s.tests_confirmed, &mut s.tests_notes, &mut s.tests_evidence_refs),
            Gate::Security => {
                (&mut s.security_confirmed, &mut s.security_notes, &mut s.security_evidence_refs)
            }
            Gate::Perf => (&mut s.perf_confirmed, &mut s.perf_notes, &mut s.perf_evidence_refs),
            Gate::Docs => (&mut s.docs_confirmed, &mut s.docs_notes, &mut s.docs_evidence_refs),
        }
    }

    pub fn confirmed(&self, gate: Gate) -> bool {
        self.of(gate).0
    }

    pub fn auto(&self, gate: Gate) -> bool {
        match gate {
            Gate::Criteria => self.criteria_auto_confirmed,
            Gate::Tests => self.tests_auto_confirmed,
            _ => false,
        }
    }

    /// Is this checkpoint behind us?
    pub fn ok(&self, gate: Gate) -> bool {
        self.confirmed(gate) || (gate == Gate::Tests && self.tests_auto_confirmed)
    }

    pub fn set(&mut self, gate: Gate, confirmed: bool) {
        *self.of_mut(gate).0 = confirmed;
    }

    pub fn notes(&self, gate: Gate) -> &Vec<String> {
        self.of(gate).1
    }

    pub fn notes_mut(&mut self, gate: Gate) -> &mut Vec<String> {
        self.of_mut(gate).1
    }

    pub fn refs(&self, gate: Gate) -> &Vec<String> {
        self.of(gate).2
    }

    pub fn refs_mut(&mut self, gate: Gate) -> &mut Vec<String> {
        self.of_mut(gate).2
    }

    /// The root criteria or tests were replaced: what was confirmed about the old list is void.
    pub fn reset(&mut self, gate: Gate, list_is_empty: bool) {
        self.set(gate, false);
        if gate == Gate::Tests {
            self.tests_auto_confirmed = list_is_empty;
        }
    }
}
