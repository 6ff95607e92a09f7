//! `/events`: tells a page that something was recorded. What it was the page looks up; so a slow reader misses
//! nothing and costs nothing.

use std::rc::Rc;
use std::time::{Duration, Instant};

use hyper::body::Bytes;

use super::sign_in::Person;
use super::state::{OpenPage, PageState};

/// A line in between shows whether the browser is still there.
const BEAT: Duration = Duration::from_secs(15);
/// Between two events of one stream: many commits are one event.
const GAP: Duration = Duration::from_millis(50);

/// One open page.
pub struct Feed {
    state: Rc<PageState>,
    person: Person,
    seen: Option<u64>,
    _open: OpenPage,
}

impl Feed {
    pub fn new(state: &Rc<PageState>, person: Person) -> Feed {
        Feed { state: Rc::clone(state), person, seen: None, _open: OpenPage::new(state) }
    }

    /// The next bytes; no feed = the stream ends with them.
    pub async fn next(mut self) -> (Option<Feed>, Option<Bytes>) {
        if !self.state.signs.borrow_mut().holds(&self.person, Instant::now()) {
            return (None, Some(Bytes::from_static(b"event: signed-out\ndata: {}\n\n")));
        }
        if self.seen.is_some() {
            tokio::time::sleep(GAP).await;
        }
        let engine = self.state.desk.engine();
        let Ok(heard) = tokio::time::timeout(BEAT, engine.hear(self.seen)).await else {
            return (Some(self), Some(Bytes::from_static(b": here\n\n")));
        };
        if heard.ending {
            return (None, Some(Bytes::from_static(b"event: ending\ndata: {}\n\n")));
        }
        self.seen = Some(heard.count);
        let text = format!("event: news\ndata: {{\"seen\":{}}}\n\n", heard.count);
        (Some(self), Some(text.into()))
    }
}
