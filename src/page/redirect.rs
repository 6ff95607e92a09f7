//! The file that brings a browser to the page: for its owner alone, and gone once its code is of no use.
//!
//! Arguments of programs can be read by every user of the machine, so the code travels in this file instead.

use std::fs::{DirBuilder, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Path, PathBuf};

use maud::{DOCTYPE, html};

/// Removes its file when it is dropped.
pub struct Redirect {
    path: PathBuf,
}

/// Where the files lie, below packd's home.
fn directory(home: &Path) -> PathBuf {
    home.join("ui")
}

impl Redirect {
    pub fn write(home: &Path, url: &str) -> io::Result<Redirect> {
        let dir = directory(home);
        DirBuilder::new().recursive(true).mode(0o700).create(&dir)?;
        let page = html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta name="referrer" content="no-referrer";
                    meta http-equiv="refresh" content=(format!("0; url={url}"));
                    title { "packd" }
                }
                body { p { a href=(url) { "Open packd" } } }
            }
        };
        let mut file = tempfile::Builder::new()
            .prefix("open-")
            .suffix(".html")
            .permissions(Permissions::from_mode(0o600))
            .tempfile_in(&dir)?;
        file.write_all(page.into_string().as_bytes())?;
        file.flush()?;
        let (_, path) = file.keep().map_err(|e| e.error)?;
        Ok(Redirect { path })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Redirect {
    fn drop(&mut self) {
        // Its code is of no use any more, so a file that stays tells nothing.
        let _ = std::fs::remove_file(&self.path);
    }
}

/// Removes what a daemon left that was ended before its codes were.
pub fn clear(home: &Path) {
    let Ok(entries) = std::fs::read_dir(directory(home)) else { return };
    for entry in entries.flatten().filter(|e| e.file_name().to_string_lossy().starts_with("open-")) {
        let _ = std::fs::remove_file(entry.path());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_its_owner_can_read_it_and_it_goes_with_its_code() {
        let home = tempfile::tempdir().unwrap();
        let file = Redirect::write(home.path(), "http://127.0.0.1:4000/#abc").unwrap();
        let path = file.path().to_path_buf();
        assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        assert!(std::fs::read_to_string(&path).unwrap().contains("http://127.0.0.1:4000/#abc"));
        drop(file);
        assert!(!path.exists());
        std::mem::forget(Redirect::write(home.path(), "x").unwrap());
        clear(home.path());
        assert_eq!(std::fs::read_dir(directory(home.path())).unwrap().count(), 0);
    }
}
