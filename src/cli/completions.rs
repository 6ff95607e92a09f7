//! Shell completions and manual pages, both from the definition of the command line.

use clap::CommandFactory;
use serde_json::json;

use super::args::{CompletionsArgs, ManArgs};
use super::view::render::Render;
use super::{Cli, Failure};

pub fn shell(args: &CompletionsArgs, render: Render) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "packd", &mut script);
    let script = String::from_utf8_lossy(&script).into_owned();
    render.show(&json!({"shell": args.shell.to_string(), "script": script}), |r| r.raw(&script));
    Ok(())
}

pub fn man(args: &ManArgs, render: Render) -> Result<(), Failure> {
    std::fs::create_dir_all(&args.dir)
        .and_then(|()| clap_mangen::generate_to(Cli::command(), &args.dir))
        .map_err(|e| Failure::refused(format!("Cannot write to {}: {e}.", args.dir.display())))?;
    render
        .show(&json!({"dir": args.dir}), |r| r.line(format!("Manual pages are in {}.", args.dir.display())));
    Ok(())
}
