//! Questions about the daemon itself, asked with `packd/…` methods on any connection.

use std::sync::Arc;

use serde_json::{Value, json};

use super::{Engine, Session};
use crate::core::call::PAGE_CLIENT;
use crate::core::op::Stream;
use crate::core::view::LogView;
use crate::core::{Error, Result};

impl Engine {
    pub async fn admin(&self, session: &Arc<Session>, method: &str, params: &Value) -> Result<Value> {
        match method {
            "packd/stats" => self.stats(),
            "packd/gc" => self.gc(session, params).await,
            "packd/doctor" => self.doctor().await,
            "packd/sessions" => self.sessions(),
            "packd/mode" => self.set_mode(session, params).await,
            "packd/tool" => self.own_tool(session, params).await,
            "packd/audit" => self.audit_page(session, params).await,
            "packd/backup" => self.backup(session, params).await,
            "packd/gates" => Ok(self.gates()),
            "packd/unlock" => self.unlock(session, params).await,
            "packd/passphrase" => self.change_passphrase(session, params).await,
            "packd/wait" => Ok(self.shared.news.wait(params["seen"].as_u64()).await),
            "packd/snapshot" => self.snapshot(session, params).await,
            "packd/why" => self.why(session, params).await,
            "packd/trash" => Ok(super::trash::list(&self.shared)),
            "packd/trash/empty" => self.empty_trash(session).await,
            _ => Err(Error::invalid("unknown_method", format!("There is no method {method}."))),
        }
    }

    /// Everything that is collected by and by, now; with `compact` the file shrinks, too, which is the owner's to ask.
    async fn gc(&self, session: &Arc<Session>, params: &Value) -> Result<Value> {
        let compact = params["compact"] == true;
        if compact {
            super::owner::command_line(session)?;
        }
        let done = self.collect_garbage().await?;
        let swept = self.sweep().await?;
        let trash = self.drop_trash(false).await;
        let compacted = if compact { self.compact().await? } else { None };
        Ok(json!({"images_dropped": done.images, "blobs_dropped": done.blobs,
                  "bytes_freed": done.bytes, "swept": swept, "trash": trash,
                  "compacted": compacted.map(|c| json!({"before": c.before, "after": c.after}))}))
    }

    /// Lines for `packd status`, which is asked for when something is wrong: what cannot be read is left out, and
    /// nothing is counted.
    pub fn notes(&self) -> Vec<(String, String)> {
        let store = &self.shared.store;
        let operations = store.read().and_then(|snapshot| snapshot.view().head(Stream::Ops)).ok();
        let bytes = store.path().and_then(|p| std::fs::metadata(p).ok()).map(|m| m.len());
        let notes = [
            ("calls", Some(self.shared.stats.calls().to_string())),
            ("operations", operations.map(|n| n.to_string())),
            ("store bytes", bytes.map(|n| n.to_string())),
            ("database", self.health()),
            ("gates", self.told()),
        ];
        notes.into_iter().filter_map(|(name, note)| Some((name.to_string(), note?))).collect()
    }

    /// What `packd status` says about the gates, if there is something to say.
    pub fn told(&self) -> Option<String> {
        super::settings::told(&self.shared).ok().flatten()
    }

    /// Who is connected, and in which mode.
    fn sessions(&self) -> Result<Value> {
        let mut list = Vec::new();
        for session in self.shared.sessions.all() {
            let info = session.info();
            if info.client == PAGE_CLIENT {
                continue;
            }
            let mode = self.shared.session_mode(&info)?;
            list.push(json!({
                "session": info.id, "client": info.client, "workspace": info.workspace, "mode": mode,
                "max_mode": info.max_mode,
            }));
        }
        Ok(json!({"sessions": list, "max_mode": self.shared.max_mode}))
    }

    /// A person sets the mode of somebody's session; it is audited like a session's own change.
    async fn set_mode(&self, from: &Arc<Session>, params: &Value) -> Result<Value> {
        let wanted = params["session"].as_str().unwrap_or_default();
        let open = self.shared.sessions.all();
        let asking = from.info().id.clone();
        let home = Some(from.info().workspace.clone());
        let fits: Vec<_> = open
            .iter()
            .filter(|s| {
                let info = s.info();
                let chosen = if wanted.is_empty() {
                    Some(&info.workspace) == home.as_ref()
                } else {
                    info.id.starts_with(wanted)
                };
                info.id != asking && info.client != PAGE_CLIENT && chosen
            })
            .collect();
        let [session] = fits.as_slice() else {
            let message = match fits.len() {
                0 => "No open session fits.".to_string(),
                n => format!("{n} open sessions fit."),
            };
            return Err(
                Error::invalid("session_unclear", message).hint("`packd mode` lists them; use --session.")
            );
        };
        let mode = params["mode"].as_str().unwrap_or_default().to_string();
        let mut request = super::CallRequest::new(self.shared.names.set_mode, json!({"mode": mode}));
        request.request_id = json!("packd/mode");
        let reply = self.call(session, request).await;
        if reply.is_error {
            return Err(Error::invalid("mode_denied", reply.text));
        }
        let info = session.info();
        Ok(json!({"session": info.id, "client": info.client, "mode": mode}))
    }
}
