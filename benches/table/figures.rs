//! `docs/figures.md`: the last measurement of each part, beside the noise of the machine while it was measured.
//!
//! The file is written by `--write` only. A run of some parts replaces those parts and leaves the others as they are.

use std::fmt::Write;
use std::path::PathBuf;
use std::time::Instant;

use crate::measure::{Samples, Table, time};

const HEAD: &str = "\
# Figures

Made by `cargo bench --bench table -- --write`, with the release build. Names behind it measure some parts again:
`cargo bench --bench table -- --write start render`. Nobody edits this file by hand.

Every figure stands beside a floor measured in the same part, in turns with it, so that a busy moment of the machine
hits both; only the ratio means anything on another machine. Calls and their floors share one core where a part says
so: else the way between two cores, which no program decides, is most of what a short call takes. \"Goal\" is what packd
wants to be; not every goal is reached.

The noise of a part is how long the same piece of work of a tenth of a millisecond took around it: the middle, and
what one in ten was slower than. Where the second is far above the first the machine was busy, and so were its figures.
";

fn file() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("docs/figures.md")
}

/// How steady the machine is right now.
#[derive(Default)]
pub struct Noise(Samples);

impl Noise {
    pub fn listen(&mut self) {
        for _ in 0..400 {
            let began = Instant::now();
            let mut x = 1u64;
            for n in 0..40_000u64 {
                x = std::hint::black_box(x.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(n));
            }
            self.0.push(began.elapsed());
        }
    }

    fn told(&self) -> String {
        let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
        let load = load.split(' ').next().unwrap_or_default().to_string();
        let (middle, slow) = (time(self.0.p50()), time(self.0.quantile(0.9)));
        format!("Noise: {middle}, one in ten over {slow}; load {load}.")
    }
}

/// Where a part begins in the file.
fn mark(name: &str) -> String {
    format!("\n## {name}\n")
}

/// Puts the rows of one part in their place.
pub fn write(names: &[&str], name: &str, table: &Table, noise: &Noise) {
    let old = std::fs::read_to_string(file()).unwrap_or_default();
    let mut text = HEAD.to_string();
    for known in names {
        let section = if *known == name {
            format!("\n{}\n{table}", noise.told())
        } else {
            match section(&old, known) {
                Some(section) => section.to_string(),
                None => continue,
            }
        };
        // Writing to a string cannot fail.
        let _ = write!(text, "{}{section}", mark(known));
    }
    std::fs::write(file(), text).expect("docs/figures.md can be written");
}

fn section<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(&mark(name))?;
    Some(rest.split_once("\n## ").map_or(rest, |(section, _)| section))
}
