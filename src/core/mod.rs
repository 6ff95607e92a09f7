//! The shared words of packd: rows, changes, operations, outcomes and what a family may see.
//!
//! Nothing here does I/O, reads a clock or looks at the environment; all of that comes in through [`Ctx`].

pub mod blob;
pub mod cache;
pub mod call;
pub mod canonical;
pub mod chain;
pub mod confirm;
pub mod content;
pub mod ctx;
pub mod diff;
pub mod draft;
pub mod effect;
pub mod error;
pub mod git;
pub mod history;
pub mod index;
pub mod inside;
pub mod json;
pub mod key;
pub mod op;
pub mod outcome;
pub mod owner;
pub mod question;
pub mod redact;
pub mod resource;
pub mod row;
pub mod run;
pub mod schema;
pub mod softened;
pub mod submodules;
pub mod time;
pub mod tool;
pub mod trash;
pub mod unpushed;
pub mod view;
pub mod world;
pub mod yaml;

pub use blob::Sha;
pub use call::{Call, Mode, SessionInfo};
pub use ctx::{Ctx, Family, Ids};
pub use draft::Draft;
pub use effect::{Effect, FileImage, Kept};
pub use error::{Error, Kind, Result};
pub use index::{Index, IndexEntry, IndexQuery, Indexer};
pub use key::Key;
pub use op::{Change, Image, Op, OpKind, OpStatus, Who};
pub use outcome::{Outcome, Record, Reply};
pub use question::Question;
pub use row::{Row, Table};
pub use time::Timestamp;
pub use tool::{Safety, Tool};
pub use view::{RowQuery, View};
pub use world::World;
