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
use args::Command;
use client::{Client, Scope};
pub use failure::Failure;
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
    let scope = Scope { workspace: cli.workspace.clone(), user_wide: false };
    view::place::stand_in(scope.workspace.as_deref());
    if let Some(Command::Daemon) = cli.command {
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

fn execute(command: Command, render: Render, scope: &Scope) -> Result<(), Failure> {
    match command {
        Command::Daemon => Ok(()),
        Command::Up => up::run(render),
        Command::Status => daemon::status(render),
        Command::Stop => daemon::stop(render),
        Command::Restart => daemon::restart(render),
        Command::Call(args) => call::run(&args, render, scope),
        Command::Undo(args) => step::undo(&args, render, scope),
        Command::Redo(args) => step::redo(&args, render, scope),
        Command::Revert(args) => step::revert(&args, render, scope),
        Command::Tools(args) => tools::run(&args, render),
        Command::Help(args) => help::run(&args, render),
        Command::Workspace(command) => workspace::run(command, render, scope),
        Command::History(args) => history::list(&args, render, scope),
        Command::Show(args) => history::show(&args, render, scope),
        Command::At(args) => at::run(&args, render, scope),
        Command::Log(args) => history::log(&args, render, scope),
        Command::Pack(args) => pack::run(args, render, scope),
        Command::Doctor(args) => doctor::run(&args, render, scope),
        Command::Forget(args) => forget::run(&args, render, scope),
        Command::Gc(args) => gc::run(&args, render, scope),
        Command::Stats => daemon::stats(render, scope),
        Command::Policy => daemon::policy(render),
        Command::Task(command) => task::run(command, render, scope),
        Command::Deploy(args) => deploy::run(args, render, scope),
        Command::Pkg(command) => pkg::run(command, render, scope),
        Command::Mode(args) => mode::run(&args, render, scope),
        Command::Confirm(args) => confirm::run(&args, render, scope),
        Command::Ui(args) => ui::run(&args, render, scope),
        Command::Eco(command) => eco::run(command, render, scope),
        Command::Run(command) => run::run(command, render, scope),
        Command::Watch(args) => watch::run(&args, render, scope),
        Command::Setup(args) => setup::run(&args, render, scope),
        Command::Plugin(command) => plugin::run(command, render),
        // Taken care of before the arguments were read.
        Command::Hook(_) => Ok(()),
        Command::Service(command) => service::run(command, render),
        Command::Backup(args) => backup::backup(&args, render, scope),
        Command::Restore(args) => backup::restore(&args, render),
        Command::Snap(command) => snap::run(command, render, scope),
        Command::Why(args) => snap::why(&args, render, scope),
        Command::Find(args) => find::run(&args, render, scope),
        Command::Trash(args) => trash::run(&args, render, scope),
        Command::Repair => repair::run(render),
        Command::Audit(command) => audit::run(command, render, scope),
        Command::Export(args) => export::run(&args, render, scope),
        Command::Completions(args) => completions::shell(&args, render),
        Command::Man(args) => completions::man(&args, render),
    }
}
