//! The command line in a container that was entered from outside.

use std::process::Command;

use crate::common::real::{PACKD, Place, Ran};

/// Where session and process group were begun outside of the process name space, their numbers read as 0 inside.
/// Asking for them ended every command that talks to the daemon, before it said a word.
#[test]
fn commands_work_where_session_and_group_have_no_number() {
    // The daemon is started inside, too: from there, users outside have no names.
    let place = Place::new();
    let inside = place.command(PACKD);
    let mut command = Command::new("unshare");
    command.args(["--user", "--map-root-user", "--pid", "--fork", "--mount-proc"]);
    command.arg(PACKD).args(["pack", "list", "--json"]).env_clear();
    command.envs(inside.get_envs().filter_map(|(name, value)| Some((name, value?))));
    command.current_dir(place.work());
    let ran = Ran::of(command);
    if ran.stderr.starts_with("unshare:") {
        eprintln!("skipped: commands_work_where_session_and_group_have_no_number: {}", ran.stderr);
        return;
    }
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.stdout.contains("\"packs\""), "{ran:?}");
}
