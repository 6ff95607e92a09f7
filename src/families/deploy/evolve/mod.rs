//! Evolve: edits made where files were deployed find their way back into the config repo, and what went
//! missing comes back.

pub mod candidates;
pub mod git;
mod objects;
