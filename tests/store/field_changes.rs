//! Field changes as such: whatever two versions of a row are, the change between them leads from one to the other
//! and back, byte for byte, and changes of different fields do not meet.

use packd::core::change::{Marks, RowChange, Seed, Way, What, apply, clashes};
use packd::core::{Change, Image, Key, Table, TableShape, row};
use packd::families::packs::model::ContextPack;
use packd::families::tasks::model::TaskItem;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use crate::common::engine::options;

fn shape(table: &str) -> TableShape {
    let catalog = options(|_| {}).0.catalog();
    catalog.shape(catalog.table(table).unwrap())
}

fn image(rev: u64, value: Vec<u8>, marks: Option<&Marks>) -> Image {
    Image { rev, value, marks: marks.map(|marks| row::encode(marks).unwrap()).unwrap_or_default() }
}

fn edited(change: &RowChange) -> &[packd::core::FieldChange] {
    match &change.what {
        What::Edited(fields) => fields,
        other => panic!("not an edit: {other:?}"),
    }
}

/// A row that was made and then edited again and again, as its families write it.
struct Life {
    shape: TableShape,
    value: Vec<u8>,
    marks: Marks,
    edits: u64,
}

impl Life {
    fn new(shape: TableShape, value: Vec<u8>) -> Life {
        let change = Change {
            table: shape.table.0.into(),
            key: Key::of("k"),
            before: None,
            after: Some(image(1, value.clone(), None)),
        };
        let (made, marks) = RowChange::between(&shape, &change, &mut Seed::new("made"));
        assert!(matches!(made.what, What::Made(_)));
        Life { shape, value, marks: marks.unwrap(), edits: 0 }
    }

    fn edit(&mut self, value: Vec<u8>) -> RowChange {
        self.edits += 1;
        let change = Change {
            table: self.shape.table.0.into(),
            key: Key::of("k"),
            before: Some(image(self.edits, self.value.clone(), Some(&self.marks))),
            after: Some(image(self.edits + 1, value.clone(), None)),
        };
        let (done, marks) =
            RowChange::between(&self.shape, &change, &mut Seed::new(&format!("edit {}", self.edits)));
        (self.value, self.marks) = (value, marks.unwrap());
        done
    }

    /// Carries a change out on a version, and checks that this gives the next one and its identities.
    fn leads(&self, from: (&[u8], &Marks), change: &RowChange, way: Way, to: (&[u8], &Marks)) {
        let fields = edited(change);
        assert_eq!(clashes(&self.shape, from.0, from.1, fields, way), [], "nothing is in the way");
        let (value, marks) = apply(&self.shape, from.0, from.1, fields, way);
        assert_eq!(&marks, to.1, "identities");
        let shown = |bytes: &[u8]| row::decode::<Value>(bytes).unwrap();
        assert_eq!(shown(&value), shown(to.0));
        assert_eq!(value, to.0, "byte for byte");
    }
}

fn there_and_back(shape: TableShape, versions: &[Vec<u8>]) {
    let mut life = Life::new(shape, versions[0].clone());
    let mut states = vec![(life.value.clone(), life.marks.clone())];
    let mut changes = Vec::new();
    for version in &versions[1..] {
        changes.push(life.edit(version.clone()));
        states.push((life.value.clone(), life.marks.clone()));
    }
    for (n, change) in changes.iter().enumerate() {
        let side = |n: usize| (states[n].0.as_slice(), &states[n].1);
        life.leads(side(n), change, Way::Forth, side(n + 1));
        life.leads(side(n + 1), change, Way::Back, side(n));
    }
}

fn word() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("a".into()),
        Just("b]".into()),
        Just("c.d[e]".into()),
        Just("ü\\".into()),
        Just(String::new())
    ]
}

fn texts() -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec(word(), 0..4)
}

/// Elements with distinct keys, in any order.
fn distinct(keys: Vec<String>, make: impl Fn(&str, usize) -> Value) -> Vec<Value> {
    let mut seen = std::collections::BTreeSet::new();
    let keys = keys.into_iter().filter(|key| seen.insert(key.clone()));
    keys.enumerate().map(|(n, key)| make(&key, n)).collect()
}

fn pack() -> impl Strategy<Value = Vec<u8>> {
    let section = (word(), texts(), texts(), 1..3u64).prop_map(|(title, refs, diagrams, line)| {
        let refs = distinct(refs, |key, n| {
            json!({"key": key, "path": format!("p{line}"), "lines": {"start": line, "end": line + n as u64},
                "title": null, "why": title, "group": null})
        });
        let diagrams =
            distinct(diagrams, |key, _| json!({"key": key, "title": title, "mermaid": "x", "why": null}));
        (title, refs, diagrams)
    });
    (texts(), prop::collection::vec(section, 4), texts(), 0..3u64, prop::option::of(word())).prop_map(
        |(keys, sections, tags, stamp, brief)| {
            let sections = distinct(keys, |key, n| {
                let (title, refs, diagrams) = &sections[n];
                json!({"key": key, "title": title, "description": null, "refs": refs, "diagrams": diagrams})
            });
            let at = format!("2026-01-0{}T00:00:00Z", stamp + 1);
            let stamp = packd::core::Timestamp::parse(&at).unwrap();
            let value = json!({"id": "pk_a", "workspace": "", "name": null, "title": "t", "brief": brief,
                "status": "draft", "tags": tags, "sections": sections,
                "created_at": stamp, "updated_at": stamp, "expires_at": stamp});
            row::encode(&serde_json::from_value::<ContextPack>(value).unwrap()).unwrap()
        },
    )
}

