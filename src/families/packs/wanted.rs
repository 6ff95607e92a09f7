//! A whole pack as one call wants it: read from JSON with all its faults, ids and times left to the server.

use serde_json::Value;

use crate::core::{Call, Result};

use super::faults::{Faults, Fields, elements};
use super::model::{Diagram, Lines, Ref, Section, Status};
use super::picking::Named;
use super::rules;

/// A pack as it should become.
#[derive(Debug, Default)]
pub struct Wanted {
    pub name: Option<String>,
    pub title: Option<String>,
    pub brief: Option<String>,
    pub tags: Vec<String>,
    pub status: Option<Status>,
    pub ttl_seconds: Option<i64>,
    pub sections: Vec<Section>,
    /// One for each ref, in order.
    pub refs: Vec<WantedRef>,
}

/// Where a ref stands in the call and how it names its lines.
#[derive(Debug, Clone)]
pub struct WantedRef {
    pub at: String,
    pub path: String,
    pub how: Named,
}

const SECTION: [&str; 5] = ["key", "title", "description", "refs", "diagrams"];
const REF: [&str; 8] = ["key", "path", "lines", "symbol", "match", "title", "why", "group"];
const DIAGRAM: [&str; 4] = ["key", "title", "mermaid", "why"];

impl Wanted {
    pub fn of(call: &Call) -> Result<Wanted> {
        let mut faults = Faults::default();
        let mut wanted = Wanted {
            name: call.text("name").map(str::to_string),
            title: call.text("title").map(str::to_string),
            brief: call.text("brief").map(str::to_string),
            tags: faults.take("tags", super::args::tags(call)).flatten().unwrap_or_default(),
            status: faults.take("status", super::args::status(call)).flatten(),
            ..Wanted::default()
        };
        if let Some(name) = &wanted.name
            && !rules::is_id(name)
        {
            faults.take("name", rules::name(name));
        }
        let minutes = faults.take("ttl_minutes", super::args::strict_number(call, "ttl_minutes")).flatten();
        wanted.ttl_seconds = minutes.and_then(|n| faults.take("ttl_minutes", rules::ttl("ttl_minutes", n)));
        if let Some(sections) = call.args.get("sections") {
            for (value, at) in elements(sections, "sections", &mut faults) {
                wanted.section(value, at, &mut faults);
            }
        }
        faults.none()?;
        Ok(wanted)
    }

    fn section(&mut self, value: &Value, at: String, faults: &mut Faults) {
        let Some(fields) = Fields::of(value, at, &SECTION, faults) else { return };
        let key = key(&fields, faults);
        let title = fields.text("title", faults);
        if self.sections.iter().any(|s| Some(&s.key) == key.as_ref()) {
            faults.add(&fields.path("key"), "occurs twice");
        }
        let mut section = Section {
            title: title.or_else(|| key.clone()).unwrap_or_default(),
            key: key.unwrap_or_default(),
            description: fields.text("description", faults),
            refs: Vec::new(),
            diagrams: Vec::new(),
        };
        for (value, at) in fields.list("refs", faults) {
            self.reference(&mut section, value, at, faults);
        }
        for (value, at) in fields.list("diagrams", faults) {
            diagram(&mut section, value, at, faults);
        }
        self.sections.push(section);
    }

    fn reference(&mut self, section: &mut Section, value: &Value, at: String, faults: &mut Faults) {
        let Some(fields) = Fields::of(value, at, &REF, faults) else { return };
        let key = key(&fields, faults);
        if section.refs.iter().any(|r| Some(&r.key) == key.as_ref()) {
            faults.add(&fields.path("key"), "occurs twice in its section");
        }
        let path = fields.need_text("path", faults);
        let path = path.and_then(|path| faults.take(&fields.path("path"), rules::path(&path)));
        let how = how(&fields, faults);
        let (Some(path), Some(how)) = (path, how) else { return };
        let lines = if let Named::Lines(lines) = how { lines } else { Lines { start: 0, end: 0 } };
        section.refs.push(Ref {
            key: key.unwrap_or_default(),
            path: path.clone(),
            lines,
            title: fields.text("title", faults),
            why: fields.text("why", faults),
            group: fields.text("group", faults),
        });
        self.refs.push(WantedRef { at: fields.at, path, how });
    }
}

fn key(fields: &Fields, faults: &mut Faults) -> Option<String> {
    let key = fields.need_text("key", faults)?;
    faults.take(&fields.path("key"), rules::key("key", &key)).map(|()| key)
}

fn diagram(section: &mut Section, value: &Value, at: String, faults: &mut Faults) {
    let Some(fields) = Fields::of(value, at, &DIAGRAM, faults) else { return };
    let (key, title) = (key(&fields, faults), fields.need_text("title", faults));
    let mermaid = fields.need_text("mermaid", faults);
    if section.diagrams.iter().any(|d| Some(&d.key) == key.as_ref()) {
        faults.add(&fields.path("key"), "occurs twice in its section");
    }
    if let (Some(key), Some(title), Some(mermaid)) = (key, title, mermaid) {
        section.diagrams.push(Diagram { key, title, mermaid, why: fields.text("why", faults) });
    }
}

/// Exactly one of `lines`, `symbol` and `match`.
fn how(fields: &Fields, faults: &mut Faults) -> Option<Named> {
    let said: Vec<&str> =
        ["lines", "symbol", "match"].into_iter().filter(|n| fields.get(n).is_some()).collect();
    match said.as_slice() {
        ["lines"] => {
            let at = fields.path("lines");
            let lines = fields.get("lines").and_then(lines);
            let lines = lines.or_else(|| {
                faults.add(&at, "must be {\"start\", \"end\"} or \"8-11\"");
                None
            })?;
            faults.take(&at, rules::lines(lines.start, lines.end)).map(Named::Lines)
        }
        ["symbol"] => fields.need_text("symbol", faults).map(Named::Symbol),
        // A text to be found keeps the white space it begins with.
        ["match"] => match fields.get("match").and_then(Value::as_str) {
            Some(text) => Some(Named::Match(text.to_string())),
            None => {
                faults.add(&fields.path("match"), "must be a string");
                None
            }
        },
        [] => {
            faults.add(&fields.at, "needs 'lines', 'symbol' or 'match'");
            None
        }
        several => {
            faults.add(&fields.at, format!("takes only one of {}", several.join(", ")));
            None
        }
    }
}

/// `{start, end}`, `"8-11"`, or one line as `"8"` or a number.
fn lines(value: &Value) -> Option<Lines> {
    if let Some(line) = value.as_u64() {
        return Some(Lines { start: line, end: line });
    }
    if let Some(text) = value.as_str() {
        let (start, end) = text.split_once('-').unwrap_or((text, text));
        return Some(Lines { start: start.trim().parse().ok()?, end: end.trim().parse().ok()? });
    }
    Some(Lines { start: value["start"].as_u64()?, end: value["end"].as_u64()? })
}
