//! Errors of this family in the layout of its answers, and small words that several answers share.

use super::args::EcosystemArgs;
use super::checkouts::NOT_INSTALLED;
use super::errors::no_root;
use super::run_plan::PlansRun;
use super::tools::{
    DescribeEcosystem, EcosystemStatus, InitEcosystem, InstallEcosystem, ListEcosystems, ListRuns, Push,
    ReleaseStatus, Sync, TicketList, ValidateManifest,
};
use serde::Deserialize;

use crate::core::arguments::Arguments;
use crate::core::ctx::ErrorCtx;
use crate::core::layout::{self, Next};
use crate::core::{Error, Mode, Reply, Tool};

pub fn error(error: &Error, ctx: &ErrorCtx) -> Reply {
    let named = ctx.call.and_then(|call| call.read::<EcosystemArgs>().ok());
    let ecosystem = named.as_ref().and_then(|args| args.ecosystem.as_deref());
    layout::error(error, ctx, ecosystem, after(error, ctx, named.as_deref()))
}

/// What an ecosystem that is to be made is called.
#[derive(Default, Deserialize)]
struct Made {
    name: String,
}

/// What helps after an error: calls that do not end in the same one.
fn after(error: &Error, ctx: &ErrorCtx, named: Option<&EcosystemArgs>) -> Vec<Next> {
    let ecosystem = named.and_then(|args| args.ecosystem.as_deref());
    let about = |tool: &str| {
        let call = Next::call(tool);
        ecosystem.map_or(call.clone(), |name| call.with("ecosystem", name))
    };
    let planned = |tool: &str| about(tool).with("mode", Mode::Plan.as_str());
    match foreseen(error).unwrap_or(error.code.as_str()) {
        "no_workspace" => {
            let init = Next::call(InitEcosystem::NAME).with("name", ecosystem.unwrap_or("demo"));
            vec![init.with("mode", Mode::Execute.as_str())]
        }
        "unknown_ecosystem" => vec![meant(error, ctx).unwrap_or_else(|| Next::call(ListEcosystems::NAME))],
        "no_ecosystem" => vec![Next::call(ListEcosystems::NAME)],
        "unknown_repo" => vec![about(DescribeEcosystem::NAME)],
        "file_exists" => {
            let made = ctx.call.and_then(|call| Made::of(&call.args).ok()).unwrap_or_default();
            vec![Next::call(ValidateManifest::NAME).with("ecosystem", made.name)]
        }
        "invalid_manifest" => vec![about(ValidateManifest::NAME)],
        "not_installed" | "not_a_repository" => vec![planned(InstallEcosystem::NAME)],
        "already_installed" => vec![planned(Sync::NAME)],
        "unknown_ticket" => vec![about(TicketList::NAME)],
        "unpushed_work" => vec![planned(Push::NAME)],
        "nothing_to_push" | "preflight_failed" | "uncommitted_work" | "push_blocked" => {
            vec![about(EcosystemStatus::NAME)]
        }
        "release_blocked" | "no_release" | "cannot_promote" => vec![about(ReleaseStatus::NAME)],
        "unknown_run" | "run_finished" | "ambiguous_run" => vec![Next::call(ListRuns::NAME)],
        "mode_denied" => match ctx.call {
            Some(call) => {
                vec![Next::call(&call.tool).all(call.args.clone()).with("mode", Mode::Plan.as_str())]
            }
            None => Vec::new(),
        },
        _ => Vec::new(),
    }
}

/// What a call that was only explained would fail with: then a preview of it would fail with the same.
fn foreseen(error: &Error) -> Option<&'static str> {
    let would = error.details.as_deref()?.get("would")?.as_str()?.strip_prefix("It would fail: ")?;
    if would == no_root().message {
        return Some("no_workspace");
    }
    Some(if would.ends_with(NOT_INSTALLED) { "not_installed" } else { "would_fail" })
}

/// The same call with the name that was nearly said.
fn meant(error: &Error, ctx: &ErrorCtx) -> Option<Next> {
    let near = error.details.as_deref()?.get("near")?.as_str()?;
    let call = ctx.call?;
    let field = ["ecosystem", "name"].into_iter().find(|field| call.args.contains_key(*field))?;
    Some(Next::call(&call.tool).all(call.args.clone()).with(field, near))
}

pub fn plural(n: usize) -> &'static str {
    if n == 1 { "" } else { "s" }
}

/// As the structured answers call it.
pub fn severity(error: bool) -> &'static str {
    if error { "error" } else { "warning" }
}
