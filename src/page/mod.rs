//! The local page of `packd ui`: what agents do, for the person to see and to approve.
//!
//! There is no listener until the command line asks for one. What the page shows comes from the same tools and views as
//! the command line, and what a person does there is an ordinary call of a session named `ui`. `docs/page.md` tells
//! people about it, `docs/security.md` what it keeps out.

mod actions;
mod answer;
mod body;
mod desk;
mod door;
mod events;
mod guard;
mod kept;
mod peer;
mod query;
mod redirect;
mod routes;
mod screens;
mod sign_in;
mod state;
mod steady;
mod visible;

use std::cell::RefCell;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::task::JoinHandle;

use crate::core::{Error, Kind, Result};
use crate::engine::{Engine, Session};
use crate::mcp::LocalPage;
use crate::mcp::service::Local;

use desk::Desk;
use redirect::Redirect;
use state::PageState;

/// How long the listener stays after the last page was closed, unless somebody says otherwise.
const IDLE: Duration = Duration::from_secs(600);
const LONGEST_IDLE: u64 = 7 * 24 * 3600;

/// The page of one daemon: closed until it is asked for.
pub struct Page {
    engine: Arc<Engine>,
    /// packd's own directory.
    home: PathBuf,
    open: RefCell<Option<Open>>,
}

struct Open {
    state: Rc<PageState>,
    serving: JoinHandle<()>,
}

/// What the command line asks for.
#[derive(Deserialize, Default)]
#[serde(default)]
struct Asked {
    idle_seconds: Option<u64>,
    /// It will start a browser, which needs a file.
    browser: bool,
}

#[derive(Serialize)]
struct Opened {
    url: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<PathBuf>,
}

impl Page {
    pub fn new(engine: Arc<Engine>, home: PathBuf) -> Rc<Page> {
        Rc::new(Page { engine, home, open: RefCell::default() })
    }

    async fn ask(self: Rc<Self>, from: Arc<Session>, params: Value) -> Result<Value> {
        if !from.info().is_cli() {
            return Err(Error::new(Kind::Denied, "not_a_person", "Only the command line may open the page.")
                .hint("Ask the user to run `packd ui`."));
        }
        let asked: Asked = serde_json::from_value(params)
            .map_err(|e| Error::invalid("invalid_arguments", format!("That cannot be meant: {e}.")))?;
        let idle = match asked.idle_seconds {
            Some(seconds) if !(1..=LONGEST_IDLE).contains(&seconds) => {
                let message = format!("The page can stay for 1 to {LONGEST_IDLE} seconds, not {seconds}.");
                return Err(
                    Error::invalid("invalid_arguments", message).hint("Leave --idle out for ten minutes.")
                );
            }
            seconds => seconds.map(Duration::from_secs),
        };
        let listening = self.listening().map(|state| match idle {
            Some(idle) => {
                state.set_idle(idle);
                state
            }
            None => {
                state.touch();
                state
            }
        });
        let state = match listening {
            Some(state) => state,
            None => self.listen(&from, idle.unwrap_or(IDLE)).await?,
        };
        let code = state.signs.borrow_mut().issue(Instant::now());
        let url = format!("http://{}/#{code}", guard::host(state.port));
        let mut file = None;
        if asked.browser {
            let made = Redirect::write(&self.home, &url).map_err(|e| {
                Error::io(format!("The file that opens the page cannot be written: {e}."))
                    .hint("Free space on that disk, or use `packd ui --no-open`.")
            })?;
            file = Some(made.path().to_path_buf());
            state.leads_here(&code, made);
            let state = Rc::downgrade(&state);
            tokio::task::spawn_local(async move {
                tokio::time::sleep(sign_in::CODE_LIVES).await;
                if let Some(state) = state.upgrade() {
                    state.leads_nowhere(&code);
                }
            });
        }
        serde_json::to_value(Opened { url, file }).map_err(|e| Error::internal(e.to_string()))
    }

    /// The state of the listener, if there is one.
    fn listening(&self) -> Option<Rc<PageState>> {
        let mut open = self.open.borrow_mut();
        if open.as_ref().is_some_and(|open| open.serving.is_finished()) {
            *open = None;
        }
        open.as_ref().map(|open| Rc::clone(&open.state))
    }

    async fn listen(&self, from: &Session, idle: Duration) -> Result<Rc<PageState>> {
        let (listener, port) = door::bind().await.map_err(|e| {
            Error::io(format!("The page cannot listen on 127.0.0.1: {e}."))
                .hint("Raise the limit of open files, or look whether this system lets programs listen.")
        })?;
        // Two that asked at once: the first one's listener serves both.
        if let Some(state) = self.listening() {
            return Ok(state);
        }
        redirect::clear(&self.home);
        let desk = Desk::new(Arc::clone(&self.engine), from);
        let state = Rc::new(PageState::new(port, desk, idle));
        tracing::info!(port, "The page listens on 127.0.0.1.");
        let serving = tokio::task::spawn_local(door::serve(listener, Rc::clone(&state)));
        *self.open.borrow_mut() = Some(Open { state: Rc::clone(&state), serving });
        Ok(state)
    }
}

impl LocalPage for Page {
    fn open(self: Rc<Self>, from: Arc<Session>, params: Value) -> Local<Result<Value>> {
        Box::pin(self.ask(from, params))
    }

    fn is_open(&self) -> bool {
        self.listening().is_some()
    }

    fn close(&self) -> Local<()> {
        let open = self.open.borrow_mut().take();
        Box::pin(async move {
            if let Some(open) = open {
                open.serving.abort();
                // An aborted task tells that it was.
                let _ = open.serving.await;
            }
        })
    }
}
