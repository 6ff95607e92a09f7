//! The one table of tools by name, made when the engine is assembled: what is declared has a type, and no two families
//! have a tool of one name. Also those are in it that only the engine or a person calls.

use std::collections::HashMap;

use super::Shared;
use crate::core::{AnyTool, Declared, Error, Family, Result};

pub(crate) struct Tools(HashMap<&'static str, Owned>);

struct Owned {
    family: &'static str,
    tool: &'static dyn AnyTool,
}

impl Tools {
    pub fn of(families: &[Box<dyn Family>], declared: &[Declared]) -> Result<Tools> {
        let mut all = HashMap::new();
        for family in families {
            for tool in family.tools().iter().copied() {
                let owned = Owned { family: family.name(), tool };
                if let Some(other) = all.insert(tool.name(), owned) {
                    let both = format!("{} and {}", other.family, family.name());
                    return Err(Error::internal(format!("The tool {} is of {both}.", tool.name())));
                }
            }
        }
        match declared.iter().find(|d| all.get(d.name.as_str()).is_none_or(|own| own.family != d.family)) {
            Some(d) => {
                Err(Error::internal(format!("{} declares {} and does not have it.", d.family, d.name)))
            }
            None => Ok(Tools(all)),
        }
    }
}

impl Shared {
    /// The tool that a call names.
    pub fn typed(&self, name: &str) -> Result<&'static dyn AnyTool> {
        let found = self.typed.0.get(name).map(|owned| owned.tool);
        found.ok_or_else(|| Error::internal(format!("There is no tool {name}.")))
    }

    /// The family of a tool that agents do not know.
    pub fn owner_of_tool(&self, name: &str) -> Result<&dyn Family> {
        match self.typed.0.get(name).filter(|_| self.tool(name).is_none()) {
            Some(owned) => self.family(owned.family),
            None => Err(Error::not_found(format!("There is no tool {name} for persons."))),
        }
    }
}
