//! The passphrase of the user, kept in the home as a PHC string (`$argon2id$…`), for its owner alone.
//!
//! It is read once: a file that is replaced or removed under a running daemon changes nothing until the next start,
//! which records it. The passphrase itself is never written anywhere.

use std::io::{ErrorKind, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use argon2::Argon2;
use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};

use crate::core::{Error, Result, Sha};
use crate::engine::confirm::person::Passphrase;
use crate::ipc::Home;

const NAME: &str = "passphrase";

pub struct KeptPassphrase {
    file: PathBuf,
    /// The PHC string. What cannot be read is kept as it is and fits nothing: a damaged file does not open the gate.
    phc: Mutex<Option<String>>,
}

impl KeptPassphrase {
    pub fn new(home: &Home) -> KeptPassphrase {
        let file = home.dir().join(NAME);
        let phc = match std::fs::read_to_string(&file) {
            Ok(text) => Some(text.trim().to_string()),
            Err(e) if e.kind() == ErrorKind::NotFound => None,
            Err(e) => {
                tracing::error!("The passphrase file {} cannot be read: {e}.", file.display());
                Some(String::new())
            }
        };
        KeptPassphrase { file, phc: Mutex::new(phc) }
    }

    fn phc(&self) -> MutexGuard<'_, Option<String>> {
        self.phc.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self, text: &str) -> std::io::Result<()> {
        let dir = self.file.parent().ok_or(ErrorKind::NotFound)?;
        let mut file = tempfile::Builder::new()
            .prefix(".passphrase-")
            .permissions(std::fs::Permissions::from_mode(0o600))
            .tempfile_in(dir)?;
        file.write_all(format!("{text}\n").as_bytes())?;
        file.as_file().sync_all()?;
        file.persist(&self.file)?;
        std::fs::File::open(dir)?.sync_all()
    }
}

impl Passphrase for KeptPassphrase {
    fn is_set(&self) -> bool {
        self.phc().is_some()
    }

    fn mark(&self) -> Option<String> {
        self.phc().as_ref().map(|phc| Sha::of(phc.as_bytes()).0)
    }

    fn fits(&self, said: &str) -> Result<bool> {
        let Some(phc) = self.phc().clone() else { return Ok(false) };
        let Ok(hash) = PasswordHash::new(&phc) else {
            return Err(Error::io(format!("The passphrase file {} is damaged.", self.file.display())).hint(
                "Remove it, restart packd and set the passphrase again; the next start records that.",
            ));
        };
        Ok(Argon2::default().verify_password(said.as_bytes(), &hash).is_ok())
    }

    fn change(&self, new: Option<&str>) -> Result<()> {
        let failed = |e: std::io::Error| {
            Error::io(format!("The passphrase cannot be kept in {}: {e}.", self.file.display()))
                .hint("Nothing was changed. Make that directory writable and try again.")
        };
        let phc = match new {
            Some(new) => {
                let hash = Argon2::default()
                    .hash_password(new.as_bytes())
                    .map_err(|e| Error::internal(format!("The passphrase cannot be hashed: {e}.")))?;
                let text = hash.to_string();
                self.write(&text).map_err(failed)?;
                Some(text)
            }
            None => match std::fs::remove_file(&self.file) {
                Err(e) if e.kind() != ErrorKind::NotFound => return Err(failed(e)),
                _ => None,
            },
        };
        *self.phc() = phc;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_passphrase_is_kept_as_a_phc_string_for_its_owner() {
        let dir = tempfile::tempdir().unwrap();
        let kept = KeptPassphrase::new(&Home::at(dir.path()));
        assert!(!kept.is_set() && !kept.fits("").unwrap());
        kept.change(Some("correct horse")).unwrap();
        let file = dir.path().join(NAME);
        let text = std::fs::read_to_string(&file).unwrap();
        assert!(text.starts_with("$argon2id$") && !text.contains("horse"), "{text}");
        assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
        let again = KeptPassphrase::new(&Home::at(dir.path()));
        assert!(again.fits("correct horse").unwrap() && !again.fits("correct hors").unwrap());
        // Taking the file away opens nothing while the daemon runs.
        std::fs::remove_file(&file).unwrap();
        assert!(again.is_set() && again.fits("correct horse").unwrap());
        again.change(None).unwrap();
        assert!(!again.is_set());
    }

    #[test]
    fn a_damaged_file_fits_nothing() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join(NAME), "open sesame\n").unwrap();
        let kept = KeptPassphrase::new(&Home::at(dir.path()));
        assert!(kept.is_set());
        assert!(kept.fits("open sesame").unwrap_err().message.contains("damaged"));
    }
}
