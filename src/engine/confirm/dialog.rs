//! What a person answers in a dialog of their host (elicitation).

use std::sync::Arc;

use serde_json::{Map, json};

use crate::core::{Call, Reply};
use crate::engine::checks::FilesBack;
use crate::engine::confirm::take::Word;
use crate::engine::{Engine, Session, Shared};

impl Engine {
    /// May the person be asked by a host's dialog? Not where a passphrase was set: a dialog cannot take it.
    pub fn dialogs(&self) -> bool {
        self.shared.human_confirms && !self.shared.passphrase.is_set()
    }

    /// Confirms for a person whom the host asked (elicitation): allowed also where agents may not.
    pub async fn confirm_for_person(&self, session: &Arc<Session>, id: &str, typed: Option<&str>) -> Reply {
        let info = session.info();
        let names = self.shared.names;
        let call = Call::of(names.confirm, Map::from_iter([("token".to_string(), json!(id))]));
        match self.confirm(&info, &call, Word { token: id, typed, by_dialog: true }).await {
            Ok(reply) => reply,
            Err(error) => {
                self.shared.note_refusal(names.family, &info, &call, &error).await;
                self.shared.render(names.family, &error, &info, &call)
            }
        }
    }

    /// The person said no: the confirmation is spent without anything being done.
    pub async fn give_up(&self, session: &Arc<Session>, id: &str) {
        let names = self.shared.names;
        let call = Call::of(names.cancel, Map::from_iter([("token".to_string(), json!(id))]));
        let done =
            Shared::commit(&self.shared, names.family, session.info(), call, None, None, FilesBack::Free);
        if let Err(e) = done.await {
            tracing::debug!("a declined confirmation was gone already: {e}");
        }
    }
}
