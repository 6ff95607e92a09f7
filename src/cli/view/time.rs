//! Times as people read them: how long ago, or the clock of this place, or UTC where it was asked for.

use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::size::span;

/// How times are shown.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum TimeStyle {
    #[default]
    Relative,
    Local,
    Utc,
}

/// Younger than this is now.
const NOW: i64 = 5;
/// Older than this, a date says more than a number of days.
const LONG_AGO: i64 = 30 * 86_400;

/// A time of the wire (RFC 3339) for people; what is no time is shown as it is.
pub fn shown(text: &str, clock: TimeStyle, now: Timestamp) -> String {
    let Ok(time) = text.parse::<Timestamp>() else { return text.to_string() };
    match clock {
        TimeStyle::Utc => time.to_zoned(TimeZone::UTC).strftime("%Y-%m-%d %H:%M:%S UTC").to_string(),
        TimeStyle::Local => time.to_zoned(TimeZone::system()).strftime("%Y-%m-%d %H:%M:%S").to_string(),
        TimeStyle::Relative => relative(time, now),
    }
}

fn relative(time: Timestamp, now: Timestamp) -> String {
    let ago = now.as_second() - time.as_second();
    match ago {
        _ if ago.abs() <= NOW => "just now".to_string(),
        LONG_AGO.. => time.to_zoned(TimeZone::system()).strftime("%Y-%m-%d").to_string(),
        0.. => format!("{} ago", span(ago.unsigned_abs())),
        // What is left of a minute counts as one: half an hour that has just begun is not 29 minutes.
        ..-60 => format!("in {}", span(ago.unsigned_abs().div_ceil(60) * 60)),
        _ => format!("in {}", span(ago.unsigned_abs())),
    }
}

/// What a person calls a time in the past: `90s`, `15m`, `1h`, `2d`, a date, a date and time of this place, or an
/// ISO time.
pub fn since(text: &str, now: Timestamp) -> Option<Timestamp> {
    let text = text.trim();
    if let Some((number, unit)) = text.len().checked_sub(1).and_then(|at| text.split_at_checked(at)) {
        let seconds = match unit {
            "s" => Some(1),
            "m" => Some(60),
            "h" => Some(3600),
            "d" => Some(86_400),
            _ => None,
        };
        if let (Some(seconds), Ok(n)) = (seconds, number.parse::<u32>()) {
            let ago = i64::from(n).checked_mul(seconds)?;
            return Timestamp::from_second(now.as_second().checked_sub(ago)?).ok();
        }
    }
    let here = TimeZone::system();
    text.parse::<Timestamp>()
        .ok()
        .or_else(|| {
            text.parse::<jiff::civil::DateTime>().ok()?.to_zoned(here.clone()).ok().map(|z| z.timestamp())
        })
        .or_else(|| text.parse::<jiff::civil::Date>().ok()?.to_zoned(here).ok().map(|z| z.timestamp()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    #[test]
    fn the_past_is_told_by_its_distance() {
        let now = at("2026-11-18T12:00:00Z");
        let told = |text| shown(text, TimeStyle::Relative, now);
        assert_eq!(told("2026-11-18T11:59:58Z"), "just now");
        assert_eq!(told("2026-11-18T11:59:20Z"), "40 s ago");
        assert_eq!(told("2026-11-18T11:57:00Z"), "3 min ago");
        assert_eq!(told("2026-11-17T11:00:00Z"), "25 h ago");
        assert_eq!(told("2026-11-08T11:00:00Z"), "10 days ago");
        assert_eq!(told("2026-11-18T12:05:00Z"), "in 5 min");
        assert_eq!(shown("2026-11-18T11:59:58Z", TimeStyle::Utc, now), "2026-11-18 11:59:58 UTC");
        assert_eq!(told("soon"), "soon");
    }

    #[test]
    fn a_time_is_understood_as_it_is_said() {
        let now = at("2026-11-18T12:00:00Z");
        assert_eq!(since("90s", now), Some(at("2026-11-18T11:58:30Z")));
        assert_eq!(since("15m", now), Some(at("2026-11-18T11:45:00Z")));
        assert_eq!(since("1h", now), Some(at("2026-11-18T11:00:00Z")));
        assert_eq!(since("2d", now), Some(at("2026-11-16T12:00:00Z")));
        assert_eq!(since("2026-11-18T10:00:00Z", now), Some(at("2026-11-18T10:00:00Z")));
        assert!(since("2026-11-17", now).is_some());
        for wrong in ["", "h", "yesterday", "-1h", "1w", "12:00", "é"] {
            assert_eq!(since(wrong, now), None, "{wrong}");
        }
    }
}
