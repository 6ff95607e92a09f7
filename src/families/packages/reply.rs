//! What answers of this family have in common: what an operation changed, the call that comes next, and a bound.
//!
//! Text and structured content are the same JSON. Nothing is longer than [`MOST`]; what is left out is counted, and the
//! call that has the rest is named.

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::errors::relative;
use super::plan::PackageScene;
use crate::core::changed::Changed;
use crate::core::layout::Next;
use crate::core::{Ctx, Effect, SessionInfo};

/// No answer is longer, in bytes.
pub const MOST: usize = 16 * 1024;
/// Room for the elements of a list that is sent in pages; the rest is for what stands beside it.
const PAGE: usize = 12 * 1024;
/// Room for the files that an operation changed.
const CHANGED: usize = 600;
/// Room for the note of what was left out.
const NOTE: usize = 512;
/// Texts lose their end at so many bytes; shorter if that is not enough.
const TEXTS: [usize; 3] = [4 * 1024, 1024, 200];

/// As many elements as a reply has room for, from `offset` on.
pub struct ReplyPage {
    pub shown: Vec<Value>,
    /// How many come after them.
    pub left: usize,
    end: usize,
}

impl ReplyPage {
    pub fn of<T: Serialize>(items: &[T], offset: usize) -> ReplyPage {
        let mut room = PAGE;
        let mut shown: Vec<Value> = Vec::new();
        for item in items.iter().skip(offset) {
            // Plain data with text keys: there is nothing in it that JSON cannot hold.
            let value = serde_json::to_value(item).unwrap_or_default();
            let left = room.checked_sub(value.to_string().len() + 1);
            if left.is_none() && !shown.is_empty() {
                break;
            }
            room = left.unwrap_or(0);
            shown.push(value);
        }
        let end = (offset + shown.len()).min(items.len());
        ReplyPage { left: items.len() - end, shown, end }
    }

    /// The same call for what comes after, if anything does.
    pub fn rest(&self, call: Next) -> Option<Next> {
        (self.left > 0).then(|| call.with("offset", self.end))
    }

    pub fn left(&self) -> Option<usize> {
        Some(self.left).filter(|left| *left > 0)
    }
}

/// A call, unless this session does not have its tool.
pub fn offered(next: Next, session: &SessionInfo) -> Option<Next> {
    session.offered.has(&next.tool).then_some(next)
}

/// The files of an operation as a reply names them: those that people see first, then packd's own.
pub fn files(effects: &[Effect], ctx: &Ctx) -> Vec<Changed> {
    let home = ctx.session.home.to_string_lossy();
    let entry = |effect: &Effect| {
        let path = effect.root.join(&effect.path).display().to_string();
        Changed {
            of: Some(relative(&path, &ctx.session.workspace, &home)),
            made: effect.before.is_none(),
            gone: effect.after.is_none(),
            ..Changed::default()
        }
    };
    let mut out: Vec<Changed> = effects.iter().map(entry).collect();
    out.sort_by_key(|changed| changed.of.as_ref().is_some_and(|path| path.starts_with(".aam/")));
    out
}

/// Enters what an operation changed, and where the rest is if that is too much for a reply.
pub fn tell(body: &mut Map<String, Value>, changed: Vec<Changed>, operation: Option<&str>, ctx: &Ctx) {
    if changed.is_empty() {
        return;
    }
    let (shown, left) = Changed::within(changed, CHANGED);
    body.insert("changed".into(), json!(shown));
    if left > 0 {
        body.insert("changed_left".into(), json!(left));
        let whole = operation.map(|id| Next::call("history_show").with("operation_id", id));
        if let Some(whole) = whole.and_then(|next| offered(next, ctx.session)) {
            body.insert("changed_rest".into(), json!(whole));
        }
    }
}

/// Cuts a body to [`MOST`]: texts first, then the longest lists. `left_out` counts what is missing, by place.
/// True if it cut anything but the ends of texts.
pub fn bound(body: &mut Map<String, Value>) -> bool {
    let mut left: Map<String, Value> = Map::new();
    for most in TEXTS {
        if size(body) <= MOST {
            break;
        }
        let mut value = Value::Object(std::mem::take(body));
        shorten(&mut value, most);
        while let Some(excess) = value.to_string().len().checked_sub(MOST - NOTE).filter(|e| *e > 0) {
            if !drop_from_longest(&mut value, excess, &mut left) {
                break;
            }
        }
        if let Value::Object(map) = value {
            *body = map;
        }
    }
    let cut = !left.is_empty();
    if cut {
        let at = body.len().min(1);
        body.shift_insert(at, "left_out".into(), Value::Object(left));
    }
    cut
}

fn size(body: &Map<String, Value>) -> usize {
    serde_json::to_string(body).map_or(0, |text| text.len())
}

