//! The grammar of the command line. Everything a person can type is defined here.

use clap::{Args, Parser, Subcommand};

pub use super::args_install::*;

#[derive(Parser)]
#[command(
    name = "packd",
    version,
    about = "One daemon that gives AI coding agents a memory they can change safely",
    after_help = "Exit codes: 0 done, 1 refused or failed, 2 wrong usage, 3 the daemon cannot be reached.\n\n\
                  Examples:\n  packd up                 start the daemon and watch it work\n  \
                  packd history            what was done in this project\n  \
                  packd undo               take the newest change back",
    max_term_width = 80,
    subcommand_required = true,
    arg_required_else_help = true
)]
pub struct Cli {
    /// Print the answer as JSON
    #[arg(long, global = true)]
    pub json: bool,

    /// The project directory (default: the git top level of this directory)
    #[arg(long, global = true, value_name = "DIR")]
    pub workspace: Option<String>,

    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand)]
pub enum Command {
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
    #[command(after_help = "Example:\n  packd call input '{\"action\":\"list\"}'")]
    Call(CallArgs),
    /// Take back the newest change in this project
    #[command(
        after_help = "Examples:\n  packd undo\n  packd undo --family tasks\n  packd undo --target pk_f2ireb33"
    )]
    Undo(StepArgs),
    /// Bring back what was undone last
    #[command(after_help = "Example:\n  packd redo")]
    Redo(StepArgs),
    /// List what was done, newest first
    #[command(
        after_help = "Examples:\n  packd history\n  packd history --family packs --limit 5\n  packd history --audit"
    )]
    History(HistoryArgs),
    /// Show one operation with what it changed
    #[command(after_help = "Example:\n  packd show 019b7ca9-8c88-75c8-ad5c-60c09cf3157c")]
    Show(ShowArgs),
    /// Print operations oldest first, and follow them
    #[command(after_help = "Examples:\n  packd log --follow\n  packd log --audit --all")]
    Log(LogArgs),
    /// Work with context packs
    #[command(subcommand, after_help = "Example:\n  packd pack list")]
    Pack(PackCommand),
    /// Check the installation and say what to do about each problem
    #[command(after_help = "Examples:\n  packd doctor\n  packd doctor --fix")]
    Doctor(DoctorArgs),
    /// Drop what retention allows to drop, and expired packs
    #[command(after_help = "Example:\n  packd gc")]
    Gc,
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
    #[command(after_help = "Example:\n  packd confirm")]
    Confirm(ConfirmArgs),
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
                            `packd undo --yes` takes a set-up back."
    )]
    Setup(SetupArgs),
    /// Run packd as a service of this user (systemd, launchd)
    #[command(subcommand, after_help = "Example:\n  packd service install")]
    Service(ServiceCommand),
    /// Copy the database into a file while packd runs
    #[command(after_help = "Example:\n  packd backup ~/packd-backup.redb")]
    Backup(BackupArgs),
    /// Put a backup in the place of the database
    #[command(after_help = "Example:\n  packd restore ~/packd-backup.redb")]
    Restore(RestoreArgs),
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
    pub tool: String,
    /// Its arguments as a JSON object (default: {}); `-` reads them from standard input
    pub arguments: Option<String>,
}

#[derive(Args)]
pub struct StepArgs {
    /// Only within one family (packs, tasks, deploy, packages, ecosystems)
    #[arg(long)]
    pub family: Option<String>,
    /// Only what touched this pack, task or file
    #[arg(long)]
    pub target: Option<String>,
    /// Refuse unless this is the operation
    #[arg(long, value_name = "ID")]
    pub expect: Option<String>,
    /// Also if it writes files
    #[arg(long, short)]
    pub yes: bool,
}

#[derive(Args)]
pub struct HistoryArgs {
    #[arg(long)]
    pub family: Option<String>,
    #[arg(long)]
    pub target: Option<String>,
    #[arg(long)]
    pub tool: Option<String>,
    /// The audit stream: refusals, mode changes, confirmations
    #[arg(long)]
    pub audit: bool,
    /// Every project of this user
    #[arg(long)]
    pub all: bool,
    #[arg(long, default_value_t = 20)]
    pub limit: u64,
    /// Only operations older than this one
    #[arg(long, value_name = "ID")]
    pub before: Option<String>,
}

#[derive(Args)]
pub struct ShowArgs {
    /// Operation id, or a request key with --request
    pub id: String,
    /// The id is the request key of a call whose reply was lost
    #[arg(long)]
    pub request: bool,
}

#[derive(Args)]
pub struct LogArgs {
    /// Keep printing as things happen
    #[arg(long, short)]
    pub follow: bool,
    /// Start after this operation
    #[arg(long, value_name = "ID")]
    pub since: Option<String>,
    #[arg(long)]
    pub audit: bool,
    /// Every project of this user
    #[arg(long)]
    pub all: bool,
}

