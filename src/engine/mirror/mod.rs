//! Rows that are also files of a project, kept alike in both directions: the store is the truth, the files are shared.
//!
//! `roots` compares a directory with its rows, `files` reads and writes it, `moments` says when.

pub(super) mod files;
pub(super) mod moments;
pub mod roots;
