//! What an operation did to files: each with what became of its content, as far as that is kept, is text and has room.

use serde::Serialize;

use super::reply::TouchedFile;
use crate::core::diff::{Diff, DiffRoom};
use crate::core::{Effect, FileImage, Look, Op, Result, redact};

/// Files of one operation that are shown.
pub const MOST: usize = 500;

#[derive(Serialize)]
pub struct ShownFile {
    #[serde(flatten)]
    file: TouchedFile,
    #[serde(skip_serializing_if = "Option::is_none")]
    mode: Option<ModeChange>,
    #[serde(skip_serializing_if = "Option::is_none")]
    diff: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    diff_omitted: Option<&'static str>,
}

#[derive(Serialize)]
struct ModeChange {
    before: String,
    after: String,
}

pub fn shown(look: &Look, op: &Op) -> Result<Vec<ShownFile>> {
    let mut room = DiffRoom::default();
    op.effects.iter().take(MOST).map(|effect| file(look, effect, &mut room)).collect()
}

fn file(look: &Look, effect: &Effect, room: &mut DiffRoom) -> Result<ShownFile> {
    let mut out =
        ShownFile { file: TouchedFile::of(effect), mode: mode(effect), diff: None, diff_omitted: None };
    let mut kept = true;
    let mut side = |image: &Option<FileImage>| -> Result<Option<Vec<u8>>> {
        let Some(image) = image else { return Ok(None) };
        let bytes = match look.view.blob(&image.sha)? {
            Some(bytes) => Some(bytes),
            None => look.world.content(&effect.root, image)?,
        };
        kept &= bytes.is_some();
        Ok(bytes)
    };
    let (before, after) = (side(&effect.before)?, side(&effect.after)?);
    let name = effect.path.to_string_lossy();
    out.diff_omitted = Some(match kept.then(|| room.unified(&name, before.as_deref(), after.as_deref())) {
        Some(Diff::Text(text)) => {
            // Configuration of others may stand beside what was changed.
            out.diff = Some(redact::text(&text).0);
            return Ok(out);
        }
        Some(Diff::TooLong(_) | Diff::NoRoom) => "The diff is too long to be shown here.",
        Some(Diff::NotText) => "It is not text.",
        None => "Its content is no longer kept.",
    });
    Ok(out)
}

fn mode(effect: &Effect) -> Option<ModeChange> {
    let octal = |image: &FileImage| format!("{:o}", image.mode);
    let (before, after) = (octal(effect.before.as_ref()?), octal(effect.after.as_ref()?));
    (before != after).then_some(ModeChange { before, after })
}
