//! Decisions made before the writer's turn: nothing is ever stored that the writer would not have decided itself.

use std::sync::Arc;

use packd::core::ctx::ErrorCtx;
use packd::core::{
    AnyTool, Ctx, Declared, Error, Family, Index, IndexEntry, IndexQuery, Indexer, Key, Look, Outcome,
    Record, Reply, Result, Row, Table, Tool,
};
use packd::engine::CallRequest;
use serde::Deserialize;
use serde_json::json;

use crate::common::engine::TestEngine;

const NUMBERS: Table = Table("numbers");
const BY_NAME: Index = Index("numbers_by_name");

fn by_name(table: Table, key: &Key, _: &Row) -> Vec<IndexEntry> {
    if table != NUMBERS {
        return Vec::new();
    }
    vec![IndexEntry { index: BY_NAME, group: Key::of("all"), sort: key.clone(), value: Vec::new() }]
}

struct Numbers;

#[derive(Deserialize)]
struct Named {
    name: String,
}

/// Adds one to a number, whatever it is.
struct Add;

impl Tool for Add {
    type Args = Named;
    type Seen = ();
    const NAME: &'static str = "numbers_add";

    fn look(_: &Look, _: &Named) -> Result<()> {
        Ok(())
    }

    fn decide(ctx: &Ctx, args: &Named, _: &()) -> Result<Outcome> {
        let key = Key::of(&args.name);
        let now: u64 = ctx.view.get(NUMBERS, &key)?.map_or(0, |(n, _)| n);
        let mut draft = ctx.draft();
        draft.put(NUMBERS, &key, &(now + 1))?;
        Ok(stored(draft.into_outcome(), format!("{}", now + 1)))
    }
}

/// Makes a new number, named by how many there are: wrong as soon as two of them count the same ones.
struct Count;

impl Tool for Count {
    type Args = Named;
    type Seen = ();
    const NAME: &'static str = "numbers_count";

    fn look(_: &Look, _: &Named) -> Result<()> {
        Ok(())
    }

    fn decide(ctx: &Ctx, args: &Named, _: &()) -> Result<Outcome> {
        let there = ctx.view.index(&IndexQuery::new(BY_NAME, Key::of("all")))?.len();
        let mut draft = ctx.draft();
        draft.put(NUMBERS, &Key::of(&args.name), &(there as u64))?;
        Ok(stored(draft.into_outcome(), there.to_string()))
    }
}

fn stored(mut outcome: Outcome, text: String) -> Outcome {
    outcome.record = Record { summary: "counted".into(), ..Record::default() };
    outcome.reply = Reply::text(text);
    outcome
}

impl Family for Numbers {
    fn name(&self) -> &'static str {
        "numbers"
    }
    fn tables(&self) -> &'static [Table] {
        &[NUMBERS]
    }
    fn indexers(&self) -> Vec<Indexer> {
        vec![by_name]
    }
    fn tools(&self) -> &'static [&'static dyn AnyTool] {
        &[&Add, &Count]
    }
    fn render_error(&self, error: &Error, _: &ErrorCtx) -> Reply {
        Reply::text(error.to_string()).error()
    }
}

fn engine() -> TestEngine {
    let tool = |name: &str| {
        json!({"name": name, "inputSchema": {"type": "object", "properties": {"name": {"type": "string"}}},
               "packd": {"safety": "safe-write", "gate": "own", "confirm": "none", "line": "x"}})
    };
    let file = json!({"family": "numbers", "tools": [tool("numbers_add"), tool("numbers_count")]});
    TestEngine::with_family(Box::new(Numbers), Declared::parse_all(&file.to_string()).unwrap())
}

/// So many calls at once, from as many sessions; their replies.
fn all_at_once(t: &TestEngine, tool: &'static str, names: Vec<String>) -> Vec<u64> {
    t.block_on(async {
        let calls = names.into_iter().enumerate().map(|(i, name)| {
            let session: Arc<_> = t.session(&format!("s{i}"), "/w");
            async move { t.engine.call(&session, CallRequest::new(tool, json!({"name": name}))).await }
        });
        let mut left: Vec<_> = calls.map(Box::pin).collect();
        let mut replies = Vec::new();
        std::future::poll_fn(|cx| {
            left.retain_mut(|call| match call.as_mut().poll(cx) {
                std::task::Poll::Ready(reply) => {
                    assert!(!reply.is_error, "{}", reply.text);
                    replies.push(reply.text.parse().unwrap());
                    false
                }
                std::task::Poll::Pending => true,
            });
            if left.is_empty() { std::task::Poll::Ready(()) } else { std::task::Poll::Pending }
        })
        .await;
        replies
    })
}

#[test]
fn no_addition_is_lost_however_many_come_at_once() {
    let t = engine();
    let mut seen = all_at_once(&t, "numbers_add", vec!["one".to_string(); 400]);
    seen.sort_unstable();
    assert_eq!(seen, (1..=400).collect::<Vec<u64>>());
}

/// A range that was read is part of a decision, also where nothing was in it yet.
#[test]
fn a_count_is_never_of_a_time_that_has_passed() {
    let t = engine();
    let mut seen = all_at_once(&t, "numbers_count", (0..200).map(|i| format!("n{i}")).collect());
    seen.sort_unstable();
    assert_eq!(seen, (0..200).collect::<Vec<u64>>());
}

#[test]
fn what_does_not_meet_is_decided_once() {
    let t = engine();
    // Whether a worker gets a turn depends on the machine; given enough calls, some do.
    for round in 0..50 {
        all_at_once(&t, "numbers_add", (0..200).map(|i| format!("{round}-{i}")).collect());
        if t.engine.decided_early().0 > 0 {
            break;
        }
    }
    let (held, again) = t.engine.decided_early();
    assert!(held > 0, "no decision was ever made early");
    assert_eq!(again, 0, "different rows have nothing to do with each other");
}
