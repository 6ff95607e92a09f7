//! What a person can do on the page: approve, decline, undo, redo, revert. Each is one call of the engine, in the
//! workspace it concerns, with the same preview, refusals, ceilings and records as anywhere.

use std::rc::Rc;

use hyper::StatusCode;
use hyper::body::Incoming;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::answer::{self, PageAnswer};
use super::body;
use super::desk::{Asker, Refused, USER_WIDE};
use super::guard::Refusal;
use super::screens::{self, step};
use super::sign_in::Person;
use super::state::PageState;
use crate::cli::view::confirm::ConfirmationsView;
use crate::cli::view::op::OpView;
use crate::core::{Mode, Sha};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Decide {
    id: String,
    /// Digest of the question the person saw.
    #[serde(default)]
    shown: String,
    /// The name, where one must be typed.
    #[serde(default)]
    typed: Option<String>,
    #[serde(default)]
    passphrase: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Turn {
    operation_id: String,
    /// Without it the answer is the preview.
    #[serde(default)]
    yes: bool,
    #[serde(default)]
    passphrase: Option<String>,
}

#[derive(Serialize, Default)]
struct Done {
    done: bool,
    message: String,
    /// What would happen, as a part of the page.
    #[serde(skip_serializing_if = "Option::is_none")]
    preview: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    operation_id: Option<String>,
}

pub async fn act(
    state: &Rc<PageState>,
    person: &Person,
    path: &str,
    body: Incoming,
) -> Result<PageAnswer, Refusal> {
    let done = match path {
        "/approve" => approve(state, person, body::read(body).await?).await?,
        "/decline" => decline(state, person, body::read(body).await?).await?,
        "/undo" | "/redo" | "/revert" => turn(state, person, &path[1..], body::read(body).await?).await?,
        "/sign-out" => {
            let Value::Object(_) = body::read(body).await? else {
                return Err(Refusal::new(StatusCode::BAD_REQUEST, "body", "An object is expected here."));
            };
            state.signs.borrow_mut().end(person);
            Done { done: true, message: "Signed out.".into(), ..Done::default() }
        }
        _ => return Err(Refusal::new(StatusCode::NOT_FOUND, "not_found", "Nothing can be done here.")),
    };
    Ok(answer::json(StatusCode::OK, &done))
}

async fn approve(state: &Rc<PageState>, person: &Person, wanted: Decide) -> Result<Done, Refusal> {
    let asker = state.desk.asker(&person.session, USER_WIDE);
    let waiting: ConfirmationsView =
        asker.read("amof_list_pending", json!({}), "").await.map_err(|r| refused(&r))?;
    let Some(one) = waiting.pending.iter().find(|one| one.id == wanted.id) else {
        let message = "Nothing of this name waits: it was decided, or it was never asked.";
        return Err(Refusal::new(StatusCode::CONFLICT, "not_waiting", message));
    };
    if let Some(why) = &one.forbidden {
        return Err(Refusal::new(StatusCode::CONFLICT, "forbidden", why.clone()));
    }
    let question = one.question.clone().unwrap_or_default();
    if digest(&question) != wanted.shown {
        let message = "It has changed since it was shown, so nothing was done. Look at it and approve that.";
        return Err(Refusal::new(StatusCode::CONFLICT, "changed", message));
    }
    unlock(state, person, &asker, wanted.passphrase.as_deref()).await?;
    let mut args = json!({"token": wanted.id});
    if let Some(typed) = wanted.typed {
        args["typed_value"] = json!(typed);
    }
    let answer = asker.call("amof_confirm", args).await.map_err(|r| refused(&r))?;
    let at = |paths: &[&str]| {
        paths.iter().find_map(|p| answer.pointer(p).and_then(Value::as_str)).map(str::to_string)
    };
    let operation_id = at(&["/operation_id", "/data/operation_id"]);
    let message = match at(&["/run_id"]) {
        Some(_) => "Approved: it runs now.",
        None => "Approved and done.",
    };
    Ok(Done { done: true, message: message.into(), operation_id, preview: None })
}

async fn decline(state: &Rc<PageState>, person: &Person, wanted: Decide) -> Result<Done, Refusal> {
    let asker = state.desk.asker(&person.session, USER_WIDE);
    asker.call("amof_cancel_confirm", json!({"token": wanted.id})).await.map_err(|r| refused(&r))?;
    Ok(Done { done: true, message: "Declined; whoever asked is told so.".into(), ..Done::default() })
}

async fn turn(state: &Rc<PageState>, person: &Person, verb: &str, wanted: Turn) -> Result<Done, Refusal> {
    // Where it was done the record itself knows best.
    let shown = json!({"operation_id": wanted.operation_id});
    let nowhere = state.desk.asker(&person.session, USER_WIDE);
    let op: OpView = nowhere.read("history_show", shown, "").await.map_err(|r| refused(&r))?;
    let asker = state.desk.asker(&person.session, &op.workspace);
    let tool = format!("history_{verb}");
    let mut args = match verb {
        "revert" => json!({"operation_id": wanted.operation_id}),
        // What is done is what was shown, or nothing.
        _ => json!({"expected_operation_id": wanted.operation_id}),
    };
    if !wanted.yes {
        args["mode"] = json!("plan");
        let preview: step::TurnReply = asker.read(&tool, args, "").await.map_err(|r| refused(&r))?;
        let preview = Some(screens::step::preview(&preview, verb).into_string());
        return Ok(Done { preview, ..Done::default() });
    }
    args["yes"] = json!(true);
    // Said, so that a ceiling below it is what is told.
    args["mode"] = json!("execute");
    if wanted.passphrase.is_some() {
        unlock(state, person, &asker, wanted.passphrase.as_deref()).await?;
    }
    let done: step::TurnReply = asker.read(&tool, args, "").await.map_err(|r| refused(&r))?;
    if done.preview {
        let ceiling = state.desk.engine().ceiling().map_or("plan", Mode::as_str);
        let message = format!("Nothing was done: {}", screens::ceiling(ceiling));
        return Err(Refusal::new(StatusCode::CONFLICT, "ceiling", message));
    }
    let operation_id = done.operation_id.clone();
    Ok(Done { done: true, message: step::said(&done, verb), operation_id, preview: None })
}

/// Says the passphrase where one is set. Whoever guesses has three tries, and then has to sign in anew.
async fn unlock(
    state: &Rc<PageState>,
    person: &Person,
    asker: &Asker,
    said: Option<&str>,
) -> Result<(), Refusal> {
    if !state.desk.engine().asks_passphrase() {
        return Ok(());
    }
    let Some(said) = said else {
        let message = "This needs your passphrase.";
        return Err(Refusal::new(StatusCode::FORBIDDEN, "needs_passphrase", message));
    };
    let Err(error) = asker.unlock(said).await else { return Ok(()) };
    if error.code != "wrong_passphrase" {
        return Err(Refusal::new(StatusCode::CONFLICT, "passphrase", error.message));
    }
    let left = state.signs.borrow_mut().wrong(person);
    let told = match left {
        0 => Refusal::new(
            StatusCode::UNAUTHORIZED,
            "signed_out",
            "The passphrase is wrong. That was the last try.",
        )
        .hint("Run `packd ui` again to sign in."),
        1 => {
            Refusal::new(StatusCode::FORBIDDEN, "wrong_passphrase", "The passphrase is wrong; 1 try is left.")
        }
        n => Refusal::new(
            StatusCode::FORBIDDEN,
            "wrong_passphrase",
            format!("The passphrase is wrong; {n} tries are left."),
        ),
    };
    Err(told)
}

/// A no of the engine, in its own words.
fn refused(refused: &Refused) -> Refusal {
    let told = &refused.told;
    let code = if told.wants_passphrase() { "needs_passphrase" } else { "refused" };
    let status = if told.wants_passphrase() { StatusCode::FORBIDDEN } else { StatusCode::CONFLICT };
    let refusal = Refusal::new(status, code, told.message.clone());
    match &told.hint {
        Some(hint) => refusal.hint(hint.clone()),
        None => refusal,
    }
}

/// What a question is known by: approving names the text that was read.
pub fn digest(question: &str) -> String {
    Sha::of(question.as_bytes()).0
}
