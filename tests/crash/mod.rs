//! Ends in the middle of things: kills, full disks and power cuts, and what is found afterwards.

mod daemon;
mod deploy;
mod effects;
mod power;
mod snapshots;
