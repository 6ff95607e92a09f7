//! The grammar of `packd pack`.

use clap::Subcommand;

use super::complete;

#[derive(Subcommand)]
pub enum PackCommand {
    /// Make a pack
    #[command(after_help = "Example:\n  packd pack new 'How login works' --name login-flow")]
    New {
        title: String,
        /// A name to call it by
        #[arg(long)]
        name: Option<String>,
        /// What it is for, in a sentence
        #[arg(long, value_name = "TEXT")]
        brief: Option<String>,
        /// After how many days it may be dropped
        #[arg(long, value_name = "N", default_value_t = 30, value_parser = clap::value_parser!(u64).range(1..=3650))]
        days: u64,
    },
    /// Add code to a pack: lines of a file, or a definition by its name
    #[command(
        after_help = "Examples:\n  packd pack add login-flow src/login.rs:10-42\n  packd pack add login-flow src/login.rs --symbol verify --why 'the check itself'"
    )]
    Add {
        /// The pack, by id, name or the beginning of either
        #[arg(add = complete::packs())]
        pack: String,
        /// FILE:START-END, FILE:LINE, or FILE with --symbol
        #[arg(required = true, value_name = "FILE[:START-END]", value_hint = clap::ValueHint::FilePath)]
        code: Vec<String>,
        /// A definition in the file (function, type, …)
        #[arg(long, value_name = "NAME")]
        symbol: Option<String>,
        /// The section it goes into
        #[arg(long, default_value = "code")]
        section: String,
        /// Why it is there
        #[arg(long, value_name = "TEXT")]
        why: Option<String>,
    },
    /// Change a pack as Markdown in $EDITOR
    #[command(after_help = "Example:\n  packd pack edit login-flow")]
    Edit {
        #[arg(add = complete::packs())]
        pack: String,
    },
    /// List packs
    #[command(after_help = "Example:\n  packd pack list --query auth")]
    List {
        #[arg(long)]
        query: Option<String>,
        #[arg(long, value_parser = ["draft", "finalized"])]
        status: Option<String>,
        #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u64).range(1..=100_000))]
        limit: u64,
    },
    /// Render a pack
    #[command(after_help = "Example:\n  packd pack show my-pack")]
    Show {
        #[arg(add = complete::packs())]
        name: String,
    },
    /// Write packs as Markdown files with YAML front matter
    #[command(after_help = "Example:\n  packd pack export my-pack --to packs/")]
    Export {
        /// Ids or names (default: all)
        #[arg(add = complete::packs())]
        names: Vec<String>,
        /// Directory (default: print one pack)
        #[arg(long, value_name = "DIR")]
        to: Option<std::path::PathBuf>,
    },
    /// Tell which refs still point to the code they were made of; exit code 1 while any does not
    #[command(after_help = "Examples:\n  packd pack check\n  packd pack check my-pack --fix")]
    Check {
        /// Ids or names (default: all)
        #[arg(add = complete::packs())]
        names: Vec<String>,
        /// Point refs whose code moved to where it is now
        #[arg(long)]
        fix: bool,
    },
    /// Take in pack files
    #[command(after_help = "Example:\n  packd pack import packs/*.md")]
    Import { files: Vec<std::path::PathBuf> },
}
