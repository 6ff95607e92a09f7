//! `amof_release_log`: releases, newest first by semver.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::core::layout::{Answer, Next};
use crate::core::{Ctx, Key, Look, Needs, Outcome, Result, Tool};
use crate::families::ecosystems::args::{CallSubject, said};
use crate::families::ecosystems::release_facts::{again, facts};
use crate::families::ecosystems::reply::plural;
use crate::families::ecosystems::rows::RELEASES;
use crate::families::ecosystems::survey::{Depth, Survey, survey};
use crate::families::ecosystems::tools::{ReleaseStatus, ReleaseValidate};

pub struct ReleaseLog;

#[derive(Debug, Deserialize)]
pub struct ReleaseLogArgs {
    #[serde(default, deserialize_with = "said")]
    ecosystem: Option<String>,
    #[serde(default, deserialize_with = "said")]
    repo: Option<String>,
    limit: Option<usize>,
}

#[derive(Serialize)]
struct Shown<'a> {
    target: &'a str,
    releases: Vec<Logged>,
}

/// A release that packd made has a record, whose form is that of its file; of others the tag is known.
#[derive(Serialize)]
#[serde(untagged)]
enum Logged {
    Record(Value),
    Tag { tag: String },
}

impl Tool for ReleaseLog {
    type Args = ReleaseLogArgs;
    type Seen = Survey;
    const NAME: &'static str = "amof_release_log";
    const NEEDS: Needs = Needs::World;

    fn look(look: &Look, args: &ReleaseLogArgs) -> Result<Survey> {
        survey(
            look,
            CallSubject {
                ecosystem: args.ecosystem.as_deref(),
                repo: args.repo.as_deref(),
                ..CallSubject::default()
            },
            Depth::Release,
        )
    }

    fn decide(ctx: &Ctx, args: &ReleaseLogArgs, survey: &Survey) -> Result<Outcome> {
        let facts = facts(survey)?;
        let root = survey.root()?.to_string_lossy();
        let (mut rows, mut releases) = (Vec::new(), Vec::new());
        for version in facts.versions.iter().rev().take(args.limit.unwrap_or(10)) {
            let tag = version.tag();
            let key = Key::of(&root).text(&facts.target).text(&tag);
            let record: Option<Value> = ctx.view.get(RELEASES, &key)?.map(|(record, _)| record);
            let text = |name: &str| {
                let said = record.as_ref().and_then(|record| record.get(name)).and_then(Value::as_str);
                said.unwrap_or_default().to_string()
            };
            rows.push(vec![tag.clone(), text("timestamp"), text("action"), text("author")]);
            releases.push(record.map_or(Logged::Tag { tag }, Logged::Record));
        }
        let same = again(survey, args.repo.as_deref());
        Answer::new(format!("{} release{} of {}.", rows.len(), plural(rows.len()), facts.target))
            .ecosystem(survey.name())
            .table(&["Tag", "When", "How", "Who"], &rows)
            .fields(Shown { target: &facts.target, releases })
            .next(Next::call(ReleaseStatus::NAME).all(same.clone()))
            .next(Next::call(ReleaseValidate::NAME).all(same))
            .outcome(ctx)
    }
}
