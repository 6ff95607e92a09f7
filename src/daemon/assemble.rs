//! The one place that knows which families there are: what the engine serves is put together here.

use std::sync::Arc;

use crate::core::call::OWN_VARIABLES;
use crate::core::{Declared, Error, Family, Result};
use crate::engine::clock::{RandomIds, SystemClock};
use crate::engine::confirm::person::NoPassphrase;
use crate::engine::disk::Disk;
use crate::engine::snapshots::Settings;
use crate::engine::{Options, Orphans};
use crate::families::{deploy, ecosystems, history, modes, now, packages, packs, snapshots, starters, tasks};
use crate::store::Retention;

/// Where MCP hosts keep their files, for the command line.
pub use crate::families::hosts;

/// Every family this daemon serves.
pub fn families() -> Vec<Box<dyn Family>> {
    vec![
        Box::new(deploy::DeployFamily),
        Box::new(ecosystems::Ecosystems),
        Box::new(history::HistoryFamily),
        Box::new(modes::ModesFamily),
        Box::new(packages::Packages),
        Box::new(hosts::Hosts),
        Box::new(now::WhereAmI),
        Box::new(packs::Packs::default()),
        Box::new(snapshots::SnapshotsFamily),
        Box::new(starters::Starters),
        Box::new(tasks::Tasks),
    ]
}

/// The declared tools of all families, as `proto/tools` has them.
pub const DECLARED: &[&str] = &[
    include_str!("../../proto/tools/deploy.json"),
    include_str!("../../proto/tools/ecosystems.json"),
    include_str!("../../proto/tools/history.json"),
    include_str!("../../proto/tools/modes.json"),
    include_str!("../../proto/tools/now.json"),
    include_str!("../../proto/tools/packages.json"),
    include_str!("../../proto/tools/packs.json"),
    include_str!("../../proto/tools/snapshots.json"),
    include_str!("../../proto/tools/tasks.json"),
];

/// Environment variables that a client says in its Hello, with who reads them.
#[allow(dead_code, reason = "proto/environment.txt is made of it")]
pub fn variables() -> Vec<(&'static str, &'static [&'static str])> {
    let own: (_, &[_]) = ("packd itself", &OWN_VARIABLES);
    std::iter::once(own).chain(families().iter().map(|family| (family.name(), family.variables()))).collect()
}

/// What a session is told when its host's hook says that it starts.
const COLD_START: &str = "packd://now";

/// All tools, sorted by name.
pub fn declared() -> Result<Vec<Declared>> {
    let mut tools = Vec::new();
    for file in DECLARED {
        tools.extend(Declared::parse_all(file).map_err(Error::internal)?);
    }
    tools.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(tools)
}

/// The real families, clock, ids and world, with every setting at its default.
pub fn options(on_fatal: impl Fn(&Error) + Send + 'static) -> Result<Options> {
    Ok(Options {
        families: families(),
        tools: declared()?,
        clock: Arc::new(SystemClock),
        ids: Arc::new(RandomIds),
        world: Arc::new(Disk),
        retention: Retention::default(),
        human_confirms: false,
        names: modes::NAMES,
        passphrase: Arc::new(NoPassphrase),
        max_mode: None,
        scratch: None,
        home: None,
        supervisor: None,
        orphans: Orphans::default(),
        trash: None,
        snapshots: Settings::default(),
        cold_start: Some(COLD_START),
        on_fatal: Box::new(on_fatal),
        after_effect: Box::new(|_| {}),
    })
}
