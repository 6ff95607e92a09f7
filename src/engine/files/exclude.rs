//! `.git/info/exclude` of the repository that contains a checkout: what packd puts there is nobody's untracked work.
//!
//! Lines are added once and taken out one by one; everything else in the file stays byte for byte. Git itself is not
//! asked: where its files are is documented, and this only reads them.

use std::fs;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Two runs may edit the same file.
static EDITING: Mutex<()> = Mutex::new(());

/// Puts directories on the list of the repository around each; returns those that were not on it.
pub(in crate::engine) fn add(paths: &[PathBuf]) -> io::Result<Vec<PathBuf>> {
    let _alone = EDITING.lock().unwrap_or_else(PoisonError::into_inner);
    let mut added = Vec::new();
    for path in paths {
        let Some((file, line)) = around(path)? else { continue };
        let mut text = read(&file)?;
        if text.lines().any(|known| known == line) {
            continue;
        }
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        text.push_str(&line);
        text.push('\n');
        write(&file, &text)?;
        added.push(path.clone());
    }
    Ok(added)
}

/// Takes directories off the list again; one that is not on it is none.
pub(in crate::engine) fn remove(paths: &[PathBuf]) -> io::Result<()> {
    let _alone = EDITING.lock().unwrap_or_else(PoisonError::into_inner);
    for path in paths {
        let Some((file, line)) = around(path)? else { continue };
        let text = read(&file)?;
        let kept: String =
            text.split_inclusive('\n').filter(|known| known.trim_end_matches('\n') != line).collect();
        if kept != text {
            write(&file, &kept)?;
        }
    }
    Ok(())
}

/// The exclude file of the repository that contains a directory, and the line that means it there.
fn around(path: &Path) -> io::Result<Option<(PathBuf, String)>> {
    let Some(top) = path.ancestors().skip(1).find(|dir| fs::symlink_metadata(dir.join(".git")).is_ok())
    else {
        return Ok(None);
    };
    let dot = top.join(".git");
    let git = match fs::symlink_metadata(&dot)?.is_dir() {
        true => dot,
        false => match fs::read_to_string(&dot)?.trim().strip_prefix("gitdir:") {
            Some(dir) => top.join(dir.trim()),
            None => return Ok(None),
        },
    };
    // A linked worktree shares the list of its main repository.
    let common = match fs::read_to_string(git.join("commondir")) {
        Ok(dir) => git.join(dir.trim()),
        Err(e) if e.kind() == ErrorKind::NotFound => git,
        Err(e) => return Err(e),
    };
    if !common.join("objects").is_dir() || !common.join("HEAD").exists() {
        return Ok(None);
    }
    let below = path.strip_prefix(top).map_err(io::Error::other)?.to_string_lossy().into_owned();
    if below.contains('\n') {
        return Ok(None);
    }
    Ok(Some((common.join("info/exclude"), format!("/{}/", escaped(&below)))))
}

/// As a pattern that means exactly this name.
fn escaped(path: &str) -> String {
    let special = |c: char| matches!(c, '\\' | '*' | '?' | '[' | ']');
    path.chars().flat_map(|c| special(c).then_some('\\').into_iter().chain([c])).collect()
}

fn read(file: &Path) -> io::Result<String> {
    match fs::symlink_metadata(file) {
        Ok(meta) if meta.is_file() => fs::read_to_string(file),
        Ok(_) => Err(io::Error::new(ErrorKind::InvalidInput, format!("{} is not a file", file.display()))),
        Err(e) if e.kind() == ErrorKind::NotFound => Ok(String::new()),
        Err(e) => Err(e),
    }
}

fn write(file: &Path, text: &str) -> io::Result<()> {
    let dir = file.parent().unwrap_or(Path::new("/"));
    match fs::create_dir(dir) {
        Err(e) if e.kind() != ErrorKind::AlreadyExists => return Err(e),
        _ => {}
    }
    let mode = fs::metadata(file)
        .map_or_else(|_| std::os::unix::fs::PermissionsExt::from_mode(0o644), |meta| meta.permissions());
    let mut new = tempfile::NamedTempFile::new_in(dir)?;
    new.write_all(text.as_bytes())?;
    new.as_file().set_permissions(mode)?;
    new.as_file().sync_all()?;
    new.persist(file).map_err(|e| e.error)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_once_and_go_and_the_rest_stays() {
        let dir = tempfile::tempdir().unwrap();
        let git = dir.path().join(".git");
        fs::create_dir_all(git.join("objects")).unwrap();
        fs::create_dir(git.join("info")).unwrap();
        fs::write(git.join("HEAD"), "ref: refs/heads/main\n").unwrap();
        let file = git.join("info/exclude");
        fs::write(&file, "# mine\n*.o").unwrap();
        let path = dir.path().join("trees/a*b");
        assert_eq!(add(std::slice::from_ref(&path)).unwrap(), std::slice::from_ref(&path));
        assert_eq!(add(std::slice::from_ref(&path)).unwrap(), Vec::<PathBuf>::new());
        assert_eq!(fs::read_to_string(&file).unwrap(), "# mine\n*.o\n/trees/a\\*b/\n");
        remove(&[path.clone(), dir.path().join("other")]).unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), "# mine\n*.o\n");
        assert_eq!(add(&[PathBuf::from("/nowhere/at/all")]).unwrap(), Vec::<PathBuf>::new());
    }
}
