//! What a listening page keeps: who is signed in, when it was last used, how to ask the engine, what was just shown.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::{Duration, Instant};

use super::desk::Desk;
use super::kept::KeptScreens;
use super::redirect::Redirect;
use super::sign_in::SignIns;

pub struct PageState {
    pub port: u16,
    pub signs: RefCell<SignIns>,
    pub desk: Rc<Desk>,
    pub kept: KeptScreens,
    /// Files that bring a browser here, each with its code, until the code is of no use.
    redirects: RefCell<Vec<(String, Redirect)>>,
    idle: Cell<Duration>,
    /// Event streams that are open.
    pages: Cell<usize>,
    used: Cell<Instant>,
}

impl PageState {
    pub fn new(port: u16, desk: Desk, idle: Duration) -> PageState {
        PageState {
            port,
            signs: RefCell::default(),
            desk: Rc::new(desk),
            kept: KeptScreens::default(),
            redirects: RefCell::default(),
            idle: Cell::new(idle),
            pages: Cell::new(0),
            used: Cell::new(Instant::now()),
        }
    }

    /// Somebody asked for something.
    pub fn touch(&self) {
        self.used.set(Instant::now());
    }

    pub fn set_idle(&self, idle: Duration) {
        self.idle.set(idle);
        self.touch();
    }

    /// How long until nobody has looked for long enough; the full time while a page is open.
    pub fn idle_left(&self) -> Duration {
        if self.pages.get() > 0 {
            self.touch();
        }
        self.idle.get().saturating_sub(self.used.get().elapsed())
    }

    pub fn leads_here(&self, code: &str, file: Redirect) {
        self.redirects.borrow_mut().push((code.to_string(), file));
    }

    /// The code was used or is too old.
    pub fn leads_nowhere(&self, code: &str) {
        self.redirects.borrow_mut().retain(|(of, _)| of != code);
    }

    pub fn cookie_name(&self) -> String {
        format!("packd-{}", self.port)
    }
}

/// Counts a page for as long as its event stream is open, however it ends.
pub struct OpenPage(Rc<PageState>);

impl OpenPage {
    pub fn new(state: &Rc<PageState>) -> OpenPage {
        state.pages.set(state.pages.get() + 1);
        OpenPage(Rc::clone(state))
    }
}

impl Drop for OpenPage {
    fn drop(&mut self) {
        self.0.pages.set(self.0.pages.get() - 1);
        self.0.touch();
    }
}
