//! The family's stable error codes, each with a reason and what to do next.
//!
//! The table is the contract; a failure site names only the code, the message and its own details.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::args::{approved, unsupported_target};
use super::reply;
use super::tools::{DeployApply, DeployInit, DeploySnapshots, Explain, Review, Rollback};
use crate::core::arguments::Arguments;
use crate::core::ctx::ErrorCtx;
use crate::core::{Error, Given, Kind, Reply, Tool, agents, schema};

/// Tools that write and are approved in the call itself.
const NEEDS_YES: [&str; 2] = [DeployApply::NAME, Rollback::NAME];

/// Code, reason code, next actions.
type Entry = (&'static str, &'static str, &'static [&'static str]);

const TABLE: &[Entry] = &[
    ("E_CONFIRM_REQUIRED", "confirm_required", &["retry_with_yes"]),
    ("E_CONFIRM_TOKEN_REQUIRED", "confirm_token_required", &["call_deploy", "retry_deploy_apply"]),
    ("E_CONFIRM_TOKEN_EXPIRED", "confirm_token_expired", &["call_deploy", "retry_deploy_apply"]),
    ("E_CONFIRM_TOKEN_MISMATCH", "confirm_token_mismatch", &["call_deploy", "retry_deploy_apply"]),
    ("E_ADOPT_CONFIRM_REQUIRED", "adopt_confirm_required", &["retry_with_adopt"]),
    ("E_CONFIG_MISSING", "config_missing", &["call_deploy_init", "retry_with_repo"]),
    ("E_CONFIG_INVALID", "config_invalid", &["fix_config", "retry_command"]),
    (
        "E_CONFIG_UNSUPPORTED_VERSION",
        "config_unsupported_version",
        &["upgrade_agentpack", "fix_config_version", "retry_command"],
    ),
    ("E_TARGET_UNSUPPORTED", "target_filter_unsupported", &["retry_with_supported_target"]),
    (
        "E_DESIRED_STATE_CONFLICT",
        "desired_state_conflict",
        &["resolve_desired_state_conflict", "retry_command"],
    ),
    (
        "E_OVERLAY_PATCH_APPLY_FAILED",
        "overlay_patch_apply_failed",
        &["regenerate_patch", "switch_to_dir_overlay", "retry_command"],
    ),
    ("E_LOCKFILE_INVALID", "lockfile_invalid", &["regenerate_lockfile", "retry_command"]),
    (
        "E_LOCKFILE_UNSUPPORTED_VERSION",
        "lockfile_unsupported_version",
        &["regenerate_lockfile", "retry_command"],
    ),
    ("E_LOCKFILE_MISMATCH", "lockfile_mismatch", &["remove_cached_checkout", "retry_command"]),
    ("E_GIT_REPO_REQUIRED", "git_repo_required", &["init_git_repo", "retry_command"]),
    ("E_GIT_WORKTREE_DIRTY", "git_worktree_dirty", &["commit_or_stash", "retry_command"]),
    ("E_GIT_NOT_FOUND", "git_not_found", &["install_git", "retry_command"]),
    ("E_GIT_IDENTITY_MISSING", "git_identity_missing", &["set_git_identity", "retry_command"]),
    ("E_GIT_FAILED", "git_failed", &["retry_command"]),
    ("E_BRANCH_EXISTS", "branch_exists", &["retry_with_other_branch"]),
    ("E_BRANCH_INVALID", "branch_invalid", &["retry_with_other_branch"]),
    ("E_IO_PERMISSION_DENIED", "io_permission_denied", &["fix_permissions", "retry_command"]),
    ("E_IO_NO_SPACE", "io_no_space", &["free_space", "retry_command"]),
    ("E_IO_FAILED", "io_failed", &["retry_command"]),
    ("E_PROFILE_NOT_FOUND", "profile_not_found", &["retry_with_known_profile"]),
    ("E_SNAPSHOT_NOT_FOUND", "snapshot_not_found", &["call_deploy_snapshots"]),
    ("E_MODULE_INVALID", "module_invalid", &["fix_module", "retry_command"]),
    ("E_MODULE_NOT_UTF8", "module_not_utf8", &["fix_module", "retry_command"]),
    ("E_SOURCE_MISSING", "source_missing", &["fix_config", "retry_command"]),
    ("E_SOURCE_NOT_CACHED", "source_not_cached", &["retry_without_read_only"]),
    ("E_SOURCE_UNSAFE", "source_unsafe", &["fix_config", "retry_command"]),
    ("E_TARGET_RESERVED", "target_reserved", &["fix_config", "retry_command"]),
    ("E_FOREIGN_OWNER", "foreign_owner", &["take_ownership", "retry_command"]),
    ("E_PATH_IS_DIRECTORY", "path_is_directory", &["move_it_away", "retry_command"]),
    ("E_PATH_NOT_A_FILE", "path_not_a_file", &["move_it_away", "retry_command"]),
    ("E_PATH_SYMLINK", "path_symlink", &["replace_symlink", "retry_command"]),
    ("E_FILE_CHANGED", "file_changed", &["call_deploy"]),
    ("E_FILE_TOO_LARGE", "file_too_large", &["shrink_file", "retry_command"]),
    ("E_FILE_EXISTS", "file_exists", &["call_deploy"]),
    ("E_INVALID_ARGUMENTS", "invalid_arguments", &["fix_arguments"]),
    ("E_MODE_DENIED", "mode_denied", &["retry_with_mode_execute"]),
    ("E_NEEDS_HUMAN", "needs_human", &["ask_the_user", "wait_for_the_user"]),
    ("E_DECLINED", "declined", &["ask_the_user"]),
    ("E_NEEDS_PASSPHRASE", "needs_passphrase", &["ask_the_user"]),
    ("E_CONFLICT", "conflict", &["retry_command"]),
    ("E_UNEXPECTED", "unexpected", &["retry_command"]),
];

