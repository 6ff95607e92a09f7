//! Where am I, and where is it? Reads across all families, through what each of them contributes.
//!
//! It owns nothing but when each session last looked. It names no other family: how things stand and what can be found is
//! told by the families themselves.

mod looks;
mod standing;
mod text;
mod tools;

use serde_json::{Map, Value, json};

use crate::core::ctx::{ErrorCtx, Sweep};
use crate::core::resource::{Prompt, Resource, ResourceContents};
use crate::core::{AnyTool, Ctx, Error, Family, Look, Reply, Result, Table, World};

/// The same text as the tool's, for hosts that read resources and for hooks.
const NOW: &str = "packd://now";
/// What somebody should look at, as data: the first screen of the command line is made of it. It is not listed, since
/// agents have the text.
const REMARKS: &str = "packd://now/remarks";
const RESUME: &str = "resume";

pub struct WhereAmI;

impl Family for WhereAmI {
    fn name(&self) -> &'static str {
        "now"
    }

    fn tools(&self) -> &'static [&'static dyn AnyTool] {
        tools::TOOLS
    }

    fn tables(&self) -> &'static [Table] {
        &[looks::LOOKS]
    }

    fn fleeting(&self) -> &'static [Table] {
        &[looks::LOOKS]
    }

    fn render_error(&self, error: &Error, _ctx: &ErrorCtx) -> Reply {
        Reply::text(format!("It failed: {error}")).error()
    }

    fn resources(
        &self,
        _ctx: &Ctx,
        _cursor: Option<&str>,
        _limit: usize,
    ) -> Result<(Vec<Resource>, Option<String>)> {
        let now = Resource {
            uri: NOW.into(),
            name: "now".into(),
            title: Some("Where things stand".into()),
            description: Some("The work in hand, its next step, who holds what and what waits.".into()),
            mime: "text/plain",
        };
        Ok((vec![now], None))
    }

    fn read_resource(&self, ctx: &Ctx, world: &dyn World, uri: &str) -> Result<Option<ResourceContents>> {
        let standing = || standing::of(&Look { ctx, world });
        let (mime, text) = match uri {
            NOW => ("text/plain", text::written(&standing())),
            REMARKS => ("application/json", json!(standing().remarks).to_string()),
            _ => return Ok(None),
        };
        Ok(Some(ResourceContents { uri: uri.into(), mime: mime.into(), text }))
    }

    fn prompts(&self) -> Vec<Prompt> {
        vec![Prompt {
            name: RESUME,
            title: "Go on with the work",
            description: "Where things stand and what comes next, to go on from there.",
            arguments: Vec::new(),
        }]
    }

    fn look_prompt(&self, look: &Look, name: &str, _args: &Map<String, Value>) -> Result<Option<String>> {
        Ok((name == RESUME)
            .then(|| format!("Go on with the work in hand.\n\n{}", text::written(&standing::of(look)))))
    }

    fn sweep(&self, ctx: &Ctx) -> Result<Vec<Sweep>> {
        looks::sweep(ctx)
    }
}
