//! The listener: 127.0.0.1 and nothing else, connections of this user and nobody else's, so many and no more.
//!
//! A connection that has not shown a valid cookie is a stranger. Strangers are few, and the one that has waited longest
//! gives way to the next, so that a thousand silent ones keep nobody out. It ends when nobody has looked for a while.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::convert::Infallible;
use std::net::{Ipv4Addr, SocketAddr};
use std::rc::Rc;
use std::time::{Duration, Instant};

use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::{AbortHandle, JoinSet};

use super::peer;
use super::routes;
use super::state::PageState;
use super::steady::Steady;

/// Connections that have not shown a cookie.
const STRANGERS: usize = 64;
/// Connections in all: about forty pages with three connections each.
const MOST: usize = 192;
/// Headers must have arrived by then.
const HEADERS_WITHIN: Duration = Duration::from_secs(30);
/// A browser that takes nothing for this long is not there.
const STUCK_AFTER: Duration = Duration::from_secs(30);
/// How often that is looked at.
const LOOK_EVERY: Duration = Duration::from_secs(5);
/// Headers of one request, names and values.
const HEADER_BYTES: usize = 16 * 1024;

/// Binds a port that the system chooses.
pub async fn bind() -> std::io::Result<(TcpListener, u16)> {
    let listener = TcpListener::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, 0))).await?;
    let port = listener.local_addr()?.port();
    Ok((listener, port))
}

/// What a connection is to the door.
#[derive(Default)]
pub struct ConnectionStanding {
    known: Cell<bool>,
}

impl ConnectionStanding {
    /// It showed a valid cookie.
    pub fn known(&self) {
        self.known.set(true);
    }
}

/// Serves until nobody has looked for the time that was agreed on.
pub async fn serve(listener: TcpListener, state: Rc<PageState>) {
    let own = SocketAddr::from((Ipv4Addr::LOCALHOST, state.port));
    let strangers: RefCell<VecDeque<(AbortHandle, Rc<ConnectionStanding>)>> = RefCell::default();
    let mut open = JoinSet::new();
    let mut turned_away = 0u64;
    loop {
        tokio::select! {
            biased;
            Some(_) = open.join_next(), if !open.is_empty() => {}
            () = tokio::time::sleep(state.idle_left()) => {
                if state.idle_left().is_zero() {
                    break;
                }
            }
            accepted = listener.accept() => {
                let (stream, peer) = match accepted {
                    Ok(accepted) => accepted,
                    Err(e) => {
                        tracing::warn!("A connection of the page could not be accepted: {e}.");
                        // Out of descriptors: an immediate retry would only spin.
                        tokio::time::sleep(Duration::from_millis(50)).await;
                        continue;
                    }
                };
                if !peer::is_ours(peer, own) {
                    turned_away += 1;
                    // A flood of them must not fill the log.
                    if turned_away.is_power_of_two() {
                        tracing::warn!(turned_away, "A connection of another user to the page was refused.");
                    }
                    continue;
                }
                let mut strangers = strangers.borrow_mut();
                strangers.retain(|(task, standing)| !task.is_finished() && !standing.known.get());
                if strangers.len() >= STRANGERS && let Some((oldest, _)) = strangers.pop_front() {
                    oldest.abort();
                }
                if open.len() - strangers.len().min(open.len()) >= MOST {
                    continue;
                }
                let standing = Rc::new(ConnectionStanding::default());
                let task = open.spawn_local(connection(stream, Rc::clone(&state), Rc::clone(&standing)));
                strangers.push_back((task, standing));
            }
        }
    }
    tracing::info!("The page is closed: nobody looked at it any more.");
    open.shutdown().await;
}

async fn connection(stream: TcpStream, state: Rc<PageState>, standing: Rc<ConnectionStanding>) {
    // Small answers leave at once.
    let _ = stream.set_nodelay(true);
    let (io, pulse) = Steady::new(TokioIo::new(stream));
    let service = service_fn(move |request| {
        let (state, standing) = (Rc::clone(&state), Rc::clone(&standing));
        async move { Ok::<_, Infallible>(routes::answer(&state, &standing, request).await) }
    });
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(HEADERS_WITHIN).max_buf_size(HEADER_BYTES);
    let served = http.serve_connection(io, service);
    tokio::pin!(served);
    loop {
        match tokio::time::timeout(LOOK_EVERY, &mut served).await {
            // How a connection ends is the browser's business.
            Ok(_) => return,
            Err(_) if pulse.stuck_since().is_some_and(|since| since + STUCK_AFTER < Instant::now()) => return,
            Err(_) => {}
        }
    }
}
