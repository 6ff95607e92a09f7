//! Plans too long for an answer, as resources: the current one by its arguments, a reviewed one by its hash.

use serde_json::Value;

use super::args::Args;
use super::file_reader::FileReader;
use super::plan;
use super::rows::{ReviewedPlan, TOKENS};
use super::state;
use crate::core::resource::{Offers, Resource, ResourceContents, ResourceTemplate};
use crate::core::templates::AGENTPACK;
use crate::core::{Ctx, Key, Look, Result, RowQuery};

const PLAN: &str = "deploy://plan";
const REVIEWED: &str = "deploy://reviewed/";

pub struct DeployOffers;

impl Offers for DeployOffers {
    fn fixed(&self) -> Vec<Resource> {
        vec![AGENTPACK.listed()]
    }

    fn templates(&self) -> Vec<ResourceTemplate> {
        vec![
            ResourceTemplate {
                uri_template: "deploy://plan{?repo,profile,target,machine}",
                name: "deploy plan",
                description: "The whole current plan, as JSON",
                mime: "application/json",
            },
            ResourceTemplate {
                uri_template: "deploy://reviewed/{plan_hash}",
                name: "reviewed deploy plan",
                description: "The whole plan a confirm token is bound to, as JSON",
                mime: "application/json",
            },
        ]
    }

    fn read(&self, look: &Look, uri: &str) -> Result<Option<ResourceContents>> {
        if let Some(contents) = AGENTPACK.read(uri) {
            return Ok(Some(contents));
        }
        let text = if let Some(hash) = uri.strip_prefix(REVIEWED) {
            reviewed(look.ctx, hash)?
        } else if uri == PLAN || uri.starts_with("deploy://plan?") {
            let query = uri.strip_prefix("deploy://plan?").unwrap_or_default();
            Some(current(look.ctx, &FileReader::new(look.ctx, look.world), query)?)
        } else {
            None
        };
        Ok(text.map(|text| ResourceContents { uri: uri.into(), mime: "application/json".into(), text }))
    }
}

pub fn plan_uri(args: &Args) -> String {
    let query: Vec<String> = args
        .common()
        .iter()
        .map(|(name, value)| format!("{name}={}", encode(value.as_str().unwrap_or_default())))
        .collect();
    if query.is_empty() { PLAN.to_string() } else { format!("{PLAN}?{}", query.join("&")) }
}

pub fn reviewed_uri(hash: &str) -> String {
    format!("{REVIEWED}{hash}")
}

fn current(ctx: &Ctx, reader: &FileReader, query: &str) -> Result<String> {
    let find = |name: &str| {
        let value = query.split('&').find_map(|pair| pair.strip_prefix(name)?.strip_prefix('='));
        value.map(decode).filter(|v| !v.is_empty())
    };
    let args = Args {
        repo: find("repo"),
        profile: find("profile").unwrap_or_else(|| "default".into()),
        target: find("target").unwrap_or_else(|| "all".into()),
        machine: find("machine"),
        dry_run: true,
    };
    let seen = state::look_with(reader, ctx, &args, false)?;
    Ok(plan::plan(&seen).data(&seen).to_string())
}

fn reviewed(ctx: &Ctx, hash: &str) -> Result<Option<String>> {
    for (key, row) in ctx.view.rows(&RowQuery::new(TOKENS, Key::empty()))? {
        let token: ReviewedPlan = row.decode(TOKENS, &key)?;
        if token.plan_hash == hash && token.workspace == ctx.session.workspace {
            let bytes = ctx.view.blob(&token.plan)?.unwrap_or_default();
            return Ok(serde_json::from_slice::<Value>(&bytes).ok().map(|v| v.to_string()));
        }
    }
    Ok(None)
}

fn encode(text: &str) -> String {
    let mut out = String::new();
    for byte in text.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' | b'/' => {
                out.push(byte as char)
            }
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

fn decode(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let hex = text.get(at + 1..at + 3).filter(|_| bytes[at] == b'%');
        match hex.and_then(|h| u8::from_str_radix(h, 16).ok()) {
            Some(byte) => {
                out.push(byte);
                at += 3;
            }
            None => {
                out.push(bytes[at]);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_brings_its_arguments_back() {
        for text in ["/a b/ü%", "plain", "x&y=z"] {
            assert_eq!(decode(&encode(text)), text);
        }
        assert_eq!(decode("%"), "%");
    }
}
