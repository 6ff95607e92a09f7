//! Ecosystems, tickets and releases for people.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

use super::render::{Ink, Render};
use super::table::TextTable;
use super::text::count;

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct EcosystemsView {
    ecosystems: Vec<Ecosystem>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Ecosystem {
    name: String,
    description: Option<String>,
    repos_count: u64,
    installed: bool,
    valid: bool,
    active_ticket: Option<String>,
}

pub fn list(r: Render, list: &EcosystemsView) {
    if list.ecosystems.is_empty() {
        r.line("There are no ecosystems here.");
        return r.hint("`packd eco init NAME` writes ecosystems/NAME/ecosystem.yaml.");
    }
    let mut table =
        TextTable::new(&["ECOSYSTEM", "REPOSITORIES", "STATE", "TICKET", "ABOUT"]).fluid(4).fluid(0);
    for one in &list.ecosystems {
        let state = match (one.valid, one.installed) {
            (false, _) => r.ink(Ink::Red, "broken manifest"),
            (_, true) => r.ink(Ink::Green, "installed"),
            _ => r.ink(Ink::Dim, "not installed"),
        };
        table.row([
            one.name.clone(),
            one.repos_count.to_string(),
            state,
            one.active_ticket.clone().unwrap_or_default(),
            one.description.clone().unwrap_or_default(),
        ]);
    }
    table.print(r);
    if let Some(broken) = list.ecosystems.iter().find(|one| !one.valid) {
        r.hint(format!("`packd eco validate {}` says what is wrong.", broken.name));
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct EcosystemStatusView {
    installed: bool,
    workspace: Workspace,
    repos: Vec<Repo>,
    synced_at: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Workspace {
    ecosystem: String,
    workspace_branch: Option<String>,
    dirty: u64,
    active_ticket: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Repo {
    name: String,
    branch: Option<String>,
    commit: Option<String>,
    mode: String,
    status: String,
    dirty: u64,
    unpushed: u64,
    stashes: u64,
    in_progress: Vec<String>,
    filters_not_run: Vec<String>,
}

pub fn status(r: Render, s: &EcosystemStatusView) {
    let name = &s.workspace.ecosystem;
    let state =
        if s.installed { r.ink(Ink::Green, "installed") } else { r.ink(Ink::Yellow, "not installed") };
    r.line(format!("{} is {state}.", r.ink(Ink::Bold, name)));
    if let Some(branch) = &s.workspace.workspace_branch {
        let dirty = if s.workspace.dirty > 0 {
            format!(", {}", count(s.workspace.dirty, "change"))
        } else {
            String::new()
        };
        r.field("branch", 8, format!("{branch}{dirty}"));
    }
    if let Some(ticket) = &s.workspace.active_ticket {
        r.field("ticket", 8, ticket);
    }
    if let Some(synced) = &s.synced_at {
        r.field("synced", 8, r.when(synced));
    }
    let mut table = TextTable::new(&["REPOSITORY", "BRANCH", "COMMIT", "STATE"]).fluid(3).fluid(1);
    for repo in &s.repos {
        table.row([
            repo.name.clone(),
            repo.branch.clone().unwrap_or_else(|| "-".into()),
            repo.commit.as_deref().and_then(|c| c.get(..8)).unwrap_or("-").to_string(),
            state_of(r, repo),
        ]);
    }
    table.print(r);
    match s.installed {
        false => r.hint(format!("`packd eco install {name}` clones the repositories.")),
        true if s.repos.iter().any(|repo| repo.unpushed > 0) => {
            r.hint(format!("`packd eco push {name}` pushes what is committed."))
        }
        true => {}
    }
}

fn state_of(r: Render, repo: &Repo) -> String {
    let mut said = Vec::new();
    if repo.status == "MISSING" {
        return r.ink(Ink::Dim, "not here");
    }
    for (n, what) in [(repo.dirty, "change"), (repo.unpushed, "unpushed commit"), (repo.stashes, "stash")] {
        if n > 0 {
            let plural = if what == "stash" && n > 1 { format!("{n} stashes") } else { count(n, what) };
            said.push(r.ink(Ink::Yellow, plural));
        }
    }
    said.extend(repo.in_progress.iter().map(|what| r.ink(Ink::Red, format!("{what} under way"))));
    if !repo.filters_not_run.is_empty() {
        said.push(r.ink(Ink::Dim, "filters not run"));
    }
    if repo.mode != "RW" && !repo.mode.is_empty() {
        said.push(r.ink(Ink::Dim, "read-only"));
    }
    match said.is_empty() {
        true if repo.status == "OK" => r.ink(Ink::Green, "clean"),
        true => r.ink(Ink::Yellow, repo.status.to_lowercase()),
        false => said.join(", "),
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Described {
    ecosystem: String,
    description: Option<String>,
    provisioner: Option<String>,
    workspace_dir: String,
    branch_prefix: String,
    repo_branch_prefix: String,
    repos: Vec<Remote>,
    retired: bool,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Remote {
    name: String,
    url: String,
    branch: String,
    path: String,
    readonly: bool,
    enabled: bool,
}

pub fn described(r: Render, d: &Described) {
    let retired = if d.retired { r.ink(Ink::Yellow, "  (retired)") } else { String::new() };
    r.line(format!("{}{retired}", r.ink(Ink::Bold, &d.ecosystem)));
    let field = |name: &str, value: &str| {
        if !value.is_empty() {
            r.field(name, 11, value);
        }
    };
    field("about", d.description.as_deref().unwrap_or_default());
    field("directory", &d.workspace_dir);
    field("branches", &format!("{}/NAME, {}/TICKET", d.branch_prefix, d.repo_branch_prefix));
    field("provisioner", d.provisioner.as_deref().unwrap_or_default());
    let mut table = TextTable::new(&["REPOSITORY", "BRANCH", "PATH", "FROM"]).fluid(3).fluid(2);
    for one in &d.repos {
        let note = match (one.enabled, one.readonly) {
            (false, _) => " (disabled)",
            (_, true) => " (read-only)",
            _ => "",
        };
        table.row([format!("{}{note}", one.name), one.branch.clone(), one.path.clone(), one.url.clone()]);
    }
    table.print(r);
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct ValidityView {
    valid: bool,
    problems: Vec<Value>,
}

/// A manifest or a release that was checked.
pub fn verdict(r: Render, what: &str, v: &ValidityView) {
    match v.valid {
        true => r.line(format!("{}  {what} is in order.", r.ink(Ink::Green, "ok"))),
        false => r.line(format!("{}  {what} is not in order.", r.ink(Ink::Red, "no"))),
    }
    for problem in &v.problems {
        let text =
            |names: &[&str]| names.iter().find_map(|n| problem[*n].as_str()).unwrap_or_default().to_string();
        let told = match problem {
            Value::String(text) => text.clone(),
            _ => [text(&["path", "field", "check", "gate"]), text(&["message", "problem", "why"])]
                .into_iter()
                .filter(|t| !t.is_empty())
                .collect::<Vec<_>>()
                .join(": "),
        };
        let level = text(&["level", "severity"]);
        let ink = if level == "warning" { Ink::Yellow } else { Ink::Red };
        let level = if level.is_empty() { "error".to_string() } else { level };
        r.prose(9, format!("{}  {told}", r.ink(ink, format!("{level:<7}"))));
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Tickets {
    tickets: Vec<Ticket>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Ticket {
    id: String,
    active: bool,
    repos: BTreeMap<String, String>,
    created_at: String,
}

pub fn tickets(r: Render, t: &Tickets) {
    if t.tickets.is_empty() {
        r.line("There are no tickets.");
        return r.hint("`packd eco ticket start ID` makes a branch in every repository.");
    }
    let mut table = TextTable::new(&["TICKET", "", "STARTED", "BRANCHES"]).fluid(3);
    for one in &t.tickets {
        let active = if one.active { r.ink(Ink::Green, "active") } else { String::new() };
        let branches: Vec<_> = one.repos.iter().map(|(repo, branch)| format!("{repo} {branch}")).collect();
        table.row([one.id.clone(), active, r.when(&one.created_at), branches.join(", ")]);
    }
    table.print(r);
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct ReleaseView {
    target: String,
    current: Option<Value>,
    branch: Option<String>,
    clean: bool,
    commits_since: u64,
}

pub fn release(r: Render, s: &ReleaseView) {
    let current = match &s.current {
        Some(Value::String(tag)) => tag.clone(),
        Some(value) => value["tag"].as_str().unwrap_or("none yet").to_string(),
        None => "none yet".to_string(),
    };
    r.line(r.ink(Ink::Bold, &s.target));
    r.field("release", 8, current);
    r.field("since", 8, count(s.commits_since, "commit"));
    r.field("branch", 8, s.branch.as_deref().unwrap_or("-"));
    if !s.clean {
        r.field("tree", 8, r.ink(Ink::Yellow, "has uncommitted changes"));
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Releases {
    target: String,
    releases: Vec<OneRelease>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct OneRelease {
    tag: String,
    timestamp: Option<String>,
    action: Option<String>,
    author: Option<String>,
}

pub fn releases(r: Render, l: &Releases) {
    if l.releases.is_empty() {
        r.line(format!("{} has no releases yet.", l.target));
        return r.hint("`packd eco release bump minor` makes the first.");
    }
    let mut table = TextTable::new(&["RELEASE", "WHEN", "HOW", "BY"]).fluid(3);
    for one in &l.releases {
        table.row([
            one.tag.clone(),
            one.timestamp.as_deref().map(|t| r.when(t)).unwrap_or_default(),
            one.action.clone().unwrap_or_default(),
            one.author.clone().unwrap_or_default(),
        ]);
    }
    table.print(r);
}

/// What an action says of itself once it is done or under way.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Acted {
    summary: String,
    pub run_id: Option<String>,
    operation_id: Option<String>,
    active_ticket: Option<Value>,
}

pub fn acted(r: Render, a: &Acted) {
    let said = super::people::plain(&a.summary);
    match &a.run_id {
        // Its first words are the run's name, which the person gets in a form that can be typed.
        Some(id) => r.line(format!("{} run {}", r.ink(Ink::Green, "Started"), super::run::short(id))),
        None => r.prose(0, said),
    }
    if a.operation_id.is_some() || a.active_ticket.is_some() {
        r.hint("`packd undo` takes it back.");
    }
}
