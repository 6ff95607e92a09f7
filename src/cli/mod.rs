//! The command line: one file per noun, all that people see made in `view`, every answer from the daemon.

mod alone;
mod args;
mod args_deploy;
mod args_eco;
mod args_families;
mod args_history;
mod args_install;
mod args_pack;
mod args_pkg;
mod args_snap;

mod at;
mod audit;
mod backup;
mod bar;
mod call;
mod client;
mod complete;
mod completions;
mod confirm;
mod daemon;
mod dash;
mod deploy;
mod doctor;
mod doctor_hooks;
mod eco;
mod editor;
mod export;
mod failure;
mod find;
mod forget;
mod gc;
mod help;
mod history;
mod ids;
mod init;
mod listen;
mod mistyped;
mod mode;
mod pack;
mod pack_add;
mod pack_check;
mod passphrase;
mod pkg;
mod platforms;
mod plugin;
mod progress;
mod repair;
mod run;
mod screen;
mod service;
mod setup;
mod setup_more;
mod setup_plugin;
mod snap;
mod step;
mod task;
mod task_claim;
mod task_hand;
mod terminal;
mod tool_args;
mod tools;
mod trash;
mod ui;
mod undo_all;
pub mod units;
mod up;
pub mod view;
mod watch;
mod workspace;

use std::process::ExitCode;

use clap::Parser;

use crate::shim::hook;
pub use args::Cli;
use args::CliCommand;
use client::{Client, CommandScope};
pub use failure::CommandFailure;
use tool_args::ToolArgs;
use view::render::Render;

/// Parses the command line, runs the command and turns the result into an exit code.
pub fn main() -> ExitCode {
    let words: Vec<_> = std::env::args_os().skip(1).collect();
    // Before anything that may refuse: a hook is never in its host's way.
    if let Some((first, rest)) = words.split_first()
        && first == hook::WORD
        && !rest.iter().any(|word| word == "--help" || word == "-h")
    {
        return hook::run(rest.iter().cloned());
    }
    complete::answer();
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(e) => return mistyped::tell(&e),
    };
    let render = Render::new(cli.wish());
    let scope = CommandScope { workspace: cli.workspace.clone(), user_wide: false };
    view::place::stand_in(scope.workspace.as_deref());
    if let Some(CliCommand::Daemon) = cli.command {
        return daemon::run();
    }
    let done = match cli.command {
        Some(command) => execute(command, render, &scope),
        None => dash::run(render, &scope),
    };
    match done {
        Ok(()) => {
            render.finish();
            ExitCode::SUCCESS
        }
        Err(failure) => {
            render.failure(&failure);
            ExitCode::from(failure.code)
        }
    }
}

fn execute(command: CliCommand, render: Render, scope: &CommandScope) -> Result<(), CommandFailure> {
    match command {
        CliCommand::Daemon => Ok(()),
        CliCommand::Up => up::run(render),
        CliCommand::Status => daemon::status(render),
        CliCommand::Stop => daemon::stop(render),
        CliCommand::Restart => daemon::restart(render),
        CliCommand::Call(args) => call::run(&args, render, scope),
        CliCommand::Undo(args) => step::undo(&args, render, scope),
        CliCommand::Redo(args) => step::redo(&args, render, scope),
        CliCommand::Revert(args) => step::revert(&args, render, scope),
        CliCommand::Tools(args) => tools::run(&args, render),
        CliCommand::Help(args) => help::run(&args, render),
        CliCommand::Workspace(command) => workspace::run(command, render, scope),
        CliCommand::History(args) => history::list(&args, render, scope),
        CliCommand::Show(args) => history::show(&args, render, scope),
        CliCommand::At(args) => at::run(&args, render, scope),
        CliCommand::Log(args) => history::log(&args, render, scope),
        CliCommand::Pack(args) => pack::run(args, render, scope),
        CliCommand::Doctor(args) => doctor::run(&args, render, scope),
        CliCommand::Forget(args) => forget::run(&args, render, scope),
        CliCommand::Gc(args) => gc::run(&args, render, scope),
        CliCommand::Stats => daemon::stats(render, scope),
        CliCommand::Policy => daemon::policy(render),
        CliCommand::Task(command) => task::run(command, render, scope),
        CliCommand::Deploy(args) => deploy::run(args, render, scope),
        CliCommand::Pkg(command) => pkg::run(command, render, scope),
        CliCommand::Mode(args) => mode::run(&args, render, scope),
        CliCommand::Confirm(args) => confirm::run(&args, render, scope),
        CliCommand::Ui(args) => ui::run(&args, render, scope),
        CliCommand::Eco(command) => eco::run(command, render, scope),
        CliCommand::Run(command) => run::run(command, render, scope),
        CliCommand::Watch(args) => watch::run(&args, render, scope),
        CliCommand::Setup(args) => setup::run(&args, render, scope),
        CliCommand::Plugin(command) => plugin::run(command, render),
        // Taken care of before the arguments were read.
        CliCommand::Hook(_) => Ok(()),
        CliCommand::Service(command) => service::run(command, render),
        CliCommand::Backup(args) => backup::backup(&args, render, scope),
        CliCommand::Restore(args) => backup::restore(&args, render),
        CliCommand::Snap(command) => snap::run(command, render, scope),
        CliCommand::Why(args) => snap::why(&args, render, scope),
        CliCommand::Find(args) => find::run(&args, render, scope),
        CliCommand::Trash(args) => trash::run(&args, render, scope),
        CliCommand::Repair => repair::run(render),
        CliCommand::Audit(command) => audit::run(command, render, scope),
        CliCommand::Export(args) => export::run(&args, render, scope),
        CliCommand::Completions(args) => completions::shell(&args, render),
        CliCommand::Man(args) => completions::man(&args, render),
    }
}