/// An error of this family; `kind` follows from the code.
pub fn coded(code: &str, message: impl Into<String>) -> Error {
    let kind = match code {
        c if c.starts_with("E_CONFIRM") || c == "E_ADOPT_CONFIRM_REQUIRED" => Kind::Denied,
        c if c.starts_with("E_IO") || c.starts_with("E_GIT") => Kind::Io,
        "E_FILE_CHANGED" => Kind::Conflict,
        c if c.ends_with("NOT_FOUND") || c.ends_with("MISSING") => Kind::NotFound,
        _ => Kind::Invalid,
    };
    Error::new(kind, code, message)
}

/// Typed details of an error.
pub fn details(typed: &impl Serialize) -> Value {
    // Plain data with text keys: there is nothing in it that JSON cannot hold.
    serde_json::to_value(typed).unwrap_or_default()
}

/// What of a refused call decides what comes next, right or wrong.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Sent {
    yes: Given<bool>,
    dry_run: Given<bool>,
    target: Given<String>,
    profile: Given<String>,
    confirm_token: Given<String>,
    to: Given<String>,
}

/// What is wrong with the arguments, in the contract's words and order: approval comes before everything else, and a
/// target that does not exist has a code of its own.
fn in_order(error: &Error, ctx: &ErrorCtx) -> Option<Error> {
    let call = ctx.call.filter(|_| stable_code(error) == "E_INVALID_ARGUMENTS")?;
    let sent = Sent::of(&call.args).ok()?;
    if NEEDS_YES.contains(&ctx.tool) {
        let dry_run = call.preview || sent.dry_run.get() == Some(&true);
        if let Err(first) = approved(ctx.tool, &sent.yes, dry_run) {
            return Some(first);
        }
    }
    let field = error.details.as_deref().and_then(|details| details.get("field")).and_then(Value::as_str);
    let target = sent.target.get().filter(|_| field == Some("target"))?;
    Some(unsupported_target(target))
}

/// The failure envelope of any error, also of refusals by policy and failures of the engine.
pub fn render(error: &Error, ctx: &ErrorCtx) -> Reply {
    let instead = in_order(error, ctx);
    let error = instead.as_ref().unwrap_or(error);
    let code = stable_code(error);
    let mut details = match error.details.as_deref() {
        Some(Value::Object(map)) => map.clone(),
        _ => Map::new(),
    };
    let entry = TABLE.iter().find(|e| e.0 == code);
    let (reason, actions) = entry.map_or(("unexpected", &[] as &[&str]), |e| (e.1, e.2));
    details.entry("reason_code").or_insert_with(|| json!(reason));
    let actions = details.entry("next_actions").or_insert_with(|| json!(actions)).clone();
    let calls = next_calls(&actions, &details, ctx);
    if !calls.is_empty() {
        details.entry("next_calls").or_insert(Value::Array(calls));
    }
    if let Some(hint) = &error.hint {
        details.entry("hint").or_insert_with(|| json!(hint));
    }
    if let Some(Value::String(path)) = details.get("path").cloned() {
        details.entry("path_posix").or_insert_with(|| json!(reply::posix(&path)));
    }
    let body = json!({"code": code, "message": error.message, "details": details});
    let kind = ctx.call.and_then(Explain::kind);
    Reply::json(reply::wrap(ctx.tool, kind.as_deref(), json!({}), &[], vec![body])).error()
}

