//! The words of a tool as words for people: what an agent would call becomes the command a person types.
//!
//! Families speak to agents. Their sentences are kept; only what names a tool, an argument or a code is changed.

use std::borrow::Cow;

/// Sentences that are said differently to a person. The longer ones come first.
const PHRASES: &[(&str, &str)] = &[
    (
        "Paths look like s:0 or s:0.t:1.s:2; radar and mirror show the ones that exist.",
        "`packd task tree` shows the steps there are.",
    ),
    ("writes ecosystems/<name>/ecosystem.yaml", "writes ecosystems/NAME/ecosystem.yaml"),
    (
        "Install or clean up these repositories first.",
        "`packd eco install` clones what is missing, `packd eco status` shows what is uncommitted.",
    ),
    (
        "Revert the operation it refers to instead.",
        "`packd show` names the operation it was about; revert that one.",
    ),
    (
        "Its work was done by a run. Call the tool again instead.",
        "Its work was done by a run: start it again instead.",
    ),
    (
        "its work was done by a run. Call the tool again instead.",
        "its work was done by a run: start it again instead.",
    ),
    ("Look at them, then call again with yes=true", "Look at them, then run it again with --yes"),
    ("Look at these operations, then call again with yes=true", "Look at them, then run it again with --yes"),
    (
        "diff=true shows the contents, path narrows it to one file or directory.",
        "--path narrows it to one file or directory.",
    ),
    ("ops[0]: ", ""),
    ("pack file in 'document' is malformed", "This is no pack file"),
    (
        "Preview with mode=plan. To do it, add \"mode\":\"execute\" to this call or call amof_set_mode {}.",
        "`packd mode execute` allows it for a session.",
    ),
    (
        "Look it up with history_show and the request key before trying again.",
        "`packd history` tells whether it happened; look there before trying again.",
    ),
    (
        "Pass 'ecosystem', or call amof_use_ecosystem first; amof_list_ecosystems shows what there is.",
        "Name one; `packd eco list` shows what there is.",
    ),
    (
        "Create agentpack.yaml there, or send the path of the config repo as 'repo'.",
        "`packd deploy init` writes one there; --repo DIR names another place.",
    ),
    (
        "Create ecosystems/<name>/ecosystem.yaml in the project, or set AMOF_WORKSPACE_ROOT.",
        "`packd eco init NAME` writes one.",
    ),
    ("Create it with aam_init, or with `mkdir .aam` in the project directory.", "`packd pkg init` makes it."),
    ("; packd://templates/aam.yaml shows its form.", "."),
    ("; packd://templates/SKILL.md shows one.", "."),
    ("Make it with `mkdir`, or add \"create\": true to this call.", "Make it first, or add --create."),
    (
        "Confirm the missing checkpoints with close_step, or resolve what blocks the step.",
        "`packd task close ID s:0` confirms the checkpoints and closes the step; --force closes it without.",
    ),
    (
        "Look at the plan first, then repeat the call with yes=true.",
        "Look at it with `packd deploy`, then say --yes.",
    ),
    (
        "Call deploy, look at its plan, then send its data.confirm_token.",
        "`packd deploy --apply` shows the plan and asks.",
    ),
    (
        "Look at them. The same token with adopt=true overwrites them; their content is kept for undo.",
        "`packd deploy diff` shows them. --adopt overwrites them; `packd undo` brings them back.",
    ),
    (
        "Push it with amof_push_ecosystem or keep it with amof_archive_ecosystem; 'force': true moves it to the trash.",
        "`packd eco push` pushes it, `packd eco archive` keeps it; --force moves it to the trash.",
    ),
    (
        "Push it with amof_push_ecosystem; 'force': true moves it to the trash.",
        "`packd eco push` pushes it; --force moves it to the trash.",
    ),
    (
        "Start packd-mcp with --allow-write (or PACKD_ALLOW_WRITE=1) to allow it.",
        "`packd setup HOST --allow-write` allows it to an editor.",
    ),
    (
        "Make the same call once in a session without --read-only (and not only planned); then it is cached.",
        "Do it once for real; then it is kept.",
    ),
    (
        "Use an operation_id of the same stream, or leave the cursor out.",
        "`packd history` shows the ids; --audit those of the audit stream.",
    ),
    (
        "Undo the creation of these tasks first, newest first, or delete them (tasks_delete with task=",
        "Take the creation of these tasks back first, newest first (",
    ),
    (
        "Read them with output; where title and why still hold, call again with reviewed: true.",
        "`packd pack show NAME` shows them; an agent that works on the pack repairs them.",
    ),
    ("Send more characters of the id.", "Type more of the id."),
    ("Pass 'run_id', or start something first.", "`packd run list` shows the runs there are."),
    ("Look at history_list, then send the id you mean.", "`packd history` shows what is newest."),
    (
        "Add \"mode\":\"execute\" to this call to say that you mean it.",
        "`packd pkg config set KEY VALUE` changes it.",
    ),
    ("List the plans with context(include_all=true).", "`packd task list` shows the plans."),
    ("List what there is with context(include_all=true).", "`packd task list` shows what there is."),
    ("or focus one with focus_set", "or focus one with `packd task focus`"),
    (
        "Pass '{key}', or choose a focus with focus_set.",
        "`packd task list` shows what there is; `packd task focus ID` chooses one.",
    ),
    (
        "Pass an id, or choose a focus with focus_set.",
        "`packd task list` shows what there is; `packd task focus ID` chooses one.",
    ),
    (
        "Send the 'revision' that resume or radar shows.",
        "Somebody changed it since; look again with `packd task show`.",
    ),
    ("Name a TASK or PLAN id in 'task'.", "`packd task list` shows the ids."),
    ("Name a PLAN id in 'plan'.", "`packd task list` shows the ids."),
    (
        "Pass the id of a plan; create one first if there is none.",
        "`packd task list` shows the plans; `packd task add TITLE` makes one if there is none.",
    ),
    ("Send plan or task.", "`packd task list` shows the ids."),
    ("Say in 'override_reason' why this is closed by force.", "--note says why it is closed by force."),
    ("Fix them (see lint), or use force=true.", "Correct them, or use --force."),
    (
        "Finish what is open (see radar), or use force=true with override_reason.",
        "`packd task radar` shows what is open; --force closes it all the same.",
    ),
    (
        "Finish what is open (see radar), or use force=true.",
        "`packd task radar` shows what is open; --force closes it all the same.",
    ),
    ("Say in 'note' what was done.", "--note says what was done."),
    ("The intents are the tools named tasks_<intent>.", "`packd help` shows what there is."),
    ("Correct the arguments named and call again.", "Correct what is named and try again."),
    ("Install the ecosystem first, or name another 'repo'.", "`packd eco install` installs it."),
    (
        "Neither 'task' nor 'plan' was named and nothing is focused.",
        "Nothing is focused, and no task was named.",
    ),
    (
        "; packd://templates/agentpack.yaml shows its form. Or send the path of the config repo as 'repo'.",
        "; --repo DIR names another place.",
    ),
    (", whose form packd://templates/ecosystem.yaml shows; or set AMOF_WORKSPACE_ROOT.", "."),
    ("; or set AMOF_WORKSPACE_ROOT.", "."),
    (", then call again.", ", then try again."),
    ("The same call", "The same"),
    (
        "Take another one with next=true, or this one when its lease has ended.",
        "`packd task claim --next` takes another one; this one is free when its time has ended.",
    ),
    ("tasks_claim with next=true and this plan", "`packd task claim --next`"),
    ("tasks_claim with next=true", "`packd task claim --next`"),
    ("tasks_claim next=true", "`packd task claim --next`"),
    ("'force': true", "--force"),
    ("force=true", "--force"),
    ("yes=true", "--yes"),
    ("adopt=true", "--adopt"),
    ("choose a focus with focus_set", "choose one with `packd task focus`"),
    ("with focus_set", "with `packd task focus`"),
    ("context(include_all=true)", "`packd task list`"),
    ("It would run ", "It would do "),
];

