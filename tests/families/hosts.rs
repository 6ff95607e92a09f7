//! One entry in somebody else's file: everything around it stays, for every host and both formats.

use packd::families::hosts::entry::{ServerEntry, look, put, remove, snippet};
use packd::families::hosts::table::{Format, HOSTS, McpHost, UserDirs};

const SHIM: &str = "/opt/packd/bin/packd-mcp";

fn entry(host: &McpHost) -> ServerEntry {
    ServerEntry {
        command: SHIM.into(),
        args: vec!["--toolsets".into(), "packs,history".into()],
        home: Some("/srv/packd home".into()),
        extra: host.extra(),
    }
}

/// A file as a person keeps it: comments, another server, odd order, no trailing newline where that is usual.
fn lived_in(host: &McpHost) -> String {
    match host.format {
        Format::Toml => format!(
            "# mine\nmodel = \"x\" # the good one\n\n[{s}.other]\ncommand = \"npx\" # keep\nargs = [ \"-y\" ]\n\n\
             [profiles.fast]\nmodel = \"y\"\n",
            s = host.section
        ),
        Format::Json => format!(
            "// mine\n{{\n\t\"zebra\": 1, // first\n\t/* servers */\n\t\"{s}\": {{\n\t\t\"other\": {{ \"command\": \"npx\", \
             \"args\": [\"-y\"] }} // keep\n\t}},\n\t\"alpha\": [1,  2]\n}}",
            s = host.section
        ),
    }
}

/// The lines of `part` appear in `whole` in this order.
fn keeps(whole: &str, part: &str) {
    let mut lines = whole.lines();
    for line in part.lines() {
        // A comma may have to follow what was the last entry.
        let found = lines.any(|l| l == line || l.replace(',', "") == line.replace(',', ""));
        assert!(found, "the line {line:?} is gone or moved in:\n{whole}");
    }
}

#[test]
fn everything_around_the_entry_stays() {
    for host in HOSTS {
        let before = lived_in(host);
        let after = put(host, &before, &entry(host)).unwrap();
        keeps(&after, &before);
        let found = look(host, &after).unwrap().unwrap();
        assert_eq!(found.command, SHIM, "{}", host.id);
        assert_eq!(found.args, ["--toolsets", "packs,history"]);
        assert_eq!(found.home.as_deref(), Some("/srv/packd home"));
        assert_eq!(look(host, &before).unwrap(), None);
    }
}

#[test]
fn a_second_time_changes_nothing() {
    for host in HOSTS {
        for before in [lived_in(host), String::new()] {
            let once = put(host, &before, &entry(host)).unwrap();
            assert_eq!(put(host, &once, &entry(host)).unwrap(), once, "{}", host.id);
        }
    }
}

#[test]
fn taking_out_leaves_what_was_there() {
    for host in HOSTS {
        let before = lived_in(host);
        let with = put(host, &before, &entry(host)).unwrap();
        let without = remove(host, &with).unwrap();
        assert_eq!(look(host, &without).unwrap(), None);
        keeps(&without, &before);
        assert_eq!(remove(host, &before).unwrap(), before, "{}: nothing to take out", host.id);
    }
}

#[test]
fn what_a_person_added_to_the_entry_stays() {
    let host = McpHost::find("gemini").unwrap();
    let text = "{\n  \"mcpServers\": {\n    \"packd\": {\n      \"command\": \"/old/packd-mcp\", // moved\n      \
                \"args\": [],\n      \"trust\": true,\n      \"env\": { \"LANG\": \"C\", \"PACKD_HOME\": \"/old\" }\n    }\n  }\n}\n";
    let new = ServerEntry { home: None, args: Vec::new(), ..entry(host) };
    let after = put(host, text, &new).unwrap();
    assert!(after.contains("\"trust\": true") && after.contains("\"LANG\": \"C\""), "{after}");
    assert!(after.contains(SHIM) && !after.contains("/old") && !after.contains("PACKD_HOME"), "{after}");

    let host = McpHost::find("codex").unwrap();
    let text = "[mcp_servers.packd]\ncommand = \"/old/packd-mcp\" # moved\nstartup_timeout_sec = 30\n\n\
                [mcp_servers.packd.env]\nLANG = \"C\"\nPACKD_HOME = \"/old\"\n";
    let after = put(host, text, &ServerEntry { home: None, args: Vec::new(), ..entry(host) }).unwrap();
    assert!(after.contains("# moved") && after.contains("startup_timeout_sec = 30"), "{after}");
    assert!(after.contains("LANG = \"C\"") && !after.contains("/old"), "{after}");
}

