//! How things stand as a resource, for hosts that read one and for hooks, and as a prompt to go on from.

use serde_json::{Map, Value, json};

use crate::core::resource::{Offers, Prompt, Resource, ResourceContents};
use crate::core::{Look, Result};

use super::{reply, standing};

/// The same text as the tool's.
const NOW: &str = "packd://now";
/// What somebody should look at, as data: the first screen of the command line is made of it. It is not listed, since
/// agents have the text.
const REMARKS: &str = "packd://now/remarks";
const RESUME: &str = "resume";

pub struct NowOffers;

impl Offers for NowOffers {
    fn fixed(&self) -> Vec<Resource> {
        vec![Resource {
            uri: NOW.into(),
            name: "now".into(),
            title: Some("Where things stand".into()),
            description: Some("The work in hand, its next step, who holds what and what waits.".into()),
            mime: "text/plain",
        }]
    }

    fn read(&self, look: &Look, uri: &str) -> Result<Option<ResourceContents>> {
        let (mime, text) = match uri {
            NOW => ("text/plain", reply::written(&standing::of(look))),
            REMARKS => ("application/json", json!(standing::of(look).remarks).to_string()),
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

    fn prompt(&self, look: &Look, name: &str, _args: &Map<String, Value>) -> Result<Option<String>> {
        Ok((name == RESUME)
            .then(|| format!("Go on with the work in hand.\n\n{}", reply::written(&standing::of(look)))))
    }
}
