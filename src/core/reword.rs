//! Other words in what is stored: every text of a msgpack value is put to somebody who may say it differently.
//!
//! Whatever nobody wants to change is copied byte for byte. Byte strings that are values themselves are looked into;
//! all others are keys. Knows the bytes; why a text changes, and what a record or a row is, it does not know.

use super::msgpack;

/// Values lie in each other only so deep; what lies deeper is left as it is.
const DEEP: usize = 64;

/// Who decides what a text becomes. `None` = it stays.
pub trait Words {
    fn text(&self, text: &str) -> Option<String>;
    /// The bytes of a key.
    fn key(&self, bytes: &[u8]) -> Option<Vec<u8>>;
    /// The name of a member of a map.
    fn name(&self, name: &str) -> Option<String>;
    /// The text of a member that has a meaning to the store itself.
    fn member(&self, name: &str, text: &str) -> Option<String>;
}

/// The value in other words; `None` where it stays as it is, or is no value at all.
pub fn reworded(value: &[u8], words: &dyn Words) -> Option<Vec<u8>> {
    changed(value, words, None)
}

/// The same for what the store itself has put together: members are told by their names until a value begins.
pub fn record(value: &[u8], words: &dyn Words) -> Option<Vec<u8>> {
    changed(value, words, Some(""))
}

fn changed(value: &[u8], words: &dyn Words, member: Option<&str>) -> Option<Vec<u8>> {
    if !msgpack::is_one(value) {
        return None;
    }
    let mut out = Vec::with_capacity(value.len());
    put(&mut out, value, words, member, DEEP);
    (out != value).then_some(out)
}

fn put(out: &mut Vec<u8>, value: &[u8], words: &dyn Words, member: Option<&str>, deep: usize) {
    if deep == 0 {
        return out.extend_from_slice(value);
    }
    if let Some(text) = msgpack::text(value) {
        let new = match member {
            Some(name) => words.member(name, text),
            None => words.text(text),
        };
        return match new {
            Some(new) => msgpack::put_text(out, &new),
            None => out.extend_from_slice(value),
        };
    }
    if let Some(fields) = msgpack::fields(value) {
        let new: Vec<(String, Vec<u8>)> = fields
            .iter()
            .map(|(name, value)| {
                let mut part = Vec::with_capacity(value.len());
                put(&mut part, value, words, member.map(|_| *name), deep - 1);
                (words.name(name).unwrap_or_else(|| name.to_string()), part)
            })
            .collect();
        let parts = new.iter().map(|(name, part)| (name.as_str(), part.as_slice()));
        return msgpack::put_fields(out, new.len(), parts);
    }
    if let Some(items) = msgpack::items(value) {
        let new: Vec<Vec<u8>> = items
            .iter()
            .map(|item| {
                let mut part = Vec::with_capacity(item.len());
                put(&mut part, item, words, member, deep - 1);
                part
            })
            .collect();
        return msgpack::put_items(out, new.len(), new.iter().map(Vec::as_slice));
    }
    match msgpack::bin(value) {
        // A key begins with a letter, a digit or a slash; no map, list or text does.
        Some(inner) if inner.first().is_some_and(|b| *b >= 0x80) && msgpack::is_one(inner) => {
            let mut part = Vec::with_capacity(inner.len());
            put(&mut part, inner, words, None, deep - 1);
            msgpack::put_bin(out, &part);
        }
        Some(key) => match words.key(key) {
            Some(new) => msgpack::put_bin(out, &new),
            None => out.extend_from_slice(value),
        },
        None => out.extend_from_slice(value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::change::{FieldChange, Packed, RowContent, What};
    use crate::core::{Key, RowChange, row};
    use serde_json::json;

    struct Louder;

    impl Words for Louder {
        fn text(&self, text: &str) -> Option<String> {
            text.contains("quiet").then(|| text.replace("quiet", "LOUDEST"))
        }
        fn key(&self, bytes: &[u8]) -> Option<Vec<u8>> {
            let text = String::from_utf8(bytes.to_vec()).ok()?;
            self.text(&text).map(String::into_bytes)
        }
        fn name(&self, name: &str) -> Option<String> {
            self.text(name)
        }
        fn member(&self, name: &str, text: &str) -> Option<String> {
            (name != "table").then(|| self.text(text)).flatten()
        }
    }

    #[test]
    fn every_text_is_put_and_everything_else_stays() {
        let value =
            json!({"quiet": [1, "a quiet word", {"n": null, "deep": ["quiet"]}], "z": 3.5, "t": true});
        let bytes = row::encode(&value).unwrap();
        let new = reworded(&bytes, &Louder).unwrap();
        let wanted =
            json!({"LOUDEST": [1, "a LOUDEST word", {"n": null, "deep": ["LOUDEST"]}], "z": 3.5, "t": true});
        assert_eq!(row::decode::<serde_json::Value>(&new).unwrap(), wanted);
        assert_eq!(reworded(&row::encode(&json!({"a": ["b", 7]})).unwrap(), &Louder), None);
        assert_eq!(reworded(&bytes[..bytes.len() - 1], &Louder), None, "what is cut short is left alone");
    }

    #[test]
    fn what_lies_packed_in_a_change_is_found_and_its_table_keeps_its_name() {
        let packed = |text: &str| Packed(row::encode(text).unwrap());
        let edited = FieldChange {
            path: "note".into(),
            before: Some(packed("a quiet one")),
            after: Some(Packed(row::encode(&json!({"x": "quiet"})).unwrap())),
            ..FieldChange::default()
        };
        let content = RowContent {
            value: Packed(row::encode(&json!({"x": "quiet"})).unwrap()),
            uid: Default::default(),
            lists: None,
        };
        let changes = [What::Edited(vec![edited]), What::Made(content)].map(|what| RowChange {
            table: "quiet".into(),
            key: Key::of("/quiet/place"),
            from: 1,
            to: 2,
            what,
        });
        let new = record(&row::encode(&changes[..]).unwrap(), &Louder).unwrap();
        let new: Vec<RowChange> = row::decode(&new).unwrap();
        assert!(new.iter().all(|change| change.table == "quiet"));
        assert!(new.iter().all(|change| change.key == Key::of("/LOUDEST/place")));
        let What::Edited(fields) = &new[0].what else { panic!("{new:?}") };
        assert_eq!(fields[0].before.as_ref().unwrap().json(), json!("a LOUDEST one"));
        assert_eq!(fields[0].after.as_ref().unwrap().json(), json!({"x": "LOUDEST"}));
        let What::Made(content) = &new[1].what else { panic!("{new:?}") };
        assert_eq!(content.value.json(), json!({"x": "LOUDEST"}));
    }
}
