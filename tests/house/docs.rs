//! The documentation is true: links lead somewhere, the tutorial runs, the examples load, the host pages name real files.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use packd::families::hosts::table::{HOSTS, UserDirs};

use crate::cli::rig::Desk;
use crate::families::deploy::rig::write;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

fn read(path: &str) -> String {
    std::fs::read_to_string(Path::new(ROOT).join(path)).unwrap_or_else(|e| panic!("{path}: {e}"))
}

fn pages() -> Vec<PathBuf> {
    fn below(dir: &Path, out: &mut Vec<PathBuf>) {
        for entry in std::fs::read_dir(dir).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                below(&path, out);
            } else if path.extension().is_some_and(|e| e == "md") {
                out.push(path);
            }
        }
    }
    let mut out: Vec<PathBuf> =
        ["README.md", "CONTRIBUTING.md", "SECURITY.md"].iter().map(|p| Path::new(ROOT).join(p)).collect();
    below(&Path::new(ROOT).join("docs"), &mut out);
    out
}

/// The targets of `[text](target)` outside of code.
fn links(text: &str) -> Vec<String> {
    let mut code = false;
    let mut out = Vec::new();
    for line in text.lines() {
        code ^= line.trim_start().starts_with("```");
        let mut rest = if code { "" } else { line };
        while let Some(at) = rest.find("](") {
            rest = &rest[at + 2..];
            let end = rest.find(')').unwrap_or(rest.len());
            out.push(rest[..end].to_string());
            rest = &rest[end..];
        }
    }
    out
}

/// What links call the headings of a page.
fn headings(text: &str) -> Vec<String> {
    let slug = |title: &str| -> String {
        let kept = title.trim().to_lowercase();
        let kept = kept.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
        kept.map(|c| if c == ' ' { '-' } else { c }).collect()
    };
    text.lines().filter(|l| l.starts_with('#')).map(|l| slug(l.trim_start_matches('#'))).collect()
}

#[test]
fn the_picture_of_the_readme_is_made_by_its_script() {
    let script = Path::new(ROOT).join("docs/tour.sh");
    assert!(std::process::Command::new("sh").arg("-n").arg(&script).status().unwrap().success());
    assert!(read("README.md").contains("](docs/tour.svg)"));
    // Every command it types is a command, and the picture shows each of them.
    let picture = read("docs/tour.svg").replace("&#160;", " ").replace("&#x27;", "'");
    let words = |line: &str| -> Vec<String> { line.split(' ').map(str::to_string).collect() };
    let typed: Vec<String> = read("docs/tour.sh")
        .lines()
        .filter_map(|l| l.strip_prefix("type_it \"")?.strip_suffix('"').map(str::to_string))
        .collect();
    assert!(typed.len() > 3, "{typed:?}");
    for line in typed {
        let first: Vec<String> = words(&line).into_iter().take(2).collect();
        assert!(picture.contains(&first.join(" ")), "{line} is not in docs/tour.svg; run docs/tour.sh");
    }
    assert!(!picture.contains("Traceback") && !picture.contains("@font-face"));
}

#[test]
fn every_link_leads_to_a_file_that_is_there() {
    let mut checked = 0;
    for page in pages() {
        let text = std::fs::read_to_string(&page).unwrap();
        for link in links(&text).iter().filter(|l| !l.contains("://") && !l.starts_with('#')) {
            let file = link.split('#').next().unwrap_or_default();
            let target = page.parent().unwrap().join(file);
            assert!(target.exists(), "{} links to {link}, which does not exist", page.display());
            if let Some((_, heading)) = link.split_once('#') {
                let headings = headings(&std::fs::read_to_string(&target).unwrap());
                assert!(headings.iter().any(|h| h == heading), "{}: {link}: no such heading", page.display());
            }
            checked += 1;
        }
    }
    assert!(checked > 30, "only {checked} links were found: the walk is broken");
}

#[test]
fn the_readme_is_short_and_says_how_to_begin() {
    let text = read("README.md");
    assert!(text.lines().count() <= 150, "{} lines", text.lines().count());
    assert!(!text.contains("missed"));
    for word in ["cargo install --path .", "packaging/install.sh", "packd up", "packd setup", "packd undo"] {
        assert!(text.contains(word), "{word}");
    }
}

