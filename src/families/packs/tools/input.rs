//! `input`: builds packs, one action per call. What each action means is in `actions`.

use serde_json::{Map, Value};

use crate::core::arguments::Arguments;
use crate::core::ctx::Explanation;
use crate::core::{Ctx, Error, Look, Needs, Outcome, Result, SessionInfo, Tool};

use super::super::actions::fields::{Fields, odd_sizes};
use super::super::actions::{Action, Request, delete, document, out_of_place, read};
use super::super::anchors::anchor::New;
use super::super::anchors::memory::Memory;
use super::super::anchors::{Sight, committed};
use super::super::gate::Inspection;
use super::super::picking::{self, Library, Looked};
use super::super::reply::warn;
use super::super::rows::{Found, find};

pub struct Input;

#[derive(Debug)]
pub struct InputArgs {
    /// The word as it was sent; the default where it was not.
    word: String,
    /// The pack it names; `create` has a name for a new one.
    identifier: Option<String>,
    action: Result<Action>,
    request: Result<Request>,
    /// The whole pack is wanted, however long.
    pub full: bool,
    /// What was sent and is not taken notice of.
    odd: Vec<String>,
}

impl Arguments for InputArgs {
    fn of(sent: &Map<String, Value>) -> Result<InputArgs> {
        let fields = Fields::of(sent)?;
        let action = Action::of(&fields);
        let word = fields.action.get().map_or(Action::List.as_str(), String::as_str);
        Ok(InputArgs {
            word: word.to_string(),
            odd: [out_of_place(word, sent), odd_sizes(&fields)].concat(),
            identifier: fields.identifier(),
            full: fields.full.get() == Some(&true),
            request: action.clone().and_then(|action| Request::of(action, &fields)),
            action,
        })
    }
}

impl InputArgs {
    fn request(&self) -> Result<&Request> {
        self.request.as_ref().map_err(Clone::clone)
    }

    pub fn lists(&self) -> bool {
        matches!(self.action, Ok(Action::List))
    }

    /// The pack it is about, if that is one that exists already.
    pub fn about(&self) -> Option<&str> {
        let creates = matches!(self.action, Ok(Action::Create));
        self.identifier.as_deref().filter(|_| !creates)
    }
}

/// What was looked at before the decision.
#[derive(Debug)]
pub enum InputSeen {
    /// Every ref of the pack.
    Inspected(Inspection),
    /// What is where new refs will point, in their order.
    Looked(Vec<Looked>),
    /// The same, one for each edit.
    EditsLooked(Vec<Option<Looked>>),
    /// Nothing was needed, or the call will fail before it needs anything.
    Nothing,
}

impl InputSeen {
    fn inspection(&self) -> Option<&Inspection> {
        if let InputSeen::Inspected(inspection) = self { Some(inspection) } else { None }
    }

    fn looked(&self) -> &[Looked] {
        if let InputSeen::Looked(looked) = self { looked } else { &[] }
    }

    /// Every anchor that may be stored.
    fn new_anchors(&mut self) -> Box<dyn Iterator<Item = &mut New> + '_> {
        match self {
            InputSeen::Inspected(inspection) => {
                Box::new(inspection.refs.iter_mut().filter_map(|judged| judged.new.as_mut()))
            }
            InputSeen::Looked(all) => Box::new(all.iter_mut().filter_map(|looked| looked.new.as_mut())),
            InputSeen::EditsLooked(all) => {
                Box::new(all.iter_mut().flatten().filter_map(|looked| looked.new.as_mut()))
            }
            InputSeen::Nothing => Box::new(std::iter::empty()),
        }
    }

    fn edits_looked(&self) -> &[Option<Looked>] {
        if let InputSeen::EditsLooked(looked) = self { looked } else { &[] }
    }
}

impl Tool for Input {
    type Args = InputArgs;
    type Seen = InputSeen;
    const NAME: &'static str = "input";

    /// A query looks at every pack of the index, and a long page at many.
    fn needs(_session: &SessionInfo, args: &InputArgs) -> Needs {
        match &args.request {
            Ok(Request::List(filter)) => filter.needs(),
            Ok(Request::Edit(edited)) => match edited.looks() {
                true => Needs::World,
                false => Needs::Rows,
            },
            Ok(
                Request::Check(_)
                | Request::Reanchor(_)
                | Request::Import(_)
                | Request::Write(_)
                | Request::Ops(_),
            ) => Needs::World,
            Ok(Request::Get { .. } | Request::Export { .. } | Request::Create(_) | Request::Delete(_))
            | Err(_) => Needs::Rows,
        }
    }

