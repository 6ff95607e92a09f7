//! What the shim must know to survive its daemon: which requests are open, and what a new daemon must be told.

use std::collections::VecDeque;

use super::message::HostMessage;
use crate::ipc::json::NO_ID;
use crate::ipc::scan;

/// Ids of what the shim says again on its own begin like this; their replies are not for the host.
const REPLAY_ID: &str = "\"packd-replay-";

/// A request that was handed to the daemon and not answered yet.
struct Open {
    ids: Vec<String>,
    batch: bool,
    initialize: bool,
    /// What to send again after a loss; absent for what must not be done twice.
    again: Option<HostMessage>,
}

/// Requests whose daemon is gone.
#[derive(Debug, PartialEq, Eq)]
pub struct LostRequests {
    pub ids: Vec<String>,
    pub batch: bool,
}

/// A reply or a notice from the daemon, as far as it concerns the memory.
#[derive(Debug, PartialEq, Eq)]
pub enum ReplyKind {
    ForHost,
    /// The answer to something the shim said on its own.
    Ours,
}

#[derive(Default)]
pub struct ShimMemory {
    open: VecDeque<Open>,
    initialize: Option<HostMessage>,
    initialized: Option<HostMessage>,
    level: Option<HostMessage>,
    /// Live `resources/subscribe`, by URI as written.
    subscribed: Vec<(String, HostMessage)>,
    /// What the daemon asked the host and the host has not answered.
    asked: Vec<String>,
    /// Live `subscriptions/listen`, by id as written.
    listening: Vec<(String, HostMessage)>,
    /// Acknowledgements of repeated listens that the host has seen before.
    known_acks: usize,
    replays: u64,
}

impl ShimMemory {
    /// True once the host did the handshake of the older protocols.
    pub fn legacy(&self) -> bool {
        self.initialize.is_some()
    }

    /// True once the host also said that it is over, and may be told things.
    pub fn greeted(&self) -> bool {
        self.legacy() && self.initialized.is_some()
    }

    /// True if there is something a new daemon would have to be told even if the host stays silent.
    pub fn awaits_news(&self) -> bool {
        self.legacy() || !self.listening.is_empty()
    }

    /// Requests that will be answered soon (a live subscription is not one of them).
    pub fn open(&self) -> usize {
        self.open.len()
    }

    /// The same once the host says nothing more: a call that waits for the host's word waits for ever.
    pub fn answerable(&self) -> usize {
        self.open.len().saturating_sub(self.asked.len())
    }

    /// The whole message was handed to the daemon.
    pub fn sent(&mut self, message: HostMessage) {
        let ids = message.ids();
        if ids.first().is_some_and(|id| id.starts_with(REPLAY_ID)) {
            return;
        }
        let text = &message.text;
        match message.method() {
            "initialize" if !ids.is_empty() => {
                // A new handshake starts the session afresh.
                self.initialized = None;
                self.level = None;
                self.subscribed.clear();
                self.initialize = Some(message.clone());
            }
            "notifications/initialized" => self.initialized = Some(message.clone()),
            "logging/setLevel" => self.level = Some(message.clone()),
            "resources/subscribe" => {
                if let Some(uri) = scan::member(text, &["params", "uri"]) {
                    self.subscribed.retain(|(known, _)| known != uri);
                    self.subscribed.push((uri.into(), message.clone()));
                }
            }
            "resources/unsubscribe" => {
                if let Some(uri) = scan::member(text, &["params", "uri"]) {
                    self.subscribed.retain(|(known, _)| known != uri);
                }
            }
            "notifications/cancelled" => {
                if let Some(id) = scan::member(text, &["params", "requestId"]) {
                    self.forget(id);
                }
            }
            "subscriptions/listen" if !ids.is_empty() => {
                if !self.listening.iter().any(|(known, _)| *known == ids[0]) {
                    self.listening.push((ids[0].clone(), message));
                }
                return;
            }
            _ => {}
        }
        for head in message.heads.iter().filter(|h| h.method.is_none()) {
            if let Some(id) = head.id(text) {
                self.asked.retain(|asked| asked != id);
            }
        }
        let parts: Vec<HostMessage> = message.parts().collect();
        self.await_answer(ids, message);
        parts.into_iter().for_each(|part| self.sent_in_batch(part));
    }

    fn await_answer(&mut self, ids: Vec<String>, message: HostMessage) {
        if ids.is_empty() {
            return;
        }
        let initialize = message.method() == "initialize";
        let batch = message.batch();
        let again = (!message.acts()).then_some(message);
        self.open.push_back(Open { ids, batch, initialize, again });
    }

