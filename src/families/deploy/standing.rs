//! Deployed files that are no longer what was deployed, for somebody who asks where they are.
//!
//! A glance at what the last deploys of this project left, bounded in files: nothing is rendered and no module is
//! fetched, so what only the configuration changed since is for `status` to tell.

use std::path::PathBuf;

use serde_json::json;

use super::args;
use super::file_reader::FileReader;
use super::rows::{self, RootHead};
use crate::core::standing::{NextCall, Remark, Standing};
use crate::core::world::ReadError;
use crate::core::{Look, Result};

/// Files that are looked at.
const FILES: usize = 200;

#[derive(Default)]
struct Glance {
    drifted: Vec<PathBuf>,
    looked: usize,
    left_out: usize,
}

pub fn of(look: &Look) -> Result<Standing> {
    let ctx = look.ctx;
    let heads: Vec<RootHead> =
        rows::heads(ctx.view)?.into_iter().filter(|head| head.workspace == ctx.session.workspace).collect();
    let mut glance = Glance::default();
    for head in &heads {
        glance.root(look, head)?;
    }
    let Glance { drifted, looked, left_out } = &glance;
    let of = match left_out {
        0 => String::new(),
        n => format!(" of the {looked} that were checked ({n} were not)"),
    };
    let remark = match drifted.first() {
        None if *left_out == 0 => None,
        None => Some(Remark { text: format!("No deployed file{of} has drifted."), ..Remark::default() }),
        Some(first) => {
            let (files, are) = if drifted.len() == 1 { ("file", "is") } else { ("files", "are") };
            let shown = first.strip_prefix(&ctx.session.workspace).unwrap_or(first).display();
            let more = if drifted.len() > 1 { ", …" } else { "" };
            let text = format!(
                "{} deployed {files}{of} {are} no longer what was deployed ({shown}{more}).",
                drifted.len()
            );
            Some(Remark {
                text,
                next: next(look, &heads).offered(ctx.session),
                command: Some("packd deploy status".to_string()),
            })
        }
    };
    Ok(Standing { remarks: remark.into_iter().collect(), ..Standing::default() })
}

impl Glance {
    fn root(&mut self, look: &Look, head: &RootHead) -> Result<()> {
        let number = head.snapshot.parse().unwrap_or(0);
        let key = rows::snapshot_key(&head.workspace, number);
        let Some((snapshot, _)) = look.ctx.view.get::<rows::DeploymentSnapshot>(rows::SNAPSHOTS, &key)?
        else {
            return Ok(());
        };
        let same = |part: &&rows::SnapshotRoot| part.path == head.root && part.target == head.target;
        let Some(part) = snapshot.roots.iter().find(same) else { return Ok(()) };
        let reader = FileReader::of(look);
        for (path, entry) in part.entries(look.ctx.view)?.iter() {
            if self.looked >= FILES || look.world.cancelled() {
                self.left_out += 1;
                continue;
            }
            self.looked += 1;
            let at = head.root.join(path);
            match reader.file(&at)? {
                Ok((_, content)) if content.sha == entry.sha256 => {}
                // What cannot be looked at now says nothing about the file.
                Err(ReadError::NoDescriptors | ReadError::Failed(_)) => {}
                Ok(_) | Err(_) => self.drifted.push(at),
            }
        }
        Ok(())
    }
}

/// The call that tells more, for the configuration the files came from.
fn next(look: &Look, heads: &[RootHead]) -> NextCall {
    let usual = args::config_repo(None, look.ctx.session);
    let other = heads.iter().map(|head| &head.repo).find(|repo| **repo != usual);
    NextCall::new("status", other.map_or(json!({}), |repo| json!({"repo": repo})))
}
