//! What the engine refuses to be assembled from, before anything is served.

use packd::core::ctx::ErrorCtx;
use packd::core::{AnyTool, Declared, Error, Family, Reply};
use packd::engine::{Engine, Options};
use packd::families::packs::Packs;
use packd::store::Store;
use serde_json::Value;

use crate::common::engine::options;

/// A family that offers what another one has.
struct Copyist;

impl Family for Copyist {
    fn name(&self) -> &'static str {
        "copyist"
    }

    fn tools(&self) -> &'static [&'static dyn AnyTool] {
        Packs::default().tools()
    }

    fn render_error(&self, error: &Error, _: &ErrorCtx) -> Reply {
        Reply::text(error.to_string()).error()
    }
}

fn refusal(adjust: impl FnOnce(&mut Options)) -> String {
    let (options, _) = options(adjust);
    let store = Store::in_memory(options.catalog()).unwrap();
    Engine::start(store, options).err().expect("it should have been refused").message
}

/// A declaration of packs, under another name or as another family's.
fn declared(family: &str, tool: &str) -> Vec<Declared> {
    let files = packd::daemon::assemble::DECLARED.iter().map(|file| serde_json::from_str(file).unwrap());
    let mut file: Value = files.into_iter().find(|file: &Value| file["family"] == "packs").unwrap();
    file["family"] = family.into();
    file["tools"].as_array_mut().unwrap().truncate(1);
    file["tools"][0]["name"] = tool.into();
    Declared::parse_all(&file.to_string()).unwrap()
}

#[test]
fn two_families_cannot_have_a_tool_of_one_name() {
    let said = refusal(|options| options.families.push(Box::new(Copyist)));
    assert!(said.contains("is of packs and copyist"), "{said}");
}

#[test]
fn a_declared_tool_needs_a_type() {
    let said = refusal(|options| options.tools.extend(declared("packs", "pack_burn")));
    assert_eq!(said, "packs declares pack_burn and does not have it.");
}

#[test]
fn a_tool_is_declared_by_the_family_that_has_it() {
    let said = refusal(|options| {
        options.tools.retain(|tool| tool.name != "input");
        options.tools.extend(declared("tasks", "input"));
    });
    assert_eq!(said, "tasks declares input and does not have it.");
}

/// A type without a declaration is not refused: no agent sees it, and a person or the engine may call it. It is easily
/// forgotten in `proto/tools`, though, so those that are meant so are named here.
#[test]
fn only_tools_for_persons_and_the_engine_go_undeclared() {
    let declared = packd::daemon::assemble::declared().unwrap();
    let mut found: Vec<&str> = Vec::new();
    for family in packd::daemon::assemble::families() {
        let names = family.tools().iter().map(|tool| tool.name());
        found.extend(names.filter(|name| !declared.iter().any(|d| d.name == *name)));
    }
    found.sort_unstable();
    insta::assert_snapshot!(found.join(" "), @"packd_guide packd_hooks packd_init packd_setup packs_mirror packs_mirrored");
}
