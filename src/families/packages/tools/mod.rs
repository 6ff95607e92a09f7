//! One file per tool, and the one list of them.

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

use crate::core::AnyTool;

pub const TOOLS: &[&dyn AnyTool] = &[
    &search::Search,
    &list::PackagesList,
    &info::PackagesInfo,
    &validate::PackagesValidate,
    &config_get::ConfigGet,
    &registry_list::RegistryList,
    &doctor::PackagesDoctor,
    &outdated::ListOutdated,
    &verify::PackagesVerify,
    &install::PackagesInstall,
    &uninstall::Uninstall,
    &publish::Publish,
    &init::PackagesInit,
    &create_package::CreatePackage,
    &config_set::ConfigSet,
    &registry_add::RegistryAdd,
    &upgrade::Upgrade,
    &restore::PackagesRestore,
];
