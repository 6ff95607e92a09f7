//! The table of methods: what each era answers to.

use std::rc::Rc;
use std::sync::Arc;

use serde_json::{Map, Value};

use super::beside;
use super::envelope::RequestId;
use super::era::Era;
use super::fault::{RpcFault, SHUT_DOWN};
use super::level::MessageLevel;
use super::params;
use super::result::ResultBody;
use super::session::McpSession;

pub struct RpcRequest {
    pub id: Option<RequestId>,
    pub method: String,
    pub params: Map<String, Value>,
    pub era: Era,
}

impl McpSession {
    /// `None` = nothing is to be answered, even if there is an id.
    pub(super) async fn dispatch(&self, mut request: RpcRequest) -> Result<Option<ResultBody>, RpcFault> {
        let legacy = request.era == Era::Legacy;
        let method = std::mem::take(&mut request.method);
        if self.is_shut() && !matches!(method.as_str(), "shutdown" | "exit") {
            return Err(RpcFault::new(SHUT_DOWN, "This session was shut down; only 'exit' is left."));
        }
        let params = &request.params;
        match method.as_str() {
            "initialize" => Ok(self.initialize(params)),
            "server/discover" => Ok(self.discover()),
            "ping" if legacy => Ok(ResultBody::empty()),
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
            "logging/setLevel" if legacy => {
                MessageLevel::asked(params).map(|level| self.listener.set_level(level))
            }
            "shutdown" => {
                self.shut();
                Ok(ResultBody::null())
            }
            "exit" => Ok(ResultBody::null()),
            "notifications/cancelled" => {
                self.cancel(params.get("requestId").unwrap_or(&Value::Null));
                Ok(ResultBody::null())
            }
            "initialized" => Ok(ResultBody::null()),
            name if name.starts_with("notifications/") => Ok(ResultBody::null()),
            name if name.starts_with("packd/") => {
                let params = Value::Object(request.params);
                let answer = match self.page.as_ref().filter(|_| name == beside::METHOD) {
                    Some(page) => Rc::clone(page).open(Arc::clone(&self.state), params).await,
                    None => self.engine.admin(&self.state, name, &params).await,
                };
                match answer {
                    Ok(answer) => ResultBody::of(&answer),
                    Err(error) if error.code == "unknown_method" => Err(RpcFault::method(name)),
                    Err(error) => Err(error.into()),
                }
            }
            name => Err(RpcFault::method(name)),
        }
        .map(Some)
    }
}
