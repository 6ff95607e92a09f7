//! Which item a request is about: named, or the focus; and the guards that keep a write from hitting another one.

use serde::Serialize;

use crate::core::{Error, Given, Result};

use super::answer::AnswerContext;
use super::args::{self, Common, said, text};
use super::errors::{EnvelopeParts, fail};
use super::focus;
use super::intent::FocusUse;
use super::model::{ItemKind, TaskStatus};
use super::request::IntentRequest;
use super::rows;
use super::suggest;

/// The item's names as a request has them, the focus filled in where the contract allows it.
#[derive(Debug, Clone, Default)]
pub struct IntentTarget {
    pub task: Given<String>,
    pub plan: Given<String>,
    pub source: TargetOrigin,
}

/// How the target was found.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum TargetOrigin {
    #[default]
    Explicit,
    Focus,
    FocusTaskParent,
    Missing,
    FocusIncompatible,
}

/// The same as the context of a reply tells it.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Resolution {
    pub source: TargetOrigin,
    #[serde(skip_serializing_if = "Option::is_none")]
    focus: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    task: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    plan: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    domain: Option<String>,
}

/// Why a write that goes to the focus had to say whom it expects there.
#[derive(Debug, Clone, Serialize)]
pub struct Strict {
    strict_writes_auto: bool,
    strict_writes_reason: &'static str,
    strict_writes_active_count: u64,
}

#[derive(Serialize)]
struct Mismatch<'a> {
    expected_target_id: Option<&'a str>,
    expected_kind: Option<&'a str>,
    resolved_target_id: &'a str,
    resolved_kind: &'static str,
    target_resolution: Option<&'a Resolution>,
}

impl IntentTarget {
    /// What was named, and nothing else.
    pub fn named(common: &Common) -> IntentTarget {
        IntentTarget { task: common.task.clone(), plan: common.plan.clone(), source: TargetOrigin::Explicit }
    }

    /// The id that guards and revisions are about.
    pub fn id(&self, focus: FocusUse) -> &str {
        let order = match focus {
            FocusUse::Plan => [&self.plan, &self.task],
            _ => [&self.task, &self.plan],
        };
        order.into_iter().find_map(text).unwrap_or_default()
    }
}

/// Names the target if the request does not.
pub fn fill(
    request: &IntentRequest,
    intent: &str,
    focus: FocusUse,
    common: &Common,
    context: &mut AnswerContext,
) -> Result<IntentTarget> {
    let named = |given: &Given<String>| given.is_sent() && given.get().is_none_or(|s| !s.is_empty());
    let mut resolve = |resolution| context.target_resolution = Some(resolution);
    if named(&common.task) || named(&common.plan) {
        resolve(Resolution::default());
        return Ok(IntentTarget::named(common));
    }
    let key = focus.key();
    let candidates = || suggest::pick_a_target(request.view(), request.workspace());
    let Some(focused) = focus::of(request)? else {
        resolve(Resolution { source: TargetOrigin::Missing, ..Resolution::default() });
        let message = format!("{intent} needs a target: none was named and nothing is focused.");
        return Err(fail("MISSING_TARGET", message)
            .hint(
                suggest::only_target(request, key)?
                    .unwrap_or_else(|| format!("Pass '{key}', or choose a focus with focus_set.")),
            )
            .suggest(candidates()?));
    };
    let plan_parent = focused.parent.as_ref().filter(|p| ItemKind::of_id(p) == ItemKind::Plan);
    let (source, id) = match (focus, focused.kind) {
        (FocusUse::Plan, ItemKind::Task) if plan_parent.is_some() => {
            (TargetOrigin::FocusTaskParent, plan_parent.cloned().unwrap_or_default())
        }
        (FocusUse::Plan, ItemKind::Task) | (FocusUse::Task, ItemKind::Plan) => {
            resolve(Resolution {
                source: TargetOrigin::FocusIncompatible,
                focus: Some(focused.id.clone()),
                domain: Some(focused.domain.clone()),
                ..Resolution::default()
            });
            let wanted = if focus == FocusUse::Plan { "plan" } else { "task" };
            let message = format!("The focus is {}, but {intent} works on a {wanted}.", focused.id);
            return Err(fail("FOCUS_INCOMPATIBLE", message)
                .hint(format!("Pass '{key}', or focus a {wanted} with focus_set."))
                .suggest(candidates()?));
        }
        _ => (TargetOrigin::Focus, focused.id.clone()),
    };
    let mut target = IntentTarget { source, ..IntentTarget::default() };
    let mut how = Resolution {
        source,
        focus: Some(focused.id.clone()),
        domain: Some(focused.domain.clone()),
        ..Resolution::default()
    };
    if focus == FocusUse::Plan {
        target.plan = Given::Is(id.clone());
        how.plan = Some(id);
    } else {
        target.task = Given::Is(id.clone());
        how.task = Some(id);
    }
    resolve(how);
    Ok(target)
}

