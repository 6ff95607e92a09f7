//! `amof_describe_ecosystem`: an ecosystem's manifest: repositories, branches, provisioner.

use serde::Serialize;

use crate::core::layout::{Answer, Next};
use crate::core::{Ctx, Look, Mode, Needs, Outcome, Result, Tool, redact};
use crate::families::ecosystems::args::{EcosystemArgs, NamesSubject};
use crate::families::ecosystems::manifest::ManifestRepo;
use crate::families::ecosystems::rows::shown;
use crate::families::ecosystems::run_plan::PlansRun;
use crate::families::ecosystems::standing::{ShownStanding, SpinStanding};
use crate::families::ecosystems::survey::{Depth, Survey, survey};
use crate::families::ecosystems::tools::{EcosystemStatus, InstallEcosystem, ValidateManifest};

pub struct DescribeEcosystem;

#[derive(Serialize)]
struct ShownRepo<'a> {
    name: &'a str,
    url: String,
    branch: &'a str,
    path: &'a str,
    readonly: bool,
    enabled: bool,
}

impl<'a> ShownRepo<'a> {
    fn of(r: &'a ManifestRepo) -> ShownRepo<'a> {
        ShownRepo {
            name: &r.name,
            url: redact::line(&r.url),
            branch: &r.branch,
            path: &r.path,
            readonly: r.readonly,
            enabled: r.enabled,
        }
    }
}

#[derive(Serialize)]
struct Shown<'a> {
    ecosystem: &'a str,
    description: &'a str,
    provisioner: Option<&'a str>,
    branch_prefix: &'a str,
    repo_branch_prefix: &'a str,
    workspace_dir: String,
    workspace_branch: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    deployment: Option<ShownStanding>,
    repos: Vec<ShownRepo<'a>>,
    retired: bool,
}

impl Tool for DescribeEcosystem {
    type Args = EcosystemArgs;
    type Seen = Survey;
    const NAME: &'static str = "amof_describe_ecosystem";
    const NEEDS: Needs = Needs::World;

    fn look(look: &Look, args: &EcosystemArgs) -> Result<Survey> {
        survey(look, args.named(), Depth::Manifest)
    }

    fn decide(ctx: &Ctx, _args: &EcosystemArgs, survey: &Survey) -> Result<Outcome> {
        let target = survey.ecosystem()?;
        let manifest = target.manifest()?;
        let name = target.id.name.as_str();
        let standing = SpinStanding::of(ctx.view, &target.id)?;
        let row = |r: &ManifestRepo| {
            vec![
                r.name.clone(),
                r.branch.clone(),
                if r.readonly { "yes" } else { "no" }.into(),
                redact::line(&r.url),
                r.path.clone(),
            ]
        };
        let rows: Vec<Vec<String>> = manifest.repos.iter().map(row).collect();
        let ies = if rows.len() == 1 { "y" } else { "ies" };
        let mut answer = Answer::new(format!("{name}: {} repositor{ies}.", rows.len())).ecosystem(Some(name));
        if !manifest.description.is_empty() {
            answer = answer.told([manifest.description.clone()]);
        }
        let about = |tool: &str| Next::call(tool).with("ecosystem", name);
        if !target.dir_exists {
            answer = answer.next(about(InstallEcosystem::NAME).with("mode", Mode::Plan.as_str()));
        }
        answer
            .told([format!("provisioner: {}", manifest.provisioner.as_deref().unwrap_or("none"))])
            .told(standing.line())
            .told([
                format!("workspace: {} on {}", shown(&target.dir, &target.id.root), target.branch()),
                format!("ticket branches: {}/<ticket>", manifest.repo_branch_prefix),
            ])
            .table(&["Repo", "Branch", "Readonly", "Address", "Path"], &rows)
            .fields(Shown {
                ecosystem: name,
                description: &manifest.description,
                provisioner: manifest.provisioner.as_deref(),
                branch_prefix: &manifest.branch_prefix,
                repo_branch_prefix: &manifest.repo_branch_prefix,
                workspace_branch: target.branch(),
                deployment: standing.shown(),
                workspace_dir: shown(&target.dir, &target.id.root),
                repos: manifest.repos.iter().map(ShownRepo::of).collect(),
                retired: manifest.retired,
            })
            .next(about(EcosystemStatus::NAME))
            .next(about(ValidateManifest::NAME))
            .outcome(ctx)
    }
}