fn steps(depth: u32) -> BoxedStrategy<Vec<Value>> {
    let nodes = match depth {
        0 => Just(Vec::new()).boxed(),
        _ => (texts(), steps(depth - 1))
            .prop_map(|(ids, below)| {
                distinct(ids, |id, n| {
                    let steps = if n == 0 { below.clone() } else { Vec::new() };
                    json!({"id": format!("N{id}"), "title": "n", "steps": steps})
                })
            })
            .boxed(),
    };
    (texts(), prop::collection::vec((texts(), any::<bool>(), texts()), 4), nodes)
        .prop_map(|(ids, facts, nodes)| {
            distinct(ids, |id, n| {
                let (notes, completed, tests) = &facts[n];
                let tasks = if n == 0 { nodes.clone() } else { Vec::new() };
                json!({"id": format!("S{id}"), "title": id, "completed": completed, "tests": tests,
                    "progress_notes": notes, "plan": {"tasks": tasks}, "attachments": [],
                    "verification_checks": notes.iter().map(|n| json!({"kind": n})).collect::<Vec<_>>()})
            })
        })
        .boxed()
}

fn item() -> impl Strategy<Value = Vec<u8>> {
    (word(), texts(), texts(), steps(2), 0..100i64, prop::collection::vec(word(), 0..3)).prop_map(
        |(title, tags, depends, steps, progress, events)| {
            let events: Vec<_> = events.iter().map(|e| json!({"event": e})).collect();
            let value = json!({"id": "TASK-001", "title": title, "tags": tags, "depends_on": depends,
                "steps": steps, "progress": progress, "events": events, "status": "ACTIVE",
                "attachments": [{"kind": "file", "path": title}], "unknown": {"kept": title}});
            row::encode(&serde_json::from_value::<TaskItem>(value).unwrap()).unwrap()
        },
    )
}

/// A row of a table that declares no shape: any map, also with other fields each time.
fn plain() -> impl Strategy<Value = Vec<u8>> {
    let leaf =
        prop_oneof![any::<i64>().prop_map(Value::from), word().prop_map(Value::from), Just(Value::Null)];
    let value = leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            prop::collection::vec((word(), inner), 0..3)
                .prop_map(|fields| Value::Object(fields.into_iter().collect::<Map<_, _>>())),
        ]
    });
    value.prop_map(|value| row::encode(&value).unwrap())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn changes_of_packs_lead_there_and_back(versions in prop::collection::vec(pack(), 2..5)) {
        there_and_back(shape("packs"), &versions);
    }

    #[test]
    fn changes_of_tasks_lead_there_and_back(versions in prop::collection::vec(item(), 2..5)) {
        there_and_back(shape("tasks"), &versions);
    }

    #[test]
    fn changes_of_any_other_row_lead_there_and_back(versions in prop::collection::vec(plain(), 2..5)) {
        there_and_back(TableShape::plain(Table("other")), &versions);
    }

    /// Two people edit one task from the same version, each another field: whoever comes first, both edits are there
    /// in the end, and taking one back leaves the other.
    #[test]
    fn edits_of_different_fields_commute(start in item(), title in word(), note in word()) {
        let task = |edit: &dyn Fn(&mut TaskItem)| {
            let mut item: TaskItem = row::decode(&start).unwrap();
            edit(&mut item);
            row::encode(&item).unwrap()
        };
        let retitle = |item: &mut TaskItem| item.title = format!("{title} two");
        let add_note = |item: &mut TaskItem| item.events.push(json!({"event": note}));
        let (one, two) = (task(&retitle), task(&add_note));
        let both = task(&|item| { retitle(item); add_note(item); });
        let shape = shape("tasks");
        let change = |to: &[u8]| {
            let mut life = Life::new(shape, start.clone());
            let marks = life.marks.clone();
            (life.edit(to.to_vec()), marks)
        };
        let ((first, marks), (second, _)) = (change(&one), change(&two));
        let carry = |changes: [&RowChange; 2]| {
            changes.iter().fold((start.clone(), marks.clone()), |(value, marks), change| {
                assert_eq!(clashes(&shape, &value, &marks, edited(change), Way::Forth), []);
                apply(&shape, &value, &marks, edited(change), Way::Forth)
            })
        };
        prop_assert_eq!(&carry([&first, &second]).0, &both);
        prop_assert_eq!(carry([&first, &second]), carry([&second, &first]));
        let (value, marks) = carry([&first, &second]);
        prop_assert_eq!(apply(&shape, &value, &marks, edited(&first), Way::Back).0, two);
        prop_assert_eq!(apply(&shape, &value, &marks, edited(&second), Way::Back).0, one);
    }
}

/// Two inserts at the same place never clash, and equal notes are told apart.
#[test]
fn equal_notes_are_told_apart_and_inserts_find_their_places() {
    let shape = shape("tasks");
    let task = |notes: &[&str]| {
        let value = json!({"id": "TASK-001", "events": notes});
        row::encode(&serde_json::from_value::<TaskItem>(value).unwrap()).unwrap()
    };
    let mut life = Life::new(shape, task(&["same"]));
    let second = life.edit(task(&["same", "same"]));
    let third = life.edit(task(&["same", "same", "same"]));
    let path = |change: &RowChange| edited(change)[0].path.clone();
    assert_ne!(path(&second), path(&third));
    let (value, marks) = apply(&shape, &life.value, &life.marks, edited(&second), Way::Back);
    assert_eq!(value, task(&["same", "same"]));
    assert_eq!(clashes(&shape, &value, &marks, edited(&third), Way::Back), []);
    assert_eq!(apply(&shape, &value, &marks, edited(&third), Way::Back).0, task(&["same"]));
}
