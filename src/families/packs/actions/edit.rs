//! One change to the content of a pack: read from the fields, checked, applied.
//!
//! The three steps are apart because their order is part of the contract: missing fields are reported before
//! the pack is looked up, malformed ones after its revision was compared, missing targets last.

use crate::core::{Result, Timestamp};

use super::super::errors::{invalid, not_found, required, state, ttl_required};
use super::super::model::{ContextPack, Diagram, LineRange, PackRef, PackStatus, Section};
use super::super::picking::NamedLines;
use super::super::rules;
use super::Action;
use super::fields::{Fields, Lacks, size, strict_number, text};

#[derive(Debug, Clone)]
pub enum PackEdit {
    UpsertSection { key: String, title: String, description: Option<String>, order: Option<usize> },
    DeleteSection { key: String },
    UpsertRef { section: String, item: PackRef, named: Result<NamedLines> },
    DeleteRef { section: String, key: String },
    UpsertDiagram { section: String, item: Diagram },
    DeleteDiagram { section: String, key: String },
    SetMeta { title: Option<String>, brief: Option<String>, tags: Option<Vec<String>> },
    SetStatus(PackStatus),
    TouchTtl { ttl: Option<u64>, extend: Option<u64> },
}

impl PackEdit {
    /// Refuses the misleading field names of an action, before anything else is looked at.
    pub fn check_aliases(action: Action, f: &Fields) -> Result<()> {
        let (title, description, why) = (f.title.is_sent(), f.description.is_sent(), f.why.is_sent());
        let (wrong, right) = match action {
            Action::UpsertSection if title => ("title", "section_title"),
            Action::UpsertSection if description => ("description", "section_description"),
            Action::UpsertRef if title => ("title", "ref_title"),
            Action::UpsertRef if why => ("why", "ref_why"),
            Action::UpsertDiagram if why => ("why", "diagram_why"),
            _ => return Ok(()),
        };
        Err(invalid(format!("'{wrong}' is not supported; use '{right}' instead")))
    }

    /// The edit an action asks for; `None` = not an edit. What is missing goes to `lacks`.
    pub fn of(action: Action, f: &Fields, lacks: &mut Lacks) -> Option<PackEdit> {
        let edit = match action {
            Action::UpsertSection => PackEdit::UpsertSection {
                key: lacks.text("section_key", &f.section_key),
                title: lacks.text("section_title", &f.section_title),
                description: text(&f.section_description),
                order: size(&f.section_order),
            },
            Action::DeleteSection => {
                PackEdit::DeleteSection { key: lacks.text("section_key", &f.section_key) }
            }
            Action::UpsertRef => {
                let section = lacks.text("section_key", &f.section_key);
                PackEdit::UpsertRef { section, item: reference(f, lacks), named: NamedLines::of(f) }
            }
            Action::DeleteRef => PackEdit::DeleteRef {
                section: lacks.text("section_key", &f.section_key),
                key: lacks.text("ref_key", &f.ref_key),
            },
            Action::UpsertDiagram => PackEdit::UpsertDiagram {
                section: lacks.text("section_key", &f.section_key),
                item: Diagram {
                    key: lacks.text("diagram_key", &f.diagram_key),
                    title: lacks.text("title", &f.title),
                    mermaid: lacks.text("mermaid", &f.mermaid),
                    why: text(&f.diagram_why),
                },
            },
            Action::DeleteDiagram => PackEdit::DeleteDiagram {
                section: lacks.text("section_key", &f.section_key),
                key: lacks.text("diagram_key", &f.diagram_key),
            },
            Action::SetMeta => PackEdit::SetMeta {
                title: text(&f.title),
                brief: text(&f.brief),
                tags: lacks.take(f.tags()).flatten(),
            },
            Action::SetStatus => {
                let status = f.status().and_then(|status| status.ok_or_else(|| required("status")));
                PackEdit::SetStatus(lacks.take(status).unwrap_or(PackStatus::Draft))
            }
            Action::TouchTtl => {
                let (ttl, extend) = lacks.take(time_to_live(f)).unwrap_or_default();
                PackEdit::TouchTtl { ttl, extend }
            }
            _ => return None,
        };
        Some(edit)
    }

