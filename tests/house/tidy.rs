//! The layering of the source, checked by reading it: who may know what.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// Every Rust file below a path of the repository, with its text up to its own tests.
fn sources(below: &str) -> Vec<(String, String)> {
    let mut out = Vec::new();
    walk(&Path::new(ROOT).join(below), &mut out);
    assert!(!out.is_empty(), "{below} has no sources");
    out
}

fn walk(path: &PathBuf, out: &mut Vec<(String, String)>) {
    if path.is_dir() {
        let mut entries: Vec<_> = std::fs::read_dir(path).unwrap().map(|e| e.unwrap().path()).collect();
        entries.sort();
        entries.iter().for_each(|p| walk(p, out));
    } else if path.extension().is_some_and(|e| e == "rs") {
        let text = std::fs::read_to_string(path).unwrap();
        let code = text.split("#[cfg(test)]").next().unwrap_or_default().to_string();
        out.push((path.strip_prefix(ROOT).unwrap().display().to_string(), code));
    }
}

/// Lines of code (not comments) that contain one of the words.
fn mentions(files: &[(String, String)], words: &[&str]) -> Vec<String> {
    let mut out = Vec::new();
    for (path, text) in files {
        for (i, line) in text.lines().enumerate() {
            let code = line.split("//").next().unwrap_or_default();
            if let Some(word) = words.iter().find(|w| code.contains(**w)) {
                out.push(format!("{path}:{}: {word}", i + 1));
            }
        }
    }
    out
}

fn assert_none(what: &str, found: Vec<String>) {
    assert!(found.is_empty(), "{what}:\n{}", found.join("\n"));
}

#[test]
fn only_the_store_names_the_database() {
    let others: Vec<_> = sources("src").into_iter().filter(|(p, _)| !p.starts_with("src/store/")).collect();
    assert_none("redb outside the store", mentions(&others, &["redb::", "use redb"]));
}

#[test]
fn yaml_has_one_reader() {
    let others: Vec<_> = sources("src").into_iter().filter(|(p, _)| p != "src/core/yaml.rs").collect();
    assert_none("YAML read elsewhere", mentions(&others, &["serde_saphyr"]));
}

/// The pure layers are crates that `clippy.toml` counts for whole.
#[test]
fn the_pure_layers_are_excused_from_nothing() {
    let mut files = sources("src/core");
    files.extend(sources("src/families"));
    files.extend(sources("src/policy.rs"));
    assert_none("excused from clippy.toml", mentions(&files, &["disallowed_methods"]));
}

#[test]
fn core_families_and_policy_are_pure() {
    let mut files = sources("src/core");
    files.extend(sources("src/families"));
    files.extend(sources("src/policy.rs"));
    // Files, environment, clock, randomness and programs: `clippy.toml` forbids the calls themselves.
    let words = ["std::net", "async fn", ".await", "println!"];
    assert_none("sockets, waiting or printing where there must be none", mentions(&files, &words));
}

#[test]
fn no_family_calls_another() {
    let names: Vec<String> = std::fs::read_dir(Path::new(ROOT).join("src/families"))
        .unwrap()
        .map(|e| e.unwrap().file_name().to_string_lossy().replace(".rs", ""))
        .filter(|n| n != "mod")
        .collect();
    for name in &names {
        let one = sources("src/families")
            .into_iter()
            .filter(|(p, _)| p.starts_with(&format!("src/families/{name}")));
        let one: Vec<_> = one.collect();
        for other in names.iter().filter(|o| *o != name) {
            let found = mentions(&one, &[&format!("families::{other}"), &format!("super::super::{other}")]);
            assert_none(&format!("{name} knows {other}"), found);
        }
    }
}

#[test]
fn only_assembling_knows_the_families() {
    // What is kept from fuzzing is fed to the families themselves.
    let own = |p: &str| {
        p == "src/daemon/assemble.rs" || p.starts_with("src/families/") || p.starts_with("src/fuzzing/")
    };
    let others: Vec<_> = sources("src").into_iter().filter(|(p, _)| !own(p)).collect();
    assert_none("a family named outside daemon/assemble", mentions(&others, &["crate::families"]));
}

/// `HOSTNAME` was read by a family and never said by any client.
#[test]
fn a_family_reads_no_variable_that_it_does_not_declare() {
    let mut read = 0;
    for (family, declared) in packd::daemon::assemble::variables() {
        let known = |name: &str| {
            declared.iter().any(|d| match d.strip_suffix('*') {
                Some(beginning) => name.starts_with(beginning),
                None => name == *d,
            })
        };
        let own = format!("src/families/{family}/");
        for (path, text) in sources("src/families").into_iter().filter(|(path, _)| path.starts_with(&own)) {
            let lines: Vec<&str> = text.lines().collect();
            for (i, line) in lines.iter().enumerate() {
                // A name stands where it is read, in a list right above, or is given to what reads it.
                let near = match line {
                    _ if line.contains("session.env") => lines[i.saturating_sub(1)..=i].join("\n"),
                    _ if line.contains("var(\"") => line.to_string(),
                    _ => continue,
                };
                let capitals =
                    |word: &&str| word.len() > 3 && word.chars().all(|c| c.is_ascii_uppercase() || c == '_');
                for name in near.split('"').skip(1).step_by(2).filter(capitals) {
                    assert!(known(name), "{path}:{} reads {name}, which {family} does not declare", i + 1);
                    read += 1;
                }
            }
        }
    }
    assert!(read >= 14, "only {read} readings were found");
}

