//! A pack as Markdown, byte for byte as the contract's clients know it, in pages of refs where it is long.
//!
//! Reading the pages one after another gives the whole document: a section's description comes with its first
//! ref, its diagrams with its last, its heading on every page that has some of it.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::PathBuf;

use crate::core::world::Stat;
use crate::core::{Result, Timestamp};

use super::anchors::verdict::{Judge, Judged, RefInSection, RefVerdict};
use super::excerpt::fits;
use super::life;
use super::list::MAX_REPLY;
use super::model::{ContextPack, LineRange, PackRef, Section};
use super::source::push_number;

/// Room for the line that says what is left.
const RESERVE: usize = 512;

/// Which refs are wanted, counted in the order they are shown in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RefWindow {
    pub offset: usize,
    pub limit: Option<usize>,
    /// Bytes of the text. One ref is never split, so the first may be longer.
    pub room: usize,
}

impl Default for RefWindow {
    fn default() -> Self {
        RefWindow { offset: 0, limit: None, room: MAX_REPLY }
    }
}

/// A page of a pack, and what was found out about each ref on it: its section, itself, the verdict.
pub struct Rendered<'a> {
    pub text: String,
    /// Where the text says how long the pack still lives: the only words that are others at another time.
    pub left: Range<usize>,
    pub refs: Vec<(&'a Section, &'a PackRef, Judged)>,
    /// The files it shows lines of, with their stamps from before they were read.
    pub files: Vec<(PathBuf, Stat)>,
}

impl Rendered<'_> {
    /// Refuses a page with a ref whose file could not be looked at for reasons of packd's own.
    pub fn tried(self) -> Result<Self> {
        match self.refs.iter().find_map(|(_, _, judged)| judged.trouble.as_ref()?.untried()) {
            Some(e) => Err(e.clone()),
            None => Ok(self),
        }
    }
}

/// Reads the files a page needs and renders it. A bad ref costs one line, never the page.
pub fn render<'a>(
    pack: &'a ContextPack,
    revision: u64,
    now: Timestamp,
    page: RefWindow,
    judge: &Judge,
) -> Rendered<'a> {
    let layout = Layout::of(pack);
    let total = layout.total;
    let start = page.offset.min(total);
    let wanted = page.limit.map_or(total, |n| start.saturating_add(n).min(total));
    let refs: Vec<_> = layout.refs().skip(start).take(wanted - start).collect();
    let items: Vec<RefInSection> = refs.iter().map(|(section, r)| (section.key.as_str(), *r)).collect();
    let looked = judge.look(&items, page.room);
    let judged: Vec<Judged> = looked.judged.into_iter().map_while(|one| one).collect();
    let mut end = start + judged.len();
    loop {
        let Written { mut text, ends, left } = layout.write(pack, revision, now, start..end, &judged);
        if text.len() > page.room - RESERVE && end > start + 1 {
            let fits = ends.iter().take_while(|at| **at <= page.room - RESERVE).count();
            end = start + fits.clamp(1, end - start - 1);
            continue;
        }
        cut(&mut text);
        if start > 0 || end < total {
            text.push_str(&left_over(pack, start, end, total));
        }
        let shown = refs.into_iter().zip(judged).take(end - start);
        let refs = shown.map(|((section, r), judged)| (section, r, judged)).collect();
        return Rendered { text, left, refs, files: looked.files };
    }
}

/// Text around the refs can be too long by itself; what does not fit is said, not dropped silently.
fn cut(text: &mut String) {
    if text.len() > MAX_REPLY - RESERVE {
        let all = text.len();
        let mut at = MAX_REPLY - RESERVE;
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        text.truncate(at);
        text.push_str(&format!("\n\n> cut: {} bytes do not fit here; `input` get has all of it\n", all - at));
    }
}

fn left_over(pack: &ContextPack, start: usize, end: usize, total: usize) -> String {
    let shown = if end > start {
        format!("refs {}-{end} of {total}", start + 1)
    } else {
        format!("no ref of {total}")
    };
    match total - end {
        0 => format!("\n> page: {shown}; nothing left\n"),
        left => {
            let call = format!("output {{\"id\":\"{}\",\"offset\":{end}}}", pack.id);
            format!("\n> page: {shown}; {left} left, continue with offset {end}: {call}\n")
        }
    }
}

