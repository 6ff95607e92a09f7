//! What one session wants to hear about: legacy subscriptions and modern `subscriptions/listen` streams.
//!
//! The only part of a session that other threads see; it knows no request but the ones that subscribe.

use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard};

use serde_json::{Map, Value, json};
use tokio::time::Instant;

use super::ended;
use super::envelope::RequestId;
use super::era::SUBSCRIPTION_KEY;
use super::fault::RpcFault;
use super::level::MessageLevel;
use super::pace::Pace;
use super::result::{self, ResultBody, notification, quoted};
use super::service::Out;
use crate::engine::{Event, RunEnded};

/// Bounds on what a client can make the daemon remember.
const MAX_URIS: usize = 1024;
const MAX_URI_BYTES: usize = 4096;
const MAX_STREAMS: usize = 64;

const TOOLS_CHANGED: &str = "notifications/tools/list_changed";
const RESOURCES_CHANGED: &str = "notifications/resources/list_changed";
const RESOURCE_UPDATED: &str = "notifications/resources/updated";

pub struct Listener {
    session: String,
    /// The workspace, and the tree where that is another.
    workspaces: [String; 2],
    families: Vec<String>,
    out: Out,
    /// Another daemon served this session before.
    resumed: bool,
    wants: Mutex<Wants>,
}

#[derive(Default)]
struct Wants {
    /// A legacy client hears list changes once its handshake is over.
    legacy: bool,
    /// Its handshake is under way: it must not hear anything.
    greeting: bool,
    uris: BTreeSet<String>,
    streams: Vec<Stream>,
    /// The quietest log message a legacy client wants.
    level: Option<MessageLevel>,
    /// Modern requests under way that want to hear log messages.
    heard: Vec<(u64, MessageLevel)>,
    next: u64,
    /// Ends of runs that the client could not be told of yet.
    owed: Vec<RunEnded>,
    /// Something was left out because the client did not read.
    missed: bool,
    /// How often list changes are told.
    lists: Pace,
}

impl Wants {
    fn hears_lists(&self) -> bool {
        self.legacy || self.streams.iter().any(|stream| stream.resources)
    }
}

struct Stream {
    id: RequestId,
    resources: bool,
    uris: BTreeSet<String>,
}

/// What may have changed.
enum News<'a> {
    Event(&'a Event),
    Anything,
}

impl News<'_> {
    fn lists(&self) -> bool {
        match self {
            News::Event(event) => event.list_changed,
            News::Anything => true,
        }
    }

    fn of<'a>(&'a self, uris: &'a BTreeSet<String>) -> Vec<&'a String> {
        match self {
            News::Event(event) => event.uris.iter().filter(|uri| uris.contains(*uri)).collect(),
            News::Anything => uris.iter().collect(),
        }
    }
}

impl Listener {
    pub fn new(
        session: &str,
        workspaces: [String; 2],
        families: Vec<String>,
        out: Out,
        resumed: bool,
    ) -> Listener {
        Listener { session: session.to_string(), workspaces, families, out, resumed, wants: Mutex::default() }
    }

    /// Runs of this session that ended while it was away.
    pub fn owe(&self, ended: Vec<RunEnded>) {
        self.wants().owed.extend(ended);
    }

    pub fn set_level(&self, level: MessageLevel) -> ResultBody {
        self.wants().level = Some(level);
        ResultBody::empty()
    }

