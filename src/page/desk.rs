//! How the page asks the engine: as a person, under the client name `ui`, in the workspace a thing belongs to.
//!
//! Reads run on a thread where no other client waits, so a page that is looked at costs nobody anything. What a person
//! does runs like any other call. What is shown of an answer is the views' business.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::cli::view::told::{self, Told};
use crate::core::call::PAGE_CLIENT;
use crate::core::{Reply, SessionFacts};
use crate::engine::{CallRequest, Engine, Environment, Session};

/// The workspace of what belongs to no project.
pub const USER_WIDE: &str = "~";

#[derive(Clone)]
pub struct Desk {
    engine: Arc<Engine>,
    /// Of the user who asked for the page.
    home: PathBuf,
    environment: Environment,
}

/// Asks for one person in one workspace; its session ends with it.
pub struct Asker {
    engine: Arc<Engine>,
    session: Arc<Session>,
}

impl Drop for Asker {
    fn drop(&mut self) {
        self.engine.close_session(&self.session);
    }
}

impl Desk {
    pub fn new(engine: Arc<Engine>, asked: &Session) -> Desk {
        Desk { engine, home: asked.info().home.clone(), environment: asked.environment().clone() }
    }

    pub fn engine(&self) -> &Arc<Engine> {
        &self.engine
    }

    /// A session that lasts as long as what is asked in it.
    pub fn asker(&self, session: &str, workspace: &str) -> Asker {
        let cwd = if workspace == USER_WIDE { self.home.clone() } else { PathBuf::from(workspace) };
        let facts = SessionFacts {
            id: session.to_string(),
            client: PAGE_CLIENT.to_string(),
            workspace: workspace.to_string(),
            cwd,
            env: BTreeMap::from([("PACKD_CLI".to_string(), "1".to_string())]),
            home: self.home.clone(),
            allow_write: true,
            // Whoever is signed in is the person: a code comes over the socket of the user, whose connection this is.
            terminal: true,
            ..SessionFacts::default()
        };
        let session = self.engine.open_session_in(facts.into(), self.environment.clone());
        session.is_new();
        Asker { engine: Arc::clone(&self.engine), session }
    }

    /// Is there something to look at in this workspace?
    pub fn exists(workspace: &str) -> bool {
        workspace == USER_WIDE || Path::new(workspace).is_dir()
    }
}

impl Asker {
    /// Calls a tool; a refusal comes in words for people, with its details.
    pub async fn call(&self, tool: &str, args: Value) -> Result<Value, Refused> {
        let reply = self.engine.call(&self.session, CallRequest::new(tool, args)).await;
        answered(reply)
    }

    /// The same for a reading call, as the view it is for.
    pub async fn read<T: DeserializeOwned>(&self, tool: &str, args: Value, at: &str) -> Result<T, Refused> {
        let answer = self.call(tool, args).await?;
        let part = answer.pointer(at).cloned().unwrap_or_default();
        serde_json::from_value(part).map_err(|e| {
            let message = format!("The answer cannot be shown: {e}.");
            Refused { told: Told { message, ..Told::default() } }
        })
    }

    /// The text of a resource.
    pub async fn text(&self, uri: &str) -> Option<String> {
        self.engine.read_resource(&self.session, uri).await.ok().map(|found| found.text)
    }

    /// The person says the passphrase, for what is asked next in this session.
    pub async fn unlock(&self, passphrase: &str) -> crate::core::Result<()> {
        let params = serde_json::json!({"passphrase": passphrase});
        self.engine.admin(&self.session, "packd/unlock", &params).await.map(|_| ())
    }
}

/// A call that was not carried out.
#[derive(Debug, Clone)]
pub struct Refused {
    pub told: Told,
}

fn answered(reply: Reply) -> Result<Value, Refused> {
    let structured = reply.structured.unwrap_or(Value::Null);
    if reply.is_error {
        let told = told::of(&reply.text, &structured).plain();
        return Err(Refused { told });
    }
    Ok(if structured.is_null() { Value::String(reply.text) } else { structured })
}
