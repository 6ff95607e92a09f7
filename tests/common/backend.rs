//! Disks that misbehave on purpose: one remembers every call, one fails chosen ones. Each holds the database and the
//! slots of its journal.
//!
//! Both keep apart what the system's cache holds and what a power loss would leave.

use std::io::{self, ErrorKind};
use std::sync::{Arc, Mutex};

use packd::core::Result;
use packd::store::{Catalog, SLOTS, Slot, Slots, Store};
use redb::StorageBackend;

/// The files of a disk by number: the database, then the slots.
pub type Image = [Option<Vec<u8>>; 1 + SLOTS];
pub const DATABASE: usize = 0;

#[derive(Debug, Clone)]
pub enum Event {
    Make(usize),
    Write(usize, u64, Vec<u8>),
    SetLen(usize, u64),
    Remove(usize),
    Sync(usize),
}

impl Event {
    pub fn file(&self) -> usize {
        match self {
            Event::Make(f)
            | Event::Write(f, ..)
            | Event::SetLen(f, _)
            | Event::Remove(f)
            | Event::Sync(f) => *f,
        }
    }

    /// What a file system journals: it happens in order, whatever becomes of the data.
    pub fn is_name_or_length(&self) -> bool {
        matches!(self, Event::Make(_) | Event::SetLen(..) | Event::Remove(_))
    }
}

pub fn perform(image: &mut Image, event: &Event) {
    let file = &mut image[event.file()];
    match event {
        Event::Make(_) => *file = Some(Vec::new()),
        Event::Remove(_) => *file = None,
        Event::Write(_, offset, data) => {
            let bytes = file.get_or_insert_default();
            let (from, to) = (*offset as usize, *offset as usize + data.len());
            if bytes.len() < to {
                bytes.resize(to, 0);
            }
            bytes[from..to].copy_from_slice(data);
        }
        Event::SetLen(_, len) => file.get_or_insert_default().resize(*len as usize, 0),
        Event::Sync(_) => {}
    }
}

fn read_from(bytes: &[u8], offset: u64, out: &mut [u8]) -> io::Result<()> {
    let from = offset as usize;
    out.copy_from_slice(bytes.get(from..from + out.len()).ok_or(ErrorKind::UnexpectedEof)?);
    Ok(())
}

/// The calls of a disk, whatever it does with them.
pub trait Disk: std::fmt::Debug + Clone + Send + Sync + 'static {
    fn has(&self, file: usize) -> bool;
    fn len(&self, file: usize) -> io::Result<u64>;
    fn read(&self, file: usize, offset: u64, out: &mut [u8]) -> io::Result<()>;
    fn change(&self, event: Event) -> io::Result<()>;

    /// A store on this disk; it can be opened again after a failure.
    fn store(&self, catalog: Catalog) -> Result<Store> {
        let (database, slots) = (self.clone(), OnDisk(self.clone()));
        Store::with_parts(move || Part(database.clone(), DATABASE), Arc::new(slots), catalog)
    }
}

/// One file of a disk.
#[derive(Debug)]
struct Part<D>(D, usize);

impl<D: Disk> StorageBackend for Part<D> {
    fn len(&self) -> io::Result<u64> {
        self.0.len(self.1)
    }
    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        self.0.read(self.1, offset, out)
    }
    fn set_len(&self, len: u64) -> io::Result<()> {
        self.0.change(Event::SetLen(self.1, len))
    }
    fn sync_data(&self) -> io::Result<()> {
        self.0.change(Event::Sync(self.1))
    }
    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        self.0.change(Event::Write(self.1, offset, data.to_vec()))
    }
}

struct OnDisk<D>(D);

impl<D: Disk> Slots for OnDisk<D> {
    fn find(&self, number: usize) -> io::Result<Option<Slot>> {
        Ok(self.0.has(number + 1).then(|| Arc::new(Part(self.0.clone(), number + 1)) as Slot))
    }
    fn make(&self, number: usize) -> io::Result<Slot> {
        self.0.change(Event::Make(number + 1))?;
        Ok(Arc::new(Part(self.0.clone(), number + 1)))
    }
    fn remove(&self, number: usize) -> io::Result<()> {
        self.0.change(Event::Remove(number + 1))
    }
    fn set_aside(&self, number: usize, why: &str) -> io::Result<String> {
        self.0.change(Event::Remove(number + 1))?;
        Ok(format!("slot {number}, {why}"))
    }
    fn is_same(&self, _: usize) -> bool {
        true
    }
}

/// Memory that remembers every call in order.
#[derive(Debug, Clone, Default)]
pub struct Recorder {
    files: Arc<Mutex<Image>>,
    pub events: Arc<Mutex<Vec<Event>>>,
}

impl Recorder {
    pub fn holding(image: Image) -> Recorder {
        Recorder { files: Arc::new(Mutex::new(image)), ..Recorder::default() }
    }

    pub fn seen(&self) -> usize {
        self.events.lock().unwrap().len()
    }
}

impl Disk for Recorder {
    fn has(&self, file: usize) -> bool {
        self.files.lock().unwrap()[file].is_some()
    }
    fn len(&self, file: usize) -> io::Result<u64> {
        Ok(self.files.lock().unwrap()[file].as_ref().map_or(0, |bytes| bytes.len() as u64))
    }
    fn read(&self, file: usize, offset: u64, out: &mut [u8]) -> io::Result<()> {
        read_from(self.files.lock().unwrap()[file].as_deref().unwrap_or_default(), offset, out)
    }
    fn change(&self, event: Event) -> io::Result<()> {
        // Under one lock, so that the order of the events is the order of the changes.
        let mut events = self.events.lock().unwrap();
        perform(&mut self.files.lock().unwrap(), &event);
        events.push(event);
        Ok(())
    }
}

