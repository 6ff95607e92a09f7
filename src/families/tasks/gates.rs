//! The five checkpoints a step, node, plan or item can have confirmed, with notes and evidence.
//!
//! In memory they are an array by [`Gate`]. Rows and task files have them as flat fields beside all others
//! (`criteria_confirmed`, `tests_notes`, …), in the order of [`FIELDS`]; that form is written and read here alone.

use serde::de::{MapAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

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
pub struct Gates([Checkpoint; 5]);

impl Gates {
    /// Nothing confirmed; tests count as confirmed while there are none.
    pub fn fresh(tests: &[String]) -> Self {
        let mut gates = Gates::default();
        gates.set_auto(Gate::Tests, tests.is_empty());
        gates
    }

    pub fn of(&self, gate: Gate) -> &Checkpoint {
        &self.0[gate as usize]
    }

    pub fn of_mut(&mut self, gate: Gate) -> &mut Checkpoint {
        &mut self.0[gate as usize]
    }

    pub fn confirmed(&self, gate: Gate) -> bool {
        self.of(gate).confirmed
    }

    pub fn auto(&self, gate: Gate) -> bool {
        self.of(gate).auto
    }

    /// Is this checkpoint behind us?
    pub fn ok(&self, gate: Gate) -> bool {
        self.confirmed(gate) || (gate == Gate::Tests && self.auto(gate))
    }

    pub fn set_auto(&mut self, gate: Gate, auto: bool) {
        self.of_mut(gate).auto = auto;
    }

    /// The root criteria or tests were replaced: what was confirmed about the old list is void.
    pub fn reset(&mut self, gate: Gate, list_is_empty: bool) {
        let checkpoint = self.of_mut(gate);
        checkpoint.confirmed = false;
        if gate == Gate::Tests {
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
const STORED: [(&str, Gate, Facet); 17] = [
    ("criteria_confirmed", Gate::Criteria, Facet::Confirmed),
    ("tests_confirmed", Gate::Tests, Facet::Confirmed),
    ("criteria_auto_confirmed", Gate::Criteria, Facet::Auto),
    ("tests_auto_confirmed", Gate::Tests, Facet::Auto),
    ("security_confirmed", Gate::Security, Facet::Confirmed),
    ("perf_confirmed", Gate::Perf, Facet::Confirmed),
    ("docs_confirmed", Gate::Docs, Facet::Confirmed),
    ("criteria_notes", Gate::Criteria, Facet::Notes),
    ("tests_notes", Gate::Tests, Facet::Notes),
    ("security_notes", Gate::Security, Facet::Notes),
    ("perf_notes", Gate::Perf, Facet::Notes),
    ("docs_notes", Gate::Docs, Facet::Notes),
    ("criteria_evidence_refs", Gate::Criteria, Facet::Evidence),
    ("tests_evidence_refs", Gate::Tests, Facet::Evidence),
    ("security_evidence_refs", Gate::Security, Facet::Evidence),
    ("perf_evidence_refs", Gate::Perf, Facet::Evidence),
    ("docs_evidence_refs", Gate::Docs, Facet::Evidence),
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

impl Serialize for Gates {
    /// Only what differs from nothing is written.
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let says = |(_, gate, facet): &&(&str, Gate, Facet)| {
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

impl<'de> Deserialize<'de> for Gates {
    /// Asked for by name, so that inside a larger map only these fields are taken.
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_struct("Gates", &FIELDS, Stored)
    }
}

struct Stored;

impl<'de> Visitor<'de> for Stored {
    type Value = Gates;

    fn expecting(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.write_str("the fields of five checkpoints")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Gates, A::Error> {
        let mut gates = Gates::default();
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
        gates: Gates,
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
