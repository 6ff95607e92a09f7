//! Shared by all tests: an engine in memory with fixed time and ids, and snapshots in one place.

pub mod backend;
pub mod engine;
pub mod fake;
pub mod host;
pub mod plain;
pub mod pty;
pub mod real;
pub mod schema;
pub mod shelf;
#[cfg(target_os = "linux")]
pub mod small_disk;
pub mod words;
pub mod world;

use serde::Serialize;

/// Compares a value with `snapshots/<name>.snap`.
pub fn snapshot(name: &str, value: &impl Serialize) {
    settings().bind(|| insta::assert_json_snapshot!(name, value));
}

/// The same for a text, as a person or an agent reads it.
pub fn text_snapshot(name: &str, text: &str) {
    settings().bind(|| insta::assert_snapshot!(name, text));
}

fn settings() -> insta::Settings {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(concat!(env!("CARGO_MANIFEST_DIR"), "/snapshots"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings
}
