//! Archive and discard: the checkouts of an ecosystem going, with a record or without one.

use serde_json::{Value, json};

use super::git::{self, short};
use super::install::{LOCAL, must_be_installed};
use super::push;
use super::state::{self, ACTIVE, ARCHIVES, ECOSYSTEMS, Place, TICKETS, shown};
use super::survey::{Survey, Target};
use super::work::{Finished, Plan};
use crate::core::op::operation_id;
use crate::core::run::{Reversal, RunDone, Step, Work};
use crate::core::trash::{self, Branch, Discard};
use crate::core::{Ctx, Draft, Error, Kind, Outcome, Result};

/// A large checkout is copied where the trash lies on another file system.
const MOVING: u64 = 3600;

/// Only what packd installed, or what is a worktree on the ecosystem's own branch, is ever deleted.
fn must_be_ours(ctx: &Ctx, target: &Target) -> Result<()> {
    must_be_installed(target)?;
    let own_branch = target.workspace.branch.as_deref() == Some(target.branch().as_str());
    if own_branch || state::installed(ctx.view, &target.place)?.is_some() {
        return Ok(());
    }
    let at = shown(&target.dir, &target.place.root);
    Err(Error::new(Kind::State, "not_ours", format!("{at} exists, but packd did not install it."))
        .hint("Remove it yourself if it is not needed."))
}

/// The step that takes every checkout away, tickets included, and what it does in words.
pub fn removal(ctx: &Ctx, target: &Target, delete_branch: bool) -> (Discard, Vec<String>) {
    let root = &target.place.root;
    let mut details = Vec::new();
    let mut paths = vec![target.dir.clone()];
    // Whatever else is there are worktrees of the clones, which do not work without them.
    if target.tickets_dir_exists {
        paths.push(target.place.tickets_dir());
        details.push(format!("delete directory {}, to the trash", shown(&target.place.tickets_dir(), root)));
    }
    for (ticket, list) in &target.tickets {
        for (_, checkout) in list.iter().filter(|(_, c)| c.exists) {
            details.push(format!(
                "delete directory {} (ticket {}), to the trash",
                shown(&checkout.dir, root),
                ticket.id
            ));
        }
    }
    details.extend(
        target
            .repos
            .iter()
            .filter(|(r, c)| c.exists && r.url != "local")
            .map(|(_, c)| format!("delete directory {}, to the trash", shown(&c.dir, root))),
    );
    details.push(format!("delete directory {}, to the trash", shown(&target.dir, root)));
    let mut branches = Vec::new();
    if delete_branch && target.workspace.exists && target.platform_head.is_some() {
        let branch = target.branch();
        if let Some(tip) = &target.branch_tip {
            details.push(format!("delete branch {branch} ({})", short(tip)));
        }
        branches.push(Branch { repo: root.clone(), name: branch });
    }
    let discard = Discard {
        entry: operation_id(ctx.now, ctx.ids),
        ecosystem: target.place.name.clone(),
        root: root.clone(),
        paths,
        checkouts: target.kept(),
        branches,
        home: ctx.session.home.clone(),
    };
    (discard, details)
}

pub fn moving(discard: &Discard) -> Step {
    Step::new("move the checkouts to the trash", Work::Trash(Box::new(discard.clone())), MOVING)
}

/// The way back from a trash entry, and there again.
pub fn way_back(discard: &Discard) -> Reversal {
    let path = discard.paths.first().cloned().unwrap_or_default();
    let back = Work::Untrash { entry: discard.entry.clone(), path };
    let back = Step::new("bring the checkouts back from the trash", back, MOVING);
    Reversal { guards: Vec::new(), undo: vec![back], redo: Some(vec![moving(discard)]) }
}

