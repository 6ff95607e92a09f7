//! Durable writes: one client against the disk, many clients against one write of the disk per operation.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::time::Instant;

use redb::{Database, TableDefinition};

use crate::client;
use crate::herd::Herd;
use crate::home::Home;
use crate::measure::{Goal, Plan, Samples, Table, count, in_turn, rate, time};
use crate::scale::fill;

const CLIENTS: usize = 64;

pub fn one(plan: &Plan, table: &mut Table) {
    lone(plan, table, &Home::new(), "empty store", 2.5);
}

/// The same where the store is large.
pub fn large(plan: &Plan, table: &mut Table) {
    let packs = if plan.quick { 20_000 } else { 100_000 };
    let home = Home::new();
    let mut daemon = home.start();
    fill(&home, packs);
    home.stop();
    daemon.kill();
    lone(plan, table, &home, &format!("{packs} packs"), 3.0);
}

fn lone(plan: &Plan, table: &mut Table, home: &Home, store: &str, goal: f64) {
    let _daemon = home.start();
    let mut client = client::direct(home);
    let file = block_file(home);
    let mut n = 0;
    let mut create = |samples: &mut Samples| {
        n += 1;
        let request = client::create(n);
        samples.time(|| client.round(&request).len());
    };
    let mut floor = |samples: &mut Samples| samples.time(|| write_block(&file));
    let [create, floor] = in_turn(plan.times(40), 20, [&mut create, &mut floor]);
    let what = format!("durable `input create`, 1 client, {store} (p50; floor: 4 KiB pwrite + fdatasync)");
    table.add(what, create.p50(), floor.p50(), time, Goal::Times(goal));
    table.add("  the same at p10", create.quantile(0.1), floor.quantile(0.1), time, Goal::Times(goal));
}

/// What no durable write can do without.
fn write_block(file: &File) {
    file.write_all_at(&[7; 4096], 4096).expect("the block is written");
    file.sync_data().expect("the disk takes it");
}

/// A file whose blocks are all there, so that writing one of them changes no metadata.
fn block_file(home: &Home) -> File {
    let path = home.scratch().join("blocks");
    std::fs::write(&path, vec![1; 64 * 1024]).expect("a file");
    let file = File::options().write(true).open(path).expect("the same file");
    file.sync_all().expect("the disk takes it");
    file
}

pub fn many(plan: &Plan, table: &mut Table) {
    let home = Home::new();
    let daemon = home.start();
    let mut herd = Herd::new(&home, CLIENTS);
    herd.run(500, 1, client::create);
    let file = block_file(&home);
    let mut single = Herd::new(&home, 1);
    let mut alone = OneByOne::new(&home);
    let (mut latency, mut took, mut total) = (Samples::default(), 0.0, 0);
    let (mut one_took, mut alone_took, mut block_took, mut few) = (0.0, 0.0, 0.0, 0);
    for _ in 0..plan.times(8) {
        let run = herd.run(2000, 1, client::create);
        total += 2000;
        took += run.took.as_secs_f64();
        latency.join(run.latency);
        one_took += single.run(100, 1, client::create).took.as_secs_f64();
        alone_took += seconds(|| alone.write());
        block_took += seconds(|| write_block(&file));
        few += 100;
    }
    let lines = herd.lines();
    drop((herd, single, daemon));
    let grouped = f64::from(total) / took;
    let what = "durable `input create`, 64 clients (floor: lone 4 KiB pwrites + fdatasyncs)";
    table.add(what, grouped, f64::from(few) / block_took, rate, Goal::AtLeast(1.2));
    let what = "  the same (floor: one plain redb row per transaction)";
    table.add(what, grouped, f64::from(few) / alone_took, rate, Goal::AtLeast(1.2));
    let what = "  the same (floor: 1 client of the same daemon)";
    table.add(what, grouped, f64::from(few) / one_took, rate, Goal::AtLeast(1.2));
    table.add("  its latency at p99 (floor: its p50)", latency.p99(), latency.p50(), time, Goal::Times(4.0));
    let what = "  lines that the 64 were sent (floor: replies)";
    table.add(what, lines.all as f64, lines.replies as f64, count, Goal::Times(2.0));
}

/// How long a hundred of these take.
fn seconds(mut run: impl FnMut()) -> f64 {
    let began = Instant::now();
    (0..100).for_each(|_| run());
    began.elapsed().as_secs_f64()
}

const ROWS: TableDefinition<u64, &[u8]> = TableDefinition::new("rows");

/// What a service without group commit would do at best: one row of a plain table, one commit.
struct OneByOne {
    db: Database,
    next: u64,
}

impl OneByOne {
    fn new(home: &Home) -> OneByOne {
        let db = Database::create(home.scratch().join("alone.redb")).expect("a database");
        OneByOne { db, next: 0 }
    }

    fn write(&mut self) {
        self.next += 1;
        let txn = self.db.begin_write().expect("a transaction");
        txn.open_table(ROWS).expect("a table").insert(self.next, [7; 400].as_slice()).expect("a row");
        txn.commit().expect("a commit");
    }
}
