//! From one message to its reply line: which era it belongs to, what answers it, and what became of that.
//!
//! What a method does is not known here, nor what the session keeps.

use std::rc::Rc;

use super::batch;
use super::dispatch::RpcRequest;
use super::envelope::{RpcItem, RpcMessage};
use super::era;
use super::fault::RpcFault;
use super::guard::guarded;
use super::result;
use super::service::Local;
use super::session::McpSession;

impl McpSession {
    /// The reply line to one message; `None` where nothing is to be answered.
    pub(super) async fn answer(&self, item: RpcItem) -> Option<String> {
        let RpcMessage { id, method, params } = match item {
            RpcItem::Message(message) => message,
            RpcItem::Bad(id, fault) => return Some(result::error(id.as_ref(), &fault)),
            RpcItem::Answer(id, result) => {
                self.questions.answered(&id, result);
                return None;
            }
            RpcItem::Nothing => return None,
        };
        let known = params.and_then(|params| {
            let era = era::of(&method, &params)?;
            self.note(&method, &params, era, id.is_some())?;
            Ok((params, era))
        });
        let (params, era) = match known {
            Ok(known) => known,
            Err(fault) => return id.map(|id| result::error(Some(&id), &fault)),
        };
        let request = RpcRequest { id: id.clone(), method, params, era };
        let outcome = guarded(self.dispatch(request)).await.unwrap_or_else(|| {
            Err(RpcFault::internal("The server failed while it handled this message; its log says where."))
        });
        let id = id?;
        match outcome {
            Ok(body) => body.map(|body| result::reply(&id, &body, era, &self.server_info)),
            Err(fault) => Some(result::error(Some(&id), &fault)),
        }
    }

    /// The same for many at once, as one line.
    pub(super) async fn answer_all(self: Rc<Self>, items: Vec<RpcItem>) -> Option<String> {
        let answers = items.into_iter().map(|item| -> Local<Option<String>> {
            let session = Rc::clone(&self);
            Box::pin(async move { session.answer(item).await })
        });
        let replies: Vec<String> = batch::join(answers.collect()).await.into_iter().flatten().collect();
        (!replies.is_empty()).then(|| format!("[{}]", replies.join(",")))
    }
}
