//! The frame around every screen, and the two screens for whoever is not signed in.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::super::guard::Refusal;
use super::super::sign_in::Person;
use super::words::sentence;

/// A screen in its frame. `main` is a screen: made by templates, with everything in it escaped.
pub fn shell(main: &str, person: Option<&Person>) -> String {
    framed(person, &html! { main id="main" tabindex="-1" { (PreEscaped(main)) } })
}

/// For a browser that comes with a code in its address, or with nothing.
pub fn sign_in() -> String {
    let text = html! {
        main id="main" class="door" tabindex="-1" {
            h1 { "packd" }
            p id="sign-in" role="status" { (sentence("Run `packd ui` in a terminal: it opens this page and signs you in.")) }
            noscript { p { (sentence("Signing in needs JavaScript. `packd history` shows the same in a terminal.")) } }
        }
    };
    framed(None, &text)
}

pub fn refused(refusal: &Refusal) -> String {
    let text = html! {
        main id="main" class="door" tabindex="-1" {
            h1 { "packd" }
            p id="sign-in" role="status" { (sentence(&refusal.message)) }
            @if let Some(hint) = &refusal.hint { p class="quiet" { (sentence(hint)) } }
        }
    };
    framed(None, &text)
}

fn framed(person: Option<&Person>, main: &Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                @if let Some(person) = person { meta name="packd-token" content=(person.token); }
                title { "packd" }
                link rel="icon" href="/icon.svg" type="image/svg+xml";
                link rel="stylesheet" href="/page.css";
                script src="/page.js" defer {}
            }
            body {
                @if person.is_some() {
                    a class="skip" href="#main" { "Skip to the content" }
                    header {
                        h1 { a href="/" { "packd" } }
                        nav aria-label="Parts of this page" {
                            @for (id, name) in PARTS { a href=(format!("/#{id}")) { (name) } " " }
                        }
                        p id="live" role="status" {}
                    }
                }
                (main)
                @if person.is_some() {
                    footer {
                        p { "What you do here is recorded with " b { "ui" } " as its client. " }
                        button type="button" class="act quiet" data-act="sign-out" { "Sign out" }
                    }
                    (second_step())
                }
            }
        }
    };
    page.into_string()
}

const PARTS: [(&str, &str); 8] = [
    ("needs", "Needs you"),
    ("now", "Now"),
    ("timeline", "Timeline"),
    ("tasks", "Tasks"),
    ("packs", "Packs"),
    ("deploy", "Deploy"),
    ("runs", "Runs"),
    ("plots", "Numbers"),
];

/// The dialog of every second step; a script fills it.
fn second_step() -> Markup {
    html! {
        dialog id="second" aria-labelledby="second-title" {
            form method="dialog" {
                h2 id="second-title" { "Second step" }
                div id="second-text" {}
                p id="second-typed" hidden {
                    label for="typed" { "Type the name to go on" }
                    input id="typed" autocomplete="off" spellcheck="false";
                }
                p id="second-passphrase" hidden {
                    label for="passphrase" { "Your passphrase" }
                    input id="passphrase" type="password" autocomplete="off";
                }
                p id="second-error" class="error" role="alert" {}
                p class="buttons" {
                    button type="button" id="second-cancel" { "Cancel" }
                    button type="submit" id="second-go" class="main" { "Go on" }
                }
            }
        }
    }
}
