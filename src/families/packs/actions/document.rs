//! `input` actions `export` and `import`: a pack as a document in the file format.

use serde::Serialize;

use crate::core::{Ctx, Given, Outcome, Result};

use super::super::errors::{invalid, required, revision_conflict};
use super::super::file;
use super::super::gate::Repair;
use super::super::model::ContextPack;
use super::super::picking::{Library, NamedLines, PickedLines};
use super::super::reply::{Extra, reply};
use super::super::rows::{find, name_is_free, space_of, stored};
use super::super::rules;
use super::super::store::PackToStore;
use super::fields::{Fields, Lacks, strict_number};
use super::{Action, write};

#[derive(Serialize)]
struct Exported<'a> {
    document: String,
    id: &'a str,
    revision: u64,
}

pub fn exported(ctx: &Ctx, pack: &str) -> Result<Outcome> {
    let found = find(ctx, pack)?;
    let document = file::export(&found.pack, found.rev)?;
    let payload = Exported { document, id: &found.pack.id, revision: found.rev };
    Ok(Outcome::reply(reply(Action::Export, payload)))
}

/// Takes in a document under its own id, as new or instead of what is there.
#[derive(Debug)]
pub struct Import {
    document: String,
    ttl_minutes: Option<u64>,
    expected_revision: Given<u64>,
}

impl Import {
    pub fn of(fields: &Fields) -> Result<Import> {
        let document = fields.document.get().filter(|text| !text.trim().is_empty());
        Ok(Import {
            document: document.cloned().ok_or_else(|| required("document"))?,
            ttl_minutes: strict_number("ttl_minutes", &fields.ttl_minutes)?,
            expected_revision: fields.expected_revision.clone(),
        })
    }

    fn pack(&self, ctx: &Ctx) -> Result<(ContextPack, u64)> {
        file::import(&self.document, "in 'document'", &ctx.session.workspace)
    }

    /// Looks at the files behind the refs of the document.
    pub fn look(&self, ctx: &Ctx, library: &mut Library) -> Vec<PickedLines> {
        let Ok((pack, _)) = self.pack(ctx) else { return Vec::new() };
        pack.refs().map(|(_, r)| library.look(&r.path, &NamedLines::Lines(r.lines))).collect()
    }

    pub fn decide(&self, ctx: &Ctx, looked: &[PickedLines]) -> Result<Outcome> {
        let (mut pack, min_rev) = self.pack(ctx)?;
        let space = space_of(ctx.session);
        if let Some(there) = stored(ctx.view, &space, &pack.id)? {
            if !there.pack.expired(ctx.now) {
                let mut lacks = Lacks::default();
                let known = lacks.number("expected_revision", &self.expected_revision);
                lacks.none()?;
                if known != there.rev {
                    return Err(revision_conflict(known, there.rev));
                }
            }
            pack.workspace = there.pack.workspace;
        }
        rules::whole(&pack)?;
        if let Some(minutes) = self.ttl_minutes {
            pack.expires_at = ctx.now.plus_seconds(rules::ttl("ttl_minutes", minutes)?);
        }
        if pack.expired(ctx.now) {
            let when = pack.expires_at.zulu();
            return Err(invalid(format!(
                "the document expired at {when}; send 'ttl_minutes' to give it new time"
            )));
        }
        if let Some(name) = &pack.name {
            name_is_free(ctx.view, &space, name, &pack.id, ctx.now)?;
        }
        let (mut repairs, mut stale) = (Vec::new(), Vec::new());
        for ((section, r), looked) in pack.refs().zip(looked) {
            repairs.extend(looked.new.clone().map(|new| Repair::of_edit(&section.key, &r.key, new)));
            let at = format!("{}::{}", section.key, r.key);
            stale.extend(looked.warning.as_ref().map(|why| (at, why.clone())));
        }
        write::finalizable(&pack, &stale, true)?;
        let warnings = stale.iter().map(|(at, why)| format!("{at}: {why}")).collect();
        let extra = Extra { warnings, ..Extra::default() };
        PackToStore { action: Action::Import, pack: &pack, min_rev, repairs, extra }.outcome(ctx)
    }
}
