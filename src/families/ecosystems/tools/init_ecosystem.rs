//! `amof_init_ecosystem`: a first manifest for a new ecosystem, as one operation that can be taken back.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::core::ctx::Explanation;
use crate::core::layout::{Answer, Next};
use crate::core::new_file::FreePath;
use crate::core::templates::ECOSYSTEM;
use crate::core::{Ctx, Error, Look, Needs, Outcome, Record, Result, Tool, Writes};
use crate::families::ecosystems::names;
use crate::families::ecosystems::run_plan::{explained_outcome, unseen};
use crate::families::ecosystems::survey::find_root;
use crate::families::ecosystems::tools::{DescribeEcosystem, ValidateManifest};

pub struct InitEcosystem;

#[derive(Debug, Deserialize)]
pub struct InitEcosystemArgs {
    name: String,
}

#[derive(Serialize)]
struct Written<'a> {
    written: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    operation_id: Option<&'a str>,
    dry_run: bool,
}

impl Tool for InitEcosystem {
    type Args = InitEcosystemArgs;
    type Seen = FreePath;
    const NAME: &'static str = "amof_init_ecosystem";
    const NEEDS: Needs = Needs::World;
    const WRITES: Writes = Writes::Files;

    fn look(look: &Look, args: &InitEcosystemArgs) -> Result<FreePath> {
        let name = args.name.trim();
        names::plain(name).map_err(|why| Error::invalid("invalid_arguments", why))?;
        let root = find_root(look.session, look.world)?.unwrap_or(PathBuf::from(&look.session.workspace));
        FreePath::find(&root.join("ecosystems").join(name).join("ecosystem.yaml"), look.world)
    }

    fn decide(ctx: &Ctx, args: &InitEcosystemArgs, place: &FreePath) -> Result<Outcome> {
        let (name, path, id) = (args.name.trim(), place.shown(), ctx.record_id());
        let mut outcome = Outcome::default();
        place.fill(&mut outcome, &ECOSYSTEM.named(name), 0o644);
        let dry = if ctx.call.preview { "Dry run: " } else { "" };
        let summary = format!("Wrote the manifest of ecosystem {name}");
        outcome.reply = Answer::new(format!("{dry}{summary}; name its repositories in it."))
            .ecosystem(Some(name))
            .told([format!("file: {path}")])
            .fields(Written {
                written: &path,
                operation_id: (!ctx.call.preview).then_some(id.as_str()),
                dry_run: ctx.call.preview,
            })
            .next(Next::call(ValidateManifest::NAME).with("ecosystem", name))
            .next(Next::call(DescribeEcosystem::NAME).with("ecosystem", name))
            .reply(ctx);
        outcome.record = Record {
            id: Some(id),
            summary,
            targets: vec![format!("ecosystem:{name}")],
            paths: vec![path],
            ..Record::default()
        };
        Ok(outcome)
    }

    fn explain(ctx: &Ctx, args: &InitEcosystemArgs, place: Option<&FreePath>) -> Explanation {
        place.map_or(unseen(Self::NAME), |place| explained_outcome(Self::decide(ctx, args, place)))
    }

    fn concerns(_ctx: &Ctx, args: &InitEcosystemArgs) -> Vec<String> {
        vec![format!("ecosystem:{}", args.name.trim())]
    }
}
