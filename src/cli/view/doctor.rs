//! What `packd doctor` found: one line a check, each problem with its remedy.

use super::render::{Ink, Render};

#[derive(Clone, Copy, PartialEq)]
pub enum Verdict {
    Pass,
    Warn,
    Fail,
}

impl Verdict {
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Pass => "pass",
            Verdict::Warn => "warn",
            Verdict::Fail => "fail",
        }
    }

    fn ink(self) -> Ink {
        match self {
            Verdict::Pass => Ink::Green,
            Verdict::Warn => Ink::Yellow,
            Verdict::Fail => Ink::Red,
        }
    }
}

pub struct Check {
    pub name: &'static str,
    pub verdict: Verdict,
    pub found: String,
    pub remedy: Option<String>,
}

pub fn print(r: Render, checks: &[Check], fixed: &[String]) {
    fixed.iter().for_each(|what| r.prose(7, format!("{}  {what}", r.ink(Ink::Cyan, "fixed"))));
    for check in checks {
        let word = r.ink(check.verdict.ink(), check.verdict.word());
        r.prose(17, format!("{word}  {:<10} {}", check.name, check.found));
        if let Some(remedy) = &check.remedy {
            r.prose(6, format!("      {remedy}"));
        }
    }
    let bad = checks.iter().filter(|c| c.verdict != Verdict::Pass).count();
    if bad == 0 {
        r.hint("Everything is in order.");
    }
}
