//! A daemon in this process, with the real listener and life and a service that does what a test needs.

use std::cell::RefCell;
use std::rc::Rc;
use std::thread::JoinHandle;
use std::time::Duration;

use packd::daemon::ending::{Ender, Ending};
use packd::daemon::life::Life;
use packd::daemon::listener::Door;
use packd::ipc::{Home, scan};
use packd::mcp::service::{Hello, HelloError, Local, Out, Service, ServiceSession, Welcome};
use tokio::sync::watch;

/// What the fake answers to a line; `None` keeps the request open until `release`.
pub type Answer = fn(&str) -> Option<String>;

pub struct Fake {
    pub ender: Ender,
    pub release: watch::Sender<bool>,
    /// The lines that arrived, in order.
    pub seen: std::sync::mpsc::Receiver<String>,
    pub hellos: std::sync::mpsc::Receiver<Hello>,
    thread: Option<JoinHandle<Ending>>,
}

struct Echo {
    version: &'static str,
    answer: Answer,
    released: watch::Receiver<bool>,
    seen: std::sync::mpsc::Sender<String>,
    hellos: std::sync::mpsc::Sender<Hello>,
    count: RefCell<u32>,
}

struct EchoSession {
    answer: Answer,
    released: watch::Receiver<bool>,
    seen: std::sync::mpsc::Sender<String>,
}

/// `{}` to every request.
pub fn empty_result(line: &str) -> Option<String> {
    Some(format!(r#"{{"jsonrpc":"2.0","id":{},"result":{{}}}}"#, scan::first_id(line)))
}

impl Fake {
    /// Serves the socket of `home` until its ender is used.
    pub fn start(home: &Home, version: &'static str, answer: Answer, idle: Option<Duration>) -> Fake {
        home.prepare().unwrap();
        let ender = Ender::default();
        let (release, released) = watch::channel(false);
        let (seen_send, seen) = std::sync::mpsc::channel();
        let (hello_send, hellos) = std::sync::mpsc::channel();
        let (ready_send, ready) = std::sync::mpsc::channel();
        let (home, inner) = (home.clone(), ender.clone());
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            tokio::task::LocalSet::new().block_on(&runtime, async move {
                let door = Door::bind(&home).unwrap();
                let service = Rc::new(Echo {
                    version,
                    answer,
                    released,
                    seen: seen_send,
                    hellos: hello_send,
                    count: RefCell::new(0),
                });
                ready_send.send(()).unwrap();
                let home = home.dir().to_string_lossy().into_owned();
                Life { door, service, ender: inner, idle, home, most_sessions: u64::MAX }.run().await
            })
        });
        ready.recv().unwrap();
        Fake { ender, release, seen, hellos, thread: Some(thread) }
    }

    pub fn finished(&self) -> bool {
        self.thread.as_ref().is_none_or(JoinHandle::is_finished)
    }

    pub fn join(mut self) -> Ending {
        self.thread.take().unwrap().join().unwrap()
    }
}

impl Drop for Fake {
    fn drop(&mut self) {
        self.ender.fail("the test is over");
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl Service for Echo {
    fn open(&self, hello: &Hello, _out: Out) -> Result<(Welcome, Rc<dyn ServiceSession>), HelloError> {
        let _ = self.hellos.send(hello.clone());
        *self.count.borrow_mut() += 1;
        let session = match &hello.resume {
            Some(resume) => resume.session.clone(),
            None => format!("s{}", self.count.borrow()),
        };
        let welcome = Welcome {
            version: self.version.into(),
            session,
            resume_key: "secret".into(),
            resumed: hello.resume.is_some(),
            ..Welcome::of_this_process("")
        };
        let (answer, released, seen) = (self.answer, self.released.clone(), self.seen.clone());
        Ok((welcome, Rc::new(EchoSession { answer, released, seen })))
    }
}

impl ServiceSession for EchoSession {
    fn accept(self: Rc<Self>, line: String) -> Local<Option<String>> {
        let _ = self.seen.send(line.clone());
        Box::pin(async move {
            if scan::heads(&line).first().is_none_or(|h| h.id.is_none()) {
                return None;
            }
            match (self.answer)(&line) {
                Some(reply) => Some(reply),
                None => {
                    let mut released = self.released.clone();
                    let _ = released.wait_for(|on| *on).await;
                    empty_result(&line)
                }
            }
        })
    }
}
