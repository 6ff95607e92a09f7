//! `find`: where is it? Looks for words in what all families keep for this workspace, and says which call opens a hit.
//!
//! Every word must be the beginning of a word of a thing; hits whose titles have the words come first, then the newest.
//! The store keeps the words, so only what is shown is read. Where very much has the words, it ranks the newest of each
//! kind and says so.

use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::core::findable::{Findable, ShownHit, Space, WordHit, WordQuery};
use crate::core::op::Stream;
use crate::core::standing::NextCall;
use crate::core::{Ctx, Error, Key, Look, Needs, Outcome, Reply, Result, Row, Table, Tool, words};

pub struct NowFind;

#[derive(Debug, Deserialize)]
pub struct NowFindArgs {
    query: String,
    #[serde(default)]
    kinds: Vec<String>,
    #[serde(default)]
    limit: Option<usize>,
}

#[derive(Serialize)]
struct FindReply {
    hits: Vec<Hit>,
    /// How many were found, where that is more than are shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    found: Option<usize>,
    /// Kinds of which there are more than were looked at.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    looked_at_newest: Vec<String>,
}

#[derive(Serialize)]
struct Hit {
    kind: &'static str,
    id: String,
    title: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    call: Option<NextCall>,
}

const LIMIT: usize = 20;
const MOST: usize = 100;
/// Things of one kind that are ranked.
const MOST_FOUND: usize = 1000;
const TITLE: usize = 40;
const OPERATIONS: &str = "operations";

impl Tool for NowFind {
    type Args = NowFindArgs;
    type Seen = ();
    const NAME: &'static str = "find";
    const NEEDS: Needs = Needs::Scan;

    fn look(_look: &Look, _args: &NowFindArgs) -> Result<()> {
        Ok(())
    }

    fn decide(ctx: &Ctx, args: &NowFindArgs, _seen: &()) -> Result<Outcome> {
        let words = words::asked(&args.query);
        if words.is_empty() {
            return Err(Error::invalid("invalid_arguments", "'query' has no words to look for.")
                .hint("Send some words of a title, a note, a path or a symbol."));
        }
        let wanted = |kind: &str| args.kinds.is_empty() || args.kinds.iter().any(|k| k == kind);
        let (mut found, mut looked_at_newest) = (Vec::new(), Vec::new());
        for findable in ctx.neighbours.findables(ctx).iter().filter(|f| wanted(f.kind)) {
            if in_rows(ctx, findable, &words, &mut found)? {
                looked_at_newest.push(findable.kind.to_string());
            }
        }
        if wanted(OPERATIONS) && in_operations(ctx, &words, &mut found)? {
            looked_at_newest.push(OPERATIONS.to_string());
        }
        // Kinds come in one order and each newest first; a stable sort keeps that among equals.
        found.sort_by_key(|found| std::cmp::Reverse(found.rank()));
        let limit = args.limit.unwrap_or(LIMIT).clamp(1, MOST);
        let mut hits = Vec::new();
        for one in &found {
            if hits.len() == limit {
                break;
            }
            hits.extend(one.shown(ctx)?);
        }
        let found = Some(found.len()).filter(|found| hits.len() == limit && *found > limit);
        Ok(Outcome::reply(Reply::of(&FindReply { hits, found, looked_at_newest })))
    }
}

/// True where there may be more than it found.
fn in_rows(ctx: &Ctx, of: &Findable, words: &[String], found: &mut Vec<Found>) -> Result<bool> {
    let mut more = false;
    for space in &of.spaces {
        let space = Space::Rows(of.table, space.clone());
        let page = ctx.view.words(&WordQuery { space, words: words.to_vec(), limit: MOST_FOUND })?;
        more |= page.more;
        found.extend(page.hits.into_iter().map(|hit| Found { hit, of: Some((of.kind, of.table, of.shown)) }));
    }
    Ok(more)
}

/// Those of the tree that is worked in are among them, where it has a history of its own.
fn in_operations(ctx: &Ctx, words: &[String], found: &mut Vec<Found>) -> Result<bool> {
    let mut more = false;
    for place in [Some(ctx.session.workspace.as_str()), ctx.session.linked_tree()].into_iter().flatten() {
        let space = Space::Operations(place.to_string());
        let page = ctx.view.words(&WordQuery { space, words: words.to_vec(), limit: MOST_FOUND })?;
        more |= page.more;
        found.extend(page.hits.into_iter().map(|hit| Found { hit, of: None }));
    }
    Ok(more)
}

/// What has the words, before it is read.
struct Found {
    hit: WordHit,
    /// `None` = an operation.
    of: Option<(&'static str, Table, Show)>,
}

type Show = fn(&Ctx, &Key, &Row) -> Option<ShownHit>;

impl Found {
    /// What was done to a thing comes after the thing.
    fn rank(&self) -> (bool, usize) {
        (self.of.is_some(), self.hit.in_title)
    }

    /// `None` = it is nobody's to find, or it is gone meanwhile.
    fn shown(&self, ctx: &Ctx) -> Result<Option<Hit>> {
        let Some((kind, table, show)) = self.of else {
            let op = ctx.view.log().op_at(Stream::Ops, self.hit.born)?;
            return Ok(op.map(|op| {
                let call = NextCall::new("history_show", json!({"operation_id": op.id}));
                hit(ctx, OPERATIONS, op.id, &op.summary, call)
            }));
        };
        let row = ctx.view.row(table, &self.hit.key)?;
        let shown = row.and_then(|row| show(ctx, &self.hit.key, &row));
        Ok(shown.map(|shown| hit(ctx, kind, shown.id, &shown.title, shown.call)))
    }
}

fn hit(ctx: &Ctx, kind: &'static str, id: String, title: &str, call: NextCall) -> Hit {
    let title = match title.chars().count() > TITLE {
        true => title.chars().take(TITLE - 1).chain(['…']).collect(),
        false => title.to_string(),
    };
    Hit { kind, id, title, call: call.offered(ctx.session) }
}
