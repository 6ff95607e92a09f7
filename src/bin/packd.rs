//! The daemon and the command line: parse, run, exit code.

use std::process::ExitCode;

fn main() -> ExitCode {
    packd::cli::main()
}
