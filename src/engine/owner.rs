//! What only the person at the command line may ask for: tools that agents do not know, backups, the trash.

use std::path::PathBuf;
use std::sync::Arc;

use serde_json::{Value, json};

use super::call_world::CallWorld;
use super::checks::FilesBack;
use super::{Engine, Session};
use crate::core::{Call, Error, Kind, Mode, Result, SessionInfo};

impl Engine {
    /// A tool that is declared to nobody: people's own, looked at freely and changed like any other operation.
    pub(super) async fn own_tool(&self, session: &Arc<Session>, params: &Value) -> Result<Value> {
        let info = command_line(session)?;
        let name = params["name"].as_str().unwrap_or_default();
        let family = self.shared.owner_of_tool(name)?;
        let looks = params["preview"] == true;
        let args = params["arguments"].as_object().cloned().unwrap_or_default();
        let call = Call { preview: looks, mode: Mode::Execute, mode_said: true, ..Call::of(name, args) };
        if !looks && self.shared.human_confirms {
            if !info.is_person() {
                let error = Error::new(
                    Kind::Denied,
                    "needs_human",
                    "A person must do this: the configuration lets no program do it by itself.",
                )
                .hint("Run the same command in a terminal of your own.");
                self.shared.note_refusal(family.name(), &info, &call, &error).await;
                return Err(error);
            }
            self.unlocked(&info)?;
        }
        let world = CallWorld::quiet(&self.shared, family.name(), &info);
        let reply = if looks {
            self.look(&info, &call, world).await?.reply
        } else {
            // Whoever came here was asked already.
            self.change(family, &info, &call, world, FilesBack::Free).await?.unwrap_or_default()
        };
        Ok(reply.structured.unwrap_or_default())
    }

    /// Copies the database as it is at this moment; calls go on meanwhile.
    pub(super) async fn backup(&self, session: &Arc<Session>, params: &Value) -> Result<Value> {
        command_line(session)?;
        let file = PathBuf::from(params["file"].as_str().unwrap_or_default());
        if !file.is_absolute() {
            return Err(Error::invalid("invalid_arguments", "The file must be named by its full path."));
        }
        let replace = params["force"] == true;
        let shared = self.shared.clone();
        let copied = tokio::task::spawn_blocking(move || shared.store.read()?.copy_to(&file, replace))
            .await
            .unwrap_or_else(|_| Err(Error::internal("The backup was stopped by a defect.")))?;
        Ok(json!({"file": params["file"], "bytes": copied.bytes, "entries": copied.entries}))
    }

    /// Drops everything in the trash: final, so it is a person's where people decide.
    pub(super) async fn empty_trash(&self, session: &Arc<Session>) -> Result<Value> {
        let info = command_line(session)?;
        if self.shared.human_confirms {
            if !info.is_person() {
                let message = "A person must do this: the configuration lets no program empty the trash.";
                return Err(Error::new(Kind::Denied, "needs_human", message)
                    .hint("Run `packd trash empty` in a terminal of your own."));
            }
            self.unlocked(&info)?;
        }
        Ok(self.drop_trash(true).await)
    }
}

/// The session that asks, if it is the command line.
pub(super) fn command_line(session: &Session) -> Result<SessionInfo> {
    let info = session.info();
    if info.is_cli() {
        return Ok(info);
    }
    Err(Error::new(Kind::Denied, "not_a_person", "Only the command line may ask for this.")
        .hint("Use `packd setup` or `packd backup` in a terminal."))
}