    /// Inside a batch only what is never answered needs a look of its own.
    fn sent_in_batch(&mut self, part: HostMessage) {
        match part.method() {
            "notifications/cancelled" | "subscriptions/listen" => self.sent(part),
            _ => {}
        }
    }

    /// A line came from the daemon.
    pub fn received(&mut self, line: &str) -> ReplyKind {
        let heads = scan::heads(line);
        if let [head] = heads.as_slice()
            && head.method(line) == "notifications/subscriptions/acknowledged"
            && self.known_acks > 0
        {
            self.known_acks -= 1;
            return ReplyKind::Ours;
        }
        for head in &heads {
            let id = head.id(line).or(head.nameless.then_some(NO_ID));
            // A request of the server has an id too, of its own counting.
            if head.method.is_some() {
                self.asked.extend(id.map(String::from));
            } else if let Some(id) = id {
                if id.starts_with(REPLAY_ID) {
                    return ReplyKind::Ours;
                }
                self.forget(id);
            }
        }
        ReplyKind::ForHost
    }

    /// The answer to `id` came, or nobody waits for it any more.
    fn forget(&mut self, id: &str) {
        if let Some(at) = self.open.iter().position(|open| open.ids.iter().any(|known| known == id)) {
            let open = &mut self.open[at];
            open.ids.retain(|known| known != id);
            if open.ids.is_empty() {
                self.open.remove(at);
            }
            return;
        }
        self.listening.retain(|(known, _)| known != id);
    }

    /// The daemon is gone. Gives back what has to be answered as lost, and what can simply be sent again.
    pub fn lost(&mut self) -> (Vec<LostRequests>, Vec<HostMessage>) {
        let (mut lost, mut again) = (Vec::new(), Vec::new());
        self.known_acks = 0;
        self.asked.clear();
        for open in self.open.drain(..) {
            if open.initialize {
                self.initialize = None;
            }
            match open.again {
                Some(message) => again.push(message),
                None => lost.push(LostRequests { ids: open.ids, batch: open.batch }),
            }
        }
        (lost, again)
    }

