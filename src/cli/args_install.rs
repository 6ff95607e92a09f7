//! The grammar of the commands about the installation itself: hosts, service, backups, health.

use clap::builder::PossibleValuesParser;
use clap::{Args, Subcommand};

use crate::daemon::assemble::hosts::hooks::HOOKED;
use crate::daemon::assemble::hosts::table::HOSTS;

#[derive(Args)]
pub struct DoctorArgs {
    /// Repair what can be repaired without a decision of yours
    #[arg(long)]
    pub fix: bool,
}

#[derive(Args)]
pub struct WatchArgs {
    /// Every project of this user
    #[arg(long)]
    pub all: bool,
}

#[derive(Args)]
pub struct SetupArgs {
    /// The host (default: list them)
    #[arg(value_name = "HOST", conflicts_with = "all",
          value_parser = PossibleValuesParser::new(HOSTS.iter().map(|host| host.id)))]
    pub host: Option<String>,
    /// Every host that is found here
    #[arg(long)]
    pub all: bool,
    /// The project's own file instead of the user's
    #[arg(long)]
    pub project: bool,
    /// Only show what would change
    #[arg(long)]
    pub dry_run: bool,
    /// What to offer: core, families separated by commas, or all (default: core for hosts that send every tool each turn)
    #[arg(long, value_name = "LIST")]
    pub toolsets: Option<String>,
    /// Offer no tool that writes
    #[arg(long)]
    pub read_only: bool,
    /// Offer the package tools that write, too
    #[arg(long, conflicts_with = "read_only")]
    pub allow_write: bool,
    /// The highest mode agents may use there
    #[arg(long, value_parser = ["ask", "plan", "execute"])]
    pub max_mode: Option<String>,
    /// Take packd out again
    #[arg(long)]
    pub remove: bool,
    /// The host's hooks: what packd tells a session when it starts, and snapshots around tools that write
    #[arg(long, conflicts_with_all = ["plugin", "agents_md"])]
    pub hooks: bool,
    /// As a plugin with skills and hooks, installed the host's own way; the plain entry goes
    #[arg(long, conflicts_with_all = ["all", "project", "agents_md"])]
    pub plugin: bool,
    /// A short section about packd in the project's AGENTS.md, and in CLAUDE.md, GEMINI.md and
    /// copilot-instructions.md where they exist
    #[arg(long, conflicts_with_all = ["all", "host", "project"])]
    pub agents_md: bool,
}

#[derive(Subcommand)]
pub enum PluginCommand {
    /// Write the plugin: manifests of every host, skills, commands and hooks
    #[command(after_help = "Examples:\n  packd plugin build out/\n  packd plugin build out/ --host gemini")]
    Build {
        dir: std::path::PathBuf,
        /// For one host alone, with all of its hooks
        #[arg(long, value_name = "HOST",
              value_parser = PossibleValuesParser::new(HOOKED.iter().map(|hooked| hooked.host)))]
        host: Option<String>,
        /// The program that hosts start (default: packd-mcp, found on the PATH)
        #[arg(long, value_name = "PROGRAM")]
        command: Option<String>,
    },
}

#[derive(Args)]
pub struct HookArgs {
    /// session-start, pre-tool, post-tool or stop; the hosts' own names are understood, too
    #[arg(value_name = "EVENT")]
    pub event: String,
    /// claude, codex, gemini, copilot, cursor or kiro (default: told from what comes on stdin)
    #[arg(long, value_name = "HOST")]
    pub host: Option<String>,
}

#[derive(Subcommand)]
pub enum ServiceCommand {
    /// Write the units for this user and start the service
    #[command(after_help = "Examples:\n  packd service install\n  packd service install --dry-run")]
    Install {
        /// Only print what would be written
        #[arg(long)]
        dry_run: bool,
    },
    /// Stop the service and remove its units
    #[command(after_help = "Example:\n  packd service uninstall")]
    Uninstall,
    /// Say whether the service is installed and running
    #[command(after_help = "Example:\n  packd service status")]
    Status,
    /// What the service logged
    #[command(after_help = "Example:\n  packd service logs --follow")]
    Logs {
        /// Keep printing
        #[arg(long, short)]
        follow: bool,
        #[arg(long, default_value_t = 100)]
        tail: u64,
    },
}

#[derive(Args)]
pub struct BackupArgs {
    pub file: std::path::PathBuf,
    /// Replace the file if it exists
    #[arg(long)]
    pub force: bool,
}

#[derive(Args)]
pub struct RestoreArgs {
    pub file: std::path::PathBuf,
    /// Do not ask
    #[arg(long, short)]
    pub yes: bool,
}

#[derive(Args)]
pub struct ExportArgs {
    pub dir: std::path::PathBuf,
    /// Every project of this user (default: this project)
    #[arg(long)]
    pub all: bool,
}

#[derive(Args)]
pub struct CompletionsArgs {
    pub shell: clap_complete::Shell,
}

#[derive(Args)]
pub struct ManArgs {
    pub dir: std::path::PathBuf,
}

#[derive(Args)]
pub struct TrashArgs {
    #[command(subcommand)]
    pub command: Option<TrashCommand>,
}

#[derive(Subcommand)]
pub enum TrashCommand {
    /// Drop everything in the trash for good
    #[command(after_help = "Example:\n  packd trash empty --yes")]
    Empty {
        /// Do not ask
        #[arg(long)]
        yes: bool,
    },
}

#[derive(Subcommand)]
pub enum AuditCommand {
    /// Write every audit record with its digest into a file, oldest first, one JSON object a line
    #[command(after_help = "Example:\n  packd audit export ~/packd-audit.jsonl")]
    Export {
        file: std::path::PathBuf,
        /// Replace the file if it exists
        #[arg(long)]
        force: bool,
    },
    /// Recompute the digests of an export, or of the running store
    #[command(
        after_help = "Exit code 0: every record is as it was chained. 1: one is not, and the first is named.\n\n\
                      A chain shows changed, added, removed and moved records. It cannot show that everything\n\
                      was written anew, or that the newest records were cut off: keep an export where others\n\
                      cannot write, and compare the store with it.\n\n\
                      Examples:\n  packd audit verify\n  packd audit verify ~/packd-audit.jsonl\n  \
                      packd audit verify ~/packd-audit.jsonl --store"
    )]
    Verify {
        /// An export (default: the running store)
        file: Option<std::path::PathBuf>,
        /// Also verify the running store, and that it begins with exactly the records of the file
        #[arg(long, requires = "file")]
        store: bool,
    },
}

#[derive(Args)]
pub struct GcArgs {
    /// Shrink the database file, too, while packd runs
    #[arg(long)]
    pub compact: bool,
}

#[derive(Subcommand)]
pub enum WorkspaceCommand {
    /// List the projects packd knows, and whether their directories are there
    #[command(after_help = "Example:\n  packd workspace list")]
    List,
    /// Take packs, tasks and history along after a directory was moved
    #[command(after_help = "Example:\n  packd workspace move ~/old/shop ~/work/shop")]
    Move {
        /// The directory as it was
        #[arg(add = super::complete::workspaces())]
        old: std::path::PathBuf,
        /// The directory as it is
        new: std::path::PathBuf,
        /// Do not ask
        #[arg(long, short)]
        yes: bool,
    },
}
