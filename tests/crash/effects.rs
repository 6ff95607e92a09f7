//! File effects: each file wholly old or wholly new, all or nothing, nothing through a link, nothing left over.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use packd::core::{Effect, Error, FileImage, Result, Sha};
use packd::engine::files::effects::{self, EffectStanding, TEMPORARY};
use packd::engine::files::made::Ours;

use crate::families::deploy::rig::{disk, write};

/// A directory, and the contents effects refer to.
struct Bench {
    dir: tempfile::TempDir,
    blobs: BTreeMap<Sha, Vec<u8>>,
}

impl Bench {
    fn new() -> Bench {
        Bench { dir: tempfile::tempdir().unwrap(), blobs: BTreeMap::new() }
    }
    fn root(&self) -> PathBuf {
        self.dir.path().to_path_buf()
    }
    fn image(&mut self, text: &str, mode: u32) -> FileImage {
        let sha = Sha::of(text.as_bytes());
        self.blobs.insert(sha.clone(), text.as_bytes().to_vec());
        FileImage::new(sha, mode)
    }
    fn effect(&mut self, path: &str, before: Option<&str>, after: Option<&str>) -> Effect {
        let before = before.map(|t| self.image(t, 0o644));
        let after = after.map(|t| self.image(t, 0o644));
        Effect { root: self.root(), path: path.into(), before, after, kept: false }
    }
    /// One of each: create, update, delete, below directories of their own.
    fn three(&mut self) -> Vec<Effect> {
        write(&self.root().join("a/update"), "old");
        write(&self.root().join("b/delete"), "gone soon");
        vec![
            self.effect("new/deep/create", None, Some("fresh")),
            self.effect("a/update", Some("old"), Some("new")),
            self.effect("b/delete", Some("gone soon"), None),
        ]
    }
    fn content(&self, sha: &Sha) -> Result<Vec<u8>> {
        self.blobs.get(sha).cloned().ok_or_else(|| Error::io("no such content"))
    }
    fn apply(&self, effects: &[Effect]) -> std::result::Result<(), effects::ApplyFailure> {
        self.apply_with(effects, &Ours::missing(effects))
    }
    fn apply_with(&self, effects: &[Effect], ours: &Ours) -> std::result::Result<(), effects::ApplyFailure> {
        effects::apply(effects, &|_, image| self.content(&image.sha), ours, &|_| {})
    }
}

#[test]
fn all_effects_happen_and_their_inverse_restores_everything() {
    let mut b = Bench::new();
    let effects = b.three();
    let before = disk(&b.root());
    let ours = Ours::missing(&effects);
    b.apply_with(&effects, &ours).unwrap();
    assert_eq!(std::fs::read_to_string(b.root().join("new/deep/create")).unwrap(), "fresh");
    assert!(b.root().join("b").exists(), "a directory that was there before stays, even if it is left empty");
    b.apply_with(&effects, &ours).unwrap();
    let inverse: Vec<_> = effects.iter().rev().map(Effect::inverse).collect();
    b.apply_with(&inverse, &ours).unwrap();
    assert_eq!(disk(&b.root()), before);
    assert!(!b.root().join("new").exists(), "those that were made for the files go with them");
}

#[test]
fn any_failure_takes_everything_back() {
    for failing in 0..3 {
        let mut b = Bench::new();
        let effects = b.three();
        let before = disk(&b.root());
        let (calls, fails_at) = (Cell::new(0), failing);
        let blobs = |_: &Effect, image: &FileImage| {
            // Taking back needs contents, too; only the one call on the way there fails.
            calls.set(calls.get() + 1);
            if calls.get() == fails_at + 1 {
                Err(Error::io("No space left on device"))
            } else {
                b.content(&image.sha)
            }
        };
        let result = effects::apply(&effects, &blobs, &Ours::missing(&effects), &|_| {});
        // The third effect deletes, so it needs no content and nothing fails.
        assert_eq!(result.is_err(), failing < 2);
        if let Err(failure) = result {
            assert!(failure.stuck.is_empty(), "{:?}", failure.stuck);
            assert_eq!(disk(&b.root()), before, "failing at {failing}");
            assert!(!b.root().join("new").exists(), "no empty directories stay");
        }
    }
}

#[test]
fn nothing_is_touched_when_one_file_is_not_what_the_plan_saw() {
    let mut b = Bench::new();
    let effects = b.three();
    write(&b.root().join("a/update"), "somebody was here");
    write(&b.root().join("b/delete"), "and here");
    let before = disk(&b.root());
    let failure = b.apply(&effects).unwrap_err();
    assert_eq!(failure.error.code, "file_changed");
    let named = failure.error.details.unwrap()["paths"].as_array().unwrap().len();
    assert_eq!(named, 2, "every file in the way is named");
    assert_eq!(disk(&b.root()), before);
}

