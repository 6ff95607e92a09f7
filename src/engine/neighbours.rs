//! What all families have to say about one thing, for the family that asks: each is asked as itself and fails alone.

use super::Shared;
use super::consult::guarded;
use super::session::scoped;
use crate::core::findable::Findable;
use crate::core::standing::{Neighbours, Standing};
use crate::core::{Ctx, Family, Look};

impl Neighbours for Shared {
    fn standings(&self, look: &Look) -> Vec<Standing> {
        let ask = |family: &dyn Family| {
            let session = scoped(look.ctx.session.clone(), family);
            let ctx = Ctx { session: &session, ..*look.ctx };
            let look = Look { ctx: &ctx, world: look.world };
            match guarded("a look at how things stand", || family.standing(&look)) {
                Ok(standing) => Some(standing),
                Err(e) => {
                    tracing::debug!("{} cannot say how things stand: {e}", family.name());
                    None
                }
            }
        };
        self.families.iter().filter_map(|family| ask(&**family)).collect()
    }

    fn findables(&self, ctx: &Ctx) -> Vec<Findable> {
        let ask = |family: &dyn Family| {
            let session = scoped(ctx.session.clone(), family);
            Some((family.searchable()?.seen)(&Ctx { session: &session, ..*ctx }))
        };
        self.families.iter().filter_map(|family| ask(&**family)).collect()
    }
}
