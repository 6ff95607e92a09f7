//! Arguments that many tools of this family take, and how blank ones are read.

use serde::{Deserialize, Deserializer};

/// What a call is about, as far as it says so.
#[derive(Debug, Clone, Copy, Default)]
pub struct CallSubject<'a> {
    pub ecosystem: Option<&'a str>,
    /// One repository of it.
    pub repo: Option<&'a str>,
    /// A ticket that is to start.
    pub new_ticket: Option<&'a str>,
}

pub trait NamesSubject {
    fn named(&self) -> CallSubject<'_>;
}

/// Of tools that take nothing but an ecosystem; without one the session's is meant.
#[derive(Debug, Default, Deserialize)]
pub struct EcosystemArgs {
    #[serde(default, deserialize_with = "said")]
    pub ecosystem: Option<String>,
}

impl NamesSubject for EcosystemArgs {
    fn named(&self) -> CallSubject<'_> {
        CallSubject { ecosystem: self.ecosystem.as_deref(), ..CallSubject::default() }
    }
}

/// Of tools that take nothing but a run; without one the newest is meant.
#[derive(Debug, Deserialize)]
pub struct RunArgs {
    #[serde(default, deserialize_with = "said")]
    pub run_id: Option<String>,
}

/// Text without the blanks around it; blank text counts as left out.
pub fn said<'de, D: Deserializer<'de>>(from: D) -> Result<Option<String>, D::Error> {
    let text = Option::<String>::deserialize(from)?;
    Ok(text.map(|text| text.trim().to_string()).filter(|text| !text.is_empty()))
}