/// The commands of the `sh` blocks of a page, comments left out.
fn commands(text: &str) -> Vec<String> {
    let mut shell = false;
    let mut out = Vec::new();
    for line in text.lines() {
        match line.trim() {
            "```sh" => shell = true,
            "```" => shell = false,
            command if shell => {
                let command = command.split("  #").next().unwrap_or_default().trim();
                out.extend(Some(command.to_string()).filter(|c| !c.is_empty() && !c.starts_with('#')));
            }
            _ => {}
        }
    }
    out
}

/// As a shell makes words of a line with single quotes.
fn words(line: &str) -> Vec<String> {
    let mut out = Vec::new();
    for (i, part) in line.split('\'').enumerate() {
        match i % 2 {
            0 => out.extend(part.split_whitespace().map(str::to_string)),
            _ => out.push(part.to_string()),
        }
    }
    out
}

fn run(desk: &Desk, line: &str) {
    let words = words(line);
    assert_eq!(words[0], "packd", "{line}");
    let args: Vec<&str> = words[1..].iter().map(String::as_str).collect();
    let ran = desk.packd(&args);
    assert_eq!(ran.code, Some(0), "`{line}`: {ran:?}");
}

#[test]
fn every_command_of_the_tutorial_works_in_its_order() {
    let desk = Desk::new();
    let lines = commands(&read("docs/tutorial.md"));
    assert!(lines.len() > 25, "only {} commands were found", lines.len());
    lines.iter().for_each(|line| run(&desk, line));
}

#[test]
fn the_pages_of_packs_and_tasks_show_commands_that_work() {
    for page in ["docs/packs.md", "docs/tasks.md"] {
        let desk = Desk::new();
        commands(&read(page)).iter().for_each(|line| run(&desk, line));
    }
}

#[test]
fn every_example_loads() {
    let desk = Desk::new();
    let example = |name: &str| Path::new(ROOT).join("docs/examples").join(name);
    desk.packd(&["pack", "import", example("pack.md").to_str().unwrap()]).ok();
    let shown = desk.packd(&["pack", "show", "login-flow"]).ok();
    assert!(shown.contains("fn verify(token: &str) -> bool {"), "{shown}");

    let repo = desk.place.path().join("config");
    write(&repo.join("agentpack.yaml"), std::fs::read(example("agentpack.yaml")).unwrap());
    write(&repo.join("modules/base/AGENTS.md"), "# base\n");
    write(&repo.join("modules/review.md"), "---\ndescription: review\n---\nReview it.\n");
    let plan = desk.packd(&["deploy", "--repo", repo.to_str().unwrap()]).ok();
    assert!(plan.contains("AGENTS.md") && plan.contains("review.md"), "{plan}");

    write(
        &desk.work().join("ecosystems/shop/ecosystem.yaml"),
        std::fs::read(example("ecosystem.yaml")).unwrap(),
    );
    assert!(desk.packd(&["eco", "validate", "shop"]).ok().contains("is in order"));

    write(&desk.work().join("aam.yaml"), std::fs::read(example("aam.yaml")).unwrap());
    write(
        &desk.work().join("skills/hello/SKILL.md"),
        "---\nname: hello\ndescription: Says hello\n---\nHello.\n",
    );
    assert!(desk.packd(&["pkg", "validate"]).ok().contains("team-greeter 0.1.0 is in order"));
}

#[test]
fn the_pages_show_the_examples_as_they_are() {
    let shown = [
        ("packs", "pack.md"),
        ("deploy", "agentpack.yaml"),
        ("packages", "aam.yaml"),
        ("ecosystems", "ecosystem.yaml"),
    ];
    for (page, example) in shown {
        let text = read(&format!("docs/examples/{example}"));
        assert!(
            read(&format!("docs/{page}.md")).contains(text.trim_end()),
            "docs/{page}.md shows another {example}"
        );
    }
}

#[test]
fn every_host_has_a_page_that_names_its_files() {
    let places = UserDirs { home: "/h".into(), workspace: "/w".into(), ..UserDirs::default() };
    for host in HOSTS {
        let page = read(&format!("docs/hosts/{}.md", host.id));
        let user = host.file(&places, false).to_string_lossy().replacen("/h/", "~/", 1);
        assert!(page.contains(&format!("`{user}`")), "{}: {user}", host.id);
        assert!(page.contains(&format!("`{}`", host.servers)), "{}: {}", host.id, host.servers);
        assert!(page.contains(&format!("packd setup {}", host.id)));
    }
}

