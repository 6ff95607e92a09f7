//! MCP as clients speak it, in both protocol eras: well, badly and with an independent implementation.

mod elicit;
mod envelope;
mod eras;
mod forms;
mod hostile;
mod listen;
mod notices;
mod resources;
pub mod rig;
mod rmcp;
mod tools;
mod workspace;
