//! Who is at the other end of a local socket, as the system says it; nothing that was sent is believed.
//!
//! Knows neither who may connect nor what is said to strangers.

use std::io;
use std::os::fd::AsFd;

/// The user who made the other end.
#[cfg(target_os = "linux")]
pub fn user_of(socket: impl AsFd) -> io::Result<u32> {
    Ok(rustix::net::sockopt::socket_peercred(socket)?.uid.as_raw())
}

/// The user who made the other end.
#[cfg(not(target_os = "linux"))]
pub fn user_of(socket: impl AsFd) -> io::Result<u32> {
    use std::os::fd::AsRawFd;
    let (mut user, mut group) = (libc::uid_t::MAX, libc::gid_t::MAX);
    // SAFETY: the descriptor is borrowed and so open, and both places are written before they are read.
    #[expect(unsafe_code, reason = "std cannot say it yet, and rustix only on Linux")]
    let said = unsafe { libc::getpeereid(socket.as_fd().as_raw_fd(), &raw mut user, &raw mut group) };
    if said == 0 { Ok(user) } else { Err(io::Error::last_os_error()) }
}

/// True only where the system says that it is the user who runs this.
pub fn is_own(socket: impl AsFd) -> bool {
    user_of(socket).is_ok_and(|user| user == rustix::process::geteuid().as_raw())
}

#[cfg(test)]
mod tests {
    use std::os::unix::net::UnixStream;

    #[test]
    fn both_ends_made_here_are_of_this_user() {
        let (one, other) = UnixStream::pair().unwrap();
        assert!(super::is_own(&one) && super::is_own(&other));
        let (read, _write) = std::io::pipe().unwrap();
        assert!(!super::is_own(&read), "nobody is known to be there");
    }
}