/// The text of a page, where in it each of its refs ends, and where it says how long the pack still lives.
struct Written {
    text: String,
    ends: Vec<usize>,
    left: Range<usize>,
}

/// The refs of a section by group.
type Groups<'a> = Vec<(&'a str, Vec<&'a PackRef>)>;

/// The refs of every section in the order they are shown in.
struct Layout<'a> {
    sections: Vec<(&'a Section, Groups<'a>)>,
    total: usize,
}

impl<'a> Layout<'a> {
    fn of(pack: &'a ContextPack) -> Layout<'a> {
        let sections: Vec<_> = pack
            .sections
            .iter()
            .map(|section| {
                let mut groups: BTreeMap<&str, Vec<&PackRef>> = BTreeMap::new();
                for r in &section.refs {
                    groups.entry(r.group.as_deref().unwrap_or("ungrouped")).or_default().push(r);
                }
                (section, groups.into_iter().collect())
            })
            .collect();
        Layout { sections, total: pack.refs().count() }
    }

    fn refs(&self) -> impl Iterator<Item = (&'a Section, &'a PackRef)> + '_ {
        self.sections.iter().flat_map(|(section, groups)| {
            groups.iter().flat_map(move |(_, refs)| refs.iter().map(move |r| (*section, *r)))
        })
    }

    fn write(
        &self,
        pack: &ContextPack,
        revision: u64,
        now: Timestamp,
        page: std::ops::Range<usize>,
        judged: &[Judged],
    ) -> Written {
        let (mut out, left) = legend(pack, revision, now);
        out.reserve(judged.iter().map(|one| one.code.as_ref().map_or(0, String::len) + 160).sum());
        if let Some(counts) = not_all_ok(&judged[..page.len()]) {
            out.push_str(&format!("- refs: {counts}\n"));
        }
        out.push_str("\n[CONTENT]\n");
        let mut ends = Vec::with_capacity(page.len());
        let mut at = 0;
        for (section, groups) in &self.sections {
            let (first, last) = (at, at + section.refs.len());
            let shown = if first == last {
                page.contains(&first) || (first == self.total && page.end == self.total)
            } else {
                first < page.end && page.start < last
            };
            at = last;
            if !shown {
                continue;
            }
            out.push_str(&format!("\n## {} [{}]\n", section.title, section.key));
            if first >= page.start
                && let Some(description) = &section.description
            {
                out.push_str(&format!("\n{description}\n"));
            }
            let mut n = first;
            for (group, refs) in groups {
                let mut headed = false;
                for r in refs {
                    if page.contains(&n) {
                        if !headed {
                            out.push_str(&format!("\n### group: {group}\n"));
                            headed = true;
                        }
                        write_ref(&mut out, section, r, &judged[n - page.start]);
                        ends.push(out.len());
                    }
                    n += 1;
                }
            }
            if last <= page.end && !section.diagrams.is_empty() {
                write_diagrams(&mut out, section);
            }
        }
        Written { text: out, ends, left }
    }
}

fn legend(pack: &ContextPack, revision: u64, now: Timestamp) -> (String, Range<usize>) {
    let title = pack.title.as_deref().or(pack.name.as_deref()).unwrap_or("Untitled");
    let mut out = format!("[LEGEND]\n# Context pack: {title}\n\n");
    let mut line = |name: &str, value: &str| out.push_str(&format!("- {name}: {value}\n"));
    line("id", &pack.id);
    if let Some(name) = &pack.name {
        line("name", name);
    }
    line("status", pack.status.as_str());
    line("revision", &revision.to_string());
    line("expires_at", &pack.expires_at.offset());
    let ttl = life::human(pack.expires_at, now);
    line("ttl_remaining", &ttl);
    let end = out.len() - 1;
    let left = end - ttl.len()..end;
    let mut line = |name: &str, value: &str| out.push_str(&format!("- {name}: {value}\n"));
    if !pack.tags.is_empty() {
        line("tags", &pack.tags.join(", "));
    }
    if let Some(brief) = &pack.brief {
        line("brief", brief);
    }
    (out, left)
}

