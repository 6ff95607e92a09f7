//! The house itself: layers, declarations, documentation, packaging, and inputs that once broke something.

mod docs;
mod fuzz;
mod packaging;
mod readme;
mod release;
mod tidy;
mod tools;
