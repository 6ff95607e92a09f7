//! `packd` alone, from the start of the program to its end, with many operations in the store.

use crate::home::Home;
use crate::measure::{Goal, Plan, Samples, Table, in_turn, time};
use crate::scale::fill;

/// Microseconds: a screen that is there before one has looked away from the key.
const GOAL: f64 = 50_000.0;

pub fn measure(plan: &Plan, table: &mut Table) {
    let operations: u64 = if plan.quick { 20_000 } else { 100_000 };
    let home = Home::new();
    let _daemon = home.start();
    fill(&home, operations);
    let mut dash = |samples: &mut Samples| samples.time(|| home.packd(&[]));
    let [dash] = in_turn(plan.times(10), 5, [&mut dash]);
    let what = format!("`packd` alone, {operations} operations in the store (p50)");
    table.add_alone(what, dash.p50(), time, Goal::AtMost(GOAL));
    table.add_alone("  the same at p90", dash.quantile(0.9), time, Goal::AtMost(GOAL));
}
