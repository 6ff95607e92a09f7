//! How a client learns what this server is: `initialize` (legacy) and `server/discover` (modern).
//!
//! Both answer from memory; no store and no project is touched.

use serde_json::{Map, Value};

use super::era::{self, VERSIONS};
use super::instructions;
use super::result::{ResultBody, quoted};
use super::session::McpSession;

/// Nothing in it changes while the process lives.
const TTL_MS: u64 = 3_600_000;

const SHARED: &str = r#""tools":{"listChanged":true},"resources":{"subscribe":true,"listChanged":true},"prompts":{},"completions":{},"extensions":{"io.modelcontextprotocol/skills":{}}"#;

/// The server's name for itself, as JSON text.
pub fn server_info(name: Option<&str>) -> String {
    let name = quoted(name.filter(|n| !n.trim().is_empty()).unwrap_or("packd"));
    let version = env!("CARGO_PKG_VERSION");
    format!(r#"{{"name":{name},"title":"packd","version":"{version}"}}"#)
}

impl McpSession {
    pub(super) fn initialize(&self, params: &Map<String, Value>) -> ResultBody {
        let version = era::handshake(params.get("protocolVersion").and_then(Value::as_str));
        self.greeted(version);
        let elicitation = params.get("capabilities").and_then(|c| c.get("elicitation"));
        self.questions.offered.set(elicitation.is_some());
        ResultBody::raw(format!(
            r#""protocolVersion":"{version}","capabilities":{{{SHARED},"logging":{{}}}},"serverInfo":{},"instructions":{}"#,
            self.server_info,
            self.instructions(),
        ))
    }

    pub(super) fn discover(&self) -> ResultBody {
        let versions = VERSIONS.map(|v| format!(r#""{v}""#)).join(",");
        ResultBody::raw(format!(
            r#""supportedVersions":[{versions}],"capabilities":{{{SHARED}}},"instructions":{}"#,
            self.instructions(),
        ))
        .cached(TTL_MS)
    }

    fn instructions(&self) -> String {
        quoted(&instructions::text(self.catalogue.listed(self.engine.tools())))
    }
}
