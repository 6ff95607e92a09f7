//! MCP: sessions, tools, resources and prompts in both protocol eras, over lines of JSON-RPC.
//!
//! A message is a future that yields an optional reply line ([`ServiceSession::accept`](service::ServiceSession)).
//! Nothing outside this module knows MCP, and nothing in it knows what a tool does or where a line travels.

mod answer;
mod batch;
mod beside;
mod catalogue;
mod completion;
mod discover;
mod dispatch;
mod elicit;
mod ended;
pub(crate) mod envelope;
mod era;
mod fault;
mod flight;
mod form;
mod guard;
mod hook;
mod instructions;
mod level;
mod listen;
mod notice;
pub mod out;
mod pace;
mod params;
mod progress;
mod prompts;
mod quote;
mod resources;
mod result;
mod server;
pub mod service;
mod session;
mod skills;
mod tools;
mod workspace;

pub use beside::LocalPage;
#[allow(unused_imports, reason = "tests speak each of them")]
pub use era::VERSIONS;
pub use server::Server;
