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

use super::plan::AsPlanned;
use crate::core::AnyTool;

pub const TOOLS: &[&dyn AnyTool] = &[
    &AsPlanned::<search::Search>::TOOL,
    &AsPlanned::<list::PackagesList>::TOOL,
    &AsPlanned::<info::PackagesInfo>::TOOL,
    &AsPlanned::<validate::PackagesValidate>::TOOL,
    &AsPlanned::<config_get::ConfigGet>::TOOL,
    &AsPlanned::<registry_list::RegistryList>::TOOL,
    &AsPlanned::<doctor::PackagesDoctor>::TOOL,
    &AsPlanned::<outdated::ListOutdated>::TOOL,
    &AsPlanned::<verify::PackagesVerify>::TOOL,
    &AsPlanned::<install::PackagesInstall>::TOOL,
    &AsPlanned::<uninstall::Uninstall>::TOOL,
    &AsPlanned::<publish::Publish>::TOOL,
    &AsPlanned::<init::PackagesInit>::TOOL,
    &AsPlanned::<create_package::CreatePackage>::TOOL,
    &AsPlanned::<config_set::ConfigSet>::TOOL,
    &AsPlanned::<registry_add::RegistryAdd>::TOOL,
    &AsPlanned::<upgrade::Upgrade>::TOOL,
    &AsPlanned::<restore::PackagesRestore>::TOOL,
];
