//! `amof_list_ecosystems`: the ecosystems of this workspace.

use serde::{Deserialize, Serialize};

use crate::core::layout::{Answer, Next};
use crate::core::{Ctx, Look, Mode, Needs, Outcome, Result, Tool};
use crate::families::ecosystems::args::CallSubject;
use crate::families::ecosystems::reply::plural;
use crate::families::ecosystems::rows::{self, EcosystemId};
use crate::families::ecosystems::standing::{ShownStanding, SpinStanding};
use crate::families::ecosystems::survey::{Depth, ManifestFile, Survey, survey};
use crate::families::ecosystems::tools::{ActiveRuns, InitEcosystem, ServerStatus, UseEcosystem};

pub struct ListEcosystems;

#[derive(Debug, Deserialize)]
pub struct ListEcosystemsArgs {
    #[serde(default)]
    include_retired: bool,
}

#[derive(Serialize)]
struct ShownEcosystem<'a> {
    name: &'a str,
    path: String,
    description: String,
    repos_count: usize,
    repos: Vec<&'a str>,
    provisioner: String,
    installed: bool,
    valid: bool,
    active_ticket: Option<String>,
    deployment: Option<ShownStanding>,
}

#[derive(Serialize)]
struct Shown<'a> {
    root: Option<&'a std::path::Path>,
    ecosystems: Vec<ShownEcosystem<'a>>,
}

impl Tool for ListEcosystems {
    type Args = ListEcosystemsArgs;
    type Seen = Survey;
    const NAME: &'static str = "amof_list_ecosystems";
    const NEEDS: Needs = Needs::World;

    fn look(look: &Look, _args: &ListEcosystemsArgs) -> Result<Survey> {
        survey(look, CallSubject::default(), Depth::All)
    }

    fn decide(ctx: &Ctx, args: &ListEcosystemsArgs, survey: &Survey) -> Result<Outcome> {
        let Some(root) = &survey.root else {
            return Answer::new("There are no ecosystems here: no 'ecosystems' directory was found.")
                .line("amof_init_ecosystem writes ecosystems/<name>/ecosystem.yaml; or set AMOF_WORKSPACE_ROOT.")
                .fields(Shown { root: None, ecosystems: Vec::new() })
                .next(Next::call(InitEcosystem::NAME).with("name", "demo").with("mode", Mode::Execute.as_str()))
                .next(Next::call(ServerStatus::NAME))
                .outcome(ctx);
        };
        let retired = |f: &ManifestFile| f.checked.manifest.as_ref().is_some_and(|m| m.retired);
        let live: Vec<_> = survey.found.iter().filter(|f| args.include_retired || !retired(f)).collect();
        let (mut rows, mut list, mut failed) = (Vec::new(), Vec::new(), Vec::new());
        for found in &live {
            let id = EcosystemId { root: root.clone(), name: found.name.clone() };
            let standing = SpinStanding::of(ctx.view, &id)?;
            if standing.fell.is_some() {
                failed.extend(standing.line().map(|line| format!("{}: {line}", found.name)));
            }
            let manifest = found.checked.manifest.as_ref();
            let repos: Vec<&str> =
                manifest.iter().flat_map(|m| m.repos.iter().map(|r| r.name.as_str())).collect();
            let provisioner = manifest.and_then(|m| m.provisioner.clone()).unwrap_or_default();
            let count = manifest.map_or("invalid manifest".to_string(), |m| m.repos.len().to_string());
            let installed = rows::installed(ctx.view, &id)?.is_some();
            let active_ticket = rows::active_ticket(ctx.view, &id)?;
            rows.push(vec![
                found.name.clone(),
                count,
                provisioner.clone(),
                if installed { "yes" } else { "no" }.to_string(),
                active_ticket.clone().unwrap_or_default(),
            ]);
            list.push(ShownEcosystem {
                name: &found.name,
                path: format!("ecosystems/{}", found.name),
                description: manifest.map(|m| m.description.clone()).unwrap_or_default(),
                repos_count: repos.len(),
                repos,
                provisioner,
                installed,
                valid: manifest.is_some(),
                active_ticket,
                deployment: standing.shown(),
            });
        }
        let mut answer = Answer::new(format!("{} ecosystem{}.", live.len(), plural(live.len())))
            .table(&["Ecosystem", "Repos", "Provisioner", "Installed", "Ticket"], &rows)
            .told(failed)
            .fields(Shown { root: Some(root), ecosystems: list });
        for found in live.iter().take(3) {
            answer = answer.next(Next::call(UseEcosystem::NAME).with("name", found.name.as_str()));
        }
        answer.next(Next::call(ActiveRuns::NAME)).outcome(ctx)
    }
}
