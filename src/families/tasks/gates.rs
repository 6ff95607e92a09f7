//! The five checkpoints a step, node, plan or item can have confirmed, with notes and evidence.
//!
//! In memory they are an array by [`CheckpointKind`]. Rows and task files have them as flat fields beside all others
//! (`criteria_confirmed`, `tests_notes`, …), in the order of [`FIELDS`]; that form is written and read here alone.

use serde::de::{MapAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// One of the five things that can be confirmed about a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CheckpointKind {
    Criteria,
    Tests,
    Security,
    Perf,
    Docs,
}

impl CheckpointKind {
    pub const ALL: [CheckpointKind; 5] = [
        CheckpointKind::Criteria,
        CheckpointKind::Tests,
        CheckpointKind::Security,
        CheckpointKind::Perf,
        CheckpointKind::Docs,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            CheckpointKind::Criteria => "criteria",
            CheckpointKind::Tests => "tests",
            CheckpointKind::Security => "security",
            CheckpointKind::Perf => "perf",
            CheckpointKind::Docs => "docs",
        }
    }

    pub fn parse(text: &str) -> Option<Self> {
        CheckpointKind::ALL.into_iter().find(|g| g.as_str() == text)
    }
}

/// What is known about one checkpoint.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Checkpoint {
    pub confirmed: bool,
    /// Counts as confirmed because there is nothing to confirm.
    pub auto: bool,
    pub notes: Vec<String>,
    /// Digests of the evidence it was confirmed with.
    pub evidence: Vec<String>,
}

/// Confirmations, notes and evidence references of the five checkpoints.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CheckpointSet([Checkpoint; 5]);

impl CheckpointSet {
    /// Nothing confirmed; tests count as confirmed while there are none.
    pub fn fresh(tests: &[String]) -> Self {
        let mut gates = CheckpointSet::default();
        gates.set_auto(CheckpointKind::Tests, tests.is_empty());
        gates
    }

    pub fn of(&self, gate: CheckpointKind) -> &Checkpoint {
        &self.0[gate as usize]
    }

    pub fn of_mut(&mut self, gate: CheckpointKind) -> &mut Checkpoint {
        &mut self.0[gate as usize]
    }

    pub fn confirmed(&self, gate: CheckpointKind) -> bool {
        self.of(gate).confirmed
    }

    pub fn auto(&self, gate: CheckpointKind) -> bool {
        self.of(gate).auto
    }

    /// Is this checkpoint behind us?
    pub fn ok(&self, gate: CheckpointKind) -> bool {
        self.confirmed(gate) || (gate == CheckpointKind::Tests && self.auto(gate))
    }

    pub fn set_auto(&mut self, gate: CheckpointKind, auto: bool) {
        self.of_mut(gate).auto = auto;
    }

    /// The root criteria or tests were replaced: what was confirmed about the old list is void.
    pub fn reset(&mut self, gate: CheckpointKind, list_is_empty: bool) {
        let checkpoint = self.of_mut(gate);
        checkpoint.confirmed = false;
        if gate == CheckpointKind::Tests {
            checkpoint.auto = list_is_empty;
        }
    }
}

/// What a stored field says about its checkpoint.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Facet {
    Confirmed,
    Auto,
    Notes,
    Evidence,
}

/// Every stored field in the order in which it is written. Only criteria and tests can be automatic.
const STORED: [(&str, CheckpointKind, Facet); 17] = [
    ("criteria_confirmed", CheckpointKind::Criteria, Facet::Confirmed),
    ("tests_confirmed", CheckpointKind::Tests, Facet::Confirmed),
    ("criteria_auto_confirmed", CheckpointKind::Criteria, Facet::Auto),
    ("tests_auto_confirmed", CheckpointKind::Tests, Facet::Auto),
    ("security_confirmed", CheckpointKind::Security, Facet::Confirmed),
    ("perf_confirmed", CheckpointKind::Perf, Facet::Confirmed),
    ("docs_confirmed", CheckpointKind::Docs, Facet::Confirmed),
    ("criteria_notes", CheckpointKind::Criteria, Facet::Notes),
    ("tests_notes", CheckpointKind::Tests, Facet::Notes),
    ("security_notes", CheckpointKind::Security, Facet::Notes),
    ("perf_notes", CheckpointKind::Perf, Facet::Notes),
    ("docs_notes", CheckpointKind::Docs, Facet::Notes),
    ("criteria_evidence_refs", CheckpointKind::Criteria, Facet::Evidence),
    ("tests_evidence_refs", CheckpointKind::Tests, Facet::Evidence),
    ("security_evidence_refs", CheckpointKind::Security, Facet::Evidence),
    ("perf_evidence_refs", CheckpointKind::Perf, Facet::Evidence),
    ("docs_evidence_refs", CheckpointKind::Docs, Facet::Evidence),
];

