//! The local page of `packd ui`: who gets in, what is shown, what can be done there, and what it costs others. Raw
//! requests for what no browser would send, a real browser for what a person sees.

mod acting;
mod browser;
mod driver;
mod guards;
mod life;
mod limits;
mod reading;
mod visit;
