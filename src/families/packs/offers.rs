//! Packs as resources, prompts that start from one, and completion of ids and names.

use serde_json::{Map, Value};

use crate::core::resource::{
    Offers, Prompt, PromptArgument, Resource, ResourceContents, ResourcePage, ResourceTemplate,
};
use crate::core::{Ctx, IndexQuery, Key, Look, Op, Result, row};

use super::anchors::Sight;
use super::anchors::memory::AnchorMemory;
use super::errors::{invalid, not_found};
use super::list::{after, scan};
use super::render::{RefWindow, render};
use super::rows::{BY_UPDATE, PackSummary, find, space_of, status_group};
use super::rules;

const SCHEME: &str = "pack://";
const MIME: &str = "text/markdown";
/// Completion looks at this many of the newest packs, and offers at most so many values.
const LOOKED_AT: usize = 5_000;
const OFFERED: usize = 100;

pub fn uri(id: &str) -> String {
    format!("{SCHEME}{id}")
}

pub struct PackOffers;

impl Offers for PackOffers {
    fn resources(&self, ctx: &Ctx, cursor: Option<&str>, limit: usize) -> Result<ResourcePage> {
        let hex = data_encoding::HEXLOWER;
        let mut query =
            IndexQuery::new(BY_UPDATE, status_group(&space_of(ctx.session), None)).limit(limit + 1);
        if let Some(cursor) = cursor {
            let bytes =
                hex.decode(cursor.as_bytes()).map_err(|_| invalid("the cursor is not one of a pack list"))?;
            query = query.from(Key::from_bytes(&bytes));
        }
        let mut entries = ctx.view.index(&query)?;
        let more = entries.len() > limit;
        entries.truncate(limit);
        let next = entries.last().filter(|_| more).map(|e| hex.encode(after(&e.sort).as_bytes()));
        let live = entries.iter().filter_map(|e| row::decode::<PackSummary>(&e.value).ok());
        let shown = live.filter(|s| s.expires_at > ctx.now).map(|s| Resource {
            uri: uri(&s.id),
            name: s.name.unwrap_or_else(|| s.id.clone()),
            title: s.title,
            description: s.brief,
            mime: MIME,
        });
        Ok((shown.collect(), next))
    }

    fn templates(&self) -> Vec<ResourceTemplate> {
        vec![ResourceTemplate {
            uri_template: "pack://{id}{?offset,limit}",
            name: "context pack",
            description: "A context pack as Markdown with the code its refs point to; offset and limit count refs.",
            mime: MIME,
        }]
    }

    fn read(&self, look: &Look, uri: &str) -> Result<Option<ResourceContents>> {
        let Some(rest) = uri.strip_prefix(SCHEME) else { return Ok(None) };
        let (id, query) = rest.split_once('?').unwrap_or((rest, ""));
        if !rules::is_id(id) {
            return Err(not_found(format!("resource '{uri}'")));
        }
        let mut page = RefWindow::default();
        for (name, value) in query.split('&').filter_map(|pair| pair.split_once('=')) {
            let number =
                value.parse().map_err(|_| invalid(format!("'{name}' must be a number in '{uri}'")))?;
            match name {
                "offset" => page.offset = number,
                "limit" => page.limit = Some(number),
                _ => {}
            }
        }
        let (ctx, world) = (look.ctx, look.world);
        let found = find(ctx, id)?;
        let sight = Sight::of(ctx, world, &found)?;
        let memory = world.memories().of::<AnchorMemory>();
        let judge = sight.judge(ctx, world, &memory, true);
        let text = render(&found.pack, found.rev, ctx.now, page, &judge).tried()?.text;
        Ok(Some(ResourceContents { uri: uri.to_string(), mime: MIME.to_string(), text }))
    }

    fn changed(&self, op: &Op) -> Vec<String> {
        op.targets.iter().filter(|t| rules::is_id(t)).map(|id| uri(id)).collect()
    }

    fn prompts(&self) -> Vec<Prompt> {
        vec![
            Prompt {
                name: "use_pack",
                title: "Use a context pack",
                description: "Read a context pack and work from it.",
                arguments: vec![PromptArgument {
                    name: "name",
                    description: "Pack name or id.",
                    required: true,
                }],
            },
            Prompt {
                name: "build_pack",
                title: "Build a context pack",
                description: "Collect the code that explains a topic in a pack another agent can use.",
                arguments: vec![PromptArgument {
                    name: "topic",
                    description: "What to explain.",
                    required: true,
                }],
            },
        ]
    }

    fn prompt(&self, _look: &Look, name: &str, args: &Map<String, Value>) -> Result<Option<String>> {
        let need = |field: &str| {
            let text = args.get(field).and_then(Value::as_str).map(str::trim).filter(|t| !t.is_empty());
            text.ok_or_else(|| invalid(format!("the prompt needs '{field}'")))
        };
        Ok(match name {
            "use_pack" => Some(format!(
                "Read the context pack '{}' with the tool `output` (argument `name`). If its last line says that refs \
             are left, read on with the offset it names. Where a ref says moved, the code is shown at its new \
             place; where it says changed, read the diff before you rely on title and why; a line `> stale ref:` \
             is code that could not be found again. Then work from the pack; open other files only where it is silent.",
                need("name")?
            )),
            "build_pack" => Some(format!(
                "Build a context pack about: {}\n\n1. Find the code that matters; prefer few exact anchors to many.\n\
             2. `input` action create (name, title, brief, ttl_minutes), then upsert_section for each question a \
             reader will have.\n3. upsert_ref for every anchor: exact lines, and in ref_why the one thing the \
             reader should see there. upsert_diagram where a flow is easier drawn.\n4. Pass the revision of each \
             reply as expected_revision of the next call.\n5. Read it with `output`, repair stale refs, then \
             set_status finalized. Answer with the pack's name and id.",
                need("topic")?
            )),
            _ => None,
        })
    }

    fn complete(&self, ctx: &Ctx, reference: &str, argument: &str, typed: &str) -> Result<Vec<String>> {
        let ours = reference.starts_with(SCHEME) || reference == "use_pack";
        if !ours || !["id", "name"].contains(&argument) {
            return Ok(Vec::new());
        }
        let (mut out, mut looked) = (Vec::new(), 0);
        scan(ctx.view, &status_group(&space_of(ctx.session), None), ctx.now, |s| {
            looked += 1;
            let word = if argument == "name" { s.name.unwrap_or(s.id) } else { s.id };
            if word.starts_with(typed) {
                out.push(word);
            }
            out.len() < OFFERED && looked < LOOKED_AT
        })?;
        Ok(out)
    }
}
