//! The grammar of the command line. Everything a person can type is defined here.

use clap::{Args, Parser, Subcommand};

pub use super::args_deploy::*;
pub use super::args_eco::*;
pub use super::args_families::*;
pub use super::args_history::*;
pub use super::args_install::*;
pub use super::args_pack::*;
pub use super::args_pkg::*;

use super::complete;
use super::view::render::PrintWish;
use super::view::time::TimeStyle;

#[derive(Parser)]
#[command(
    name = "packd",
    version = crate::version::BUILD,
    about = "One daemon that gives AI coding agents a memory they can change safely",
    after_help = "Exit codes: 0 done, 1 refused or failed, 2 wrong usage, 3 the daemon cannot be reached.\n\n\
                  Examples:\n  packd up                 start the daemon and watch it work\n  \
                  packd history            what was done in this project\n  \
                  packd undo               take the newest change back",
    max_term_width = 80,
    disable_help_subcommand = true
)]
pub struct Cli {
    /// Print the answer as JSON
    #[arg(long, global = true)]
    pub json: bool,

    /// The project directory (default: the git top level of this directory)
    #[arg(long, global = true, value_name = "DIR", value_hint = clap::ValueHint::DirPath)]
    pub workspace: Option<String>,

    #[command(flatten)]
    pub look: DisplayArgs,

    #[command(subcommand)]
    pub command: Option<CliCommand>,
}

/// How answers look; the same for every command.
#[derive(Args)]
#[command(next_help_heading = "How answers look")]
pub struct DisplayArgs {
    /// Times as the clock of this place shows them
    #[arg(long, global = true, conflicts_with = "utc")]
    pub absolute: bool,
    /// Times in UTC
    #[arg(long, global = true)]
    pub utc: bool,
    /// When to use colour
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto", hide_default_value = true,
          value_parser = ["auto", "always", "never"])]
    pub color: String,
    /// Do not show long answers in a pager
    #[arg(long, global = true)]
    pub no_pager: bool,
}

impl Cli {
    /// What was said about how to print.
    pub fn wish(&self) -> PrintWish {
        PrintWish {
            json: self.json,
            colour: match self.look.color.as_str() {
                "always" => Some(true),
                "never" => Some(false),
                _ => None,
            },
            clock: match (self.look.utc, self.look.absolute) {
                (true, _) => TimeStyle::Utc,
                (_, true) => TimeStyle::Local,
                _ => TimeStyle::Relative,
            },
            no_pager: self.look.no_pager,
        }
    }
}

