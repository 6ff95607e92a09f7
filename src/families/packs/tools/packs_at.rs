//! `packs_at`: who speaks of this file? Packs with refs into a file, or at one line of it: what to read before the file
//! is changed, and what to check after.
//!
//! A path's words are kept like all others, so they lead to the packs that may have it, and only those are read. Refs are
//! told as they were written: whether their lines still hold is what `check` is for.

use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::core::findable::{Space, WordQuery};
use crate::core::standing::NextCall;
use crate::core::{Ctx, Look, Needs, Outcome, Reply, Result, SessionInfo, Tool, words};

use super::super::errors::invalid;
use super::super::model::{ContextPack, PackRef, Section};
use super::super::rows::{PACKS, space_of};
use super::super::rules;

pub struct PacksAt;

#[derive(Debug, Deserialize)]
pub struct PacksAtArgs {
    path: String,
    line: Option<u64>,
}

/// Packs with the words of the path that are read, newest first.
const READ: usize = 200;
/// Packs, refs of one pack and characters of a reason that are told.
const PACKS_TOLD: usize = 10;
const REFS_TOLD: usize = 5;
const WHY_TOLD: usize = 80;

#[derive(Serialize)]
struct PacksAtReply {
    path: String,
    packs: Vec<PackAt>,
    /// There may be more packs than these.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    more: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<NextCall>,
}

#[derive(Serialize)]
struct PackAt {
    id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    status: &'static str,
    refs: Vec<RefAt>,
    /// Refs into the file that are not told.
    #[serde(skip_serializing_if = "Option::is_none")]
    refs_left: Option<usize>,
}

#[derive(Serialize)]
struct RefAt {
    section: String,
    key: String,
    lines: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
}

impl Tool for PacksAt {
    type Args = PacksAtArgs;
    type Seen = ();
    const NAME: &'static str = "packs_at";
    const NEEDS: Needs = Needs::Scan;

    fn look(_look: &Look, _args: &PacksAtArgs) -> Result<()> {
        Ok(())
    }

    fn decide(ctx: &Ctx, args: &PacksAtArgs, _seen: &()) -> Result<Outcome> {
        let path = rules::path(&below_the_project(ctx.session, &args.path))?;
        let words = words::asked(&path);
        if words.is_empty() {
            return Err(invalid(format!("'path' names no file, but is '{}'", args.path)));
        }
        let space = Space::Rows(PACKS, space_of(ctx.session));
        let page = ctx.view.words(&WordQuery { space, words, limit: READ })?;
        let (mut packs, mut more) = (Vec::new(), page.more);
        for hit in &page.hits {
            let Some((pack, _)) = ctx.view.get::<ContextPack>(PACKS, &hit.key)? else { continue };
            if pack.expired(ctx.now) {
                continue;
            }
            let Some(found) = PackAt::of(&pack, &path, args.line) else { continue };
            if packs.len() == PACKS_TOLD {
                more = true;
                break;
            }
            packs.push(found);
        }
        let next = packs.first().map(|pack| NextCall::new("output", json!({"id": pack.id})));
        let next = next.and_then(|next| next.offered(ctx.session));
        Ok(Outcome::reply(Reply::of(&PacksAtReply { path, packs, more, next })))
    }
}

/// Agents often know files by their whole paths; refs are relative to where the session works.
fn below_the_project(session: &SessionInfo, path: &str) -> String {
    let whole = Path::new(path);
    let below =
        [session.tree(), &session.workspace].into_iter().find_map(|root| whole.strip_prefix(root).ok());
    let path = below.map_or(path.to_string(), |rest| rest.display().to_string());
    path.strip_prefix("./").map_or(path.clone(), str::to_string)
}

impl PackAt {
    /// `None` = it has no such ref.
    fn of(pack: &ContextPack, path: &str, line: Option<u64>) -> Option<PackAt> {
        let there = |r: &PackRef| {
            r.path == path && line.is_none_or(|line| (r.lines.start..=r.lines.end).contains(&line))
        };
        let all: Vec<(&Section, &PackRef)> = pack.refs().filter(|(_, r)| there(r)).collect();
        let refs: Vec<RefAt> = all.iter().take(REFS_TOLD).map(|(section, r)| RefAt::of(section, r)).collect();
        let left = all.len() - refs.len();
        (!refs.is_empty()).then(|| PackAt {
            id: pack.id.clone(),
            name: pack.name.clone(),
            title: pack.title.clone(),
            status: pack.status.as_str(),
            refs,
            refs_left: (left > 0).then_some(left),
        })
    }
}

impl RefAt {
    fn of(section: &Section, r: &PackRef) -> RefAt {
        let cut = |text: &String| match text.chars().count() > WHY_TOLD {
            true => text.chars().take(WHY_TOLD - 1).chain(['…']).collect(),
            false => text.clone(),
        };
        RefAt {
            section: section.key.clone(),
            key: r.key.clone(),
            lines: format!("{}-{}", r.lines.start, r.lines.end),
            why: r.why.as_ref().map(cut),
        }
    }
}
