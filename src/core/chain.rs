//! The hash chain of the audit stream: the digest of a record covers its canonical JSON and the digest before it.
//!
//! Whoever changes, removes, adds or moves a record breaks every digest after it. A chain that was computed anew
//! from some record on, or that ends early, looks whole: only an earlier export can show that. Nothing here
//! knows where records or digests are kept.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};
use sha2::{Digest as _, Sha256};

use super::{Op, OpKind, OpStatus, canonical};

pub type Digest = [u8; 32];

/// Stands before the first record.
pub const START: Digest = [0; 32];

/// The tool of a record that says which records were blanked, and the member of its data that lists their numbers.
pub const FORGET: &str = "forget";
pub const BLANKED: &str = "blanked";

/// What a chain cannot show, for whoever is told that it is whole.
pub const LIMITS: &str = "A chain shows changed, added, removed and moved records. It cannot show that everything was written anew, or that the newest records were cut off: compare with an earlier export for that.";

/// An audit record as it is hashed and exported. Members are named here one by one, so that a new field of an
/// operation, or another way to store one, changes no digest; what is empty is left out.
pub fn record(op: &Op) -> Value {
    let mut out = Map::new();
    out.insert("number".into(), json!(op.seq));
    out.insert("id".into(), json!(op.id));
    out.insert("time".into(), json!(op.time.zulu()));
    out.insert("workspace".into(), json!(op.workspace));
    out.insert("family".into(), json!(op.family));
    out.insert("tool".into(), json!(op.tool));
    out.insert("session".into(), json!(op.who.session));
    out.insert("client".into(), json!(op.who.client));
    out.insert("summary".into(), json!(op.summary));
    for (name, list) in [("targets", &op.targets), ("paths", &op.paths), ("aliases", &op.aliases)] {
        if !list.is_empty() {
            out.insert(name.into(), json!(list));
        }
    }
    for (name, value) in [("request", &op.request), ("data", &op.data), ("trace", &op.trace)] {
        if !value.is_null() {
            out.insert(name.into(), value.clone());
        }
    }
    for (name, text) in [("request_key", &op.request_key), ("irreversible", &op.irreversible)] {
        if let Some(text) = text {
            out.insert(name.into(), json!(text));
        }
    }
    // An audit record undoes nothing and is done when it is written.
    if op.kind != OpKind::Do {
        out.insert("kind".into(), json!(op.kind));
    }
    if op.status != OpStatus::Done {
        out.insert("status".into(), json!(op.status));
    }
    if op.forgotten {
        out.insert("forgotten".into(), json!(true));
    }
    Value::Object(out)
}

/// The digest of a record that follows another.
pub fn link(previous: &Digest, record: &Value) -> Digest {
    let mut hash = Sha256::new();
    hash.update(previous);
    hash.update(canonical::text(record));
    hash.finalize().into()
}

/// One line of an export, without its end.
pub fn line(previous: &Digest, digest: Option<&Digest>, record: &Value) -> String {
    let digest = digest.map(hex);
    canonical::text(&json!({"digest": digest, "previous": hex(previous), "record": record}))
}

fn unhex(text: &str) -> Option<Digest> {
    data_encoding::HEXLOWER.decode(text.as_bytes()).ok()?.try_into().ok()
}

fn hex(digest: &Digest) -> String {
    data_encoding::HEXLOWER.encode(digest)
}

/// The first record that is not as it was chained.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Broken {
    /// Its place among the lines, from 1.
    pub line: u64,
    pub number: Option<u64>,
    pub id: Option<String>,
    pub why: &'static str,
}

/// Reads the lines of an export in order and stops at the first that does not fit.
///
/// A record of which something was forgotten no longer has what its digest was made of. Its digest is taken as it
/// stands, so the chain goes on, if a later record says that it was blanked.
pub struct Reading {
    previous: Digest,
    number: u64,
    pub count: u64,
    /// Blanked records, by number, that no later record has named yet; with their lines and ids.
    unnamed: BTreeMap<u64, (u64, String)>,
    pub blanked: u64,
}

impl Default for Reading {
    fn default() -> Self {
        Reading { previous: START, number: 0, count: 0, unnamed: BTreeMap::new(), blanked: 0 }
    }
}

impl Reading {
    pub fn take(&mut self, line: &str) -> Result<(), Broken> {
        let broken = |value: &Value, why| Broken {
            line: self.count + 1,
            number: value["record"]["number"].as_u64(),
            id: value["record"]["id"].as_str().map(str::to_string),
            why,
        };
        let Ok(value) = serde_json::from_str::<Value>(line) else {
            return Err(broken(&Value::Null, "the line is not JSON"));
        };
        let (record, number) = (&value["record"], value["record"]["number"].as_u64());
        if !record["id"].is_string() {
            return Err(broken(&value, "the record is missing or cannot be read"));
        }
        if !value["digest"].is_string() {
            return Err(broken(&value, "it has no digest, so it was not chained when it was made"));
        }
        let blanked = record["forgotten"] == true;
        let digest = match blanked {
            true => value["digest"].as_str().and_then(unhex).unwrap_or(START),
            false => link(&self.previous, record),
        };
        if value["previous"].as_str() != Some(&hex(&self.previous)) {
            let why = match self.count {
                0 => "it does not begin the chain: what was before it is missing",
                _ => "it does not follow the record before it: something was removed, added or moved there",
            };
            return Err(broken(&value, why));
        }
        if value["digest"].as_str() != Some(&hex(&digest)) {
            return Err(broken(
                &value,
                "it is not what its digest was made of: the record or its digest was changed",
            ));
        }
        if line != self::line(&self.previous, Some(&digest), record) {
            return Err(broken(&value, "the line is not in the form it was written in"));
        }
        match number {
            Some(number) if number > self.number => self.number = number,
            _ => return Err(broken(&value, "its number is not higher than the one before")),
        }
        self.previous = digest;
        self.count += 1;
        if blanked {
            self.blanked += 1;
            let id = record["id"].as_str().unwrap_or_default().to_string();
            self.unnamed.insert(self.number, (self.count, id));
        } else if record["tool"] == FORGET {
            let named = record["data"][BLANKED].as_array().into_iter().flatten().filter_map(Value::as_u64);
            named.for_each(|number| drop(self.unnamed.remove(&number)));
        }
        Ok(())
    }

    /// What can only be said at the end: a blanked record that nobody answers for.
    pub fn end(&self) -> Result<(), Broken> {
        match self.unnamed.iter().next() {
            None => Ok(()),
            Some((number, (line, id))) => Err(Broken {
                line: *line,
                number: Some(*number),
                id: Some(id.clone()),
                why: "it was blanked, and no later record says that it was to be forgotten",
            }),
        }
    }
}
