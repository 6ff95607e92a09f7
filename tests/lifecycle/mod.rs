//! Who starts whom, who outlives whom: shim, daemon and service, real programs over real sockets.

mod crash;
mod daemon;
mod framing;
mod loss;
mod service;
mod shim;
mod skew;