    /// The form of every field, in the contract's order: keys, path, range.
    pub fn check(&mut self) -> Result<()> {
        match self {
            PackEdit::UpsertSection { key, .. } | PackEdit::DeleteSection { key } => {
                rules::key("section_key", key)
            }
            PackEdit::UpsertRef { section, item, .. } => {
                rules::key("section_key", section)?;
                rules::key("ref_key", &item.key)?;
                item.path = rules::path(&item.path)?;
                rules::lines(item.lines.start, item.lines.end).map(|_| ())
            }
            PackEdit::DeleteRef { section, key } => {
                rules::key("section_key", section)?;
                rules::key("ref_key", key)
            }
            PackEdit::UpsertDiagram { section, item: Diagram { key, .. } }
            | PackEdit::DeleteDiagram { section, key } => {
                rules::key("section_key", section)?;
                rules::key("diagram_key", key)
            }
            PackEdit::TouchTtl { ttl, extend } => {
                ttl.map(|n| rules::ttl("ttl_minutes", n)).transpose()?;
                extend.map(|n| rules::ttl("extend_minutes", n)).transpose().map(|_| ())
            }
            PackEdit::SetMeta { .. } | PackEdit::SetStatus(_) => Ok(()),
        }
    }

    /// Changes the pack; `false` = it already was as asked, and nothing counts as changed.
    pub fn apply(self, pack: &mut ContextPack, now: Timestamp) -> Result<bool> {
        let content = !matches!(self, PackEdit::SetStatus(_) | PackEdit::TouchTtl { .. });
        if content && pack.status == PackStatus::Finalized {
            return Err(state(format!(
                "pack '{}' is finalized; set its status to draft to change it",
                pack.id
            )));
        }
        match self {
            PackEdit::UpsertSection { key, title, description, order } => {
                upsert_section(&mut pack.sections, key, title, description, order);
            }
            PackEdit::DeleteSection { key } => {
                let at = position(&pack.sections, &key)?;
                pack.sections.remove(at);
            }
            PackEdit::UpsertRef { section, item, .. } => {
                let refs = &mut section_of(pack, &section)?.refs;
                put(refs, item, |r| &r.key);
            }
            PackEdit::DeleteRef { section, key } => {
                remove(&mut section_of(pack, &section)?.refs, "ref", &key, &section, |r| &r.key)?;
            }
            PackEdit::UpsertDiagram { section, item } => {
                let diagrams = &mut section_of(pack, &section)?.diagrams;
                put(diagrams, item, |d| &d.key);
            }
            PackEdit::DeleteDiagram { section, key } => {
                remove(&mut section_of(pack, &section)?.diagrams, "diagram", &key, &section, |d| &d.key)?;
            }
            PackEdit::SetMeta { title, brief, tags } => {
                if title.is_none() && brief.is_none() && tags.is_none() {
                    return Err(invalid("set_meta needs at least one of 'title', 'brief', 'tags'"));
                }
                let before = (pack.title.clone(), pack.brief.clone(), pack.tags.clone());
                pack.title = title.or(pack.title.take());
                pack.brief = brief.or(pack.brief.take());
                pack.tags = tags.unwrap_or(std::mem::take(&mut pack.tags));
                if before == (pack.title.clone(), pack.brief.clone(), pack.tags.clone()) {
                    return Ok(false);
                }
            }
            PackEdit::SetStatus(status) => {
                if pack.status == status {
                    return Ok(false);
                }
                pack.status = status;
            }
            PackEdit::TouchTtl { ttl, extend } => {
                if let Some(minutes) = ttl {
                    pack.expires_at = now.plus_seconds(rules::ttl("ttl_minutes", minutes)?);
                }
                if let Some(minutes) = extend {
                    let seconds = rules::ttl("extend_minutes", minutes)?;
                    pack.expires_at = pack.expires_at.max(now).plus_seconds(seconds);
                }
            }
        }
        pack.updated_at = now;
        Ok(true)
    }
}

