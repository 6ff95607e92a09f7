//! Which packd this is, as `--version` says it.

/// The version; of a release build also the commit and its date, where they were known to whoever built it.
pub const BUILD: &str = match option_env!("PACKD_BUILD") {
    Some(build) => build,
    None => env!("CARGO_PKG_VERSION"),
};
