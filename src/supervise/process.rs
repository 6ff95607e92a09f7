//! Which process a number means: a pid is used again one day, its start time and the boot make it one of a kind.

use rustix::process::Pid;

/// Names this boot of the system; empty where the system does not say.
pub fn boot() -> String {
    match cfg!(target_os = "linux") {
        true => std::fs::read_to_string("/proc/sys/kernel/random/boot_id")
            .map(|text| text.trim().to_string())
            .unwrap_or_default(),
        false => String::new(),
    }
}

/// When a living process began, in the system's own count. A process that only waits to be reaped is not living.
pub fn began(pid: u32) -> Option<u64> {
    if cfg!(target_os = "linux") {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        // The name may hold anything, parentheses and spaces too; what follows its end does not.
        let (_, rest) = stat.rsplit_once(") ")?;
        let fields: Vec<&str> = rest.split(' ').collect();
        return match fields.first() {
            Some(&"Z" | &"X") | None => None,
            // State is the third field of the line, the start time its twenty-second.
            Some(_) => fields.get(19)?.parse().ok(),
        };
    }
    // Elsewhere a number is all there is; whoever relies on it also asks the supervisor's lock.
    rustix::process::test_kill_process(Pid::from_raw(i32::try_from(pid).ok()?)?).is_ok().then_some(0)
}

/// Is this still the very process that began then?
pub fn is(pid: u32, start: u64, boot_then: &str) -> bool {
    boot() == boot_then && began(pid) == Some(start)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recycled_pid_is_not_mistaken() {
        let me = std::process::id();
        let start = began(me).unwrap();
        assert!(is(me, start, &boot()));
        assert!(!is(me, start, "another boot"));
        if cfg!(target_os = "linux") {
            assert!(!is(me, start + 1, &boot()), "the same number, another process");
        }
        assert_eq!(began(0x7fff_fffe), None);
    }
}