fn reference(f: &Fields, lacks: &mut Lacks) -> PackRef {
    let (key, path) = (lacks.text("ref_key", &f.ref_key), lacks.text("path", &f.path));
    let lines = match NamedLines::is_chosen(f) {
        // Chosen by what stands there, once the file was read.
        true => LineRange { start: 0, end: 0 },
        false => LineRange {
            start: lacks.number("line_start", &f.line_start),
            end: lacks.number("line_end", &f.line_end),
        },
    };
    PackRef { key, path, lines, title: text(&f.ref_title), why: text(&f.ref_why), group: text(&f.group) }
}

/// Exactly one of the two.
fn time_to_live(f: &Fields) -> Result<(Option<u64>, Option<u64>)> {
    let ttl = strict_number("ttl_minutes", &f.ttl_minutes)?;
    let extend = strict_number("extend_minutes", &f.extend_minutes)?;
    match (ttl, extend) {
        (None, None) => Err(ttl_required("send 'ttl_minutes' or 'extend_minutes'")),
        (Some(_), Some(_)) => Err(invalid("send either 'ttl_minutes' or 'extend_minutes', not both")),
        one => Ok(one),
    }
}

/// A section keeps its refs and diagrams; its place changes only when `order` says so.
fn upsert_section(
    sections: &mut Vec<Section>,
    key: String,
    title: String,
    description: Option<String>,
    order: Option<usize>,
) {
    let (at, section) = match sections.iter().position(|s| s.key == key) {
        Some(at) => {
            let mut section = sections.remove(at);
            section.title = title;
            section.description = description.or(section.description);
            (order.unwrap_or(at), section)
        }
        None => {
            let section = Section { key, title, description, refs: Vec::new(), diagrams: Vec::new() };
            (order.unwrap_or(sections.len()), section)
        }
    };
    sections.insert(at.min(sections.len()), section);
}

fn position(sections: &[Section], key: &str) -> Result<usize> {
    let absent = || {
        let known = sections.iter().map(|s| s.key.as_str());
        not_found(format!("section '{key}'")).hint(those("sections", known, "upsert_section makes one"))
    };
    sections.iter().position(|s| s.key == key).ok_or_else(absent)
}

fn section_of<'a>(pack: &'a mut ContextPack, key: &str) -> Result<&'a mut Section> {
    let at = position(&pack.sections, key)?;
    Ok(&mut pack.sections[at])
}

/// Replaces the item with the same key in place, or appends it.
fn put<T>(items: &mut Vec<T>, item: T, key: fn(&T) -> &String) {
    match items.iter().position(|i| key(i) == key(&item)) {
        Some(at) => items[at] = item,
        None => items.push(item),
    }
}

fn remove<T>(items: &mut Vec<T>, noun: &str, key: &str, section: &str, of: fn(&T) -> &String) -> Result<()> {
    let at = items.iter().position(|i| of(i) == key);
    let absent = || {
        let known = items.iter().map(|i| of(i).as_str());
        not_found(format!("{noun} '{key}' in section '{section}'")).hint(those(
            &format!("{noun}s"),
            known,
            "there is nothing to delete",
        ))
    };
    let at = at.ok_or_else(absent)?;
    items.remove(at);
    Ok(())
}

/// Keys that an answer lists.
const LISTED: usize = 12;

/// The keys there are, for whoever named another.
fn those<'a>(noun: &str, known: impl Iterator<Item = &'a str>, none: &str) -> String {
    let known: Vec<&str> = known.take(LISTED).collect();
    if known.is_empty() {
        format!("It has no {noun} yet; {none}.")
    } else {
        format!("Its {noun}: {}.", known.join(", "))
    }
}
