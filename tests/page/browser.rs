//! The page in a real browser: signing in, live updates, deciding, taking back, and what hostile text and hostile sites
//! cannot do. Every screen passes axe-core's rules, wide and narrow, light and dark.

use std::io::{Read, Write};
use std::net::TcpListener;

use packd::daemon::passphrase::KeptPassphrase;
use packd::engine::confirm::person::Passphrase;
use serde_json::{Value, json};

use super::driver::Browser;
use super::visit::{agent, asks_for_deploy, call, gated, open};
use crate::common::real::{PACKD, Place, Ran};
use crate::families::deploy::rig::write;

const AXE: &str = include_str!("../data/axe-core/axe.min.js");
const HOSTILE: &str =
    "Ship it <script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\">";

/// Opens the page as a person does, and waits until it is there.
fn visit(browser: &Browser, place: &Place) -> u16 {
    let (port, code) = open(place, &[]);
    browser.go(&format!("http://127.0.0.1:{port}/#{code}"));
    browser.shows("Needs you");
    port
}

fn newest(place: &Place) -> Value {
    place.packd(&["history", "--json"]).json()["operations"][0].clone()
}

#[test]
fn signing_in_takes_the_code_out_of_the_address_and_uses_it_up() {
    let Some(browser) = Browser::start("signing_in_takes_the_code_out_of_the_address_and_uses_it_up") else {
        return;
    };
    let place = Place::new();
    let (port, code) = open(&place, &[]);
    let address = format!("http://127.0.0.1:{port}/#{code}");
    browser.go(&address);
    browser.shows("Needs you");
    assert_eq!(browser.address(), format!("http://127.0.0.1:{port}/"));
    assert!(!browser.source().contains(&code));
    let cookies = browser.cookies();
    let ours = cookies.iter().find(|c| c["name"] == json!(format!("packd-{port}"))).unwrap();
    assert_eq!((&ours["httpOnly"], &ours["sameSite"]), (&json!(true), &json!("Strict")), "{ours}");
    assert_eq!(browser.run("return document.cookie", json!([])), "");
    assert_eq!(browser.run("return history.length > 0 && JSON.stringify(history.state)", json!([])), "null");
    // The same address in a browser that is not signed in.
    browser.forge(&format!("packd-{port}"), &"0".repeat(64));
    browser.go("about:blank");
    browser.go(&address);
    browser.shows("This code was used before");
    // An ended sign-in: the page asks to sign in again, and shows nothing.
    let port = visit(&browser, &place);
    place.packd(&["task", "add", "Seen once"]).ok();
    browser.shows("Seen once");
    browser.forge(&format!("packd-{port}"), &"0".repeat(64));
    browser.go(&format!("http://127.0.0.1:{port}/"));
    browser.shows("not signed in, or no longer");
    assert!(!browser.text().contains("Seen once"));
}

/// What `packd ui` really starts: a browser on a file. Browsers tell the server that such a visit came from elsewhere.
#[test]
fn the_file_that_opens_the_browser_leads_to_the_page() {
    let Some(browser) = Browser::start("the_file_that_opens_the_browser_leads_to_the_page") else { return };
    let place = Place::new();
    let mut command = place.command(PACKD);
    command.arg("ui").env("BROWSER", "/bin/true");
    let said = Ran::of(command).ok();
    let files = std::fs::read_dir(place.home().dir().join("ui")).unwrap();
    let file = files.map(|f| f.unwrap().path()).next().unwrap();
    browser.go(&format!("file://{}", file.display()));
    browser.shows("Needs you");
    let port = said.strip_prefix("http://127.0.0.1:").unwrap().split_once('/').unwrap().0;
    assert_eq!(browser.address(), format!("http://127.0.0.1:{port}/"));
    assert!(!file.exists());
}

