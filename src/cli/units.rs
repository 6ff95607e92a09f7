//! The service files of packd, rendered for one user. Pure: paths in, texts out.

use std::path::{Path, PathBuf};

const SOCKET: &str = include_str!("../../packaging/systemd/packd.socket");
const SERVICE: &str = include_str!("../../packaging/systemd/packd.service");
const PLIST: &str = include_str!("../../packaging/launchd/packd.plist");

/// The launchd label; also the name of its file.
pub const LABEL: &str = "packd.daemon";

/// Where everything is for this user.
#[derive(Debug, Clone)]
pub struct Paths {
    /// The `packd` program.
    pub program: PathBuf,
    /// The packd home directory.
    pub home: PathBuf,
    /// The socket as the daemon computes it.
    pub socket: PathBuf,
    pub log: PathBuf,
}

/// Names and texts of the systemd units.
pub fn systemd(paths: &Paths) -> [(&'static str, String); 2] {
    let home = format!("PACKD_HOME={}", paths.home.display());
    [
        ("packd.socket", SOCKET.replace("{{socket}}", &percent(&shown(&paths.socket)))),
        (
            "packd.service",
            SERVICE.replace("{{packd}}", &quoted(&shown(&paths.program))).replace("{{home}}", &quoted(&home)),
        ),
    ]
}

/// The launchd property list.
pub fn launchd(paths: &Paths) -> String {
    PLIST
        .replace("{{packd}}", &xml(&shown(&paths.program)))
        .replace("{{home}}", &xml(&shown(&paths.home)))
        .replace("{{log}}", &xml(&shown(&paths.log)))
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}

/// systemd expands `%` in every value.
fn percent(text: &str) -> String {
    text.replace('%', "%%")
}

/// One word of a command line or of `Environment=`: quoted, because a home may have a space in its name.
fn quoted(text: &str) -> String {
    format!("\"{}\"", percent(text).replace('\\', "\\\\").replace('"', "\\\"").replace('$', "$$"))
}

fn xml(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
