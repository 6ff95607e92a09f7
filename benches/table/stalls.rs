//! The longest wait of a client that writes one pack after another, while the store collects, copies or carries on.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::client;
use crate::herd::Herd;
use crate::home::Home;
use crate::measure::{Goal, Plan, Samples, Table, time};
use crate::scale::fill;

pub fn measure(plan: &Plan, table: &mut Table) {
    let packs = if plan.quick { 10_000 } else { 100_000 };
    let home = Home::new();
    let _daemon = home.start();
    fill(&home, packs);
    let quiet = writes_while(&home, || {
        let mut herd = Herd::new(&home, 1);
        herd.run(200, 1, client::create);
    });
    let file = home.scratch().join("copy");
    let copy = file.to_string_lossy().into_owned();
    let kinds: [(&str, &dyn Fn()); 3] = [
        ("`packd gc`", &|| home.packd(&["gc"])),
        ("`packd backup`", &|| home.packd(&["backup", &copy])),
        // Enough at once that what was written has to be carried to its final place meanwhile.
        ("8,000 creates of four others", &|| drop(Herd::new(&home, 4).run(8_000, 16, client::create))),
    ];
    for (name, work) in kinds {
        let busy = writes_while(&home, work);
        let what = format!("longest `input create` during {name}, {packs} packs (floor: its p50 in peace)");
        table.add(what, busy.longest(), quiet.p50(), time, Goal::Times(10.0));
    }
}

/// Writes for as long as the work lasts.
fn writes_while(home: &Home, work: impl Fn()) -> Samples {
    let over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let writer = scope.spawn(|| {
            let mut client = client::direct(home);
            let mut samples = Samples::default();
            let mut n = 0;
            while !over.load(Ordering::Relaxed) || n < 50 {
                n += 1;
                let request = client::create(n);
                samples.run(|| client.round(&request).len());
            }
            samples
        });
        work();
        over.store(true, Ordering::Relaxed);
        writer.join().expect("the writer ends")
    })
}
