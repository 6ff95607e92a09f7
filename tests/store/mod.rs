//! The store: what it promises, what is in it, and what becomes of it.

mod audit;
mod backup;
mod beside;
mod collect;
mod compact;
mod counts;
mod field_changes;
mod journal;
mod kills;
mod model;
mod promises;
mod schema1;
mod words;
