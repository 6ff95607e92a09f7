//! What only the person at the command line may ask for: entries in hosts' files, and backups.

use std::path::PathBuf;

use serde_json::{Value, json};

use super::call_world::CallWorld;
use super::{Engine, Request};
use crate::core::{Call, Error, Kind, Mode, Result, SessionInfo};
use crate::families::hosts;

impl Engine {
    /// Looks at the configuration of MCP hosts or changes it, as one operation.
    pub(super) async fn setup(&self, params: &Value) -> Result<Value> {
        let info = self.person(params)?;
        let request = Request::new(hosts::TOOL, params["arguments"].clone());
        let looks = params["dry_run"] == json!(true) || request.args.get("verb") == Some(&json!("list"));
        let call = Call {
            args: request.args,
            preview: looks,
            mode: Mode::Execute,
            mode_said: true,
            ..super::serve::serving(hosts::TOOL)
        };
        let family = self.shared.family("hosts")?;
        let world = CallWorld::quiet(self.shared.world.clone());
        let reply = if looks {
            self.look(family, &info, &call, world).await?.reply
        } else {
            self.change(family, &info, &call, world).await?
        };
        Ok(reply.structured.unwrap_or_default())
    }

    /// Copies the database as it is at this moment; calls go on meanwhile.
    pub(super) async fn backup(&self, params: &Value) -> Result<Value> {
        self.person(params)?;
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

    /// The session that asks, if it is the command line.
    fn person(&self, params: &Value) -> Result<SessionInfo> {
        let from = params["from"].as_str().unwrap_or_default();
        let open = self.shared.sessions.all();
        open.iter().map(|s| s.info()).find(|info| info.id == from && info.is_cli()).ok_or_else(|| {
            Error::new(Kind::Denied, "not_a_person", "Only the command line may ask for this.")
                .hint("Use `packd setup` or `packd backup` in a terminal.")
        })
    }
}
