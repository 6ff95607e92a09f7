//! `packd_init`: writes files that do not exist yet. It refuses all of them if one is there already.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::core::new_file::FreePath;
use crate::core::{Ctx, Look, Needs, Outcome, Record, Reply, Result, Tool, Writes};

pub struct PackdInit;

#[derive(Debug, Deserialize)]
pub struct PackdInitArgs {
    #[serde(default)]
    files: Vec<NewFile>,
    #[serde(default)]
    summary: Option<String>,
}

#[derive(Debug, Deserialize)]
struct NewFile {
    path: PathBuf,
    text: String,
    #[serde(default)]
    executable: bool,
}

#[derive(Serialize)]
struct InitReply<'a> {
    written: &'a [String],
    operation_id: &'a str,
}

impl Tool for PackdInit {
    type Args = PackdInitArgs;
    type Seen = Vec<FreePath>;
    const NAME: &'static str = "packd_init";
    const NEEDS: Needs = Needs::World;
    const WRITES: Writes = Writes::Files;

    fn look(look: &Look, args: &PackdInitArgs) -> Result<Vec<FreePath>> {
        args.files.iter().map(|file| FreePath::find(&file.path, look.world)).collect()
    }

    fn decide(ctx: &Ctx, args: &PackdInitArgs, places: &Vec<FreePath>) -> Result<Outcome> {
        let mut outcome = Outcome::default();
        let mut paths = Vec::new();
        for (file, place) in args.files.iter().zip(places) {
            place.fill(&mut outcome, &file.text, if file.executable { 0o755 } else { 0o644 });
            paths.push(place.shown());
        }
        let id = ctx.record_id();
        outcome.reply = Reply::of(&InitReply { written: &paths, operation_id: &id });
        let summary = args.summary.clone().unwrap_or_else(|| "Wrote first files".to_string());
        outcome.record = Record { id: Some(id), summary, paths, ..Record::default() };
        Ok(outcome)
    }
}
