//! `tasks_templates_list`: what scaffold can make.

use serde::{Deserialize, Serialize};

use crate::core::Result;

use super::super::answer::IntentAnswer;
use super::super::args::Common;
use super::super::intent::Intent;
use super::super::request::IntentRequest;
use super::super::target::IntentTarget;
use super::super::templates::TEMPLATES;

pub struct TemplatesList;

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct TemplatesListArgs {
    #[serde(flatten)]
    common: Common,
}

#[derive(Serialize)]
struct Templates {
    templates: Vec<Listed>,
}

#[derive(Serialize)]
struct Listed {
    id: &'static str,
    name: &'static str,
    description: &'static str,
    supports: [&'static str; 2],
}

impl Intent for TemplatesList {
    type Args = TemplatesListArgs;
    const TOOL: &'static str = "tasks_templates_list";

    fn common(args: &TemplatesListArgs) -> &Common {
        &args.common
    }

    fn answer(
        _request: &mut IntentRequest,
        _args: &TemplatesListArgs,
        _target: &IntentTarget,
    ) -> Result<IntentAnswer> {
        let listed = TEMPLATES.iter().map(|t| Listed {
            id: t.id,
            name: t.name,
            description: t.description,
            supports: ["plan", "task"],
        });
        Ok(IntentAnswer::new(&Templates { templates: listed.collect() }))
    }
}
