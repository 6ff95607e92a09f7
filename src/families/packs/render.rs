//! A pack as Markdown, byte for byte as the contract's clients know it, in pages of refs where it is long.
//!
//! Reading the pages one after another gives the whole document: a section's description comes with its first
//! ref, its diagrams with its last, its heading on every page that has some of it.

use std::collections::BTreeMap;
use std::path::Path;

use crate::core::{Timestamp, World};

use super::excerpt::{Excerpt, gather};
use super::life;
use super::list::MAX_REPLY;
use super::model::{Pack, Ref, Section};

/// Room for the line that says what is left.
const RESERVE: usize = 512;

/// Which refs are wanted, counted in the order they are shown in.
#[derive(Debug, Clone, Copy, Default)]
pub struct Page {
    pub offset: usize,
    pub limit: Option<usize>,
}

/// Reads the files a page needs and renders it. A bad ref costs one line, never the page.
pub fn render(
    pack: &Pack,
    revision: u64,
    now: Timestamp,
    page: Page,
    world: &dyn World,
    root: &Path,
) -> String {
    let layout = Layout::of(pack);
    let total = layout.total;
    let start = page.offset.min(total);
    let wanted = page.limit.map_or(total, |n| start.saturating_add(n).min(total));
    let refs: Vec<&Ref> = layout.refs().skip(start).take(wanted - start).collect();
    let excerpts = gather(world, root, &refs, MAX_REPLY);
    let read = excerpts.iter().position(|e| matches!(e, Excerpt::Left)).unwrap_or(excerpts.len());
    let mut end = start + read;
    loop {
        let (mut text, ends) = layout.write(pack, revision, now, start..end, &excerpts);
        if text.len() > MAX_REPLY - RESERVE && end > start + 1 {
            let fits = ends.iter().take_while(|at| **at <= MAX_REPLY - RESERVE).count();
            end = start + fits.clamp(1, end - start - 1);
            continue;
        }
        cut(&mut text);
        if start > 0 || end < total {
            text.push_str(&left_over(start, end, total));
        }
        return text;
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

fn left_over(start: usize, end: usize, total: usize) -> String {
    let shown = if end > start {
        format!("refs {}-{end} of {total}", start + 1)
    } else {
        format!("no ref of {total}")
    };
    match total - end {
        0 => format!("\n> page: {shown}; nothing left\n"),
        left => format!("\n> page: {shown}; {left} left, continue with offset {end}\n"),
    }
}

/// The refs of a section by group.
type Groups<'a> = Vec<(&'a str, Vec<&'a Ref>)>;

/// The refs of every section in the order they are shown in.
struct Layout<'a> {
    sections: Vec<(&'a Section, Groups<'a>)>,
    total: usize,
}

impl<'a> Layout<'a> {
    fn of(pack: &'a Pack) -> Layout<'a> {
        let sections: Vec<_> = pack
            .sections
            .iter()
            .map(|section| {
                let mut groups: BTreeMap<&str, Vec<&Ref>> = BTreeMap::new();
                for r in &section.refs {
                    groups.entry(r.group.as_deref().unwrap_or("ungrouped")).or_default().push(r);
                }
                (section, groups.into_iter().collect())
            })
            .collect();
        Layout { sections, total: pack.refs().count() }
    }

    fn refs(&self) -> impl Iterator<Item = &'a Ref> + '_ {
        self.sections.iter().flat_map(|(_, groups)| groups.iter().flat_map(|(_, refs)| refs.iter().copied()))
    }

    /// The text of a page, and where in it each of its refs ends.
    fn write(
        &self,
        pack: &Pack,
        revision: u64,
        now: Timestamp,
        page: std::ops::Range<usize>,
        excerpts: &[Excerpt],
    ) -> (String, Vec<usize>) {
        let mut out = legend(pack, revision, now);
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
                        write_ref(&mut out, section, r, &excerpts[n - page.start]);
                        ends.push(out.len());
                    }
                    n += 1;
                }
            }
            if last <= page.end && !section.diagrams.is_empty() {
                write_diagrams(&mut out, section);
            }
        }
        (out, ends)
    }
}

fn legend(pack: &Pack, revision: u64, now: Timestamp) -> String {
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
    line("ttl_remaining", &life::human(pack.expires_at, now));
    if !pack.tags.is_empty() {
        line("tags", &pack.tags.join(", "));
    }
    if let Some(brief) = &pack.brief {
        line("brief", brief);
    }
    out
}

fn write_ref(out: &mut String, section: &Section, r: &Ref, excerpt: &Excerpt) {
    out.push_str(&format!("\n#### {} [{}]\n", r.key, section.key));
    if let Some(title) = &r.title {
        out.push_str(&format!("**{title}**\n\n"));
    }
    out.push_str(&format!("- path: {}\n- lines: {}-{}\n", r.path, r.lines.start, r.lines.end));
    if let Some(why) = &r.why {
        out.push_str(&format!("- why: {why}\n"));
    }
    match excerpt {
        Excerpt::Code(code) => {
            out.push_str("\n```");
            out.push_str(language(&r.path));
            out.push('\n');
            out.push_str(code);
            out.push_str("\n```\n");
        }
        Excerpt::Trouble(trouble) => out.push_str(&format!("\n> stale ref: {}\n", trouble.reason())),
        // A page ends before the first ref that was not read.
        Excerpt::Left => {}
    }
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
