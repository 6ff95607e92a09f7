//! Which answer a request gets: assets and the sign-in for everybody, the rest for who is signed in.

use std::rc::Rc;
use std::time::{Duration, Instant};

use hyper::body::Incoming;
use hyper::header::{COOKIE, HeaderName};
use hyper::{Method, Request, StatusCode};
use serde::{Deserialize, Serialize};

use super::answer::{self, PageAnswer};
use super::door::ConnectionStanding;
use super::events::Feed;
use super::guard::{self, Refusal};
use super::query::{Query, decode};
use super::sign_in::{self, Person};
use super::state::PageState;
use super::{actions, body, screens};

const TOKEN: HeaderName = HeaderName::from_static("x-packd-token");
/// What looks at files is looked at anew after this time.
const LASTING: Duration = Duration::from_secs(20);

#[derive(Deserialize)]
struct Code {
    code: String,
}

#[derive(Serialize)]
struct Token {
    token: String,
}

/// One request from its headers to its answer.
pub async fn answer(
    state: &Rc<PageState>,
    standing: &ConnectionStanding,
    request: Request<Incoming>,
) -> PageAnswer {
    let navigates = request.method() != Method::POST;
    match answered(state, standing, request).await {
        Ok(answer) => answer,
        // Whoever comes from elsewhere gets nothing but the place to sign in, and that it was refused.
        Err(refusal) if navigates => answer::html(refusal.status, screens::refused(&refusal)),
        Err(refusal) => answer::refused(&refusal),
    }
}

async fn answered(
    state: &Rc<PageState>,
    standing: &ConnectionStanding,
    request: Request<Incoming>,
) -> Result<PageAnswer, Refusal> {
    guard::check(&request, state.port)?;
    let path = request.uri().path().to_string();
    let posts = request.method() == Method::POST;
    match (posts, path.as_str()) {
        (false, "/page.js") => {
            return Ok(answer::asset("text/javascript; charset=utf-8", include_str!("page.js")));
        }
        (false, "/page.css") => {
            return Ok(answer::asset("text/css; charset=utf-8", include_str!("page.css")));
        }
        (false, "/icon.svg") => return Ok(answer::asset("image/svg+xml", include_str!("icon.svg"))),
        (true, "/sign-in") => return sign_in(state, request).await,
        _ => {}
    }
    let person = match person(state, &request) {
        Ok(person) => person,
        Err(None) if path == "/" && !posts => return Ok(answer::html(StatusCode::OK, screens::sign_in())),
        Err(refusal) => return Err(refusal.unwrap_or_else(not_signed_in)),
    };
    standing.known();
    state.touch();
    if posts {
        let said = guard::only(request.headers(), &TOKEN).unwrap_or_default();
        if !sign_in::token_fits(&person, said) {
            let message = "The request does not carry the token of this sign-in.";
            return Err(Refusal::new(StatusCode::FORBIDDEN, "token", message));
        }
        return actions::act(state, &person, &path, request.into_body()).await;
    }
    if path == "/events" {
        return Ok(answer::events(Feed::new(state, person)));
    }
    let query = Query::parse(request.uri().query().unwrap_or_default());
    show(state, &person, &path, query).await
}

async fn show(
    state: &Rc<PageState>,
    person: &Person,
    path: &str,
    query: Query,
) -> Result<PageAnswer, Refusal> {
    let name = format!("{path}{}", query.text());
    let desk = Rc::clone(&state.desk);
    let main = match path.split('/').collect::<Vec<_>>().as_slice() {
        ["", ""] => {
            let known = screens::projects(state, &query).await;
            state.kept.screen(&desk, &name, None, |desk| screens::first(desk, query, known)).await
        }
        ["", "part", part @ ("stale" | "deploy")] => {
            let (known, part) = (screens::projects(state, &query).await, part.to_string());
            let make = |desk| async move { screens::part(desk, &part, known).await };
            state.kept.screen(&desk, &name, Some(LASTING), make).await
        }
        ["", "part", "plots"] => {
            let activity = screens::activity(state).await;
            let make = |desk| async move { screens::plots(desk, &activity) };
            state.kept.screen(&desk, &name, None, make).await
        }
        ["", kind @ ("operation" | "task" | "pack" | "run"), id] => {
            let Some(id) = decode(id).filter(|id| !id.is_empty()) else { return Err(nothing_there()) };
            let kind = kind.to_string();
            let make = |desk| async move { screens::one(desk, &kind, &id, query).await.unwrap_or_default() };
            let made = state.kept.screen(&desk, &name, None, make).await;
            if made.is_empty() {
                return Err(nothing_there());
            }
            made
        }
        _ => return Err(nothing_there()),
    };
    Ok(answer::html(StatusCode::OK, screens::shell(&main, Some(person))))
}

fn nothing_there() -> Refusal {
    Refusal::new(StatusCode::NOT_FOUND, "not_found", "There is nothing at this address.")
}

fn not_signed_in() -> Refusal {
    Refusal::new(StatusCode::UNAUTHORIZED, "not_signed_in", "This browser is not signed in, or no longer.")
        .hint("Run `packd ui` in a terminal.")
}

/// Who asks; an error without a refusal = a browser that has never signed in here.
fn person(state: &PageState, request: &Request<Incoming>) -> Result<Person, Option<Refusal>> {
    let name = state.cookie_name();
    let cookies = request.headers().get_all(COOKIE).iter().filter_map(|value| value.to_str().ok());
    let pairs = cookies.flat_map(|text| text.split(';')).filter_map(|pair| pair.trim().split_once('='));
    let ours: Vec<&str> = pairs.filter(|(of, _)| *of == name).map(|(_, value)| value).collect();
    if ours.is_empty() {
        return Err(None);
    }
    let mut signs = state.signs.borrow_mut();
    let now = Instant::now();
    // Another server of this machine may have set one of the same name; ours is among them.
    ours.iter().find_map(|cookie| signs.person(cookie, now)).ok_or_else(|| Some(not_signed_in()))
}

async fn sign_in(state: &Rc<PageState>, request: Request<Incoming>) -> Result<PageAnswer, Refusal> {
    let Code { code } = body::read(request.into_body()).await?;
    let granted = state.signs.borrow_mut().redeem(&code, Instant::now()).ok_or_else(|| {
        let message = "This code was used before, is older than a minute, or never was one.";
        Refusal::new(StatusCode::UNAUTHORIZED, "code", message).hint("Run `packd ui` again.")
    })?;
    state.leads_nowhere(&code);
    state.touch();
    let cookie = format!(
        "{}={}; Max-Age={}; Path=/; HttpOnly; SameSite=Strict",
        state.cookie_name(),
        granted.cookie,
        sign_in::SIGN_IN_LIVES.as_secs()
    );
    let answer = answer::json(StatusCode::OK, &Token { token: granted.token });
    Ok(answer::with_cookie(answer, &cookie))
}
