//! The tool families: pure functions of a read-only view and arguments. A family never calls another.
