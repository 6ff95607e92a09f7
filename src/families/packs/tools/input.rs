//! `input`: builds packs, one action per call. What each action means is in `actions`.

use serde_json::{Map, Value};

use crate::core::arguments::Arguments;
use crate::core::ctx::Explanation;
use crate::core::{Ctx, Error, Look, Needs, Outcome, Result, SessionInfo, Tool};

use super::super::actions::fields::{Fields, odd_sizes};
use super::super::actions::{Action, InputRequest, delete, document, out_of_place, read};
use super::super::anchors::anchor::NewAnchor;
use super::super::anchors::memory::AnchorMemory;
use super::super::anchors::{Sight, committed};
use super::super::gate::Inspection;
use super::super::picking::{self, Library, PickedLines};
use super::super::reply::warn;
use super::super::rows::{Found, find};

pub struct PacksInput;

#[derive(Debug)]
pub struct PacksInputArgs {
    /// The word as it was sent; the default where it was not.
    word: String,
    /// The pack it names; `create` has a name for a new one.
    identifier: Option<String>,
    action: Result<Action>,
    request: Result<InputRequest>,
    /// The whole pack is wanted, however long.
    pub full: bool,
    /// What was sent and is not taken notice of.
    odd: Vec<String>,
}

impl Arguments for PacksInputArgs {
    fn of(sent: &Map<String, Value>) -> Result<PacksInputArgs> {
        let fields = Fields::of(sent)?;
        let action = Action::of(&fields);
        let word = fields.action.get().map_or(Action::List.as_str(), String::as_str);
        Ok(PacksInputArgs {
            word: word.to_string(),
            odd: [out_of_place(word, sent), odd_sizes(&fields)].concat(),
            identifier: fields.identifier(),
            full: fields.full.get() == Some(&true),
            request: action.clone().and_then(|action| InputRequest::of(action, &fields)),
            action,
        })
    }
}

impl PacksInputArgs {
    fn request(&self) -> Result<&InputRequest> {
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
pub enum PacksInputSeen {
    /// Every ref of the pack.
    Inspected(Inspection),
    /// What is where new refs will point, in their order.
    Looked(Vec<PickedLines>),
    /// The same, one for each edit.
    EditsLooked(Vec<Option<PickedLines>>),
    /// Nothing was needed, or the call will fail before it needs anything.
    Nothing,
}

impl PacksInputSeen {
    fn inspection(&self) -> Option<&Inspection> {
        if let PacksInputSeen::Inspected(inspection) = self { Some(inspection) } else { None }
    }

    fn looked(&self) -> &[PickedLines] {
        if let PacksInputSeen::Looked(looked) = self { looked } else { &[] }
    }

    /// Every anchor that may be stored.
    fn new_anchors(&mut self) -> Box<dyn Iterator<Item = &mut NewAnchor> + '_> {
        match self {
            PacksInputSeen::Inspected(inspection) => {
                Box::new(inspection.refs.iter_mut().filter_map(|judged| judged.new.as_mut()))
            }
            PacksInputSeen::Looked(all) => Box::new(all.iter_mut().filter_map(|looked| looked.new.as_mut())),
            PacksInputSeen::EditsLooked(all) => {
                Box::new(all.iter_mut().flatten().filter_map(|looked| looked.new.as_mut()))
            }
            PacksInputSeen::Nothing => Box::new(std::iter::empty()),
        }
    }

    fn edits_looked(&self) -> &[Option<PickedLines>] {
        if let PacksInputSeen::EditsLooked(looked) = self { looked } else { &[] }
    }
}

impl Tool for PacksInput {
    type Args = PacksInputArgs;
    type Seen = PacksInputSeen;
    const NAME: &'static str = "input";

    /// A query looks at every pack of the index, and a long page at many.
    fn needs(_session: &SessionInfo, args: &PacksInputArgs) -> Needs {
        match &args.request {
            Ok(InputRequest::List(filter)) => filter.needs(),
            Ok(InputRequest::Edit(edited)) => match edited.looks() {
                true => Needs::World,
                false => Needs::Rows,
            },
            Ok(
                InputRequest::Check(_)
                | InputRequest::Reanchor(_)
                | InputRequest::Import(_)
                | InputRequest::Write(_)
                | InputRequest::Ops(_),
            ) => Needs::World,
            Ok(
                InputRequest::Get { .. }
                | InputRequest::Export { .. }
                | InputRequest::Create(_)
                | InputRequest::Delete(_),
            )
            | Err(_) => Needs::Rows,
        }
    }

