//! Power loss: whatever part of the unsynced writes reaches the disk, every acknowledged operation is there
//! after reopening, and the rows are exactly what the log says.

use packd::core::op::Stream;
use packd::core::view::LogView;

use crate::common::backend::{Disk, Event, Image, Recorder, perform};
use crate::common::engine::{TestEngine, options};
use crate::common::words::{Words, replay, set, table, tools};

fn engine_over(backend: Recorder) -> TestEngine {
    let (options, clock) = options(|o| {
        o.families.push(Box::new(Words));
        o.tools.extend(tools());
        o.tools.sort_by(|a, b| a.name.cmp(&b.name));
    });
    let store = backend.store(options.catalog()).expect("the image must open");
    TestEngine::start(store, options, clock)
}

/// Which of the writes since the last sync survive.
#[derive(Debug, Clone, Copy)]
enum Survive {
    None,
    All,
    Some(u64),
}

/// The database and its journal as a power loss leaves them: each file has what was written before its own last sync,
/// and some of the rest.
fn image(events: &[Event], survive: Survive) -> Image {
    let mut image = Image::default();
    let synced = |file: usize| events.iter().rposition(|e| matches!(e, Event::Sync(f) if *f == file));
    let last: Vec<Option<usize>> = (0..image.len()).map(synced).collect();
    for (i, event) in events.iter().enumerate() {
        let keep = event.is_name_or_length()
            || last[event.file()].is_some_and(|last| i < last)
            || match survive {
                Survive::None => false,
                Survive::All => true,
                // A cheap hash decides, so that a failure can be repeated.
                Survive::Some(seed) => {
                    (i as u64 + 1).wrapping_mul(seed | 1).wrapping_mul(0x9E37_79B9) & 0x40 != 0
                }
            };
        if keep {
            perform(&mut image, event);
        }
    }
    image
}

#[test]
fn no_acknowledged_operation_is_lost() {
    let recorder = Recorder::default();
    // How many operations were acknowledged when so many events had happened.
    let mut acknowledged = Vec::new();
    let start;
    {
        let t = engine_over(recorder.clone());
        let s = t.session("s", "/w");
        start = recorder.seen();
        for i in 0..24u64 {
            set(&t, &s, &format!("w{}", i % 5), &format!("text {i}"));
            acknowledged.push((recorder.seen(), i + 1));
            if i % 6 == 5 {
                t.engine.store().checkpoint().unwrap();
            }
        }
    }
    let events = recorder.events.lock().unwrap().clone();
    let mut images = 0;
    let mut beyond = 0;
    for cut in start..events.len() {
        let promised = acknowledged.iter().rev().find(|(at, _)| *at <= cut).map_or(0, |(_, n)| *n);
        for survive in [Survive::None, Survive::All, Survive::Some(cut as u64)] {
            let t = engine_over(Recorder::holding(image(&events[..cut], survive)));
            let head = t.engine.store().read().unwrap().view().head(Stream::Ops).unwrap();
            assert!(
                head >= promised,
                "cut {cut}, {survive:?}: {head} operations, {promised} were acknowledged"
            );
            assert_eq!(replay(&t), table(&t), "cut {cut}, {survive:?}: rows and log disagree");
            images += 1;
            beyond += u64::from(head > promised);
        }
    }
    assert!(images > 400, "only {images} images were tried");
    assert!(beyond > 0, "no image held a commit that was never acknowledged: the cuts are too coarse");
}
