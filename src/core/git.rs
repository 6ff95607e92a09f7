//! Git as packd speaks it: the program itself, never a shell, never a prompt, never an option from data.
//!
//! [`Git`] looks. Looking runs nothing that a repository names (hooks, filters, monitors, signature programs,
//! transports), contacts nobody unless that is what it is asked for, and takes no lock. [`work`] are steps of runs.

mod named;
mod remote;
mod steps;

use std::cell::OnceCell;
use std::path::Path;
use std::time::Duration;

use super::world::{Command, Output};
use super::{Error, Result, SessionInfo, World, owner, redact};

pub use named::NamedPrograms;
pub use remote::Remote;
pub use steps::{settle, work};

pub const PROGRAM: &str = "git";
/// Looking at local state must be quick; anything slower is a stuck file system.
const LOCAL: Duration = Duration::from_secs(20);
/// Transports that a person's own addresses use; `ext::` and `fd::` run programs.
const TRANSPORTS: &str = "file:git:http:https:ssh";
/// A repository that belongs to nobody: what holds here is the user's configuration alone.
const NOWHERE: &str = "/";

/// Variables that git, ssh and gpg look at beyond the common ones; families that use git declare them.
pub const DECLARED: [&str; 4] = ["XDG_CONFIG_HOME", "GNUPGHOME", "SSL_CERT_FILE", "SSL_CERT_DIR"];

/// Under these nothing that a repository names runs, except what must be asked for by name ([`NamedPrograms`]).
const CALM: [(&str, &str); 7] = [
    named::HEARD,
    ("core.fsmonitor", "false"),
    ("core.hooksPath", "/dev/null"),
    ("core.alternateRefsCommand", "true"),
    ("submodule.recurse", "false"),
    ("fetch.recurseSubmodules", "false"),
    // A bare repository that lies inside a checkout is not discovered; before git 2.38 see `not_buried`.
    ("safe.bareRepository", "explicit"),
];
/// And these for looking, where nobody's signature, pager or colours are wanted either.
const LOOKING: [(&str, &str); 6] = [
    ("log.showSignature", "false"),
    ("gpg.program", "false"),
    ("gpg.openpgp.program", "false"),
    ("gpg.x509.program", "false"),
    ("gpg.ssh.program", "false"),
    ("color.ui", "false"),
];
/// These look at objects, the index and names of files, never at contents of the checkout.
const PLUMBING: [&str; 5] = ["cat-file", "check-ignore", "ls-files", "ls-tree", "pack-objects"];

/// A repository's configuration can say that its files are elsewhere (`core.worktree`): they are where it is.
fn tree(dir: &Path) -> (String, String) {
    ("GIT_WORK_TREE".into(), dir.to_string_lossy().into_owned())
}

/// What git is told by its environment: no prompt of any kind, no helper protocols, messages we can read.
pub fn env(session: &SessionInfo) -> Vec<(String, String)> {
    let ssh = "ssh -o BatchMode=yes -o ConnectTimeout=15";
    let home = session.home.to_string_lossy();
    [
        ("GIT_TERMINAL_PROMPT", "0"),
        ("GIT_ASKPASS", ""),
        ("GIT_SSH_COMMAND", ssh),
        ("GIT_PROXY_COMMAND", ""),
        ("GIT_ALLOW_PROTOCOL", TRANSPORTS),
        ("GIT_OPTIONAL_LOCKS", "0"),
        ("GIT_EDITOR", "true"),
        ("GIT_PAGER", "cat"),
        ("LC_ALL", "C"),
        ("HOME", &home),
    ]
    .iter()
    .map(|(k, v)| ((*k).to_string(), (*v).to_string()))
    .collect()
}

