//! A world in which there is nothing: no file, no program, nobody who answers.

use std::path::{Path, PathBuf};

use crate::core::world::{Command, FileKind, Output, ReadError, Stat};
use crate::core::{Error, Result, World};

pub struct Nowhere;

impl World for Nowhere {
    fn read(&self, _: &Path, _: u64) -> std::result::Result<Vec<u8>, ReadError> {
        Err(ReadError::Missing)
    }

    fn load(&self, _: &Path, _: u64) -> std::result::Result<(Stat, Vec<u8>), ReadError> {
        Err(ReadError::Missing)
    }

    fn stat(&self, _: &Path) -> Result<Option<Stat>> {
        Ok(None)
    }

    fn list(&self, _: &Path) -> Result<Option<Vec<(String, FileKind)>>> {
        Ok(None)
    }

    fn canonical(&self, _: &Path) -> Result<Option<PathBuf>> {
        Ok(None)
    }

    fn read_link(&self, _: &Path) -> Result<Option<PathBuf>> {
        Ok(None)
    }

    fn run(&self, command: &Command) -> Result<Output> {
        Err(Error::io(format!("There is no program {}.", command.program)))
    }

    fn fetch(&self, url: &str, _: u64) -> Result<Vec<u8>> {
        Err(Error::io(format!("Nobody answers at {url}.")))
    }

    fn host_name(&self) -> String {
        "nowhere".into()
    }

    fn user(&self) -> u32 {
        1000
    }
}