    fn unseen() -> Option<&'static InputSeen> {
        Some(&InputSeen::Nothing)
    }

    fn look(look: &Look, args: &InputArgs) -> Result<InputSeen> {
        let mut library = Library::of(look, look.world);
        let mut seen = match args.request()? {
            Request::Write(write) => InputSeen::Looked(write.look(&mut library)),
            Request::Ops(ops) => InputSeen::EditsLooked(ops.look(&mut library)),
            Request::Import(import) => InputSeen::Looked(import.look(look, &mut library)),
            Request::Check(check) => inspect(look, &check.pack, None)?,
            Request::Reanchor(re) => inspect(look, &re.target.pack, Some(re.target.revision))?,
            Request::Edit(edited) if edited.finalizes() => {
                inspect(look, &edited.target.pack, Some(edited.target.revision))?
            }
            Request::Edit(edited) => {
                InputSeen::Looked(picking::look(&mut library, &edited.edit).into_iter().collect())
            }
            _ => InputSeen::Nothing,
        };
        committed::note(look.world, look.session, &Sight::root(look, look.world), seen.new_anchors());
        Ok(seen)
    }

    fn decide(ctx: &Ctx, args: &InputArgs, seen: &InputSeen) -> Result<Outcome> {
        let mut outcome = match args.request().map_err(|e| with_revision(ctx, args, e))? {
            Request::List(filter) => read::listed(ctx, filter),
            Request::Get { pack } => read::got(ctx, pack),
            Request::Export { pack } => document::exported(ctx, pack),
            Request::Check(check) => check.decide(ctx, seen.inspection()),
            Request::Reanchor(reanchor) => reanchor.decide(ctx, seen.inspection()),
            Request::Create(create) => create.decide(ctx),
            Request::Delete(target) => delete::decide(ctx, target),
            Request::Import(import) => import.decide(ctx, seen.looked()),
            Request::Edit(edited) => edited.decide(ctx, seen.inspection(), seen.looked().first()),
            Request::Write(write) => write.decide(ctx, seen.looked()),
            Request::Ops(ops) => ops.decide(ctx, seen.edits_looked()),
        }?;
        warn(&mut outcome.reply, &[ctx.call.warnings.clone(), args.odd.clone()].concat());
        Ok(outcome)
    }

    /// The ask answer: what the call would do, and to which pack.
    fn explain(ctx: &Ctx, args: &InputArgs, _seen: Option<&InputSeen>) -> Explanation {
        let action = &args.word;
        let found = args.identifier.as_deref().and_then(|pack| find(ctx, pack).ok());
        match found {
            Some(Found { pack, rev, .. }) => Explanation {
                would: format!("input {action} would change the context pack {}.", pack.id),
                state: vec![format!("Pack {} is {} in revision {rev}.", pack.id, pack.status.as_str())],
                ..Explanation::default()
            },
            None => Explanation {
                would: format!("input {action} would store a context pack."),
                ..Explanation::default()
            },
        }
    }
}

/// Whoever leaves the revision out is told which one it is.
fn with_revision(ctx: &Ctx, args: &InputArgs, error: Error) -> Error {
    let asked = error.message.contains("'expected_revision'")
        || error.hint.as_deref().is_some_and(|hint| hint.contains("expected_revision"));
    let found = args.about().filter(|_| asked).and_then(|pack| find(ctx, pack).ok());
    let Some(Found { pack, rev, .. }) = found else { return error };
    let also = error.hint.as_deref().map(|hint| format!("{hint} ")).unwrap_or_default();
    let told = format!("{also}{} is in revision {rev}.", pack.id);
    error.hint(told)
}

/// Looks at every ref of a pack, if the call gets that far: not for a revision that is not the one it expects.
fn inspect(look: &Look, pack: &str, revision: Option<u64>) -> Result<InputSeen> {
    let Ok(found) = find(look, pack) else { return Ok(InputSeen::Nothing) };
    if revision.is_some_and(|expected| expected != found.rev) {
        return Ok(InputSeen::Nothing);
    }
    let sight = Sight::of(look, look.world, &found)?;
    let memory = look.memory::<Memory>();
    let judge = sight.judge(look, look.world, &memory, false);
    Ok(InputSeen::Inspected(Inspection::make(&judge, &found)))
}
