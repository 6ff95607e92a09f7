//! Row keys: a sequence of parts whose byte order is the order of the parts.
//!
//! A text part ends with a zero byte (0 and 1 inside are escaped), a number is eight bytes, big end first; so
//! `prefix` of a key is always a whole number of parts and ranges over a prefix never leak into a neighbour.

use serde::{Deserialize, Serialize};

/// Built part by part: `Key::of(workspace).text("pk_…")`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
pub struct Key(#[serde(with = "bytes")] Vec<u8>);

impl Key {
    pub fn empty() -> Self {
        Key(Vec::new())
    }

    pub fn of(text: &str) -> Self {
        Key::empty().text(text)
    }

    #[must_use]
    pub fn text(mut self, text: &str) -> Self {
        for &b in text.as_bytes() {
            match b {
                0 | 1 => self.0.extend_from_slice(&[1, b + 1]),
                _ => self.0.push(b),
            }
        }
        self.0.push(0);
        self
    }

    #[must_use]
    pub fn number(mut self, n: u64) -> Self {
        self.0.extend_from_slice(&n.to_be_bytes());
        self
    }

    /// A number that sorts the other way round: newest first.
    #[must_use]
    pub fn number_desc(self, n: u64) -> Self {
        self.number(u64::MAX - n)
    }

    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    pub fn from_bytes(bytes: &[u8]) -> Self {
        Key(bytes.to_vec())
    }

    pub fn starts_with(&self, prefix: &Key) -> bool {
        self.0.starts_with(&prefix.0)
    }

    /// Reads the parts back in the order they were written.
    pub fn parts(&self) -> KeyParts<'_> {
        KeyParts(&self.0)
    }

    #[must_use]
    pub fn join(mut self, tail: &Key) -> Key {
        self.0.extend_from_slice(&tail.0);
        self
    }

    /// The first byte string after every key with this prefix; `None` if there is none.
    pub fn prefix_end(&self) -> Option<Vec<u8>> {
        let mut end = self.0.clone();
        while let Some(last) = end.pop() {
            if last < 0xFF {
                end.push(last + 1);
                return Some(end);
            }
        }
        None
    }
}

pub struct KeyParts<'a>(&'a [u8]);

impl KeyParts<'_> {
    pub fn text(&mut self) -> Option<String> {
        let mut out = Vec::new();
        let mut i = 0;
        loop {
            match *self.0.get(i)? {
                0 => {
                    self.0 = &self.0[i + 1..];
                    return String::from_utf8(out).ok();
                }
                1 => {
                    out.push(self.0.get(i + 1)?.checked_sub(1)?);
                    i += 2;
                }
                b => {
                    out.push(b);
                    i += 1;
                }
            }
        }
    }

    pub fn number(&mut self) -> Option<u64> {
        let (head, tail) = self.0.split_first_chunk::<8>()?;
        self.0 = tail;
        Some(u64::from_be_bytes(*head))
    }
}

/// Byte strings in msgpack as `bin`, not as an array of numbers.
pub mod bytes {
    use serde::{Deserializer, Serializer, de::Visitor};

    pub fn serialize<S: Serializer>(value: &[u8], s: S) -> Result<S::Ok, S::Error> {
        s.serialize_bytes(value)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(d: D) -> Result<Vec<u8>, D::Error> {
        struct Bytes;
        impl<'de> Visitor<'de> for Bytes {
            type Value = Vec<u8>;
            fn expecting(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
                f.write_str("bytes")
            }
            fn visit_bytes<E>(self, v: &[u8]) -> Result<Vec<u8>, E> {
                Ok(v.to_vec())
            }
            fn visit_byte_buf<E>(self, v: Vec<u8>) -> Result<Vec<u8>, E> {
                Ok(v)
            }
            fn visit_seq<A: serde::de::SeqAccess<'de>>(self, mut seq: A) -> Result<Vec<u8>, A::Error> {
                let mut out = Vec::new();
                while let Some(b) = seq.next_element()? {
                    out.push(b);
                }
                Ok(out)
            }
        }
        d.deserialize_byte_buf(Bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_come_back_and_order_is_the_order_of_the_parts() {
        let key = Key::of("a\0b").number(7).text("ü").number_desc(3);
        let mut parts = key.parts();
        assert_eq!(parts.text().as_deref(), Some("a\0b"));
        assert_eq!(parts.number(), Some(7));
        assert_eq!(parts.text().as_deref(), Some("ü"));
        assert_eq!(parts.number(), Some(u64::MAX - 3));
        assert_eq!(parts.text(), None);
        assert!(Key::of("a").number(2) < Key::of("a").number(10));
        assert!(Key::of("a").number_desc(10) < Key::of("a").number_desc(2));
        assert!(Key::of("a") < Key::of("a\0"), "a text sorts before its own extension");
        assert!(!Key::of("ab").starts_with(&Key::of("a")), "a prefix never leaks into a longer text");
    }
}
