//! What a confirmation is bound to: everything its preview shows, and nothing that it does not.

use super::standing::Standing;
use super::survey::Survey;
use super::{release, remove};
use crate::core::{Ctx, Result, Sha};

pub fn of(ctx: &Ctx, survey: &Survey) -> Result<String> {
    let mut seen: Vec<String> = Vec::new();
    let tool = ctx.call.tool.as_str();
    if let Some(t) = &survey.target {
        let takes_away =
            matches!(tool, "amof_discard_ecosystem" | "amof_archive_ecosystem" | "amof_ticket_end");
        seen.push(format!(
            "{:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?}",
            t.found.sha,
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
        match tool {
            "amof_spin_deploy" | "amof_spin_destroy" => {
                seen.push(format!("{:?}", Standing::of(ctx.view, &t.place)?));
            }
            "amof_archive_ecosystem" => {
                seen.push(remove::record_file(ctx, t));
            }
            _ => {}
        }
    }
    if let Some(facts) = &survey.release {
        seen.push(release::digest(facts).to_string());
    }
    Ok(Sha::of(seen.join("\n").as_bytes()).to_string())
}
