//! `packd snap` and `packd why`: the work tree's snapshots, and who wrote a line of it.

use super::args_snap::{SnapCommand, WhyArgs};
use super::terminal::Terminal;
use super::view::render::Render;
use super::view::snap;
use super::{Client, CommandFailure, CommandScope, ToolArgs};

pub fn run(command: SnapCommand, render: Render, scope: &CommandScope) -> Result<(), CommandFailure> {
    let mut client = Client::open(scope)?;
    match command {
        SnapCommand::Take { label } => {
            let taken = client.must("snap_take", ToolArgs::new().given("label", label))?;
            render.show(&taken, |r| snap::taken(r, &taken));
        }
        SnapCommand::List { limit } => {
            let list = client.must("snap_list", ToolArgs::new().with("limit", limit))?;
            render.long().show(&list, |r| snap::list(r, &list));
        }
        SnapCommand::Diff { from, to, path } => {
            let request =
                ToolArgs::new().with("from", from).with("diff", true).given("to", to).given("path", path);
            let diff = client.must("snap_diff", request)?;
            render.long().show(&diff, |r| snap::diff(r, &diff));
        }
        SnapCommand::Restore { snapshot, path, yes } => {
            let request = ToolArgs::new().with("snapshot", snapshot).given("path", path);
            return restore(&mut client, request, yes, render);
        }
    }
    Ok(())
}

/// Shown first, asked about on a terminal, then done.
fn restore(
    client: &mut Client,
    mut request: ToolArgs,
    yes: bool,
    render: Render,
) -> Result<(), CommandFailure> {
    let terminal = Terminal::controlling().filter(|_| !render.json && !yes);
    if let Some(terminal) = &terminal {
        let preview = client.must("snap_restore", request.clone())?;
        snap::restored(render, &preview);
        if preview["changed"] == 0 {
            return Ok(());
        }
        if !terminal.agrees("Do it?")? {
            return Err(CommandFailure::refused("Not done."));
        }
    }
    if yes || terminal.is_some() {
        request.set("yes", true);
    }
    let done = client.must("snap_restore", request)?;
    render.show(&done, |r| snap::restored(r, &done));
    Ok(())
}

pub fn why(args: &WhyArgs, render: Render, scope: &CommandScope) -> Result<(), CommandFailure> {
    let (file, line) =
        match args.place.rsplit_once(':').and_then(|(file, line)| Some((file, line.parse().ok()?))) {
            Some((file, line)) => (file, Some::<u64>(line)),
            None => (args.place.as_str(), None),
        };
    let here = std::env::current_dir()
        .map_err(|e| CommandFailure::refused(format!("There is no directory here: {e}.")))?;
    let params = ToolArgs::new().with("path", here.join(file)).given("line", line);
    let told = Client::open(scope)?.request("packd/why", params)?;
    render.show(&told, |r| snap::why(r, &told));
    Ok(())
}
