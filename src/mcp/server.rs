//! Opens sessions: the engine's face towards the daemon.

use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;

use super::beside::LocalPage;
use super::catalogue::{Catalogue, Choice};
use super::discover::server_info;
use super::form::Structured;
use super::hook;
use super::listen::Listener;
use super::notice::Notices;
use super::service::{self, Hello, HelloError, Local, Out, Said, Service, Welcome};
use super::session::{McpSession, SessionParts};
use super::workspace::{self, SessionPlace};
use crate::core::{Mode, SessionFacts};
use crate::engine::{Engine, Environment};

/// Sets of flags whose rendered list is kept; sessions of one user use a handful.
const KEPT_CATALOGUES: usize = 32;

pub struct Server {
    engine: Arc<Engine>,
    /// The daemon's home directory, as the Welcome says it.
    home: String,
    catalogues: RefCell<HashMap<Choice, Arc<Catalogue>>>,
    /// Started with the first session, because only then a runtime is sure to run.
    notices: OnceCell<Notices>,
    page: Option<Rc<dyn LocalPage>>,
}

impl Server {
    pub fn new(engine: Arc<Engine>, home: impl Into<String>) -> Server {
        Server {
            engine,
            home: home.into(),
            catalogues: RefCell::default(),
            notices: OnceCell::new(),
            page: None,
        }
    }

    /// With a page that the command line may ask for.
    #[must_use]
    pub fn with_page(mut self, page: Rc<dyn LocalPage>) -> Server {
        self.page = Some(page);
        self
    }

    fn catalogue(&self, hello: &Hello) -> Result<Arc<Catalogue>, HelloError> {
        let choice = Choice::of(&hello.flags, self.engine.tools())?;
        let mut kept = self.catalogues.borrow_mut();
        if let Some(catalogue) = kept.get(&choice) {
            return Ok(Arc::clone(catalogue));
        }
        let catalogue = Arc::new(Catalogue::new(choice.clone(), self.engine.tools()));
        if kept.len() < KEPT_CATALOGUES {
            kept.insert(choice, Arc::clone(&catalogue));
        }
        Ok(catalogue)
    }
}

impl Service for Server {
    fn open(
        &self,
        hello: &Hello,
        out: Out,
    ) -> Result<(Welcome, Rc<dyn service::ServiceSession>), HelloError> {
        let catalogue = self.catalogue(hello)?;
        let SessionPlace { workspace, tree } = workspace::of(hello)?;
        let structured = Structured::of(hello.flags.structured.as_deref())?;
        let earlier = hello.resume.as_ref().filter(|r| self.engine.may_resume(&r.session, &r.key));
        let resumed = earlier.is_some();
        let id = earlier.map_or_else(|| uuid::Uuid::new_v4().to_string(), |r| r.session.clone());
        let info = SessionFacts {
            id: id.clone(),
            workspace: workspace.clone(),
            tree: tree.clone(),
            cwd: PathBuf::from(if hello.cwd.is_empty() { &hello.user_home } else { &hello.cwd }),
            env: hello.env.clone(),
            home: PathBuf::from(&hello.user_home),
            allow_write: hello.flags.allow_write,
            read_only: hello.flags.read_only,
            mode: mode(hello.flags.mode.as_deref(), "--mode")?,
            max_mode: mode(hello.flags.max_mode.as_deref(), "--max-mode")?,
            terminal: hello.terminal,
            offered: catalogue.offered.clone(),
            ..SessionFacts::default()
        };
        let environment = Environment::new(hello.environment.0.clone());
        let state = self.engine.open_session_in(info.into(), environment);
        state.runs_as(hello.pid);
        if !resumed {
            state.is_new();
        }
        let listener = Arc::new(Listener::new(
            &id,
            [workspace, tree.clone()],
            catalogue.families.clone(),
            out.clone(),
            resumed,
        ));
        if resumed {
            listener.owe(self.engine.ended_meanwhile(&id));
        }
        self.notices.get_or_init(|| Notices::start(self.engine.events())).add(&listener);
        let resume_key = self.engine.resume_key(&id);
        let welcome =
            Welcome { session: id.clone(), resume_key, resumed, ..Welcome::of_this_process(&self.home) };
        let session = McpSession::new(SessionParts {
            id,
            engine: Arc::clone(&self.engine),
            state,
            catalogue,
            server_info: server_info(hello.flags.name.as_deref()),
            out,
            listener,
            structured,
            page: self.page.clone(),
        });
        Ok((welcome, Rc::new(session)))
    }

    fn hook(&self, hello: Hello) -> Local<Said> {
        let engine = Arc::clone(&self.engine);
        Box::pin(async move {
            match hook::of(&hello) {
                Some(hook) => Said { text: engine.hook(hook).await },
                None => Said::default(),
            }
        })
    }

    fn busy(&self) -> bool {
        self.engine.active_runs() > 0 || self.page.as_ref().is_some_and(|page| page.is_open())
    }

    fn notes(&self) -> Vec<(String, String)> {
        self.engine.notes()
    }

    /// Waits for the writer elsewhere, so that the daemon can keep its deadline.
    fn drain(&self) -> Local<()> {
        let engine = Arc::clone(&self.engine);
        let page = self.page.as_ref().map(|page| page.close());
        Box::pin(async move {
            if let Some(closing) = page {
                closing.await;
            }
            // Fails only if the runtime is going away; dropping the engine then stops the writer.
            let _ = tokio::task::spawn_blocking(move || engine.stop()).await;
        })
    }
}

fn mode(text: Option<&str>, flag: &str) -> Result<Option<Mode>, HelloError> {
    let Some(text) = text.filter(|t| !t.is_empty()) else { return Ok(None) };
    Mode::parse(text).map(Some).ok_or_else(|| HelloError {
        message: format!("{flag} does not know the mode '{text}'."),
        hint: "Use one of: ask, plan, execute.".into(),
    })
}