/// Tests that a text names in code marks: `folder::file`, or `folder::file::test`.
fn named_tests(text: &str) -> Vec<&str> {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/tests");
    let names = text.split('`').skip(1).step_by(2).filter(|name| {
        name.split("::").count() > 1
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == ':')
            && name.split("::").next().is_some_and(|dir| std::path::Path::new(root).join(dir).is_dir())
    });
    // Parts of the source are called so, too.
    names.filter(|name| *name != "store::derive").collect()
}

fn is_a_test(name: &str) -> bool {
    let file = |parts: &[&str]| {
        let path = format!("{}/tests/{}.rs", env!("CARGO_MANIFEST_DIR"), parts.join("/"));
        std::fs::read_to_string(path).ok()
    };
    let parts: Vec<&str> = name.split("::").collect();
    let Some((last, module)) = parts.split_last() else { return false };
    let has = |text: String| text.contains(&format!("#[test]\nfn {last}()"));
    file(&parts).is_some() || file(module).is_some_and(has)
}

/// Sentences about invariants once outlived what held them.
#[test]
fn every_invariant_names_tests_that_exist() {
    assert!(
        is_a_test("house::docs::every_invariant_names_tests_that_exist")
            && !is_a_test("house::docs::no_such")
    );
    let lib = include_str!("../../src/lib.rs").replace("\n//!", "\n");
    let list = &lib[lib.find("# Invariants").unwrap()..lib.find("#[allow").unwrap()];
    for invariant in list.split("\n - **").skip(1) {
        let title = invariant.split("**").next().unwrap_or_default();
        assert!(!named_tests(invariant).is_empty(), "no test is named for: {title}");
    }
    let world = include_str!("../../src/core/world.rs").split("\nuse ").next().unwrap_or_default();
    assert!(named_tests(world).len() >= 4, "core/world.rs names the tests that hold what it promises");
    let architecture = include_str!("../../docs/architecture.md");
    for (page, text) in [("src/lib.rs", list), ("src/core/world.rs", world), ("architecture", architecture)] {
        let unknown: Vec<_> = named_tests(text).into_iter().filter(|name| !is_a_test(name)).collect();
        assert!(unknown.is_empty(), "{page} names {unknown:?}, which are no tests");
    }
}

/// The functions that a path leads through: `file.rs name, name` between arrows.
fn stops(path: &str) -> Vec<(&str, &str)> {
    let mut out = Vec::new();
    for part in path.split(['→', '▶', '\n']) {
        let part = part.split('(').next().unwrap_or_default().trim();
        if let Some((file, names)) = part.split_once(".rs ") {
            out.extend(names.split(", ").map(|name| (file, name)));
        }
    }
    out
}

/// What moved is to be found where the page says, and a call must not become harder to follow without anybody noticing.
#[test]
fn the_call_paths_are_true() {
    let page = include_str!("../../docs/architecture.md");
    let part = page.split("## The way of one call").nth(1).unwrap().split("\n## ").next().unwrap();
    let paths: Vec<&str> =
        part.split("```text\n").skip(1).map(|block| block.split("```").next().unwrap()).collect();
    let [within, out, disk, _, _, _, _, staged, confirmed] = paths[..] else {
        panic!("{} paths", paths.len())
    };
    for (file, name) in paths.iter().flat_map(|path| stops(path)) {
        let text = read(&format!("src/{file}.rs"));
        let there = [format!("fn {name}("), format!("fn {name}<")].iter().any(|wanted| text.contains(wanted));
        assert!(there, "src/{file}.rs has no function {name}");
    }
    let push: Vec<_> = [within, staged, out, confirmed, disk].iter().flat_map(|path| stops(path)).collect();
    let functions: BTreeSet<_> = push.iter().collect();
    let (mut files, mut returns) = (vec![push[0].0], 0);
    for pair in push.windows(2).filter(|pair| pair[0].0 != pair[1].0) {
        returns += usize::from(files.contains(&pair[1].0));
        files.push(pair[1].0);
    }
    let files: BTreeSet<_> = files.into_iter().collect();
    let count = format!("{} functions in {} files, and {returns} returns", functions.len(), files.len());
    assert!(part.contains(&count), "the page should say: {count}");
    assert!(functions.len() <= 60 && returns <= 12, "the push has become harder to follow: {count}");
}
