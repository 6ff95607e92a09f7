//! The time a host waits at most: a timer of the process that ends it with code 0, wherever it stands.
//!
//! Not a deadline that every wait has to be given: a socket whose daemon does not accept, a disk that does not answer
//! and a pipe that nobody fills hang in different calls, and each of them ends here.

use libc::{ITIMER_REAL, SIG_SETMASK, SIGALRM, c_int, itimerval, timeval};

const DEFAULT_MS: u64 = 50;
const MOST_MS: u64 = 10_000;

pub struct Budget {
    millis: u64,
}

impl Budget {
    /// Starts the clock. Called first, while there is one thread.
    pub fn begin(said: Option<&str>) -> Budget {
        let millis = said.and_then(|text| text.trim().parse().ok()).unwrap_or(DEFAULT_MS).clamp(1, MOST_MS);
        end_after(millis);
        Budget { millis }
    }

    pub fn millis(&self) -> u64 {
        self.millis
    }
}

#[expect(unsafe_code, reason = "neither std nor rustix has timers of the process")]
fn end_after(millis: u64) {
    extern "C" fn leave(_: c_int) {
        // SAFETY: _exit may be called in a signal handler; it runs no code of ours.
        unsafe { libc::_exit(0) }
    }
    // The casts are exact: at most ten seconds.
    let value = timeval { tv_sec: (millis / 1000) as _, tv_usec: (millis % 1000 * 1000) as _ };
    let once = itimerval { it_interval: timeval { tv_sec: 0, tv_usec: 0 }, it_value: value };
    // SAFETY: the handler only ends the process; the set is initialised by sigemptyset before use.
    unsafe {
        libc::signal(SIGALRM, leave as *const () as libc::sighandler_t);
        // A host may have started us with the signal blocked.
        let mut none = std::mem::zeroed();
        libc::sigemptyset(&raw mut none);
        libc::sigprocmask(SIG_SETMASK, &raw const none, std::ptr::null_mut());
        libc::setitimer(ITIMER_REAL, &raw const once, std::ptr::null_mut());
    }
}
