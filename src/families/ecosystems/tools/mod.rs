//! One file per tool, and the one list of them.

mod active_runs;
mod archive;
mod cancel_run;
mod describe;
mod discard;
mod init_ecosystem;
mod install;
mod list_ecosystems;
mod list_runs;
mod push;
mod release_bump;
mod release_log;
mod release_promote;
mod release_status;
mod release_validate;
mod run_logs;
mod run_status;
mod scope_back;
mod scope_global;
mod scope_info;
mod server_status;
mod spin_deploy;
mod spin_destroy;
mod status;
mod summarize_run;
mod sync;
mod telemetry;
mod ticket_end;
mod ticket_list;
mod ticket_start;
mod ticket_switch;
mod use_ecosystem;
mod validate_manifest;

// What others name as calls that come next.
pub use active_runs::ActiveRuns;
pub use cancel_run::CancelRun;
pub use describe::DescribeEcosystem;
pub use init_ecosystem::InitEcosystem;
pub use install::InstallEcosystem;
pub use list_ecosystems::ListEcosystems;
pub use list_runs::ListRuns;
pub use push::Push;
pub use release_bump::ReleaseBump;
pub use release_log::ReleaseLog;
pub use release_status::ReleaseStatus;
pub use release_validate::ReleaseValidate;
pub use run_logs::RunLogs;
pub use run_status::RunStatusOf;
pub use scope_back::ScopeBack;
pub use scope_info::ScopeInfo;
pub use server_status::ServerStatus;
pub use status::EcosystemStatus;
pub use sync::Sync;
pub use telemetry::GlobalTelemetry;
pub use ticket_list::TicketList;
pub use ticket_switch::TicketSwitch;
pub use use_ecosystem::UseEcosystem;
pub use validate_manifest::ValidateManifest;

use crate::core::AnyTool;

use super::run_plan::AsRun;

pub const TOOLS: &[&dyn AnyTool] = &[
    &active_runs::ActiveRuns,
    &AsRun::<archive::Archive>::TOOL,
    &cancel_run::CancelRun,
    &describe::DescribeEcosystem,
    &AsRun::<discard::DiscardEcosystem>::TOOL,
    &init_ecosystem::InitEcosystem,
    &AsRun::<install::InstallEcosystem>::TOOL,
    &list_ecosystems::ListEcosystems,
    &list_runs::ListRuns,
    &AsRun::<push::Push>::TOOL,
    &AsRun::<release_bump::ReleaseBump>::TOOL,
    &release_log::ReleaseLog,
    &AsRun::<release_promote::ReleasePromote>::TOOL,
    &release_status::ReleaseStatus,
    &release_validate::ReleaseValidate,
    &run_logs::RunLogs,
    &run_status::RunStatusOf,
    &scope_back::ScopeBack,
    &scope_global::ScopeGlobal,
    &scope_info::ScopeInfo,
    &server_status::ServerStatus,
    &AsRun::<spin_deploy::SpinDeploy>::TOOL,
    &AsRun::<spin_destroy::SpinDestroy>::TOOL,
    &status::EcosystemStatus,
    &summarize_run::SummarizeRun,
    &AsRun::<sync::Sync>::TOOL,
    &telemetry::GlobalTelemetry,
    &ticket_end::TicketEnd,
    &ticket_list::TicketList,
    &AsRun::<ticket_start::TicketStart>::TOOL,
    &ticket_switch::TicketSwitch,
    &use_ecosystem::UseEcosystem,
    &validate_manifest::ValidateManifest,
];