    fn unseen() -> Option<&'static PacksInputSeen> {
        Some(&PacksInputSeen::Nothing)
    }

    fn look(look: &Look, args: &PacksInputArgs) -> Result<PacksInputSeen> {
        let mut library = Library::of(look, look.world);
        let mut seen = match args.request()? {
            InputRequest::Write(write) => PacksInputSeen::Looked(write.look(&mut library)),
            InputRequest::Ops(ops) => PacksInputSeen::EditsLooked(ops.look(&mut library)),
            InputRequest::Import(import) => PacksInputSeen::Looked(import.look(look, &mut library)),
            InputRequest::Check(check) => inspect(look, &check.pack, None)?,
            InputRequest::Reanchor(re) => inspect(look, &re.target.pack, Some(re.target.revision))?,
            InputRequest::Edit(edited) if edited.finalizes() => {
                inspect(look, &edited.target.pack, Some(edited.target.revision))?
            }
            InputRequest::Edit(edited) => {
                PacksInputSeen::Looked(picking::look(&mut library, &edited.edit).into_iter().collect())
            }
            _ => PacksInputSeen::Nothing,
        };
        committed::note(look.world, look.session, &Sight::root(look, look.world), seen.new_anchors());
        Ok(seen)
    }

    fn decide(ctx: &Ctx, args: &PacksInputArgs, seen: &PacksInputSeen) -> Result<Outcome> {
        let mut outcome = match args.request().map_err(|e| with_revision(ctx, args, e))? {
            InputRequest::List(filter) => read::listed(ctx, filter),
            InputRequest::Get { pack } => read::got(ctx, pack),
            InputRequest::Export { pack } => document::exported(ctx, pack),
            InputRequest::Check(check) => check.decide(ctx, seen.inspection()),
            InputRequest::Reanchor(reanchor) => reanchor.decide(ctx, seen.inspection()),
            InputRequest::Create(create) => create.decide(ctx),
            InputRequest::Delete(target) => delete::decide(ctx, target),
            InputRequest::Import(import) => import.decide(ctx, seen.looked()),
            InputRequest::Edit(edited) => edited.decide(ctx, seen.inspection(), seen.looked().first()),
            InputRequest::Write(write) => write.decide(ctx, seen.looked()),
            InputRequest::Ops(ops) => ops.decide(ctx, seen.edits_looked()),
        }?;
        warn(&mut outcome.reply, &[ctx.call.warnings.clone(), args.odd.clone()].concat());
        Ok(outcome)
    }

    /// The ask answer: what the call would do, and to which pack.
    fn explain(ctx: &Ctx, args: &PacksInputArgs, _seen: Option<&PacksInputSeen>) -> Explanation {
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
fn with_revision(ctx: &Ctx, args: &PacksInputArgs, error: Error) -> Error {
    let asked = error.message.contains("'expected_revision'")
        || error.hint.as_deref().is_some_and(|hint| hint.contains("expected_revision"));
    let found = args.about().filter(|_| asked).and_then(|pack| find(ctx, pack).ok());
    let Some(Found { pack, rev, .. }) = found else { return error };
    let also = error.hint.as_deref().map(|hint| format!("{hint} ")).unwrap_or_default();
    let told = format!("{also}{} is in revision {rev}.", pack.id);
    error.hint(told)
}

/// Looks at every ref of a pack, if the call gets that far: not for a revision that is not the one it expects.
fn inspect(look: &Look, pack: &str, revision: Option<u64>) -> Result<PacksInputSeen> {
    let Ok(found) = find(look, pack) else { return Ok(PacksInputSeen::Nothing) };
    if revision.is_some_and(|expected| expected != found.rev) {
        return Ok(PacksInputSeen::Nothing);
    }
    let sight = Sight::of(look, look.world, &found)?;
    let memory = look.memory::<AnchorMemory>();
    let judge = sight.judge(look, look.world, &memory, false);
    Ok(PacksInputSeen::Inspected(Inspection::make(&judge, &found)))
}