#[derive(Subcommand)]
pub enum PackCommand {
    /// List packs
    #[command(after_help = "Example:\n  packd pack list --query auth")]
    List {
        #[arg(long)]
        query: Option<String>,
        #[arg(long)]
        status: Option<String>,
        #[arg(long, default_value_t = 50)]
        limit: u64,
    },
    /// Render a pack
    #[command(after_help = "Example:\n  packd pack show my-pack")]
    Show { name: String },
    /// Write packs as Markdown files with YAML front matter
    #[command(after_help = "Example:\n  packd pack export my-pack --to packs/")]
    Export {
        /// Ids or names (default: all)
        names: Vec<String>,
        /// Directory (default: print one pack)
        #[arg(long, value_name = "DIR")]
        to: Option<std::path::PathBuf>,
    },
    /// Take in pack files
    #[command(after_help = "Example:\n  packd pack import packs/*.md")]
    Import { files: Vec<std::path::PathBuf> },
}

#[derive(Args)]
pub struct ModeArgs {
    /// ask, plan or execute
    #[arg(value_parser = ["ask", "plan", "execute"])]
    pub mode: Option<String>,
    /// The session, by the beginning of its id (default: the only one of this project)
    #[arg(long)]
    pub session: Option<String>,
}

#[derive(Args)]
pub struct ConfirmArgs {
    /// Only this one (default: ask about each)
    pub id: Option<String>,
    /// Only show what waits
    #[arg(long)]
    pub list: bool,
}

#[derive(Args)]
pub struct EcoTarget {
    /// The ecosystem's name
    pub ecosystem: Option<String>,
    /// Do not ask (where a name must be typed, it is always asked)
    #[arg(long, short)]
    pub yes: bool,
}

#[derive(Subcommand)]
pub enum EcoCommand {
    /// List ecosystems
    #[command(after_help = "Example:\n  packd eco list")]
    List,
    /// Branch, commit and state of every repository
    #[command(after_help = "Example:\n  packd eco status demo")]
    Status(EcoTarget),
    /// What the manifest says
    #[command(after_help = "Example:\n  packd eco describe demo")]
    Describe(EcoTarget),
    /// Check the manifest
    #[command(after_help = "Example:\n  packd eco validate demo")]
    Validate(EcoTarget),
    /// Clone the repositories and set up the workspace
    #[command(after_help = "Example:\n  packd eco install demo --yes")]
    Install(EcoTarget),
    /// Fetch and update every repository
    #[command(after_help = "Example:\n  packd eco sync demo")]
    Sync(EcoTarget),
    /// Push what is committed
    #[command(after_help = "Example:\n  packd eco push demo")]
    Push(EcoTarget),
    /// Push everything, record it and remove the workspace
    #[command(after_help = "Example:\n  packd eco archive demo")]
    Archive(EcoTarget),
    /// Remove the workspace without pushing
    #[command(after_help = "Example:\n  packd eco discard demo")]
    Discard {
        #[command(flatten)]
        target: EcoTarget,
        /// Also if there is unpushed work
        #[arg(long)]
        force: bool,
    },
    /// Run the provisioner's deploy
    #[command(after_help = "Example:\n  packd eco deploy demo")]
    Deploy(EcoTarget),
    /// Run the provisioner's destroy
    #[command(after_help = "Example:\n  packd eco destroy demo")]
    Destroy(EcoTarget),
    /// Tickets: one branch over several repositories
    #[command(subcommand, after_help = "Example:\n  packd eco ticket list demo")]
    Ticket(TicketCommand),
    /// Releases
    #[command(subcommand, after_help = "Example:\n  packd eco release status demo")]
    Release(ReleaseCommand),
}

#[derive(Subcommand)]
pub enum TicketCommand {
    /// List tickets
    #[command(after_help = "Example:\n  packd eco ticket list demo")]
    List(EcoTarget),
    /// Start a ticket
    #[command(after_help = "Example:\n  packd eco ticket start ABC-1 demo")]
    Start {
        id: String,
        #[command(flatten)]
        target: EcoTarget,
    },
    /// Switch to a ticket (`main` = none)
    #[command(after_help = "Example:\n  packd eco ticket switch main demo")]
    Switch {
        id: String,
        #[command(flatten)]
        target: EcoTarget,
    },
    /// End a ticket
    #[command(after_help = "Example:\n  packd eco ticket end ABC-1 demo")]
    End {
        id: String,
        #[command(flatten)]
        target: EcoTarget,
    },
}