#[test]
fn what_happens_is_seen_as_it_happens_and_taken_back_with_two_clicks() {
    let Some(browser) = Browser::start("what_happens_is_seen_as_it_happens_and_taken_back_with_two_clicks")
    else {
        return;
    };
    let place = Place::new();
    let port = visit(&browser, &place);
    browser.shows("Nothing was done yet.");
    let mut agent = agent(&place);
    call(&mut agent, "tasks_create", json!({"kind": "plan", "title": "Things"}));
    call(&mut agent, "tasks_create", json!({"kind": "task", "parent": "PLAN-001", "title": HOSTILE}));
    browser.shows("Made TASK-001");
    browser.shows("<script>document.title='owned'</script>");
    assert_eq!(browser.run("return document.title", json!([])), "packd");
    assert_eq!(browser.run("return document.querySelectorAll('main script, main img').length", json!([])), 0);
    // Who is connected stands there with what it did last.
    browser.until("the session is shown", || {
        let lines = browser.run("return document.querySelector('#now').innerText", json!([]));
        lines.as_str().is_some_and(|t| t.contains("test") && t.contains("Made TASK-001"))
    });
    let id = newest(&place)["operation_id"].clone();
    browser.press("//*[@id='timeline']", "Undo");
    browser.shows("This takes back");
    assert_eq!(newest(&place)["operation_id"], id, "the first click only shows");
    browser.press("//dialog", "Undo");
    browser.until("it was undone", || newest(&place)["kind"] == "undo");
    assert_eq!((&newest(&place)["who"]["client"], &newest(&place)["of"]), (&json!("ui"), &id));
    browser.press("//*[@id='timeline']", "Redo");
    browser.press("//dialog", "Redo");
    browser.until("it was redone", || newest(&place)["kind"] == "redo");
    // Revert stands beside older ones, and a refusal is told where it was asked.
    browser.press("//*[@id='timeline']", "Revert");
    browser.until("the dialog is there", || {
        browser.run("return document.querySelector('#second').open", json!([])) == json!(true)
    });
    browser.key("\u{E00C}");
    browser.until("Escape closes it", || {
        browser.run("return document.querySelector('#second').open", json!([])) == json!(false)
    });
    browser.go(&format!("http://127.0.0.1:{port}/operation/{}", id.as_str().unwrap()));
    browser.shows("+ ");
    let bad: Vec<String> =
        browser.complaints().into_iter().filter(|c| !c.contains("Failed to load")).collect();
    assert!(bad.is_empty(), "{bad:?}");
}

#[test]
fn a_person_approves_what_was_shown_and_says_the_passphrase() {
    let Some(browser) = Browser::start("a_person_approves_what_was_shown_and_says_the_passphrase") else {
        return;
    };
    let place = gated("");
    KeptPassphrase::new(&place.home()).change(Some("correct horse")).unwrap();
    visit(&browser, &place);
    let mut agent = agent(&place);
    asks_for_deploy(&mut agent);
    browser.shows("AGENTS.md");
    browser.press("//article", "Approve");
    browser.type_into("//dialog//input[@type='password']", "wrong horse");
    browser.press("//dialog", "Approve");
    browser.shows("2 tries are left");
    assert!(!place.work().join("AGENTS.md").exists());
    browser.type_into("//dialog//input[@type='password']", "correct horse");
    browser.press("//dialog", "Approve");
    browser.until("it was deployed", || place.work().join("AGENTS.md").exists());
    browser.shows("Nothing waits for you.");
    // Without a passphrase it is one click, and Decline another.
    drop(agent);
    let place = gated("");
    visit(&browser, &place);
    let mut agent = super::visit::agent(&place);
    asks_for_deploy(&mut agent);
    browser.press("//article", "Decline");
    browser.shows("Declined");
    asks_for_deploy(&mut agent);
    browser.press("//article", "Approve");
    browser.until("it was deployed", || place.work().join("AGENTS.md").exists());
}

/// A page of another site, as an attacker would serve it from this very machine.
fn elsewhere(page: String) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten().take(8) {
            let mut stream = stream;
            let mut some = [0; 4096];
            let _ = stream.read(&mut some);
            let head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\nContent-Length: ";
            let _ = stream.write_all(format!("{head}{}\r\n\r\n{page}", page.len()).as_bytes());
        }
    });
    port
}

