//! Identities kept beside a row: a uid for the row and for each element of its lists, and the order of elements.
//!
//! They are never part of what a family stores or shows. What nobody has marked yet has the marks that follow from
//! its uid, so a row without any (one of an older packd) is the same to everybody who looks at it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_128;

use super::order;
use super::path;
use crate::core::msgpack;
use crate::core::shape::{Field, Shape};

/// Eighty random bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Uid([u8; 10]);

impl Uid {
    /// The uid that follows from a text which is random itself, or from another uid and a place below it.
    pub fn from(seed: &[u8], place: &str, n: u64) -> Uid {
        let mut bytes = Vec::with_capacity(seed.len() + place.len() + 9);
        bytes.extend_from_slice(seed);
        bytes.push(0);
        bytes.extend_from_slice(place.as_bytes());
        bytes.extend_from_slice(&n.to_be_bytes());
        let hash = xxh3_128(&bytes).to_be_bytes();
        let mut uid = [0; 10];
        uid.copy_from_slice(&hash[..10]);
        Uid(uid)
    }

    pub fn below(&self, place: &str, n: usize) -> Uid {
        Uid::from(&self.0, place, n as u64)
    }

    /// As it stands in paths.
    pub fn text(&self) -> String {
        data_encoding::BASE32HEX_NOPAD.encode(&self.0)
    }
}

impl Serialize for Uid {
    fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        crate::core::key::bytes::serialize(&self.0, s)
    }
}

impl<'de> Deserialize<'de> for Uid {
    fn deserialize<D: serde::Deserializer<'de>>(d: D) -> Result<Uid, D::Error> {
        let bytes = crate::core::key::bytes::deserialize(d)?;
        bytes.try_into().map(Uid).map_err(|_| serde::de::Error::custom("a uid has ten bytes"))
    }
}

/// One element of a list: who it is, and its place (empty where the list is in the order of its making).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mark(pub Uid, pub String);

/// By the path of the list, in the order of its elements.
pub type Lists = BTreeMap<String, Vec<Mark>>;

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Marks {
    pub uid: Uid,
    #[serde(default, skip_serializing_if = "Lists::is_empty")]
    pub lists: Lists,
}

impl Marks {
    /// What follows from a uid for content that nobody has marked.
    pub fn fresh(uid: Uid, shape: &Shape, value: &[u8]) -> Marks {
        let mut lists = Lists::new();
        add_fresh(&mut lists, &uid, shape, "", value);
        Marks { uid, lists }
    }

    /// The marks of one list, if they fit its elements.
    pub fn list(&self, path: &str, len: usize) -> Option<&[Mark]> {
        self.lists.get(path).map(Vec::as_slice).filter(|marks| marks.len() == len)
    }

    /// Everything below an element, by paths relative to the row.
    pub fn below(&self, element: &str) -> Lists {
        let prefix = format!("{element}.");
        let found = self.lists.range(prefix.clone()..).take_while(|(path, _)| path.starts_with(&prefix));
        found.map(|(path, marks)| (path.clone(), marks.clone())).collect()
    }

    pub fn forget_below(&mut self, element: &str) {
        for path in self.below(element).into_keys() {
            self.lists.remove(&path);
        }
    }

    /// The marks of a list and of everything in it.
    pub fn of_list(&self, list: &str) -> Lists {
        let found = self.lists.iter().filter(|(path, _)| path::within(path, list));
        found.map(|(path, marks)| (path.clone(), marks.clone())).collect()
    }

    pub fn forget_list(&mut self, list: &str) {
        self.lists.retain(|path, _| !path::within(path, list));
    }

    pub fn put(&mut self, path: &str, marks: Vec<Mark>) {
        match marks.is_empty() {
            true => drop(self.lists.remove(path)),
            false => drop(self.lists.insert(path.to_string(), marks)),
        }
    }
}

/// Adds the marks that follow from a uid for everything in a map.
pub fn add_fresh(lists: &mut Lists, uid: &Uid, shape: &Shape, prefix: &str, value: &[u8]) {
    for (name, value) in msgpack::fields(value).unwrap_or_default() {
        add_fresh_field(lists, uid, shape, prefix, name, value);
    }
}

/// The same for one field of it.
pub fn add_fresh_field(lists: &mut Lists, uid: &Uid, shape: &Shape, prefix: &str, name: &str, value: &[u8]) {
    let at = path::field(prefix, name);
    match shape.field(name) {
        Some(Field::Keyed(by, inner)) => {
            let Some(elements) = keyed(by, value) else { return };
            let mut marks = Vec::with_capacity(elements.len());
            for (n, (id, element)) in elements.into_iter().enumerate() {
                let own = uid.below(name, n);
                add_fresh(lists, &own, inner, &format!("{}.", path::element(&at, id)), element);
                marks.push(Mark(own, order::nth(n)));
            }
            if !marks.is_empty() {
                lists.insert(at, marks);
            }
        }
        Some(Field::Log) => {
            let count = msgpack::items(value).map_or(0, |items| items.len());
            if count > 0 {
                lists.insert(at, (0..count).map(|n| Mark(uid.below(name, n), String::new())).collect());
            }
        }
        Some(Field::Nested(inner)) => {
            add_fresh(lists, &uid.below(name, 0), inner, &format!("{at}."), value);
        }
        _ => {}
    }
}

/// The elements of a keyed list; `None` where one has no key or two have the same.
pub fn keyed<'a>(by: &str, list: &'a [u8]) -> Option<Vec<(&'a str, &'a [u8])>> {
    let mut out: Vec<(&str, &[u8])> = Vec::new();
    let mut seen = std::collections::HashSet::new();
    for item in msgpack::items(list)? {
        let fields = msgpack::fields(item)?;
        let id = fields.iter().find(|(name, _)| *name == by).and_then(|(_, id)| msgpack::text(id))?;
        if !seen.insert(id) {
            return None;
        }
        out.push((id, item));
    }
    Some(out)
}
