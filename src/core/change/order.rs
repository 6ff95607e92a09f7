//! Fractional order: texts between any two of which there is always another.
//!
//! A key is a whole number (its first letter says how many digits) and then a fraction. Appending counts the
//! whole number up, so keys stay short however long a list gets; only inserting between neighbours adds digits.

const DIGITS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const BASE: u64 = 62;

/// The key of the n-th element of a list that was made at once.
pub fn nth(n: usize) -> String {
    let mut left = n as u64;
    let (mut digits, mut room) = (1usize, BASE);
    while left >= room {
        left -= room;
        digits += 1;
        room *= BASE;
    }
    let mut out = vec![b'a' + digits as u8 - 1];
    for place in (0..digits).rev() {
        let unit = BASE.pow(place as u32);
        out.push(DIGITS[(left / unit) as usize]);
        left %= unit;
    }
    letters(out)
}

/// A key after one and before another; either may be missing. The two must be in order.
pub fn between(after: Option<&str>, before: Option<&str>) -> String {
    match (after, before) {
        (None, None) => nth(0),
        (Some(after), None) => next(after),
        // Before the first whole number there is none: a fraction of the letter below every number.
        (None, Some(before)) => midpoint("Z", before),
        (Some(after), Some(before)) => {
            let next = next(after);
            if next.as_str() < before { next } else { midpoint(after, before) }
        }
    }
}

/// The whole number after a key's.
fn next(key: &str) -> String {
    let bytes = key.as_bytes();
    let digits = match bytes.first() {
        Some(first @ b'a'..=b'z') => usize::from(first - b'a') + 1,
        // Keys below every whole number come before the first one.
        _ => return nth(0),
    };
    let mut out = bytes[..(digits + 1).min(bytes.len())].to_vec();
    for place in (1..out.len()).rev() {
        let at = DIGITS.iter().position(|d| *d == out[place]).unwrap_or(0);
        if at + 1 < DIGITS.len() {
            out[place] = DIGITS[at + 1];
            return letters(out);
        }
        out[place] = DIGITS[0];
    }
    let mut longer = vec![b'a' + digits as u8];
    longer.extend(std::iter::repeat_n(DIGITS[0], digits + 1));
    letters(longer)
}

/// A text strictly between two, by digits; neither ends with the lowest digit in its fraction.
fn midpoint(after: &str, before: &str) -> String {
    let value =
        |text: &str, at: usize| text.as_bytes().get(at).and_then(|b| DIGITS.iter().position(|d| d == b));
    let mut out = Vec::new();
    let mut at = 0;
    // As long as the upper bound is met digit by digit it binds; after that anything goes.
    let mut bound = true;
    loop {
        let low = value(after, at).unwrap_or(0);
        let high = if bound { value(before, at).unwrap_or(DIGITS.len()) } else { DIGITS.len() };
        if high > low + 1 {
            out.push(DIGITS[low.midpoint(high).max(low + 1)]);
            return letters(out);
        }
        out.push(DIGITS[low]);
        bound = bound && high == low;
        at += 1;
    }
}

fn letters(bytes: Vec<u8>) -> String {
    // Only digits and letters are ever pushed.
    String::from_utf8(bytes).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_always_a_key_between_and_appending_stays_short() {
        let keys: Vec<_> = (0..5000).map(nth).collect();
        assert!(keys.windows(2).all(|w| w[0] < w[1]));
        assert!(keys.iter().all(|k| k.len() <= 4));
        let mut last = nth(0);
        for _ in 0..5000 {
            let more = between(Some(&last), None);
            assert!(more > last && more.len() <= 4, "{more} after {last}");
            last = more;
        }
        // Always into the same gap, from both sides, and always to the front.
        let (mut low, mut high) = (nth(0), nth(1));
        for n in 0..200 {
            let mid = between(Some(&low), Some(&high));
            assert!(low < mid && mid < high, "{low} {mid} {high}");
            if n % 2 == 0 { low = mid } else { high = mid }
        }
        let mut first = nth(0);
        for _ in 0..200 {
            let before = between(None, Some(&first));
            assert!(before < first, "{before} before {first}");
            first = before;
        }
        let after = between(Some(&first), Some(&nth(0)));
        assert!(first < after && after < nth(0));
    }
}