fn shorten(value: &mut Value, most: usize) {
    match value {
        Value::String(text) if text.len() > most => {
            let (whole, mut end) = (text.len(), most);
            while !text.is_char_boundary(end) {
                end -= 1;
            }
            text.truncate(end);
            text.push_str(&format!("… ({whole} bytes)"));
        }
        Value::Array(list) => list.iter_mut().for_each(|item| shorten(item, most)),
        Value::Object(map) => map.values_mut().for_each(|item| shorten(item, most)),
        _ => {}
    }
}

/// Takes elements from the end of whatever holds most of the bytes.
fn drop_from_longest(body: &mut Value, excess: usize, left: &mut Map<String, Value>) -> bool {
    let (mut at, mut place) = (body, Vec::<String>::new());
    loop {
        let own = at.to_string().len();
        let heaviest = children(at).into_iter().max_by_key(|(_, bytes)| *bytes);
        let deeper = match &heaviest {
            Some((_, bytes)) => place.is_empty() || bytes * 2 > own,
            None => false,
        };
        let Some((key, _)) = heaviest.filter(|_| deeper) else { break };
        let next = match at {
            Value::Object(map) => map.get_mut(&key),
            Value::Array(list) => key.parse::<usize>().ok().and_then(|i| list.get_mut(i)),
            _ => None,
        };
        let Some(next) = next else { return false };
        place.push(key);
        at = next;
    }
    if place.is_empty() {
        return false;
    }
    let mut gone = 0;
    let mut freed = 0;
    while freed < excess {
        let bytes = match at {
            Value::Array(list) => list.pop().map(|item| item.to_string().len() + 1),
            Value::Object(map) => {
                let last = map.keys().next_back().cloned();
                last.and_then(|key| map.shift_remove(&key).map(|v| key.len() + v.to_string().len() + 4))
            }
            _ => None,
        };
        let Some(bytes) = bytes else { break };
        freed += bytes;
        gone += 1;
    }
    let place = place.join(".");
    let before = left.get(&place).and_then(Value::as_u64).unwrap_or(0);
    left.insert(place, json!(before + gone));
    gone > 0
}

/// The lists and objects in a value that are not empty, each with its bytes.
fn children(value: &Value) -> Vec<(String, usize)> {
    let holds = |v: &Value| match v {
        Value::Array(list) => !list.is_empty(),
        Value::Object(map) => !map.is_empty(),
        _ => false,
    };
    let weigh = |key: String, v: &Value| holds(v).then(|| (key, v.to_string().len()));
    match value {
        Value::Object(map) => map.iter().filter_map(|(key, v)| weigh(key.clone(), v)).collect(),
        Value::Array(list) => list.iter().enumerate().filter_map(|(i, v)| weigh(i.to_string(), v)).collect(),
        _ => Vec::new(),
    }
}

/// A path of this project or of the user as a call would name it.
pub fn named(scene: &PackageScene, path: &std::path::Path) -> String {
    let home = scene.home().to_string_lossy();
    relative(&path.display().to_string(), &scene.ctx.session.workspace, &home)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bounded(value: Value) -> Value {
        let Value::Object(mut map) = value else { panic!("an object") };
        bound(&mut map);
        Value::Object(map)
    }

    #[test]
    fn what_is_too_long_is_cut_and_counted() {
        let short = json!({"a": 1, "list": [1, 2]});
        assert_eq!(bounded(short.clone()), short);
        let text = "ü".repeat(400);
        let list: Vec<Value> = (0..100).map(|n| json!({"n": n, "text": text})).collect();
        let cut = bounded(json!({"name": "x", "parts": {"few": [1], "many": list}}));
        assert!(cut.to_string().len() <= MOST, "{}", cut.to_string().len());
        let shown = cut["parts"]["many"].as_array().unwrap().len();
        assert!(shown > 10);
        assert_eq!(cut["left_out"]["parts.many"], json!(100 - shown));
        assert_eq!(cut["parts"]["few"], json!([1]));
        let cut = bounded(json!({"line": "y".repeat(300_000)}));
        assert!(cut["line"].as_str().unwrap().ends_with("… (300000 bytes)"));
        let many: Map<String, Value> = (0..3000).map(|n| (format!("key{n}"), json!("v"))).collect();
        assert!(bounded(json!({"map": many})).to_string().len() <= MOST);
        let wide: Map<String, Value> = (0..30).map(|n| (format!("t{n}"), json!("z".repeat(2000)))).collect();
        assert!(bounded(Value::Object(wide)).to_string().len() <= MOST);
    }

    #[test]
    fn pages_follow_one_another() {
        let items: Vec<String> = (0..50).map(|n| format!("{n:0>1000}")).collect();
        let (mut offset, mut seen) = (0, 0);
        loop {
            let page = ReplyPage::of(&items, offset);
            seen += page.shown.len();
            let Some(next) = page.rest(Next::call("t")) else { break };
            offset = usize::try_from(next.arguments["offset"].as_u64().unwrap()).unwrap();
        }
        assert_eq!(seen, 50);
        assert!(ReplyPage::of(&items, 99).shown.is_empty());
    }
}
