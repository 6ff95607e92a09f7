//! The local page beside what it must not cost: first paint over a large store, the way from a commit to the screen,
//! a ping of others while pages are open, and memory for each of them.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use serde_json::{Value, json};

use crate::client;
use crate::herd::Herd;
use crate::home::{Home, resident};
use crate::measure::{Goal, Plan, Samples, Table, mebibytes, time};
use crate::scale::fill;

const OPERATIONS: u64 = 100_000;
const TASKS: u64 = 1_000;
const PAGES: usize = 20;
const PING: &str = r#"{"jsonrpc":"2.0","id":7,"method":"ping"}"#;

/// A browser that is signed in, without the browser.
#[derive(Clone)]
struct Visitor {
    port: u16,
    cookie: String,
}

impl Visitor {
    fn new(home: &Home) -> Visitor {
        let mut command = Command::new(env!("CARGO_BIN_EXE_packd"));
        command.args(["ui", "--json"]).env("PACKD_HOME", home.ipc().dir()).current_dir(home.project());
        let said: Value =
            serde_json::from_slice(&command.output().expect("packd runs").stdout).expect("JSON");
        let address = said["url"].as_str().expect("an address");
        let (port, code) = address
            .strip_prefix("http://127.0.0.1:")
            .and_then(|rest| rest.split_once("/#"))
            .expect("an address with a code");
        let mut visitor = Visitor { port: port.parse().expect("a port"), cookie: String::new() };
        let body = json!({"code": code}).to_string();
        let head = format!(
            "POST /sign-in HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: {}\r\n",
            body.len()
        );
        let answer = visitor.exchange(&head, &body);
        let set = answer.lines().find_map(|line| line.strip_prefix("set-cookie: ")).expect("a cookie");
        visitor.cookie = set.split(';').next().unwrap_or_default().to_string();
        visitor
    }

    fn exchange(&self, head: &str, body: &str) -> String {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("the page listens");
        let rest =
            format!("Host: 127.0.0.1:{}\r\nCookie: {}\r\nConnection: close\r\n\r\n", self.port, self.cookie);
        stream.write_all(format!("{head}{rest}{body}").as_bytes()).expect("it reads");
        let mut all = String::new();
        stream.read_to_string(&mut all).expect("it answers");
        all
    }

    fn get(&self, path: &str) -> String {
        let answer = self.exchange(&format!("GET {path} HTTP/1.1\r\n"), "");
        assert!(answer.starts_with("HTTP/1.1 200"), "{path}: {}", answer.lines().next().unwrap_or_default());
        answer
    }

    /// An open page: its stream of events.
    fn events(&self) -> BufReader<TcpStream> {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("the page listens");
        let ask = format!(
            "GET /events HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nCookie: {}\r\n\r\n",
            self.port, self.cookie
        );
        stream.write_all(ask.as_bytes()).expect("it reads");
        let mut lines = BufReader::new(stream);
        heard(&mut lines);
        lines
    }
}

/// Waits for the next news; false when the stream has ended.
fn heard(lines: &mut BufReader<TcpStream>) -> bool {
    let mut line = String::new();
    while lines.read_line(&mut line).is_ok_and(|n| n > 0) {
        if line.starts_with("event: news") {
            return true;
        }
        line.clear();
    }
    false
}

pub fn measure(plan: &Plan, table: &mut Table) {
    let home = Home::new();
    let daemon = home.start();
    let operations = if plan.quick { OPERATIONS / 10 } else { OPERATIONS };
    fill(&home, operations);
    client::direct(&home).call("tasks_create", json!({"kind": "plan", "title": "Everything"}));
    let task = |n| {
        let args = json!({"kind": "task", "parent": "PLAN-001", "title": format!("Task number {n}")});
        client::call(n, "tasks_create", &args)
    };
    Herd::new(&home, 8).run(TASKS, 4, task);

    let visitor = Visitor::new(&home);
    let mut first = Samples::default();
    first.run(|| visitor.get("/"));
    let what = format!("page: first paint with {operations} operations and {TASKS} tasks");
    table.add_alone(what, first.longest(), time, Goal::AtMost(300_000.0));

    let mut writer = client::direct(&home);
    let mut events = visitor.events();
    let mut live = Samples::default();
    for n in 0..plan.times(40) {
        let title = format!("Seen at once {n} {}", std::process::id());
        writer.call("input", json!({"action": "create", "ttl_minutes": 1440, "title": title}));
        let began = Instant::now();
        while !visitor.get("/").contains(&title) {
            heard(&mut events);
        }
        live.push(began.elapsed());
    }
    let goal = Goal::AtMost(200_000.0);
    table.add_alone("page: from a commit to the screen (p99)", live.p99(), time, goal);

    let pings = |n: usize| {
        let mut client = client::direct(&home);
        let mut samples = Samples::default();
        (0..n).for_each(|_| samples.run(|| client.round(PING).len()));
        samples
    };
    let quiet = pings(plan.times(8_000));
    let before = resident(daemon.pid());
    let over = Arc::new(AtomicBool::new(false));
    let mut open: Vec<_> = (0..PAGES).map(|_| visitor.events()).collect();
    let after = resident(daemon.pid());
    let busy = pings(plan.times(8_000));
    let what = format!("page: `ping` of others with {PAGES} open pages (p99; floor: none open)");
    table.add(what, busy.p99(), quiet.p99(), time, Goal::Times(1.3));
    table.add_alone(
        "page: memory for each open page",
        (after - before).max(0.0) / PAGES as f64,
        mebibytes,
        Goal::AtMost(1024.0),
    );

    // Pages that follow every commit, against the same commits that nobody follows.
    let commits = |over: Arc<AtomicBool>| {
        let mut client = client::direct(&home);
        while !over.load(Ordering::Relaxed) {
            client.call("input", json!({"action": "create", "ttl_minutes": 1440, "title": "Followed"}));
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
    };
    let alone = std::thread::scope(|scope| {
        let stop = Arc::clone(&over);
        scope.spawn(|| commits(stop));
        let samples = pings(plan.times(8_000));
        over.store(true, Ordering::Relaxed);
        samples
    });
    over.store(false, Ordering::Relaxed);
    let followed = std::thread::scope(|scope| {
        let stop = Arc::clone(&over);
        scope.spawn(|| commits(stop));
        for mut lines in open.drain(..) {
            let (visitor, over) = (visitor.clone(), Arc::clone(&over));
            scope.spawn(move || {
                while heard(&mut lines) && !over.load(Ordering::Relaxed) {
                    visitor.get("/");
                }
            });
        }
        let samples = pings(plan.times(8_000));
        over.store(true, Ordering::Relaxed);
        // One more commit lets every follower see that it is over.
        client::direct(&home)
            .call("input", json!({"action": "create", "ttl_minutes": 1440, "title": "Over"}));
        samples
    });
    let what =
        format!("page: the same while {PAGES} pages follow 20 commits a second (p99; floor: nobody follows)");
    table.add(what, followed.p99(), alone.p99(), time, Goal::Times(1.3));
}
