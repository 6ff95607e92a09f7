//! Numbers of bytes and spans of time as people say them.

use super::text::count;

/// `512 bytes`, `1.5 kB`, `20 MB`: decimal, as disks and file managers count.
pub fn bytes(n: u64) -> String {
    const UNITS: [&str; 4] = ["kB", "MB", "GB", "TB"];
    if n < 1000 {
        return count(n, "byte");
    }
    let mut value = n as f64 / 1000.0;
    let mut unit = 0;
    while value >= 999.5 && unit + 1 < UNITS.len() {
        value /= 1000.0;
        unit += 1;
    }
    if value < 10.0 { format!("{value:.1} {}", UNITS[unit]) } else { format!("{value:.0} {}", UNITS[unit]) }
}

/// `12 s`, `3 min`, `5 h`, `2 days`.
pub fn span(seconds: u64) -> String {
    match seconds {
        0..60 => format!("{seconds} s"),
        60..3600 => format!("{} min", seconds / 60),
        3600..172_800 => format!("{} h", seconds / 3600),
        _ => format!("{} days", seconds / 86_400),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_said_in_the_unit_that_fits() {
        assert_eq!([bytes(0), bytes(1), bytes(999)], ["0 bytes", "1 byte", "999 bytes"]);
        assert_eq!([bytes(1000), bytes(1536), bytes(19_500_000)], ["1.0 kB", "1.5 kB", "20 MB"]);
        assert_eq!([bytes(999_600), bytes(3_000_000_000_000_000)], ["1.0 MB", "3000 TB"]);
    }
}
