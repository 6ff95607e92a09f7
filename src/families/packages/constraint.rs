//! Constraints on versions, as packages write them: `*`, `^1.2.3`, `~1.2.3`, `>=1.0,<2`, `==1.0`, `1.0.0`.

use std::fmt::{self, Display};
use std::ops::Bound;

use pubgrub::{Ranges, VersionSet};

use super::version::Version;

/// A set of versions that prints itself the way people write constraints.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Set(Ranges<Version>);

impl Set {
    pub fn any() -> Set {
        Set(Ranges::full())
    }

    pub fn exactly(version: &Version) -> Set {
        Set(Ranges::between(version.low(), version.high()))
    }

    pub fn parse(text: &str) -> Result<Set, String> {
        let text = text.trim();
        if text == "*" {
            return Ok(Set::any());
        }
        if let Some(base) = text.strip_prefix('^') {
            let (version, [a, b, c]) = three(text, base)?;
            let end = if a > 0 {
                [a + 1, 0, 0]
            } else if b > 0 {
                [0, b + 1, 0]
            } else {
                [0, 0, c + 1]
            };
            return Ok(Set(Ranges::between(version.low(), Version::of(end).floor())));
        }
        if let Some(base) = text.strip_prefix('~').filter(|t| !t.starts_with('=')) {
            let (version, [a, b, _]) = three(text, base)?;
            return Ok(Set(Ranges::between(version.low(), Version::of([a, b + 1, 0]).floor())));
        }
        let mut set = Ranges::full();
        let parts: Vec<&str> = text.strip_suffix(',').unwrap_or(text).split(',').map(str::trim).collect();
        for part in parts {
            set = set.intersection(&comparison(part).map_err(|why| format!("'{text}': {why}"))?);
        }
        Ok(Set(set))
    }
}

/// `^` and `~` need all three numbers, because what they leave open depends on each.
fn three(text: &str, base: &str) -> Result<(Version, [u64; 3]), String> {
    let version = Version::parse(base.trim())?;
    match *version.numbers() {
        [a, b, c] => Ok((version, [a, b, c])),
        _ => Err(format!("'{text}' needs three numbers after its sign, such as ^1.2.3")),
    }
}

fn comparison(part: &str) -> Result<Ranges<Version>, String> {
    let signs = [">=", "<=", "==", ">", "<", "="];
    let (sign, rest) = match signs.iter().find(|s| part.starts_with(**s)) {
        Some(sign) => (*sign, &part[sign.len()..]),
        None => ("==", part),
    };
    let version = Version::parse(rest.trim())?;
    Ok(match sign {
        ">=" => Ranges::higher_than(version.low()),
        ">" => Ranges::strictly_higher_than(version.high()),
        "<=" => Ranges::lower_than(version.high()),
        "<" => Ranges::strictly_lower_than(version.floor()),
        _ => Ranges::between(version.low(), version.high()),
    })
}

impl VersionSet for Set {
    type V = Version;

    fn empty() -> Self {
        Set(Ranges::empty())
    }
    fn singleton(v: Version) -> Self {
        Set(Ranges::singleton(v))
    }
    fn complement(&self) -> Self {
        Set(self.0.complement())
    }
    fn intersection(&self, other: &Self) -> Self {
        Set(self.0.intersection(&other.0))
    }
    fn contains(&self, v: &Version) -> bool {
        self.0.contains(v)
    }
    fn full() -> Self {
        Set::any()
    }
    fn union(&self, other: &Self) -> Self {
        Set(self.0.union(&other.0))
    }
    fn is_disjoint(&self, other: &Self) -> bool {
        self.0.is_disjoint(&other.0)
    }
    fn subset_of(&self, other: &Self) -> bool {
        self.0.subset_of(&other.0)
    }
}

impl Display for Set {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut first = true;
        for (from, to) in self.0.iter() {
            if !std::mem::replace(&mut first, false) {
                f.write_str(" or ")?;
            }
            match (from, to) {
                (Bound::Unbounded, Bound::Unbounded) => f.write_str("(any version)")?,
                (Bound::Included(a), Bound::Included(b) | Bound::Excluded(b)) if a.as_str() == b.as_str() => {
                    write!(f, "{a}")?;
                }
                (Bound::Unbounded, to) => upper(f, to)?,
                (from, Bound::Unbounded) => lower(f, from)?,
                (from, to) => {
                    lower(f, from)?;
                    f.write_str(",")?;
                    upper(f, to)?;
                }
            }
        }
        if first { f.write_str("(no version)") } else { Ok(()) }
    }
}

fn lower(f: &mut fmt::Formatter<'_>, bound: &Bound<Version>) -> fmt::Result {
    match bound {
        Bound::Included(v) => write!(f, ">={v}"),
        Bound::Excluded(v) => write!(f, ">{v}"),
        Bound::Unbounded => Ok(()),
    }
}

fn upper(f: &mut fmt::Formatter<'_>, bound: &Bound<Version>) -> fmt::Result {
    match bound {
        Bound::Included(v) => write!(f, "<={v}"),
        Bound::Excluded(v) => write!(f, "<{v}"),
        Bound::Unbounded => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn has(constraint: &str, version: &str) -> bool {
        Set::parse(constraint).unwrap().contains(&Version::parse(version).unwrap())
    }

    #[test]
    fn the_grammar_means_what_it_says() {
        for (constraint, yes, no) in [
            ("*", "0.0.1-dev", "-"),
            ("^1.2.3", "1.9.9", "1.2.2"),
            ("^1.2.3", "1.2.3", "2.0.0"),
            ("^1.0.0", "1.9.9", "2.0.0-beta.1"),
            ("^0.2.3", "0.2.9", "0.3.0"),
            ("^0.0.3", "0.0.3", "0.0.4"),
            ("~1.2.3", "1.2.9", "1.3.0"),
            (">=1.0,<2,", "1.5.0", "2.0.0"),
            ("<2.0.0", "1.9", "2.0.0-rc.1"),
            ("1", "1.0.0", "1.0.1"),
            ("=1.0.0", "1.0", "1.0.0-rc.1"),
            (">1.0.0", "1.0.1", "1.0"),
        ] {
            assert!(has(constraint, yes), "{constraint} should allow {yes}");
            assert!(no == "-" || !has(constraint, no), "{constraint} should not allow {no}");
        }
        for bad in ["", "^1", "~1.0", ">=1 <2", "1 || 2", "!=1.0", "1.x", "~=1.0", "^1.0.0,<2", "latest"] {
            assert!(Set::parse(bad).is_err(), "{bad}");
        }
        assert_eq!(Set::parse("^1.2.3").unwrap().to_string(), ">=1.2.3,<2.0.0");
        assert_eq!(Set::parse("1.0.0").unwrap().to_string(), "1.0.0");
    }
}
