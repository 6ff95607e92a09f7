//! `amof_get_server_status`: the running server: version, workspace root, session, mode and scope.

use serde::Serialize;

use crate::core::arguments::NoArguments;
use crate::core::layout::{Answer, Next};
use crate::core::{Ctx, Look, Mode, Needs, Outcome, Result, Tool};
use crate::families::ecosystems::args::CallSubject;
use crate::families::ecosystems::scope::SessionScope;
use crate::families::ecosystems::survey::{Depth, Survey, survey};
use crate::families::ecosystems::tools::{ListEcosystems, ScopeInfo};

pub struct ServerStatus;

#[derive(Serialize)]
struct Shown<'a> {
    running: bool,
    server: &'static str,
    version: &'static str,
    workspace_root: Option<&'a str>,
    workspace: &'a str,
    mode: &'static str,
    session_id: &'a str,
    client: &'a str,
    ecosystem: Option<&'a str>,
    max_mode: Option<&'static str>,
}

impl Tool for ServerStatus {
    type Args = NoArguments;
    type Seen = Survey;
    const NAME: &'static str = "amof_get_server_status";
    const NEEDS: Needs = Needs::World;

    fn look(look: &Look, _args: &NoArguments) -> Result<Survey> {
        survey(look, CallSubject::default(), Depth::Root)
    }

    fn decide(ctx: &Ctx, _args: &NoArguments, survey: &Survey) -> Result<Outcome> {
        let root = survey.root.as_ref().map(|r| r.display().to_string());
        let place =
            root.as_ref().map_or("no workspace root found".to_string(), |r| format!("workspace root {r}"));
        let scope = SessionScope::of(ctx)?;
        let version = env!("CARGO_PKG_VERSION");
        Answer::new(format!("packd {version} is running; {place}."))
            .told([
                format!("session: {} ({})", ctx.session.id, ctx.session.client),
                format!("workspace: {}", ctx.session.workspace),
                format!("mode: {}", ctx.call.mode.as_str()),
            ])
            .ecosystem(scope.ecosystem.as_deref())
            .fields(Shown {
                running: true,
                server: "packd",
                version,
                workspace_root: root.as_deref(),
                workspace: &ctx.session.workspace,
                mode: ctx.call.mode.as_str(),
                session_id: &ctx.session.id,
                client: &ctx.session.client,
                ecosystem: scope.ecosystem.as_deref(),
                max_mode: ctx.session.max_mode.map(Mode::as_str),
            })
            .next(Next::call(ListEcosystems::NAME))
            .next(Next::call(ScopeInfo::NAME))
            .outcome(ctx)
    }
}
