//! What `packd doctor` found: one line a check, each problem with its remedy.

use super::render::{Ink, Render};

#[derive(Clone, Copy, PartialEq)]
pub enum CheckVerdict {
    Pass,
    Warn,
    Fail,
}

impl CheckVerdict {
    pub fn word(self) -> &'static str {
        match self {
            CheckVerdict::Pass => "pass",
            CheckVerdict::Warn => "warn",
            CheckVerdict::Fail => "fail",
        }
    }

    fn ink(self) -> Ink {
        match self {
            CheckVerdict::Pass => Ink::Green,
            CheckVerdict::Warn => Ink::Yellow,
            CheckVerdict::Fail => Ink::Red,
        }
    }
}

pub struct DoctorCheck {
    pub name: &'static str,
    pub verdict: CheckVerdict,
    pub found: String,
    pub remedy: Option<String>,
}

pub fn print(r: Render, checks: &[DoctorCheck], fixed: &[String]) {
    fixed.iter().for_each(|what| r.prose(7, format!("{}  {what}", r.ink(Ink::Cyan, "fixed"))));
    for check in checks {
        let word = r.ink(check.verdict.ink(), check.verdict.word());
        r.prose(17, format!("{word}  {:<10} {}", check.name, check.found));
        if let Some(remedy) = &check.remedy {
            r.prose(6, format!("      {remedy}"));
        }
    }
    let bad = checks.iter().filter(|c| c.verdict != CheckVerdict::Pass).count();
    if bad == 0 {
        r.hint("Everything is in order.");
    }
}
