//! Git and what it says about checkouts, under the names this family uses.

pub use crate::core::git::{Git, Remote, env, remote_timeout, work};
pub use crate::core::unpushed::{Checkout, CheckoutScope, Commit, commits, look, short, unfiltered};
