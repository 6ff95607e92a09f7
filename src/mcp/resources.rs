//! `resources/list`, `resources/templates/list` and `resources/read`.

use serde_json::{Map, Value, json};

use super::dispatch::RpcRequest;
use super::fault::RpcFault;
use super::params;
use super::result::ResultBody;
use super::session::McpSession;
use crate::core::Kind;
use crate::core::resource::{Resource, ResourceContents};

/// Entries of one page.
const PAGE: usize = 100;
/// Resources change with every write; only what is compiled in may be kept.
const FRESH_MS: u64 = 0;
const FIXED_MS: u64 = 300_000;

impl McpSession {
    /// Families one after another; the cursor says where in which family the next page starts.
    pub(super) async fn list_resources(&self, params: &Map<String, Value>) -> Result<ResultBody, RpcFault> {
        let families = &self.catalogue.families;
        let (mut at, mut inner) = match params::cursor(params)? {
            None => (0, None),
            Some(cursor) => {
                let (family, inner) = cursor.split_once(':').ok_or_else(params::bad_cursor)?;
                let at = families.iter().position(|f| f == family).ok_or_else(params::bad_cursor)?;
                (at, (!inner.is_empty()).then(|| inner.to_string()))
            }
        };
        // The skills stand at the head of the first page: a handful that never changes.
        let mut entries: Vec<Value> = match params::cursor(params)? {
            Some(_) => Vec::new(),
            None => self.skill_resources().iter().map(entry).collect(),
        };
        let mut next = None;
        while let Some(family) = families.get(at) {
            if entries.len() >= PAGE {
                next = Some(format!("{family}:"));
                break;
            }
            let (page, more) = self
                .engine
                .resource_page(&self.state, family, inner.as_deref(), PAGE - entries.len())
                .await?;
            entries.extend(page.iter().map(entry));
            if let Some(more) = more {
                next = Some(format!("{family}:{more}"));
                break;
            }
            inner = None;
            at += 1;
        }
        let mut result = json!({ "resources": entries });
        if let Some(next) = next {
            result["nextCursor"] = next.into();
        }
        Ok(ResultBody::of(&result)?.cached(FRESH_MS))
    }

    pub(super) fn list_templates(&self, params: &Map<String, Value>) -> Result<ResultBody, RpcFault> {
        params::no_cursor(params)?;
        let templates: Vec<Value> = self
            .offers()
            .flat_map(|offers| offers.templates())
            .map(|t| json!({ "uriTemplate": t.uri_template, "name": t.name, "description": t.description, "mimeType": t.mime }))
            .collect();
        Ok(ResultBody::of(&json!({ "resourceTemplates": templates }))?.cached(FIXED_MS))
    }

    pub(super) async fn read_resource(&self, request: &RpcRequest) -> Result<ResultBody, RpcFault> {
        let uri = params::text(&request.params, "uri")?;
        if let Some(skill) = self.skill_contents(uri) {
            return Ok(ResultBody::of(&json!({ "contents": [read(&skill)] }))?.cached(FIXED_MS));
        }
        let contents = match self.engine.read_resource(&self.state, uri).await {
            Ok(contents) => contents,
            Err(error) if error.kind == Kind::NotFound => {
                return Err(RpcFault::no_resource(uri, request.era));
            }
            Err(error) => return Err(error.into()),
        };
        Ok(ResultBody::of(&json!({ "contents": [read(&contents)] }))?.cached(FRESH_MS))
    }
}

fn entry(resource: &Resource) -> Value {
    let mut entry = json!({ "uri": resource.uri, "name": resource.name });
    if let Some(title) = &resource.title {
        entry["title"] = title.as_str().into();
    }
    if let Some(description) = &resource.description {
        entry["description"] = description.as_str().into();
    }
    entry["mimeType"] = resource.mime.into();
    entry
}

fn read(contents: &ResourceContents) -> Value {
    json!({ "uri": contents.uri, "mimeType": contents.mime, "text": contents.text })
}
