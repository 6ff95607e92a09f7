//! A real browser, driven over WebDriver by hand: no crate, since a dozen commands are all that is needed.
//!
//! Where there is no browser, whoever wants one says "skipped" by name.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::common::real::DEADLINE;

/// The name under which WebDriver hands out elements.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";
/// One browser at a time: they are large.
static ONE: Mutex<()> = Mutex::new(());

pub struct Browser {
    driver: Child,
    port: u16,
    session: String,
    _dir: TempDir,
    _turn: MutexGuard<'static, ()>,
}

impl Browser {
    /// `None` where there is none; says so by the test's name.
    pub fn start(test: &str) -> Option<Browser> {
        let turn = ONE.lock().unwrap_or_else(PoisonError::into_inner);
        let found = |program: &str| {
            let said =
                Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
            said.is_ok_and(|status| status.success())
        };
        if !found("chromedriver") || !found("chromium") {
            println!("skipped: {test} (chromium and chromium-driver are not installed)");
            return None;
        }
        let dir = tempfile::Builder::new().prefix("packd-browser-").tempdir_in("/tmp").unwrap();
        let mut driver = Command::new("chromedriver")
            .arg("--port=0")
            .env("HOME", dir.path())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(driver.stdout.take().unwrap()).lines();
        let port = loop {
            let line = lines.next().expect("chromedriver says its port").unwrap();
            if let Some(rest) = line.split("on port ").nth(1)
                && let Ok(port) = rest.trim_end_matches('.').parse()
                // What it was asked for is said first.
                && port != 0
            {
                break port;
            }
        };
        std::thread::spawn(move || lines.for_each(drop));
        let mut browser = Browser { driver, port, session: String::new(), _dir: dir, _turn: turn };
        let profile = format!("--user-data-dir={}/profile", browser._dir.path().display());
        let args = [
            "--headless=new",
            "--no-sandbox",
            "--disable-dev-shm-usage",
            "--disable-gpu",
            "--no-first-run",
            &profile,
        ];
        let wanted = json!({"capabilities": {"alwaysMatch": {
            "goog:chromeOptions": {"binary": "/usr/bin/chromium", "args": args},
            "goog:loggingPrefs": {"browser": "ALL"}}}});
        let made = browser.send("POST", "/session", &wanted);
        browser.session =
            made["sessionId"].as_str().unwrap_or_else(|| panic!("no browser: {made}")).to_string();
        Some(browser)
    }