/// The names alone, as a reader of a flat map asks for them.
const FIELDS: [&str; 17] = {
    let mut names = [""; 17];
    let mut i = 0;
    while i < names.len() {
        names[i] = STORED[i].0;
        i += 1;
    }
    names
};

impl Serialize for CheckpointSet {
    /// Only what differs from nothing is written.
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let says = |(_, gate, facet): &&(&str, CheckpointKind, Facet)| {
            let c = self.of(*gate);
            match facet {
                Facet::Confirmed => c.confirmed,
                Facet::Auto => c.auto,
                Facet::Notes => !c.notes.is_empty(),
                Facet::Evidence => !c.evidence.is_empty(),
            }
        };
        let mut map = to.serialize_map(Some(STORED.iter().filter(says).count()))?;
        for (name, gate, facet) in STORED.iter().filter(says) {
            let c = self.of(*gate);
            match facet {
                Facet::Confirmed | Facet::Auto => map.serialize_entry(name, &true)?,
                Facet::Notes => map.serialize_entry(name, &c.notes)?,
                Facet::Evidence => map.serialize_entry(name, &c.evidence)?,
            }
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for CheckpointSet {
    /// Asked for by name, so that inside a larger map only these fields are taken.
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_struct("CheckpointSet", &FIELDS, Stored)
    }
}

struct Stored;

impl<'de> Visitor<'de> for Stored {
    type Value = CheckpointSet;

    fn expecting(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.write_str("the fields of five checkpoints")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<CheckpointSet, A::Error> {
        let mut gates = CheckpointSet::default();
        while let Some(name) = map.next_key::<String>()? {
            match STORED.iter().find(|(stored, ..)| *stored == name) {
                Some((_, gate, Facet::Confirmed)) => gates.of_mut(*gate).confirmed = map.next_value()?,
                Some((_, gate, Facet::Auto)) => gates.of_mut(*gate).auto = map.next_value()?,
                Some((_, gate, Facet::Notes)) => gates.of_mut(*gate).notes = map.next_value()?,
                Some((_, gate, Facet::Evidence)) => gates.of_mut(*gate).evidence = map.next_value()?,
                None => drop(map.next_value::<serde::de::IgnoredAny>()?),
            }
        }
        Ok(gates)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::core::row;

    /// The form in which the first release stored them.
    #[derive(Default, Serialize, Deserialize)]
    #[serde(default)]
    struct Flat {
        title: String,
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        criteria_confirmed: bool,
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        tests_confirmed: bool,
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        criteria_auto_confirmed: bool,
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        tests_auto_confirmed: bool,
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        security_confirmed: bool,
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        perf_confirmed: bool,
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        docs_confirmed: bool,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        criteria_notes: Vec<String>,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        tests_notes: Vec<String>,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        security_notes: Vec<String>,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        perf_notes: Vec<String>,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        docs_notes: Vec<String>,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        criteria_evidence_refs: Vec<String>,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        tests_evidence_refs: Vec<String>,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        security_evidence_refs: Vec<String>,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        perf_evidence_refs: Vec<String>,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        docs_evidence_refs: Vec<String>,
    }

    #[derive(Default, Serialize, Deserialize)]
    #[serde(default)]
    struct Holder {
        title: String,
        #[serde(flatten)]
        gates: CheckpointSet,
        #[serde(flatten)]
        extra: serde_json::Map<String, serde_json::Value>,
    }

    #[test]
    fn the_array_is_stored_byte_for_byte_as_the_flat_fields_were() {
        let mut all = json!({"title": "t"});
        let mut sets = vec![all.clone()];
        for (name, _, facet) in STORED {
            let list = matches!(facet, Facet::Notes | Facet::Evidence);
            all[name] = if list { json!([name, "b"]) } else { json!(true) };
            let mut one = json!({"title": "t"});
            one[name] = all[name].clone();
            sets.push(one);
        }
        sets.push(all);
        for set in sets {
            let flat: Flat = serde_json::from_value(set.clone()).unwrap();
            let held: Holder = serde_json::from_value(set.clone()).unwrap();
            assert!(held.extra.is_empty(), "taken out of the rest: {:?}", held.extra);
            assert_eq!(serde_json::to_string(&held).unwrap(), serde_json::to_string(&flat).unwrap());
            let stored = row::encode(&flat).unwrap();
            // A flattened map is written without its length beforehand, as it always was.
            let again: Holder = row::decode(&stored).unwrap();
            assert_eq!(again.gates, held.gates);
            assert_eq!(row::encode(&again).unwrap(), stored, "{set}");
        }
    }
}