    /// A modern request hears log messages for as long as it is under way.
    pub fn hear(&self, level: MessageLevel) -> HearingGuard<'_> {
        let mut wants = self.wants();
        wants.next += 1;
        let number = wants.next;
        wants.heard.push((number, level));
        HearingGuard { listener: self, number }
    }

    fn tell_ended(&self, wants: &mut Wants, ended: &RunEnded) {
        let level = ended::level(ended);
        let legacy = wants.legacy && level >= wants.level.unwrap_or(MessageLevel::INFO);
        if legacy || wants.heard.iter().any(|(_, least)| level >= *least) {
            self.out.send(ended::message(ended));
        } else if wants.greeting {
            wants.owed.push(ended.clone());
        }
    }

    fn wants(&self) -> MutexGuard<'_, Wants> {
        // Only whole values are put under the lock, so a poisoned one is still consistent.
        self.wants.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    pub fn handshake_begins(&self) {
        self.wants().greeting = true;
    }

    pub fn handshake_over(&self) {
        let mut wants = self.wants();
        wants.legacy = true;
        wants.greeting = false;
        for ended in std::mem::take(&mut wants.owed) {
            self.tell_ended(&mut wants, &ended);
        }
    }

    pub fn subscribe(&self, uri: &str) -> Result<ResultBody, RpcFault> {
        let mut wants = self.wants();
        if uri.len() > MAX_URI_BYTES || wants.uris.len() >= MAX_URIS {
            return Err(RpcFault::params(format!("A session may subscribe to {MAX_URIS} resources.")));
        }
        wants.uris.insert(uri.to_string());
        Ok(ResultBody::empty())
    }

    pub fn unsubscribe(&self, uri: &str) -> ResultBody {
        self.wants().uris.remove(uri);
        ResultBody::empty()
    }

    /// Opens a stream and acknowledges what of the filter is honoured, before anything else is sent on it.
    pub fn listen(&self, id: &RequestId, params: &Map<String, Value>) -> Result<(), RpcFault> {
        let Some(filter) = params.get("notifications").and_then(Value::as_object) else {
            return Err(RpcFault::params("'notifications' must be an object."));
        };
        let wanted = |name: &str| filter.get(name) == Some(&Value::Bool(true));
        let uris: BTreeSet<String> = filter
            .get("resourceSubscriptions")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .filter(|uri| uri.len() <= MAX_URI_BYTES)
            .take(MAX_URIS)
            .map(str::to_string)
            .collect();
        let stream = Stream { id: id.clone(), resources: wanted("resourcesListChanged"), uris };
        let mut wants = self.wants();
        if wants.streams.len() >= MAX_STREAMS {
            return Err(RpcFault::params(format!("A session may hold {MAX_STREAMS} subscriptions open.")));
        }
        // Prompts are compiled in, so a wish to hear of their changes is not acknowledged.
        let mut honoured = Map::new();
        let tools = wanted("toolsListChanged");
        if tools {
            honoured.insert("toolsListChanged".into(), true.into());
        }
        if stream.resources {
            honoured.insert("resourcesListChanged".into(), true.into());
        }
        if !stream.uris.is_empty() {
            honoured.insert("resourceSubscriptions".into(), json!(stream.uris));
        }
        let honoured = Value::Object(honoured);
        let tagged = format!(r#"{},"notifications":{honoured}"#, stream.tag());
        self.out.send(notification("notifications/subscriptions/acknowledged", &tagged));
        // The list of tools is fixed for the life of a daemon; but this one may be newer than the one before.
        if tools && self.resumed {
            self.out.send(notification(TOOLS_CHANGED, &stream.tag()));
        }
        wants.streams.push(stream);
        Ok(())
    }

    /// The client ended its streams with this id; they get no result.
    pub fn cancel(&self, id: &Value) {
        self.wants().streams.retain(|stream| stream.id.value() != *id);
    }

    /// Ends every stream in the orderly way: each listen request gets its result.
    pub fn end(&self, server_info: &str) {
        for stream in self.wants().streams.drain(..) {
            self.out.send(result::subscription_end(&stream.id, server_info));
        }
    }

    pub fn tell(&self, event: &Event) {
        // An event without a workspace concerns everyone.
        let ours = event.workspace.is_empty() || self.workspaces.contains(&event.workspace);
        if ours && self.families.contains(&event.family) {
            self.send(&News::Event(event));
        }
        for ended in event.ended.iter().filter(|ended| ended.session == self.session) {
            self.tell_ended(&mut self.wants(), ended);
        }
    }

    /// Events were lost on the way, so everything may have changed.
    pub fn tell_anything(&self) {
        self.send(&News::Anything);
    }

    /// Makes up for notices that were left out while the client did not read.
    pub fn catch_up(&self) {
        let mut wants = self.wants();
        let now = !self.out.full() && !wants.greeting && std::mem::take(&mut wants.missed);
        drop(wants);
        if now {
            self.tell_anything();
        }
    }

    /// Tells what is owed about lists if its time has come; when to ask again, `None` = nothing is owed.
    pub fn settle(&self, now: Instant) -> Option<Instant> {
        let mut wants = self.wants();
        if wants.lists.take(now) {
            match self.out.full() {
                true => wants.missed = true,
                // A client that greets anew asks for the lists after it.
                false if wants.greeting => {}
                false => self.send_lists(&wants),
            }
        }
        wants.lists.due()
    }

    fn send_lists(&self, wants: &Wants) {
        if wants.legacy {
            self.out.send(notification(RESOURCES_CHANGED, ""));
        }
        for stream in wants.streams.iter().filter(|stream| stream.resources) {
            self.out.send(notification(RESOURCES_CHANGED, &stream.tag()));
        }
    }

    fn send(&self, news: &News) {
        let mut wants = self.wants();
        if self.out.full() {
            wants.missed = true;
            return;
        }
        if wants.greeting {
            wants.missed |= !news.of(&wants.uris).is_empty();
            return;
        }
        if news.lists() && wants.hears_lists() && wants.lists.changed(Instant::now()) {
            self.send_lists(&wants);
        }
        for uri in news.of(&wants.uris) {
            self.out.send(notification(RESOURCE_UPDATED, &format!(r#""uri":{}"#, quoted(uri))));
        }
        for stream in &wants.streams {
            for uri in news.of(&stream.uris) {
                let tagged = format!(r#"{},"uri":{}"#, stream.tag(), quoted(uri));
                self.out.send(notification(RESOURCE_UPDATED, &tagged));
            }
        }
    }
}

/// Ends when dropped: after its answer a request hears nothing more.
pub struct HearingGuard<'a> {
    listener: &'a Listener,
    number: u64,
}

impl Drop for HearingGuard<'_> {
    fn drop(&mut self) {
        self.listener.wants().heard.retain(|(number, _)| *number != self.number);
    }
}

impl Stream {
    fn tag(&self) -> String {
        format!(r#""_meta":{{"{SUBSCRIPTION_KEY}":{}}}"#, self.id)
    }
}
