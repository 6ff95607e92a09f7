//! One file per tool.

pub mod init;
