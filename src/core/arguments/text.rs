//! Text as every contract reads it: trimmed, and blank counts as left out.

use serde::{Deserialize, Deserializer};
use serde_json::Value;

/// For `#[serde(default, deserialize_with = "trimmed")]`. Something other than text counts as left out, too: a strict
/// schema has refused it before, a lenient one wants it so.
pub fn trimmed<'de, D: Deserializer<'de>>(from: D) -> Result<Option<String>, D::Error> {
    let value = Value::deserialize(from)?;
    Ok(value.as_str().map(str::trim).filter(|text| !text.is_empty()).map(str::to_string))
}
