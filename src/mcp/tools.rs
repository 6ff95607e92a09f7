//! `tools/list` and `tools/call`.

use serde_json::{Map, Value};

use super::dispatch::RpcRequest;
use super::elicit;
use super::fault::{RpcFault, clipped};
use super::level::MessageLevel;
use super::params;
use super::progress;
use super::result::ResultBody;
use super::session::McpSession;
use crate::core::Declared;
use crate::core::schema::meant;
use crate::engine;

/// The list is fixed for the life of the session; the hint is for clients that reconnect.
const TTL_MS: u64 = 300_000;

impl McpSession {
    /// Every tool in one page: some clients read only the first.
    pub(super) fn list_tools(&self, params: &Map<String, Value>) -> Result<ResultBody, RpcFault> {
        params::no_cursor(params)?;
        Ok(ResultBody::shared(self.catalogue.members(self.engine.tools())).cached(TTL_MS))
    }

    /// `None` when the client cancelled the call and wants to hear nothing more.
    pub(super) async fn call_tool(&self, mut request: RpcRequest) -> Result<Option<ResultBody>, RpcFault> {
        let tool = match self.find_tool(params::text(&request.params, "name")?) {
            Ok(tool) => tool.name.clone(),
            Err(fault) => {
                self.note_refused_tool(&request.params, &fault).await;
                return Err(fault);
            }
        };
        if let Some(answered) = self.resume_call(&request).await {
            return answered.map(Some);
        }
        // What a person's approval is bound to; nobody needs it where agents confirm themselves.
        let bound = self.engine.dialogs().then(|| elicit::binding(&request.params));
        let args = params::take_object(&mut request.params, "arguments")?;
        let id = request.id.as_ref();
        let request_id = id.map_or(Value::Null, |id| id.value());
        let flight = self.flights.enter(request_id.clone());
        let _heard = MessageLevel::of_request(&request.params).map(|level| self.listener.hear(level));
        let (stream, report) = match progress::token(&request.params).filter(|_| self.may_notify()) {
            Some(token) => {
                let (stream, report) = progress::stream(&token, self.out.clone());
                (Some(stream), Some(report))
            }
            None => (None, None),
        };
        let call = engine::CallRequest {
            tool,
            args,
            request_id,
            request_key: id.map(|id| self.request_key(id)),
            trace: params::trace(&request.params),
            cancel: flight.cancel.clone(),
            progress: report,
            dialog: bound.is_some() && self.can_ask(&request),
        };
        let mut reply = self.engine.call(&self.state, call).await;
        self.catalogue.offered.fit(&mut reply);
        drop(stream);
        if let Some(bound) = bound
            && let Some(answered) = self.ask_person(&request, &bound, &reply).await
        {
            return answered.map(Some);
        }
        if flight.cancel.is_set() {
            return Ok(None);
        }
        Ok(Some(ResultBody::of_reply(reply, self.form(request.era))))
    }

    /// A tool that this session must not call was called all the same.
    async fn note_refused_tool(&self, params: &Map<String, Value>, fault: &RpcFault) {
        let name = params.get("name").and_then(Value::as_str).unwrap_or_default();
        let args = params.get("arguments").and_then(Value::as_object).cloned().unwrap_or_default();
        self.engine.refused(&self.state, name, args, &fault.message).await;
    }

    fn find_tool(&self, name: &str) -> Result<&Declared, RpcFault> {
        let tools = self.engine.tools();
        // The engine keeps them in the order of their names.
        match tools.binary_search_by(|tool| tool.name.as_str().cmp(name)) {
            Ok(at) => match self.catalogue.refusal(&tools[at]) {
                Some(refusal) => Err(RpcFault::params(refusal)),
                None => Ok(&tools[at]),
            },
            Err(_) => {
                // Only what this session may call is of use to it.
                let names: Vec<&str> = self.catalogue.listed(tools).map(|tool| tool.name.as_str()).collect();
                let hint = instead(clipped(name), &names);
                Err(RpcFault::params(format!("There is no tool '{}'. {hint}", clipped(name))))
            }
        }
    }
}

/// What somebody may have meant who called a tool that does not exist.
fn instead(name: &str, names: &[&str]) -> String {
    if let Some(near) = meant(name, names) {
        return format!("Did you mean '{near}'?");
    }
    let words: Vec<&str> = name.split('_').collect();
    let like: Vec<&str> =
        names.iter().filter(|known| known.split('_').any(|w| words.contains(&w))).take(8).copied().collect();
    match like.is_empty() {
        true => "tools/list names those there are.".to_string(),
        false => format!("Did you mean one of: {}?", like.join(", ")),
    }
}
