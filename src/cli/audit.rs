//! `packd audit`: the audit stream in a file with its digests, and whether digests and records fit together.
//!
//! A file and the running store are read by the same code, line by line; a file needs no daemon.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::Path;

use serde_json::{Value, json};

use super::args::AuditCommand;
use super::progress::SignOfLife;
use super::view::render::{Ink, Render};
use super::{Client, CommandFailure, CommandScope, ToolArgs};
use crate::core::chain::{Broken, LIMITS, Reading};

pub fn run(command: AuditCommand, render: Render, scope: &CommandScope) -> Result<(), CommandFailure> {
    match command {
        AuditCommand::Export { file, force } => export(&file, force, render, scope),
        AuditCommand::Verify { file: None, .. } => {
            let verdict = read(&mut Lines::of_store(scope)?, |_| Ok(None))?;
            tell(render, "The store", &verdict, 0)
        }
        AuditCommand::Verify { file: Some(file), store } => {
            let shown = file.display().to_string();
            let verdict = read(&mut Lines::of_file(&file)?, |_| Ok(None))?;
            if !store || verdict.broken.is_some() {
                return tell(render, &shown, &verdict, 0);
            }
            let compared = verdict.count;
            let verdict = compare(&file, compared, scope)?;
            tell(render, "The store", &verdict, compared)
        }
    }
}

/// How a chain was found.
struct Verdict {
    count: u64,
    broken: Option<Broken>,
}

fn export(file: &Path, force: bool, render: Render, scope: &CommandScope) -> Result<(), CommandFailure> {
    let exists = || {
        CommandFailure::refused(format!("{} exists already.", file.display()))
            .hint("Choose another name, or use --force to replace it.")
    };
    if !force && file.symlink_metadata().is_ok() {
        return Err(exists());
    }
    let cannot =
        |e: std::io::Error| CommandFailure::refused(format!("Cannot write {}: {e}.", file.display()));
    let dir = match file.parent() {
        Some(dir) if dir != Path::new("") => dir,
        _ => Path::new("."),
    };
    // Beside the file it becomes, so that half an export never has its name; mode 0600 from birth.
    let temporary = tempfile::Builder::new().prefix(".packd-audit-").tempfile_in(dir).map_err(cannot)?;
    let mut out = BufWriter::new(temporary.reopen().map_err(cannot)?);
    let progress = SignOfLife::start(render, "exporting the audit stream");
    let mut written = 0u64;
    let mut lines = Lines::of_store(scope)?;
    let mut broken = None;
    let mut reading = Reading::default();
    while let Some(line) = lines.next()? {
        writeln!(out, "{line}").map_err(cannot)?;
        written += 1;
        if broken.is_none() {
            broken = reading.take(&line).err();
        }
    }
    broken = broken.or_else(|| reading.end().err());
    out.flush().map_err(cannot)?;
    drop(out);
    temporary.as_file().sync_all().map_err(cannot)?;
    match force {
        true => temporary.persist(file).map_err(|e| cannot(e.error))?,
        false => temporary.persist_noclobber(file).map_err(|e| match e.error.kind() {
            std::io::ErrorKind::AlreadyExists => exists(),
            _ => cannot(e.error),
        })?,
    };
    File::open(dir).and_then(|d| d.sync_all()).map_err(cannot)?;
    drop(progress);
    if let Some(broken) = broken {
        let message = format!("{} was written, but its chain is broken. {}", file.display(), words(&broken));
        return Err(
            CommandFailure::refused(message).hint("The store is as it is; nothing was left out of the file.")
        );
    }
    render.show(&json!({"file": file, "records": written}), |r| {
        r.line(format!("{}  {} ({written} records)", r.ink(Ink::Green, "ok"), file.display()));
        r.line(format!("Verify it with `packd audit verify {}`.", file.display()));
    });
    Ok(())
}

/// Verifies the store and that it begins with the lines of the file, of which there are so many.
fn compare(file: &Path, expected: u64, scope: &CommandScope) -> Result<Verdict, CommandFailure> {
    let mut earlier = Lines::of_file(file)?;
    let verdict = read(&mut Lines::of_store(scope)?, |line| {
        let differs = earlier.next()?.is_some_and(|earlier| earlier != line);
        Ok(differs.then_some("it is not the record that the file has in its place"))
    })?;
    if verdict.broken.is_none() && verdict.count < expected {
        let why = "the file has more records than the store: the newest were cut off";
        let broken = Broken { line: verdict.count + 1, number: None, id: None, why };
        return Ok(Verdict { broken: Some(broken), ..verdict });
    }
    Ok(verdict)
}

