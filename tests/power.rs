//! Power loss: whatever part of the unsynced writes reaches the disk, every acknowledged operation is there
//! after reopening, and the rows are exactly what the log says.

use std::sync::{Arc, Mutex};

use packd::core::op::Stream;
use packd::core::view::LogView;
use packd::store::Store;
use redb::StorageBackend;

use crate::common::engine::{TestEngine, options};
use crate::common::words::{Words, replay, set, table, tools};

#[derive(Debug, Clone)]
enum Event {
    Write(u64, Vec<u8>),
    SetLen(u64),
    Sync,
}

/// Memory that remembers every call in order.
#[derive(Debug, Clone, Default)]
struct Recorder {
    bytes: Arc<Mutex<Vec<u8>>>,
    events: Arc<Mutex<Vec<Event>>>,
}

fn perform(bytes: &mut Vec<u8>, event: &Event) {
    match event {
        Event::Write(offset, data) => {
            let (from, to) = (*offset as usize, *offset as usize + data.len());
            if bytes.len() < to {
                bytes.resize(to, 0);
            }
            bytes[from..to].copy_from_slice(data);
        }
        Event::SetLen(len) => bytes.resize(*len as usize, 0),
        Event::Sync => {}
    }
}

impl Recorder {
    fn holding(bytes: Vec<u8>) -> Recorder {
        Recorder { bytes: Arc::new(Mutex::new(bytes)), ..Recorder::default() }
    }
    fn record(&self, event: Event) {
        perform(&mut self.bytes.lock().unwrap(), &event);
        self.events.lock().unwrap().push(event);
    }
    fn seen(&self) -> usize {
        self.events.lock().unwrap().len()
    }
}

impl StorageBackend for Recorder {
    fn len(&self) -> std::io::Result<u64> {
        Ok(self.bytes.lock().unwrap().len() as u64)
    }
    fn read(&self, offset: u64, out: &mut [u8]) -> std::io::Result<()> {
        let bytes = self.bytes.lock().unwrap();
        let from = offset as usize;
        let part = bytes.get(from..from + out.len()).ok_or(std::io::ErrorKind::UnexpectedEof)?;
        out.copy_from_slice(part);
        Ok(())
    }
    fn set_len(&self, len: u64) -> std::io::Result<()> {
        self.record(Event::SetLen(len));
        Ok(())
    }
    fn sync_data(&self) -> std::io::Result<()> {
        self.record(Event::Sync);
        Ok(())
    }
    fn write(&self, offset: u64, data: &[u8]) -> std::io::Result<()> {
        self.record(Event::Write(offset, data.to_vec()));
        Ok(())
    }
}

fn engine_over(backend: Recorder) -> TestEngine {
    let (options, clock) = options(|o| {
        o.families.push(Box::new(Words));
        o.tools.extend(tools());
        o.tools.sort_by(|a, b| a.name.cmp(&b.name));
    });
    let store = Store::with_backend(backend, options.catalog()).expect("the image must open");
    TestEngine::start(store, options, clock)
}

/// Which of the writes since the last sync survive.
#[derive(Debug, Clone, Copy)]
enum Survive {
    None,
    All,
    Some(u64),
}

fn image(events: &[Event], survive: Survive) -> Vec<u8> {
    let synced = events.iter().rposition(|e| matches!(e, Event::Sync)).map_or(0, |i| i + 1);
    let mut bytes = Vec::new();
    events[..synced].iter().for_each(|e| perform(&mut bytes, e));
    for (i, event) in events[synced..].iter().enumerate() {
        let keep = match survive {
            Survive::None => false,
            Survive::All => true,
            // A cheap hash decides, so that a failure can be repeated.
            Survive::Some(seed) => {
                (i as u64 + 1).wrapping_mul(seed | 1).wrapping_mul(0x9E37_79B9) & 0x40 != 0
            }
        };
        if keep || matches!(event, Event::SetLen(_)) {
            perform(&mut bytes, event);
        }
    }
    bytes
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
        }
    }
    let events = recorder.events.lock().unwrap().clone();
    let mut images = 0;
    let mut beyond = 0;
    for cut in (start..events.len()).step_by(3) {
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
    assert!(images > 100, "only {images} images were tried");
    assert!(beyond > 0, "no image held a commit that was never acknowledged: the cuts are too coarse");
}
