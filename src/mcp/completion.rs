//! `completion/complete`: values for an argument of a prompt or of a resource template.

use serde_json::{Map, Value, json};

use super::fault::RpcFault;
use super::params;
use super::result::ResultBody;
use super::session::McpSession;

/// The protocol allows no more in one answer.
const MAX_VALUES: usize = 100;

impl McpSession {
    pub(super) async fn complete(&self, params: &mut Map<String, Value>) -> Result<ResultBody, RpcFault> {
        let reference = params::take_object(params, "ref")?;
        let argument = params::take_object(params, "argument")?;
        let field = match params::text(&reference, "type")? {
            "ref/prompt" => "name",
            "ref/resource" => "uri",
            _ => return Err(RpcFault::params("'ref.type' must be ref/prompt or ref/resource.")),
        };
        let target = params::text(&reference, field)?;
        let name = params::text(&argument, "name")?;
        let typed = argument.get("value").and_then(Value::as_str).unwrap_or_default();
        let mut values = self.engine.complete(&self.state, target, name, typed).await?;
        let total = values.len();
        values.truncate(MAX_VALUES);
        let more = total > MAX_VALUES;
        ResultBody::of(&json!({ "completion": { "values": values, "total": total, "hasMore": more } }))
    }
}
