//! The table of methods: what each era answers to.

use std::rc::Rc;
use std::sync::Arc;

use serde_json::{Map, Value};

use super::beside;
use super::envelope::Id;
use super::era::Era;
use super::fault::{Fault, SHUT_DOWN};
use super::level::Level;
use super::params;
use super::result::Body;
use super::session::Session;

pub struct Request {
    pub id: Option<Id>,
    pub method: String,
    pub params: Map<String, Value>,
    pub era: Era,
}

impl Session {
    /// `None` = nothing is to be answered, even if there is an id.
    pub(super) async fn dispatch(&self, mut request: Request) -> Result<Option<Body>, Fault> {
        let legacy = request.era == Era::Legacy;
        let method = std::mem::take(&mut request.method);
        if self.is_shut() && !matches!(method.as_str(), "shutdown" | "exit") {
            return Err(Fault::new(SHUT_DOWN, "This session was shut down; only 'exit' is left."));
        }
        let params = &request.params;
        match method.as_str() {
            "initialize" => Ok(self.initialize(params)),
            "server/discover" => Ok(self.discover()),
            "ping" if legacy => Ok(Body::empty()),
            "tools/list" => self.list_tools(params),
            "tools/call" => return self.call_tool(request).await,
            "resources/list" => self.list_resources(params).await,
            "resources/templates/list" => self.list_templates(params),
            "resources/read" => self.read_resource(&request).await,
            "skills/list" => self.list_skills(params),
            "skills/get" => self.get_skill(params),
            "resources/subscribe" if legacy => self.listener.subscribe(params::text(params, "uri")?),
            "resources/unsubscribe" if legacy => Ok(self.listener.unsubscribe(params::text(params, "uri")?)),
            "subscriptions/listen" => {
                // Stays open: its result comes when the stream ends. Without an id nothing could be tagged.
                return request
                    .id
                    .map_or(Ok(()), |id| self.listener.listen(&id, &request.params))
                    .map(|()| None);
            }
            "prompts/list" => self.list_prompts(params),
            "prompts/get" => self.get_prompt(&mut request.params).await,
            "completion/complete" => self.complete(&mut request.params).await,
            "logging/setLevel" if legacy => Level::asked(params).map(|level| self.listener.set_level(level)),
            "shutdown" => {
                self.shut();
                Ok(Body::null())
            }
            "exit" => Ok(Body::null()),
            "notifications/cancelled" => {
                self.cancel(params.get("requestId").unwrap_or(&Value::Null));
                Ok(Body::null())
            }
            "initialized" => Ok(Body::null()),
            name if name.starts_with("notifications/") => Ok(Body::null()),
            name if name.starts_with("packd/") => {
                let params = Value::Object(request.params);
                let answer = match self.page.as_ref().filter(|_| name == beside::METHOD) {
                    Some(page) => Rc::clone(page).open(Arc::clone(&self.state), params).await,
                    None => self.engine.admin(&self.state, name, &params).await,
                };
                match answer {
                    Ok(answer) => Body::of(&answer),
                    Err(error) if error.code == "unknown_method" => Err(Fault::method(name)),
                    Err(error) => Err(error.into()),
                }
            }
            name => Err(Fault::method(name)),
        }
        .map(Some)
    }
}
