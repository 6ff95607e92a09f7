//! What `input` can be asked for: one typed request for each action, read from its fields once.
//!
//! Order of checks, which clients rely on: aliases, identifier, revision given, required fields (all of these in
//! `InputRequest::of`), then lookup, revision equal, form of the fields, state, existence of the target (when the request is
//! decided).

pub mod check;
pub mod create;
pub mod delete;
pub mod document;
pub mod edit;
pub mod edited;
mod faults;
pub mod fields;
pub mod ops;
pub mod read;
pub mod wanted;
pub mod write;

use serde_json::{Map, Value};

use crate::core::{Error, Result, schema};

use super::errors::{invalid, revision_conflict};
use super::rows::{Found, find};
use edit::PackEdit;
use fields::{Fields, Lacks};

macro_rules! actions {
    ($($name:ident $word:literal),+ $(,)?) => {
        /// The word an `input` call begins with.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Action { $($name),+ }

        impl Action {
            /// In the order the contract lists them.
            const ALL: &[Action] = &[$(Action::$name),+];

            pub fn as_str(self) -> &'static str {
                match self { $(Action::$name => $word),+ }
            }
        }
    };
}

actions! {
    Create "create",
    Get "get",
    List "list",
    UpsertSection "upsert_section",
    DeleteSection "delete_section",
    UpsertRef "upsert_ref",
    DeleteRef "delete_ref",
    UpsertDiagram "upsert_diagram",
    DeleteDiagram "delete_diagram",
    SetMeta "set_meta",
    SetStatus "set_status",
    TouchTtl "touch_ttl",
    Delete "delete",
    Import "import",
    Export "export",
    Check "check",
    Reanchor "reanchor",
    Write "write",
}

impl Action {
    /// Left out (or not a string) means `list`.
    pub fn of(fields: &Fields) -> Result<Action> {
        match fields.action.get() {
            None => Ok(Action::List),
            Some(word) => Action::named(word).ok_or_else(|| unknown(word)),
        }
    }

    pub fn named(word: &str) -> Option<Action> {
        Action::ALL.iter().copied().find(|action| action.as_str() == word)
    }
}

fn unknown(word: &str) -> Error {
    let known: Vec<&str> = Action::ALL.iter().map(|action| action.as_str()).collect();
    let near = schema::meant(word, &known).map(|near| format!("Did you mean '{near}'? "));
    let near = near.unwrap_or_default();
    invalid(format!("unknown input action '{word}'"))
        .hint(format!("{near}Known actions: {}.", known.join(", ")))
}

/// Fields that only these actions take notice of.
const BELONG: &[(&str, &[Action])] = &[
    ("sections", &[Action::Write]),
    ("ops", &[Action::Write]),
    ("document", &[Action::Import]),
    ("path", &[Action::UpsertRef]),
    ("line_start", &[Action::UpsertRef]),
    ("line_end", &[Action::UpsertRef]),
    ("symbol", &[Action::UpsertRef]),
    ("match", &[Action::UpsertRef]),
    ("ref_title", &[Action::UpsertRef]),
    ("ref_why", &[Action::UpsertRef]),
    ("mermaid", &[Action::UpsertDiagram]),
    ("diagram_why", &[Action::UpsertDiagram]),
    ("section_title", &[Action::UpsertSection]),
    ("section_description", &[Action::UpsertSection]),
    ("extend_minutes", &[Action::TouchTtl]),
    ("query", &[Action::List]),
];

/// What was sent to an action that takes no notice of it: told, never dropped in silence.
pub fn out_of_place(action: &str, sent: &Map<String, Value>) -> Vec<String> {
    let belongs = |(name, actions): &&(&str, &[Action])| {
        sent.get(*name).is_some_and(|value| !value.is_null()) && !actions.iter().any(|a| a.as_str() == action)
    };
    let told = |(name, actions): &(&str, &[Action])| {
        let theirs: Vec<&str> = actions.iter().map(|action| action.as_str()).collect();
        format!("'{name}' belongs to action {} and was ignored.", theirs.join(", "))
    };
    BELONG.iter().filter(belongs).map(told).collect()
}

/// A call of `input`, understood.
#[derive(Debug)]
pub enum InputRequest {
    List(super::list::PackFilter),
    Get { pack: String },
    Export { pack: String },
    Check(check::CheckPack),
    Reanchor(check::Reanchor),
    Create(create::CreatePack),
    Delete(PackTarget),
    Import(document::Import),
    Edit(Box<edited::Edited>),
    Write(Box<write::Write>),
    Ops(Box<ops::Ops>),
}

impl InputRequest {
    pub fn of(action: Action, fields: &Fields) -> Result<InputRequest> {
        Ok(match action {
            Action::List => InputRequest::List(super::list::PackFilter::of(fields)?),
            Action::Get => InputRequest::Get { pack: fields.need_identifier()? },
            Action::Export => InputRequest::Export { pack: fields.need_identifier()? },
            Action::Check => InputRequest::Check(check::CheckPack::of(fields)?),
            Action::Reanchor => InputRequest::Reanchor(check::Reanchor::of(fields)?),
            Action::Create => InputRequest::Create(create::CreatePack::of(fields)?),
            Action::Delete => InputRequest::Delete(PackTarget::of(fields)?),
            Action::Import => InputRequest::Import(document::Import::of(fields)?),
            Action::Write if fields.ops.is_sent() => InputRequest::Ops(Box::new(ops::Ops::of(fields)?)),
            Action::Write => InputRequest::Write(Box::new(write::Write::of(fields)?)),
            _ => InputRequest::Edit(Box::new(edited::Edited::of(action, fields)?)),
        })
    }
}

/// The pack a change is for, and the revision its caller knows.
#[derive(Debug, Clone)]
pub struct PackTarget {
    pub pack: String,
    pub revision: u64,
}

impl PackTarget {
    fn of(fields: &Fields) -> Result<PackTarget> {
        let mut lacks = Lacks::default();
        let target = PackTarget::taken(fields, &mut lacks);
        lacks.none().map(|()| target)
    }

    fn taken(fields: &Fields, lacks: &mut Lacks) -> PackTarget {
        let pack = lacks.identifier(fields);
        PackTarget { pack, revision: lacks.number("expected_revision", &fields.expected_revision) }
    }

    /// The pack, if it still is in that revision.
    pub fn find(&self, ctx: &crate::core::Ctx) -> Result<Found> {
        let found = find(ctx, &self.pack)?;
        if found.rev != self.revision {
            return Err(revision_conflict(self.revision, found.rev));
        }
        Ok(found)
    }
}

/// The edit an action asks for, with what every change needs; all that is missing is said at once.
fn targeted_edit(action: Action, fields: &Fields) -> Result<(PackTarget, PackEdit)> {
    PackEdit::check_aliases(action, fields)?;
    let mut lacks = Lacks::default();
    let target = PackTarget::taken(fields, &mut lacks);
    let edit = PackEdit::of(action, fields, &mut lacks);
    lacks.none()?;
    edit.map(|edit| (target, edit)).ok_or_else(|| unknown(action.as_str()))
}
