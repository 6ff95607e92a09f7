//! A hook's Hello, as the engine understands it: which workspace it speaks of, and whose session it would be.

use std::path::PathBuf;

use super::service::Hello;
use super::workspace::{self, SessionPlace};
use crate::core::{SessionFacts, Timestamp};
use crate::engine::{Hook, HookEvent};

/// `None` where it tells nothing that anything could be done about.
pub fn of(hello: &Hello) -> Option<Hook> {
    let told = hello.hook.as_deref()?;
    let event = HookEvent::parse(&told.event)?;
    let SessionPlace { workspace, tree } = workspace::of(hello).ok()?;
    // Without an id of its own, a host's session is its process and the directory.
    let session = if told.session.is_empty() { tree.clone() } else { told.session.clone() };
    let info = SessionFacts {
        id: format!("{}:{session}", told.host),
        client: told.host.clone(),
        workspace,
        tree,
        cwd: PathBuf::from(if hello.cwd.is_empty() { &hello.user_home } else { &hello.cwd }),
        env: hello.env.clone(),
        home: PathBuf::from(&hello.user_home),
        ..SessionFacts::default()
    };
    Some(Hook {
        event,
        host: told.host.clone(),
        session: told.session.clone(),
        source: told.source.clone(),
        tool: told.tool.clone(),
        call: told.call.clone(),
        alone: told.alone,
        began: Timestamp(i64::try_from(told.began).unwrap_or(i64::MAX)),
        waits_ms: told.waits_ms,
        pid: hello.pid,
        info: info.into(),
    })
}
