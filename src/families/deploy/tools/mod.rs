//! One file per tool.

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

pub use deploy::Review;
pub use deploy_apply::DeployApply;
pub use deploy_init::DeployInit;
pub use deploy_snapshots::DeploySnapshots;
pub use diff::Diff;
pub use doctor::Doctor;
pub use evolve_propose::EvolvePropose;
pub use evolve_restore::EvolveRestore;
pub use explain::Explain;
pub use plan::ShowPlan;
pub use preview::Preview;
pub use rollback::Rollback;
pub use status::ShowStatus;
