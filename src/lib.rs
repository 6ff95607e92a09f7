//! packd: one background service per user that keeps what AI coding agents remember and change.
//!
//! # The way of one call
//!
//! ```text
//! host ─stdio─▶ shim ─socket─▶ daemon ─▶ mcp ─▶ engine ─▶ policy
//!                                                 │  ├─▶ family (pure) ─▶ Outcome {changes, effects, reply}
//!                                                 │  └─▶ store: rows + operation + history in one commit
//!                                                 └─▶ effects: files, written after the operation is recorded
//! ```
//!
//! # Layout
//!
//! - [`core`]: the shared words. Rows, changes, operations, outcomes, the history rules. No I/O.
//! - [`families`]: one directory per tool family. Pure functions of a read-only view and arguments.
//! - [`policy`]: what a mode allows, as one table.
//! - [`store`]: the only module that names redb. One writer thread, MVCC readers.
//! - [`engine`]: the one path every call takes; effects, confirmations, recovery after a crash.
//! - [`mcp`]: sessions, tools, resources, prompts, in both protocol eras.
//! - [`ipc`]: paths, hello, connect-or-start, framing. Shared by shim, command line and daemon.
//! - [`shim`]: what `packd-mcp` does. Neither an async runtime nor the database.
//! - [`supervise`]: the private half of `packd-mcp`: runs one program that outlives the daemon. std and rustix only.
//! - [`daemon`]: listener, life, log, configuration.
//! - [`cli`]: what people type. A client of the daemon like any other.
//!
//! # Invariants
//!
//! - **A family changes nothing.** It returns what should change. Preview, undo, group commit and fast tests
//!   all follow from that; nothing in `families`, `core` or `policy` reads a clock, a file or the environment.
//! - **Every change is compare-and-set, and one operation.** A reply is sent only after the commit that holds
//!   it is durable. A revision only grows, also over undo.
//! - **The unit of history is the field.** Whole rows become field changes in one place (`core::change`), and undo,
//!   redo and revert work on those: what others did to the same row stays. `tests/field_changes.rs` leads random
//!   versions of every kind of row there and back, `tests/history_fields.rs` does it through the engine.
//! - **Derived data is derived.** Indexes are computed from rows by the store and are never part of an
//!   operation, so they can neither disagree with the rows nor get in the way of an undo; `store::derive` makes them,
//!   for a write, a replay and a repair alike.
//! - **The database lock is the only truth about who runs.** There is no pid file and no second lock.
//! - **Nothing reads the daemon's own directory or environment** on behalf of a client: both come in its Hello.
//!   Programs start in `engine/programs` alone, with an allow-list from the environment of the session that called;
//!   that environment is in memory only.
//! - **A repository that is looked at runs nothing**: `core/git` alone builds git commands. No hook, filter, monitor or
//!   transport that a repository names runs but in a commit, tag or push that somebody confirmed.
//! - **Knowledge points one way**: `core ← {families, policy, store} ← engine ← mcp ← daemon`; `ipc` knows
//!   nothing of the rest. `tests/tidy.rs` reads the source and checks it.

pub mod cli;
pub mod core;
pub mod daemon;
pub mod engine;
pub mod families;
#[doc(hidden)]
pub mod fuzzing;
pub mod ipc;
pub mod mcp;
pub mod policy;
pub mod shim;
pub mod store;
pub mod supervise;