#[derive(Subcommand)]
pub enum ReleaseCommand {
    /// The newest release and what came since
    #[command(after_help = "Example:\n  packd eco release status demo")]
    Status(EcoTarget),
    /// Check whether a release could be made
    #[command(after_help = "Example:\n  packd eco release validate demo")]
    Validate(EcoTarget),
    /// The releases
    #[command(after_help = "Example:\n  packd eco release log demo")]
    Log(EcoTarget),
    /// Make the next version
    #[command(after_help = "Example:\n  packd eco release bump minor demo")]
    Bump {
        #[arg(value_parser = ["patch", "minor", "major"])]
        part: String,
        /// alpha, beta or rc
        #[arg(long)]
        pre_release: Option<String>,
        #[command(flatten)]
        target: EcoTarget,
    },
    /// Promote a pre-release
    #[command(after_help = "Example:\n  packd eco release promote demo --stage rc")]
    Promote {
        /// beta or rc (default: stable)
        #[arg(long)]
        stage: Option<String>,
        #[command(flatten)]
        target: EcoTarget,
    },
}

#[derive(Subcommand)]
pub enum RunCommand {
    /// List runs, newest first
    #[command(after_help = "Example:\n  packd run list")]
    List {
        #[arg(long, default_value_t = 20)]
        limit: u64,
    },
    /// How a run is doing
    #[command(after_help = "Example:\n  packd run status 1a2b3c4d")]
    Status { id: String },
    /// What a run printed
    #[command(after_help = "Example:\n  packd run logs 1a2b3c4d --follow")]
    Logs {
        id: String,
        #[arg(long, short)]
        follow: bool,
        #[arg(long, default_value_t = 50)]
        tail: u64,
    },
    /// Stop a run and everything it started
    #[command(after_help = "Example:\n  packd run cancel 1a2b3c4d")]
    Cancel { id: String },
}

#[derive(Subcommand)]
pub enum TaskCommand {
    /// List plans with their tasks
    #[command(after_help = "Example:\n  packd task list --status ACTIVE")]
    List {
        /// TODO, ACTIVE or DONE
        #[arg(long)]
        status: Option<String>,
        #[arg(long, default_value_t = 50)]
        limit: u64,
    },
    /// Show one task or plan with its steps (default: the focus)
    #[command(after_help = "Example:\n  packd task show TASK-001")]
    Show { id: Option<String> },
    /// The same as show
    #[command(after_help = "Example:\n  packd task tree TASK-001")]
    Tree { id: Option<String> },
    /// Now, why, verify, next: one screen
    #[command(after_help = "Example:\n  packd task radar TASK-001")]
    Radar { id: Option<String> },
    /// The one next action, ready to paste
    #[command(after_help = "Example:\n  packd task next TASK-001")]
    Next { id: Option<String> },
    /// Complete a step
    #[command(after_help = "Example:\n  packd task done TASK-001 s:0")]
    Done {
        id: String,
        path: String,
        /// Although checkpoints are open
        #[arg(long)]
        force: bool,
    },
    /// Add a note to a step
    #[command(after_help = "Example:\n  packd task note TASK-001 s:0 'parser works'")]
    Note { id: String, path: String, note: String },
    /// Take back the newest change to a task
    #[command(after_help = "Example:\n  packd task undo")]
    Undo,
    /// Take in a directory of task files, as one operation
    #[command(after_help = "Example:\n  packd task import .tasks")]
    Import {
        dir: std::path::PathBuf,
        /// Only say what would happen
        #[arg(long)]
        dry_run: bool,
        /// Replace tasks that exist
        #[arg(long)]
        overwrite: bool,
    },
    /// Write every plan and task as a file
    #[command(after_help = "Example:\n  packd task export out/")]
    Export { dir: std::path::PathBuf },
}

#[derive(Args)]
pub struct DeployArgs {
    #[command(subcommand)]
    pub command: Option<DeployCommand>,
    /// Write the planned files
    #[arg(long)]
    pub apply: bool,
    #[command(flatten)]
    pub options: DeployOptions,
}

#[derive(Args)]
pub struct DeployOptions {
    /// The config repository (default: $AGENTPACK_HOME/repo)
    #[arg(long, value_name = "DIR")]
    pub repo: Option<String>,
    #[arg(long)]
    pub profile: Option<String>,
    /// codex, claude_code, cursor, vscode, jetbrains, zed or all
    #[arg(long)]
    pub target: Option<String>,
    #[arg(long)]
    pub machine: Option<String>,
    /// Overwrite files that packd did not write
    #[arg(long)]
    pub adopt: bool,
    /// Do not ask
    #[arg(long, short)]
    pub yes: bool,
}

