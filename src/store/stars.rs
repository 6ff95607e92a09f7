//! Stars for a text: as many as it has bytes, wherever it stands in a key, a row or a record.
//!
//! Names that packd itself gives (members of maps, fields in paths, tables) keep their letters: without them nothing
//! could be read any more.

use regex::bytes::Regex;

use super::layout;
use crate::core::reword::{self, Words};
use crate::core::{Row, msgpack};

/// Members of an operation that say what it is, not what was said.
const OWN: [&str; 14] = [
    "id",
    "seq",
    "time",
    "workspace",
    "family",
    "tool",
    "who",
    "kind",
    "status",
    "stream",
    "request_key",
    "aliases",
    "of",
    "reshapes",
];

pub(super) struct Stars(Regex);

impl Stars {
    pub fn new(pattern: Regex) -> Stars {
        Stars(pattern)
    }

    pub fn has(&self, bytes: &[u8]) -> bool {
        self.0.is_match(bytes)
    }

    fn starred(&self, bytes: &[u8]) -> Option<Vec<u8>> {
        let mut out: Option<Vec<u8>> = None;
        for found in self.0.find_iter(bytes).filter(|found| !found.is_empty()) {
            out.get_or_insert_with(|| bytes.to_vec())[found.range()].fill(b'*');
        }
        out
    }

    /// A stored row, or a whole image of one, under its key.
    pub fn row(&self, key: &[u8], stored: &[u8]) -> Option<(Vec<u8>, Vec<u8>)> {
        let found = layout::decode_stored(stored).ok()?;
        let value = reword::reworded(&found.row.value, self);
        let marks = reword::reworded(&found.row.marks, self);
        // The last eight bytes of an image's key are a number; a pattern of text does not fit one.
        let new_key = self.key(key);
        if value.is_none() && marks.is_none() && new_key.is_none() {
            return None;
        }
        let row = Row {
            value: value.unwrap_or(found.row.value),
            marks: marks.unwrap_or(found.row.marks),
            ..found.row
        };
        Some((new_key.unwrap_or_else(|| key.to_vec()), layout::encode_row(&row, found.edits)))
    }

    /// What an operation says about itself.
    pub fn meta(&self, meta: &[u8]) -> Option<Vec<u8>> {
        let fields = msgpack::fields(meta)?;
        let mut any = false;
        let new: Vec<(&str, Vec<u8>)> = fields
            .iter()
            .map(|(name, value)| {
                let new = if OWN.contains(name) { None } else { reword::reworded(value, self) };
                any |= new.is_some();
                (*name, new.unwrap_or_else(|| value.to_vec()))
            })
            .collect();
        let mut out = Vec::with_capacity(meta.len());
        msgpack::put_fields(&mut out, new.len(), new.iter().map(|(name, value)| (*name, value.as_slice())));
        any.then_some(out)
    }

    /// Only what stands in brackets: the identities of elements that users named.
    fn path(&self, path: &str) -> Option<String> {
        let mut out = String::with_capacity(path.len());
        let mut rest = path;
        while let Some(at) = rest.find('[') {
            let (field, inside) = rest.split_at(at + 1);
            let (id, after) = inside.split_at(inside.find(']').unwrap_or(inside.len()));
            out.push_str(field);
            out.push_str(&self.text(id).unwrap_or_else(|| id.to_string()));
            rest = after;
        }
        out.push_str(rest);
        (out != path).then_some(out)
    }
}

impl Words for Stars {
    fn text(&self, text: &str) -> Option<String> {
        self.starred(text.as_bytes()).map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
    }

    fn key(&self, bytes: &[u8]) -> Option<Vec<u8>> {
        self.starred(bytes)
    }

    fn name(&self, name: &str) -> Option<String> {
        let given = name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_');
        match name.contains('[') {
            true => self.path(name),
            false if given => None,
            false => self.text(name),
        }
    }

    fn member(&self, name: &str, text: &str) -> Option<String> {
        match name {
            "table" => None,
            "path" => self.path(text),
            _ => self.text(text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stars(text: &str) -> Stars {
        Stars::new(Regex::new(&regex::escape(text)).unwrap())
    }

    #[test]
    fn a_text_becomes_as_many_stars_and_names_of_packd_stay() {
        let it = stars("hunter22");
        assert_eq!(it.text("pw hunter22!").as_deref(), Some("pw ********!"));
        assert_eq!(it.text("nothing"), None);
        assert_eq!(stars("schlüssel").text("ein schlüssel").as_deref(), Some("ein **********"));
        let it = stars("note");
        assert_eq!(it.name("note"), None);
        assert_eq!(it.name("My note").as_deref(), Some("My ****"));
        assert_eq!(it.member("path", "notes[a note].note").as_deref(), Some("notes[a ****].note"));
        assert_eq!(it.member("table", "notes"), None);
    }
}
