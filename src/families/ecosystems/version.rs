//! Release versions: `vX.Y.Z` and `vX.Y.Z-stage.N`, compared as releases are, not as text.

use std::cmp::Ordering;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ReleaseStage {
    Alpha,
    Beta,
    Rc,
}

impl ReleaseStage {
    pub fn as_str(self) -> &'static str {
        match self {
            ReleaseStage::Alpha => "alpha",
            ReleaseStage::Beta => "beta",
            ReleaseStage::Rc => "rc",
        }
    }

    pub fn parse(text: &str) -> Option<ReleaseStage> {
        [ReleaseStage::Alpha, ReleaseStage::Beta, ReleaseStage::Rc].into_iter().find(|s| s.as_str() == text)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ReleaseVersion {
    pub major: u64,
    pub minor: u64,
    pub patch: u64,
    pub pre: Option<(ReleaseStage, u64)>,
}

impl ReleaseVersion {
    pub fn parse(tag: &str) -> Option<ReleaseVersion> {
        let (numbers, pre) = match tag.strip_prefix('v')?.split_once('-') {
            Some((numbers, pre)) => {
                let (stage, n) = pre.split_once('.')?;
                (numbers, Some((ReleaseStage::parse(stage)?, number(n)?)))
            }
            None => (tag.strip_prefix('v')?, None),
        };
        let mut parts = numbers.split('.');
        let version = ReleaseVersion {
            major: number(parts.next()?)?,
            minor: number(parts.next()?)?,
            patch: number(parts.next()?)?,
            pre,
        };
        parts.next().is_none().then_some(version)
    }

    pub fn tag(&self) -> String {
        format!("v{self}")
    }

    /// The next version. A pre-release moves on within itself where the same stage is asked for again.
    pub fn bump(&self, part: &str, stage: Option<ReleaseStage>) -> Option<ReleaseVersion> {
        let pre = stage.map(|s| (s, 1));
        let next = match part {
            "major" => ReleaseVersion { major: self.major + 1, minor: 0, patch: 0, pre },
            "minor" => ReleaseVersion { minor: self.minor + 1, patch: 0, pre, ..*self },
            "patch" => match (self.pre, stage) {
                (Some((now, n)), Some(wanted)) if now == wanted => {
                    ReleaseVersion { pre: Some((now, n + 1)), ..*self }
                }
                (Some((now, _)), Some(wanted)) if wanted > now => ReleaseVersion { pre, ..*self },
                // The pre-release was of this very version; it goes stable with promote, so patch moves past it.
                _ => ReleaseVersion { patch: self.patch + 1, pre, ..*self },
            },
            _ => return None,
        };
        Some(next)
    }

    /// The next step towards stable; `None` as target means stable itself.
    pub fn promote(&self, target: Option<ReleaseStage>) -> Result<ReleaseVersion, String> {
        let Some((now, n)) = self.pre else {
            return Err(format!("{} is stable already; only a pre-release can be promoted.", self.tag()));
        };
        let pre = match target {
            None => None,
            Some(stage) if stage == now => Some((now, n + 1)),
            Some(stage) if stage > now => Some((stage, 1)),
            Some(stage) => {
                return Err(format!(
                    "{} is past {}; a release is never promoted backwards.",
                    self.tag(),
                    stage.as_str()
                ));
            }
        };
        Ok(ReleaseVersion { pre, ..*self })
    }
}

fn number(text: &str) -> Option<u64> {
    let plain = !text.is_empty()
        && text.bytes().all(|b| b.is_ascii_digit())
        && (text == "0" || !text.starts_with('0'));
    if plain { text.parse().ok() } else { None }
}

impl std::fmt::Display for ReleaseVersion {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}.{}", self.major, self.minor, self.patch)?;
        match self.pre {
            Some((stage, n)) => write!(f, "-{}.{n}", stage.as_str()),
            None => Ok(()),
        }
    }
}

impl Ord for ReleaseVersion {
    fn cmp(&self, other: &Self) -> Ordering {
        let numbers = (self.major, self.minor, self.patch).cmp(&(other.major, other.minor, other.patch));
        numbers.then_with(|| match (self.pre, other.pre) {
            (None, None) => Ordering::Equal,
            (None, Some(_)) => Ordering::Greater,
            (Some(_), None) => Ordering::Less,
            (Some(a), Some(b)) => a.cmp(&b),
        })
    }
}

impl PartialOrd for ReleaseVersion {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn v(tag: &str) -> ReleaseVersion {
        ReleaseVersion::parse(tag).unwrap()
    }

    #[test]
    fn a_stable_release_outranks_its_candidates() {
        let mut all = ["v0.1.1", "v0.1.1-rc.2", "v0.1.1-rc.10", "v0.1.1-beta.9", "v0.10.0", "v0.9.0"].map(v);
        all.sort();
        let tags: Vec<String> = all.iter().map(ReleaseVersion::tag).collect();
        assert_eq!(tags, ["v0.1.1-beta.9", "v0.1.1-rc.2", "v0.1.1-rc.10", "v0.1.1", "v0.9.0", "v0.10.0"]);
        for bad in
            ["1.2.3", "v1.2", "v1.2.3.4", "v1.2.3-rc", "v1.2.3-gamma.1", "v01.2.3", "v1.2.3-rc.-1", "v+1.2.3"]
        {
            assert_eq!(ReleaseVersion::parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn bumping_and_promoting() {
        let bump = |tag, part, stage| v(tag).bump(part, stage).unwrap().tag();
        assert_eq!(bump("v1.2.3", "patch", None), "v1.2.4");
        assert_eq!(bump("v1.2.3", "minor", None), "v1.3.0");
        assert_eq!(bump("v1.2.3", "major", Some(ReleaseStage::Alpha)), "v2.0.0-alpha.1");
        assert_eq!(bump("v1.2.3-rc.1", "patch", Some(ReleaseStage::Rc)), "v1.2.3-rc.2");
        assert_eq!(bump("v1.2.3-alpha.4", "patch", Some(ReleaseStage::Beta)), "v1.2.3-beta.1");
        assert_eq!(
            bump("v1.2.3-rc.1", "patch", Some(ReleaseStage::Beta)),
            "v1.2.4-beta.1",
            "never below what exists"
        );
        assert_eq!(v("v1.2.3").bump("huge", None), None);
        assert_eq!(v("v1.2.3-alpha.1").promote(None).unwrap().tag(), "v1.2.3");
        assert_eq!(v("v1.2.3-alpha.1").promote(Some(ReleaseStage::Rc)).unwrap().tag(), "v1.2.3-rc.1");
        assert!(v("v1.2.3-rc.1").promote(Some(ReleaseStage::Beta)).is_err());
        assert!(v("v1.2.3").promote(None).is_err());
    }
}
