//! `cargo bench --bench table [-- NAME… --quick --write]`: tables in which every figure stands beside its floor,
//! measured in the same run with the real programs, over the real socket, on a real disk.
//!
//! Nothing here fails because of a time: absolute figures depend on the machine, ratios within one run less so.
//! A NAME selects the parts whose name contains it; `--quick` repeats less; `--write` puts the parts that were
//! measured into `docs/figures.md` and leaves the others there as they are.

#![allow(clippy::disallowed_methods, reason = "tests and measurements are outside")]

mod calls;
mod client;
mod dash;
mod deploy;
mod disk;
mod echo;
mod figures;
mod find;
mod herd;
mod history;
mod home;
mod hook;
mod kills;
mod measure;
mod memory;
mod packages;
mod page;
mod render;
mod reopen;
mod scale;
mod scans;
mod snapshots;
mod stalls;
mod start;
mod tasks;
mod writes;

use figures::Noise;
use measure::{Plan, Table};

type Measurement = fn(&Plan, &mut Table);

/// Every measurement under the names that select it.
const ALL: [(&str, Measurement); 27] = [
    ("start-warm", start::warm),
    ("start-cold", start::cold),
    ("hook", hook::measure),
    ("dashboard", dash::measure),
    ("calls-shim", calls::shim),
    ("calls-ping", calls::ping),
    ("calls-get", calls::get),
    ("writes-one", writes::one),
    ("writes-large", writes::large),
    ("writes-many", writes::many),
    ("disk-create", disk::per_create),
    ("disk-file", disk::per_operation),
    ("scale", scale::measure),
    ("find", find::measure),
    ("history", history::measure),
    ("scans", scans::measure),
    ("stalls", stalls::measure),
    ("render", render::measure),
    ("reopen", reopen::measure),
    ("memory", memory::measure),
    ("page", page::measure),
    ("notes", tasks::notes),
    ("tasks", tasks::measure),
    ("deploy", deploy::measure),
    ("packages", packages::measure),
    ("snapshots", snapshots::measure),
    ("kills", kills::measure),
];

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if let [role, socket, size] = args.as_slice()
        && role == echo::ROLE
    {
        return echo::serve(socket, size);
    }
    let names: Vec<&String> = args.iter().filter(|arg| !arg.starts_with("--")).collect();
    let plan = Plan { quick: args.iter().any(|arg| arg == "--quick") };
    let write = args.iter().any(|arg| arg == "--write");
    for (name, measurement) in ALL {
        if names.is_empty() || names.iter().any(|wanted| name.contains(wanted.as_str())) {
            eprintln!("measuring {name} …");
            let (mut table, mut noise) = (Table::default(), Noise::default());
            noise.listen();
            measurement(&plan, &mut table);
            noise.listen();
            println!("\n{name}\n{table}");
            if write {
                figures::write(&ALL.map(|(name, _)| name), name, &table, &noise);
            }
        }
    }
}
