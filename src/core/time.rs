//! Points in time, in UTC, as text that every contract can be built from.

use serde::{Deserialize, Serialize};

use super::{Error, Result};

/// Microseconds since 1970 in UTC; the finest grain any contract shows is six digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, Default)]
#[serde(transparent)]
pub struct Timestamp(pub i64);

impl Timestamp {
    pub fn from_seconds(s: i64) -> Self {
        Timestamp(s.saturating_mul(1_000_000))
    }

    pub fn seconds(self) -> i64 {
        self.0.div_euclid(1_000_000)
    }

    pub fn micros(self) -> i64 {
        self.0
    }

    #[must_use]
    pub fn plus_seconds(self, s: i64) -> Self {
        Timestamp(self.0.saturating_add(s.saturating_mul(1_000_000)))
    }

    /// As an unsigned number for keys; times before 1970 sort as 1970.
    pub fn sortable(self) -> u64 {
        self.0.max(0).unsigned_abs()
    }

    pub fn parse(text: &str) -> Result<Self> {
        text.parse::<jiff::Timestamp>()
            .map(|t| Timestamp(t.as_microsecond()))
            .map_err(|e| Error::invalid("invalid_data", format!("'{text}' is not an RFC 3339 time: {e}.")))
    }

    fn civil(self) -> (jiff::civil::DateTime, i64) {
        let t = jiff::Timestamp::from_microsecond(self.0).unwrap_or(jiff::Timestamp::MAX);
        (jiff::tz::Offset::UTC.to_datetime(t), self.0.rem_euclid(1_000_000))
    }

    /// `2026-11-16T04:07:57` followed by a fraction of 0, 3 or 6 digits, without a zone.
    fn base(self) -> String {
        let (d, micros) = self.civil();
        let fraction = match micros {
            0 => String::new(),
            m if m % 1000 == 0 => format!(".{:03}", m / 1000),
            m => format!(".{m:06}"),
        };
        format!(
            "{:04}-{:02}-{:02}T{:02}:{:02}:{:02}{fraction}",
            d.year(),
            d.month(),
            d.day(),
            d.hour(),
            d.minute(),
            d.second()
        )
    }

    /// RFC 3339 ending in `Z`.
    pub fn zulu(self) -> String {
        self.base() + "Z"
    }

    /// `20261116-040757`, for file names.
    pub fn compact(self) -> String {
        let digits = |text: &str| text.chars().filter(char::is_ascii_digit).collect::<String>();
        let text = self.base();
        // A date of ten characters, a `T`, a time of eight.
        format!("{}-{}", digits(&text[..10]), digits(&text[11..19]))
    }

    /// RFC 3339 ending in `+00:00`.
    pub fn offset(self) -> String {
        self.base() + "+00:00"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_forms_round_trip() {
        for (text, zulu) in [
            ("2026-11-16T04:07:57Z", "2026-11-16T04:07:57Z"),
            ("2026-11-16T04:07:57.120Z", "2026-11-16T04:07:57.120Z"),
            ("2026-11-16T05:07:57.000001+01:00", "2026-11-16T04:07:57.000001Z"),
        ] {
            let t = Timestamp::parse(text).unwrap();
            assert_eq!(t.zulu(), zulu);
            assert_eq!(Timestamp::parse(&t.offset()).unwrap(), t);
        }
        assert_eq!(Timestamp::parse("2026-11-16T04:07:57.120Z").unwrap().compact(), "20261116-040757");
        assert!(Timestamp::parse("yesterday").is_err());
    }
}
