//! The journal's tail after a crash: every byte of it cut and flipped, its sectors in any mixture of old and new.
//! What was acknowledged is there, the batch that was not is there whole or not at all, and nobody is told a story.

use packd::core::op::Stream;
use packd::core::view::LogView;
use packd::store::Catalog;

use crate::common::backend::{DATABASE, Disk, Event, Image, Recorder, perform};
use crate::common::engine::{TestEngine, options};
use crate::common::words::{WORDS, Words, by_length, replay, set, table, tools};

const PAGE: usize = 4096;
const SECTOR: usize = 512;

fn engine_over(disk: &impl Disk) -> TestEngine {
    let (options, clock) = options(|o| {
        o.families.push(Box::new(Words));
        o.tools.extend(tools());
        o.tools.sort_by(|a, b| a.name.cmp(&b.name));
    });
    let store = disk.store(options.catalog()).expect("the image must open");
    TestEngine::start(store, options, clock)
}

/// A crash right after the last batch was written: the disk before that, the last write, and how many operations
/// were acknowledged before it.
struct Crash {
    before: Image,
    file: usize,
    offset: usize,
    data: Vec<u8>,
    acknowledged: u64,
}

impl Crash {
    fn after(texts: &[&str]) -> Crash {
        let recorder = Recorder::default();
        let t = engine_over(&recorder);
        let s = t.session("s", "/w");
        let acknowledged = texts.len() as u64 - 1;
        for (n, text) in texts.iter().enumerate() {
            set(&t, &s, &format!("w{n}"), text);
        }
        let events = recorder.events.lock().unwrap().clone();
        let last = |wanted: &dyn Fn(&Event) -> bool| events.iter().rposition(wanted).unwrap();
        // Whatever a checkpoint does afterwards has not happened yet.
        let synced = last(&|e| matches!(e, Event::Sync(file) if *file != DATABASE));
        let written =
            events[..synced].iter().rposition(|e| matches!(e, Event::Write(file, ..) if *file != DATABASE));
        let written = written.unwrap();
        let Event::Write(file, offset, data) = &events[written] else { unreachable!() };
        let mut before = Image::default();
        events[..written].iter().for_each(|event| perform(&mut before, event));
        Crash { before, file: *file, offset: *offset as usize, data: data.clone(), acknowledged }
    }

    /// The disk with this in the place of the last write.
    fn with(&self, bytes: &[u8]) -> Image {
        let mut image = self.before.clone();
        perform(&mut image, &Event::Write(self.file, self.offset as u64, bytes.to_vec()));
        image
    }

    /// How many operations a store over this image has; never fewer than were acknowledged.
    fn found(&self, image: Image, what: &str) -> u64 {
        let store = Recorder::holding(image).store(catalog()).unwrap_or_else(|e| panic!("{what}: {e}"));
        let snapshot = store.read().unwrap();
        let head = snapshot.view().head(Stream::Ops).unwrap();
        assert!(head >= self.acknowledged, "{what}: {head} of {}", self.acknowledged);
        assert!(head <= self.acknowledged + 1, "{what}: {head} operations, more than ever were");
        head
    }

    /// The same with everything looked at.
    fn whole(&self, image: Image, what: &str) -> u64 {
        let head = self.found(image.clone(), what);
        let t = engine_over(&Recorder::holding(image));
        assert_eq!(replay(&t), table(&t), "{what}: rows and log disagree");
        assert_eq!(table(&t).len() as u64, head, "{what}");
        assert_eq!(t.engine.store().read().unwrap().damaged_rows().unwrap(), Vec::new(), "{what}");
        head
    }
}

/// Only what the log and the words need: thousands of stores are opened with it.
fn catalog() -> Catalog {
    Catalog { tables: vec![WORDS], indexers: vec![by_length], ..Catalog::default() }
}

#[test]
fn every_byte_of_the_tail_flipped() {
    let crash = Crash::after(&["one", "two", "three"]);
    assert_eq!(crash.data.len(), PAGE, "the record is one page");
    assert_eq!(crash.whole(crash.with(&crash.data), "untouched"), 3);
    let used = 20 + u32::from_le_bytes(crash.data[..4].try_into().unwrap()) as usize;
    let mut lost = 0;
    for at in 0..PAGE {
        let mut bytes = crash.data.clone();
        bytes[at] ^= 1 << (at % 8);
        let there = crash.found(crash.with(&bytes), &format!("byte {at}")) == 3;
        lost += usize::from(!there);
        // Between the entries and the checksum there are only zeros that nobody reads.
        assert_eq!(there, (used - 8..PAGE - 8).contains(&at), "byte {at}");
    }
    assert!(lost > 500, "only {lost} bytes mattered");
}

#[test]
fn the_tail_cut_at_every_byte() {
    let crash = Crash::after(&["one", "two", "three"]);
    for at in 0..PAGE {
        let mut image = crash.with(&crash.data);
        if at % 2 == 0 {
            // Nothing behind the cut was ever written.
            image[crash.file].as_mut().unwrap()[crash.offset + at..].fill(0);
        } else {
            image[crash.file].as_mut().unwrap().truncate(crash.offset + at);
        }
        assert_eq!(crash.found(image, &format!("cut at {at}")), 2, "cut at {at}");
    }
}

/// A long record, and the first of a slot with the header before it: some sectors are new, the others what was there.
#[test]
fn sectors_in_any_mixture_of_old_and_new() {
    let long = "x".repeat(9000);
    for texts in [&["first"][..], &["one", &long], &["one", "two", &long]] {
        let crash = Crash::after(texts);
        let all = crash.data.len() / SECTOR;
        let old = |at: usize| {
            let slot = crash.before[crash.file].as_ref().unwrap();
            let from = crash.offset + at * SECTOR;
            slot.get(from..from + SECTOR).map_or_else(|| vec![0; SECTOR], <[u8]>::to_vec)
        };
        let mut random = 0x9E37_79B9_7F4A_7C15u64;
        for n in 0..200usize {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            // All but one in turn, then any mixture.
            let new = |at: usize| if n < all { at != n } else { (random >> (at % 64)) & 1 == 1 };
            let mut bytes = crash.data.clone();
            let mut missing = false;
            for at in 0..all {
                let sector = &mut bytes[at * SECTOR..(at + 1) * SECTOR];
                let before = old(at);
                if !new(at) && before != sector {
                    sector.copy_from_slice(&before);
                    missing = true;
                }
            }
            let what = format!("{} texts, mixture {n}", texts.len());
            let head = crash.whole(crash.with(&bytes), &what);
            assert_eq!(head == texts.len() as u64, !missing, "{what}");
        }
    }
}

/// What an earlier life of a slot left behind is never taken for a record, whatever it looks like.
#[test]
fn a_slot_is_used_again_and_again() {
    let recorder = Recorder::default();
    let t = engine_over(&recorder);
    let s = t.session("s", "/w");
    for round in 0..12u64 {
        for n in 0..=round % 4 {
            set(&t, &s, &format!("w{n}"), &format!("round {round}"));
        }
        t.engine.store().checkpoint().unwrap();
        set(&t, &s, "last", &format!("round {round}"));
        let image = recorder_image(&recorder);
        let found = engine_over(&Recorder::holding(image));
        assert_eq!(table(&found), table(&t), "round {round}");
        assert_eq!(replay(&found), table(&t), "round {round}");
    }
}

fn recorder_image(recorder: &Recorder) -> Image {
    let mut image = Image::default();
    recorder.events.lock().unwrap().iter().for_each(|event| perform(&mut image, event));
    image
}