/// Settings that beat every configuration file, whatever characters their keys hold.
fn settings(env: &mut Vec<(String, String)>, list: impl IntoIterator<Item = (String, String)>) {
    let mut count = 0;
    for (key, value) in list {
        env.push((format!("GIT_CONFIG_KEY_{count}"), key));
        env.push((format!("GIT_CONFIG_VALUE_{count}"), value));
        count += 1;
    }
    env.push(("GIT_CONFIG_COUNT".into(), count.to_string()));
}

fn owned(list: &[(&str, &str)]) -> impl Iterator<Item = (String, String)> {
    list.iter().map(|(k, v)| ((*k).to_string(), (*v).to_string()))
}

fn strings(args: &[&str]) -> Vec<String> {
    args.iter().map(|a| (*a).to_string()).collect()
}

/// Seconds a call to a remote may take; a test shortens it.
pub fn remote_timeout(session: &SessionInfo) -> u64 {
    session.env.get("PACKD_GIT_TIMEOUT").and_then(|v| v.parse().ok()).unwrap_or(120)
}

/// Asks for the filters and helpers that the configuration names.
const NAMES: [&str; 5] = ["config", "-z", "--show-scope", "--get-regexp", named::PATTERN];

fn named_in(dir: &Path, out: &Output) -> Result<NamedPrograms> {
    // Not knowing what would run, nothing does.
    if !matches!(out.code, Some(0 | 1)) {
        return Err(failed("config", dir, out, LOCAL));
    }
    NamedPrograms::heard(&out.stdout).ok_or_else(|| {
        Error::io("This git is too old to be told which programs not to run.")
            .hint("Install git 2.31 or newer and put it first in PATH.")
    })
}

/// The last thing git said, without secrets.
fn failed(verb: &str, dir: &Path, out: &Output, limit: Duration) -> Error {
    let dir = dir.display();
    if out.timed_out {
        return Error::io(format!("git {verb} in {dir} gave no answer within {} seconds.", limit.as_secs()));
    }
    let said = redact::line(String::from_utf8_lossy(&out.stderr).trim());
    let said = said.lines().rev().find(|l| !l.trim().is_empty()).unwrap_or("it said nothing");
    Error::io(format!("git {verb} in {dir} failed: {said}."))
}

/// Refuses a directory that git would take for a bare repository before it came to the `.git` above it: its
/// configuration came with the files of the checkout it lies in.
fn not_buried(world: &dyn World, dir: &Path) -> Result<()> {
    for top in dir.ancestors() {
        if world.stat(&top.join(".git"))?.is_some() {
            return Ok(());
        }
        let has = |name: &str| Ok::<bool, Error>(world.stat(&top.join(name))?.is_some());
        if has("HEAD")? && has("objects")? && has("refs")? {
            let message = format!("{} is a bare git repository, which packd does not follow.", top.display());
            return Err(Error::new(super::Kind::State, "bare_repository", message)
                .hint("Work in a checkout of it (git clone, git worktree)."));
        }
    }
    Ok(())
}

/// Git in one directory, for looking.
pub struct Git<'a> {
    world: &'a dyn World,
    session: &'a SessionInfo,
    dir: &'a Path,
    named: OnceCell<NamedPrograms>,
    extra_env: Vec<(String, String)>,
    extra_settings: Vec<(String, String)>,
    patience: Duration,
}

impl<'a> Git<'a> {
    pub fn new(world: &'a dyn World, session: &'a SessionInfo, dir: &'a Path) -> Git<'a> {
        Git {
            world,
            session,
            dir,
            named: OnceCell::new(),
            extra_env: Vec::new(),
            extra_settings: Vec::new(),
            patience: LOCAL,
        }
    }

    /// Git in no repository at all: for asking remotes and for making clones.
    pub fn nowhere(world: &'a dyn World, session: &'a SessionInfo) -> Git<'a> {
        Git::new(world, session, Path::new(NOWHERE))
    }

