//! What ecosystems offer to be read: the form of their manifest.

use crate::core::resource::{Offers, Resource, ResourceContents};
use crate::core::templates::ECOSYSTEM;
use crate::core::{Look, Result};

pub struct EcosystemOffers;

impl Offers for EcosystemOffers {
    fn fixed(&self) -> Vec<Resource> {
        vec![ECOSYSTEM.listed()]
    }

    fn read(&self, _look: &Look, uri: &str) -> Result<Option<ResourceContents>> {
        Ok(ECOSYSTEM.read(uri))
    }
}
