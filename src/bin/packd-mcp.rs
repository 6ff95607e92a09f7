//! The stdio shim that an editor starts; see `packd::shim`.

fn main() -> std::process::ExitCode {
    packd::shim::run(packd::version::BUILD)
}
