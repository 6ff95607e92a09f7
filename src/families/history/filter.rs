//! Which records a page of the log shows, and where it starts: shared by `history_list` and `history_delta`.

use std::collections::BTreeSet;

use serde::Deserialize;

use super::errors::invalid;
use crate::core::arguments::trimmed;
use crate::core::change::path;
use crate::core::op::Stream;
use crate::core::view::{LogPage, LogQuery};
use crate::core::{Ctx, Error, Kind, Needs, Op, Result, schema};

const PAGE: usize = 20;
const MAX_PAGE: usize = 500;
/// Records looked at for one page: a filter that fits few of them is followed up with the cursor.
const STEP: usize = 2000;
/// A longer page, or one whose records must be read whole, is made where no other client waits.
const SHORT_PAGE: usize = 50;
/// Operations looked at for what may have been meant, and names told of them.
const SEEN_LATELY: usize = 100;
const TOLD: usize = 8;

#[derive(Debug, Default, Deserialize)]
pub struct HistoryFilter {
    #[serde(default)]
    stream: Option<Which>,
    #[serde(default, deserialize_with = "trimmed")]
    family: Option<String>,
    #[serde(default, deserialize_with = "trimmed")]
    target: Option<String>,
    #[serde(default, deserialize_with = "trimmed")]
    tool: Option<String>,
    #[serde(default, deserialize_with = "trimmed")]
    session: Option<String>,
    #[serde(default, deserialize_with = "trimmed")]
    client: Option<String>,
    /// A field, as `history_show` writes its path.
    #[serde(default, deserialize_with = "trimmed")]
    path: Option<String>,
    #[serde(default)]
    all_workspaces: bool,
    #[serde(default)]
    limit: Option<usize>,
    /// Every field of every operation, also for an agent.
    #[serde(default)]
    pub full: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Which {
    Ops,
    Audit,
}

impl HistoryFilter {
    pub fn needs(&self) -> Needs {
        // One filter is a list of its own; of two, one is compared record by record.
        let filters = [&self.tool, &self.session, &self.client, &self.target];
        let several = filters.into_iter().flatten().count() > 1;
        let long = self.limit.is_some_and(|n| n > SHORT_PAGE);
        if long || several || self.path.is_some() || self.all_workspaces { Needs::Scan } else { Needs::Rows }
    }

    pub fn query(&self, ctx: &Ctx) -> Result<LogQuery> {
        let everywhere = self.everywhere(ctx)?;
        Ok(LogQuery {
            stream: if self.stream == Some(Which::Audit) { Stream::Audit } else { Stream::Ops },
            workspace: (!everywhere).then(|| ctx.session.workspace.clone()),
            family: self.family.clone(),
            tools: self.tool.iter().cloned().collect(),
            target: self.target.clone(),
            session: self.session.clone(),
            client: self.client.clone(),
            field: self.path.as_deref().map(field).transpose()?,
            include_undone: true,
            limit: self.limit.unwrap_or(PAGE).clamp(1, MAX_PAGE),
            step: Some(STEP),
            ..LogQuery::default()
        })
    }

    /// Where nothing was found: is it because what was asked for does not exist?
    pub fn warnings(&self, ctx: &Ctx, nothing: bool) -> Result<Vec<String>> {
        let asked = [
            ("tool", &self.tool),
            ("client", &self.client),
            ("session", &self.session),
            ("target", &self.target),
        ];
        if !nothing || asked.iter().all(|(_, said)| said.is_none()) {
            return Ok(Vec::new());
        }
        let recent = ctx.view.log().ops(&LogQuery {
            workspace: Some(ctx.session.workspace.clone()),
            newest_first: true,
            include_undone: true,
            limit: SEEN_LATELY,
            ..LogQuery::default()
        })?;
        let mut out = Vec::new();
        for (name, said) in asked {
            let Some(said) = said else { continue };
            let of = |op: &Op| match name {
                "tool" => vec![op.tool.clone()],
                "client" => vec![op.who.client.clone()],
                "session" => vec![op.who.session.clone()],
                _ => op.targets.clone(),
            };
            let seen: BTreeSet<String> = recent.ops.iter().flat_map(of).collect();
            if seen.contains(said) {
                continue;
            }
            let seen: Vec<&str> = seen.iter().map(String::as_str).collect();
            let near = schema::closest(said, &seen);
            // A tool that nobody has is no filter that found nothing by chance.
            if name == "tool" && !ctx.session.offered.has(said) {
                let hint =
                    near.map_or_else(|| "Leave it out.".into(), |near| format!("Did you mean '{near}'?"));
                return Err(invalid(format!("'tool' is '{said}', and there is no such tool.")).hint(hint));
            }
            let near = near.map(|near| format!(" Did you mean '{near}'?"));
            let told = near.unwrap_or_else(|| match seen.is_empty() {
                true => " Nothing was done here yet.".to_string(),
                false => format!(" Lately there were: {}.", seen[..seen.len().min(TOLD)].join(", ")),
            });
            out.push(format!("No recent operation has the {name} '{said}'.{told}"));
        }
        Ok(out)
    }

    /// What other workspaces did is for the person whose they are; an agent sees the one it works in.
    fn everywhere(&self, ctx: &Ctx) -> Result<bool> {
        if self.all_workspaces && !ctx.session.is_cli() {
            let message = "'all_workspaces' is for persons; an agent sees the workspace it works in.";
            return Err(Error::new(Kind::Denied, "other_workspaces", message)
                .hint("Leave it out. A person may run `packd history --all`."));
        }
        Ok(self.all_workspaces)
    }
}

/// A path of a field, as `history_show` writes it.
fn field(text: &str) -> Result<String> {
    match path::parse(text).filter(|segments| !segments.is_empty()) {
        Some(_) => Ok(text.to_string()),
        None => Err(invalid(format!("'path' is not the path of a field: {text}")).hint(
            "Write it as history_show does, for example steps[STEP-1A2B0000].title or sections[entry].refs.",
        )),
    }
}

/// May this session see the record?
pub fn visible(ctx: &Ctx, op: &Op) -> bool {
    ctx.session.sees(&op.workspace) || ctx.session.is_cli()
}

/// The record a cursor names; a cursor never expires because no record is ever deleted.
pub fn cursor(ctx: &Ctx, stream: Stream, id: &str) -> Result<u64> {
    let found = ctx.view.log().op(id)?.filter(|op| op.stream == stream && visible(ctx, op));
    found.map(|op| op.seq).ok_or_else(|| {
        Error::new(Kind::NotFound, "cursor_not_found", format!("{id} is not an operation of this stream."))
            .hint("Use an operation_id of the same stream, or leave the cursor out.")
    })
}

/// The cursor of the next page. A page ends after [`STEP`] records whatever was found among them, so the last one
/// looked at need not be one that is shown.
pub fn next_id(ctx: &Ctx, query: &LogQuery, page: &LogPage) -> Result<Option<String>> {
    match page.next.filter(|_| page.has_more) {
        Some(seq) => Ok(ctx.view.log().op_at(query.stream, seq)?.map(|op| op.id)),
        None => Ok(None),
    }
}
