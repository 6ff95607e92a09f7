//! Who gets in: names, origins, codes, cookies and tokens. What other local servers let through is refused here:
//! CVE-2025-49596, CVE-2025-66414, CVE-2026-22812 and CVE-2025-24010 were all a web page that could speak to one.

use serde_json::{Value, json};

use super::visit::{Answer, Visit, open};
use crate::common::real::Place;

/// The headers of every answer, whatever it says.
fn closed_off(answer: &Answer) {
    let of = |name: &str| answer.headers.get(name).map(String::as_str).unwrap_or_default();
    let policy = of("content-security-policy");
    for part in [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "connect-src 'self'",
        "img-src 'self'",
    ] {
        assert!(policy.contains(part), "{part}: {answer:?}");
    }
    assert!(!policy.contains("unsafe"), "{policy}");
    assert_eq!(of("x-frame-options"), "DENY", "{answer:?}");
    assert_eq!(of("referrer-policy"), "no-referrer", "{answer:?}");
    assert_eq!(of("cache-control"), "no-store", "{answer:?}");
    let opened = answer.headers.keys().find(|name| name.starts_with("access-control"));
    assert_eq!(opened, None, "nobody else may read this: {answer:?}");
}

fn refused(answer: &Answer) {
    assert!((400..500).contains(&answer.status), "{answer:?}");
    closed_off(answer);
    assert!(!answer.body.contains("TASK-001"), "{answer:?}");
}

fn with_task() -> Visit {
    let visit = Visit::new();
    visit.place.packd(&["task", "add", "Secret plan"]).ok();
    visit
}

#[test]
fn nothing_is_shown_to_a_browser_that_is_not_signed_in() {
    let visit = with_task();
    let shown = visit.get("/");
    assert_eq!(shown.status, 200);
    assert!(shown.body.contains("Secret plan"), "{}", shown.body);
    closed_off(&shown);
    let bare = visit.ask("GET", "/", &[], b"");
    assert!(!bare.body.contains("Secret") && bare.body.contains("packd ui"), "{bare:?}");
    closed_off(&bare);
    for path in ["/events", "/task/TASK-001", "/part/plots", "/operation/x", "/nothing", "/../etc/passwd"] {
        refused(&visit.ask("GET", path, &[], b""));
    }
    for cookie in
        ["packd-1=x", &format!("packd-{}=", visit.port), &format!("packd-{}={}", visit.port, "0".repeat(64))]
    {
        let answer = visit.ask("GET", "/", &[("Cookie", cookie)], b"");
        assert!(!answer.body.contains("Secret"), "{cookie}: {answer:?}");
    }
    refused(&visit.ask("GET", "/", &[("Cookie", &format!("packd-{}={}", visit.port, "0".repeat(64)))], b""));
    // The token is no cookie and the code is none either.
    for wrong in [&visit.token, &visit.code] {
        refused(&visit.ask("GET", "/", &[("Cookie", &format!("packd-{}={wrong}", visit.port))], b""));
    }
}

#[test]
fn other_names_and_other_sites_are_turned_away() {
    let visit = with_task();
    let port = visit.port;
    let cookie = visit.cookie.as_str();
    for host in ["localhost", "evil.example", "127.0.0.1", "127.0.0.1.evil.example", "0.0.0.0", "[::1]"] {
        let name = if host == "127.0.0.1" { host.to_string() } else { format!("{host}:{port}") };
        let text = format!("GET / HTTP/1.1\r\nHost: {name}\r\nCookie: {cookie}\r\nConnection: close\r\n\r\n");
        refused(&visit.raw(text.as_bytes()).unwrap());
    }
    let none = format!("GET / HTTP/1.0\r\nCookie: {cookie}\r\n\r\n");
    refused(&visit.raw(none.as_bytes()).unwrap());
    for origin in ["null", "http://evil.example", "http://localhost:1", &format!("https://127.0.0.1:{port}")]
    {
        refused(&visit.ask("GET", "/", &[("Cookie", cookie), ("Origin", origin)], b""));
        refused(&visit.ask("GET", "/events", &[("Cookie", cookie), ("Origin", origin)], b""));
    }
    for site in ["cross-site", "same-site"] {
        refused(&visit.ask("GET", "/", &[("Cookie", cookie), ("Sec-Fetch-Site", site)], b""));
    }
    for site in ["same-origin", "none"] {
        assert_eq!(visit.ask("GET", "/", &[("Cookie", cookie), ("Sec-Fetch-Site", site)], b"").status, 200);
    }
    refused(&visit.ask("OPTIONS", "/undo", &[("Origin", "http://evil.example")], b""));
}

#[test]
fn a_post_needs_the_cookie_the_token_and_json() {
    let visit = with_task();
    let id = visit.place.packd(&["history", "--json"]).json()["operations"][0]["operation_id"].clone();
    let body = json!({"operation_id": id, "yes": true}).to_string();
    let (cookie, token) = (("Cookie", visit.cookie.as_str()), ("X-Packd-Token", visit.token.as_str()));
    let kind = ("Content-Type", "application/json");
    let wrong = "0".repeat(64);
    for headers in [
        &[cookie, kind][..],
        &[token, kind],
        &[cookie, token],
        &[cookie, token, ("Content-Type", "text/plain")],
        &[cookie, token, ("Content-Type", "application/x-www-form-urlencoded")],
        &[cookie, kind, ("X-Packd-Token", &wrong)],
        &[cookie, kind, token, token],
        &[cookie, kind, token, ("Origin", "http://evil.example")],
        &[cookie, kind, token, ("Sec-Fetch-Site", "cross-site")],
    ] {
        refused(&visit.ask("POST", "/undo", headers, body.as_bytes()));
    }
    let newest = visit.place.packd(&["history", "--json"]).json()["operations"][0].clone();
    assert_eq!((&newest["operation_id"], &newest["status"]), (&id, &json!("done")), "nothing was undone");
    assert_eq!(visit.post("/undo", &json!({"operation_id": id, "yes": true})).status, 200);
    refused(&visit.post("/nosuch", &json!({})));
    refused(&visit.post("/", &json!({})));
}