#[derive(Subcommand)]
pub enum DeployCommand {
    /// What differs from what was deployed
    #[command(after_help = "Example:\n  packd deploy status")]
    Status(DeployOptions),
    /// What a deploy would change, line by line
    #[command(after_help = "Example:\n  packd deploy diff --target codex")]
    Diff(DeployOptions),
    /// Check the config repository and the targets
    #[command(after_help = "Example:\n  packd deploy doctor")]
    Doctor(DeployOptions),
    /// What can be rolled back to
    #[command(after_help = "Example:\n  packd deploy snapshots")]
    Snapshots,
    /// Go back to a snapshot
    #[command(after_help = "Example:\n  packd deploy rollback 1794807693307365000")]
    Rollback {
        to: String,
        /// Do not ask
        #[arg(long, short)]
        yes: bool,
    },
    /// Bring changes made in place back into the config repository
    #[command(subcommand, after_help = "Example:\n  packd deploy evolve propose --yes")]
    Evolve(EvolveCommand),
}

#[derive(Subcommand)]
pub enum EvolveCommand {
    /// Commit edited outputs as overlays on a branch of their own
    #[command(after_help = "Example:\n  packd deploy evolve propose")]
    Propose {
        #[command(flatten)]
        options: DeployOptions,
    },
    /// Write missing outputs again
    #[command(after_help = "Example:\n  packd deploy evolve restore")]
    Restore {
        #[command(flatten)]
        options: DeployOptions,
    },
}

#[derive(Subcommand)]
pub enum PkgCommand {
    /// Search the registries
    #[command(after_help = "Example:\n  packd pkg search review")]
    Search {
        query: String,
        #[arg(long, default_value_t = 20)]
        limit: u64,
    },
    /// List what is installed
    #[command(after_help = "Example:\n  packd pkg list")]
    List,
    /// Show one package
    #[command(after_help = "Example:\n  packd pkg info my-pack")]
    Info { name: String, version: Option<String> },
    /// Check a package directory
    #[command(after_help = "Example:\n  packd pkg validate ./my-pack")]
    Validate { path: Option<String> },
    /// Install packages with what they depend on, as one operation
    #[command(after_help = "Example:\n  packd pkg install my-pack other@^1.2")]
    Install {
        #[arg(required = true)]
        packages: Vec<String>,
        #[arg(long)]
        platform: Option<String>,
        /// Also if it is installed already
        #[arg(long)]
        force: bool,
        /// Do not write into the platforms' directories
        #[arg(long)]
        no_deploy: bool,
    },
    /// Remove a package and exactly the files it brought
    #[command(after_help = "Example:\n  packd pkg uninstall my-pack")]
    Uninstall { name: String },
    /// Pack and publish the package of this project
    #[command(after_help = "Example:\n  packd pkg publish --registry local")]
    Publish {
        #[arg(long)]
        registry: Option<String>,
        #[arg(long)]
        tag: Option<String>,
    },
    /// Make a package from what this project has
    #[command(after_help = "Example:\n  packd pkg create --name my-pack")]
    Create {
        path: Option<String>,
        #[arg(long)]
        name: Option<String>,
        #[arg(long)]
        version: Option<String>,
    },
    /// What could be newer
    #[command(after_help = "Example:\n  packd pkg outdated")]
    Outdated,
    /// Upgrade packages (default: all)
    #[command(after_help = "Example:\n  packd pkg upgrade my-pack")]
    Upgrade { packages: Vec<String> },
    /// Compare installed files with their hashes
    #[command(after_help = "Example:\n  packd pkg verify")]
    Verify { name: Option<String> },
    /// Install exactly what the lock file says
    #[command(after_help = "Example:\n  packd pkg restore")]
    Restore {
        #[arg(long)]
        force: bool,
    },
    /// Registries
    #[command(subcommand, after_help = "Example:\n  packd pkg registry list")]
    Registry(RegistryCommand),
    /// Settings of the package manager
    #[command(subcommand, after_help = "Example:\n  packd pkg config get default_platform")]
    Config(ConfigCommand),
    /// Check packages, files and registries
    #[command(after_help = "Example:\n  packd pkg doctor")]
    Doctor,
}

#[derive(Subcommand)]
pub enum RegistryCommand {
    /// List registries
    #[command(after_help = "Example:\n  packd pkg registry list")]
    List,
    /// Add a registry
    #[command(after_help = "Example:\n  packd pkg registry add local file:///srv/packages --default")]
    Add {
        name: String,
        url: String,
        /// Use it where none is named
        #[arg(long)]
        default: bool,
    },
}

#[derive(Subcommand)]
pub enum ConfigCommand {
    /// Show settings
    #[command(after_help = "Example:\n  packd pkg config get")]
    Get { key: Option<String> },
    /// Change one setting
    #[command(after_help = "Example:\n  packd pkg config set default_platform claude")]
    Set { key: String, value: String },
}
