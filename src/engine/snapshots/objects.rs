//! Contents of files as git's objects, in a directory of packd's own that git reads but nobody else writes.
//!
//! New contents are loose objects, written whole under another name first. What is packed, or lies in the repository
//! that the tree belongs to, git is asked for.

use std::collections::BTreeMap;
use std::fs;
use std::io::{Read, Write};
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use sha1::Sha1;
use sha2::{Digest, Sha256};

use crate::core::git::Git;
use crate::core::snapshot::MAX_FILE;
use crate::core::{Error, Result, SessionInfo, World};
use crate::engine::files::effects::TEMPORARY;

/// Bytes that git is asked for at once; more than it may print is never wanted.
const AT_ONCE: u64 = 40 << 20;
/// So many contents are made durable each by itself.
const FEW: usize = 32;
/// What one answer may take.
const PATIENCE: Duration = Duration::from_secs(120);

/// Where the contents of one repository's trees are.
#[derive(Debug, Clone)]
pub struct Objects {
    pub dir: PathBuf,
    pub sha256: bool,
    /// Object directories that can be read as well.
    pub borrowed: Vec<PathBuf>,
}

impl Objects {
    /// Makes the directory, as git wants one, where it is not there yet.
    pub fn make(&self) -> Result<()> {
        if self.dir.join("HEAD").exists() {
            return Ok(());
        }
        let mut builder = fs::DirBuilder::new();
        builder.recursive(true).mode(0o700);
        for below in ["objects/pack", "objects/info", "refs", "trees"] {
            let dir = self.dir.join(below);
            builder.create(&dir).map_err(|e| failed("make", &dir, &e))?;
        }
        let format = if self.sha256 {
            "[core]\n\trepositoryformatversion = 1\n\tbare = true\n[extensions]\n\tobjectformat = sha256\n"
        } else {
            "[core]\n\trepositoryformatversion = 0\n\tbare = true\n"
        };
        let write = |name: &str, text: &str| {
            let path = self.dir.join(name);
            fs::write(&path, text).map_err(|e| failed("write", &path, &e))
        };
        write("config", format)?;
        write("HEAD", "ref: refs/heads/none\n")
    }

    /// The id that git gives to a content.
    pub fn id_of(&self, bytes: &[u8]) -> String {
        let head = head(bytes);
        if self.sha256 {
            data_encoding::HEXLOWER.encode(&Sha256::new().chain_update(head).chain_update(bytes).finalize())
        } else {
            data_encoding::HEXLOWER.encode(&Sha1::new().chain_update(head).chain_update(bytes).finalize())
        }
    }

    fn loose(&self, id: &str) -> PathBuf {
        self.dir.join("objects").join(&id[..2]).join(&id[2..])
    }

    /// Keeps a content; tells how many bytes that took.
    pub fn put(&self, id: &str, bytes: &[u8]) -> Result<u64> {
        let path = self.loose(id);
        if path.exists() {
            return Ok(0);
        }
        let dir = path.parent().unwrap_or(&self.dir);
        if !dir.is_dir() {
            let mut builder = fs::DirBuilder::new();
            builder.recursive(true).mode(0o700).create(dir).map_err(|e| failed("make", dir, &e))?;
        }
        let mut encoder = ZlibEncoder::new(Vec::with_capacity(bytes.len() / 2 + 64), Compression::fast());
        // Writing to memory does not fail.
        let packed = encoder
            .write_all(&head(bytes))
            .and_then(|()| encoder.write_all(bytes))
            .and_then(|()| encoder.finish())
            .map_err(|e| failed("pack", &path, &e))?;
        let temporary = dir.join(format!("{TEMPORARY}{}", uuid::Uuid::new_v4().simple()));
        let written = fs::write(&temporary, &packed)
            .and_then(|()| fs::set_permissions(&temporary, fs::Permissions::from_mode(0o400)))
            .and_then(|()| fs::rename(&temporary, &path));
        if let Err(e) = written {
            let _ = fs::remove_file(&temporary);
            return Err(failed("write", &path, &e));
        }
        Ok(packed.len() as u64)
    }

    /// A content that lies loose.
    pub fn get(&self, id: &str) -> Option<Vec<u8>> {
        if id.len() < 40 || !id.bytes().all(|b| b.is_ascii_hexdigit()) {
            return None;
        }
        let file = fs::File::open(self.loose(id)).ok()?;
        let mut bytes = Vec::new();
        ZlibDecoder::new(file).take(MAX_FILE + 64).read_to_end(&mut bytes).ok()?;
        let end = bytes.iter().position(|b| *b == 0)?;
        let rest = bytes.split_off(end + 1);
        (head(&rest) == bytes).then_some(rest)
    }

