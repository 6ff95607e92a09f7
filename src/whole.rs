//! Both programs as one crate whose modules are private, so that the compiler sees what neither of them uses: of a
//! library it believes that somebody might. `cargo check --example whole --features whole` fails on it.
//!
//! What only tests use says so where it is (`allow(dead_code, reason = ...)`). Nobody runs this.

#![deny(dead_code, unused_imports)]

mod cli;
mod core;
mod daemon;
mod engine;
mod families;
#[allow(dead_code, reason = "the way in for fuzzing")]
mod fuzzing;
mod ipc;
mod mcp;
mod page;
mod policy;
mod shim;
mod store;
mod supervise;
mod version;

fn main() -> std::process::ExitCode {
    match std::env::args_os().len() {
        1 => shim::run(version::BUILD),
        _ => cli::main(),
    }
}
