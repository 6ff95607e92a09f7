//! What people type about snapshots of the work tree.

use clap::{Args, Subcommand};

#[derive(Subcommand)]
pub enum SnapCommand {
    /// Keep the state of this work tree now
    #[command(after_help = "Example:\n  packd snap take --label 'before the refactoring'")]
    Take {
        /// A name to find it by
        #[arg(long)]
        label: Option<String>,
    },
    /// List the snapshots of this work tree, newest first
    #[command(after_help = "Example:\n  packd snap list --limit 50")]
    List {
        /// How many
        #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..=100))]
        limit: u64,
    },
    /// What changed between two snapshots, or since one
    #[command(after_help = "Examples:\n  packd snap diff sn-3\n  packd snap diff sn-3 sn-5 --path src")]
    Diff {
        /// A snapshot, such as sn-3
        #[arg(value_parser = snapshot)]
        from: String,
        /// Another one; without it: the files as they are now
        #[arg(value_parser = snapshot)]
        to: Option<String>,
        /// Only this file or directory, as seen from the top of the tree
        #[arg(long)]
        path: Option<String>,
    },
    /// Put files back to what they were in a snapshot
    #[command(after_help = "What the files are now is kept first, and `packd undo` brings it back.\n\n\
                            Examples:\n  packd snap restore sn-3\n  packd snap restore sn-3 --path src --yes")]
    Restore {
        /// A snapshot, such as sn-3
        #[arg(value_parser = snapshot)]
        snapshot: String,
        /// Only this file or directory, as seen from the top of the tree
        #[arg(long)]
        path: Option<String>,
        /// Do not ask
        #[arg(long)]
        yes: bool,
    },
}

#[derive(Args)]
pub struct WhyArgs {
    /// A file, or a line of it as FILE:LINE
    #[arg(value_hint = clap::ValueHint::FilePath)]
    pub place: String,
}

fn snapshot(said: &str) -> Result<String, String> {
    match said.strip_prefix("sn-").is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit())) {
        true => Ok(said.to_string()),
        false => Err("snapshots are called sn-1, sn-2 and so on; `packd snap list` shows them".into()),
    }
}
