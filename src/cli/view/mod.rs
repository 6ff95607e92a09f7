//! All that people see of the command line: typed views, filled from structured replies and never from the text an
//! agent reads. No view calls the daemon, and no command prints by itself.

pub mod claim;
pub mod confirm;
pub mod dash;
pub mod deploy;
pub mod doctor;
pub mod eco;
pub mod forget;
pub mod found;
pub mod op;
pub mod pack;
pub mod pack_show;
pub mod pager;
pub mod people;
pub mod pkg;
pub mod pkg_settings;
pub mod place;
pub mod render;
pub mod run;
pub mod show;
pub mod size;
pub mod snap;
pub mod status;
pub mod table;
pub mod task;
pub mod text;
pub mod time;
pub mod told;

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::CommandFailure;

/// A view from the structured reply it shows. A reply of another form is a daemon of another version.
pub fn read<T: DeserializeOwned>(reply: &Value) -> Result<T, CommandFailure> {
    serde_json::from_value(reply.clone()).map_err(|e| {
        CommandFailure::refused(format!("The daemon's answer cannot be shown: {e}."))
            .hint("`packd restart` starts the daemon of this program; --json shows the answer as it came.")
    })
}