    /// What a new daemon must be told first, in order.
    pub fn replay(&mut self) -> Vec<HostMessage> {
        let mut told = Vec::new();
        for message in self.initialize.iter().chain(&self.initialized).chain(&self.level) {
            told.push(message.clone());
        }
        told.extend(self.subscribed.iter().map(|(_, message)| message.clone()));
        for message in &mut told {
            self.replays += 1;
            message.rename(&format!("{REPLAY_ID}{}\"", self.replays));
        }
        self.known_acks = self.listening.len();
        told.extend(self.listening.iter().map(|(_, message)| message.clone()));
        told
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sent(memory: &mut ShimMemory, text: &str) {
        memory.sent(HostMessage::new(text.into()));
    }

    #[test]
    fn only_calls_are_lost_and_everything_else_is_sent_again() {
        let mut memory = ShimMemory::default();
        sent(&mut memory, r#"{"id":1,"method":"tools/call","params":{"name":"input"}}"#);
        sent(&mut memory, r#"{"id":2,"method":"tools/list"}"#);
        sent(&mut memory, r#"[{"id":3,"method":"ping"},{"id":4,"method":"tools/call"}]"#);
        sent(&mut memory, r#"{"id":5,"method":"ping"}"#);
        assert_eq!(memory.received(r#"{"jsonrpc":"2.0","id":5,"result":{}}"#), ReplyKind::ForHost);
        let (lost, again) = memory.lost();
        assert_eq!(
            lost,
            [
                LostRequests { ids: vec!["1".into()], batch: false },
                LostRequests { ids: vec!["3".into(), "4".into()], batch: true }
            ]
        );
        assert_eq!(again, [HostMessage::new(r#"{"id":2,"method":"tools/list"}"#.into())]);
    }

    #[test]
    fn the_handshake_is_repeated_under_an_id_of_our_own_and_its_reply_kept_back() {
        let mut memory = ShimMemory::default();
        sent(&mut memory, r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{}}"#);
        memory.received(r#"{"jsonrpc":"2.0","id":0,"result":{}}"#);
        sent(&mut memory, r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
        assert_eq!(memory.lost().1, []);
        let told: Vec<String> = memory.replay().into_iter().map(|m| m.text).collect();
        assert_eq!(
            told,
            [
                r#"{"jsonrpc":"2.0","id":"packd-replay-1","method":"initialize","params":{}}"#,
                r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#
            ]
        );
        assert_eq!(
            memory.received(r#"{"jsonrpc":"2.0","id":"packd-replay-1","result":{}}"#),
            ReplyKind::Ours
        );
    }

    #[test]
    fn an_unanswered_handshake_is_sent_again_as_it_was() {
        let mut memory = ShimMemory::default();
        let text = r#"{"id":0,"method":"initialize"}"#;
        sent(&mut memory, text);
        assert_eq!(memory.lost().1, [HostMessage::new(text.into())]);
        assert_eq!(memory.replay(), []);
    }

    #[test]
    fn live_subscriptions_are_repeated_until_they_end() {
        let mut memory = ShimMemory::default();
        let listen = r#"{"id":"s1","method":"subscriptions/listen"}"#;
        sent(&mut memory, listen);
        sent(&mut memory, r#"{"id":"s2","method":"subscriptions/listen"}"#);
        sent(&mut memory, r#"{"method":"notifications/cancelled","params":{"requestId":"s2"}}"#);
        assert_eq!(memory.open(), 0);
        assert_eq!(memory.replay(), [HostMessage::new(listen.into())]);
        let ack = r#"{"method":"notifications/subscriptions/acknowledged","params":{}}"#;
        assert_eq!(memory.received(ack), ReplyKind::Ours);
        assert_eq!(memory.received(ack), ReplyKind::ForHost);
        memory.received(r#"{"id":"s1","result":{}}"#);
        assert_eq!(memory.replay(), []);
    }

    #[test]
    fn a_resource_stays_subscribed_until_it_is_unsubscribed() {
        let mut memory = ShimMemory::default();
        sent(&mut memory, r#"{"id":1,"method":"resources/subscribe","params":{"uri":"pack://a"}}"#);
        sent(&mut memory, r#"{"id":2,"method":"resources/subscribe","params":{"uri":"pack://b"}}"#);
        sent(&mut memory, r#"{"id":3,"method":"resources/unsubscribe","params":{"uri":"pack://a"}}"#);
        let told = memory.replay();
        assert_eq!(told.len(), 1);
        assert!(told[0].text.contains("pack://b"));
    }

    #[test]
    fn what_has_an_id_that_is_none_is_answered_as_null() {
        let mut memory = ShimMemory::default();
        for id in ["null", "true", "[1]", r#"{"a":1}"#] {
            sent(&mut memory, &format!(r#"{{"id":{id},"method":"tools/call"}}"#));
            assert_eq!(memory.open(), 1, "{id}");
            let refusal = r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"no"}}"#;
            assert_eq!(memory.received(refusal), ReplyKind::ForHost);
            assert_eq!(memory.open(), 0, "{id}");
        }
    }

    #[test]
    fn what_is_no_message_is_answered_before_the_end() {
        let mut memory = ShimMemory::default();
        for text in [r#"{"cut""#, "{}", "nonsense", "[]"] {
            sent(&mut memory, text);
            assert_eq!(memory.answerable(), 1, "{text}");
            memory.received(r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"no"}}"#);
            assert_eq!(memory.answerable(), 0, "{text}");
        }
        sent(&mut memory, r#"{"jsonrpc":"2.0","method":"notifications/progress"}"#);
        sent(&mut memory, r#"{"jsonrpc":"2.0","id":null,"result":{}}"#);
        assert_eq!(memory.answerable(), 0);
    }

    #[test]
    fn nothing_is_waited_for_that_never_comes() {
        let mut memory = ShimMemory::default();
        // A subscription in a batch, and a call that another message of the batch cancels.
        sent(&mut memory, r#"[{"id":1,"method":"ping"},{"id":"s","method":"subscriptions/listen"}]"#);
        memory.received(r#"[{"id":1,"result":{}}]"#);
        assert_eq!(memory.answerable(), 0);
        sent(&mut memory, r#"{"id":2,"method":"tools/call"}"#);
        sent(&mut memory, r#"[{"method":"notifications/cancelled","params":{"requestId":2}}]"#);
        assert_eq!(memory.answerable(), 0);
        // A call that waits for the host's own answer to a question.
        sent(&mut memory, r#"{"id":3,"method":"tools/call"}"#);
        assert_eq!(memory.answerable(), 1);
        memory.received(r#"{"id":"q1","method":"elicitation/create","params":{}}"#);
        assert_eq!((memory.open(), memory.answerable()), (1, 0));
        sent(&mut memory, r#"{"id":"q1","result":{"action":"accept"}}"#);
        assert_eq!(memory.answerable(), 1);
    }
}
