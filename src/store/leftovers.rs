//! Files beside the database that are no databases: logs, the output of runs, journals that were set aside.
//!
//! A text in them is written over in place, star by star: whoever is still writing to the file is not disturbed, and
//! doing it again changes nothing.

use std::fs::OpenOptions;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use regex::bytes::Regex;

use crate::core::{Error, Result};

/// What lies beside a database that may repeat what was said, and the older copies of it.
#[derive(Debug, Default)]
pub struct Leftovers {
    pub copies: Vec<PathBuf>,
    pub files: Vec<PathBuf>,
}

impl Leftovers {
    pub fn of(database: &Path) -> Leftovers {
        let mut out = Leftovers::default();
        let name = database.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let dir = database.parent().unwrap_or(Path::new("/"));
        for path in files(dir) {
            let own = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            match own.strip_prefix(&name) {
                Some("") => {}
                Some(rest) if rest.starts_with('.') && !rest.contains(".journal.") => out.copies.push(path),
                _ if own.contains("journal.") || own == "log" || own.starts_with("log.") => {
                    out.files.push(path)
                }
                _ => {}
            }
        }
        out.files.extend(files(&dir.join("runs")));
        out.copies.sort();
        out.files.sort();
        out
    }
}

/// Regular files of a directory, not through links.
fn files(dir: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(dir).into_iter().flatten().flatten();
    entries.filter(|e| e.file_type().is_ok_and(|kind| kind.is_file())).map(|e| e.path()).collect()
}

/// How often a file has the text.
pub fn count(file: &Path, pattern: &Regex) -> u64 {
    let bytes = std::fs::read(file).unwrap_or_default();
    pattern.find_iter(&bytes).filter(|found| !found.is_empty()).count() as u64
}

/// Writes stars over the text; says how often it was there.
pub fn blank(file: &Path, pattern: &Regex) -> Result<u64> {
    let cannot = |e: std::io::Error| Error::io(format!("Cannot write {}: {e}.", file.display()));
    let bytes = std::fs::read(file).map_err(cannot)?;
    let found: Vec<_> = pattern.find_iter(&bytes).filter(|found| !found.is_empty()).collect();
    if found.is_empty() {
        return Ok(0);
    }
    let open = OpenOptions::new().write(true).open(file).map_err(cannot)?;
    for one in &found {
        open.write_all_at(&vec![b'*'; one.len()], one.start() as u64).map_err(cannot)?;
    }
    open.sync_all().map_err(cannot)?;
    Ok(found.len() as u64)
}
