//! Parts of a msgpack value without decoding it: where a map's fields and a list's elements begin and end.
//!
//! Rows are compared and put together by these parts, so what nobody touched is copied byte for byte.

/// The fields of a map in their order; `None` for anything else, and for a map whose keys are not text.
pub fn fields(bytes: &[u8]) -> Option<Vec<(&str, &[u8])>> {
    let (count, mut rest) = header(bytes, 0x80, 0xde, 0xdf)?;
    let mut out = Vec::with_capacity(count.min(64));
    for _ in 0..count {
        let name;
        (name, rest) = split(rest)?;
        let value;
        (value, rest) = split(rest)?;
        out.push((text(name)?, value));
    }
    Some(out)
}

/// The elements of a list; `None` for anything else.
pub fn items(bytes: &[u8]) -> Option<Vec<&[u8]>> {
    let (count, mut rest) = header(bytes, 0x90, 0xdc, 0xdd)?;
    let mut out = Vec::with_capacity(count.min(1024));
    for _ in 0..count {
        let item;
        (item, rest) = split(rest)?;
        out.push(item);
    }
    Some(out)
}

/// A text value.
pub fn text(bytes: &[u8]) -> Option<&str> {
    let (start, len) = match *bytes.first()? {
        b @ 0xa0..=0xbf => (1, usize::from(b & 0x1f)),
        0xd9 => (2, number(bytes, 1)?),
        0xda => (3, number(bytes, 2)?),
        0xdb => (5, number(bytes, 4)?),
        _ => return None,
    };
    std::str::from_utf8(bytes.get(start..start + len)?).ok()
}

pub fn put_fields<'a>(out: &mut Vec<u8>, count: usize, fields: impl Iterator<Item = (&'a str, &'a [u8])>) {
    put_header(out, count, 0x80, 0xde, 0xdf);
    for (name, value) in fields {
        put_text(out, name);
        out.extend_from_slice(value);
    }
}

pub fn put_items<'a>(out: &mut Vec<u8>, count: usize, items: impl Iterator<Item = &'a [u8]>) {
    put_header(out, count, 0x90, 0xdc, 0xdd);
    items.for_each(|item| out.extend_from_slice(item));
}

pub fn put_text(out: &mut Vec<u8>, text: &str) {
    let len = text.len();
    match len {
        0..=31 => out.push(0xa0 | len as u8),
        32..=0xff => out.extend_from_slice(&[0xd9, len as u8]),
        0x100..=0xffff => {
            out.push(0xda);
            out.extend_from_slice(&(len as u16).to_be_bytes());
        }
        _ => {
            out.push(0xdb);
            out.extend_from_slice(&(len as u32).to_be_bytes());
        }
    }
    out.extend_from_slice(text.as_bytes());
}

/// The bytes of a byte string.
pub fn bin(bytes: &[u8]) -> Option<&[u8]> {
    let (start, len) = match *bytes.first()? {
        0xc4 => (2, number(bytes, 1)?),
        0xc5 => (3, number(bytes, 2)?),
        0xc6 => (5, number(bytes, 4)?),
        _ => return None,
    };
    bytes.get(start..start + len)
}

pub fn put_bin(out: &mut Vec<u8>, bytes: &[u8]) {
    let len = bytes.len();
    match len {
        0..=0xff => out.extend_from_slice(&[0xc4, len as u8]),
        0x100..=0xffff => {
            out.push(0xc5);
            out.extend_from_slice(&(len as u16).to_be_bytes());
        }
        _ => {
            out.push(0xc6);
            out.extend_from_slice(&(len as u32).to_be_bytes());
        }
    }
    out.extend_from_slice(bytes);
}

/// Whether the bytes are one whole value and nothing else.
pub fn is_one(bytes: &[u8]) -> bool {
    length(bytes) == Some(bytes.len())
}

