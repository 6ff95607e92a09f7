//! A small disk over a directory, in a name space that nobody else sees: full disks without filling a real one.

use std::path::{Path, PathBuf};
use std::process::Command;

const OWN_MOUNTS: &str = "PACKD_TEST_OWN_MOUNTS";
const MOUNTED: &str = "a small disk is mounted";

/// Runs a test (by its whole name) once more where it may mount things; says "skipped" where that is not allowed.
pub fn with_own_mounts(name: &str, test: impl FnOnce()) {
    if std::env::var_os(OWN_MOUNTS).is_some() {
        return test();
    }
    let run = Command::new("unshare")
        .args(["--user", "--map-root-user", "--mount"])
        .arg(std::env::current_exe().unwrap())
        .args(["--exact", name, "--nocapture"])
        .env(OWN_MOUNTS, "1")
        .output();
    let said = match &run {
        Ok(out) => [out.stdout.as_slice(), &out.stderr].concat(),
        Err(e) => e.to_string().into_bytes(),
    };
    let said = String::from_utf8_lossy(&said);
    if !said.contains(MOUNTED) {
        eprintln!("skipped: {name}: this system allows no mounts of one's own: {said}");
        return;
    }
    assert!(run.unwrap().status.success(), "{said}");
}

/// The disk; taken away again whatever happens, because a directory with something mounted on it cannot be removed.
pub struct SmallDisk(PathBuf);

impl SmallDisk {
    /// `None` where it cannot be mounted.
    pub fn over(dir: &Path, size: &str) -> Option<SmallDisk> {
        let options = format!("size={size},mode=0700");
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", &options, "packd-test"]).arg(dir);
        let mounted = mount.status().is_ok_and(|s| s.success());
        if mounted {
            println!("{MOUNTED}");
        }
        mounted.then(|| SmallDisk(dir.to_path_buf()))
    }

    pub fn resize(&self, size: &str) {
        let mut mount = Command::new("mount");
        mount.args(["-o", &format!("remount,size={size}")]).arg(&self.0);
        assert!(mount.status().unwrap().success());
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("--lazy").arg(&self.0).status();
    }
}