#[test]
fn a_code_works_once_and_a_second_sign_in_is_another_one() {
    let mut visit = Visit::new();
    let bare = |visit: &Visit, body: Value| {
        visit.ask("POST", "/sign-in", &[("Content-Type", "application/json")], body.to_string().as_bytes())
    };
    let again = bare(&visit, json!({"code": visit.code}));
    refused(&again);
    assert_eq!(again.status, 401);
    assert!(!again.headers.contains_key("set-cookie"));
    for body in
        [json!({"code": ""}), json!({"code": 1}), json!({}), json!([]), json!({"code": "0".repeat(64)})]
    {
        refused(&bare(&visit, body));
    }
    let answer = visit.ask("POST", "/sign-in", &[("Content-Type", "application/json")], b"{broken");
    refused(&answer);
    let (port, code) = open(&visit.place, &[]);
    assert_eq!(port, visit.port, "one listener");
    assert!(code != visit.code && code.len() >= 32);
    let first = (visit.cookie.clone(), visit.token.clone());
    visit.code = code;
    visit.sign_in();
    assert!(visit.cookie != first.0 && visit.token != first.1);
    // The token of one does not serve the other.
    let headers =
        [("Cookie", first.0.as_str()), ("X-Packd-Token", &visit.token), ("Content-Type", "application/json")];
    refused(&visit.ask("POST", "/sign-out", &headers, b"{}"));
    assert_eq!(visit.post("/sign-out", &json!({})).status, 200);
    refused(&visit.get("/"));
}

#[test]
fn the_cookie_is_for_this_server_and_out_of_reach_of_scripts() {
    let place = Place::new();
    let (port, code) = open(&place, &[]);
    let visit = Visit { place, port, code, cookie: String::new(), token: String::new() };
    let body = json!({"code": visit.code}).to_string();
    let answer = visit.ask("POST", "/sign-in", &[("Content-Type", "application/json")], body.as_bytes());
    let set = &answer.headers["set-cookie"];
    assert!(set.starts_with(&format!("packd-{port}=")), "{set}");
    for part in ["HttpOnly", "SameSite=Strict", "Path=/", "Max-Age=43200"] {
        assert!(set.split("; ").any(|have| have == part), "{part}: {set}");
    }
    assert!(!set.contains("Domain"), "{set}");
    closed_off(&answer);
}

/// Bytes that never become a request are refused by the library underneath, which knows nothing of these headers.
#[test]
fn what_cannot_be_read_is_refused_with_the_same_headers() {
    let visit = Visit::new();
    let host = format!("Host: 127.0.0.1:{}\r\n", visit.port);
    for bytes in [
        "{\"jsonrpc\":\"2.0\"}\r\n\r\n".to_string(),
        format!("GET / HTTP/1.1\r\n{host}Coo kie: x\r\n\r\n"),
        format!("GET / HTTP/1.1\r\n{host}X: {}\r\n\r\n", "y".repeat(20_000)),
        format!("GET /{} HTTP/1.1\r\n{host}\r\n", "y".repeat(70_000)),
        format!("POST /undo HTTP/1.1\r\n{host}Content-Length: 1\r\nContent-Length: 2\r\n\r\nxx"),
        format!("POST /undo HTTP/1.1\r\n{host}Content-Length: -1\r\n\r\n"),
    ] {
        refused(&visit.raw(bytes.as_bytes()).unwrap_or_else(|| panic!("no answer to {bytes:.60}")));
    }
    assert_eq!(visit.get("/").status, 200);
}

/// What a person did stands under `ui` and `packd-cli`: an agent that calls itself so is told apart, and is seen.
#[test]
fn an_agent_cannot_take_the_name_of_the_page() {
    let visit = Visit::new();
    for name in ["ui", "packd-cli"] {
        let mut agent = visit.place.shim();
        let client = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": name, "version": "1"}});
        agent.ask(json!(1), "initialize", client);
        super::visit::call(&mut agent, "tasks_create", json!({"kind": "plan", "title": "Not by a person"}));
        let newest = visit.place.packd(&["history", "--json"]).json()["operations"][0].clone();
        let called = format!("{name} (an agent)");
        assert_eq!(newest["who"]["client"], json!(called));
        let page = visit.get("/").body;
        let now = page.split("id=\"now\"").nth(1).unwrap().split("</section>").next().unwrap();
        assert!(now.contains(&called), "{now}");
    }
}

/// An agent has the socket, too, but not the flag of the command line: it gets no code.
#[test]
fn an_agent_gets_no_code() {
    let visit = Visit::new();
    let mut agent = super::visit::agent(&visit.place);
    let told = agent.ask(json!(3), "packd/ui", json!({}));
    assert!(told["error"]["message"].as_str().unwrap().contains("Only the command line"), "{told}");
    assert!(!told.to_string().contains("127.0.0.1"), "{told}");
}
