//! Resources, prompts and completion: the families' offers with a context around them.

use std::sync::Arc;

use serde_json::{Map, Value};

use super::call_world::CallWorld;
use super::consult::guarded;
use super::session::scoped;
use super::{Engine, Session};
use crate::core::resource::{Offers, ResourceContents, ResourcePage};
use crate::core::{Call, Ctx, Error, Look, Result, SessionInfo, redact};

impl Engine {
    /// A page of one family's resources.
    pub async fn resource_page(
        &self,
        session: &Arc<Session>,
        family: &str,
        cursor: Option<&str>,
        limit: usize,
    ) -> Result<ResourcePage> {
        let family = self.shared.family(family)?;
        super::mirror::moments::take_in(&self.shared, &session.info(), &serving("resources/list")).await?;
        let info = scoped(session.info(), family);
        let Some(offers) = family.offers() else { return Ok((Vec::new(), None)) };
        self.with_info(&info, "resources/list", |ctx| offers.resources(ctx, cursor, limit))
    }

    /// Reads a resource on a blocking thread: it may have to look at files.
    pub async fn read_resource(&self, session: &Arc<Session>, uri: &str) -> Result<ResourceContents> {
        let (what, info, asked) = ("resources/read", session.info(), uri.to_string());
        super::mirror::moments::take_in(&self.shared, &info, &serving(what)).await?;
        let read = move |offers: &dyn Offers, look: &Look| offers.read(look, &asked);
        let none = || Error::not_found(format!("There is no resource {uri}."));
        self.first(info, what, read).await?.ok_or_else(none)
    }

    pub async fn prompt(
        &self,
        session: &Arc<Session>,
        name: &str,
        args: &Map<String, Value>,
    ) -> Result<String> {
        let (asked, args) = (name.to_string(), args.clone());
        let make = move |offers: &dyn Offers, look: &Look| offers.prompt(look, &asked, &args);
        let none = || Error::not_found(format!("There is no prompt {name}."));
        self.first(session.info(), "prompts/get", make).await?.ok_or_else(none)
    }

    /// What the first family that has it says, asked on a blocking thread.
    async fn first<T: Send + 'static>(
        &self,
        info: SessionInfo,
        what: &'static str,
        ask: impl Fn(&dyn Offers, &Look) -> Result<Option<T>> + Send + 'static,
    ) -> Result<Option<T>> {
        let shared = self.shared.clone();
        let work = move || {
            let call = serving(what);
            let snapshot = shared.store.read()?;
            let view = snapshot.view();
            for family in &shared.families {
                let Some(offers) = family.offers() else { continue };
                let info = scoped(info.clone(), &**family);
                let ctx = shared.ctx(&view, &info, &call);
                let world = CallWorld::quiet(&shared, family.name(), &info);
                let look = Look { ctx: &ctx, world: &world };
                if let Some(found) = guarded(what, || ask(offers, &look))? {
                    return Ok(Some(found));
                }
            }
            Ok(None)
        };
        tokio::task::spawn_blocking(work)
            .await
            .unwrap_or_else(|_| Err(Error::internal(format!("{what} was stopped by a defect."))))
            .map_err(redact::error)
    }

    pub async fn complete(
        &self,
        session: &Arc<Session>,
        reference: &str,
        argument: &str,
        typed: &str,
    ) -> Result<Vec<String>> {
        let info = session.info();
        let (reference, argument, typed) = (reference.to_string(), argument.to_string(), typed.to_string());
        // Whatever was typed may occur anywhere in an index.
        self.elsewhere(&info.id.clone(), move |shared| {
            let call = serving("completion/complete");
            let snapshot = shared.store.read()?;
            let view = snapshot.view();
            let ctx = shared.ctx(&view, &info, &call);
            let mut out = Vec::new();
            for offers in shared.families.iter().filter_map(|family| family.offers()) {
                out.extend(offers.complete(&ctx, &reference, &argument, &typed)?);
            }
            Ok(out)
        })
        .await
    }

    fn with_info<T>(&self, info: &SessionInfo, what: &str, f: impl FnOnce(&Ctx) -> Result<T>) -> Result<T> {
        let call = serving(what);
        let snapshot = self.shared.store.read()?;
        let view = snapshot.view();
        let ctx = self.shared.ctx(&view, info, &call);
        guarded(what, || f(&ctx)).map_err(redact::error)
    }
}

/// A context needs a call; here it is the protocol's request.
pub(super) fn serving(what: &str) -> Call {
    Call::of(what, Map::new())
}
