//! An argument of a lenient contract: what it should be, or what was sent instead.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};
use serde_json::Value;

/// For contracts that do not refuse a value of the wrong type, or refuse it in words of their own.
#[derive(Debug, Clone, Default, PartialEq)]
pub enum Given<T> {
    #[default]
    Absent,
    Is(T),
    /// Something else was sent.
    Wrong(Value),
}

impl<T> Given<T> {
    /// The value, if it is one of the right type.
    pub fn get(&self) -> Option<&T> {
        match self {
            Given::Is(value) => Some(value),
            _ => None,
        }
    }

    pub fn is_sent(&self) -> bool {
        !matches!(self, Given::Absent)
    }
}

impl Given<String> {
    /// The text without white space around it; blank counts as left out.
    pub fn trimmed(&self) -> Option<&str> {
        self.get().map(|text| text.trim()).filter(|text| !text.is_empty())
    }
}

impl<'de, T: DeserializeOwned> Deserialize<'de> for Given<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(from)?;
        Ok(match T::deserialize(&value) {
            Ok(fits) => Given::Is(fits),
            Err(_) => Given::Wrong(value),
        })
    }
}
