//! Storage backends that misbehave on purpose: one remembers every call, one fails a chosen one.
//!
//! Both keep apart what the system's cache holds and what a power loss would leave.

use std::io::{self, ErrorKind};
use std::sync::{Arc, Mutex};

use redb::StorageBackend;

#[derive(Debug, Clone)]
pub enum Event {
    Write(u64, Vec<u8>),
    SetLen(u64),
    Sync,
}

pub fn perform(bytes: &mut Vec<u8>, event: &Event) {
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

fn read_from(bytes: &[u8], offset: u64, out: &mut [u8]) -> io::Result<()> {
    let from = offset as usize;
    out.copy_from_slice(bytes.get(from..from + out.len()).ok_or(ErrorKind::UnexpectedEof)?);
    Ok(())
}

/// Memory that remembers every call in order.
#[derive(Debug, Clone, Default)]
pub struct Recorder {
    bytes: Arc<Mutex<Vec<u8>>>,
    pub events: Arc<Mutex<Vec<Event>>>,
}

impl Recorder {
    pub fn holding(bytes: Vec<u8>) -> Recorder {
        Recorder { bytes: Arc::new(Mutex::new(bytes)), ..Recorder::default() }
    }

    fn record(&self, event: Event) {
        perform(&mut self.bytes.lock().unwrap(), &event);
        self.events.lock().unwrap().push(event);
    }

    pub fn seen(&self) -> usize {
        self.events.lock().unwrap().len()
    }
}

impl StorageBackend for Recorder {
    fn len(&self) -> io::Result<u64> {
        Ok(self.bytes.lock().unwrap().len() as u64)
    }
    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        read_from(&self.bytes.lock().unwrap(), offset, out)
    }
    fn set_len(&self, len: u64) -> io::Result<()> {
        self.record(Event::SetLen(len));
        Ok(())
    }
    fn sync_data(&self) -> io::Result<()> {
        self.record(Event::Sync);
        Ok(())
    }
    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        self.record(Event::Write(offset, data.to_vec()));
        Ok(())
    }
}

/// What a failing disk does, from which call on and for how many calls.
#[derive(Debug, Clone, Copy)]
pub struct Plan {
    pub at: usize,
    pub times: usize,
    pub kind: ErrorKind,
}

/// A disk with a cache, of which some calls fail. A sync that fails forgets what it should have written, as
/// systems do: the cache still has it, the disk does not, and the next sync says that all is well.
#[derive(Debug, Clone)]
pub struct Faulty(Arc<Mutex<State>>);

#[derive(Debug)]
struct State {
    cache: Vec<u8>,
    disk: Vec<u8>,
    dirty: Vec<Event>,
    calls: usize,
    plan: Plan,
}

impl Faulty {
    pub fn new(plan: Plan) -> Faulty {
        let state = State { cache: Vec::new(), disk: Vec::new(), dirty: Vec::new(), calls: 0, plan };
        Faulty(Arc::new(Mutex::new(state)))
    }

    /// From now on calls are counted, and fail, by this plan.
    pub fn begin(&self, plan: Plan) {
        let mut state = self.0.lock().unwrap();
        state.calls = 0;
        state.plan = plan;
    }

    pub fn calls(&self) -> usize {
        self.0.lock().unwrap().calls
    }

    /// What is left when the power goes.
    pub fn disk(&self) -> Vec<u8> {
        self.0.lock().unwrap().disk.clone()
    }

    pub fn cache(&self) -> Vec<u8> {
        self.0.lock().unwrap().cache.clone()
    }

    fn call<T>(&self, run: impl FnOnce(&mut State, bool) -> T) -> io::Result<T> {
        let mut state = self.0.lock().unwrap();
        let (n, Plan { at, times, kind }) = (state.calls, state.plan);
        state.calls += 1;
        let fails = n >= at && n - at < times;
        let done = run(&mut state, fails);
        if fails { Err(kind.into()) } else { Ok(done) }
    }
}

impl StorageBackend for Faulty {
    fn len(&self) -> io::Result<u64> {
        self.call(|state, _| state.cache.len() as u64)
    }
    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        self.call(|state, fails| if fails { Ok(()) } else { read_from(&state.cache, offset, out) })?
    }
    fn set_len(&self, len: u64) -> io::Result<()> {
        self.call(|state, fails| {
            if !fails {
                perform(&mut state.cache, &Event::SetLen(len));
                state.dirty.push(Event::SetLen(len));
            }
        })
    }
    fn sync_data(&self) -> io::Result<()> {
        self.call(|state, fails| {
            let dirty = std::mem::take(&mut state.dirty);
            if !fails {
                dirty.iter().for_each(|event| perform(&mut state.disk, event));
            }
        })
    }
    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        self.call(|state, fails| {
            // A write that fails may have got half-way.
            let part = if fails { &data[..data.len() / 2] } else { data };
            let event = Event::Write(offset, part.to_vec());
            perform(&mut state.cache, &event);
            state.dirty.push(event);
        })
    }
}