    /// New objects go to `objects`; those of `borrowed` can be read. The repository itself stays as it is.
    #[must_use]
    pub fn objects(mut self, objects: &Path, borrowed: &[&Path]) -> Git<'a> {
        let text = |path: &Path| path.to_string_lossy().into_owned();
        self.extra_env.push(("GIT_OBJECT_DIRECTORY".into(), text(objects)));
        // Quoted, because a colon would end the path.
        let quoted = |path: &&Path| format!("\"{}\"", text(path).replace('\\', "\\\\").replace('"', "\\\""));
        let all: Vec<String> = borrowed.iter().map(quoted).collect();
        self.extra_env.push(("GIT_ALTERNATE_OBJECT_DIRECTORIES".into(), all.join(":")));
        self
    }

    /// One more setting, which beats every configuration file.
    #[must_use]
    pub fn setting(mut self, key: &str, value: &str) -> Git<'a> {
        self.extra_settings.push((key.into(), value.into()));
        self
    }

    #[must_use]
    pub fn patience(mut self, limit: Duration) -> Git<'a> {
        self.patience = limit;
        self
    }

    /// The filters and helpers that the configuration in force here names.
    pub fn named(&self) -> Result<&NamedPrograms> {
        if let Some(known) = self.named.get() {
            return Ok(known);
        }
        let out = self.spawn(strings(&NAMES), &[], "", Vec::new(), LOCAL)?;
        let found = named_in(self.dir, &out)?;
        Ok(self.named.get_or_init(|| found))
    }

    fn spawn(
        &self,
        args: Vec<String>,
        more: &[(String, String)],
        transports: &str,
        stdin: Vec<u8>,
        timeout: Duration,
    ) -> Result<Output> {
        // Never in somebody else's repository; git would say so, too, but not what to do about it.
        owner::check_repository(self.world, self.dir)?;
        let mut env = env(self.session);
        env.retain(|(name, _)| name != "GIT_ALLOW_PROTOCOL");
        env.push(("GIT_ALLOW_PROTOCOL".into(), transports.into()));
        // A partial clone would fetch what it lacks, from a remote and by a program of its own choosing.
        env.push(("GIT_NO_LAZY_FETCH".into(), "1".into()));
        env.push(("GIT_LFS_SKIP_SMUDGE".into(), "1".into()));
        if self.world.stat(&self.dir.join(".git"))?.is_some() {
            env.push(tree(self.dir));
        }
        env.extend(self.extra_env.iter().cloned());
        let all = owned(&CALM)
            .chain(owned(&LOOKING))
            .chain(more.iter().cloned())
            .chain(self.extra_settings.iter().cloned());
        settings(&mut env, all);
        self.world.run(&Command {
            program: PROGRAM.into(),
            args,
            cwd: self.dir.to_path_buf(),
            env,
            stdin,
            timeout,
        })
    }

    /// What git said, whatever it was.
    pub fn output(&self, args: &[&str], stdin: Vec<u8>) -> Result<Output> {
        // Where a repository is said outright, none is looked for.
        if !args.first().is_some_and(|first| first.starts_with("--git-dir=")) {
            not_buried(self.world, self.dir)?;
        }
        let mut all = strings(args);
        if matches!(
            args.first(),
            Some(&("log" | "show" | "diff" | "diff-tree" | "diff-index" | "diff-files"))
        ) {
            all.splice(1..1, strings(&["--no-ext-diff", "--no-textconv"]));
        }
        self.spawn(all, &self.named()?.silenced(), "", stdin, self.patience)
    }

    /// The same for what runs no filter whatever a repository says (it lists, reads or packs objects): what the
    /// repository names need not be asked for, and nothing is written but where this was told to.
    pub fn plumbing(&self, args: &[&str], stdin: Vec<u8>) -> Result<Vec<u8>> {
        let verb = args.iter().find(|arg| !arg.starts_with('-')).unwrap_or(&"");
        if !PLUMBING.contains(verb) {
            return Err(Error::internal(format!("git {verb} may run filters.")));
        }
        if !args.first().is_some_and(|first| first.starts_with("--git-dir=")) {
            not_buried(self.world, self.dir)?;
        }
        let out = self.spawn(strings(args), &[], "", stdin, self.patience)?;
        match out.code {
            Some(0) => Ok(out.stdout),
            // It found nothing to list.
            Some(1) if *verb == "check-ignore" => Ok(out.stdout),
            _ => Err(failed(verb, self.dir, &out, self.patience)),
        }
    }

    /// Trimmed output, or what git said went wrong.
    pub fn text(&self, args: &[&str]) -> Result<String> {
        let out = self.output(args, Vec::new())?;
        self.checked(args, &out, self.patience)
    }

    /// The same with input.
    pub fn fed(&self, args: &[&str], input: &str) -> Result<String> {
        let out = self.output(args, input.as_bytes().to_vec())?;
        self.checked(args, &out, self.patience)
    }

    /// `None` where git says no (a missing ref, no repository).
    pub fn maybe(&self, args: &[&str]) -> Result<Option<String>> {
        let out = self.output(args, Vec::new())?;
        Ok((out.code == Some(0)).then(|| String::from_utf8_lossy(&out.stdout).trim_end().to_string()))
    }

    /// Which of these paths (as status prints them) have a filter. Looking runs none, so that such a file may look
    /// changed without being it.
    pub fn filtered(&self, paths: &[&str]) -> Result<Vec<String>> {
        let off = self.named()?.filters();
        if off.is_empty() || paths.is_empty() {
            return Ok(Vec::new());
        }
        let out =
            self.output(&["check-attr", "--stdin", "filter"], (paths.join("\n") + "\n").into_bytes())?;
        let said = String::from_utf8_lossy(&out.stdout).into_owned();
        // One line per path, in their order; a path may hold anything, so only the end of the line counts.
        let drivers = said.lines().map(|line| line.rsplit_once(": filter: ").map_or("", |(_, name)| name));
        let hit = paths.iter().zip(drivers).filter(|(_, name)| off.contains(name));
        Ok(hit.map(|(path, _)| (*path).to_string()).collect())
    }

    /// The refs that a remote has, as `ls-remote` lists them. Asks it by its address alone, so nothing that a
    /// repository says about the remote counts.
    pub fn refs_of(&self, remote: &Remote, patterns: &[&str]) -> Result<String> {
        let args = [&["ls-remote", "--", remote.as_str()], patterns].concat();
        let limit = Duration::from_secs(remote_timeout(self.session));
        let out = Git::nowhere(self.world, self.session).contact(&args, limit)?;
        self.checked(&args, &out, limit)
    }

    /// Clones into a directory that is not there yet: no template, no hook, no filter, no submodule.
    pub fn clone(&self, remote: &Remote, into: &Path, options: &[&str]) -> Result<Output> {
        let into = into.to_string_lossy();
        let fixed = ["clone", "--quiet", "--template=", "--no-recurse-submodules"];
        let args = [&fixed, options, &["--", remote.as_str(), &into]].concat();
        let limit = Duration::from_secs(remote_timeout(self.session));
        Git::nowhere(self.world, self.session).contact(&args, limit)
    }

    fn contact(&self, args: &[&str], limit: Duration) -> Result<Output> {
        if self.world.offline() {
            return Err(Error::new(
                super::Kind::State,
                "offline",
                "No remote is contacted while a call is only explained or previewed.",
            )
            .hint("Call it in execute mode; what it would do is shown before anything happens."));
        }
        let mut more = self.named()?.silenced();
        more.extend(owned(&[("gc.auto", "0"), ("maintenance.auto", "false")]));
        self.spawn(strings(args), &more, TRANSPORTS, Vec::new(), limit)
    }

    fn checked(&self, args: &[&str], out: &Output, limit: Duration) -> Result<String> {
        if out.code == Some(0) {
            return Ok(String::from_utf8_lossy(&out.stdout).trim_end().to_string());
        }
        Err(failed(args.first().unwrap_or(&""), self.dir, out, limit))
    }
}
