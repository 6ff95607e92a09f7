//! `input` action `create`: a new, empty draft.

use crate::core::{Ctx, Outcome, Result};

use super::super::model::{ContextPack, PackStatus};
use super::super::reply::Extra;
use super::super::rows::{name_is_free, space_of};
use super::super::rules;
use super::super::store::{PackToStore, free_id};
use super::Action;
use super::fields::{Fields, Lacks, text};

#[derive(Debug)]
pub struct CreatePack {
    tags: Vec<String>,
    ttl_seconds: i64,
    name: Option<String>,
    title: Option<String>,
    brief: Option<String>,
}

impl CreatePack {
    pub fn of(fields: &Fields) -> Result<CreatePack> {
        let tags = fields.tags()?.unwrap_or_default();
        let mut lacks = Lacks::default();
        let minutes = lacks.number("ttl_minutes", &fields.ttl_minutes);
        lacks.none()?;
        let name = text(&fields.name);
        name.as_deref().map(rules::name).transpose()?;
        let ttl_seconds = rules::ttl("ttl_minutes", minutes)?;
        Ok(CreatePack { tags, ttl_seconds, name, title: text(&fields.title), brief: text(&fields.brief) })
    }

    pub fn decide(&self, ctx: &Ctx) -> Result<Outcome> {
        let space = space_of(ctx.session);
        if let Some(name) = &self.name {
            name_is_free(ctx.view, &space, name, "", ctx.now)?;
        }
        let pack = ContextPack {
            id: free_id(ctx, &space)?,
            workspace: ctx.session.workspace.clone(),
            name: self.name.clone(),
            title: self.title.clone(),
            brief: self.brief.clone(),
            status: PackStatus::Draft,
            tags: self.tags.clone(),
            sections: Vec::new(),
            created_at: ctx.now,
            updated_at: ctx.now,
            expires_at: ctx.now.plus_seconds(self.ttl_seconds),
        };
        let extra = Extra::default();
        PackToStore { action: Action::Create, pack: &pack, min_rev: 0, repairs: Vec::new(), extra }
            .outcome(ctx)
    }
}