/// What a person types instead of calling a tool. The tools of one word are left out: their names are also words.
const COMMANDS: &[(&str, &str)] = &[
    ("deploy_apply", "packd deploy --apply"),
    ("evolve_propose", "packd deploy evolve propose"),
    ("evolve_restore", "packd deploy evolve restore"),
    ("deploy_snapshots", "packd deploy snapshots"),
    ("deploy_init", "packd deploy init"),
    ("amof_init_ecosystem", "packd eco init NAME"),
    ("amof_list_ecosystems", "packd eco list"),
    ("amof_get_server_status", "packd status"),
    ("amof_use_ecosystem", "packd eco status NAME"),
    ("amof_scope_info", "packd eco list"),
    ("amof_scope_back", "packd eco list"),
    ("amof_scope_global", "packd eco list"),
    ("amof_set_mode", "packd mode"),
    ("amof_describe_ecosystem", "packd eco describe"),
    ("amof_get_ecosystem_status", "packd eco status"),
    ("amof_validate_manifest", "packd eco validate"),
    ("amof_install_ecosystem", "packd eco install"),
    ("amof_sync_ecosystem", "packd eco sync"),
    ("amof_push_ecosystem", "packd eco push"),
    ("amof_archive_ecosystem", "packd eco archive"),
    ("amof_discard_ecosystem", "packd eco discard"),
    ("amof_spin_deploy", "packd eco deploy"),
    ("amof_spin_destroy", "packd eco destroy"),
    ("amof_ticket_list", "packd eco ticket list"),
    ("amof_ticket_start", "packd eco ticket start ID"),
    ("amof_ticket_switch", "packd eco ticket switch ID"),
    ("amof_ticket_end", "packd eco ticket end ID"),
    ("amof_list_runs", "packd run list"),
    ("amof_get_active_runs", "packd run list"),
    ("amof_get_run_status", "packd run status"),
    ("amof_get_run_logs", "packd run logs"),
    ("amof_summarize_run", "packd run status"),
    ("amof_cancel_run", "packd run cancel ID"),
    ("amof_release_status", "packd eco release status"),
    ("amof_release_validate", "packd eco release validate"),
    ("amof_release_bump", "packd eco release bump patch"),
    ("amof_release_promote", "packd eco release promote"),
    ("amof_release_log", "packd eco release log"),
    ("amof_global_telemetry", "packd stats"),
    ("amof_cancel_confirm", "packd confirm"),
    ("amof_list_pending", "packd confirm --list"),
    ("amof_confirm", "packd confirm"),
    ("history_list", "packd history"),
    ("history_delta", "packd log"),
    ("history_show", "packd show"),
    ("history_undo", "packd undo"),
    ("history_redo", "packd redo"),
    ("history_revert", "packd revert ID"),
    ("aam_search", "packd pkg search WORD"),
    ("aam_list", "packd pkg list"),
    ("aam_info", "packd pkg info NAME"),
    ("aam_validate", "packd pkg validate"),
    ("aam_config_get", "packd pkg config get"),
    ("aam_registry_list", "packd pkg registry list"),
    ("aam_doctor", "packd pkg doctor"),
    ("aam_outdated", "packd pkg outdated"),
    ("aam_verify", "packd pkg verify"),
    ("aam_install", "packd pkg install NAME"),
    ("aam_uninstall", "packd pkg uninstall NAME"),
    ("aam_publish", "packd pkg publish"),
    ("aam_create_package", "packd pkg create"),
    ("aam_init", "packd pkg init"),
    ("aam_config_set", "packd pkg config set KEY VALUE"),
    ("aam_registry_add", "packd pkg registry add NAME URL"),
    ("aam_upgrade", "packd pkg upgrade"),
    ("aam_restore", "packd pkg restore"),
    ("tasks_claim", "packd task claim --next"),
    ("tasks_release", "packd task release"),
    ("tasks_ready", "packd task ready"),
    ("tasks_create", "packd task add TITLE"),
    ("tasks_task_add", "packd task step ID TITLE"),
    ("tasks_decompose", "packd task step ID TITLE"),
    ("tasks_focus_set", "packd task focus"),
    ("tasks_focus_get", "packd task focus"),
    ("tasks_focus_clear", "packd task focus --clear"),
    ("tasks_radar", "packd task radar"),
    ("tasks_resume", "packd task show"),
    ("snap_list", "packd snap list"),
    ("tasks_context", "packd task list"),
    ("tasks_note", "packd task note ID s:0 TEXT"),
    ("tasks_done", "packd task done ID s:0"),
    ("tasks_progress", "packd task done ID s:0"),
    ("tasks_close_step", "packd task close ID"),
    ("tasks_close_task", "packd task close ID"),
    ("tasks_complete", "packd task close ID"),
    ("tasks_edit", "packd task edit ID"),
    ("tasks_patch", "packd task edit ID"),
    ("tasks_undo", "packd undo --family tasks"),
    ("tasks_redo", "packd redo --family tasks"),
    ("tasks_history", "packd history --family tasks"),
    ("tasks_delta", "packd log"),
    ("tasks_storage", "packd task export DIR"),
    ("focus_set", "packd task focus"),
    ("close_step", "packd task close ID"),
    ("close_task", "packd task close ID"),
    ("templates_list", "packd help"),
];

