//! `packd pkg`: agent packages for people.

use serde_json::Value;

use super::args::{ConfigCommand, PkgCommand, RegistryCommand};
use super::view::render::Render;
use super::view::{pkg as view, pkg_settings as settings};
use super::{Client, CommandFailure, CommandScope, ToolArgs};

pub fn run(command: PkgCommand, render: Render, scope: &CommandScope) -> Result<(), CommandFailure> {
    if let PkgCommand::Init { name } = &command {
        return super::init::package(name.as_deref(), render, scope);
    }
    let query = match &command {
        PkgCommand::Search { query, .. } => query.clone(),
        _ => String::new(),
    };
    let client = &mut Client::open(scope)?;
    if let PkgCommand::Install { platform, .. } = &command {
        super::platforms::prepare(client, &super::init::project(scope)?, platform.as_deref(), render)?;
    }
    let (tool, args) = match command {
        PkgCommand::Init { .. } => return Ok(()),
        PkgCommand::Search { query, limit } => {
            ("aam_search", ToolArgs::new().with("query", query).with("limit", limit))
        }
        PkgCommand::List => ("aam_list", ToolArgs::new()),
        PkgCommand::Info { name, version } => {
            ("aam_info", ToolArgs::new().with("package_name", name).given("version", version))
        }
        PkgCommand::Validate { path } => ("aam_validate", ToolArgs::new().given("path", path)),
        PkgCommand::Install { packages, platform, force, no_deploy } => {
            let args =
                ToolArgs::new().with("packages", packages).with("force", force).with("no_deploy", no_deploy);
            ("aam_install", args.given("platform", platform))
        }
        PkgCommand::Uninstall { name } => ("aam_uninstall", ToolArgs::new().with("package_name", name)),
        PkgCommand::Publish { path, registry, tag } => {
            let args = ToolArgs::new().given("registry", registry).given("tag", tag);
            ("aam_publish", args.given("path", path))
        }
        PkgCommand::Create { path, name, version } => {
            let args = ToolArgs::new().with("include_all", true).given("path", path).given("name", name);
            ("aam_create_package", args.given("version", version))
        }
        PkgCommand::Outdated => ("aam_outdated", ToolArgs::new()),
        PkgCommand::Upgrade { packages } if packages.is_empty() => ("aam_upgrade", ToolArgs::new()),
        PkgCommand::Upgrade { packages } => ("aam_upgrade", ToolArgs::new().with("packages", packages)),
        PkgCommand::Verify { name } => ("aam_verify", ToolArgs::new().given("package_name", name)),
        PkgCommand::Restore { force } => ("aam_restore", ToolArgs::new().with("force", force)),
        PkgCommand::Registry(RegistryCommand::List) => ("aam_registry_list", ToolArgs::new()),
        PkgCommand::Registry(RegistryCommand::Add { name, url, default, create }) => {
            let args = ToolArgs::new()
                .with("name", name)
                .with("url", url)
                .with("set_default", default)
                .with("create", create);
            ("aam_registry_add", args)
        }
        PkgCommand::Config(ConfigCommand::Get { key }) => {
            ("aam_config_get", ToolArgs::new().given("key", key))
        }
        PkgCommand::Config(ConfigCommand::Set { key, value }) => {
            ("aam_config_set", ToolArgs::new().with("key", key).with("value", value).with("mode", "execute"))
        }
        PkgCommand::Doctor => ("aam_doctor", ToolArgs::new()),
    };
    let value = whole(client, tool, args)?;
    let value = value.get("result").cloned().unwrap_or(value);
    shown(tool, &query, &value, render)
}

/// An answer with all its pages: each names the call that has the next one.
fn whole(client: &mut Client, tool: &str, args: ToolArgs) -> Result<Value, CommandFailure> {
    let mut answer = client.call(tool, args)?;
    let mut all: Option<Value> = None;
    loop {
        if answer.is_error {
            return Err(CommandFailure::of_tool(&answer));
        }
        let page = answer.value();
        let more = page["left"].is_u64() && page["next"]["tool"] == tool;
        if more {
            answer = client.call(tool, &page["next"]["arguments"])?;
        }
        let Some(value) = &mut all else {
            if !more {
                return Ok(page);
            }
            all = Some(page);
            continue;
        };
        for field in ["result", "packages", "outdated"] {
            if let (Some(Value::Array(list)), Some(Value::Array(rest))) =
                (value.get_mut(field), page.get(field))
            {
                list.extend(rest.iter().cloned());
            }
        }
        if !more {
            if let Some(map) = value.as_object_mut() {
                map.remove("left");
                map.remove("next");
            }
            return Ok(all.unwrap_or_default());
        }
    }
}

fn shown(tool: &str, query: &str, reply: &Value, r: Render) -> Result<(), CommandFailure> {
    match tool {
        "aam_search" => r.view(reply, |r, p: Vec<view::Package>| view::found(r, &p, query)),
        "aam_list" => r.view(reply, |r, p: Vec<view::Package>| view::installed(r, &p)),
        "aam_info" => r.view(reply, |r, p: view::PackageDetailsView| view::info(r, &p)),
        "aam_validate" => {
            r.view(reply, |r, v: view::Validated| view::validated(r, &v))?;
            failed_if(reply["valid"] == false, "The package is not in order.")
        }
        "aam_uninstall" => r.view(reply, |r, u: view::Uninstalled| view::uninstalled(r, &u)),
        "aam_publish" => r.view(reply, |r, p: view::PublishedPackageView| view::published(r, &p)),
        "aam_create_package" => r.view(reply, |r, m: view::MadePackageView| view::made(r, &m)),
        "aam_outdated" => r.view(reply, |r, o: view::Outdated| view::outdated(r, &o)),
        "aam_verify" => {
            r.view(reply, |r, v: view::Verified| view::verified(r, &v))?;
            failed_if(reply["valid"] == false, "Something is not as it was installed.")
        }
        "aam_registry_list" => r.view(reply, |r, l: Vec<settings::RegistryView>| settings::registries(r, &l)),
        "aam_registry_add" => r.view(reply, |r, one: settings::RegistryView| settings::registered(r, &one)),
        "aam_config_get" | "aam_config_set" => {
            r.view(reply, |r, s: settings::Setting| settings::setting(r, &s))
        }
        "aam_doctor" => {
            r.view(reply, |r, d: settings::PackagesDoctorView| settings::doctor(r, &d))?;
            failed_if(reply["healthy"] == false, "Something needs your attention; see above.")
        }
        _ => {
            r.view(reply, |r, c: view::ChangedPackagesView| view::changed(r, &c))?;
            undone(reply["failed"].as_array().map(Vec::as_slice).unwrap_or_default())
        }
    }
}

/// Packages that could not be brought in: why, of one; how many, of several that are listed.
fn undone(failed: &[Value]) -> Result<(), CommandFailure> {
    let text = |one: &Value, field: &str| one[field].as_str().unwrap_or_default().to_string();
    match failed {
        [] => Ok(()),
        [one] => Err(CommandFailure::refused(text(one, "message")).hint(text(one, "hint")).shown()),
        several => {
            Err(CommandFailure::refused(format!("{} packages could not be installed.", several.len()))
                .hint("`packd pkg search WORD` looks for packages, `packd pkg registry list` shows where.")
                .shown())
        }
    }
}

/// The document says what is wrong; the exit code says that something is.
fn failed_if(bad: bool, message: &str) -> Result<(), CommandFailure> {
    if bad { Err(CommandFailure::refused(message).shown()) } else { Ok(()) }
}
