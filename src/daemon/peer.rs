//! What the system says about the process behind a connection: does it sit in the foreground of its terminal?
//!
//! A hurdle, not a wall: whoever runs as the same user can open a terminal of its own. `docs/security.md` says so.

use tokio::net::UnixStream;

/// The process at the other end, where the system says so.
pub fn pid(stream: &UnixStream) -> Option<u32> {
    stream.peer_cred().ok()?.pid().and_then(|pid| u32::try_from(pid).ok()).filter(|pid| *pid > 0)
}

/// Whether the peer is in the foreground of its controlling terminal and reads from it. Where the system cannot be
/// asked, the peer's own word has to do.
#[cfg(target_os = "linux")]
pub fn at_terminal(stream: &UnixStream) -> bool {
    use std::os::unix::fs::MetadataExt;
    let Some(pid) = pid(stream) else { return false };
    let Ok(stat) = std::fs::read_to_string(format!("/proc/{pid}/stat")) else { return false };
    let input = std::fs::metadata(format!("/proc/{pid}/fd/0")).map(|m| m.rdev()).unwrap_or(0);
    terminal(&stat).is_some_and(|device| device == input)
}

#[cfg(not(target_os = "linux"))]
pub fn at_terminal(_stream: &UnixStream) -> bool {
    true
}

/// The device of the controlling terminal, for a process in its foreground. The name of the program may hold
/// anything, so the fields are counted from the last parenthesis.
#[cfg(target_os = "linux")]
fn terminal(stat: &str) -> Option<u64> {
    let (_, rest) = stat.rsplit_once(')')?;
    let fields: Vec<&str> = rest.split_whitespace().collect();
    let number = |at: usize| fields.get(at).and_then(|f| f.parse::<i64>().ok());
    // After the name: state, parent, process group, session, terminal, foreground group.
    let (group, device, foreground) = (number(2)?, number(4)?, number(5)?);
    if device == 0 || group != foreground {
        return None;
    }
    // The kernel packs the number into 32 bits; the rest of the world splits it with makedev.
    let device = device as u32;
    let (major, minor) = ((device >> 8) & 0xfff, (device & 0xff) | ((device >> 12) & 0xfff00));
    Some(rustix::fs::makedev(major, minor))
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn only_the_foreground_of_a_terminal_counts() {
        let pts = rustix::fs::makedev(136, 3);
        // 136 * 256 + 3 = 34819.
        assert_eq!(terminal("7 (packd) S 1 7 7 34819 7 0 0"), Some(pts));
        assert_eq!(terminal("7 (a) b (c) S 1 7 7 34819 7 0"), Some(pts), "names may hold parentheses");
        assert_eq!(terminal("7 (packd) S 1 7 7 34819 8 0"), None, "in the background");
        assert_eq!(terminal("7 (packd) S 1 7 7 0 -1 0"), None, "no terminal");
        assert_eq!(terminal("7 packd"), None);
    }
}
