//! What the fuzzer once looked at, again: every input of `fuzz/corpus` goes through its target on each test run.

use std::fs;
use std::path::Path;

use packd::fuzzing::TARGETS;

/// A target's corpus is a handful of small files; what a long run gathers stays out of the repository.
const MOST_BYTES: u64 = 64 * 1024;

#[test]
fn every_kept_input_is_taken_without_a_panic() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus");
    for (name, target) in TARGETS {
        let mut bytes = 0;
        let entries = fs::read_dir(corpus.join(name)).unwrap_or_else(|e| panic!("{name} has no corpus: {e}"));
        for entry in entries.map(|e| e.unwrap()) {
            let data = fs::read(entry.path()).unwrap();
            bytes += data.len() as u64;
            let done = std::panic::catch_unwind(|| target(&data));
            assert!(done.is_ok(), "{} broke {name}", entry.path().display());
        }
        assert!(bytes > 0 && bytes <= MOST_BYTES, "the corpus of {name} has {bytes} bytes");
    }
}

#[test]
fn every_target_can_be_fuzzed() {
    let fuzz = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz");
    let manifest = fs::read_to_string(fuzz.join("Cargo.toml")).unwrap();
    for (name, _) in TARGETS {
        let source = fs::read_to_string(fuzz.join(format!("fuzz_targets/{name}.rs"))).unwrap();
        assert!(source.contains(&format!("run(\"{name}\"")), "{name}");
        assert!(manifest.contains(&format!("name = \"{name}\"")), "{name}");
    }
}
