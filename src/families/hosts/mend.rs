//! Takes back what packd entered into a file that its host or a person has rewritten since: entry by entry, and only what
//! the operation had changed.

use std::path::Path;

use super::entry::{self, ServerEntry};
use super::hooks::{self, HOOKED};
use super::table::HOSTS;
use super::{guide, tools};
use crate::core::restored::Restored;

/// Hosts rewrite their files at every start, so a set-up is taken back by its entries and not by the bytes.
pub struct HostFilesBack;

impl Restored for HostFilesBack {
    fn mend(&self, path: &Path, current: &str, was: Option<&str>, wanted: Option<&str>) -> Option<String> {
        mend(path, current, was, wanted)
    }
}

/// The file as it should read now; `None` where it is none of these files, or cannot be read as one.
fn mend(path: &Path, current: &str, was: Option<&str>, wanted: Option<&str>) -> Option<String> {
    let mut text = current.to_string();
    let mut known = false;
    for host in HOSTS.iter().filter(|host| host.reads(path)) {
        known = true;
        let look = |text: &str| entry::look(host, text).ok();
        let wanted = wanted.map_or(Some(None), look)?;
        if was.map(look) == Some(Some(wanted.clone())) {
            continue;
        }
        text = match wanted {
            None if look(&text)?.is_none() => text,
            None => entry::remove(host, &text).ok()?,
            Some(found) => {
                let entry = ServerEntry {
                    command: found.command,
                    args: found.args,
                    home: found.home,
                    extra: host.extra(),
                };
                entry::put(host, &text, &entry).ok()?
            }
        };
    }
    for hooked in HOOKED.iter().filter(|hooked| hooked.reads(path)) {
        known = true;
        let wanted = wanted.map_or(Some(Vec::new()), |text| hooks::look(text).ok())?;
        if was.map(|text| hooks::look(text).ok()) == Some(Some(wanted.clone())) {
            continue;
        }
        text = match wanted.is_empty() {
            true if hooks::look(&text).ok()?.is_empty() => text,
            true => hooks::remove(&text).ok()?,
            false => hooks::put(hooked, &text, &wanted).ok()?,
        };
    }
    if tools::guide::is_one_of(path) {
        known = true;
        let wanted = wanted.map_or(Some(None), |text| guide::look(text).ok())?;
        text = match wanted {
            None => guide::remove(&text).ok()?,
            Some(section) => guide::put(&text, section).ok()?,
        };
    }
    known.then_some(text)
}
