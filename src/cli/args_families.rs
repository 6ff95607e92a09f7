//! The grammar of `packd task`, and of modes and confirmations.

use clap::{Args, Subcommand};

use super::complete;

#[derive(Args)]
pub struct ModeArgs {
    /// ask, plan or execute
    #[arg(value_parser = ["ask", "plan", "execute"])]
    pub mode: Option<String>,
    /// The session, by the beginning of its id (default: the only one of this project)
    #[arg(long, add = complete::sessions())]
    pub session: Option<String>,
}

#[derive(Args)]
pub struct UiArgs {
    /// Print the address alone and start no browser
    #[arg(long)]
    pub no_open: bool,
    /// Close the page this long after its last tab was closed (default: 600)
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=604_800))]
    pub idle: Option<u64>,
}

#[derive(Args)]
pub struct ConfirmArgs {
    /// Only this one (default: ask about each)
    #[arg(add = complete::confirmations())]
    pub id: Option<String>,
    /// Only show what waits
    #[arg(long)]
    pub list: bool,
    /// Set or change the passphrase that confirming then needs
    #[arg(long, conflicts_with_all = ["id", "list", "remove_passphrase"])]
    pub set_passphrase: bool,
    /// Remove the passphrase
    #[arg(long, conflicts_with_all = ["id", "list"])]
    pub remove_passphrase: bool,
}

#[derive(Subcommand)]
pub enum TaskCommand {
    /// Make a task, and a plan for it where there is none
    #[command(
        after_help = "Examples:\n  packd task add 'Ship OAuth' --step 'Wire the login flow' --test 'cargo test'\n  packd task add 'Write the guide' --plan PLAN-001"
    )]
    Add {
        title: String,
        /// The plan it belongs to (default: the focused or only open one)
        #[arg(long, value_name = "PLAN", add = complete::tasks())]
        plan: Option<String>,
        /// A step of it; may be given several times
        #[arg(long, value_name = "TITLE")]
        step: Vec<String>,
        /// The command that tells whether the steps are done
        #[arg(long, value_name = "COMMAND")]
        test: Vec<String>,
    },
    /// Begin to work on a task: it becomes active and the focus
    #[command(after_help = "Example:\n  packd task start TASK-001")]
    Start {
        #[arg(add = complete::tasks())]
        id: String,
    },
    /// Add a step to a task
    #[command(after_help = "Example:\n  packd task step TASK-001 'Document the login flow'")]
    Step {
        #[arg(add = complete::tasks())]
        id: String,
        title: String,
        /// The command that tells whether it is done
        #[arg(long, value_name = "COMMAND")]
        test: Vec<String>,
    },
    /// Confirm what is open and close a step, or the whole task
    #[command(after_help = "Examples:\n  packd task close TASK-001 s:0\n  packd task close TASK-001")]
    Close {
        #[arg(add = complete::tasks())]
        id: String,
        /// The step, such as s:0 (default: the task itself)
        #[arg(value_parser = step_path)]
        path: Option<String>,
        /// What was done
        #[arg(long, value_name = "TEXT")]
        note: Option<String>,
        /// Although something is open
        #[arg(long)]
        force: bool,
    },
    /// Say which task is meant where none is named, or show it
    #[command(after_help = "Examples:\n  packd task focus TASK-001\n  packd task focus --clear")]
    Focus {
        #[arg(add = complete::tasks())]
        id: Option<String>,
        /// Focus on nothing
        #[arg(long, conflicts_with = "id")]
        clear: bool,
    },
    /// Take a task for yourself, so that no agent begins it
    #[command(after_help = "Examples:\n  packd task claim TASK-001\n  packd task claim --next --minutes 120")]
    Claim {
        #[arg(add = complete::tasks(), required_unless_present = "next", conflicts_with = "next")]
        id: Option<String>,
        /// The next one that can be started
        #[arg(long)]
        next: bool,
        /// For how long (default: 30)
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1440))]
        minutes: Option<u64>,
        /// From somebody whose time has ended
        #[arg(long)]
        takeover: bool,
    },
    /// Give back a task you took
    #[command(after_help = "Example:\n  packd task release TASK-001")]
    Release {
        /// Default: the only one that is yours
        #[arg(add = complete::tasks())]
        id: Option<String>,
    },
    /// What can be started now, and what waits for what
    #[command(after_help = "Example:\n  packd task ready")]
    Ready {
        /// Only the tasks of this plan
        #[arg(add = complete::tasks())]
        plan: Option<String>,
    },
    /// Change a task or plan in $EDITOR
    #[command(after_help = "Example:\n  packd task edit TASK-001")]
    Edit {
        #[arg(add = complete::tasks())]
        id: String,
    },
    /// List plans with their tasks
    #[command(after_help = "Example:\n  packd task list --status ACTIVE")]
    List {
        /// TODO, ACTIVE or DONE
        #[arg(long)]
        status: Option<String>,
        #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u64).range(1..=100_000))]
        limit: u64,
    },
    /// Show one task or plan with its steps (default: the focus)
    #[command(after_help = "Example:\n  packd task show TASK-001")]
    Show {
        #[arg(add = complete::tasks())]
        id: Option<String>,
    },
    /// The same as show; a plan with its tasks
    #[command(after_help = "Example:\n  packd task tree TASK-001")]
    Tree {
        #[arg(add = complete::tasks())]
        id: Option<String>,
    },
    /// Now, why, verify, next: one screen
    #[command(after_help = "Example:\n  packd task radar TASK-001")]
    Radar {
        #[arg(add = complete::tasks())]
        id: Option<String>,
    },
    /// The one next action, ready to paste
    #[command(after_help = "Example:\n  packd task next TASK-001")]
    Next {
        #[arg(add = complete::tasks())]
        id: Option<String>,
    },
    /// Complete a step
    #[command(after_help = "Example:\n  packd task done TASK-001 s:0")]
    Done {
        #[arg(add = complete::tasks())]
        id: String,
        /// The step, such as s:0
        #[arg(value_parser = step_path)]
        path: String,
        /// Although checkpoints are open
        #[arg(long)]
        force: bool,
    },
    /// Add a note to a step
    #[command(after_help = "Example:\n  packd task note TASK-001 s:0 'parser works'")]
    Note {
        #[arg(add = complete::tasks())]
        id: String,
        /// The step, such as s:0
        #[arg(value_parser = step_path)]
        path: String,
        note: String,
    },
    /// Take back the newest change to a task
    #[command(after_help = "Example:\n  packd task undo")]
    Undo {
        /// Do not ask
        #[arg(long, short)]
        yes: bool,
    },
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

/// A step by its place: `s:0`, or `s:0.t:1.s:2` for one inside a node.
fn step_path(said: &str) -> Result<String, String> {
    let part = |part: &str| {
        part.split_once(':').is_some_and(|(kind, n)| {
            matches!(kind, "s" | "t") && !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit())
        })
    };
    match said.split('.').all(part) {
        true => Ok(said.to_string()),
        false => Err("steps are called s:0, s:1 or s:0.t:1.s:2; `packd task tree` shows them".into()),
    }
}
