//! The signals that end a shim do so whatever its parent thought of them.
//!
//! Dispositions and masks are inherited: what a shell starts in the background ignores SIGINT, what `nohup` starts
//! ignores SIGHUP, and a shim that hosts cannot end stays behind.

use libc::{SIG_DFL, SIG_SETMASK, SIGHUP, SIGINT, SIGTERM};

/// SIGINT, SIGTERM and SIGHUP end this process. Called first, while there is one thread.
#[expect(unsafe_code, reason = "neither std nor rustix can set what a signal does")]
pub fn end_this_process() {
    // SAFETY: setting the default action runs no code of ours; the set is initialised by sigemptyset before use.
    unsafe {
        for signal in [SIGINT, SIGTERM, SIGHUP] {
            libc::signal(signal, SIG_DFL);
        }
        let mut none = std::mem::zeroed();
        libc::sigemptyset(&raw mut none);
        libc::sigprocmask(SIG_SETMASK, &raw const none, std::ptr::null_mut());
    }
}