/// Reads a chain to its end or to the first record that does not fit; `also` may object to one that does.
fn read(
    lines: &mut Lines,
    mut also: impl FnMut(&str) -> Result<Option<&'static str>, CommandFailure>,
) -> Result<Verdict, CommandFailure> {
    let mut reading = Reading::default();
    while let Some(line) = lines.next()? {
        let (objection, taken) = (also(&line)?, reading.take(&line));
        let broken = match (taken, objection) {
            (Err(broken), _) => broken,
            (Ok(()), Some(why)) => {
                let record = serde_json::from_str::<Value>(&line).unwrap_or_default()["record"].take();
                let id = record["id"].as_str().map(str::to_string);
                Broken { line: reading.count, number: record["number"].as_u64(), id, why }
            }
            (Ok(()), None) => continue,
        };
        return Ok(Verdict { count: broken.line - 1, broken: Some(broken) });
    }
    match reading.end() {
        Ok(()) => Ok(Verdict { count: reading.count, broken: None }),
        Err(broken) => Ok(Verdict { count: broken.line - 1, broken: Some(broken) }),
    }
}

fn tell(render: Render, what: &str, verdict: &Verdict, compared: u64) -> Result<(), CommandFailure> {
    let broken = verdict.broken.as_ref();
    let answer = json!({
        "ok": broken.is_none(), "records": verdict.count, "compared": compared, "limits": LIMITS,
        "broken": broken.map(|b| json!({"line": b.line, "number": b.number, "id": b.id, "why": b.why})),
    });
    render.show(&answer, |r| {
        if broken.is_some() {
            return;
        }
        r.line(format!(
            "{}  {what}: {} records, each as it was chained.",
            r.ink(Ink::Green, "ok"),
            verdict.count
        ));
        match compared {
            0 => r.line(LIMITS),
            n => r.line(format!("It begins with exactly the {n} records of the file.")),
        }
    });
    match broken {
        None => Ok(()),
        Some(broken) => {
            let message =
                format!("{what} is broken. {} {} records before it are right.", words(broken), verdict.count);
            Err(CommandFailure::refused(message).shown())
        }
    }
}

fn words(broken: &Broken) -> String {
    let name = match (broken.number, &broken.id) {
        (Some(number), Some(id)) => format!("record {number} ({id})"),
        (Some(number), None) => format!("record {number}"),
        (None, _) => format!("line {}", broken.line),
    };
    format!("The first that does not fit is {name}: {}.", broken.why)
}

/// Lines of a chain, whoever has them.
enum Lines {
    File(BufReader<File>, String),
    Store { client: Box<Client>, waiting: VecDeque<String>, after: Option<u64> },
}

impl Lines {
    fn of_file(path: &Path) -> Result<Lines, CommandFailure> {
        let shown = path.display().to_string();
        match File::open(path) {
            Ok(file) => Ok(Lines::File(BufReader::new(file), shown)),
            Err(e) => Err(CommandFailure::refused(format!("Cannot read {shown}: {e}."))),
        }
    }

    fn of_store(scope: &CommandScope) -> Result<Lines, CommandFailure> {
        let client = Box::new(Client::open(scope)?);
        Ok(Lines::Store { client, waiting: VecDeque::new(), after: Some(0) })
    }

    fn next(&mut self) -> Result<Option<String>, CommandFailure> {
        match self {
            Lines::File(file, shown) => {
                let mut line = Vec::new();
                let n = file
                    .read_until(b'\n', &mut line)
                    .map_err(|e| CommandFailure::refused(format!("Cannot read {shown}: {e}.")))?;
                // What is no text, or has no end, stays something that no chain has.
                let text = String::from_utf8_lossy(&line);
                Ok((n > 0).then(|| text.strip_suffix('\n').map_or(format!("{text}…"), str::to_string)))
            }
            Lines::Store { client, waiting, after } => {
                while let (true, Some(from)) = (waiting.is_empty(), *after) {
                    let page = client.own("packd/audit", ToolArgs::new().with("after", from))?;
                    let lines = page["lines"].as_array().cloned().unwrap_or_default();
                    waiting.extend(lines.iter().filter_map(Value::as_str).map(str::to_string));
                    *after = page["next"].as_u64();
                }
                Ok(waiting.pop_front())
            }
        }
    }
}
