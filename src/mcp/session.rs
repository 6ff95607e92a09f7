//! One client: takes lines, and keeps the little that outlives a message.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

use serde_json::{Map, Value};

use super::beside::LocalPage;
use super::catalogue::Catalogue;
use super::elicit::Questions;
use super::envelope::{self, Parsed, RequestId};
use super::era::{self, Era, MODERN, NEWEST_LEGACY, knows_links};
use super::fault::RpcFault;
use super::flight::Flights;
use super::form::{Form, Structured};
use super::listen::Listener;
use super::service::{self, Local, Out};
use crate::core::Family;
use crate::core::resource::Offers;
use crate::engine::{self, Engine};

/// Reading a longer message would hold up every other session.
const PARSE_ELSEWHERE: usize = 256 * 1024;

pub struct McpSession {
    pub(super) engine: Arc<Engine>,
    pub(super) state: Arc<engine::Session>,
    pub(super) catalogue: Arc<Catalogue>,
    /// JSON text.
    pub(super) server_info: String,
    pub(super) out: Out,
    pub(super) flights: Flights,
    pub(super) listener: Arc<Listener>,
    pub(super) questions: Questions,
    pub(super) page: Option<Rc<dyn LocalPage>>,
    /// What the legacy handshake settled on.
    pub(super) version: Cell<&'static str>,
    structured: Structured,
    id: String,
    handshake: Cell<Handshake>,
    /// A modern request was answered on this connection.
    modern: Cell<bool>,
    shut: Cell<bool>,
    client: RefCell<String>,
}

/// Legacy clients must not hear anything before they say that their handshake is over.
#[derive(Clone, Copy, PartialEq)]
enum Handshake {
    None,
    Answered,
    Over,
}

/// What a session is made of.
pub struct SessionParts {
    pub id: String,
    pub engine: Arc<Engine>,
    pub state: Arc<engine::Session>,
    pub catalogue: Arc<Catalogue>,
    pub server_info: String,
    pub out: Out,
    pub listener: Arc<Listener>,
    pub structured: Structured,
    pub page: Option<Rc<dyn LocalPage>>,
}

impl McpSession {
    pub fn new(parts: SessionParts) -> McpSession {
        McpSession {
            engine: parts.engine,
            state: parts.state,
            catalogue: parts.catalogue,
            server_info: parts.server_info,
            out: parts.out,
            flights: Flights::default(),
            listener: parts.listener,
            structured: parts.structured,
            questions: Questions::default(),
            page: parts.page,
            version: Cell::new(NEWEST_LEGACY),
            id: parts.id,
            handshake: Cell::new(Handshake::None),
            modern: Cell::new(false),
            shut: Cell::new(false),
            client: RefCell::default(),
        }
    }

    pub(super) fn greeted(&self, version: &'static str) {
        self.version.set(version);
        self.handshake.set(Handshake::Answered);
        self.listener.handshake_begins();
    }

    /// May this client be told something it did not ask for right now? Not in the middle of its handshake.
    pub(super) fn may_notify(&self) -> bool {
        self.handshake.get() != Handshake::Answered
    }

    pub(super) fn is_shut(&self) -> bool {
        self.shut.get()
    }

    pub(super) fn shut(&self) {
        self.shut.set(true);
    }

    pub(super) fn cancel(&self, id: &Value) {
        if !id.is_null() {
            self.flights.cancel(id);
            self.listener.cancel(id);
        }
    }

    /// Under which the engine files what this request does, so that a client whose reply was lost can ask.
    pub(super) fn request_key(&self, id: &RequestId) -> String {
        format!("{}:{id}", self.id)
    }

    pub(super) fn listed_families(&self) -> impl Iterator<Item = &dyn Family> {
        let all = self.engine.families().iter().map(AsRef::as_ref);
        all.filter(|family| self.catalogue.families.iter().any(|name| name == family.name()))
    }

    pub(super) fn offers(&self) -> impl Iterator<Item = &dyn Offers> {
        self.listed_families().filter_map(|family| family.offers())
    }

    /// What a message tells about its client. A request that lost its era, where every one so far named it, is refused.
    pub(super) fn note(
        &self,
        method: &str,
        params: &Map<String, Value>,
        era: Era,
        asks: bool,
    ) -> Result<(), RpcFault> {
        match era {
            Era::Modern => self.modern.set(true),
            Era::Legacy if asks && self.only_modern(method) => return Err(era::lost_meta()),
            Era::Legacy => {}
        }
        self.notice_client(era::client(params));
        self.settle(method);
        self.listener.catch_up();
        Ok(())
    }

    /// Only the client knows when it has taken in the answer to its handshake, and it says so.
    fn settle(&self, method: &str) {
        let said = matches!(method, "notifications/initialized" | "initialized");
        if said && self.handshake.get() == Handshake::Answered {
            self.handshake.set(Handshake::Over);
            self.listener.handshake_over();
        }
    }

    /// A connection that opened in the modern era and never shook hands has no session to fall back on.
    fn only_modern(&self, method: &str) -> bool {
        self.modern.get() && self.handshake.get() == Handshake::None && method != "initialize"
    }

    /// How this client gets the reply to a request of this era.
    pub(super) fn form(&self, era: Era) -> Form {
        let version = if era == Era::Modern { MODERN } else { self.version.get() };
        let structured = self.structured.is_sent_to(&self.client.borrow());
        Form { links: knows_links(version), structured }
    }

    fn notice_client(&self, name: Option<&str>) {
        if let Some(name) = name.filter(|name| *name != *self.client.borrow()) {
            *self.client.borrow_mut() = name.to_string();
            self.state.set_client(name);
        }
    }
}

impl service::ServiceSession for McpSession {
    fn accept(self: Rc<Self>, line: String) -> Local<Option<String>> {
        Box::pin(async move {
            let parsed = match line.len() <= PARSE_ELSEWHERE || line.len() > envelope::MAX_MESSAGE {
                true => envelope::parse(&line),
                // The task fails only if the runtime is going away, and the reply with it.
                false => tokio::task::spawn_blocking(move || envelope::parse(&line)).await.ok()?,
            };
            match parsed {
                Parsed::One(item) => self.answer(item).await,
                Parsed::Batch(items) => self.answer_all(items).await,
            }
        })
    }

    fn draining(&self) {
        self.engine.end_waits();
        self.listener.end(&self.server_info);
    }

    fn closed(&self) {
        self.flights.cancel_all();
        self.engine.close_session(&self.state);
    }
}
