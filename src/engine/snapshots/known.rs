//! What is known of a tree before it is looked at: its row, its index, and who has which task in hand.

use super::index::TreeIndex;
use super::place::TreePlace;
use crate::core::effect::{MADE, MadeDir};
use crate::core::snapshot::{Doer, SNAPSHOTS, SnapshotRow, TREES, TreeRow, Why, key, tree_key};
use crate::core::{Key, Result, SessionInfo, View};
use crate::engine::Shared;

impl Shared {
    /// The task that whoever was at work had claimed.
    pub(super) fn task_of(&self, doer: &Doer, session: &SessionInfo) -> Result<Option<String>> {
        let mut info = session.clone();
        info.id.clone_from(&doer.session);
        info.client.clone_from(&doer.host);
        let snapshot = self.store.read()?;
        self.in_hand(&snapshot.view(), &info, &crate::engine::serve::serving(&doer.tool))
    }

    /// Whether a directory of this name came with files that packd can take away again.
    pub(super) fn came_with_files(&self, dir: &str) -> bool {
        let known = || {
            let snapshot = self.store.read()?;
            let view = snapshot.view();
            (&view as &dyn View).get::<MadeDir>(MADE, &Key::of(dir))
        };
        known().is_ok_and(|made| made.is_some())
    }

    pub(super) fn tree_row(&self, root: &str) -> Result<Option<TreeRow>> {
        let snapshot = self.store.read()?;
        let view = snapshot.view();
        Ok((&view as &dyn View).get::<TreeRow>(TREES, &tree_key(root))?.map(|(row, _)| row))
    }

    /// What is known of a tree, led up to the last snapshot there is; `None` = it must be looked at as if for the
    /// first time.
    pub(super) fn index(
        &self,
        held: Option<TreeIndex>,
        place: &TreePlace,
        row: &TreeRow,
    ) -> Result<Option<TreeIndex>> {
        let load = || TreeIndex::load(&self.snapshots.index_file(&place.store, &place.root)?);
        let Some(mut index) = held.or_else(load).filter(|index| index.number <= row.last && row.last > 0)
        else {
            return Ok(None);
        };
        let snapshot = self.store.read()?;
        let view = snapshot.view();
        for number in index.number + 1..=row.last {
            match (&view as &dyn View).get::<SnapshotRow>(SNAPSHOTS, &key(&place.name(), number))? {
                Some((state, _)) if state.why != Why::First => index.follow(number, &state.changes),
                _ => return Ok(None),
            }
        }
        Ok(Some(index))
    }
}