#[test]
fn engine_and_mcp_name_no_tool() {
    let names: Vec<String> =
        packd::daemon::assemble::declared().unwrap().into_iter().map(|t| t.name).collect();
    // Words of the language as well: `plan` is a mode, `status` and `diff` are fields.
    let quoted: Vec<String> = names.iter().filter(|n| n.contains('_')).map(|n| format!("\"{n}")).collect();
    let words: Vec<&str> = quoted.iter().map(String::as_str).collect();
    for part in ["src/engine", "src/mcp"] {
        assert_none("a tool named where none is known", mentions(&sources(part), &words));
    }
}

/// A tool's arguments are a struct, read once over its schema; nobody picks them out of a map by name.
#[test]
fn arguments_are_read_in_one_place() {
    let words = ["args[\"", "args.get(\"", "arguments[\"", "arguments.get(\""];
    for part in ["src/core", "src/families", "src/engine", "src/mcp"] {
        let files: Vec<_> =
            sources(part).into_iter().filter(|(path, _)| !path.starts_with("src/core/arguments/")).collect();
        assert_none("arguments read by name", mentions(&files, &words));
    }
}

/// What a run, a trash entry or a mirrored file is of, its family knows; stored and sent fields keep their names.
#[test]
fn below_the_families_nobody_knows_their_subjects() {
    let words = ["ecosystem", "context_pack", "CONTEXT_PACK", "AMOF", "AGENTPACK", "deploy"];
    for part in ["src/engine", "src/mcp", "src/store", "src/ipc"] {
        let found = mentions(&sources(part), &words);
        let at = |found: &str| {
            let (path, rest) = found.split_once(':').unwrap();
            let line: usize = rest.split(':').next().unwrap().parse().unwrap();
            let text = std::fs::read_to_string(Path::new(ROOT).join(path)).unwrap();
            text.lines().nth(line - 1).unwrap().trim().to_string()
        };
        let field = |found: &String| at(found).starts_with("#[serde(rename = \"");
        assert_none("a subject of a family", found.into_iter().filter(|found| !field(found)).collect());
    }
}

/// What a layer names of the others is in its manifest; whatever else it must not have is not there either.
#[test]
fn a_layer_depends_on_those_below_it() {
    let rules: &[(&str, &[&str], &[&str])] = &[
        ("core", &[], &["tokio", "redb", "rustix"]),
        ("families", &["core"], &["tokio", "redb", "rustix"]),
        ("store", &["core"], &["tokio", "clap", "hyper"]),
        ("engine", &["core", "store", "supervise"], &["redb", "clap", "hyper"]),
        ("ipc", &[], &["tokio", "clap", "serde_json"]),
        ("shim", &["ipc", "supervise"], &["tokio", "clap", "redb", "serde", "serde_json"]),
        ("supervise", &[], &["tokio", "clap", "serde", "libc"]),
    ];
    for (layer, below, without) in rules {
        let text =
            std::fs::read_to_string(Path::new(ROOT).join("src").join(layer).join("Cargo.toml")).unwrap();
        let manifest: toml::Table = toml::from_str(&text).unwrap();
        let names: Vec<&str> =
            manifest["dependencies"].as_table().unwrap().keys().map(String::as_str).collect();
        let layers: Vec<&str> = names.iter().filter_map(|name| name.strip_prefix("packd-")).collect();
        assert_eq!(layers, *below, "{layer} knows other layers");
        assert_none(
            layer,
            without.iter().filter(|name| names.contains(name)).map(|name| name.to_string()).collect(),
        );
    }
}

/// The layers above the engine are one crate.
#[test]
fn within_the_daemon_layers_know_only_what_is_below_them() {
    let rules: &[(&str, &[&str])] = &[
        ("src/mcp", &["crate::store", "crate::families", "crate::page", "crate::daemon", "crate::cli"]),
        ("src/page", &["crate::store", "crate::families", "crate::daemon", "crate::ipc"]),
        (
            "src/bin/packd-mcp.rs",
            &["packd::core", "packd::store", "packd::engine", "packd::daemon", "packd::cli"],
        ),
    ];
    for (part, forbidden) in rules {
        assert_none(&format!("{part} knows too much"), mentions(&sources(part), forbidden));
    }
}

