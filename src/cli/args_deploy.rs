//! The grammar of `packd deploy`.

use clap::{Args, Subcommand};

#[derive(Args)]
pub struct DeployArgs {
    #[command(subcommand)]
    pub command: Option<DeployCommand>,
    /// Write the planned files
    #[arg(long)]
    pub apply: bool,
    /// Overwrite files that packd did not write
    #[arg(long, requires = "apply")]
    pub adopt: bool,
    /// Do not ask
    #[arg(long, short, requires = "apply")]
    pub yes: bool,
    #[command(flatten)]
    pub options: DeployOptions,
}

/// Whatever configuration is deployed to, by name.
fn targets() -> Vec<&'static str> {
    let mut names = crate::core::agents::targets();
    names.push("all");
    names
}

/// What is rendered, and for whom.
#[derive(Args)]
pub struct DeployOptions {
    /// The config repository (default: $AGENTPACK_HOME/repo)
    #[arg(long, value_name = "DIR", value_hint = clap::ValueHint::DirPath)]
    pub repo: Option<String>,
    /// The profile of agentpack.yaml that selects modules
    #[arg(long)]
    pub profile: Option<String>,
    /// For which agent
    #[arg(long, value_parser = targets())]
    pub target: Option<String>,
    /// The machine whose overlays apply (default: this one)
    #[arg(long)]
    pub machine: Option<String>,
}

#[derive(Subcommand)]
pub enum DeployCommand {
    /// Write a config repository that works, with comments
    #[command(after_help = "Example:\n  packd deploy init")]
    Init {
        /// Where (default: $AGENTPACK_HOME/repo, where `packd deploy` looks)
        #[arg(long, value_name = "DIR", value_hint = clap::ValueHint::DirPath)]
        repo: Option<String>,
    },
    /// What differs from what was deployed
    #[command(after_help = "Examples:\n  packd deploy status\n  packd deploy status --only modified")]
    Status {
        #[command(flatten)]
        options: DeployOptions,
        /// missing, modified or extra; may be given several times
        #[arg(long, value_name = "KIND", value_parser = ["missing", "modified", "extra"])]
        only: Vec<String>,
    },
    /// What a deploy would change, line by line
    #[command(after_help = "Example:\n  packd deploy diff --target codex")]
    Diff(DeployOptions),
    /// Check the config repository and the targets
    #[command(after_help = "Example:\n  packd deploy doctor")]
    Doctor {
        /// The config repository (default: $AGENTPACK_HOME/repo)
        #[arg(long, value_name = "DIR", value_hint = clap::ValueHint::DirPath)]
        repo: Option<String>,
        /// Only this target
        #[arg(long, value_parser = targets())]
        target: Option<String>,
    },
    /// What can be rolled back to
    #[command(after_help = "Example:\n  packd deploy snapshots")]
    Snapshots {
        /// Only those of this target
        #[arg(long, value_parser = targets())]
        target: Option<String>,
    },
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
    #[command(
        after_help = "Examples:\n  packd deploy evolve propose\n  packd deploy evolve propose --module instructions:base --scope machine --yes"
    )]
    Propose {
        #[command(flatten)]
        options: EvolveOptions,
        /// The overlays to write into: global, machine or project
        #[arg(long)]
        scope: Option<String>,
        /// The name of the new branch
        #[arg(long)]
        branch: Option<String>,
    },
    /// Write missing outputs again
    #[command(after_help = "Example:\n  packd deploy evolve restore")]
    Restore(EvolveOptions),
}

#[derive(Args)]
pub struct EvolveOptions {
    #[command(flatten)]
    pub options: DeployOptions,
    /// Only what comes from this module
    #[arg(long, value_name = "ID")]
    pub module: Option<String>,
    /// Do it; without this only a preview is shown
    #[arg(long, short)]
    pub yes: bool,
}
