//! All integration tests in one binary; each module says what it guards.

mod common;

mod backup;
mod cli;
mod crash_daemon;
mod crash_deploy;
mod crash_effects;
mod docs;
mod end_to_end;
mod gates;

mod families;
mod field_changes;
mod fuzz;
mod history;
mod history_fields;
mod hostile;
mod lifecycle;
mod lifecycle_crash;
mod lifecycle_daemon;
mod lifecycle_framing;
mod lifecycle_loss;
mod mcp_elicit;
mod mcp_envelope;
mod mcp_eras;
mod mcp_hostile;
mod mcp_listen;
mod mcp_resources;
mod mcp_rig;
mod mcp_rmcp;
mod mcp_tools;
mod mcp_workspace;
mod notices;
mod packaging;
mod policy;
mod power;
mod readme;
mod redaction;
mod service;
mod setup;
mod skew;
mod store;
mod tidy;
mod tools;
mod turns;
