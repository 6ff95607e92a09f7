//! Packs: their names project by project, and one pack with its sections, its refs and what became of each.

use maud::{Markup, html};
use serde::Deserialize;
use serde_json::json;

use super::super::desk::Asker;
use super::timeline::TargetNames;
use super::words::{address, none, project, state, when};
use crate::cli::view::pack::{At, PackCheckView, PackView, PacksView};

/// Packs of a project that are listed.
const SHOWN: u64 = 100;
/// More refs than a pack can hold in one reply.
const REFS: u64 = 100_000;

pub struct Shelf {
    workspace: String,
    list: PacksView,
}

impl Shelf {
    /// What its packs are called.
    pub fn names(&self, out: &mut TargetNames) {
        for pack in self.list.packs.iter().filter(|pack| pack.title.is_some()) {
            out.add(&self.workspace, &pack.id, &named(pack));
        }
    }
}

pub async fn look(asker: &Asker, workspace: &str) -> Shelf {
    let list = asker.read("input", json!({"action": "list", "limit": SHOWN}), "/payload").await;
    Shelf { workspace: workspace.to_string(), list: list.unwrap_or_default() }
}

/// What people call it: its title, its name, or its id.
pub fn named(pack: &PackView) -> String {
    let title = pack.title.as_deref().or(pack.name.as_deref()).filter(|t| !t.is_empty());
    title.unwrap_or(&pack.id).to_string()
}

pub fn show(all: &[Shelf]) -> Markup {
    html! {
        section id="packs" aria-labelledby="packs-title" {
            h2 id="packs-title" { "Packs" }
            @if all.iter().all(|shelf| shelf.list.packs.is_empty()) { (none("There are no packs.")) }
            @for shelf in all.iter().filter(|shelf| !shelf.list.packs.is_empty()) {
                h3 { (project(&shelf.workspace)) }
                ul class="lines" {
                    @for pack in &shelf.list.packs {
                        li {
                            span class="id" { (pack.name.as_deref().unwrap_or(&pack.id)) }
                            a class="what" href=(address("pack", &pack.id, &shelf.workspace)) { (named(pack)) }
                            (state(&pack.status, &pack.status))
                            @if let Some(time) = &pack.updated_at { span class="quiet" { "changed " (when(time)) } }
                            @if let Some(time) = &pack.expires_at { span class="quiet" { "expires " (when(time)) } }
                        }
                    }
                }
                @if shelf.list.total > shelf.list.packs.len() as u64 {
                    p class="quiet" { (shelf.list.packs.len()) " of " (shelf.list.total) }
                }
            }
        }
    }
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Whole {
    #[serde(flatten)]
    pack: PackView,
    brief: Option<String>,
    revision: u64,
    sections: Vec<Section>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Section {
    key: String,
    title: Option<String>,
    description: Option<String>,
    refs: Vec<Ref>,
    diagrams: Vec<Diagram>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Ref {
    key: String,
    title: Option<String>,
    why: Option<String>,
    #[serde(flatten)]
    at: At,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Diagram {
    key: String,
    title: Option<String>,
    why: Option<String>,
    mermaid: String,
}

pub async fn one(asker: &Asker, workspace: &str, id: &str) -> Option<Markup> {
    let whole: Whole = asker.read("input", json!({"action": "get", "id": id}), "/payload").await.ok()?;
    let checked: PackCheckView = asker
        .read("input", json!({"action": "check", "id": id, "limit": REFS}), "/payload")
        .await
        .unwrap_or_default();
    let text = asker.call("output", json!({"id": id})).await.ok();
    let text = text.as_ref().and_then(|t| t.as_str());
    let pack = &whole.pack;
    Some(html! {
        article class="one" {
            h2 { (named(pack)) }
            @if let Some(brief) = &whole.brief { p { (brief) } }
            dl {
                dt { "Name" } dd { (pack.name.as_deref().unwrap_or(&pack.id)) }
                dt { "State" } dd { (state(&pack.status, &pack.status)) ", revision " (whole.revision) }
                dt { "Project" } dd { (project(workspace)) }
                @if let Some(time) = &pack.expires_at { dt { "Expires" } dd { (when(time)) } }
                @if !checked.counts.is_empty() {
                    dt { "Refs" }
                    dd { @for (verdict, n) in &checked.counts { (state(verdict, &format!("{n} {verdict}"))) " " } }
                }
            }
            @for section in &whole.sections { (part(section, &checked)) }
            @if let Some(text) = text {
                details {
                    summary { "As agents read it" }
                    pre class="prose" tabindex="0" { (text) }
                }
            }
        }
    })
}

fn part(section: &Section, checked: &PackCheckView) -> Markup {
    html! {
        section class="change" {
            h3 { (section.title.as_deref().unwrap_or(&section.key)) }
            @if let Some(text) = &section.description { p { (text) } }
            ul class="plain refs" {
                @for one in &section.refs {
                    @let found = checked.refs.iter().find(|r| r.section == section.key && r.key == one.key);
                    li {
                        b { (one.title.as_deref().unwrap_or(&one.key)) } " " code { (one.at.shown()) } " "
                        @if let Some(found) = found {
                            (state(&found.verdict, &found.verdict))
                            @if found.verdict != "ok" { " " span class="why" { (found.told()) } }
                        }
                        @if let Some(why) = &one.why { p class="quiet" { (why) } }
                    }
                }
            }
            @for diagram in &section.diagrams {
                h4 { (diagram.title.as_deref().unwrap_or(&diagram.key)) }
                @if let Some(why) = &diagram.why { p class="quiet" { (why) } }
                pre class="prose" tabindex="0" { (diagram.mermaid) }
            }
        }
    }
}
