//! How a daemon begins not to be: why it could not start, and who may ask it to end.

use std::sync::Arc;

use tokio::sync::watch;

/// Why a service could not be opened.
#[derive(Debug, Clone)]
pub enum StartError {
    /// Another daemon holds the database lock. Not a failure: whoever asked connects to that one.
    AlreadyRunning,
    /// One full sentence, and what to do about it.
    Failed { message: String, hint: String },
}

/// How the daemon was asked to end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ending {
    /// In an orderly way: signal, request, idleness.
    Drain(String),
    /// The service can promise nothing more (a commit of unknown outcome): end at once, exit code 1.
    Fail(String),
}

/// Lets any thread ask the daemon to end. The first request wins.
#[derive(Debug, Clone)]
pub struct Ender(Arc<watch::Sender<Option<Ending>>>);

impl Default for Ender {
    fn default() -> Self {
        Ender(Arc::new(watch::Sender::new(None)))
    }
}

impl Ender {
    pub fn drain(&self, why: impl Into<String>) {
        self.end(Ending::Drain(why.into()));
    }

    pub fn fail(&self, why: impl Into<String>) {
        self.end(Ending::Fail(why.into()));
    }

    /// A failure overrides a drain that is under way; nothing overrides a failure.
    fn end(&self, ending: Ending) {
        self.0.send_if_modified(|now| {
            let wins = match now {
                None => true,
                Some(Ending::Drain(_)) => matches!(ending, Ending::Fail(_)),
                Some(Ending::Fail(_)) => false,
            };
            if wins {
                *now = Some(ending);
            }
            wins
        });
    }

    /// Resolves when the request changes, that is, when a drain becomes a failure.
    pub async fn changed(&self) {
        let mut seen = self.0.subscribe();
        // The sender lives in self, so this cannot fail while it waits.
        let _ = seen.changed().await;
    }

    /// Resolves when somebody asked, at once if that was before.
    pub async fn wait(&self) -> Ending {
        let mut seen = self.0.subscribe();
        match seen.wait_for(Option::is_some).await.map(|e| e.clone()) {
            Ok(Some(ending)) => ending,
            // The sender lives in self, so the channel cannot close while this waits.
            _ => std::future::pending().await,
        }
    }
}