/// What a failing disk does: from which call on, for how many calls, and to which files.
#[derive(Debug, Clone, Copy)]
pub struct Plan {
    pub at: usize,
    pub times: usize,
    pub kind: ErrorKind,
    pub of: Of,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Of {
    Database,
    /// Its header is there already; for its pages a disk may have no room.
    DatabasePages,
    Slots,
    /// Only the moment that decides.
    SlotSyncs,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Call {
    Look,
    Write(u64),
    Sync,
    Other,
}

impl Of {
    fn counts(self, file: usize, call: Call) -> bool {
        match self {
            Of::Database => file == DATABASE,
            Of::DatabasePages => file == DATABASE && matches!(call, Call::Write(1..)),
            Of::Slots => file != DATABASE && call != Call::Sync,
            Of::SlotSyncs => file != DATABASE && call == Call::Sync,
        }
    }
}

/// A disk with a cache, of which some calls fail. A sync that fails forgets what it should have written, as
/// systems do: the cache still has it, the disk does not, and the next sync says that all is well.
#[derive(Debug, Clone)]
pub struct Faulty(Arc<Mutex<State>>);

#[derive(Debug)]
struct State {
    cache: Image,
    disk: Image,
    dirty: Vec<Event>,
    calls: usize,
    plan: Plan,
}

impl Faulty {
    pub fn new(plan: Plan) -> Faulty {
        let (cache, disk) = Default::default();
        Faulty(Arc::new(Mutex::new(State { cache, disk, dirty: Vec::new(), calls: 0, plan })))
    }

    /// The same disk for the next process: what the old one still does is done to a disk that nobody sees any more.
    pub fn taken_over(&self) -> Faulty {
        let state = self.0.lock().unwrap();
        let State { cache, disk, dirty, .. } = &*state;
        let (cache, disk, dirty) = (cache.clone(), disk.clone(), dirty.clone());
        Faulty(Arc::new(Mutex::new(State { cache, disk, dirty, calls: 0, plan: state.plan })))
    }

    /// The same after the power was gone for a moment.
    pub fn after_a_power_loss(&self) -> Faulty {
        let next = self.taken_over();
        let mut state = next.0.lock().unwrap();
        state.cache = state.disk.clone();
        state.dirty.clear();
        drop(state);
        next
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
    pub fn disk(&self) -> Image {
        self.0.lock().unwrap().disk.clone()
    }

    pub fn cache(&self) -> Image {
        self.0.lock().unwrap().cache.clone()
    }

    fn call<T>(&self, file: usize, call: Call, run: impl FnOnce(&mut State, bool) -> T) -> io::Result<T> {
        let mut state = self.0.lock().unwrap();
        let (n, Plan { at, times, kind, of }) = (state.calls, state.plan);
        let counts = of.counts(file, call);
        state.calls += usize::from(counts);
        let fails = counts && n >= at && n - at < times;
        let done = run(&mut state, fails);
        if fails { Err(kind.into()) } else { Ok(done) }
    }
}

impl Disk for Faulty {
    fn has(&self, file: usize) -> bool {
        self.0.lock().unwrap().cache[file].is_some()
    }
    fn len(&self, file: usize) -> io::Result<u64> {
        self.call(file, Call::Look, |state, _| {
            state.cache[file].as_ref().map_or(0, |bytes| bytes.len() as u64)
        })
    }
    fn read(&self, file: usize, offset: u64, out: &mut [u8]) -> io::Result<()> {
        self.call(file, Call::Look, |state, fails| match fails {
            true => Ok(()),
            false => read_from(state.cache[file].as_deref().unwrap_or_default(), offset, out),
        })?
    }
    fn change(&self, event: Event) -> io::Result<()> {
        let file = event.file();
        let call = match &event {
            Event::Sync(_) => Call::Sync,
            Event::Write(_, offset, _) => Call::Write(*offset),
            _ => Call::Other,
        };
        self.call(file, call, |state, fails| match event {
            Event::Sync(_) => {
                let mine = |e: &Event| e.file() == file;
                let (dirty, rest) = std::mem::take(&mut state.dirty).into_iter().partition(mine);
                state.dirty = rest;
                let dirty: Vec<Event> = dirty;
                if !fails {
                    dirty.iter().for_each(|event| perform(&mut state.disk, event));
                }
            }
            // A write that fails may have got half-way.
            Event::Write(file, offset, mut data) => {
                data.truncate(if fails { data.len() / 2 } else { data.len() });
                let event = Event::Write(file, offset, data);
                perform(&mut state.cache, &event);
                state.dirty.push(event);
            }
            // Names are durable at once: whoever makes one syncs its directory.
            Event::Make(_) | Event::Remove(_) if !fails => {
                perform(&mut state.cache, &event);
                perform(&mut state.disk, &event);
                state.dirty.retain(|dirty| dirty.file() != file);
            }
            Event::SetLen(..) if !fails => {
                perform(&mut state.cache, &event);
                state.dirty.push(event);
            }
            Event::SetLen(..) | Event::Make(_) | Event::Remove(_) => {}
        })
    }
}
