//! How things stand, as text: lines in the order in which they matter, at most 3 kB.
//!
//! Agents get the calls that go on from here, persons the commands. What does not fit is counted, never cut in silence.

use crate::core::standing::NextCall;
use crate::core::{Op, Timestamp};

use super::standing::NowStanding;

/// The whole text.
const MOST: usize = 3 * 1024;
/// One line.
const LINE: usize = 240;
/// Lines of one part.
const PART: usize = 5;

pub fn written(now: &NowStanding) -> String {
    let mut parts = vec![work(now)];
    let list = |title: &str, lines: Vec<String>| part(title, lines);
    parts.extend(list("Waits for a person:", now.waiting.iter().map(|line| bullet(line)).collect()));
    let remarks = now.remarks.iter().map(|remark| {
        let closer = match (&remark.command, &remark.next) {
            (Some(command), _) if now.person => format!(" (`{command}`)"),
            (_, Some(next)) if !now.person => format!(" ({})", next.written()),
            _ => String::new(),
        };
        bullet(&format!("{}{closer}", remark.text))
    });
    parts.extend(list("Look at:", remarks.collect()));
    parts.extend(list("Held:", now.holders.iter().map(|line| bullet(line)).collect()));
    parts.extend(others(now));
    cut(parts)
}

fn work(now: &NowStanding) -> String {
    let Some(work) = &now.work else {
        return format!("No work is in hand in {}.", now.workspace);
    };
    let mut lines = vec![line(&format!("In hand: {} ({})", work.what, work.because))];
    // The call comes early: hosts that shorten a reply keep its beginning.
    lines.extend(work.next.as_ref().filter(|_| !now.person).map(next));
    lines.extend(work.lines.iter().map(|text| line(text)));
    lines.join("\n")
}

fn next(call: &NextCall) -> String {
    format!("Next: {}", call.written())
}

fn others(now: &NowStanding) -> Option<String> {
    let title = match now.others.since {
        Some(since) => format!("Done by others since you looked {}:", ago(since, now.now)),
        None => "Done here last:".to_string(),
    };
    let shown = |op: &Op| {
        let who = if op.who.client.is_empty() { "somebody" } else { &op.who.client };
        bullet(&format!("{}, {who}, {}", op.summary, ago(op.time, now.now)))
    };
    let mut lines: Vec<String> = now.others.ops.iter().map(shown).collect();
    if now.others.more {
        lines.push("- and more before that".to_string());
    }
    part(&title, lines)
}

fn part(title: &str, mut lines: Vec<String>) -> Option<String> {
    if lines.is_empty() {
        return None;
    }
    let left = lines.len().saturating_sub(PART + 1);
    if left > 0 {
        lines.truncate(PART);
        lines.push(format!("- and {} more", left + 1));
    }
    Some(format!("{title}\n{}", lines.join("\n")))
}

fn bullet(text: &str) -> String {
    line(&format!("- {text}"))
}

/// One line, and not a long one.
fn line(text: &str) -> String {
    let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if flat.chars().count() <= LINE {
        return flat;
    }
    flat.chars().take(LINE - 1).chain(['…']).collect()
}

/// Whole parts as long as they fit; of the first one, as many lines as do.
fn cut(parts: Vec<String>) -> String {
    let mut out = String::new();
    let mut left_out = 0;
    for part in parts {
        let room = MOST.saturating_sub(out.len() + 80);
        if part.len() + 2 <= room {
            if !out.is_empty() {
                out.push_str("\n\n");
            }
            out.push_str(&part);
        } else if out.is_empty() {
            let mut lines = Vec::new();
            let mut used = 0;
            for line in part.lines() {
                used += line.len() + 1;
                if used > room {
                    break;
                }
                lines.push(line);
            }
            out.push_str(&lines.join("\n"));
        } else {
            left_out += 1;
        }
    }
    if left_out > 0 {
        out.push_str(&format!("\n\n({left_out} more parts did not fit.)"));
    }
    out
}

fn ago(then: Timestamp, now: Timestamp) -> String {
    match (now.seconds() - then.seconds()).max(0) {
        s if s < 60 => "just now".to_string(),
        s if s < 3600 => format!("{} min ago", s / 60),
        s if s < 48 * 3600 => format!("{} h ago", s / 3600),
        s => format!("{} days ago", s / 86_400),
    }
}
