//! What an undo, a redo or a revert brings back, fitted to the present: rows by the families that own them, files that a
//! program rewrites all the time by what they say.
//!
//! Changes an outcome that is not stored yet, and nothing else.

use super::Shared;
use super::consult::guarded;
use crate::core::{Family, FileImage, OpKind, Outcome, Result, Sha, View};

impl Shared {
    /// Rows that come back are adjusted to the present, and the families that own them have the last word.
    pub(super) fn restore(&self, view: &dyn View, outcome: &mut Outcome) -> Result<()> {
        let Some(kind) = outcome.kind.clone() else { return Ok(()) };
        let now = self.clock.now();
        let mut owners: Vec<&dyn Family> = Vec::new();
        for change in &mut outcome.changes {
            let owns = |family: &&dyn Family| family.tables().iter().any(|table| table.0 == change.table);
            let Some(family) = self.families.iter().map(|family| &**family).find(owns) else { continue };
            if let (Some(image), Some(how)) = (&mut change.after, family.restored()) {
                let value = how.resettle(&change.table, std::mem::take(&mut image.value))?;
                image.value = how.revive(&change.table, value, now)?;
            }
            if !owners.iter().any(|owner| owner.name() == family.name()) {
                owners.push(family);
            }
        }
        self.mend(view, &kind, outcome)?;
        let draft = crate::core::history::preview(view, outcome)?;
        let mut words = owners.into_iter().filter_map(|family| family.restored());
        words.try_for_each(|how| guarded("an undo", || how.check(&kind, &draft, now)))
    }

    /// Files that a program rewrites all the time come back by what they say, where their family knows how.
    fn mend(&self, view: &dyn View, kind: &OpKind, outcome: &mut Outcome) -> Result<()> {
        let (OpKind::Undo(id) | OpKind::Redo(id) | OpKind::Revert(id)) = kind else { return Ok(()) };
        let Some(op) = view.log().op(id)? else { return Ok(()) };
        if op.file_by_file {
            return Ok(());
        }
        let Some(how) = self.family(&op.family)?.restored() else { return Ok(()) };
        let mut mended = Vec::new();
        for mut effect in std::mem::take(&mut outcome.effects) {
            let path = effect.full_path();
            let now = super::files::mended::read(&path);
            let expected = effect.before.as_ref().map(|image| &image.sha);
            if now.as_ref().map(|(image, _)| &image.sha) != expected
                && let Some((image, text)) = now
            {
                let text_of = |image: &Option<FileImage>| -> Result<Option<String>> {
                    let Some(image) = image else { return Ok(None) };
                    Ok(view.blob(&image.sha)?.and_then(|bytes| String::from_utf8(bytes).ok()))
                };
                let (was, wanted) = (text_of(&effect.before)?, text_of(&effect.after)?);
                if let Some(after) = how.mend(&path, &text, was.as_deref(), wanted.as_deref()) {
                    if after == text {
                        // It says so already.
                        continue;
                    }
                    let sha = Sha::of(after.as_bytes());
                    outcome.blobs.push((image.sha.clone(), text.into_bytes()));
                    outcome.blobs.push((sha.clone(), after.into_bytes()));
                    effect.after = Some(FileImage::new(sha, image.mode));
                    effect.before = Some(image);
                }
            }
            mended.push(effect);
        }
        outcome.effects = mended;
        Ok(())
    }
}