/// The family's word for a failure that came from somewhere else.
fn stable_code(error: &Error) -> String {
    if error.code.starts_with("E_") {
        return error.code.clone();
    }
    let io_kind = error.details.as_ref().and_then(|d| d["io_kind"].as_str()).unwrap_or_default();
    match error.code.as_str() {
        "file_changed" => "E_FILE_CHANGED",
        "file_exists" => "E_FILE_EXISTS",
        "path_through_symlink" => "E_PATH_SYMLINK",
        crate::core::cache::NOT_CACHED => "E_SOURCE_NOT_CACHED",
        crate::core::effect::RESERVED => "E_TARGET_RESERVED",
        crate::core::owner::FOREIGN => "E_FOREIGN_OWNER",
        "path_outside_root" => "E_SOURCE_UNSAFE",
        "invalid_arguments" | "invalid_mode" => "E_INVALID_ARGUMENTS",
        "mode_denied" | "read_only" => "E_MODE_DENIED",
        "needs_human" => "E_NEEDS_HUMAN",
        "declined" => "E_DECLINED",
        "needs_passphrase" => "E_NEEDS_PASSPHRASE",
        "conflict" => "E_CONFLICT",
        "io_error" if io_kind == "permission_denied" => "E_IO_PERMISSION_DENIED",
        "io_error" if io_kind == "no_space" => "E_IO_NO_SPACE",
        "no_space" => "E_IO_NO_SPACE",
        "io_error" | "damaged" | "database_replaced" | "store_interrupted" => "E_IO_FAILED",
        _ => "E_UNEXPECTED",
    }
    .to_string()
}

/// The target that was meant, if that can be told; never more than was asked for.
fn nearest_target(sent: &Sent) -> Option<&'static str> {
    let meant = sent.target.trimmed()?;
    let by_agent = agents::ALL.into_iter().find(|agent| agent.id == meant).map(|agent| agent.target);
    by_agent.filter(|name| !name.is_empty()).or_else(|| schema::closest(meant, &agents::targets()))
}

/// The profile that was meant: the only one, or the one with nearly that name.
fn known_profile<'a>(details: &'a Map<String, Value>, sent: &Sent) -> Option<&'a str> {
    let known: Vec<&str> = details.get("known")?.as_array()?.iter().filter_map(Value::as_str).collect();
    match known.as_slice() {
        [only] => Some(only),
        several => schema::closest(sent.profile.trimmed()?, several),
    }
}

/// The next actions that are calls, with arguments ready to send.
fn next_calls(actions: &Value, details: &Map<String, Value>, ctx: &ErrorCtx) -> Vec<Value> {
    let args = ctx.call.map(|c| c.args.clone()).unwrap_or_default();
    let sent = ctx.call.and_then(|call| Sent::of(&call.args).ok()).unwrap_or_default();
    let with = |name: &str, value: Value| {
        let mut args = args.clone();
        args.insert(name.into(), value);
        args
    };
    let without =
        |name: &str| args.iter().filter(|(k, _)| *k != name).map(|(k, v)| (k.clone(), v.clone())).collect();
    let only = |keep: &[&str]| -> Map<String, Value> {
        args.iter().filter(|(k, _)| keep.contains(&k.as_str())).map(|(k, v)| (k.clone(), v.clone())).collect()
    };
    let common = || only(&["repo", "profile", "target", "machine"]);
    let call = |action: &str| -> Option<(String, Map<String, Value>)> {
        let tool = ctx.tool.to_string();
        Some(match action {
            // Approval alone would only lead to the next refusal.
            "retry_with_yes" if tool == DeployApply::NAME && !sent.confirm_token.is_sent() => {
                (Review::NAME.into(), common())
            }
            "retry_with_yes" if tool == Rollback::NAME && !sent.to.is_sent() => {
                (DeploySnapshots::NAME.into(), Map::new())
            }
            "retry_with_yes" => (tool, with("yes", json!(true))),
            "retry_with_adopt" => (tool, with("adopt", json!(true))),
            "retry_with_mode_execute" => (tool, with("mode", json!("execute"))),
            "retry_with_known_profile" => match known_profile(details, &sent)? {
                "default" => (tool, without("profile")),
                other => (tool, with("profile", other.into())),
            },
            "retry_with_supported_target" => (tool, with("target", nearest_target(&sent)?.into())),
            "call_deploy_init" => (DeployInit::NAME.into(), only(&["repo"])),
            "retry_with_other_branch" => (tool, without("branch")),
            "call_deploy" => (Review::NAME.into(), common()),
            "call_deploy_snapshots" => (DeploySnapshots::NAME.into(), Map::new()),
            "retry_deploy_apply" => {
                let mut args = common();
                args.insert("yes".into(), json!(true));
                args.insert("confirm_token".into(), json!("<data.confirm_token of deploy>"));
                ("deploy_apply".into(), args)
            }
            // The token may be used up; there is no way around another review.
            "retry_command" if tool == "deploy_apply" => ("deploy".into(), common()),
            "retry_command" => (tool, args.clone()),
            _ => return None,
        })
    };
    let names = actions.as_array().into_iter().flatten().filter_map(Value::as_str);
    names.filter_map(call).map(|(tool, arguments)| json!({"tool": tool, "arguments": arguments})).collect()
}
