//! The shim's command line. Each flag has a twin in the environment; the flag wins.

use std::ffi::OsString;

use crate::ipc::hello::Flags;

pub const HELP: &str = "\
packd-mcp connects an MCP host on stdin and stdout to the packd daemon, which it starts if none runs.
Hosts start it; you only write it into their configuration.

Usage: packd-mcp [OPTIONS]

  --workspace DIR        the project (else CLAUDE_PROJECT_DIR, the git top level, the current directory)
  --toolsets LIST        core (the small daily set), or some of packs,tasks,deploy,
                         packages,ecosystems,history, or all (default: all)
  --tools LIST           only these tools, beside the toolsets given
  --exclude-tools LIST   leave these tools out, whatever else says
  --read-only            leave out every tool that writes; beats everything
  --allow-write          let the package tools write
  --mode MODE            ask, plan or execute: the mode of the session
  --max-mode MODE        the highest mode any call may ask for
  --name NAME            what serverInfo.name says
  --structured WHEN      auto, always or never: structured content beside the text of a reply
  -h, --help             this text
  -V, --version          the version

Each option has a twin in the environment: PACKD_WORKSPACE, PACKD_TOOLSETS, ... PACKD_READ_ONLY=1.
PACKD_HOME says where the daemon keeps its data and its socket.

