//! The finalize gate: every ref must resolve now, and there must be something to read.
//!
//! The files are read in the preparation; the verdict is only used for the revision it was made of.

use crate::core::{Result, World};

use super::errors::{conflict, state};
use super::excerpt::{Trouble, inspect};
use super::model::Pack;
use super::shelf::Found;

const SHOWN: usize = 10;

/// What was found out about the refs of one revision of a pack.
#[derive(Debug)]
pub struct Verdict {
    id: String,
    rev: u64,
    refs: Result<()>,
}

impl Verdict {
    pub fn reach(world: &dyn World, root: &std::path::Path, found: &Found) -> Verdict {
        Verdict { id: found.pack.id.clone(), rev: found.rev, refs: resolve(world, root, &found.pack) }
    }
}

/// Refs first, even for a pack that is finalized already; then substance.
pub fn check(found: &Found, verdict: Option<&Verdict>) -> Result<()> {
    match verdict {
        Some(v) if v.id == found.pack.id && v.rev == found.rev => v.refs.clone()?,
        _ => return Err(conflict("the pack changed while its refs were checked; call again")),
    }
    let empty = found.pack.sections.iter().all(|s| s.refs.is_empty() && s.diagrams.is_empty());
    if empty {
        return Err(state("a pack needs at least one ref or diagram to be finalized"));
    }
    Ok(())
}

fn resolve(world: &dyn World, root: &std::path::Path, pack: &Pack) -> Result<()> {
    let refs: Vec<_> = pack.refs().collect();
    let bare: Vec<_> = refs.iter().map(|(_, r)| *r).collect();
    let mut stale = Vec::new();
    for ((section, r), trouble) in refs.iter().zip(inspect(world, root, &bare)) {
        match trouble {
            None => {}
            Some(Trouble::Hard(error)) => return Err(error),
            Some(Trouble::Stale(why)) => {
                let lines = format!("{}:{}-{}", r.path, r.lines.start, r.lines.end);
                stale.push(format!("{}::{} ({lines}): {why}", section.key, r.key));
            }
        }
    }
    if stale.is_empty() {
        return Ok(());
    }
    let list = stale[..stale.len().min(SHOWN)].join("; ");
    Err(state(format!("the pack has {} stale ref(s): {list}", stale.len())))
}
