//! Applies a unified diff of one file to its text, with the strictness of `git apply`: every context line
//! must match, only the position may have moved.

/// A parsed patch of exactly one existing text file.
#[derive(Debug, PartialEq, Eq)]
pub struct FilePatch {
    pub old_path: String,
    pub new_path: String,
    hunks: Vec<Hunk>,
}

#[derive(Debug, PartialEq, Eq)]
struct Hunk {
    old_start: usize,
    leading: usize,
    trailing: usize,
    old: Vec<String>,
    new: Vec<String>,
}

impl FilePatch {
    pub fn parse(text: &str) -> Result<FilePatch, String> {
        if text.contains("GIT binary patch") || text.lines().any(|l| l.starts_with("Binary files ")) {
            return Err("it is a binary patch".into());
        }
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        let (mut old_path, mut new_path) = (None, None);
        let mut hunks = Vec::new();
        let mut at = 0;
        while at < lines.len() {
            let line = lines[at].trim_end_matches(['\n', '\r']);
            if let Some(header) = line.strip_prefix("@@ -") {
                if old_path.is_none() || new_path.is_none() {
                    return Err("a hunk comes before the file headers".into());
                }
                let (hunk, next) = parse_hunk(header, &lines, at + 1)?;
                hunks.push(hunk);
                at = next;
                continue;
            }
            if let Some(path) = line.strip_prefix("--- ") {
                set_once(&mut old_path, path, "a/")?;
            } else if let Some(path) = line.strip_prefix("+++ ") {
                set_once(&mut new_path, path, "b/")?;
            }
            at += 1;
        }
        match (old_path, new_path) {
            (Some(old_path), Some(new_path)) if !hunks.is_empty() => {
                Ok(FilePatch { old_path, new_path, hunks })
            }
            (Some(_), Some(_)) => Err("it has no hunks".into()),
            _ => Err("it needs exactly one --- and one +++ header".into()),
        }
    }

    pub fn apply(&self, text: &str) -> Result<String, String> {
        let mut lines: Vec<String> = text.split_inclusive('\n').map(str::to_string).collect();
        let mut offset = 0isize;
        for (n, hunk) in self.hunks.iter().enumerate() {
            let expected = hunk.old_start.saturating_sub(1).saturating_add_signed(offset);
            let Some(at) = find(&lines, hunk, expected) else {
                return Err(format!("hunk {} does not match at line {}", n + 1, hunk.old_start));
            };
            lines.splice(at..at + hunk.old.len(), hunk.new.iter().cloned());
            offset += hunk.new.len() as isize - hunk.old.len() as isize + at as isize - expected as isize;
        }
        Ok(lines.concat())
    }
}

fn set_once(slot: &mut Option<String>, header: &str, prefix: &str) -> Result<(), String> {
    if slot.is_some() {
        return Err("it has more than one file header".into());
    }
    // A tab separates the path from an optional time.
    let path = header.split('\t').next().unwrap_or(header).trim_end();
    if path == "/dev/null" {
        return Err("it creates or deletes a file".into());
    }
    *slot = Some(path.strip_prefix(prefix).unwrap_or(path).to_string());
    Ok(())
}

fn parse_hunk(header: &str, lines: &[&str], mut at: usize) -> Result<(Hunk, usize), String> {
    let bad = || format!("the hunk header '@@ -{header}' cannot be read");
    let (ranges, _) = header.split_once(" @@").ok_or_else(bad)?;
    let (old, new) = ranges.split_once(" +").ok_or_else(bad)?;
    let range = |text: &str| -> Option<(usize, usize)> {
        let (start, count) = text.split_once(',').unwrap_or((text, "1"));
        Some((start.parse().ok()?, count.parse().ok()?))
    };
    let (old_start, mut old_left) = range(old).ok_or_else(bad)?;
    let (_, mut new_left) = range(new).ok_or_else(bad)?;
    let mut hunk = Hunk { old_start, leading: 0, trailing: 0, old: Vec::new(), new: Vec::new() };
    let mut changed = false;
    let mut last = ' ';
    while old_left > 0 || new_left > 0 {
        let line = *lines.get(at).ok_or("the last hunk is cut short")?;
        at += 1;
        // A blank context line may have lost its leading space on the way.
        let (sign, rest) = match line.chars().next() {
            Some('\n') => (' ', line),
            Some(c) => (c, &line[c.len_utf8()..]),
            None => return Err("the last hunk is cut short".into()),
        };
        let take = |left: &mut usize| left.checked_sub(1).map(|n| *left = n);
        let fits = match sign {
            ' ' => take(&mut old_left).and(take(&mut new_left)),
            '-' => take(&mut old_left),
            '+' => take(&mut new_left),
            '\\' => {
                drop_newline(&mut hunk, last);
                continue;
            }
            _ => None,
        };
        fits.ok_or("a hunk does not have the lines its header announces")?;
        if sign != '+' {
            hunk.old.push(rest.to_string());
        }
        if sign != '-' {
            hunk.new.push(rest.to_string());
        }
        match sign {
            ' ' if changed => hunk.trailing += 1,
            ' ' => hunk.leading += 1,
            _ => {
                changed = true;
                hunk.trailing = 0;
            }
        }
        last = sign;
    }
    if lines.get(at).is_some_and(|l| l.starts_with('\\')) {
        drop_newline(&mut hunk, last);
        at += 1;
    }
    Ok((hunk, at))
}