/// The record's name: the day, and a number where one of that day exists. It is the same in the preview and in the
/// confirmed run, or the confirmation has drifted.
pub fn record_file(ctx: &Ctx, target: &Target) -> String {
    let name = &target.place.name;
    let day: String = ctx.now.compact().chars().take_while(|c| *c != '-').collect();
    let first = std::iter::once(format!("{name}-{day}.json"));
    let names = first.chain((2..).map(|n| format!("{name}-{day}-{n}.json")));
    let free = names.filter(|file| !target.archives.contains(file)).take(1).collect::<String>();
    format!("ecosystems/{name}/archives/{free}")
}

pub fn archive(ctx: &Ctx, survey: &Survey) -> Result<Plan> {
    let target = survey.target()?;
    must_be_ours(ctx, target)?;
    target.manifest()?;
    let (place, session) = (&target.place, ctx.session);
    let loose: Vec<String> = target.checkouts().flat_map(|(name, c)| c.loose(&name)).collect();
    if !loose.is_empty() {
        return Err(Error::new(
            Kind::State,
            "uncommitted_work",
            format!("Archiving keeps what is committed, and there is more: {}.", loose.join("; ")),
        )
        .hint("Commit or drop these changes first, finish what is in progress, remove other worktrees.")
        .details(json!({"uncommitted": loose})));
    }
    let blocked = push::blocked(&target.outgoing);
    if !blocked.is_empty() {
        return Err(Error::new(
            Kind::State,
            "push_blocked",
            format!("Archiving pushes everything first, and that cannot work: {}.", blocked.join("; ")),
        )
        .hint("Call amof_sync_ecosystem, or make the remote reachable, then try again."));
    }
    if !target.left.is_empty() {
        return Err(Error::new(
            Kind::State,
            "unpushed_work",
            format!(
                "Archiving pushes the current branches, and this would stay behind: {}.",
                target.left.join("; ")
            ),
        )
        .hint("Put these commits on branches and push them, or drop them; then try again.")
        .details(json!({"unpushed": target.left})));
    }
    let (mut steps, mut details) = push::steps(session, &target.outgoing, false);
    let file = record_file(ctx, target);
    let repos: Vec<Value> = target
        .repos
        .iter()
        .map(|(r, c)| json!({"name": r.name, "branch": c.branch, "commit": c.head, "readonly": r.readonly}))
        .collect();
    let record = json!({
        "ecosystem": place.name,
        "archived_at": ctx.now.zulu(),
        "workspace_branch": target.workspace.branch,
        "message": ctx.call.text("message").unwrap_or_default(),
        "tickets": target.tickets.iter().map(|(t, _)| t.id.as_str()).collect::<Vec<_>>(),
        "repos": repos,
    });
    let content = serde_json::to_string_pretty(&record).unwrap_or_default() + "\n";
    let home = target.record_home();
    let write = Work::WriteFile { path: home.join(&file), content: Some(content.clone()), before: None };
    let unwrite = Work::WriteFile { path: home.join(&file), content: None, before: Some(content) };
    details.push(format!("write {file}"));
    steps.push(Step::new(format!("write {file}"), write, LOCAL).revert([unwrite]));
    if let Some(head) = target.workspace.head.as_deref().filter(|_| target.workspace.exists) {
        let dir = &target.dir;
        let message = format!("Archive ecosystem {}", place.name);
        let unstage = git::work(session, dir, &["reset", "-q", "--", &file]);
        steps.push(
            Step::new("stage the record", git::work(session, dir, &["add", "-f", "--", &file]), LOCAL)
                .revert([unstage]),
        );
        let commit = git::work(session, dir, &["commit", "-q", "-m", &message, "--", &file]);
        let back = git::work(session, dir, &["reset", "-q", "--keep", head]);
        steps.push(Step::new("commit the record", commit, LOCAL).revert([back]));
        if target.workspace.origin.is_some() {
            let refspec = format!("HEAD:refs/heads/{}", target.branch());
            let push = git::work(session, dir, &["push", "--porcelain", "--", "origin", &refspec]);
            steps.push(Step::new("push the record", push, git::remote_timeout(session)));
        }
    }
    let ignored: Vec<String> = target.checkouts().flat_map(|(name, c)| c.ignored_lines(&name)).collect();
    details.extend(ignored.iter().map(|line| format!("to the trash: {line}")));
    let (discard, removes) = removal(ctx, target, false);
    steps.push(moving(&discard));
    details.extend(removes);
    details.push(format!("keep branch {}", target.branch()));
    Ok(Plan {
        action: "archive",
        would: format!("archive {}: push everything, write a record, remove its checkouts", place.name),
        details,
        steps,
        data: json!({"record": record, "discard": discard}),
        irreversible: Some(format!("Pushed branches stay pushed. {}", trash::FINAL)),
        ..Plan::default()
    })
}

