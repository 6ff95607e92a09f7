//! What a family offers besides tools: resources to read and prompts to start from. No protocol here.

use serde_json::{Map, Value};

use super::{Ctx, Look, Op, Result};

/// What a family offers; each part may be empty.
pub trait Offers: Send + Sync {
    /// Resources that are always there.
    fn fixed(&self) -> Vec<Resource> {
        Vec::new()
    }

    /// A page of the resources this session sees.
    fn resources(&self, _ctx: &Ctx, cursor: Option<&str>, _limit: usize) -> Result<ResourcePage> {
        Ok((if cursor.is_none() { self.fixed() } else { Vec::new() }, None))
    }

    fn templates(&self) -> Vec<ResourceTemplate> {
        Vec::new()
    }

    /// Reads one resource, on a blocking thread. `None` = not a resource of this family.
    fn read(&self, _look: &Look, _uri: &str) -> Result<Option<ResourceContents>> {
        Ok(None)
    }

    /// The resources an operation changed, for notices to subscribers.
    fn changed(&self, _op: &Op) -> Vec<String> {
        Vec::new()
    }

    fn prompts(&self) -> Vec<Prompt> {
        Vec::new()
    }

    /// The text of a prompt, on a blocking thread. `None` = not a prompt of this family.
    fn prompt(&self, _look: &Look, _name: &str, _args: &Map<String, Value>) -> Result<Option<String>> {
        Ok(None)
    }

    /// Values for an argument of a prompt or a resource template that start with (or contain) `typed`.
    fn complete(&self, _ctx: &Ctx, _reference: &str, _argument: &str, _typed: &str) -> Result<Vec<String>> {
        Ok(Vec::new())
    }
}

/// Resources, and the cursor of the next page.
pub type ResourcePage = (Vec<Resource>, Option<String>);

/// One entry of a resource list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resource {
    pub uri: String,
    pub name: String,
    pub title: Option<String>,
    pub description: Option<String>,
    pub mime: &'static str,
}

/// A family of resources, as an RFC 6570 template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResourceTemplate {
    pub uri_template: &'static str,
    pub name: &'static str,
    pub description: &'static str,
    pub mime: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResourceContents {
    pub uri: String,
    pub mime: String,
    pub text: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PromptArgument {
    pub name: &'static str,
    pub description: &'static str,
    pub required: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prompt {
    pub name: &'static str,
    pub title: &'static str,
    pub description: &'static str,
    pub arguments: Vec<PromptArgument>,
}
