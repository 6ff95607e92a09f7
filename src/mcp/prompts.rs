//! `prompts/list` and `prompts/get`.

use serde_json::{Map, Value, json};

use super::fault::{RpcFault, clipped};
use super::params;
use super::result::ResultBody;
use super::session::McpSession;
use crate::core::resource::Prompt;

const TTL_MS: u64 = 300_000;

impl McpSession {
    pub(super) fn list_prompts(&self, params: &Map<String, Value>) -> Result<ResultBody, RpcFault> {
        params::no_cursor(params)?;
        let prompts: Vec<Value> = self.prompts().iter().map(entry).collect();
        Ok(ResultBody::of(&json!({ "prompts": prompts }))?.cached(TTL_MS))
    }

    pub(super) async fn get_prompt(&self, params: &mut Map<String, Value>) -> Result<ResultBody, RpcFault> {
        let name = params::text(params, "name")?.to_string();
        let args = params::take_object(params, "arguments")?;
        let prompts = self.prompts();
        let Some(prompt) = prompts.iter().find(|p| p.name == name) else {
            return Err(RpcFault::params(format!("There is no prompt '{}'.", clipped(&name))));
        };
        if let Some(missing) = prompt.arguments.iter().find(|a| a.required && !args.contains_key(a.name)) {
            return Err(RpcFault::params(format!(
                "The prompt '{name}' needs the argument '{}'.",
                missing.name
            )));
        }
        let text = match self.skill_prompt(&name) {
            Some(text) => text,
            None => self.engine.prompt(&self.state, &name, &args).await?,
        };
        let message = json!({ "role": "user", "content": { "type": "text", "text": text } });
        ResultBody::of(&json!({ "description": prompt.description, "messages": [message] }))
    }

    fn prompts(&self) -> Vec<Prompt> {
        let mut prompts: Vec<Prompt> = self.offers().flat_map(|offers| offers.prompts()).collect();
        prompts.extend(self.skill_prompts());
        prompts.sort_by_key(|prompt| prompt.name);
        prompts
    }
}

fn entry(prompt: &Prompt) -> Value {
    let arguments: Vec<Value> = prompt
        .arguments
        .iter()
        .map(|a| json!({ "name": a.name, "description": a.description, "required": a.required }))
        .collect();
    json!({ "name": prompt.name, "title": prompt.title, "description": prompt.description, "arguments": arguments })
}