    /// Contents by their ids, wherever they are; what is nowhere is left out. The sizes bound what is asked at once.
    pub fn get_all(
        &self,
        world: &dyn World,
        session: &SessionInfo,
        ids: &[(String, u64)],
        each: &mut dyn FnMut(&str, Vec<u8>) -> Result<()>,
    ) -> Result<()> {
        let mut asked: BTreeMap<&str, u64> = BTreeMap::new();
        for (id, size) in ids {
            match self.get(id) {
                Some(bytes) => each(id, bytes)?,
                None => drop(asked.insert(id, *size)),
            }
        }
        let mut group: Vec<&str> = Vec::new();
        let mut bytes = 0;
        for (id, size) in asked {
            if bytes + size > AT_ONCE && !group.is_empty() {
                self.ask(world, session, &group, each)?;
                group.clear();
                bytes = 0;
            }
            group.push(id);
            bytes += size + 128;
        }
        if group.is_empty() { Ok(()) } else { self.ask(world, session, &group, each) }
    }

    fn ask(
        &self,
        world: &dyn World,
        session: &SessionInfo,
        ids: &[&str],
        each: &mut dyn FnMut(&str, Vec<u8>) -> Result<()>,
    ) -> Result<()> {
        let input = ids.iter().map(|id| format!("{id}\n")).collect::<String>();
        let said = self.git(world, session, &["cat-file", "--batch", "--buffer"], input.into_bytes())?;
        let mut rest = said.as_slice();
        while let Some(end) = memchr::memchr(b'\n', rest) {
            let line = String::from_utf8_lossy(&rest[..end]).into_owned();
            rest = &rest[end + 1..];
            let mut words = line.split(' ');
            let (Some(id), Some("blob"), Some(size)) = (words.next(), words.next(), words.next()) else {
                continue;
            };
            let size: usize = size.parse().unwrap_or(usize::MAX);
            let Some(bytes) = rest.get(..size) else { break };
            each(id, bytes.to_vec())?;
            rest = rest.get(size + 1..).unwrap_or_default();
        }
        Ok(())
    }

    /// Git in this directory, with everything that may be borrowed.
    pub fn git(
        &self,
        world: &dyn World,
        session: &SessionInfo,
        args: &[&str],
        input: Vec<u8>,
    ) -> Result<Vec<u8>> {
        let here = format!("--git-dir={}", self.dir.display());
        let borrowed: Vec<&Path> = self.borrowed.iter().map(PathBuf::as_path).collect();
        let git = Git::new(world, session, &self.dir).objects(&self.dir.join("objects"), &borrowed);
        git.patience(PATIENCE).plumbing(&[&[here.as_str()], args].concat(), input)
    }

    /// Makes contents durable before an operation counts on them: one by one while they are few.
    pub fn flush(&self, ids: &[&str]) {
        if ids.len() <= FEW {
            for path in ids.iter().filter(|id| id.len() > 2).map(|id| self.loose(id)) {
                let _ = fs::File::open(&path).and_then(|file| file.sync_all());
                let _ = path.parent().map(|dir| fs::File::open(dir).and_then(|dir| dir.sync_all()));
            }
            return;
        }
        self.flush_all();
    }

    pub fn flush_all(&self) {
        #[cfg(target_os = "linux")]
        if let Ok(file) = fs::File::open(self.dir.join("objects")) {
            let _ = rustix::fs::syncfs(&file);
        }
    }
}

fn head(bytes: &[u8]) -> Vec<u8> {
    format!("blob {}\0", bytes.len()).into_bytes()
}

fn failed(verb: &str, path: &Path, e: &std::io::Error) -> Error {
    crate::engine::files::reach::failed_at(verb, path, std::io::Error::from(e.kind()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_content_comes_back_and_has_the_id_that_git_gives_it() {
        let home = tempfile::tempdir().unwrap();
        let mut objects = Objects { dir: home.path().join("s"), sha256: false, borrowed: Vec::new() };
        objects.make().unwrap();
        let id = objects.id_of(b"hello\n");
        assert_eq!(id, "ce013625030ba8dba906f756967f9e9ca394464a");
        assert!(objects.put(&id, b"hello\n").unwrap() > 0);
        assert_eq!(objects.put(&id, b"hello\n").unwrap(), 0, "it is there");
        assert_eq!(objects.get(&id).as_deref(), Some(b"hello\n".as_slice()));
        assert_eq!(objects.get("../../../../etc/passwd/0123456789012345678901234567"), None);
        objects.sha256 = true;
        assert_eq!(
            objects.id_of(b"hello\n"),
            "2cf8d83d9ee29543b34a87727421fdecb7e3f3a183d337639025de576db9ebb4"
        );
    }
}
