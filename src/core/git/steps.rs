//! Git as the work of a run: what a person confirmed by its name runs as git itself would, everything else is made calm
//! at the moment it runs.
//!
//! Starts nothing; whoever carries a run out does. What looks at a repository is [`Git`](super::Git).

use std::path::Path;

use super::super::run::StepWork;
use super::super::world::{Command, Output};
use super::super::{Result, SessionInfo};
use super::{CALM, LOCAL, NAMES, PROGRAM, env, named_in, owned, settings, strings, tree};

/// In a run a person confirmed each of these by its name; everything else is [`StepWork::Git`].
const CONFIRMED: [&str; 4] = ["add", "commit", "push", "tag"];

/// These touch the files of the checkout they run in; hooks, which would hear of it, do not run with them.
const IN_TREE: [&str; 6] = ["add", "checkout", "merge", "reset", "stash", "status"];

/// One git command as the work of a run. What makes a commit, a tag or a push runs hooks and filters as git does by
/// itself: such a run was confirmed. Nothing else runs a hook, or a filter that is not the user's own.
pub fn work(session: &SessionInfo, dir: &Path, args: &[&str]) -> StepWork {
    let (args, cwd, mut env) = (strings(args), dir.to_path_buf(), env(session));
    if args.first().is_some_and(|verb| IN_TREE.contains(&verb.as_str())) {
        env.push(tree(dir));
    }
    match args.first() {
        Some(verb) if CONFIRMED.contains(&verb.as_str()) => {
            StepWork::Program { program: PROGRAM.into(), args, cwd, env }
        }
        _ => StepWork::Git { args, cwd, env },
    }
}

/// The program that [`StepWork::Git`] is, now that it is about to run: what the repository names at this moment is asked
/// for through `ask` and switched off.
pub fn settle(
    args: &[String],
    cwd: &Path,
    env: &[(String, String)],
    ask: &dyn Fn(&Command) -> Result<Output>,
) -> Result<Command> {
    let mut command = Command {
        program: PROGRAM.into(),
        args: strings(&NAMES),
        cwd: cwd.to_path_buf(),
        env: env.to_vec(),
        stdin: Vec::new(),
        timeout: LOCAL,
    };
    settings(&mut command.env, owned(&CALM));
    let named = named_in(cwd, &ask(&command)?)?;
    command.env = env.to_vec();
    settings(&mut command.env, owned(&CALM).chain(named.only_the_users()));
    command.args = args.to_vec();
    if args.first().is_some_and(|verb| verb == "fetch") {
        command.args.insert(1, "--upload-pack=git-upload-pack".into());
    }
    Ok(command)
}