#[test]
fn another_site_can_neither_read_nor_act() {
    let Some(browser) = Browser::start("another_site_can_neither_read_nor_act") else { return };
    let place = Place::new();
    place.packd(&["task", "add", "Secret plan"]).ok();
    let port = visit(&browser, &place);
    browser.shows("Secret plan");
    let id = newest(&place)["operation_id"].as_str().unwrap().to_string();
    // The token even: a site that knew it still could not use it.
    let token = browser.run("return document.querySelector('meta[name=packd-token]').content", json!([]));
    let page = format!(
        "<!doctype html><title>evil</title><body><iframe id=f src='http://127.0.0.1:{port}/'></iframe><script>
        const at = 'http://127.0.0.1:{port}';
        const body = JSON.stringify({{operation_id: '{id}', yes: true}});
        const tries = [
          fetch(at + '/', {{credentials: 'include'}}).then((r) => r.text()),
          fetch(at + '/events', {{credentials: 'include'}}).then((r) => r.text()),
          fetch(at + '/undo', {{method: 'POST', credentials: 'include', body, headers: {{'Content-Type': 'application/json', 'X-Packd-Token': '{}'}}}}).then((r) => r.text()),
          fetch(at + '/undo', {{method: 'POST', credentials: 'include', mode: 'no-cors', body}}).then((r) => r.type),
        ];
        Promise.allSettled(tries).then((all) => {{ document.title = 'tried ' + JSON.stringify(all.map((one) => one.value || 'refused')); }});
        </script>",
        token.as_str().unwrap()
    );
    let evil = elsewhere(page);
    browser.go(&format!("http://127.0.0.1:{evil}/"));
    let title = || browser.run("return document.title", json!([])).as_str().unwrap_or_default().to_string();
    browser.until("the site has tried everything", || title().starts_with("tried"));
    assert!(title().starts_with("tried [\"refused\",\"refused\",\"refused\",\"refused\"]"), "{}", title());
    assert_eq!(newest(&place)["operation_id"], json!(id), "nothing was undone");
    // Another name for this machine is not ours.
    browser.go(&format!("http://localhost:{port}/"));
    browser.shows("to no other name");
    assert!(!browser.text().contains("Secret"));
    // The person's own page still works.
    browser.go(&format!("http://127.0.0.1:{port}/"));
    browser.shows("Secret plan");
}

#[test]
fn without_scripts_the_page_reads() {
    let Some(browser) = Browser::start("without_scripts_the_page_reads") else { return };
    let place = Place::new();
    place.packd(&["task", "add", "Ship OAuth"]).ok();
    let port = visit(&browser, &place);
    browser.scripts(false);
    browser.go(&format!("http://127.0.0.1:{port}/"));
    let source = browser.source();
    assert!(source.contains("Ship OAuth") && source.contains("Made TASK-001"), "{source}");
    browser.scripts(true);
}

/// A place with something of everything.
fn full() -> Place {
    let place = gated("");
    write(&place.work().join("src/login.rs"), "fn verify() -> bool {\n    true\n}\n");
    for title in ["Ship OAuth", "Rotate the keys", "Write the changelog"] {
        place.packd(&["task", "add", title, "--step", "Wire the login flow", "--test", "cargo test"]).ok();
    }
    place.packd(&["task", "start", "TASK-001"]).ok();
    place.packd(&["pack", "new", "How login works", "--name", "login-flow"]).ok();
    place.packd(&["pack", "add", "login-flow", "src/login.rs:1-3", "--why", "the check itself"]).ok();
    place.packd(&["undo", "--yes"]).ok();
    place.packd(&["redo", "--yes"]).ok();
    place
}

