//! Mistakes that agents make: each is answered with what to do instead, and doing that succeeds. One table for each
//! family; what is asked of every row is here.
//!
//! Rows share a world, so what they send in the end is mostly a preview (`mode: plan`), which checks all that the doing
//! checks and leaves nothing.

mod deploy;
mod ecosystems;
mod history;
mod packages;
mod packs;
mod tasks;

use serde_json::{Value, json};

use super::rig::Agent;

/// What was sent, what the answer has to say, and what is sent then.
struct Mistake {
    tool: &'static str,
    args: Value,
    says: Vec<&'static str>,
    then: Then,
    /// The contract lets it succeed; the reply tells of it.
    only_warned: bool,
}

enum Then {
    /// The call that the reply names, as it stands.
    Follow,
    Send(&'static str, Value),
}

/// A mistake that is refused; what is sent then goes to the same tool.
fn wrong(tool: &'static str, args: Value, says: &[&'static str], mended: Value) -> Mistake {
    Mistake { tool, args, says: says.to_vec(), then: Then::Send(tool, mended), only_warned: false }
}

/// A mistake after which the reply's own call helps.
fn led(tool: &'static str, args: Value, says: &[&'static str]) -> Mistake {
    Mistake { tool, args, says: says.to_vec(), then: Then::Follow, only_warned: false }
}

/// A mistake that is mended by another tool.
fn other(
    tool: &'static str,
    args: Value,
    says: &[&'static str],
    instead: &'static str,
    mended: Value,
) -> Mistake {
    Mistake { tool, args, says: says.to_vec(), then: Then::Send(instead, mended), only_warned: false }
}

/// A mistake that the contract lets pass.
fn odd(tool: &'static str, args: Value, says: &[&'static str], mended: Value) -> Mistake {
    Mistake { only_warned: true, ..wrong(tool, args, says, mended) }
}

/// The same arguments with others.
pub fn with(args: &Value, more: Value) -> Value {
    let mut args = args.clone();
    for (name, value) in more.as_object().unwrap() {
        args[name] = value.clone();
    }
    args
}

fn plan(args: &Value) -> Value {
    with(args, json!({"mode": "plan"}))
}

/// Makes each mistake and does what its answer says; how many there were.
fn recover(agent: &mut Agent, mistakes: Vec<Mistake>) -> usize {
    let count = mistakes.len();
    let wrong: Vec<String> = mistakes.into_iter().filter_map(|mistake| trouble(agent, mistake)).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    count
}

/// What is wrong with the answer to a mistake, or with what came of following it.
fn trouble(agent: &mut Agent, mistake: Mistake) -> Option<String> {
    let Mistake { tool, args, says, then, only_warned } = mistake;
    let said = agent.call(tool, &args);
    if said.failed == only_warned {
        return Some(format!("{tool} {args} ended otherwise: {}", said.text));
    }
    if let Some(word) = says.iter().find(|word| !said.text.contains(**word)) {
        return Some(format!("{tool} {args} does not say {word:?}: {}", said.text));
    }
    let next = match then {
        Then::Send(tool, mended) => Some((tool.to_string(), mended)),
        Then::Follow => said.next(),
    };
    let Some((then, mended)) = next else {
        return Some(format!("{tool} {args} names no next call: {}", said.text));
    };
    let after = agent.call(&then, &mended);
    after.failed.then(|| format!("{tool} {args} led to {then} {mended}: {}", after.text))
}

#[test]
fn every_mistake_is_recovered_in_one_call_by_following_the_reply() {
    let all = [
        packs::recovered(),
        tasks::recovered(),
        history::recovered(),
        deploy::recovered(),
        packages::recovered(),
        ecosystems::recovered(),
    ];
    assert!(all.iter().sum::<usize>() >= 73, "{all:?}");
}