/// The command that does for a person what this tool does for an agent.
pub fn command(tool: &str) -> Option<&'static str> {
    COMMANDS.iter().find(|(name, _)| *name == tool).map(|(_, command)| *command)
}

/// The same sentence for a person.
pub fn plain(text: &str) -> String {
    let mut text = without_kind(&without_argument(without_code(text)));
    for (from, to) in PHRASES {
        if text.contains(from) {
            text = text.replace(from, to);
        }
    }
    named(&text)
}

/// The kinds of errors that the packs' messages begin with.
const KINDS: [&str; 6] = [
    "invalid data: ",
    "not found: ",
    "conflict: ",
    "invalid state: ",
    "ttl required: ",
    "revision conflict: ",
];

/// `conflict: a pack named …` as a sentence.
fn without_kind(text: &str) -> String {
    let Some(rest) = KINDS.iter().find_map(|kind| text.strip_prefix(kind)) else { return text.to_string() };
    let mut letters = rest.chars();
    let first = letters.next().map(|c| c.to_uppercase().to_string()).unwrap_or_default();
    let end = if rest.ends_with(['.', '!', '?']) { "" } else { "." };
    format!("{first}{}{end}", letters.as_str())
}

/// `Pass task="TASK-001" (Ship), the only task.` without the argument: nobody passes one at a prompt.
fn without_argument(text: &str) -> Cow<'_, str> {
    let only = || {
        let (_, said) = text.strip_prefix("Pass ")?.split_once("=\"")?;
        let (id, about) = said.split_once("\" (")?;
        let (title, kind) = about.rsplit_once("), the only ")?;
        Some(format!("{id} ({title}) is the only {kind}"))
    };
    only().map_or(Cow::Borrowed(text), Cow::Owned)
}

