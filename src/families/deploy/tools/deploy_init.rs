//! `deploy_init`: a first config repo where there is none, as one operation that can be taken back.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::core::arguments::trimmed;
use crate::core::ctx::Explanation;
use crate::core::inside::{self, Located};
use crate::core::layout::Next;
use crate::core::new_file::FreePath;
use crate::core::templates::AGENTPACK;
use crate::core::{Ctx, Look, Needs, Outcome, Record, Result, Tool, Writes};
use crate::families::deploy::args::{config_repo, own_places};
use crate::families::deploy::errors::{coded, details};
use crate::families::deploy::reply::DeployEnvelope;
use crate::families::deploy::tools::Review;

/// Where each file goes, and what it holds.
const FILES: [(&str, &str); 3] = [
    ("agentpack.yaml", AGENTPACK.text),
    ("modules/base/AGENTS.md", include_str!("../../../../proto/templates/AGENTS.md")),
    ("modules/review.md", include_str!("../../../../proto/templates/review.md")),
];

pub struct DeployInit;

#[derive(Debug, Deserialize)]
pub struct DeployInitArgs {
    #[serde(default, deserialize_with = "trimmed")]
    repo: Option<String>,
}

#[derive(Serialize)]
struct Written<'a> {
    written: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    operation_id: Option<&'a str>,
}

/// Links are judged by where they end.
fn own(look: &Look, repo: &Path) -> Result<()> {
    for place in own_places(look.session) {
        let there = look.world.canonical(&place)?.is_some();
        if there && inside::locate(look.world, &place, repo)? != Located::Outside {
            return Ok(());
        }
    }
    Err(coded(
        "E_INVALID_ARGUMENTS",
        format!("{} is neither in the workspace nor in your home or $AGENTPACK_HOME.", repo.display()),
    )
    .hint("Leave 'repo' out for the default, or name a directory in one of these."))
}

impl Tool for DeployInit {
    type Args = DeployInitArgs;
    type Seen = Vec<FreePath>;
    const NAME: &'static str = "deploy_init";
    const NEEDS: Needs = Needs::World;
    const WRITES: Writes = Writes::Files;

    fn look(look: &Look, args: &DeployInitArgs) -> Result<Vec<FreePath>> {
        let repo = config_repo(args.repo.as_deref(), look.session);
        if args.repo.is_some() && !look.session.is_cli() {
            own(look, &repo)?;
        }
        FILES.iter().map(|(path, _)| FreePath::find(&repo.join(path), look.world)).collect()
    }

    fn decide(ctx: &Ctx, args: &DeployInitArgs, places: &Vec<FreePath>) -> Result<Outcome> {
        let mut outcome = Outcome::default();
        for (place, (_, text)) in places.iter().zip(FILES) {
            place.fill(&mut outcome, text, 0o644);
        }
        let paths: Vec<String> = places.iter().map(FreePath::shown).collect();
        let id = ctx.record_id();
        let operation_id = (!ctx.call.preview).then_some(id.as_str());
        let next = args
            .repo
            .as_ref()
            .map_or(Next::call(Review::NAME), |repo| Next::call(Review::NAME).with("repo", repo.as_str()));
        let data = details(&Written { written: &paths, operation_id });
        outcome.reply = DeployEnvelope::of(Self::NAME, None, data, &[]).next(next).reply();
        outcome.record = Record {
            id: Some(id),
            summary: "Wrote a config repository".to_string(),
            paths,
            ..Record::default()
        };
        Ok(outcome)
    }

    fn explain(_ctx: &Ctx, _args: &DeployInitArgs, places: Option<&Vec<FreePath>>) -> Explanation {
        let paths = places.map(|places| places.iter().map(FreePath::shown).collect()).unwrap_or_default();
        Explanation {
            would: "Would write a first config repo.".to_string(),
            state: paths,
            ..Explanation::default()
        }
    }
}