/// Refuses a write that may hit something else than its author thinks.
pub fn guard(
    request: &IntentRequest,
    intent: &str,
    common: &Common,
    target: &IntentTarget,
    resolved: &str,
    context: &mut AnswerContext,
) -> Result<()> {
    let explicit = target.source == TargetOrigin::Explicit;
    let mut strict = common.strict_targeting.on() || common.strict_writes.on();
    if !explicit && !common.strict_targeting.is_sent() && !common.strict_writes.is_sent() {
        let mut active = 0;
        for kind in [ItemKind::Plan, ItemKind::Task] {
            active += rows::count_status(request.view(), request.workspace(), kind, TaskStatus::Active)?;
        }
        if active > 1 {
            strict = true;
            context.strict = Some(Strict {
                strict_writes_auto: true,
                strict_writes_reason: "multiple_active_targets",
                strict_writes_active_count: active,
            });
        }
    }
    let kind = match rows::summary(request.view(), request.workspace(), resolved)? {
        Some(summary) => summary.kind,
        None => ItemKind::of_id(resolved),
    };
    let refuse = |code: &str, message: String, hint: &str| -> Error {
        fail(code, message)
            .hint(hint)
            .result(Mismatch {
                expected_target_id: common.expected_target_id.get().map(String::as_str),
                expected_kind: common.expected_kind.get().map(String::as_str),
                resolved_target_id: resolved,
                resolved_kind: kind.as_str(),
                target_resolution: context.target_resolution.as_ref(),
            })
            .suggest(suggest::look_at(resolved))
    };
    let named = args::id(&common.expected_target_id, "expected_target_id", "INVALID_EXPECTED_TARGET_ID")?;
    let alias = args::id(&common.expected_target, "expected_target", "INVALID_EXPECTED_TARGET_ID")?;
    if let (Some(a), Some(b)) = (named, alias)
        && a != b
    {
        let message = format!("'expected_target_id' is {a}, but its alias 'expected_target' is {b}.");
        return Err(refuse("EXPECTED_TARGET_MISMATCH", message, "Send one of the two."));
    }
    let expected = named.or(alias);
    let blank = common.expected_kind.get().is_some_and(String::is_empty);
    let expected_kind = match common.expected_kind.is_sent() && !blank {
        false => None,
        true => {
            Some(common.expected_kind.get().and_then(|s| ItemKind::parse(s.trim())).ok_or_else(|| {
                let message =
                    format!("'expected_kind' is {}; it must be task or plan.", said(&common.expected_kind));
                refuse("INVALID_EXPECTED_KIND", message, "Send task or plan.")
            })?)
        }
    };
    if strict && !explicit && expected.is_none() {
        let message = format!("{intent} would go to the focus ({resolved}) without saying so.");
        return Err(refuse(
            "STRICT_TARGETING_REQUIRES_EXPECTED_TARGET_ID",
            message,
            "Pass 'expected_target_id' with the id you mean, or name the target itself.",
        ));
    }
    if expected.is_some_and(|id| id != resolved) || expected_kind.is_some_and(|k| k != kind) {
        let message =
            format!("The target is {resolved} ({}), which is not what was expected.", kind.as_str());
        return Err(refuse(
            "EXPECTED_TARGET_MISMATCH",
            message,
            "Check the focus, or name the target in the request.",
        ));
    }
    Ok(())
}
