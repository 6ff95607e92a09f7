//! One file per tool, and the one list of them.

mod deploy;
mod deploy_apply;
mod deploy_init;
mod deploy_snapshots;
mod diff;
mod doctor;
mod evolve_propose;
mod evolve_restore;
mod explain;
mod plan;
mod preview;
mod rollback;
mod status;

// What others name as calls that come next.
pub use deploy::Review;
pub use deploy_apply::DeployApply;
pub use deploy_init::DeployInit;
pub use deploy_snapshots::DeploySnapshots;
pub use explain::Explain;
pub use rollback::Rollback;

use crate::core::AnyTool;

pub const TOOLS: &[&dyn AnyTool] = &[
    &deploy::Review,
    &deploy_apply::DeployApply,
    &deploy_init::DeployInit,
    &deploy_snapshots::DeploySnapshots,
    &diff::DeployDiff,
    &doctor::DeployDoctor,
    &evolve_propose::EvolvePropose,
    &evolve_restore::EvolveRestore,
    &explain::Explain,
    &plan::ShowPlan,
    &preview::Preview,
    &rollback::Rollback,
    &status::ShowStatus,
];
