//! Claims: who works on which task, so that no two agents do the same one.
//!
//! A claim is a row beside the task, never part of it: it has no revision and no undo, and it ends by itself. What is
//! ready to be taken follows from the tasks alone (`readiness`); who may write is asked in one place (`guard`).

mod claim;
mod guard;
mod housekeeping;
mod readiness;
mod reminder;

pub use claim::{
    CLAIMS, Claim, ClaimHolder, ClaimShown, DEFAULT_LEASE, claim_key, claims, held, in_hand, lease_end,
    stored,
};
pub use guard::{ended_with, other_holder};
pub use housekeeping::sweep;
pub use readiness::{Readiness, open_tasks, readiness};
pub use reminder::at_stop;
