//! Shell completions and manual pages, both from the definition of the command line.

use clap::CommandFactory;
use clap_complete::env::Shells;
use serde_json::json;

use super::args::{CompletionsArgs, ManArgs};
use super::view::render::Render;
use super::{Cli, CommandFailure, complete};

pub fn shell(args: &CompletionsArgs, render: Render) -> Result<(), CommandFailure> {
    let name = args.shell.to_string();
    let mut script = Vec::new();
    let shells = Shells::builtins();
    // Every shell that can be named here is one of them.
    let shell = shells
        .completer(&name)
        .ok_or_else(|| CommandFailure::usage(format!("There is no shell '{name}'.")))?;
    shell
        .write_registration(complete::VARIABLE, "packd", "packd", "packd", &mut script)
        .map_err(|e| CommandFailure::refused(format!("The script cannot be written: {e}.")))?;
    let script = String::from_utf8_lossy(&script).into_owned();
    render.show(&json!({"shell": args.shell.to_string(), "script": script}), |r| r.raw(&script));
    Ok(())
}

pub fn man(args: &ManArgs, render: Render) -> Result<(), CommandFailure> {
    std::fs::create_dir_all(&args.dir)
        .and_then(|()| clap_mangen::generate_to(Cli::command(), &args.dir))
        .and_then(|()| std::fs::write(args.dir.join("packd-mcp.1"), shim_page()))
        .map_err(|e| CommandFailure::refused(format!("Cannot write to {}: {e}.", args.dir.display())))?;
    render
        .show(&json!({"dir": args.dir}), |r| r.line(format!("Manual pages are in {}.", args.dir.display())));
    Ok(())
}

/// The page of `packd-mcp`, from its own help: a program without this command line's machinery has only that.
fn shim_page() -> String {
    let help = crate::shim::flags::HELP;
    let (about, rest) = help.split_once("\n\nUsage: ").unwrap_or((help, ""));
    let (usage, options) = rest.split_once("\n\n").unwrap_or((rest, ""));
    // Behind a backslash nothing begins a request; a hyphen that can be typed is not a dash.
    let safe = |text: &str| {
        let lines = text.lines().map(|line| format!("\\&{}", line.replace('\\', "\\e").replace('-', "\\-")));
        lines.collect::<Vec<_>>().join("\n")
    };
    format!(
        ".TH packd\\-mcp 1 \"\" \"packd {}\"\n.SH NAME\npackd\\-mcp \\- the program that MCP hosts start\n.SH SYNOPSIS\n{}\n\
         .SH DESCRIPTION\n{}\n.SH OPTIONS\n.nf\n{}\n.fi\n.SH SEE ALSO\n.BR packd (1),\n.BR packd\\-setup (1)\n",
        env!("CARGO_PKG_VERSION"),
        safe(usage),
        safe(about),
        safe(options.trim_end())
    )
}
