//! What others ask of snapshots: the tree that a session works in, and contents that they keep.

use std::path::Path;

use super::objects::Objects;
use super::place::{Repository, TreePlace};
use super::take::{WantedSnapshot, take};
use crate::core::snapshot::{TreeAsk, TreeSeen, Why};
use crate::core::{Effect, Error, FileImage, Result, SessionInfo, Sha, View, Who, World};
use crate::engine::Shared;

impl TreePlace {
    /// Where a session works: its own checkout, also where its workspace is that of another tree of the repository.
    fn of_session(session: &SessionInfo) -> Result<TreePlace> {
        let here = TreePlace::of(&session.cwd, session);
        let workspace = Path::new(&session.workspace);
        if !workspace.is_absolute() {
            return here;
        }
        match (here, TreePlace::of(workspace, session)) {
            (Ok(here), Ok(there)) if here.git.is_some() && here.store == there.store => Ok(here),
            (_, there) => there,
        }
    }
}

impl Shared {
    pub(in crate::engine) fn tree(
        &self,
        world: &dyn World,
        session: &SessionInfo,
        ask: &TreeAsk,
    ) -> Result<TreeSeen> {
        let place = TreePlace::of_session(session)?;
        if *ask == TreeAsk::Root {
            let number = self.tree_row(&place.name())?.map_or(0, |row| row.last);
            return Ok(TreeSeen { root: place.name(), number, ..TreeSeen::default() });
        }
        let turn = self.snapshots.turn(&place.root);
        let mut memory = turn.blocking_lock();
        let label = if let TreeAsk::Take { label } = ask { label.clone() } else { None };
        let why = if *ask == TreeAsk::BeforeRestore { Why::Restore } else { Why::Asked };
        let by = Who::calls(session);
        let wanted = WantedSnapshot {
            place,
            ask: None,
            label,
            by,
            why,
            only_look: *ask == TreeAsk::Look,
            told_by: None,
        };
        let taken = take(self, world, session, &mut memory, &wanted, &|_| {})?;
        drop(memory);
        self.snapshots.forget_some(&wanted.place.root);
        self.make_room();
        Ok(TreeSeen {
            root: taken.root,
            number: taken.number,
            new: taken.new,
            changes: taken.changes,
            operation: taken.operation,
            files: taken.files,
            skipped: taken.skipped,
        })
    }

    /// The content of an image, in the store or among a tree's objects; `None` = it is no longer kept.
    pub(in crate::engine) fn content(&self, root: &Path, image: &FileImage) -> Result<Option<Vec<u8>>> {
        let snapshot = self.store.read()?;
        if let Some(bytes) = View::blob(&snapshot.view(), &image.sha)? {
            return Ok(Some(bytes));
        }
        let Some((id, objects)) = image.object.as_ref().zip(self.objects_of(root)?) else { return Ok(None) };
        let mut found = objects.get(id);
        if found.is_none() {
            let nobody = crate::engine::housekeeping::nobody("");
            objects.get_all(&*self.world, &nobody, &[(id.clone(), 0)], &mut |_, bytes| {
                found = Some(bytes);
                Ok(())
            })?;
        }
        Ok(found.filter(|bytes| Sha::of(bytes) == image.sha))
    }

    /// The same for an effect that is being carried out.
    pub(in crate::engine) fn content_of(&self, root: &Path, image: &FileImage) -> Result<Vec<u8>> {
        self.content(root, image)?
            .ok_or_else(|| Error::io(format!("The content {} is no longer kept.", image.sha)))
    }

    /// Puts packed contents where each is found by itself, if many are about to be needed.
    pub(in crate::engine) fn unpack_for(&self, effects: &[Effect]) -> Result<()> {
        let Some(root) = effects.first().map(|effect| effect.root.clone()) else { return Ok(()) };
        let Some(objects) = self.objects_of(&root)? else { return Ok(()) };
        let images = effects.iter().flat_map(|e| [&e.before, &e.after]).flatten();
        let ids: Vec<(String, u64)> = images
            .filter_map(|image| image.object.clone())
            .filter(|id| objects.get(id).is_none())
            .map(|id| (id, 64 << 10))
            .collect();
        if ids.len() < 2 {
            return Ok(());
        }
        let nobody = crate::engine::housekeeping::nobody("");
        objects.get_all(&*self.world, &nobody, &ids, &mut |id, bytes| objects.put(id, &bytes).map(drop))
    }

    pub(super) fn objects_of(&self, root: &Path) -> Result<Option<Objects>> {
        let Some(row) = self.tree_row(&root.to_string_lossy())? else { return Ok(None) };
        let git = Repository::of(root);
        let sha256 = git.as_ref().is_some_and(|git| git.sha256);
        let borrowed = git.map(|git| git.objects).into_iter().collect();
        let dir = self.snapshots.dir.as_ref().map(|dir| dir.join(&row.store));
        Ok(dir.map(|dir| Objects { dir, sha256, borrowed }))
    }
}
