//! `tasks_contract`: sets or clears what a plan promises.

use serde::Deserialize;

use crate::core::{Given, Result};

use super::super::answer::IntentAnswer;
use super::super::args::{self, Common, Flag};
use super::super::contract::{data, saved, target, version_if_changed};
use super::super::intent::{FocusUse, Intent};
use super::super::model::Object;
use super::super::request::IntentRequest;
use super::super::target::IntentTarget;

pub struct Contract;

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct ContractArgs {
    #[serde(flatten)]
    common: Common,
    current: Given<String>,
    contract_data: Given<Object>,
    clear: Flag,
}

impl Intent for Contract {
    type Args = ContractArgs;
    const TOOL: &'static str = "tasks_contract";
    const FOCUS: FocusUse = FocusUse::Plan;
    const WRITES: bool = true;

    fn common(args: &ContractArgs) -> &Common {
        &args.common
    }

    fn answer(request: &mut IntentRequest, args: &ContractArgs, at: &IntentTarget) -> Result<IntentAnswer> {
        let before = target(request, at)?;
        let mut item = before.item.clone();
        if args.clear.on() {
            item.contract = String::new();
            item.contract_data = Object::new();
        }
        if let Some(text) = args::prose(&args.current, "current", "INVALID_FIELDS")? {
            item.contract = text;
        }
        if let Some(data) = data(&args.contract_data)? {
            item.contract_data = data;
        }
        version_if_changed(&mut item, Some(&before.item), "contract", request.ctx.now);
        saved(request, &args.common, &before, item)
    }
}
