//! `amof_validate_manifest`: what is wrong with an ecosystem.yaml, field by field.

use serde::{Deserialize, Serialize};

use crate::core::layout::{Answer, Next};
use crate::core::{Ctx, Look, Needs, Outcome, Result, Tool};
use crate::families::ecosystems::args::{CallSubject, said};
use crate::families::ecosystems::manifest::{Problem, ShownProblem};
use crate::families::ecosystems::reply::plural;
use crate::families::ecosystems::survey::{Depth, Survey, survey};
use crate::families::ecosystems::tools::{DescribeEcosystem, ListEcosystems};

pub struct ValidateManifest;

#[derive(Debug, Deserialize)]
pub struct ValidateManifestArgs {
    #[serde(default, deserialize_with = "said")]
    ecosystem: Option<String>,
    #[serde(default)]
    strict: bool,
}

#[derive(Serialize)]
struct Shown {
    valid: bool,
    errors: usize,
    warnings: usize,
    problems: Vec<ShownProblem>,
}

impl Tool for ValidateManifest {
    type Args = ValidateManifestArgs;
    type Seen = Survey;
    const NAME: &'static str = "amof_validate_manifest";
    const NEEDS: Needs = Needs::World;

    fn look(look: &Look, args: &ValidateManifestArgs) -> Result<Survey> {
        survey(
            look,
            CallSubject { ecosystem: args.ecosystem.as_deref(), ..CallSubject::default() },
            Depth::Manifest,
        )
    }

    fn decide(ctx: &Ctx, args: &ValidateManifestArgs, survey: &Survey) -> Result<Outcome> {
        let target = survey.ecosystem()?;
        let name = target.id.name.as_str();
        let problems = &target.file.checked.problems;
        let errors = problems.iter().filter(|p| p.error).count();
        let warnings = problems.len() - errors;
        let valid = errors == 0 && !(args.strict && warnings > 0);
        let text = format!(
            "ecosystems/{name}/ecosystem.yaml is {}: {errors} error{}, {warnings} warning{}.",
            if valid { "valid" } else { "not valid" },
            plural(errors),
            plural(warnings)
        );
        Answer::new(text)
            .ecosystem(Some(name))
            .told(problems.iter().map(Problem::line))
            .fields(Shown {
                valid,
                errors,
                warnings,
                problems: problems.iter().map(Problem::shown).collect(),
            })
            .next(Next::call(DescribeEcosystem::NAME).with("ecosystem", name))
            .next(Next::call(ListEcosystems::NAME))
            .outcome(ctx)
    }
}
