//! What every family gets for free: policy, gates, history, decisions, turns, redaction.

mod assembly;
mod early;
mod end_to_end;
mod gates;
mod history;
mod history_fields;
mod policy;
mod redaction;
mod turns;
