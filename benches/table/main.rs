//! `cargo bench --bench table [-- NAME… --quick]`: one table in which every figure stands beside its floor,
//! measured in the same run with the real programs, over the real socket, on a real disk.
//!
//! Nothing here fails because of a time: absolute figures depend on the machine, ratios within one run less so.
//! A NAME selects the rows whose name contains it; `--quick` repeats less.

mod calls;
mod client;
mod deploy;
mod echo;
mod herd;
mod home;
mod measure;
mod memory;
mod packages;
mod render;
mod reopen;
mod scale;
mod scans;
mod start;
mod tasks;
mod writes;

use measure::{Plan, Table};

type Measurement = fn(&Plan, &mut Table);

/// Every measurement under the names that select it.
const ALL: [(&str, Measurement); 15] = [
    ("start-warm", start::warm),
    ("start-cold", start::cold),
    ("calls-shim", calls::shim),
    ("calls-ping", calls::ping),
    ("calls-get", calls::get),
    ("writes-one", writes::one),
    ("writes-many", writes::many),
    ("scale", scale::measure),
    ("scans", scans::measure),
    ("render", render::measure),
    ("reopen", reopen::measure),
    ("memory", memory::measure),
    ("tasks", tasks::measure),
    ("deploy", deploy::measure),
    ("packages", packages::measure),
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
    let mut table = Table::default();
    for (name, measurement) in ALL {
        if names.is_empty() || names.iter().any(|wanted| name.contains(wanted.as_str())) {
            eprintln!("measuring {name} …");
            measurement(&plan, &mut table);
        }
    }
    print!("{table}");
}
