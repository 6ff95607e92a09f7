//! A whole pack as one call wants it: read from JSON with all its faults, ids and times left to the server.

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::core::{Given, Result};

use super::super::model::{Diagram, LineRange, PackRef, PackStatus, Section};
use super::super::picking::NamedLines;
use super::super::rules;
use super::faults::Faults;
use super::fields::{Fields, strict_number, text};

/// A pack as it should become.
#[derive(Debug, Default)]
pub struct WantedPack {
    pub name: Option<String>,
    pub title: Option<String>,
    pub brief: Option<String>,
    pub tags: Option<Vec<String>>,
    pub status: Option<PackStatus>,
    pub ttl_seconds: Option<i64>,
    /// Without them the pack keeps its own.
    pub sections: Option<Vec<Section>>,
    /// One for each ref, in order.
    pub refs: Vec<WantedRef>,
}

/// Where a ref stands in the call and how it names its lines.
#[derive(Debug, Clone)]
pub struct WantedRef {
    pub at: String,
    pub path: String,
    pub how: NamedLines,
}

/// A section as it was sent.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct SentSection {
    key: Given<String>,
    title: Given<String>,
    description: Given<String>,
    refs: Given<Vec<Given<SentRef>>>,
    diagrams: Given<Vec<Given<SentDiagram>>>,
    #[serde(flatten)]
    unknown: Map<String, Value>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct SentRef {
    key: Given<String>,
    path: Given<String>,
    lines: Given<SentLines>,
    symbol: Given<String>,
    #[serde(rename = "match")]
    matching: Given<String>,
    title: Given<String>,
    why: Given<String>,
    group: Given<String>,
    #[serde(flatten)]
    unknown: Map<String, Value>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct SentDiagram {
    key: Given<String>,
    title: Given<String>,
    mermaid: Given<String>,
    why: Given<String>,
    #[serde(flatten)]
    unknown: Map<String, Value>,
}

/// `{start, end}`, `"8-11"`, or one line as `"8"` or a number.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum SentLines {
    One(u64),
    Text(String),
    Range(LineRange),
}

const SECTION: [&str; 5] = ["key", "title", "description", "refs", "diagrams"];
const REF: [&str; 8] = ["key", "path", "lines", "symbol", "match", "title", "why", "group"];
const DIAGRAM: [&str; 4] = ["key", "title", "mermaid", "why"];

impl WantedPack {
    pub fn of(fields: &Fields) -> Result<WantedPack> {
        let mut faults = Faults::default();
        let mut wanted = WantedPack {
            name: text(&fields.name),
            title: text(&fields.title),
            brief: text(&fields.brief),
            tags: faults.take("tags", fields.tags()).flatten(),
            status: faults.take("status", fields.status()).flatten(),
            ..WantedPack::default()
        };
        if let Some(name) = wanted.name.as_ref().filter(|name| !rules::is_id(name)) {
            faults.take("name", rules::name(name));
        }
        let minutes = faults.take("ttl_minutes", strict_number("ttl_minutes", &fields.ttl_minutes)).flatten();
        wanted.ttl_seconds = minutes.and_then(|n| faults.take("ttl_minutes", rules::ttl("ttl_minutes", n)));
        if fields.sections.is_sent() {
            wanted.sections = Some(Vec::new());
            faults.each("sections", &fields.sections, |faults, section, at| {
                wanted.section(section, &at, faults);
            });
        }
        faults.none()?;
        Ok(wanted)
    }

    fn section(&mut self, sent: &SentSection, at: &str, faults: &mut Faults) {
        faults.unknown(at, &sent.unknown, &SECTION);
        let key = key(&sent.key, at, faults);
        let title = faults.text(&format!("{at}.title"), &sent.title);
        let mut sections = self.sections.take().unwrap_or_default();
        if sections.iter().any(|s| Some(&s.key) == key.as_ref()) {
            faults.add(&format!("{at}.key"), "occurs twice");
        }
        let mut section = Section {
            title: title.or_else(|| key.clone()).unwrap_or_default(),
            key: key.unwrap_or_default(),
            description: faults.text(&format!("{at}.description"), &sent.description),
            refs: Vec::new(),
            diagrams: Vec::new(),
        };
        faults.each(&format!("{at}.refs"), &sent.refs, |faults, r, at| {
            self.reference(&mut section, r, at, faults);
        });
        faults.each(&format!("{at}.diagrams"), &sent.diagrams, |faults, diagram, at| {
            put_diagram(&mut section, diagram, &at, faults);
        });
        sections.push(section);
        self.sections = Some(sections);
    }