/// How many parts a map or list has, and where the first begins.
fn header(bytes: &[u8], fix: u8, short: u8, long: u8) -> Option<(usize, &[u8])> {
    let first = *bytes.first()?;
    let (count, at) = match first {
        b if b & 0xf0 == fix => (usize::from(b & 0x0f), 1),
        b if b == short => (number(bytes, 2)?, 3),
        b if b == long => (number(bytes, 4)?, 5),
        _ => return None,
    };
    Some((count, bytes.get(at..)?))
}

fn put_header(out: &mut Vec<u8>, count: usize, fix: u8, short: u8, long: u8) {
    match count {
        0..=15 => out.push(fix | count as u8),
        16..=0xffff => {
            out.push(short);
            out.extend_from_slice(&(count as u16).to_be_bytes());
        }
        _ => {
            out.push(long);
            out.extend_from_slice(&(count as u32).to_be_bytes());
        }
    }
}

/// The first value and what follows it.
fn split(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    bytes.split_at_checked(length(bytes)?)
}

/// How many bytes the first value takes.
fn length(bytes: &[u8]) -> Option<usize> {
    let (mut at, mut left) = (0usize, 1usize);
    while left > 0 {
        left -= 1;
        let here = bytes.get(at..)?;
        let (own, below) = match *here.first()? {
            0x00..=0x7f | 0xc0..=0xc3 | 0xe0..=0xff => (1, 0),
            b @ 0x80..=0x8f => (1, 2 * usize::from(b & 0x0f)),
            b @ 0x90..=0x9f => (1, usize::from(b & 0x0f)),
            b @ 0xa0..=0xbf => (1 + usize::from(b & 0x1f), 0),
            0xc4 | 0xd9 => (2 + number(here, 1)?, 0),
            0xc5 | 0xda => (3 + number(here, 2)?, 0),
            0xc6 | 0xdb => (5 + number(here, 4)?, 0),
            0xc7 => (3 + number(here, 1)?, 0),
            0xc8 => (4 + number(here, 2)?, 0),
            0xc9 => (6 + number(here, 4)?, 0),
            0xcc | 0xd0 => (2, 0),
            0xcd | 0xd1 => (3, 0),
            0xca | 0xce | 0xd2 => (5, 0),
            0xcb | 0xcf | 0xd3 => (9, 0),
            b @ 0xd4..=0xd8 => (2 + (1 << (b - 0xd4)), 0),
            0xdc => (3, number(here, 2)?),
            0xdd => (5, number(here, 4)?),
            0xde => (3, 2 * number(here, 2)?),
            0xdf => (5, 2 * number(here, 4)?),
        };
        at += own;
        left += below;
    }
    (at <= bytes.len()).then_some(at)
}

/// The number of `width` bytes behind the first one.
fn number(bytes: &[u8], width: usize) -> Option<usize> {
    Some(bytes.get(1..1 + width)?.iter().fold(0, |n, b| n << 8 | usize::from(*b)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn parts_put_together_again_are_the_same_bytes() {
        let long = "x".repeat(70_000);
        let many: Vec<u32> = (0..70_000).collect();
        let value = json!({"a": 1, "b": [1, "two", null, 3.5, {"c": true}], "d": long, "e": many, "f": -7,
            "g": "y".repeat(200), "h": "z".repeat(300)});
        let bytes = crate::core::row::encode(&value).unwrap();
        let parts = fields(&bytes).unwrap();
        assert_eq!(
            parts.iter().map(|(name, _)| *name).collect::<Vec<_>>(),
            ["a", "b", "d", "e", "f", "g", "h"]
        );
        let mut again = Vec::new();
        put_fields(&mut again, parts.len(), parts.iter().copied());
        assert_eq!(again, bytes);
        for (_, list) in parts.iter().filter(|(name, _)| ["b", "e"].contains(name)) {
            let parts = items(list).unwrap();
            let mut again = Vec::new();
            put_items(&mut again, parts.len(), parts.into_iter());
            assert_eq!(again, *list);
        }
        assert_eq!(fields(&bytes[..bytes.len() - 1]), None, "what is cut short has no parts");
        assert_eq!(items(&bytes), None);
    }
}
