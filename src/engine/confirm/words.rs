//! How a confirmation is told: to whoever holds its token, and to whoever must leave it to a person.

use serde::Serialize;
use serde_json::{Value, json};

use crate::core::confirm::{self, ConfirmNames, Pending};
use crate::core::{Error, Kind, Reply};

/// Lines of details an agent is shown; the person sees all.
const SHOWN_TO_AGENTS: usize = 20;

pub(super) fn headline(preview: &Reply) -> String {
    preview.text.lines().next().unwrap_or_default().to_string()
}

/// What the tool that confirms is to be called with.
#[derive(Serialize)]
struct ConfirmWith<'a> {
    token: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    typed_value: Option<&'static str>,
}

/// How a confirmation is shown to whoever can give it.
pub(super) fn confirmation(token: &str, pending: &Pending, names: ConfirmNames) -> Value {
    let typed_value = (pending.kind == "type").then_some("<the name, typed by the user>");
    json!({
        "token": token, "id": confirm::id_of(&confirm::key_of(token)), "type": pending.kind,
        "expires_at": pending.expires.zulu(),
        "confirm": {"tool": names.confirm, "arguments": ConfirmWith { token, typed_value }},
        "cancel": {"tool": names.cancel, "arguments": {"token": token}},
    })
}

/// The preview as a question: never an error, and with the call that answers it.
pub(super) fn ask_for(mut preview: Reply, token: &str, pending: &Pending, names: ConfirmNames) -> Reply {
    let kind = pending.kind.as_str();
    let question = match kind {
        "simple" => "Proceed? If the user agrees, call",
        "preview" => "Execute exactly this? If the user agrees, call",
        _ => "This cannot be undone. The user must type the name to confirm; then call",
    };
    let typed = if kind == "type" { " typed_value=<the name, typed by the user>" } else { "" };
    preview.same = false;
    preview.text.push_str(&format!(
        "\n\n{question}: [{} token={}{typed}]\nExpires at {}.",
        names.confirm,
        token,
        pending.expires.zulu()
    ));
    let mut structured = preview.structured.take().unwrap_or_else(|| json!({}));
    if let Value::Object(map) = &mut structured {
        map.insert("status".into(), json!("confirmation_required"));
        let mut asked = confirmation(token, pending, names);
        map.insert("next".into(), json!([asked["confirm"]]));
        asked["question"] = json!(format!("{question} {}.", names.confirm));
        map.insert("confirmation".into(), asked);
    }
    preview.structured = Some(structured);
    preview
}

/// How a confirmation is shown to whoever cannot give it.
pub(super) fn shown(id: &str, pending: &Pending, names: ConfirmNames) -> Value {
    json!({
        "id": id, "type": pending.kind, "needs_human": true, "expires_at": pending.expires.zulu(),
        "command": format!("packd confirm {id}"),
        "outcome": {"tool": names.list, "arguments": {"id": id, "wait_seconds": 60}},
        "cancel": {"tool": names.cancel, "arguments": {"token": id}},
    })
}

/// The question as data.
pub(super) fn asked(pending: &Pending, most: usize) -> Value {
    let question = &pending.question;
    let more = question.details.len().saturating_sub(most);
    let mut out =
        json!({"what": question.what, "details": &question.details[..question.details.len() - more]});
    if more > 0 {
        out["more_details"] = json!(more);
    }
    if let Some(why) = &question.irreversible {
        out["irreversible"] = json!(why);
    }
    if let Some(name) = &question.typed {
        out["typed"] = json!(name);
    }
    if most == usize::MAX {
        out["text"] = json!(question.text(most));
    }
    out
}

/// The refusal of a call that a person must agree to.
pub(super) fn needs_human(
    id: &str,
    pending: &Pending,
    preview: Option<Value>,
    dialogs: bool,
    names: ConfirmNames,
) -> Error {
    let mut details =
        json!({"confirmation": shown(id, pending, names), "question": asked(pending, SHOWN_TO_AGENTS)});
    if let Some(preview) = preview {
        details["preview"] = preview;
    }
    details["who"] =
        json!(if dialogs { ["packd confirm", "the host's dialog"].to_vec() } else { vec!["packd confirm"] });
    let what = &pending.question.what;
    Error::new(
        Kind::Denied,
        "needs_human",
        format!("A person must agree before this is done; nothing has happened yet. {what}"),
    )
    .hint(format!(
        "Ask the user to run `packd confirm {id}` in a terminal. The call then runs by itself; \
         {} with \"wait_seconds\" tells how it came out.",
        names.list
    ))
    .details(details)
}