/// The page and the terminal are two faces of the same views: it knows those, and nothing else of the command line.
#[test]
fn the_page_knows_the_views_of_the_command_line_and_no_more() {
    let files: Vec<_> = sources("src/page")
        .into_iter()
        .map(|(path, text)| (path, text.replace("crate::cli::view", "")))
        .collect();
    assert_none("the page knows the command line", mentions(&files, &["crate::cli"]));
    let others: Vec<_> = sources("src").into_iter().filter(|(p, _)| !p.starts_with("src/page/")).collect();
    assert_none("HTTP or TCP outside the page", mentions(&others, &["hyper::", "TcpListener"]));
}

#[test]
fn sockets_are_opened_in_one_place() {
    let others = sources("src")
        .into_iter()
        .filter(|(p, _)| !p.starts_with("src/ipc/") && p != "src/daemon/listener.rs");
    assert_none(
        "a socket outside ipc and the listener",
        mentions(&others.collect::<Vec<_>>(), &["UnixListener::", "UnixStream::connect"]),
    );
}

/// A family once cloned, moved and removed directories through the door for looking, under a lock of its own.
#[test]
fn families_keep_no_caches_of_their_own_on_disk() {
    let files = sources("src/families");
    let words = ["program: \"mv\"", "program: \"rm\"", "program: \"git\"", "\"ls-remote\"", ": Mutex<()>"];
    assert_none("a family that writes while it prepares", mentions(&files, &words));
}

#[test]
fn programs_are_started_in_one_place() {
    // The command line and whatever is part of the shim start programs of their own: the daemon, a pager, the program
    // of a run.
    let own = ["src/engine/programs.rs", "src/ipc/start.rs"];
    let others = sources("src").into_iter().filter(|(p, _)| {
        !own.contains(&p.as_str())
            && !["src/cli/", "src/shim/", "src/supervise/"].iter().any(|d| p.starts_with(d))
    });
    let words = ["process::Command", "process::{Child, Command", "process::{Command", "Command::new("];
    assert_none("a program outside engine/programs", mentions(&others.collect::<Vec<_>>(), &words));
}

#[test]
fn git_is_spoken_in_one_place() {
    let others =
        sources("src").into_iter().filter(|(p, _)| p != "src/core/git.rs" && !p.starts_with("src/cli/"));
    let words = ["program: \"git\"", "command(\"git\"", "GIT_TERMINAL", "GIT_CONFIG", "GIT_ALLOW_PROTOCOL"];
    assert_none("git outside core/git", mentions(&others.collect::<Vec<_>>(), &words));
}

#[test]
fn only_the_command_line_prints() {
    let others =
        sources("src").into_iter().filter(|(p, _)| !p.starts_with("src/cli/") && !p.starts_with("src/bin/"));
    assert_none(
        "printing outside the command line",
        mentions(&others.collect::<Vec<_>>(), &["println!", "print!("]),
    );
}

/// In a stack trace, a search or a review a name has to say which one is meant.
#[test]
fn no_two_public_types_share_a_name() {
    let mut homes: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (path, text) in sources("src") {
        for name in text.lines().filter_map(public_type) {
            homes.entry(name.to_string()).or_default().push(path.clone());
        }
    }
    assert!(homes.len() > 1000, "only {} types were found", homes.len());
    let shared = homes.iter().filter(|(_, at)| at.len() > 1);
    assert_none("types of one name", shared.map(|(name, at)| format!("{name}: {}", at.join(", "))).collect());
}

/// The name of the type that a line makes known to others.
fn public_type(line: &str) -> Option<&str> {
    let rest = line.trim_start().strip_prefix("pub")?;
    let rest = match rest.strip_prefix('(') {
        Some(scope) => scope.split_once(')')?.1,
        None => rest,
    };
    let kinds = [" struct ", " enum ", " trait ", " type ", " union "];
    let rest = kinds.iter().find_map(|kind| rest.strip_prefix(kind))?;
    rest.split(|c: char| !c.is_alphanumeric() && c != '_').next()
}

#[test]
fn every_file_says_what_it_is() {
    for part in ["src", "tests", "benches"] {
        for (path, text) in sources(part) {
            assert!(text.starts_with("//!"), "{path} does not open with what it promises");
        }
    }
}

/// `Value` and `json!` are for what is really a bag; this only ever gets smaller.
const BAGS_IN_A_THOUSAND_LINES: usize = 20;

#[test]
fn untyped_values_do_not_come_back() {
    let (mut lines, mut mentions) = (0, 0);
    for (_, text) in sources("src") {
        lines += text.lines().count();
        for code in text.lines().map(|line| line.split("//").next().unwrap_or_default()) {
            let words = code.split(|c: char| !c.is_ascii_alphanumeric() && c != '_' && c != '!');
            mentions += words.filter(|word| ["Value", "json!"].contains(word)).count();
        }
    }
    let found = mentions * 1000;
    assert!(found <= lines * BAGS_IN_A_THOUSAND_LINES, "{mentions} mentions in {lines} lines");
    assert!(found > lines * (BAGS_IN_A_THOUSAND_LINES - 2), "lower the limit: {mentions} in {lines} lines");
}