/// `[AAM_NOT_FOUND] There is no …` without the code.
fn without_code(text: &str) -> &str {
    let rest = text.strip_prefix('[').and_then(|rest| rest.split_once("] "));
    match rest {
        Some((code, rest))
            if code.chars().all(|c| c.is_ascii_uppercase() || c == '_' || c.is_ascii_digit()) =>
        {
            rest
        }
        _ => text,
    }
}

/// Every tool that is named becomes its command; arguments behind it are left out.
fn named(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(|c: char| c.is_ascii_lowercase()) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        rest = after;
        let Some(command) = command(word) else {
            out.push_str(word);
            // The rest of a word that began in another way is not looked at again.
            continue;
        };
        let quoted = out.ends_with('`');
        out.push_str(&if quoted { command.to_string() } else { format!("`{command}`") });
        rest = without_arguments(rest);
    }
    out.push_str(rest);
    out.replace("Call `packd", "Run `packd")
        .replace(" call `packd", " run `packd")
        .replace("Run Run ", "Run ")
}

/// Behind a tool's name: ` {…}` as JSON or `(…)`.
fn without_arguments(rest: &str) -> &str {
    for (open, close) in [(" {", '}'), ("(", ')'), (" (", ')')] {
        if let Some(inner) = rest.strip_prefix(open)
            && open != " ("
            && let Some(end) = inner.rfind(close)
        {
            return &inner[end + close.len_utf8()..];
        }
    }
    rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tool_becomes_the_command_to_type() {
        assert_eq!(plain("history_list shows the ids."), "`packd history` shows the ids.");
        assert_eq!(plain("Call amof_install_ecosystem first."), "Run `packd eco install` first.");
        assert_eq!(
            plain(
                "[AAM_REGISTRY] There is none. Add one with aam_registry_add {\"name\":\"…\",\"url\":\"…\"}."
            ),
            "There is none. Add one with `packd pkg registry add NAME URL`."
        );
        assert_eq!(
            plain("List what there is with context(include_all=true)."),
            "`packd task list` shows what there is."
        );
        assert_eq!(plain("The status of the plan is fine."), "The status of the plan is fine.");
        assert_eq!(plain("`history_undo` brings it back"), "`packd undo` brings it back");
        assert_eq!(plain("conflict: a pack named 'x' exists"), "A pack named 'x' exists.");
    }
}
