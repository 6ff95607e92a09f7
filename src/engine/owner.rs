//! What only the person at the command line may ask for: entries in hosts' files, and backups.

use std::path::PathBuf;
use std::sync::Arc;

use serde_json::{Value, json};

use super::call_world::CallWorld;
use super::checks::FilesBack;
use super::{Engine, Request, Session};
use crate::core::{Call, Error, Kind, Mode, Result, SessionInfo};
use crate::families::{hosts, starters};

/// The workspace of what belongs to no project.
const USER_WIDE: &str = "~";

impl Engine {
    /// Looks at the configuration of MCP hosts or changes it, as one operation.
    pub(super) async fn setup(&self, session: &Arc<Session>, params: &Value) -> Result<Value> {
        let mut info = command_line(session)?;
        let request = Request::new(hosts::TOOL, params["arguments"].clone());
        // The user's own files belong to no project.
        if request.args.get("project") != Some(&json!(true)) {
            info.workspace = USER_WIDE.to_string();
        }
        let looks = params["dry_run"] == json!(true) || request.args.get("verb") == Some(&json!("list"));
        let call = Call {
            args: request.args,
            preview: looks,
            mode: Mode::Execute,
            mode_said: true,
            ..super::serve::serving(hosts::TOOL)
        };
        let family = self.shared.family("hosts")?;
        if !looks && self.shared.human_confirms && !info.is_person() {
            let error = Error::new(
                Kind::Denied,
                "needs_human",
                "A person must do this: the configuration lets no program change hosts' files by itself.",
            )
            .hint("Run `packd setup` in a terminal of your own.");
            self.shared.note_refusal("hosts", &info, &call, &error).await;
            return Err(error);
        }
        if !looks && self.shared.human_confirms {
            self.unlocked(&info)?;
        }
        let world = CallWorld::quiet(&self.shared, family.name(), &info);
        let reply = if looks {
            self.look(family, &info, &call, world).await?.reply
        } else {
            // Whoever came here was asked already.
            self.change(family, &info, &call, world, FilesBack::Free).await?.unwrap_or_default()
        };
        Ok(reply.structured.unwrap_or_default())
    }

    /// Writes first files of a project: only new ones, as an operation that can be undone.
    pub(super) async fn init(&self, session: &Arc<Session>, params: &Value) -> Result<Value> {
        let info = command_line(session)?;
        let request = Request::new(starters::TOOL, params["arguments"].clone());
        let call = Call {
            args: request.args,
            mode: Mode::Execute,
            mode_said: true,
            ..super::serve::serving(starters::TOOL)
        };
        let family = self.shared.family("starters")?;
        let world = CallWorld::quiet(&self.shared, family.name(), &info);
        let reply = self.change(family, &info, &call, world, FilesBack::Free).await?.unwrap_or_default();
        Ok(reply.structured.unwrap_or_default())
    }

    /// Copies the database as it is at this moment; calls go on meanwhile.
    pub(super) async fn backup(&self, session: &Arc<Session>, params: &Value) -> Result<Value> {
        command_line(session)?;
        let file = PathBuf::from(params["file"].as_str().unwrap_or_default());
        if !file.is_absolute() {
            return Err(Error::invalid("invalid_arguments", "The file must be named by its full path."));
        }
        let replace = params["force"] == json!(true);
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
