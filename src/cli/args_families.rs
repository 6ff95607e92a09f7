//! The grammar of the commands that belong to one family: tasks, packages, ecosystems, runs.

use clap::{Args, Subcommand};

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
    /// Set or change the passphrase that confirming then needs
    #[arg(long, conflicts_with_all = ["id", "list", "remove_passphrase"])]
    pub set_passphrase: bool,
    /// Remove the passphrase
    #[arg(long, conflicts_with_all = ["id", "list"])]
    pub remove_passphrase: bool,
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
    Status {
        /// Any part of its id that is enough (default: the newest)
        id: Option<String>,
    },
    /// What a run printed
    #[command(after_help = "Example:\n  packd run logs 1a2b3c4d --follow")]
    Logs {
        /// Any part of its id that is enough (default: the newest)
        id: Option<String>,
        /// Keep printing until it ends
        #[arg(long, short)]
        follow: bool,
        /// How many lines from its end
        #[arg(long, default_value_t = 50)]
        tail: u64,
    },
    /// Stop a run and everything it started
    #[command(after_help = "Example:\n  packd run cancel 1a2b3c4d")]
    Cancel { id: String },
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
        #[arg(long, value_name = "PLAN")]
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
    Start { id: String },
    /// Add a step to a task
    #[command(after_help = "Example:\n  packd task step TASK-001 'Document the login flow'")]
    Step {
        id: String,
        title: String,
        /// The command that tells whether it is done
        #[arg(long, value_name = "COMMAND")]
        test: Vec<String>,
    },
    /// Confirm what is open and close a step, or the whole task
    #[command(after_help = "Examples:\n  packd task close TASK-001 s:0\n  packd task close TASK-001")]
    Close {
        id: String,
        /// The step (default: the task itself)
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
        id: Option<String>,
        /// Focus on nothing
        #[arg(long, conflicts_with = "id")]
        clear: bool,
    },
    /// Change a task or plan in $EDITOR
    #[command(after_help = "Example:\n  packd task edit TASK-001")]
    Edit { id: String },
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
    /// The same as show; a plan with its tasks
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

#[derive(Subcommand)]
pub enum PkgCommand {
    /// Make this project ready for packages and write an aam.yaml, with comments
    #[command(after_help = "Example:\n  packd pkg init --name my-pack")]
    Init {
        /// The name of the package (default: that of the directory)
        #[arg(long)]
        name: Option<String>,
    },
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