/// A mode counts as content: an edited mode must not be lost silently.
#[test]
fn modes_are_part_of_the_picture() {
    let mut b = Bench::new();
    let effects = b.three();
    let path = b.root().join("a/update");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600)).unwrap();
    assert_eq!(effects::standing(&effects[1], &effects).unwrap(), EffectStanding::Elsewhere);
    assert!(b.apply(&effects).is_err());
}

#[test]
fn links_on_the_way_and_paths_that_leave_are_refused() {
    let mut b = Bench::new();
    let outside = tempfile::tempdir().unwrap();
    symlink(outside.path(), b.root().join("link")).unwrap();
    let through = b.effect("link/file", None, Some("x"));
    assert_eq!(b.apply(&[through]).unwrap_err().error.code, "path_through_symlink");
    assert_eq!(std::fs::read_dir(outside.path()).unwrap().count(), 0);
    for bad in ["../x", "/x", "a/../../x", ""] {
        let effect = b.effect(bad, None, Some("x"));
        assert_eq!(b.apply(&[effect]).unwrap_err().error.code, "path_outside_root", "{bad}");
    }
    symlink("nowhere", b.root().join("dangling")).unwrap();
    let over = b.effect("dangling", None, Some("x"));
    assert_eq!(b.apply(&[over]).unwrap_err().error.code, "file_changed", "a link is not overwritten");
    write(&b.root().join("file"), "x");
    let below = b.effect("file/inner", None, Some("x"));
    let error = b.apply(&[below]).unwrap_err().error;
    assert_eq!(error.code, "io_error");
    assert!(error.message.contains("file/inner"), "{}", error.message);
}

/// Between the check and the write somebody creates the file: it must survive.
#[test]
fn a_file_that_appears_at_the_last_moment_survives() {
    let mut b = Bench::new();
    let effects = [b.effect("one", None, Some("1")), b.effect("two", None, Some("2"))];
    let root = b.root();
    let after = |done: usize| {
        if done == 1 {
            write(&root.join("two"), "theirs");
        }
    };
    let ours = Ours::missing(&effects);
    let failure = effects::apply(&effects, &|_, image| b.content(&image.sha), &ours, &after).unwrap_err();
    assert_eq!(failure.error.code, "file_changed");
    assert!(failure.stuck.is_empty(), "{:?}", failure.stuck);
    assert_eq!(std::fs::read_to_string(root.join("two")).unwrap(), "theirs");
    assert!(!root.join("one").exists(), "what was done is taken back");
}

#[test]
fn temporary_files_of_a_crash_are_swept_and_others_stay() {
    let mut b = Bench::new();
    let effects = b.three();
    for name in [format!("a/{TEMPORARY}123"), "a/keep".into(), format!("{TEMPORARY}elsewhere")] {
        write(&b.root().join(name), "x");
    }
    effects::sweep_temporaries(&effects);
    assert!(!b.root().join(format!("a/{TEMPORARY}123")).exists());
    assert!(b.root().join("a/keep").exists());
    assert!(
        b.root().join(format!("{TEMPORARY}elsewhere")).exists(),
        "only beside the files of the operation"
    );
}

#[test]
fn a_directory_that_came_and_went_between_two_files_is_made_again() {
    let mut b = Bench::new();
    write(&b.root().join("d/old"), "old");
    let effects = [b.effect("d/old", Some("old"), None), b.effect("d/new", None, Some("new"))];
    b.apply(&effects).unwrap();
    assert_eq!(std::fs::read_to_string(b.root().join("d/new")).unwrap(), "new");
    assert!(!Path::new(&b.root().join("d/old")).exists());
}

/// A file becomes a directory with a file in it, or the other way round: whatever was done of it, it can be finished.
#[test]
fn what_was_done_of_a_file_in_the_place_of_a_directory_can_be_finished() {
    let mut b = Bench::new();
    let there = [b.effect("x", Some("file"), None), b.effect("x/y/z", None, Some("below"))];
    let back = [b.effect("x/y/z", Some("below"), None), b.effect("x", None, Some("file"))];
    write(&b.root().join("x"), "file");
    for effects in [&there, &back] {
        // The first time nothing was done, the second time everything but saying so.
        for _ in 0..2 {
            assert_eq!(effects::stand(effects), [true, true]);
            b.apply_with(effects, &Ours::default()).unwrap();
        }
    }
    assert_eq!(std::fs::read_to_string(b.root().join("x")).unwrap(), "file");
}
