//! What an agent meets, with the real programs through the real shim: what its day costs, what becomes of its mistakes,
//! and how replies are made.

mod economy;
mod mistakes;
mod replies;
mod rig;