    fn send(&self, method: &str, path: &str, body: &Value) -> Value {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(120))).unwrap();
        let body = if method == "GET" || method == "DELETE" { String::new() } else { body.to_string() };
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n",
            self.port,
            body.len()
        );
        stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body.as_bytes())).unwrap();
        // The driver keeps connections open, so the length says where the answer ends.
        let mut answer = BufReader::new(stream);
        let mut length = 0;
        loop {
            let mut line = String::new();
            answer.read_line(&mut line).unwrap();
            if let Some((name, value)) = line.split_once(':')
                && name.eq_ignore_ascii_case("content-length")
            {
                length = value.trim().parse().unwrap();
            }
            if line.trim().is_empty() {
                break;
            }
        }
        let mut text = vec![0; length];
        answer.read_exact(&mut text).unwrap();
        let told: Value = serde_json::from_slice(&text).unwrap_or_else(|e| panic!("{path}: {e}"));
        told["value"].clone()
    }

    fn command(&self, method: &str, path: &str, body: Value) -> Value {
        self.send(method, &format!("/session/{}{path}", self.session), &body)
    }

    pub fn go(&self, address: &str) {
        let told = self.command("POST", "/url", json!({"url": address}));
        assert!(told.is_null(), "{address}: {told}");
    }

    pub fn address(&self) -> String {
        self.command("GET", "/url", json!({})).as_str().unwrap_or_default().to_string()
    }

    pub fn run(&self, script: &str, args: Value) -> Value {
        self.command("POST", "/execute/sync", json!({"script": script, "args": args}))
    }

    pub fn run_async(&self, script: &str, args: Value) -> Value {
        self.command("POST", "/execute/async", json!({"script": script, "args": args}))
    }

    /// What a person can read on the screen.
    pub fn text(&self) -> String {
        self.run("return document.body.innerText", json!([])).as_str().unwrap_or_default().to_string()
    }

    /// The elements that fit, and can be seen.
    fn elements(&self, path: &str) -> Vec<String> {
        let found = self.command("POST", "/elements", json!({"using": "xpath", "value": path}));
        let ids = found.as_array().into_iter().flatten();
        let ids = ids.filter_map(|one| Some(one[ELEMENT].as_str()?.to_string()));
        ids.filter(|id| self.command("GET", &format!("/element/{id}/displayed"), json!({})) == json!(true))
            .collect()
    }

    /// Clicks the first button of this name below a place, once it is there and can be pressed.
    pub fn press(&self, below: &str, name: &str) {
        let path = format!("{below}//button[normalize-space(.)='{name}' and not(@disabled)]");
        self.until(&format!("a button {name} at {below}"), || !self.elements(&path).is_empty());
        self.until(&format!("the button {name} was clicked"), || {
            let Some(id) = self.elements(&path).into_iter().next() else { return false };
            self.command("POST", &format!("/element/{id}/click"), json!({})).is_null()
        });
    }

    pub fn type_into(&self, path: &str, text: &str) {
        self.until(path, || !self.elements(path).is_empty());
        let id = self.elements(path).remove(0);
        let told = self.command("POST", &format!("/element/{id}/value"), json!({"text": text}));
        assert!(told.is_null(), "{told}");
    }

    /// A key for whatever has the focus.
    pub fn key(&self, key: &str) {
        let actions = json!({"actions": [{"type": "key", "id": "keys", "actions": [
            {"type": "keyDown", "value": key}, {"type": "keyUp", "value": key}]}]});
        let told = self.command("POST", "/actions", actions);
        assert!(told.is_null(), "{told}");
    }

    pub fn cookies(&self) -> Vec<Value> {
        self.command("GET", "/cookie", json!({})).as_array().cloned().unwrap_or_default()
    }

    /// The same cookie with another value.
    pub fn forge(&self, name: &str, value: &str) {
        self.command("DELETE", &format!("/cookie/{name}"), json!({}));
        let cookie = json!({"cookie": {"name": name, "value": value, "path": "/", "httpOnly": true, "sameSite": "Strict"}});
        let told = self.command("POST", "/cookie", cookie);
        assert!(told.is_null(), "{told}");
    }

    /// Width and height of what the page sees, and whether it is dark.
    pub fn screen(&self, wide: u32, high: u32, dark: bool) {
        let chrome = |method: &str, params: Value| {
            let body = json!({"cmd": method, "params": params});
            self.command("POST", "/goog/cdp/execute", body);
        };
        chrome(
            "Emulation.setDeviceMetricsOverride",
            json!({"width": wide, "height": high, "deviceScaleFactor": 1, "mobile": false}),
        );
        let scheme = if dark { "dark" } else { "light" };
        chrome(
            "Emulation.setEmulatedMedia",
            json!({"features": [{"name": "prefers-color-scheme", "value": scheme}]}),
        );
    }

    /// Scripts off or on, from the next page on.
    pub fn scripts(&self, on: bool) {
        let body = json!({"cmd": "Emulation.setScriptExecutionDisabled", "params": {"value": !on}});
        self.command("POST", "/goog/cdp/execute", body);
    }

    /// The source of the page as the browser has it.
    pub fn source(&self) -> String {
        self.command("GET", "/source", json!({})).as_str().unwrap_or_default().to_string()
    }

    /// A picture of what is seen, as PNG.
    pub fn picture(&self) -> Vec<u8> {
        let told = self.command("GET", "/screenshot", json!({}));
        data_encoding::BASE64.decode(told.as_str().unwrap_or_default().as_bytes()).unwrap()
    }

    /// What the browser had to complain about.
    pub fn complaints(&self) -> Vec<String> {
        let said = self.command("POST", "/se/log", json!({"type": "browser"}));
        let all = said.as_array().into_iter().flatten();
        all.filter_map(|one| Some(one["message"].as_str()?.to_string())).collect()
    }

    pub fn until(&self, what: &str, mut so: impl FnMut() -> bool) {
        let by = Instant::now() + DEADLINE;
        while !so() {
            assert!(Instant::now() < by, "never happened: {what}\n{}\n{:?}", self.text(), self.complaints());
            std::thread::yield_now();
        }
    }

    pub fn shows(&self, text: &str) {
        self.until(&format!("the page shows {text}"), || self.text().contains(text));
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        if !self.session.is_empty() {
            // Ends the browser with everything it started.
            let gone = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                self.command("DELETE", "", json!({}))
            }));
            drop(gone);
        }
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}