/// Work that exists nowhere else, one line each.
fn at_stake(target: &Target) -> Vec<String> {
    let mut lines: Vec<String> = target.strays.iter().map(|name| format!("workspace: {name}")).collect();
    lines.extend(target.checkouts().flat_map(|(name, checkout)| checkout.lines(&name)));
    lines
}

pub fn discard(ctx: &Ctx, survey: &Survey) -> Result<Plan> {
    let target = survey.target()?;
    must_be_ours(ctx, target)?;
    let place = &target.place;
    let lost = at_stake(target);
    if !lost.is_empty() && !ctx.call.flag("force") {
        return Err(Error::new(
            Kind::State,
            "unpushed_work",
            format!("Discarding {} would lose work that exists nowhere else: {}.", place.name, lost.join("; ")),
        )
        .hint("Push it with amof_push_ecosystem or keep it with amof_archive_ecosystem; 'force': true moves it to the trash.")
        .details(json!({"unpushed": lost})));
    }
    let (discard, removes) = removal(ctx, target, true);
    let mut details: Vec<String> = lost.iter().map(|l| format!("LOSES {l}")).collect();
    details.extend(removes);
    let mut plan = Plan {
        action: "discard",
        would: format!("delete every checkout of {}", place.name),
        details,
        steps: vec![moving(&discard)],
        data: json!({"discard": discard}),
        irreversible: Some(format!("{} Remotes are not touched.", trash::FINAL)),
        alternatives: vec![
            "archive first with amof_archive_ecosystem: it pushes everything and keeps a record".into(),
        ],
        ..Plan::default()
    };
    plan.fields.insert("unpushed".into(), json!(lost));
    Ok(plan)
}

/// Forgets an ecosystem's checkouts, after an archive or a discard.
pub fn gone(ctx: &Ctx, place: &Place, done: &RunDone, archived: bool) -> Result<Outcome> {
    let discard: Discard = serde_json::from_value(done.data["discard"].clone())
        .map_err(|e| Error::internal(format!("A run does not say what it moved: {e}.")))?;
    let mut draft = ctx.draft();
    forget(ctx, &mut draft, place)?;
    if archived {
        draft.put(ARCHIVES, &place.key().number(ctx.now.sortable()), &done.data["record"])?;
    }
    let mut outcome = draft.into_outcome();
    let verb = if archived { "Archived" } else { "Discarded" };
    Finished {
        done,
        summary: format!("{verb} ecosystem {}; its checkouts are in the trash.", place.name),
        irreversible: None,
        reversal: Some(way_back(&discard)),
        targets: vec![place.target()],
    }
    .record(&mut outcome)?;
    outcome.record.id = Some(discard.entry);
    Ok(outcome)
}

fn forget(ctx: &Ctx, draft: &mut Draft, place: &Place) -> Result<()> {
    if state::installed(ctx.view, place)?.is_some() {
        draft.delete(ECOSYSTEMS, &place.key())?;
    }
    for ticket in state::tickets(ctx.view, place)? {
        draft.delete(TICKETS, &place.key().text(&ticket.id))?;
    }
    if state::active_ticket(ctx.view, place)?.is_some() {
        draft.delete(ACTIVE, &place.key())?;
    }
    Ok(())
}
