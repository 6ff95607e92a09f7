//! The daemon and the command line.

use std::process::ExitCode;

fn main() -> ExitCode {
    match std::env::args().nth(1).as_deref() {
        Some("daemon") => packd::daemon::run(packd::daemon::open::open),
        _ => ExitCode::from(2),
    }
}
