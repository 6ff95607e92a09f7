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
//! The layers up to the engine, ipc, shim and supervise are crates of their own (`src/<layer>/Cargo.toml`): they cannot
//! name what is above them. Paths are the same everywhere: `crate::engine`.
//!
//! - [`core`]: the shared words. Rows, changes, operations, outcomes, the history rules. No I/O.
//! - [`families`]: one directory per tool family. Pure functions of a read-only view and arguments.
//! - [`policy`]: what a mode allows, as one table.
//! - [`store`]: the only module that names redb. One writer thread, MVCC readers.
//! - [`engine`]: the one path every call takes; effects, confirmations, recovery after a crash.
//! - [`mcp`]: sessions, tools, resources, prompts, in both protocol eras.
//! - [`page`]: the local page of `packd ui`: what agents do, to see and to approve. Shows what [`cli::view`] models.
//! - [`ipc`]: paths, hello, connect-or-start, framing. Shared by shim, command line and daemon.
//! - [`shim`]: what `packd-mcp` does. Neither an async runtime nor the database.
//! - [`supervise`]: the private half of `packd-mcp`: runs one program that outlives the daemon. std and rustix only.
//! - [`daemon`]: listener, life, log, configuration.
//! - [`cli`]: what people type. A client of the daemon like any other.
//!
//! # Invariants
//!
//! Each names the tests that hold it; `house::docs::every_invariant_names_tests_that_exist` reads this list.
//!
//! - **A family changes nothing.** It returns what should change. Preview, undo, group commit and fast tests
//!   all follow from that; nothing in `families`, `core` or `policy` reads a clock, a file or the environment.
//!   `house::tidy::the_pure_layers_are_excused_from_nothing`, `house::tidy::core_families_and_policy_are_pure`,
//!   `engine::history::plan_mode_runs_the_same_code_and_leaves_no_trace`.
//! - **Every change is compare-and-set, and one operation.** A reply is sent only after the commit that holds
//!   it is durable. A revision only grows, also over undo. `crash::power::no_acknowledged_operation_is_lost`,
//!   `engine::history::undo_and_redo_walk_the_log_and_revisions_only_grow`,
//!   `engine::history::a_batch_is_one_operation_and_one_undo`.
//! - **The unit of history is the field.** Whole rows become field changes in one place (`core::change`), and undo,
//!   redo and revert work on those: what others did to the same row stays. `store::field_changes` leads random versions
//!   of every kind of row there and back, `engine::history_fields::an_old_edit_is_taken_back_under_later_ones` does it
//!   through the engine.
//! - **Derived data is derived.** Indexes are computed from rows by the store and are never part of an
//!   operation, so they can neither disagree with the rows nor get in the way of an undo; `store::derive` makes them,
//!   for a write, a replay and a repair alike. The random walks of `engine::history` compare them after every move.
//! - **The database lock is the only truth about who runs.** There is no pid file and no second lock.
//!   `store::promises::a_second_opener_is_told_that_another_daemon_runs`,
//!   `lifecycle::daemon::a_second_daemon_says_so_and_ends_well`.
//! - **Nothing reads the daemon's own directory or environment** on behalf of a client: both come in its Hello, with the
//!   variables that families declare. Programs start in `engine/programs` alone, with an allow-list from the environment
//!   of the session that called; that environment is in memory only.
//!   `hostile::environment::a_provisioner_sees_the_calling_session_and_never_the_one_that_started_the_daemon`,
//!   `hostile::environment::the_environment_is_in_no_reply_no_log_and_no_store`,
//!   `house::tidy::programs_are_started_in_one_place`,
//!   `house::tidy::a_family_reads_no_variable_that_it_does_not_declare`.
//! - **A repository that is looked at runs nothing**: `core/git` alone builds git commands. No hook, filter, monitor or
//!   transport that a repository names runs but in a commit, tag or push that somebody confirmed.
//!   `house::tidy::git_is_spoken_in_one_place`,
//!   `hostile::git::a_staged_push_runs_nothing_and_the_confirmed_one_runs_its_hooks`.
//! - **Knowledge points one way**: `core ← {families, store ← engine} ← mcp ← page ← daemon`; `ipc` knows nothing of the
//!   rest. As crates they could not name what is above them; `house::tidy::a_layer_depends_on_those_below_it` reads
//!   their manifests, `house::tidy::within_the_daemon_layers_know_only_what_is_below_them` holds the rest,
//!   `house::tidy::only_assembling_knows_the_families` the families.

pub use packd_core::{core, policy};
pub use packd_engine::engine;
pub use packd_families::families;
pub use packd_ipc::ipc;
pub use packd_shim::shim;
pub use packd_store::store;
pub use packd_supervise::supervise;

#[allow(clippy::disallowed_methods, reason = "a program of its own, run by a person")]
pub mod cli;
#[allow(clippy::disallowed_methods, reason = "owns the process")]
pub mod daemon;
#[doc(hidden)]
#[allow(clippy::disallowed_methods, reason = "feeds the layers below with what was kept in files")]
pub mod fuzzing;
#[allow(clippy::disallowed_methods, reason = "paces what it sends")]
pub mod mcp;
#[allow(
    clippy::disallowed_methods,
    reason = "keeps time for sign-ins, and writes the file that leads a browser to it"
)]
pub mod page;
pub mod version;
