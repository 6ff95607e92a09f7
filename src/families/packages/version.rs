//! Versions: semver, plus the Python-style versions that existing registries hold.
//!
//! A version keeps the text it was published under, because archives are looked up by that text; order and
//! ranges look at the numbers only.

use std::cmp::Ordering;

use semver::Prerelease;

/// Where a bound lies among texts that mean the same version (`1.0` and `1.0.0`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Edge {
    Low,
    Real,
    High,
}

#[derive(Debug, Clone)]
pub struct Version {
    text: String,
    epoch: u64,
    release: Vec<u64>,
    /// Empty = a final release.
    pre: Prerelease,
    post: u64,
    edge: Edge,
}

impl Version {
    pub fn parse(text: &str) -> Result<Version, String> {
        let bad =
            || format!("'{text}' is not a version; use MAJOR.MINOR.PATCH, such as 1.2.3 or 2.0.0-beta.1");
        let body = text.strip_prefix(['v', 'V']).unwrap_or(text);
        let (body, build) = body.split_once('+').map_or((body, None), |(b, x)| (b, Some(x)));
        if build.is_some_and(|b| semver::BuildMetadata::new(b).is_err() || b.is_empty()) {
            return Err(bad());
        }
        let (epoch, body) = match body.split_once('!') {
            Some((epoch, rest)) => (epoch.parse().map_err(|_| bad())?, rest),
            None => (0, body),
        };
        let numbers = body.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(body.len());
        let (mut digits, mut tail) = body.split_at(numbers);
        if let Some(shorter) = digits.strip_suffix('.').filter(|_| !tail.is_empty()) {
            (digits, tail) = (shorter, &body[numbers - 1..]);
        }
        let release: Option<Vec<u64>> = digits.split('.').map(|n| n.parse().ok()).collect();
        let release = release.filter(|r| !r.is_empty() && r.len() <= 8).ok_or_else(bad)?;
        let (pre, post) = suffix(tail, release.len()).ok_or_else(bad)?;
        Ok(Version { text: text.to_string(), epoch, release, pre, post, edge: Edge::Real })
    }

    pub fn as_str(&self) -> &str {
        &self.text
    }

    pub fn is_pre_release(&self) -> bool {
        !self.pre.is_empty()
    }

    pub fn numbers(&self) -> &[u64] {
        &self.release
    }

    fn at(&self, edge: Edge) -> Version {
        Version { edge, ..self.clone() }
    }

    /// Before every text that means this version.
    pub fn low(&self) -> Version {
        self.at(Edge::Low)
    }

    /// After every text that means this version.
    pub fn high(&self) -> Version {
        self.at(Edge::High)
    }

    /// Before this version and, where it is a final release, before all its pre-releases.
    pub fn floor(&self) -> Version {
        let mut out = self.low();
        if out.pre.is_empty() {
            // "0" is the lowest identifier of semver.
            out.pre = Prerelease::new("0").unwrap_or(Prerelease::EMPTY);
        }
        out
    }

    /// `MAJOR.MINOR.PATCH` with these numbers.
    pub fn of(numbers: [u64; 3]) -> Version {
        let [a, b, c] = numbers;
        Version {
            text: format!("{a}.{b}.{c}"),
            epoch: 0,
            release: numbers.to_vec(),
            pre: Prerelease::EMPTY,
            post: 0,
            edge: Edge::Real,
        }
    }
}

/// Pre-release and post-release number of what follows the digits.
fn suffix(tail: &str, numbers: usize) -> Option<(Prerelease, u64)> {
    if tail.is_empty() {
        return Some((Prerelease::EMPTY, 0));
    }
    if let Some(semver) = tail.strip_prefix('-').filter(|_| numbers == 3)
        && let Ok(pre) = Prerelease::new(semver)
    {
        return (!pre.is_empty()).then_some((pre, 0));
    }
    let lower = tail.to_ascii_lowercase();
    let word = lower.trim_start_matches(['.', '-', '_']);
    let split = word.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(word.len());
    let (name, number) = word.split_at(split);
    let number = number.trim_start_matches(['.', '-', '_']);
    let n: u64 = if number.is_empty() { 0 } else { number.parse().ok()? };
    let pre = match name {
        "a" | "alpha" => format!("alpha.{n}"),
        "b" | "beta" => format!("beta.{n}"),
        "c" | "rc" | "pre" | "preview" => format!("rc.{n}"),
        // Before every named pre-release: numeric identifiers sort first.
        "dev" => format!("0.dev.{n}"),
        "post" | "rev" | "r" => return Some((Prerelease::EMPTY, n + 1)),
        "" if tail.starts_with('-') => return Some((Prerelease::EMPTY, n + 1)),
        _ => return None,
    };
    Prerelease::new(&pre).ok().map(|pre| (pre, 0))
}

impl Ord for Version {
    fn cmp(&self, other: &Self) -> Ordering {
        let length = self.release.len().max(other.release.len());
        let at = |v: &Version, i: usize| v.release.get(i).copied().unwrap_or(0);
        let numbers = (0..length).map(|i| at(self, i).cmp(&at(other, i))).find(|o| o.is_ne());
        self.epoch
            .cmp(&other.epoch)
            .then(numbers.unwrap_or(Ordering::Equal))
            .then_with(|| self.pre.cmp(&other.pre))
            .then(self.post.cmp(&other.post))
            .then(self.edge.cmp(&other.edge))
            .then_with(|| if self.edge == Edge::Real { self.text.cmp(&other.text) } else { Ordering::Equal })
    }
}

impl PartialOrd for Version {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Version {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Version {}

impl std::fmt::Display for Version {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn v(text: &str) -> Version {
        Version::parse(text).unwrap()
    }

    #[test]
    fn order_is_that_of_the_numbers_and_odd_versions_are_readable() {
        let sorted = [
            "0.9",
            "1.0.dev1",
            "1.0.0-alpha",
            "1.0.0a2",
            "1.0.0-beta.1",
            "1.0.0b2",
            "1.0.0-rc.1",
            "1.0.0",
            "1.0.0.post1",
            "1.0.1",
            "1.2",
            "v1.10.0",
            "2024.1",
            "1!0.1",
        ];
        for pair in sorted.windows(2) {
            assert!(v(pair[0]) < v(pair[1]), "{pair:?}");
        }
        assert!(v("1").low() < v("1.0.0") && v("1.0.0") < v("1").high(), "1 and 1.0.0 mean the same");
        assert_eq!(v("1.0.0-beta.1").as_str(), "1.0.0-beta.1", "the published text stays");
        for bad in
            ["", "x", "1.", "1..2", "latest", "1.0.0-", "1.0-foo", "1.0.0+", "-1", "99999999999999999999.0.0"]
        {
            assert!(Version::parse(bad).is_err(), "{bad}");
        }
    }
}