Example of a host's configuration:
  {\"mcpServers\": {\"packd\": {\"command\": \"packd-mcp\", \"args\": [\"--toolsets\", \"packs,history\"]}}}
";

/// What the command line asks for.
#[derive(Debug, PartialEq)]
pub enum ShimCommand {
    Serve(Box<Flags>),
    Help,
    Version,
}

/// Reads the arguments and, for what they leave open, the environment.
pub fn parse(
    args: impl IntoIterator<Item = OsString>,
    env: impl Fn(&str) -> Option<String>,
) -> Result<ShimCommand, String> {
    let mut flags = Flags::default();
    let mut args = args.into_iter();
    while let Some(arg) = args.next() {
        let arg = text(arg)?;
        let (name, inline) = match arg.split_once('=') {
            Some((name, value)) => (name.to_string(), Some(value.to_string())),
            None => (arg, None),
        };
        match name.as_str() {
            "-h" | "--help" => return Ok(ShimCommand::Help),
            "-V" | "--version" => return Ok(ShimCommand::Version),
            "--read-only" | "--allow-write" => {
                let on = inline.map_or(Ok(true), |value| switch(&name, &value))?;
                *if name == "--read-only" { &mut flags.read_only } else { &mut flags.allow_write } = on;
            }
            _ => {
                let Some(slot) = name.strip_prefix("--").filter(|n| TAKES_VALUE.contains(n)) else {
                    return Err(format!("There is no option {name}. `packd-mcp --help` lists them."));
                };
                let value = match inline {
                    Some(value) => value,
                    None => text(args.next().ok_or(format!("The option {name} needs a value."))?)?,
                };
                set(&mut flags, slot, &value)?;
            }
        }
    }
    for name in TAKES_VALUE {
        if let Some(value) = env(&twin(name)).filter(|v| !v.is_empty())
            && !given(&flags, name)
        {
            set(&mut flags, name, &value).map_err(|why| format!("{}: {why}", twin(name)))?;
        }
    }
    if let Some(value) = env("PACKD_READ_ONLY") {
        flags.read_only |= switch("PACKD_READ_ONLY", &value)?;
    }
    if let Some(value) = env("PACKD_ALLOW_WRITE") {
        flags.allow_write |= switch("PACKD_ALLOW_WRITE", &value)?;
    }
    Ok(ShimCommand::Serve(Box::new(flags)))
}

const TAKES_VALUE: [&str; 8] =
    ["workspace", "toolsets", "tools", "exclude-tools", "mode", "max-mode", "name", "structured"];

fn twin(name: &str) -> String {
    format!("PACKD_{}", name.replace('-', "_").to_ascii_uppercase())
}

fn given(flags: &Flags, name: &str) -> bool {
    match name {
        "workspace" => flags.workspace.is_some(),
        "toolsets" => flags.toolsets.is_some(),
        "tools" => flags.tools.is_some(),
        "exclude-tools" => flags.exclude_tools.is_some(),
        "mode" => flags.mode.is_some(),
        "max-mode" => flags.max_mode.is_some(),
        "structured" => flags.structured.is_some(),
        _ => flags.name.is_some(),
    }
}

fn set(flags: &mut Flags, name: &str, value: &str) -> Result<(), String> {
    match name {
        "workspace" => {
            let path = std::path::absolute(value)
                .map_err(|e| format!("The workspace {value:?} is not a usable path: {e}."))?;
            flags.workspace = Some(path.to_string_lossy().into_owned());
        }
        "toolsets" => add(&mut flags.toolsets, value),
        "tools" => add(&mut flags.tools, value),
        "exclude-tools" => add(&mut flags.exclude_tools, value),
        "mode" => flags.mode = Some(mode(value)?),
        "max-mode" => flags.max_mode = Some(mode(value)?),
        "structured" => flags.structured = Some(structured(value)?),
        _ => flags.name = Some(value.to_string()),
    }
    Ok(())
}

fn add(list: &mut Option<Vec<String>>, value: &str) {
    let items = value.split(',').map(str::trim).filter(|item| !item.is_empty()).map(String::from);
    list.get_or_insert_default().extend(items);
}

fn mode(value: &str) -> Result<String, String> {
    match value {
        "ask" | "plan" | "execute" => Ok(value.into()),
        _ => Err(format!("{value:?} is not a mode: say ask, plan or execute.")),
    }
}

fn structured(value: &str) -> Result<String, String> {
    match value {
        "auto" | "always" | "never" => Ok(value.into()),
        _ => Err(format!("{value:?} says nothing to --structured: say auto, always or never.")),
    }
}

fn switch(name: &str, value: &str) -> Result<bool, String> {
    match value.to_ascii_lowercase().as_str() {
        "1" | "true" | "yes" | "on" => Ok(true),
        "" | "0" | "false" | "no" | "off" => Ok(false),
        _ => Err(format!("{name} is {value:?}: say 1 or 0.")),
    }
}

fn text(arg: OsString) -> Result<String, String> {
    arg.into_string().map_err(|arg| format!("The argument {arg:?} is not UTF-8."))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(args: &[&str], env: &[(&str, &str)]) -> Result<Flags, String> {
        let find = |name: &str| env.iter().find(|(k, _)| *k == name).map(|(_, v)| v.to_string());
        match parse(args.iter().map(OsString::from), find)? {
            ShimCommand::Serve(flags) => Ok(*flags),
            other => Err(format!("{other:?}")),
        }
    }

    #[test]
    fn a_flag_beats_its_twin_and_lists_add_up() {
        let flags = read(
            &["--toolsets", "packs, tasks", "--toolsets=history", "--mode", "plan", "--read-only"],
            &[("PACKD_TOOLSETS", "all"), ("PACKD_MAX_MODE", "execute"), ("PACKD_MODE", "ask")],
        )
        .unwrap();
        assert_eq!(flags.toolsets.unwrap(), ["packs", "tasks", "history"]);
        assert_eq!((flags.mode.as_deref(), flags.max_mode.as_deref()), (Some("plan"), Some("execute")));
        assert!(flags.read_only && !flags.allow_write);
    }

    #[test]
    fn a_relative_workspace_becomes_absolute() {
        let flags = read(&["--workspace", "some/where"], &[]).unwrap();
        assert!(flags.workspace.unwrap().starts_with('/'));
    }

    #[test]
    fn mistakes_are_named() {
        assert!(read(&["--tool", "x"], &[]).unwrap_err().contains("--tool"));
        assert!(read(&["--mode", "yolo"], &[]).unwrap_err().contains("yolo"));
        assert!(read(&["--name"], &[]).unwrap_err().contains("needs a value"));
        assert!(read(&[], &[("PACKD_MAX_MODE", "all")]).unwrap_err().contains("PACKD_MAX_MODE"));
        assert!(read(&[], &[("PACKD_READ_ONLY", "perhaps")]).unwrap_err().contains("PACKD_READ_ONLY"));
    }
}
