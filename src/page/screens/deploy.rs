//! Deploy drift: which deployed files are no longer as they were deployed, project by project.

use maud::{Markup, html};
use serde::Deserialize;
use serde_json::json;

use super::super::desk::Desk;
use super::READER;
use super::words::{none, project, sentence, state};
use crate::cli::view::place;

/// Files of a project that are listed.
const SHOWN: usize = 50;

#[derive(Deserialize, Default)]
#[serde(default)]
struct Status {
    drift: Vec<Drift>,
    not_deployed: Vec<Drift>,
    drift_total: Option<u64>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Drift {
    kind: String,
    path: String,
}

pub async fn show(desk: &Desk, projects: &[String]) -> Markup {
    let mut found = Vec::new();
    for workspace in projects {
        let asker = desk.asker(READER, workspace);
        // Most projects deploy nothing, which is no news.
        if let Ok(status) = asker.read::<Status>("status", json!({}), "/data").await {
            found.push((workspace, status));
        }
    }
    html! {
        @if found.is_empty() { (none("Nothing is deployed from here.")) }
        @for (workspace, status) in &found {
            h3 { (project(workspace)) }
            @if status.drift.is_empty() && status.not_deployed.is_empty() {
                p { (state("ok", "ok")) " Everything is as it was deployed." }
            } @else {
                ul class="lines" {
                    @for one in status.drift.iter().take(SHOWN) {
                        li { (state("changed", &one.kind)) " " code class="what" { (place::project(&one.path)) } }
                    }
                    // A file that is missing and was never deployed needs one line only.
                    @for one in status.not_deployed.iter().filter(|w| !status.drift.iter().any(|d| d.path == w.path)).take(SHOWN) {
                        li { (state("open", "not deployed yet")) " " code class="what" { (place::project(&one.path)) } }
                    }
                }
                @if let Some(more) = status.drift_total.map(|n| n.saturating_sub(SHOWN as u64)).filter(|n| *n > 0) {
                    p class="quiet" { "and " (more) " more" }
                }
                p class="quiet" { (sentence("`packd deploy diff` shows the differences, `packd deploy --apply` writes the files again.")) }
            }
        }
    }
}