    fn reference(&mut self, section: &mut Section, sent: &SentRef, at: String, faults: &mut Faults) {
        faults.unknown(&at, &sent.unknown, &REF);
        let key = key(&sent.key, &at, faults);
        if section.refs.iter().any(|r| Some(&r.key) == key.as_ref()) {
            faults.add(&format!("{at}.key"), "occurs twice in its section");
        }
        let path_at = format!("{at}.path");
        let path = faults.need_text(&path_at, &sent.path);
        let path = path.and_then(|path| faults.take(&path_at, rules::path(&path)));
        let how = sent.named(&at, faults);
        let (Some(path), Some(how)) = (path, how) else { return };
        let lines = if let NamedLines::Lines(lines) = how { lines } else { LineRange { start: 0, end: 0 } };
        section.refs.push(PackRef {
            key: key.unwrap_or_default(),
            path: path.clone(),
            lines,
            title: faults.text(&format!("{at}.title"), &sent.title),
            why: faults.text(&format!("{at}.why"), &sent.why),
            group: faults.text(&format!("{at}.group"), &sent.group),
        });
        self.refs.push(WantedRef { at, path, how });
    }
}

fn key(given: &Given<String>, at: &str, faults: &mut Faults) -> Option<String> {
    let at = format!("{at}.key");
    let key = faults.need_text(&at, given)?;
    faults.take(&at, rules::key("key", &key)).map(|()| key)
}

fn put_diagram(section: &mut Section, sent: &SentDiagram, at: &str, faults: &mut Faults) {
    faults.unknown(at, &sent.unknown, &DIAGRAM);
    let (key, title) = (key(&sent.key, at, faults), faults.need_text(&format!("{at}.title"), &sent.title));
    let mermaid = faults.need_text(&format!("{at}.mermaid"), &sent.mermaid);
    if section.diagrams.iter().any(|d| Some(&d.key) == key.as_ref()) {
        faults.add(&format!("{at}.key"), "occurs twice in its section");
    }
    if let (Some(key), Some(title), Some(mermaid)) = (key, title, mermaid) {
        let why = faults.text(&format!("{at}.why"), &sent.why);
        section.diagrams.push(Diagram { key, title, mermaid, why });
    }
}

/// Was something said there?
fn said<T>(given: &Given<T>) -> bool {
    !matches!(given, Given::Absent | Given::Wrong(Value::Null))
}

impl SentRef {
    /// Exactly one of `lines`, `symbol` and `match`.
    fn named(&self, at: &str, faults: &mut Faults) -> Option<NamedLines> {
        let ways =
            [("lines", said(&self.lines)), ("symbol", said(&self.symbol)), ("match", said(&self.matching))];
        let ways: Vec<&str> = ways.into_iter().filter(|(_, said)| *said).map(|(name, _)| name).collect();
        if ways.len() > 1 {
            faults.add(at, format!("takes only one of {}", ways.join(", ")));
            return None;
        }
        if said(&self.symbol) {
            return faults.need_text(&format!("{at}.symbol"), &self.symbol).map(NamedLines::Symbol);
        }
        // A text to be found keeps the white space it begins with.
        match (&self.matching, said(&self.lines)) {
            (Given::Is(text), _) => Some(NamedLines::Match(text.clone())),
            (_, true) => self.range(&format!("{at}.lines"), faults).map(NamedLines::Lines),
            (Given::Wrong(value), _) if !value.is_null() => {
                faults.add(&format!("{at}.match"), "must be a string");
                None
            }
            _ => {
                faults.add(at, "needs 'lines', 'symbol' or 'match'");
                None
            }
        }
    }

    fn range(&self, at: &str, faults: &mut Faults) -> Option<LineRange> {
        let Some(lines) = self.lines.get().and_then(SentLines::range) else {
            faults.add(at, "must be {\"start\", \"end\"} or \"8-11\"");
            return None;
        };
        faults.take(at, rules::lines(lines.start, lines.end))
    }
}

impl SentLines {
    fn range(&self) -> Option<LineRange> {
        match self {
            SentLines::One(line) => Some(LineRange { start: *line, end: *line }),
            SentLines::Range(lines) => Some(*lines),
            SentLines::Text(text) => {
                let (start, end) = text.split_once('-').unwrap_or((text, text));
                Some(LineRange { start: start.trim().parse().ok()?, end: end.trim().parse().ok()? })
            }
        }
    }
}
