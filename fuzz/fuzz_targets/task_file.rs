#![no_main]
//! See `packd::fuzzing`.

libfuzzer_sys::fuzz_target!(|data: &[u8]| packd::fuzzing::run("task_file", data));
