//! The history of a session that works in a linked work tree: what belongs to the workspace (packs, tasks) and what
//! belongs to the tree alone (files, deploys), read as one.
//!
//! For every other session these are the same, and there is one log to read.

use super::view::{LogPage, LogQuery};
use super::{Ctx, Op, Result, SessionFacts};

impl SessionFacts {
    /// The tree, where it has a history of its own.
    pub fn linked_tree(&self) -> Option<&str> {
        Some(self.tree.as_str()).filter(|tree| !tree.is_empty() && *tree != self.workspace)
    }

    /// The tree that is worked in.
    pub fn tree(&self) -> &str {
        self.linked_tree().unwrap_or(&self.workspace)
    }

    /// Is an operation of this workspace one of this session's history?
    pub fn sees(&self, workspace: &str) -> bool {
        workspace == self.workspace || self.linked_tree() == Some(workspace)
    }
}

/// A page of the session's history.
pub fn ops(ctx: &Ctx, query: &LogQuery) -> Result<LogPage> {
    let log = ctx.view.log();
    let page = log.ops(query)?;
    let own = query.workspace.as_deref() == Some(ctx.session.workspace.as_str());
    match ctx.session.linked_tree().filter(|_| own) {
        None => Ok(page),
        Some(tree) => {
            let other = log.ops(&LogQuery { workspace: Some(tree.to_string()), ..query.clone() })?;
            Ok(merged(page, other, query))
        }
    }
}

/// The newest of what either log gives.
pub fn newest(ctx: &Ctx, workspace: &str, of: impl Fn(&str) -> Result<Option<Op>>) -> Result<Option<Op>> {
    let found = of(workspace)?;
    let own = workspace == ctx.session.workspace;
    let other = ctx.session.linked_tree().filter(|_| own).map_or(Ok(None), of)?;
    Ok(found.into_iter().chain(other).max_by_key(|op| op.seq))
}

fn merged(one: LogPage, two: LogPage, query: &LogQuery) -> LogPage {
    let ends: Vec<u64> =
        [&one, &two].iter().filter(|page| page.has_more).filter_map(|page| page.next).collect();
    // Beyond where a page ended, its log may have records that come first.
    let end = if query.newest_first { ends.iter().max() } else { ends.iter().min() }.copied();
    let known = |seq: u64| end.is_none_or(|end| if query.newest_first { seq >= end } else { seq <= end });
    let mut ops: Vec<Op> = one.ops.into_iter().chain(two.ops).filter(|op| known(op.seq)).collect();
    ops.sort_by_key(|op| op.seq);
    if query.newest_first {
        ops.reverse();
    }
    let cut = ops.len() > query.limit;
    ops.truncate(query.limit);
    let next = if cut { ops.last().map(|op| op.seq) } else { end };
    LogPage { ops, has_more: cut || end.is_some(), next }
}