#[test]
fn a_file_that_its_host_could_not_read_is_refused_with_a_reason() {
    for host in HOSTS {
        let broken: &[&str] = match host.format {
            Format::Toml => &["model = ", "[a\n", "mcp_servers = 3\n"],
            Format::Json => &["{", "[]", "{\"a\": 1 \"b\": 2}", "{a: 1}", "{'a': 1}"],
        };
        for text in broken {
            let why = put(host, text, &entry(host)).unwrap_err();
            assert!(!why.is_empty() && !why.contains('\n'), "{}: {text:?}: {why:?}", host.id);
        }
        let taken = match host.format {
            Format::Toml => format!("{} = [1]\n", host.section),
            Format::Json => format!("{{\"{}\": [1]}}", host.section),
        };
        assert!(put(host, &taken, &entry(host)).is_err(), "{}: the section is something else", host.id);
    }
}

#[test]
fn the_snippet_is_a_file_of_its_own() {
    for host in HOSTS {
        let text = snippet(host, &entry(host));
        assert_eq!(look(host, &text).unwrap().unwrap().command, SHIM, "{}", host.id);
    }
}

#[test]
fn files_are_where_each_host_looks() {
    let mut places =
        UserDirs { home: "/home/me".into(), workspace: "/src/app".into(), ..UserDirs::default() };
    let file = |id: &str, places: &UserDirs, project| {
        McpHost::find(id).unwrap().file(places, project).display().to_string()
    };
    for (id, user, project) in [
        ("claude", "/home/me/.claude.json", "/src/app/.mcp.json"),
        ("codex", "/home/me/.codex/config.toml", "/src/app/.codex/config.toml"),
        ("cursor", "/home/me/.cursor/mcp.json", "/src/app/.cursor/mcp.json"),
        ("vscode", "/home/me/.config/Code/User/mcp.json", "/src/app/.vscode/mcp.json"),
        ("gemini", "/home/me/.gemini/settings.json", "/src/app/.gemini/settings.json"),
        ("copilot", "/home/me/.copilot/mcp-config.json", "/src/app/.github/mcp.json"),
        ("zed", "/home/me/.config/zed/settings.json", "/src/app/.zed/settings.json"),
    ] {
        assert_eq!(file(id, &places, false), user);
        assert_eq!(file(id, &places, true), project);
    }
    for (name, value) in
        [("CODEX_HOME", "/x/codex"), ("COPILOT_HOME", "/x/copilot"), ("XDG_CONFIG_HOME", "/x/cfg")]
    {
        places.env.insert(name.into(), value.into());
    }
    assert_eq!(file("codex", &places, false), "/x/codex/config.toml");
    assert_eq!(file("copilot", &places, false), "/x/copilot/mcp-config.json");
    assert_eq!(file("zed", &places, false), "/x/cfg/zed/settings.json");
    places.macos = true;
    assert_eq!(file("zed", &places, false), "/home/me/.config/zed/settings.json");
    assert_eq!(file("vscode", &places, false), "/home/me/Library/Application Support/Code/User/mcp.json");
    // A variable that is no full path would depend on who reads it.
    places.env.insert("CODEX_HOME".into(), "codex".into());
    assert_eq!(file("codex", &places, false), "/home/me/.codex/config.toml");
}
