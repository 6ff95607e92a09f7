//! Packs as files of a project: what the engine's mirror asks about them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde_json::{Map, Value};

use super::{file, mirror, purge, rows};
use crate::core::mirrored::{Agreement, FilesAsked, MirrorFile, MirrorRoot, Mirrored};
use crate::core::{Call, Change, Ctx, Error, Outcome, Result, SessionInfo, Timestamp, View};

pub struct PackFiles;

impl Mirrored for PackFiles {
    fn space_of(&self, session: &SessionInfo) -> String {
        rows::space_of(session)
    }

    fn root_of(&self, space: &str) -> Option<MirrorRoot> {
        rows::root_of_space(space)
    }

    fn file_name(&self, id: &str) -> String {
        format!("{id}.md")
    }

    fn id_of<'a>(&self, name: &'a str) -> Option<&'a str> {
        name.strip_suffix(".md").filter(|id| rows::is_pack_id(id))
    }

    fn misnamed(&self, path: &Path) -> Error {
        Error::io(format!("{} is not a pack file: packs are called pk_xxxxxxxx.md", path.display()))
    }

    fn ids(&self, view: &dyn View, space: &str) -> Result<BTreeSet<String>> {
        mirror::ids(view, space)
    }

    fn touched(&self, changes: &[Change]) -> BTreeMap<String, BTreeSet<String>> {
        mirror::touched(changes)
    }

    fn asks(&self, view: &dyn View, space: &str, call: &Call, now: Timestamp) -> FilesAsked {
        mirror::asks(view, space, call, now)
    }

    fn stamp(&self, view: &dyn View, space: &str, id: &str) -> Result<u64> {
        Ok(mirror::stored(view, space, id)?.stamp)
    }

    fn agreed(&self, view: &dyn View, space: &str, id: &str) -> Result<u64> {
        mirror::synced(view, space, id)
    }

    fn compare(
        &self,
        view: &dyn View,
        space: &str,
        id: &str,
        found: &MirrorFile,
        agreed: u64,
    ) -> Result<std::result::Result<Agreement, Error>> {
        let shown = found.path.display().to_string();
        let disk = match found.text.map(|text| mirror::decode(text, &shown, id, found.workspace)) {
            Some(Ok((pack, _))) => Some(pack),
            Some(Err(unreadable)) => return Ok(Err(unreadable)),
            None => None,
        };
        let stored = mirror::stored(view, space, id)?;
        mirror::compare(view, space, id, &stored, disk.as_ref(), agreed).map(Ok)
    }

    fn document(&self, view: &dyn View, space: &str, id: &str) -> Result<Option<String>> {
        let stored = mirror::stored(view, space, id)?;
        stored.pack.map(|pack| file::export(&pack, stored.rev)).transpose()
    }

    fn take_in(&self, space: &str, id: &str, document: Option<&str>) -> (&'static str, Map<String, Value>) {
        (mirror::TOOL, mirror::intake(space, id, document))
    }

    fn note(&self, space: &str, agreed: &BTreeMap<String, u64>) -> (&'static str, Map<String, Value>) {
        (mirror::SYNCED_TOOL, mirror::note(space, agreed))
    }

    fn expired(&self, ctx: &Ctx, space: &str) -> Result<Option<(&'static str, Outcome)>> {
        Ok(purge::of_space(ctx, space)?.map(|outcome| (purge::TOOL, outcome)))
    }
}
