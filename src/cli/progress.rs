//! A sign of life for what takes longer than half a second, on a terminal and nowhere else.

use std::io::{IsTerminal, Write};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::view::render::Render;

/// Shorter work is shown by its result alone.
const PATIENCE: Duration = Duration::from_millis(500);
const TICK: Duration = Duration::from_millis(120);

/// Shows a label and the seconds that passed, until it is dropped.
pub struct SignOfLife {
    running: Option<(Sender<()>, JoinHandle<()>)>,
}

impl SignOfLife {
    pub fn start(render: Render, label: &str) -> SignOfLife {
        let dumb = std::env::var_os("TERM").is_some_and(|t| t == "dumb");
        if render.json || dumb || !std::io::stderr().is_terminal() {
            return SignOfLife { running: None };
        }
        let (stop, stopped) = channel();
        let label = label.to_string();
        let show = move || {
            let started = Instant::now();
            let mut wait = PATIENCE;
            let mut shown = false;
            let mut frames = ['|', '/', '-', '\\'].iter().cycle();
            while let Err(RecvTimeoutError::Timeout) = stopped.recv_timeout(wait) {
                let frame = frames.next().unwrap_or(&'-');
                let seconds = started.elapsed().as_secs();
                // Nothing can be done about a closed stderr.
                let _ = write!(std::io::stderr(), "\r{frame} {label} ({seconds} s) ");
                let _ = std::io::stderr().flush();
                (shown, wait) = (true, TICK);
            }
            if shown {
                let _ = write!(std::io::stderr(), "\r\x1b[K");
                let _ = std::io::stderr().flush();
            }
        };
        SignOfLife { running: Some((stop, std::thread::spawn(show))) }
    }
}

impl Drop for SignOfLife {
    fn drop(&mut self) {
        if let Some((stop, thread)) = self.running.take() {
            drop(stop);
            let _ = thread.join();
        }
    }
}
