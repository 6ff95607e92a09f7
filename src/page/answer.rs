//! Answers of the page: whole ones, and the stream of events. Every one leaves with the same closed headers, and with
//! nothing in it that cannot be seen.

use std::convert::Infallible;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use hyper::body::{Body, Bytes, Frame, SizeHint};
use hyper::header::{CONTENT_TYPE, HeaderValue, SET_COOKIE};
use hyper::{Response, StatusCode};
use serde::Serialize;
use serde_json::Value;

use super::events::Feed;
use super::guard::{Refusal, close_off};
use super::visible::visible;

/// What is sent after the headers.
pub enum AnswerBody {
    Whole(Option<Bytes>),
    Events(Events),
}

/// The next event is being waited for; `None` once the stream has ended.
pub struct Events(Option<Waiting>);

type Waiting = Pin<Box<dyn Future<Output = (Option<Feed>, Option<Bytes>)>>>;

pub type PageAnswer = Response<AnswerBody>;

#[derive(Serialize)]
struct Refused<'a> {
    error: bool,
    code: &'a str,
    message: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<&'a str>,
}

pub fn html(status: StatusCode, text: String) -> PageAnswer {
    whole(status, "text/html; charset=utf-8", visible(text).into())
}

pub fn asset(kind: &'static str, text: &'static str) -> PageAnswer {
    whole(StatusCode::OK, kind, Bytes::from_static(text.as_bytes()))
}

pub fn json(status: StatusCode, value: &impl Serialize) -> PageAnswer {
    // What the page answers are plain structs, which always print.
    let told = serde_json::to_value(value).map(shown).unwrap_or_default();
    whole(status, "application/json", told.to_string().into())
}

/// Each text by itself: as JSON its control characters are written out, and would come back in the browser.
fn shown(value: Value) -> Value {
    match value {
        Value::String(text) => visible(text).into(),
        Value::Array(items) => items.into_iter().map(shown).collect(),
        Value::Object(fields) => fields.into_iter().map(|(name, value)| (name, shown(value))).collect(),
        other => other,
    }
}

pub fn refused(refusal: &Refusal) -> PageAnswer {
    let Refusal { status, code, message, hint } = refusal;
    json(*status, &Refused { error: true, code, message, hint: hint.as_deref() })
}

pub fn events(feed: Feed) -> PageAnswer {
    let stream = Events(Some(Box::pin(feed.next())));
    finished(StatusCode::OK, "text/event-stream", AnswerBody::Events(stream))
}

/// Hands the cookie to the browser, for this server alone and out of reach of scripts.
pub fn with_cookie(mut answer: PageAnswer, cookie: &str) -> PageAnswer {
    if let Ok(value) = HeaderValue::from_str(cookie) {
        answer.headers_mut().insert(SET_COOKIE, value);
    }
    answer
}

fn whole(status: StatusCode, kind: &'static str, bytes: Bytes) -> PageAnswer {
    finished(status, kind, AnswerBody::Whole(Some(bytes)))
}

fn finished(status: StatusCode, kind: &'static str, content: AnswerBody) -> PageAnswer {
    let mut answer = Response::new(content);
    *answer.status_mut() = status;
    let headers = answer.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    close_off(headers);
    answer
}

impl Body for AnswerBody {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        match self.get_mut() {
            AnswerBody::Whole(bytes) => Poll::Ready(bytes.take().map(|bytes| Ok(Frame::data(bytes)))),
            AnswerBody::Events(Events(waiting)) => {
                let Some(next) = waiting else { return Poll::Ready(None) };
                let Poll::Ready((feed, bytes)) = next.as_mut().poll(context) else { return Poll::Pending };
                *waiting = feed.map(|feed| -> Waiting { Box::pin(feed.next()) });
                Poll::Ready(bytes.map(|bytes| Ok(Frame::data(bytes))))
            }
        }
    }

    fn is_end_stream(&self) -> bool {
        match self {
            AnswerBody::Whole(bytes) => bytes.is_none(),
            AnswerBody::Events(Events(waiting)) => waiting.is_none(),
        }
    }

    fn size_hint(&self) -> SizeHint {
        match self {
            AnswerBody::Whole(bytes) => SizeHint::with_exact(bytes.as_ref().map_or(0, |b| b.len() as u64)),
            AnswerBody::Events(_) => SizeHint::default(),
        }
    }
}
