//! What a confirmation is bound to: everything its preview shows, and nothing that it does not.

use serde_json::Value;

use super::release_facts;
use super::survey::Survey;
use crate::core::tool::Bound;
use crate::core::{Ctx, Sha};

/// A confirmed call means the ecosystem that was previewed, wherever the session has gone since, and as it was then.
/// `further` is what the tool's preview shows beside that.
pub fn bind(ctx: &Ctx, survey: &Survey, takes_away: bool, further: Vec<String>) -> Bound {
    let mut args = ctx.call.args.clone();
    let typed = survey.name().map(str::to_string);
    if let Some(name) = &typed {
        args.insert("ecosystem".into(), Value::from(name.as_str()));
    }
    Bound { args, typed, state: digest(survey, takes_away, further) }
}

/// Heads, branch tips, dirty files and their content, remotes, manifest, script and tags. With `takes_away` also what
/// git ignores in the checkouts.
fn digest(survey: &Survey, takes_away: bool, further: Vec<String>) -> String {
    let mut seen: Vec<String> = Vec::new();
    if let Some(t) = &survey.chosen {
        seen.push(format!(
            "{:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?}",
            t.file.sha,
            t.dir_exists,
            t.tickets_dir_exists,
            t.platform_head,
            t.branch_tip,
            (&t.strays, &t.strays_digest),
            t.script,
            t.outgoing,
            t.left
        ));
        seen.extend(t.tickets.iter().map(|(ticket, _)| format!("{ticket:?}")));
        seen.extend(t.repos.iter().map(|(repo, _)| format!("{repo:?}")));
        seen.extend(t.checkouts().map(|(name, c)| format!("{name} {}", c.state(takes_away))));
        seen.extend(further);
    }
    if let Some(facts) = &survey.release {
        seen.push(release_facts::digest(facts).to_string());
    }
    Sha::of(seen.join("\n").as_bytes()).to_string()
}