/// How many refs have which verdict; `None` = there is nothing to say.
fn not_all_ok(judged: &[Judged]) -> Option<String> {
    let count = |v: RefVerdict| judged.iter().filter(|j| j.verdict == v).count();
    if count(RefVerdict::Ok) == judged.len() {
        return None;
    }
    let part = |v: RefVerdict| Some(count(v)).filter(|n| *n > 0).map(|n| format!("{n} {}", v.as_str()));
    Some(RefVerdict::ALL.into_iter().filter_map(part).collect::<Vec<_>>().join(", "))
}

fn write_ref(out: &mut String, section: &Section, r: &PackRef, judged: &Judged) {
    let add = |out: &mut String, parts: &[&str]| parts.iter().for_each(|part| out.push_str(part));
    add(out, &["\n#### ", &r.key, " [", &section.key, "]\n"]);
    if let Some(title) = &r.title {
        add(out, &["**", title, "**\n\n"]);
    }
    let LineRange { start, end } = judged.lines;
    add(out, &["- path: ", &judged.path, "\n- lines: "]);
    push_number(out, start as usize, 0);
    out.push('-');
    push_number(out, end as usize, 0);
    out.push('\n');
    if let Some(why) = &r.why {
        add(out, &["- why: ", why, "\n"]);
    }
    match judged.verdict {
        RefVerdict::Moved => out.push_str(&format!("- moved: was {}\n", was(r, judged))),
        RefVerdict::Changed => {
            out.push_str(&format!("- changed: not what was anchored at {}\n", was(r, judged)));
        }
        RefVerdict::Ok | RefVerdict::Lost | RefVerdict::Uncheckable => {}
    }
    let code = judged.code.as_deref().unwrap_or_default();
    let trouble = judged.trouble.clone().or_else(|| fits(&judged.path, judged.lines, code).err());
    if let Some(trouble) = trouble {
        out.push_str(&format!("\n> stale ref: {}\n", trouble.reason()));
        if judged.verdict != RefVerdict::Ok {
            out.push_str(&format!("> verdict: {}\n", judged.verdict.as_str()));
        }
        return;
    }
    out.push_str("\n```");
    out.push_str(language(&judged.path));
    out.push('\n');
    out.push_str(code);
    out.push_str("\n```\n");
    if let Some(diff) = &judged.diff {
        out.push_str(&format!("\n```diff\n{diff}\n```\n"));
    }
}

/// The old place, as short as the new one allows.
fn was(r: &PackRef, judged: &Judged) -> String {
    let LineRange { start, end } = r.lines;
    if judged.path == r.path { format!("lines {start}-{end}") } else { format!("{}:{start}-{end}", r.path) }
}

fn write_diagrams(out: &mut String, section: &Section) {
    out.push_str("\n### Diagrams\n");
    for diagram in &section.diagrams {
        out.push_str(&format!("\n#### {}\n", diagram.title));
        if let Some(why) = &diagram.why {
            out.push_str(&format!("_{why}_\n\n"));
        }
        out.push_str(&format!("```mermaid\n{}\n```\n", diagram.mermaid));
    }
}

/// The tag of a code fence, by what follows the last dot; a path that is just `rs` counts, too.
fn language(path: &str) -> &'static str {
    match path.rsplit('.').next().unwrap_or(path) {
        "rs" => "rust",
        "ts" | "tsx" => "typescript",
        "js" | "jsx" => "javascript",
        "py" => "python",
        "go" => "go",
        "java" => "java",
        "kt" => "kotlin",
        "c" | "h" => "c",
        "cpp" | "cc" | "cxx" | "hpp" => "cpp",
        "cs" => "csharp",
        "rb" => "ruby",
        "sh" | "bash" => "bash",
        "toml" => "toml",
        "yaml" | "yml" => "yaml",
        "json" => "json",
        "sql" => "sql",
        "md" => "markdown",
        "html" | "htm" => "html",
        "css" => "css",
        "proto" => "protobuf",
        _ => "",
    }
}