#[test]
fn every_screen_passes_axe_wide_and_narrow_light_and_dark() {
    let Some(browser) = Browser::start("every_screen_passes_axe_wide_and_narrow_light_and_dark") else {
        return;
    };
    let place = full();
    let mut agent = agent(&place);
    asks_for_deploy(&mut agent);
    let (port, code) = open(&place, &[]);
    let home = format!("http://127.0.0.1:{port}");
    let check = |name: &str| {
        for (wide, dark) in [(1280, false), (1280, true), (320, false), (320, true)] {
            browser.screen(wide, 900, dark);
            browser.run(AXE, json!([]));
            let found = browser.run_async(
                "const done = arguments[0]; axe.run().then((r) => done(r.violations.map((v) => [v.id, v.nodes.map((n) => n.html.slice(0, 200) + ' ' + n.failureSummary)])), (e) => done(String(e)));",
                json!([]),
            );
            assert_eq!(found, json!([]), "{name} at {wide}, dark: {dark}: {found:#}");
            let over = browser.run(
                "return document.documentElement.scrollWidth - document.documentElement.clientWidth",
                json!([]),
            );
            assert!(over.as_i64().unwrap() <= 0, "{name} at {wide} is {over} px too wide");
        }
    };
    browser.go(&home);
    check("sign-in");
    browser.go("about:blank");
    browser.go(&format!("{home}/#{code}"));
    browser.shows("Approve");
    browser.until("the parts are there", || {
        browser.run(
            "return [...document.querySelectorAll('[data-part]')].every((p) => p.dataset.there)",
            json!([]),
        ) == json!(true)
    });
    check("first screen");
    browser.press("//*[@id='timeline']", "Undo");
    browser.shows("This takes back");
    check("dialog");
    let first = browser.source();
    for kind in ["operation", "task", "pack"] {
        let address = first.split(&format!("href=\"/{kind}/")).nth(1).unwrap().split('"').next().unwrap();
        browser.go(&format!("{home}/{kind}/{}", address.replace("&amp;", "&")));
        browser.shows("packd");
        check(kind);
    }
    browser.go(&format!("{home}/nosuch"));
    check("refusal");
}

/// From the keyboard alone: to the first decision, and into its dialog.
#[test]
fn everything_is_reached_from_the_keyboard() {
    let Some(browser) = Browser::start("everything_is_reached_from_the_keyboard") else { return };
    let place = full();
    visit(&browser, &place);
    browser.shows("Made TASK-003");
    let focused = || {
        browser.run("const a = document.activeElement; return a.dataset.act || a.id || a.tagName", json!([]))
    };
    let mut seen = Vec::new();
    for _ in 0..80 {
        browser.key("\u{E004}");
        seen.push(focused().as_str().unwrap_or_default().to_string());
        if seen.last().is_some_and(|at| at == "undo") {
            break;
        }
    }
    assert_eq!(seen.last().map(String::as_str), Some("undo"), "{seen:?}");
    assert!(seen.contains(&"family".to_string()), "{seen:?}");
    browser.key("\u{E007}");
    browser.shows("This takes back");
    browser.until("the dialog has the focus", || focused() == json!("second-go"));
    browser.key("\u{E007}");
    browser.until("it was undone", || newest(&place)["kind"] == "undo");
}

/// `PACKD_UPDATE_PICTURES=1 cargo test pictures` renews the pictures in `docs/`.
#[test]
fn pictures_of_the_page() {
    let Some(browser) = Browser::start("pictures_of_the_page") else { return };
    let place = full();
    let mut agent = agent(&place);
    call(&mut agent, "tasks_claim", json!({"task": "TASK-002"}));
    asks_for_deploy(&mut agent);
    visit(&browser, &place);
    browser.shows("Approve");
    browser.until("the parts are there", || {
        let there = "return [...document.querySelectorAll('[data-part]')].every((p) => p.dataset.there)";
        browser.run(there, json!([])) == json!(true)
    });
    let held = browser.run("return document.querySelector('#now').innerText", json!([]));
    assert!(held.as_str().unwrap().contains("TASK-002 Rotate the keys"), "the claimed task: {held}");
    for (wide, high) in [(1280, 1500), (400, 1400)] {
        browser.screen(wide, high, false);
        let picture = browser.picture();
        assert!(picture.starts_with(b"\x89PNG"));
        if std::env::var_os("PACKD_UPDATE_PICTURES").is_some() {
            let docs = concat!(env!("CARGO_MANIFEST_DIR"), "/docs");
            std::fs::write(format!("{docs}/page-{wide}.png"), picture).unwrap();
        }
    }
}
