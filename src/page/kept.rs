//! Screens that were just made, for whoever asks for the same: twenty open pages cost one look at the store.
//!
//! A screen is made anew once something was recorded since, with a pause that grows with how long it takes, one at a
//! time, on a thread where no other client waits.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::future::Future;
use std::rc::Rc;
use std::time::{Duration, Instant};

use super::desk::Desk;
use crate::engine::Activity;

/// Times on it ("3 s ago") may be this old.
const FRESH: Duration = Duration::from_secs(2);
const GAP: Duration = Duration::from_millis(60);
/// Nobody waits longer than this for news, however long a screen takes to make.
const LONGEST_GAP: Duration = Duration::from_millis(120);
/// Of the time, how much should go into making one screen: one part in so many.
const SHARE: u32 = 10;
const MOST: usize = 32;

#[derive(Default)]
pub struct KeptScreens {
    screens: RefCell<VecDeque<Screen>>,
    turn: tokio::sync::Mutex<()>,
    /// What looks at files may take long, and nobody else waits for it.
    slow: tokio::sync::Mutex<()>,
    /// Who did how much where, as far as it was counted.
    pub activity: RefCell<Activity>,
}

struct Screen {
    name: String,
    seen: u64,
    made: Instant,
    took: Duration,
    text: Rc<str>,
}

impl KeptScreens {
    /// The screen of this name, or a new one. `lasting` screens are made anew only after that time.
    pub async fn screen<M, F>(&self, desk: &Desk, name: &str, lasting: Option<Duration>, make: M) -> Rc<str>
    where
        M: FnOnce(Desk) -> F + Send + 'static,
        F: Future<Output = String>,
    {
        let valid = |one: &Screen| match lasting {
            Some(time) => one.made.elapsed() < time,
            None => one.seen == desk.engine().heard() && one.made.elapsed() < FRESH,
        };
        let find = || {
            self.screens.borrow().iter().find(|one| one.name == name && valid(one)).map(|s| s.text.clone())
        };
        if let Some(text) = find() {
            return text;
        }
        // Its pace first, so that nobody else waits for it.
        let earlier =
            self.screens.borrow().iter().find(|one| one.name == name).map(|one| (one.made, one.took));
        if let Some((made, took)) = earlier {
            let pause = (took * SHARE).clamp(GAP, LONGEST_GAP);
            tokio::time::sleep(pause.saturating_sub(made.elapsed())).await;
        }
        let turn = if lasting.is_some() { &self.slow } else { &self.turn };
        let _turn = turn.lock().await;
        if let Some(text) = find() {
            return text;
        }
        let (seen, began) = (desk.engine().heard(), Instant::now());
        let (handle, desk) = (tokio::runtime::Handle::current(), desk.clone());
        let made = tokio::task::spawn_blocking(move || handle.block_on(make(desk))).await;
        let text: Rc<str> = made
            .unwrap_or_else(|_| {
                "<p>A defect in packd stopped this screen; the daemon's log says where.</p>".into()
            })
            .into();
        let mut screens = self.screens.borrow_mut();
        screens.retain(|one| one.name != name);
        if screens.len() >= MOST {
            screens.pop_front();
        }
        let (made, took) = (Instant::now(), began.elapsed());
        screens.push_back(Screen { name: name.to_string(), seen, made, took, text: Rc::clone(&text) });
        text
    }
}
