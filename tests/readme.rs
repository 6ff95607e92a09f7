//! The generated parts of the documentation are what the program says. `PACKD_UPDATE_README=1 cargo test readme` renews them.

use std::collections::BTreeMap;

use packd::core::Safety;
use packd::core::tool::{Confirm, Gate};

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
    let tools = packd::families::tools().unwrap();
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
    let tools = packd::families::tools().unwrap();
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