/// "\ No newline at end of file" is about the line before it.
fn drop_newline(hunk: &mut Hunk, sign: char) {
    let cut = |lines: &mut Vec<String>| {
        if let Some(line) = lines.last_mut().filter(|line| line.ends_with('\n')) {
            line.pop();
        }
    };
    if sign != '+' {
        cut(&mut hunk.old);
    }
    if sign != '-' {
        cut(&mut hunk.new);
    }
}

/// A hunk without leading (trailing) context belongs to the beginning (end) of the file.
fn find(lines: &[String], hunk: &Hunk, expected: usize) -> Option<usize> {
    let room = lines.len().checked_sub(hunk.old.len())?;
    let fits = |at: usize| {
        let starts = hunk.old_start > 1 || at == 0;
        let ends = hunk.trailing > 0 || at == room;
        starts && ends && lines[at..at + hunk.old.len()] == hunk.old[..]
    };
    let expected = expected.min(room);
    (0..=lines.len()).find_map(|distance| {
        let below = expected.checked_sub(distance).filter(|at| fits(*at));
        below.or_else(|| Some(expected + distance).filter(|at| *at <= room && fits(*at)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "one\ntwo\nthree\nfour\nfive\n";

    fn patched(patch: &str, text: &str) -> Result<String, String> {
        FilePatch::parse(&format!("--- a/f\n+++ b/f\n{patch}")).and_then(|p| p.apply(text))
    }

    #[test]
    fn hunks_apply_exactly_or_not_at_all() {
        let middle = "@@ -2,3 +2,3 @@\n two\n-three\n+3\n four\n";
        assert_eq!(patched(middle, TEXT).unwrap(), "one\ntwo\n3\nfour\nfive\n");
        let moved = format!("zero\n{TEXT}");
        assert_eq!(patched(middle, &moved).unwrap(), "zero\none\ntwo\n3\nfour\nfive\n");
        assert!(patched(middle, "one\nTWO\nthree\nfour\n").is_err());
        let end = "@@ -4,2 +4,3 @@\n four\n five\n+six\n\\ No newline at end of file\n";
        assert_eq!(patched(end, TEXT).unwrap(), "one\ntwo\nthree\nfour\nfive\nsix");
        assert!(patched(end, &format!("{TEXT}tail\n")).is_err(), "the end moved");
        assert_eq!(patched("@@ -0,0 +1,1 @@\n+x\n", "").unwrap(), "x\n");
        let dashes = "@@ -1,2 +1,1 @@\n--- old\n keep\n";
        assert_eq!(patched(dashes, "-- old\nkeep\n").unwrap(), "keep\n");
    }

    #[test]
    fn what_is_not_a_patch_of_one_existing_file_is_refused() {
        assert!(FilePatch::parse("--- /dev/null\n+++ b/f\n@@ -0,0 +1 @@\n+x\n").is_err());
        assert!(FilePatch::parse("--- a/f\n+++ b/f\n--- a/g\n+++ b/g\n@@ -1 +1 @@\n-x\n+y\n").is_err());
        assert!(FilePatch::parse("--- a/f\n+++ b/f\nGIT binary patch\n").is_err());
        assert!(FilePatch::parse("--- a/f\n+++ b/f\n@@ -1,3 +1 @@\n-x\n").is_err());
    }
}
