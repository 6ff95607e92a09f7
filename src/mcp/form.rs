//! In which form a session gets its replies: text alone, or text and structured content. The one place that decides.
//!
//! Both carry the same facts, so that a host which shows its model only one of them loses nothing. Codex lets scripts
//! print a whole result, both forms, so it gets one (`reads_both_forms` of the table of agents).

use serde_json::Value;

use super::service::HelloError;
use crate::core::{Reply, agents};

/// What `--structured` says.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Structured {
    #[default]
    Auto,
    Always,
    Never,
}

impl Structured {
    pub fn of(flag: Option<&str>) -> Result<Structured, HelloError> {
        match flag.filter(|text| !text.is_empty()) {
            None | Some("auto") => Ok(Structured::Auto),
            Some("always") => Ok(Structured::Always),
            Some("never") => Ok(Structured::Never),
            Some(other) => Err(HelloError {
                message: format!("--structured does not know '{other}'."),
                hint: "Use one of: auto, always, never.".into(),
            }),
        }
    }

    /// Is structured content sent to this client?
    pub fn is_sent_to(self, client: &str) -> bool {
        match self {
            Structured::Always => true,
            Structured::Never => false,
            Structured::Auto => !agents::of_client(client).is_some_and(|agent| agent.reads_both_forms),
        }
    }
}

/// How one reply is written.
#[derive(Debug, Clone, Copy)]
pub struct Form {
    /// The client knows links to resources.
    pub links: bool,
    pub structured: bool,
}

impl Form {
    /// Most hosts show no link to their model, so its address is in the text, too.
    pub fn fitted(self, mut reply: Reply) -> Reply {
        let missing: Vec<String> = reply
            .links
            .iter()
            .filter(|(uri, _)| !reply.text.contains(uri.as_str()))
            .map(|(uri, _)| uri.clone())
            .collect();
        if missing.is_empty() {
            return reply;
        }
        match &mut reply.structured {
            Some(Value::Object(map)) if reply.same => {
                map.insert("resources".into(), missing.into());
                reply.text = reply.structured.as_ref().map(Value::to_string).unwrap_or_default();
            }
            _ => missing.iter().for_each(|uri| reply.text.push_str(&format!("\n{uri}"))),
        }
        reply
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codex_alone_gets_text_alone_unless_somebody_says_otherwise() {
        for (flag, client, sent) in [
            (None, "codex-mcp-client", false),
            (Some("auto"), "Codex", false),
            (None, "claude-code", true),
            (None, "", true),
            (Some("always"), "codex-mcp-client", true),
            (Some("never"), "claude-code", false),
        ] {
            assert_eq!(Structured::of(flag).unwrap().is_sent_to(client), sent, "{flag:?} {client}");
        }
        assert!(Structured::of(Some("sometimes")).is_err());
    }
}
