//! What ecosystems offer to be read: the form of their manifest.

use crate::core::resource::{Offers, Resource, ResourceContents, one_page};
use crate::core::templates::ECOSYSTEM;
use crate::core::{Ctx, Look, Result};

pub struct EcosystemOffers;

impl Offers for EcosystemOffers {
    fn resources(
        &self,
        _ctx: &Ctx,
        cursor: Option<&str>,
        _limit: usize,
    ) -> Result<(Vec<Resource>, Option<String>)> {
        Ok(one_page(cursor, vec![ECOSYSTEM.listed()]))
    }

    fn read(&self, _look: &Look, uri: &str) -> Result<Option<ResourceContents>> {
        Ok(ECOSYSTEM.read(uri))
    }
}
