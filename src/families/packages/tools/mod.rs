//! One file per tool.

pub mod config_get;
pub mod config_set;
pub mod create_package;
pub mod doctor;
pub mod info;
pub mod init;
pub mod install;
pub mod list;
pub mod outdated;
pub mod publish;
pub mod registry_add;
pub mod registry_list;
pub mod restore;
pub mod search;
pub mod uninstall;
pub mod upgrade;
pub mod validate;
pub mod verify;
