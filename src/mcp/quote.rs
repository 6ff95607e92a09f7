//! Text as a JSON string, byte for byte as serde_json writes it, eight bytes at a time.
//!
//! A reply may hold hundreds of kilobytes of source code in one string: this is much of what it costs.

const HIGH: u64 = 0x8080_8080_8080_8080;
const ONES: u64 = 0x0101_0101_0101_0101;

/// Appends the text with its quotes.
pub fn quote(text: &str, out: &mut String) {
    out.reserve(text.len() + text.len() / 16 + 2);
    out.push('"');
    let mut rest = text;
    while let Some(at) = first_special(rest.as_bytes()) {
        let (plain, tail) = rest.split_at(at);
        out.push_str(plain);
        // A special byte is ASCII, so it is a character of its own.
        let special = tail.as_bytes()[0];
        match special {
            b'"' => out.push_str("\\\""),
            b'\\' => out.push_str("\\\\"),
            b'\n' => out.push_str("\\n"),
            b'\r' => out.push_str("\\r"),
            b'\t' => out.push_str("\\t"),
            0x08 => out.push_str("\\b"),
            0x0c => out.push_str("\\f"),
            other => {
                const HEX: &[u8; 16] = b"0123456789abcdef";
                out.push_str("\\u00");
                out.push(char::from(HEX[usize::from(other >> 4)]));
                out.push(char::from(HEX[usize::from(other & 15)]));
            }
        }
        rest = &tail[1..];
    }
    out.push_str(rest);
    out.push('"');
}

/// Where the first byte is that a JSON string must escape: a quote, a backslash or a control character.
fn first_special(bytes: &[u8]) -> Option<usize> {
    let mut chunks = bytes.chunks_exact(8);
    let mut at = 0;
    for chunk in &mut chunks {
        // The cast is exact: chunks have eight bytes.
        let word = u64::from_le_bytes(chunk.try_into().unwrap_or_default());
        // The lowest marked byte is exact; a borrow can only mark bytes above one that is special itself.
        let is = |byte: u8| {
            let x = word ^ (ONES * u64::from(byte));
            x.wrapping_sub(ONES) & !x
        };
        let control = word.wrapping_sub(ONES * 0x20) & !word;
        let special = (is(b'"') | is(b'\\') | control) & HIGH;
        if special != 0 {
            return Some(at + special.trailing_zeros() as usize / 8);
        }
        at += 8;
    }
    let special = |byte: &u8| *byte < 0x20 || *byte == b'"' || *byte == b'\\';
    chunks.remainder().iter().position(special).map(|n| at + n)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn quoted(text: &str) -> String {
        let mut out = String::new();
        quote(text, &mut out);
        out
    }

    #[test]
    fn every_character_is_written_as_serde_json_writes_it() {
        let all: String =
            (0..0x300u32).chain([0x2028, 0xd7ff, 0x1_f600]).filter_map(char::from_u32).collect();
        assert_eq!(quoted(&all), serde_json::to_string(&all).unwrap());
        for c in all.chars() {
            for before in 0..9 {
                let text = format!("{}{c}{}", "x".repeat(before), "y".repeat(9 - before));
                assert_eq!(quoted(&text), serde_json::to_string(&text).unwrap());
            }
        }
    }

    proptest! {
        #[test]
        fn any_text_is_written_as_serde_json_writes_it(text in any::<String>()) {
            prop_assert_eq!(quoted(&text), serde_json::to_string(&text).unwrap());
        }
    }
}
