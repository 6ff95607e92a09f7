//! The grammar of the commands about what was done: looking at it, following it, taking it back.

use clap::Args;

use super::complete;

#[derive(Args, Default)]
pub struct StepArgs {
    /// Only within one family (packs, tasks, deploy, packages, ecosystems, hosts)
    #[arg(long, add = complete::families())]
    pub family: Option<String>,
    /// Only what touched this pack, task or file
    #[arg(long, add = complete::targets())]
    pub target: Option<String>,
    /// Everything this client did, as one operation (with --since: from then on)
    #[arg(long, value_name = "CLIENT", conflicts_with_all = ["family", "target", "expect"], add = complete::clients())]
    pub by: Option<String>,
    /// Everything this session did, as one operation
    #[arg(long, value_name = "ID", conflicts_with_all = ["family", "target", "expect"], add = complete::sessions())]
    pub session: Option<String>,
    /// With --by or --session: 90s, 15m, 1h, 2d, a date or an ISO time
    #[arg(long, value_name = "TIME")]
    pub since: Option<String>,
    /// Refuse unless this is the operation
    #[arg(long, value_name = "ID", add = complete::operations())]
    pub expect: Option<String>,
    /// Do not ask, also if it writes files
    #[arg(long, short)]
    pub yes: bool,
}

#[derive(Args)]
pub struct RedoArgs {
    /// Only within one family (packs, tasks, deploy, packages, ecosystems, hosts)
    #[arg(long, add = complete::families())]
    pub family: Option<String>,
    /// Only what touched this pack, task or file
    #[arg(long, add = complete::targets())]
    pub target: Option<String>,
    /// Refuse unless this is the operation
    #[arg(long, value_name = "ID", add = complete::operations())]
    pub expect: Option<String>,
    /// Do not ask, also if it writes files
    #[arg(long, short)]
    pub yes: bool,
}

#[derive(Args)]
pub struct HistoryArgs {
    /// Only one family (packs, tasks, deploy, packages, ecosystems, hosts)
    #[arg(long, add = complete::families())]
    pub family: Option<String>,
    /// Only what touched this pack, task or file
    #[arg(long, add = complete::targets())]
    pub target: Option<String>,
    /// Only what this tool did
    #[arg(long, add = complete::tools())]
    pub tool: Option<String>,
    /// Only what changed this field, such as title or steps[STEP-1A2B0000].title
    #[arg(long, value_name = "FIELD")]
    pub path: Option<String>,
    /// Only what this client did; `you` is this command line
    #[arg(long, value_name = "CLIENT", add = complete::clients())]
    pub by: Option<String>,
    /// Only what this session did, by any part of its id that is enough
    #[arg(long, value_name = "ID", add = complete::sessions())]
    pub session: Option<String>,
    /// Only what is not older: 90s, 15m, 1h, 2d, a date or an ISO time
    #[arg(long, value_name = "TIME")]
    pub since: Option<String>,
    /// The audit stream: refusals, mode changes, confirmations
    #[arg(long)]
    pub audit: bool,
    /// Every project of this user
    #[arg(long)]
    pub all: bool,
    /// How many at most
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..=100_000))]
    pub limit: u64,
    /// Only operations older than this one
    #[arg(long, value_name = "ID", add = complete::operations())]
    pub before: Option<String>,
}

#[derive(Args)]
pub struct ShowArgs {
    /// Any part of an operation's id that is enough; @ is the newest, @- the one
    /// before (default: the newest)
    #[arg(add = complete::operations())]
    pub id: Option<String>,
    /// The id is the request key of a call whose reply was lost
    #[arg(long, requires = "id")]
    pub request: bool,
}

#[derive(Args)]
pub struct AtArgs {
    /// Any part of an operation's id that is enough
    #[arg(add = complete::operations())]
    pub operation: String,
    /// Pack or task (default: the one the operation was about)
    #[arg(add = complete::targets())]
    pub target: Option<String>,
}

#[derive(Args)]
pub struct RevertArgs {
    /// Any part of an operation's id that is enough; @ is the newest, @- the one
    /// before
    #[arg(add = complete::operations())]
    pub id: String,
    /// Do not ask
    #[arg(long, short)]
    pub yes: bool,
}

#[derive(Args)]
pub struct LogArgs {
    /// Keep printing as things happen
    #[arg(long, short)]
    pub follow: bool,
    /// Start after this operation
    #[arg(long, value_name = "ID", add = complete::operations())]
    pub since: Option<String>,
    #[arg(long)]
    pub audit: bool,
    /// Every project of this user
    #[arg(long)]
    pub all: bool,
}

#[derive(Args)]
pub struct ForgetArgs {
    /// An operation's id, or the text itself; `-` reads the text from standard
    /// input, so that no shell remembers it
    #[arg(value_name = "OP|TEXT", add = complete::operations())]
    pub what: String,
    /// It is a text, although it looks like an id
    #[arg(long, conflicts_with = "regex")]
    pub text: bool,
    /// It is a regular expression
    #[arg(long)]
    pub regex: bool,
    /// Do not ask
    #[arg(long, short)]
    pub yes: bool,
}
