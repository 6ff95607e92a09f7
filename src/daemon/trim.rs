//! Gives back what only the start needed: pages of code that ran once.
//!
//! The pages of the program stay in the system's cache, so what is needed again comes back without the disk.

/// Lets go of the program's own code pages; those that go on being used are mapped again one by one.
///
/// Only mappings that can be executed and not written: nothing else is sure to be what is in the file.
#[cfg(target_os = "linux")]
pub fn code() {
    let Ok(maps) = std::fs::read_to_string("/proc/self/maps") else { return };
    let Ok(program) = std::env::current_exe() else { return };
    for line in maps.lines().filter(|line| line.ends_with(&*program.to_string_lossy())) {
        let mut words = line.split_whitespace();
        let (Some(range), Some("r-xp")) = (words.next(), words.next()) else { continue };
        let number = |text: &str| usize::from_str_radix(text, 16).ok();
        let Some((from, to)) = range.split_once('-').and_then(|(a, b)| Some((number(a)?, number(b)?))) else {
            continue;
        };
        // SAFETY: the range is a private mapping of this program's file that was never writable, so its pages hold
        // nothing that the file does not; dropping them changes no byte that anybody can read.
        #[expect(unsafe_code, reason = "the system has no other way to be told")]
        let _ = unsafe { libc::madvise(from as *mut libc::c_void, to - from, libc::MADV_DONTNEED) };
    }
}

#[cfg(not(target_os = "linux"))]
pub fn code() {}
