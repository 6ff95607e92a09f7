//! The grammar of `packd eco` and `packd run`.

use clap::{Args, Subcommand};

use super::complete;

#[derive(Args)]
pub struct EcoTarget {
    /// The ecosystem's name
    #[arg(add = complete::ecosystems())]
    pub ecosystem: Option<String>,
    /// Do not ask (where a name must be typed, it is always asked)
    #[arg(long, short)]
    pub yes: bool,
}

#[derive(Subcommand)]
pub enum EcoCommand {
    /// Write the manifest of a new ecosystem, with comments
    #[command(after_help = "Example:\n  packd eco init demo")]
    Init { name: String },
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
        /// As a stage before the release
        #[arg(long, value_parser = ["alpha", "beta", "rc"])]
        pre_release: Option<String>,
        #[command(flatten)]
        target: EcoTarget,
    },
    /// Promote a pre-release
    #[command(after_help = "Example:\n  packd eco release promote demo --stage rc")]
    Promote {
        /// The next stage (default: stable)
        #[arg(long, value_parser = ["beta", "rc"])]
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
        #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..=500))]
        limit: u64,
    },
    /// How a run is doing
    #[command(after_help = "Example:\n  packd run status 1a2b3c4d")]
    Status {
        /// Any part of its id that is enough (default: the newest)
        #[arg(add = complete::runs())]
        id: Option<String>,
    },
    /// What a run printed
    #[command(after_help = "Example:\n  packd run logs 1a2b3c4d --follow")]
    Logs {
        /// Any part of its id that is enough (default: the newest)
        #[arg(add = complete::runs())]
        id: Option<String>,
        /// Keep printing until it ends
        #[arg(long, short)]
        follow: bool,
        /// How many lines from its end
        #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u64).range(1..=5000))]
        tail: u64,
    },
    /// Stop a run and everything it started
    #[command(after_help = "Example:\n  packd run cancel 1a2b3c4d")]
    Cancel {
        #[arg(add = complete::runs())]
        id: String,
    },
}
