//! The generated parts of the documentation are what the program says. `PACKD_UPDATE_README=1 cargo test readme` renews them.

mod dependencies;

use std::collections::BTreeMap;

use packd::core::Safety;
use packd::core::declared::{Confirm, Gate};

const TOOLS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/tools.md");
const CONCEPTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/concepts.md");

/// Several tests may renew their part at once.
static ONE_AT_A_TIME: std::sync::Mutex<()> = std::sync::Mutex::new(());

fn check(page: &str, name: &str, wanted: &str) {
    let _guard = ONE_AT_A_TIME.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let text = std::fs::read_to_string(page).unwrap();
    let (begin, end) = (format!("<!-- begin {name} -->\n"), format!("<!-- end {name} -->"));
    let from = text.find(&begin).unwrap_or_else(|| panic!("{page} has no part {name}")) + begin.len();
    let to = text[from..].find(&end).unwrap_or_else(|| panic!("{name} does not end")) + from;
    if std::env::var_os("PACKD_UPDATE_README").is_some() {
        return std::fs::write(page, format!("{}{wanted}{}", &text[..from], &text[to..])).unwrap();
    }
    // Not assert_eq: the two tables would fill the screen.
    assert!(
        text[from..to] == *wanted,
        "{name} is out of date; renew it: PACKD_UPDATE_README=1 cargo test readme"
    );
}

#[test]
fn the_tool_table_is_true() {
    let mut by_family: BTreeMap<&str, Vec<_>> = BTreeMap::new();
    let tools = packd::daemon::assemble::declared().unwrap();
    for tool in &tools {
        by_family.entry(&tool.family).or_default().push(tool);
    }
    let mut out = String::new();
    for (family, tools) in by_family {
        out += &format!(
            "\n**{family}**\n\n| tool | what it does | safety | gate | confirmation |\n|---|---|---|---|---|\n"
        );
        for tool in tools {
            let safety = match tool.rules.safety {
                Safety::ReadOnly => "read-only",
                Safety::SafeWrite => "safe-write",
                Safety::Dangerous => "dangerous",
            };
            let gate = match (tool.rules.safety, tool.rules.gate) {
                (Safety::ReadOnly, _) => "",
                (_, _) if tool.rules.ungated => "none",
                (_, Gate::Own) => "own guards",
                (_, Gate::Yes) => "`yes`",
                (_, Gate::AllowWrite) => "`--allow-write`",
                (_, Gate::Mode) => "mode",
            };
            let confirm = match tool.rules.confirm {
                Confirm::None => "",
                Confirm::Simple => "simple",
                Confirm::Preview => "preview",
                Confirm::Type => "type",
            };
            out += &format!("| `{}` | {} | {safety} | {gate} | {confirm} |\n", tool.name, tool.rules.line);
        }
    }
    check(TOOLS, "tools", &out);
}

#[test]
fn the_sizes_are_true() {
    let mut sizes: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    let tools = packd::daemon::assemble::declared().unwrap();
    for tool in &tools {
        let size = sizes.entry(&tool.family).or_default();
        size.0 += 1;
        size.1 += tool.served.len() + 1;
    }
    let mut out = String::from("\n| toolset | tools | bytes of `tools/list` |\n|---|---|---|\n");
    for (family, (count, bytes)) in &sizes {
        out += &format!("| `{family}` | {count} | {bytes} |\n");
    }
    let (count, bytes) = sizes.values().fold((0, 0), |a, b| (a.0 + b.0, a.1 + b.1));
    out += &format!("| all | {count} | {bytes} |\n");
    let free: Vec<_> = tools.iter().filter(|tool| tool.rules.needs_flag.is_none()).collect();
    let bytes: usize = free.iter().map(|tool| tool.served.len() + 1).sum();
    out += &format!("| all, without `--allow-write` | {} | {bytes} |\n", free.len());
    check(TOOLS, "sizes", &out);
}

#[test]
fn the_policy_table_is_true() {
    check(CONCEPTS, "policy", &format!("\n{}", packd::policy::markdown()));
}

/// The shim carries variables by this file, so that it need not know the families that read them.
#[test]
fn the_variables_of_a_hello_are_those_that_families_declare() {
    let mut readers: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (reader, names) in packd::daemon::assemble::variables() {
        names.iter().for_each(|name| readers.entry(name).or_default().push(reader));
    }
    let mut groups: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for (name, by) in readers {
        groups.entry(by.join(", ")).or_default().push(name);
    }
    let mut wanted = String::from(
        "# Environment variables that a client says in its Hello, beside what its programs may be given a part of.\n\
         # One name a line; a trailing * stands for every name that begins so. Above them, who reads them.\n\
         # Made of what the families declare: PACKD_UPDATE_README=1 cargo test readme\n",
    );
    for (by, names) in groups {
        wanted += &format!("\n# {by}\n{}\n", names.join("\n"));
    }
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/proto/environment.txt");
    if std::env::var_os("PACKD_UPDATE_README").is_some() {
        return std::fs::write(path, wanted).unwrap();
    }
    assert_eq!(std::fs::read_to_string(path).unwrap(), wanted, "PACKD_UPDATE_README=1 cargo test readme");
}

/// Lists of agents that schemas repeat: the file, the property, its values. They follow `core::agents`.
fn lists_of_agents() -> [(&'static str, &'static str, Vec<&'static str>); 2] {
    let mut targets = vec!["all"];
    targets.extend(packd::core::agents::targets());
    [
        ("proto/tools/deploy.json", "target", targets),
        ("proto/tools/packages.json", "platform", packd::core::agents::platforms()),
    ]
}

#[test]
fn the_lists_of_agents_in_schemas_are_true() {
    for (file, property, values) in lists_of_agents() {
        let path = format!("{}/{file}", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(&path).unwrap();
        let wanted = format!("\"enum\": {}", serde_json::to_string(&values).unwrap().replace(',', ", "));
        let start = format!("\"{property}\": {{");
        let (mut out, mut rest, mut lists) = (String::new(), text.as_str(), 0);
        while let Some(at) = rest.find(&start) {
            let end = at + rest[at..].find('}').unwrap();
            let one = &rest[at..end];
            out += &rest[..at];
            out += &match (one.find("\"enum\": ["), one.find(']')) {
                (Some(from), Some(to)) => format!("{}{wanted}{}", &one[..from], &one[to + 1..]),
                _ => one.to_string(),
            };
            lists += usize::from(one.contains("\"enum\""));
            rest = &rest[end..];
        }
        out += rest;
        assert!(lists > 0, "{file} has no list for {property}");
        if std::env::var_os("PACKD_UPDATE_README").is_some() {
            std::fs::write(&path, &out).unwrap();
        } else {
            assert!(out == text, "{file} is out of date; renew it: PACKD_UPDATE_README=1 cargo test readme");
        }
    }
}

#[test]
fn the_lists_of_targets_in_examples_are_true() {
    let mark = "# Known targets: ";
    let wanted = format!("{mark}{}.", packd::core::agents::targets().join(", "));
    for file in ["proto/templates/agentpack.yaml", "docs/examples/agentpack.yaml", "docs/deploy.md"] {
        let path = format!("{}/{file}", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(&path).unwrap();
        let line = text.lines().find(|line| line.starts_with(mark)).unwrap_or_else(|| panic!("{file}"));
        if std::env::var_os("PACKD_UPDATE_README").is_some() {
            std::fs::write(&path, text.replace(line, &wanted)).unwrap();
        } else {
            assert!(
                line == wanted,
                "{file} is out of date; renew it: PACKD_UPDATE_README=1 cargo test readme"
            );
        }
    }
}
