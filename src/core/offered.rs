//! The tools that a session can call, for whoever names a next call: nobody is sent to a tool that is not listed.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::Value;

use super::Reply;

/// Chosen once, when the session opens. The default is everything.
#[derive(Debug, Clone, Default)]
pub struct Offered(Option<Arc<BTreeSet<String>>>);

/// The fields in which replies name a call or several.
const CALLS: [&str; 5] = ["next", "next_calls", "suggestions", "changed_rest", "call"];

impl Offered {
    pub fn only(names: impl IntoIterator<Item = String>) -> Offered {
        Offered(Some(Arc::new(names.into_iter().collect())))
    }

    pub fn has(&self, tool: &str) -> bool {
        self.0.as_ref().is_none_or(|names| names.contains(tool))
    }

    /// Takes calls out of a reply that its session cannot make. Only of those that are fields; sentences are worded so
    /// that they hold without.
    pub fn fit(&self, reply: &mut Reply) {
        let Some(Value::Object(body)) = &mut reply.structured else { return };
        let mut cut = false;
        for (name, value) in body.iter_mut() {
            cut |= self.fit_value(name, value);
        }
        cut |= self.without_lone(body);
        if cut && reply.same {
            reply.text = reply.structured.as_ref().map(Value::to_string).unwrap_or_default();
        }
    }

    /// The same inside one field; whether something had to go.
    fn fit_value(&self, name: &str, value: &mut Value) -> bool {
        match value {
            Value::Array(items) if CALLS.contains(&name) => {
                let all = items.len();
                items.retain(|item| !self.is_foreign(item));
                items.len() < all
            }
            Value::Array(items) => items.iter_mut().fold(false, |cut, item| cut | self.fit_value("", item)),
            Value::Object(map) => {
                let mut cut = false;
                for (name, value) in map.iter_mut() {
                    cut |= self.fit_value(name, value);
                }
                cut | self.without_lone(map)
            }
            _ => false,
        }
    }

    /// Takes a field out that names one call.
    fn without_lone(&self, map: &mut serde_json::Map<String, Value>) -> bool {
        let all = map.len();
        map.retain(|name, value| !(CALLS.contains(&name.as_str()) && self.is_foreign(value)));
        map.len() < all
    }

    fn is_foreign(&self, call: &Value) -> bool {
        let tool = call.get("tool").filter(|_| call.get("arguments").is_some());
        let tool = tool.or_else(|| call.get("target").filter(|_| call.get("validated").is_some()));
        tool.and_then(Value::as_str).is_some_and(|tool| !self.has(tool))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_reply_names_only_tools_that_its_session_has() {
        let call = |tool: &str| json!({"tool": tool, "arguments": {}});
        let body = json!({"next": call("gone"), "list": [{"call": call("here")}, {"call": call("gone")}],
            "error": {"next_calls": [call("gone"), call("here")]}, "request": call("gone"),
            "suggestions": [{"target": "gone", "validated": true}, {"target": "here", "validated": true}]});
        let mut reply = Reply::json(body);
        Offered::only(["here".to_string()]).fit(&mut reply);
        let left = json!({"list": [{"call": call("here")}, {}], "error": {"next_calls": [call("here")]},
            "request": call("gone"), "suggestions": [{"target": "here", "validated": true}]});
        assert_eq!(reply.structured, Some(left.clone()), "what was stored is shown as it is");
        assert_eq!(reply.text, left.to_string());
    }
}
