//! Repeating, quantiles, and the table they end up in.

use std::fmt;
use std::time::{Duration, Instant};

/// How much to repeat.
pub struct Plan {
    pub quick: bool,
}

impl Plan {
    /// So many, or a quarter of it.
    pub fn times(&self, n: usize) -> usize {
        if self.quick { n.div_ceil(4) } else { n }
    }
}

/// Durations in microseconds.
#[derive(Default)]
pub struct Samples(Vec<f64>);

impl Samples {
    pub fn push(&mut self, took: Duration) {
        self.0.push(took.as_secs_f64() * 1e6);
    }

    pub fn time<T>(&mut self, run: impl FnOnce() -> T) -> T {
        let began = Instant::now();
        let result = run();
        self.push(began.elapsed());
        result
    }

    /// The same where the result does not matter.
    pub fn run<T>(&mut self, run: impl FnOnce() -> T) {
        self.time(run);
    }

    /// The value below which this share of the samples lies.
    pub fn quantile(&self, share: f64) -> f64 {
        let mut sorted = self.0.clone();
        sorted.sort_by(f64::total_cmp);
        let at = (sorted.len() as f64 * share) as usize;
        sorted.get(at.min(sorted.len().saturating_sub(1))).copied().unwrap_or(f64::NAN)
    }

    pub fn join(&mut self, other: Samples) {
        self.0.extend(other.0);
    }

    pub fn p50(&self) -> f64 {
        self.quantile(0.5)
    }

    pub fn longest(&self) -> f64 {
        self.quantile(1.0)
    }

    pub fn p99(&self) -> f64 {
        self.quantile(0.99)
    }
}

/// Runs the operations in turn, block by block, so that a busy moment of the machine hits all of them. Not one
/// by one: an operation that syncs would pay for what its neighbour left in the file system's journal.
pub fn in_turn<const N: usize>(
    blocks: usize,
    each: usize,
    mut operations: [&mut dyn FnMut(&mut Samples); N],
) -> [Samples; N] {
    let mut samples: [Samples; N] = std::array::from_fn(|_| Samples::default());
    for _ in 0..blocks {
        for (operation, samples) in operations.iter_mut().zip(&mut samples) {
            for _ in 0..each {
                operation(samples);
            }
        }
    }
    samples
}

/// A call on a store, its name, and how often it is made in a row.
pub type Step<S> = (&'static str, fn(&mut S, &mut Samples), usize);

/// Every step on stores of three sizes, each beside itself on the smallest: its cost must be its page.
pub fn by_size<S>(
    plan: &Plan,
    table: &mut Table,
    noun: &str,
    sizes: [u64; 3],
    stores: &mut [S; 3],
    steps: &[Step<S>],
) {
    for (name, step, each) in steps {
        let [small, medium, large] = &mut *stores;
        let [small, medium, large] = in_turn(
            plan.times(12),
            *each,
            [&mut |s| step(small, s), &mut |s| step(medium, s), &mut |s| step(large, s)],
        );
        for (size, samples) in [(sizes[1], medium), (sizes[2], large)] {
            let what = format!("{name} at {size} {noun} (p50; floor: itself at {})", sizes[0]);
            table.add(what, samples.p50(), small.p50(), time, Goal::Times(1.3));
        }
    }
}

/// Runs something on one core, together with every process it starts: where the scheduler puts the two ends of
/// a socket would otherwise decide a comparison between servers more than their work does.
pub fn on_one_core<T>(run: impl FnOnce() -> T) -> T {
    use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
    let Ok(all) = sched_getaffinity(None) else { return run() };
    let mut one = CpuSet::new();
    if let Some(core) = (0..CpuSet::MAX_CPU).find(|core| all.is_set(*core)) {
        one.set(core);
        let _ = sched_setaffinity(None, &one);
    }
    let result = run();
    let _ = sched_setaffinity(None, &all);
    result
}

/// What a figure must be, compared with its floor.
#[derive(Clone, Copy)]
pub enum Goal {
    /// At most so many times the floor.
    Times(f64),
    /// At least so many times the floor.
    AtLeast(f64),
    /// At most so much above the floor.
    Above(f64),
    /// At most so much; there is no floor.
    AtMost(f64),
}

pub type Show = fn(f64) -> String;

pub struct Row {
    pub what: String,
    pub figure: f64,
    pub floor: Option<f64>,
    pub show: Show,
    pub goal: Goal,
}

#[derive(Default)]
pub struct Table {
    rows: Vec<Row>,
}

impl Table {
    pub fn add(&mut self, what: impl Into<String>, figure: f64, floor: f64, show: Show, goal: Goal) {
        self.rows.push(Row { what: what.into(), figure, floor: Some(floor), show, goal });
    }

    pub fn add_alone(&mut self, what: impl Into<String>, figure: f64, show: Show, goal: Goal) {
        self.rows.push(Row { what: what.into(), figure, floor: None, show, goal });
    }
}

impl Row {
    fn cells(&self) -> [String; 6] {
        let ratio = self.floor.map(|floor| self.figure / floor);
        let (goal, reached) = match self.goal {
            Goal::Times(n) => (format!("<= {n} x"), ratio.is_some_and(|r| r <= n)),
            Goal::AtLeast(n) => (format!(">= {n} x"), ratio.is_some_and(|r| r >= n)),
            Goal::Above(n) => (
                format!("<= floor + {}", (self.show)(n)),
                self.floor.is_some_and(|floor| self.figure - floor <= n),
            ),
            Goal::AtMost(n) => (format!("<= {}", (self.show)(n)), self.figure <= n),
        };
        [
            self.what.clone(),
            (self.show)(self.figure),
            self.floor.map_or_else(String::new, self.show),
            ratio.map_or_else(String::new, |r| format!("{r:.2}")),
            goal,
            if reached { "yes" } else { "MISSED" }.to_string(),
        ]
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let head = ["what", "figure", "floor", "ratio", "goal", "reached"].map(str::to_string);
        let cells: Vec<[String; 6]> = self.rows.iter().map(Row::cells).collect();
        let width = |column: usize| {
            cells.iter().chain([&head]).map(|row| row[column].chars().count()).max().unwrap_or(0)
        };
        let widths: [usize; 6] = std::array::from_fn(width);
        let line = |f: &mut fmt::Formatter<'_>, row: &[String; 6]| {
            for (cell, width) in row.iter().zip(widths) {
                write!(f, "| {cell:width$} ")?;
            }
            writeln!(f, "|")
        };
        line(f, &head)?;
        line(f, &widths.map(|width| "-".repeat(width)))?;
        cells.iter().try_for_each(|row| line(f, row))
    }
}

pub fn time(micros: f64) -> String {
    match micros {
        us if us < 1_000.0 => format!("{us:.1} µs"),
        us if us < 1_000_000.0 => format!("{:.2} ms", us / 1e3),
        us => format!("{:.2} s", us / 1e6),
    }
}

pub fn rate(per_second: f64) -> String {
    format!("{per_second:.0} /s")
}

pub fn bytes(n: f64) -> String {
    match n {
        n if n < 10_000.0 => format!("{n:.0} B"),
        n if n < 1e7 => format!("{:.1} kB", n / 1e3),
        n => format!("{:.1} MB", n / 1e6),
    }
}

pub fn count(n: f64) -> String {
    format!("{n:.0}")
}

pub fn mebibytes(kib: f64) -> String {
    format!("{:.2} MiB", kib / 1024.0)
}