#[derive(Subcommand)]
pub enum CliCommand {
    /// Start the daemon and show it working end to end
    #[command(after_help = "Example:\n  packd up")]
    Up,
    /// Say whether the daemon runs, since when, and for how many sessions
    #[command(after_help = "Example:\n  packd status --json")]
    Status,
    /// Finish what is under way and end the daemon
    #[command(after_help = "Example:\n  packd stop")]
    Stop,
    /// Stop the daemon and start it again; editors notice nothing
    #[command(after_help = "Example:\n  packd restart")]
    Restart,
    /// Call a tool as an agent would
    #[command(
        after_help = "Examples:\n  packd call input '{\"action\":\"list\"}'\n  packd call tasks_create --example"
    )]
    Call(CallArgs),
    /// List the tools agents see, or print one with an example to copy
    #[command(
        after_help = "Examples:\n  packd tools\n  packd tools --family tasks\n  packd tools tasks_create"
    )]
    Tools(ToolsArgs),
    /// Explain a command, or a topic: undo, modes, workspaces, hosts
    #[command(after_help = "Examples:\n  packd help\n  packd help undo\n  packd help task add")]
    Help(HelpArgs),
    /// Take back the newest change in this project
    #[command(
        after_help = "Examples:\n  packd undo\n  packd undo --family tasks\n  packd undo --target login-flow\n  packd undo --by claude-code --since 1h"
    )]
    Undo(StepArgs),
    /// Bring back what was undone last
    #[command(after_help = "Example:\n  packd redo")]
    Redo(RedoArgs),
    /// Take back one operation, wherever it stands in the history
    #[command(after_help = "Examples:\n  packd revert 9cf3157c\n  packd revert @- --yes")]
    Revert(RevertArgs),
    /// List what was done, newest first
    #[command(
        after_help = "Examples:\n  packd history\n  packd history --family packs --limit 5\n  packd history --by claude-code --since 1h\n  packd history --audit"
    )]
    History(HistoryArgs),
    /// Show one operation with what it changed
    #[command(after_help = "Examples:\n  packd show\n  packd show 9cf3157c\n  packd show @-")]
    Show(ShowArgs),
    /// Show a pack or a task as it was after an operation
    #[command(after_help = "Examples:\n  packd at 9cf3157c\n  packd at @- TASK-001")]
    At(AtArgs),
    /// Print operations oldest first, and follow them
    #[command(after_help = "Examples:\n  packd log --follow\n  packd log --audit --all")]
    Log(LogArgs),
    /// Work with context packs
    #[command(subcommand, after_help = "Example:\n  packd pack list")]
    Pack(PackCommand),
    /// Check the installation and say what to do about each problem
    #[command(after_help = "Examples:\n  packd doctor\n  packd doctor --fix")]
    Doctor(DoctorArgs),
    /// Blank a text, or what one operation did, wherever packd keeps it
    #[command(
        after_help = "It shows where it stands and asks twice. That something happened, when and by whom is kept,\n\
                      with a digest. Your own files and backups elsewhere are not touched.\n\n\
                      Examples:\n  packd forget 9cf3157c\n  packd forget 'hunter2-secret'\n  packd forget -"
    )]
    Forget(ForgetArgs),
    /// Drop what retention allows to drop, and expired packs
    #[command(
        after_help = "packd does this by itself once a day.\n\nExamples:\n  packd gc\n  packd gc --compact"
    )]
    Gc(GcArgs),
    /// Calls, latencies, commits and sizes since the daemon started
    #[command(after_help = "Example:\n  packd stats --json")]
    Stats,
    /// Work with plans and tasks
    #[command(subcommand, after_help = "Examples:\n  packd task list\n  packd task tree TASK-001")]
    Task(TaskCommand),
    /// Deploy agent configuration to Codex, Claude Code, Cursor, VS Code and more
    #[command(
        args_conflicts_with_subcommands = true,
        after_help = "Examples:\n  packd deploy\n  packd deploy --apply\n  packd deploy rollback 1794807693307365000"
    )]
    Deploy(DeployArgs),
    /// Search, install and publish agent packages
    #[command(subcommand, after_help = "Examples:\n  packd pkg search review\n  packd pkg install my-pack")]
    Pkg(PkgCommand),
    /// Show the mode of every open session, or set one
    #[command(after_help = "Examples:\n  packd mode\n  packd mode plan --session 2f9c")]
    Mode(ModeArgs),
    /// Answer what waits for a person's confirmation
    #[command(after_help = "Examples:\n  packd confirm\n  packd confirm --set-passphrase")]
    Confirm(ConfirmArgs),
    /// Open the page on which you see what agents do, approve it and take it back
    #[command(
        after_help = "The page is served to you alone, on 127.0.0.1, and closes ten minutes after its last tab.\n\n\
                      Examples:\n  packd ui\n  packd ui --no-open\n  packd ui --idle 3600"
    )]
    Ui(UiArgs),
    /// Work with ecosystems of git repositories
    #[command(subcommand, after_help = "Examples:\n  packd eco list\n  packd eco push demo")]
    Eco(EcoCommand),
    /// Look at runs: long work that the daemon owns
    #[command(subcommand, after_help = "Example:\n  packd run logs 1a2b3c4d --follow")]
    Run(RunCommand),
    /// Print what each mode allows
    #[command(after_help = "Example:\n  packd policy")]
    Policy,
    /// Run the daemon in the foreground (supervisors do this)
    #[command(after_help = "Example:\n  packd daemon")]
    Daemon,
    /// Follow operations and audit records as they happen, one line each
    #[command(display_order = 9, after_help = "Examples:\n  packd watch\n  packd watch --all --json")]
    Watch(WatchArgs),
    /// Enter packd into editors and agents (MCP hosts), or take it out
    #[command(
        display_order = 1,
        after_help = "Examples:\n  packd setup                    which hosts there are\n  \
                            packd setup claude\n  packd setup --all --dry-run\n  \
                            packd setup cursor --toolsets packs,tasks,history\n  \
                            packd setup claude --remove\n\n\
                            `packd undo --family hosts --yes` takes a set-up back."
    )]
    Setup(SetupArgs),
    /// Make the plugin that brings packd's server, skills and hooks to a host
    #[command(subcommand, after_help = "Example:\n  packd plugin build out/")]
    Plugin(PluginCommand),
    /// What hosts run when something happens in them; `packd setup HOST --hooks` writes it down for them
    #[command(
        after_help = "Reads what the host says as JSON from stdin, answers in the host's own form, waits at most 50 ms for\n\
                      everything (PACKD_HOOK_MS says otherwise) and always ends with code 0.\n\n\
                      Example:\n  packd hook session-start --host claude"
    )]
    Hook(HookArgs),
    /// The projects packd knows, and whether their directories are there
    #[command(
        subcommand,
        after_help = "Examples:\n  packd workspace list\n  packd workspace move ~/old/shop ~/work/shop"
    )]
    Workspace(WorkspaceCommand),
    /// Run packd as a service of this user (systemd, launchd)
    #[command(subcommand, after_help = "Example:\n  packd service install")]
    Service(ServiceCommand),
    /// Copy the database into a file while packd runs
    #[command(after_help = "Example:\n  packd backup ~/packd-backup.redb")]
    Backup(BackupArgs),
    /// Put a backup in the place of the database
    #[command(after_help = "Example:\n  packd restore ~/packd-backup.redb")]
    Restore(RestoreArgs),
    /// Snapshots of this work tree: take, list, compare, go back to one
    #[command(
        subcommand,
        after_help = "Examples:\n  packd snap take\n  packd snap list\n  packd snap diff sn-3\n  packd snap restore sn-3"
    )]
    Snap(super::args_snap::SnapCommand),
    /// Which operation, session and task last wrote a line
    #[command(after_help = "Example:\n  packd why src/main.rs:12")]
    Why(super::args_snap::WhyArgs),
    /// Find packs, tasks, operations, packages and ecosystems by their words
    #[command(after_help = "Examples:\n  packd find login\n  packd find token refresh --kind tasks")]
    Find(FindArgs),
    /// List what was taken away and is kept for 30 days, or drop it for good
    #[command(after_help = "Examples:\n  packd trash\n  packd trash empty")]
    Trash(TrashArgs),
    /// Make a new database of what can be read of a damaged one
    #[command(
        after_help = "The damaged file is kept as it is, under a dated name. A daemon that runs is stopped.\n\n\
                            Example:\n  packd repair"
    )]
    Repair,
    /// Export the audit stream with its digests, or verify them
    #[command(
        subcommand,
        after_help = "Examples:\n  packd audit export ~/packd-audit.jsonl\n  packd audit verify"
    )]
    Audit(AuditCommand),
    /// Write packs, tasks and both logs in open formats
    #[command(after_help = "Examples:\n  packd export out/\n  packd export --all out/")]
    Export(ExportArgs),
    /// Print a completion script for a shell
    #[command(
        after_help = "Examples:\n  packd completions bash > ~/.local/share/bash-completion/completions/packd\n  \
                            packd completions fish > ~/.config/fish/completions/packd.fish"
    )]
    Completions(CompletionsArgs),
    /// Write the manual pages into a directory
    #[command(after_help = "Example:\n  packd man ~/.local/share/man/man1")]
    Man(ManArgs),
}

#[derive(Args)]
pub struct CallArgs {
    /// The tool's name
    #[arg(add = complete::tools())]
    pub tool: String,
    /// Its arguments as a JSON object (default: {}); `-` reads them from standard input
    pub arguments: Option<String>,
    /// Print an example of its arguments instead of calling it
    #[arg(long)]
    pub example: bool,
}

#[derive(Args)]
pub struct ToolsArgs {
    /// One of them, in full
    #[arg(add = complete::tools())]
    pub tool: Option<String>,
    /// Only one family
    #[arg(long, add = complete::families())]
    pub family: Option<String>,
}

#[derive(Args)]
pub struct HelpArgs {
    /// A command or a topic
    #[arg(add = complete::topics())]
    pub words: Vec<String>,
}

#[derive(Args)]
pub struct FindArgs {
    /// Words that must all occur, in titles, notes, paths or symbols
    #[arg(required = true)]
    pub words: Vec<String>,
    /// Only these kinds
    #[arg(long, value_delimiter = ',', value_parser = ["packs", "tasks", "operations", "packages", "ecosystems"])]
    pub kind: Vec<String>,
    /// How many
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..=100))]
    pub limit: u64,
}
