//! `tasks_patch`: small set, unset, append and remove operations on a plan, task, step or task node.

use serde::Serialize;

use crate::core::Result;

use super::super::address::Address;
use super::super::answer::IntentAnswer;
use super::super::args::Common;
use super::super::fields::ItemPart;
use super::super::intent::{FocusUse, Intent};
use super::super::model::{Object, TaskItem};
use super::super::patch::{Applied, ItemDiff, TasksPatchArgs, apply, diff, operations};
use super::super::reply::{self, KeyedItem};
use super::super::request::IntentRequest;
use super::super::state;
use super::super::target::IntentTarget;

pub struct TasksPatch;

#[derive(Serialize)]
struct PatchReply<'a> {
    task_id: &'a str,
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<&'a str>,
    updated_fields: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    preview: Option<Preview>,
    #[serde(flatten)]
    item: Option<KeyedItem>,
    #[serde(flatten)]
    node: NodeShown,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    no_op: bool,
}

/// The node that was patched, under the name of its kind.
#[derive(Default, Clone, Serialize)]
struct NodeShown {
    #[serde(skip_serializing_if = "Option::is_none")]
    step: Option<reply::NodeShown>,
    #[serde(skip_serializing_if = "Option::is_none")]
    task_node: Option<reply::NodeShown>,
}

/// A preview is explicit by its shape; the result stands under both names the contract's versions have for it.
#[derive(Serialize)]
struct Preview {
    dry_run: bool,
    would_execute: bool,
    diff: ItemDiff,
    current: Snapshot,
    computed: Snapshot,
    after: Snapshot,
}

#[derive(Clone, Serialize)]
struct Snapshot {
    #[serde(flatten)]
    shown: Object,
    #[serde(flatten)]
    node: NodeShown,
    state: ItemState,
}

#[derive(Clone, Serialize)]
struct ItemState {
    status: &'static str,
    lifecycle_status: &'static str,
    progress: i64,
    blocked: bool,
}

impl Intent for TasksPatch {
    type Args = TasksPatchArgs;
    const TOOL: &'static str = "tasks_patch";
    const FOCUS: FocusUse = FocusUse::Any;
    const WRITES: bool = true;

    fn common(args: &TasksPatchArgs) -> &Common {
        &args.common
    }

    fn answer(
        request: &mut IntentRequest,
        args: &TasksPatchArgs,
        target: &IntentTarget,
    ) -> Result<IntentAnswer> {
        operations(args)?;
        let before = request.item(target)?;
        let mut item = before.item.clone();
        let applied = apply(request.view(), request.workspace(), &mut item, args, request.ctx.now)?;
        if let Some(path) = &applied.path {
            request.mean(path);
        }
        let compact = args.common.compact();
        let mut result = PatchReply {
            task_id: &before.item.id,
            kind: applied.part.as_str(),
            path: applied.path.as_deref(),
            updated_fields: applied.updated(),
            preview: None,
            item: None,
            node: NodeShown::default(),
            no_op: false,
        };
        if request.preview {
            state::settle(&mut item, request.ctx.ids);
            let would_execute = item != before.item;
            let computed = snapshot(&item, before.rev, args, &applied, compact)?;
            result.preview = Some(Preview {
                dry_run: true,
                would_execute,
                diff: diff(&before.item, &item, &applied.changes),
                current: snapshot(&before.item, before.rev, args, &applied, compact)?,
                after: computed.clone(),
                computed,
            });
            let answer = flat(IntentAnswer::about(&before.item.id, &result));
            if would_execute {
                request.save(item)?;
            }
            return Ok(answer);
        }
        let unchanged = item == before.item;
        let saved = if unchanged { before.clone() } else { request.save(item)? };
        result.item = Some(KeyedItem::new(&saved.item, saved.rev, compact));
        result.node = node_shown(&saved.item, args, &applied, compact)?;
        result.no_op = unchanged;
        let mut answer = IntentAnswer::about(&saved.item.id, &result).short(compact);
        answer.path = applied.path.clone();
        Ok(if unchanged { answer.no_op() } else { answer })
    }
}

/// The members of a preview stand beside the others.
fn flat(mut answer: IntentAnswer) -> IntentAnswer {
    if let Some(serde_json::Value::Object(preview)) = answer.result.shift_remove("preview") {
        answer.result.extend(preview);
    }
    answer
}

fn node_shown(item: &TaskItem, args: &TasksPatchArgs, applied: &Applied, compact: bool) -> Result<NodeShown> {
    let mut out = NodeShown::default();
    match applied.part {
        ItemPart::Detail => {}
        ItemPart::Step => {
            let path = Address::of_step(&args.path, &args.step_id).step(item)?;
            out.step = Some(reply::step(path.step(item)?, path.as_str(), compact));
        }
        ItemPart::Node => {
            let path = Address::of_node(&args.path, &args.task_node_id).node(item)?;
            out.task_node = Some(reply::node(path.node(item)?, path.as_str(), compact));
        }
    }
    Ok(out)
}

/// The patched node (or item) with the item's state beside it.
fn snapshot(
    item: &TaskItem,
    rev: u64,
    args: &TasksPatchArgs,
    applied: &Applied,
    compact: bool,
) -> Result<Snapshot> {
    let node = node_shown(item, args, applied, compact)?;
    let shown = match (&node.step, &node.task_node) {
        (Some(shown), _) | (_, Some(shown)) => shown.clone(),
        _ => reply::item(item, rev, compact),
    };
    let status = item.status.as_str();
    let state =
        ItemState { status, lifecycle_status: status, progress: item.progress, blocked: item.blocked };
    Ok(Snapshot { shown, node, state })
}
