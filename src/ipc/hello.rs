//! The first two frames on the socket: the client's Hello and the daemon's Welcome.
//!
//! Both are msgpack maps with field names behind a big-endian u32 length, so that a field added later is
//! ignored by an older peer and a missing one takes its default. Nothing here knows what follows them.

use std::collections::BTreeMap;
use std::io::{self, Read};

use serde::{Deserialize, Serialize};

use super::hook::{Happened, Said};

/// The protocol this build prefers, and the oldest one it still speaks. Separate from the version.
pub const PROTO: u32 = 1;
pub const PROTO_MIN: u32 = 1;

/// No Hello or Welcome is larger; a longer announced length is refused before a byte of it is read.
pub const FRAME_MAX: usize = 64 * 1024;

/// Of that, for flags and everything else beside a client's environment.
const RESERVE: usize = 16 * 1024;

/// A JSON-RPC session, the usual case.
pub const KIND_MCP: &str = "mcp";
/// Asks how the daemon is; answered by the Welcome alone.
pub const KIND_STATUS: &str = "status";
/// Asks the daemon to finish what it does and end. The connection closes when the database is closed.
pub const KIND_DRAIN: &str = "drain";

/// Something happened in a host, told by `packd hook`; answered by the Welcome alone.
pub const KIND_HOOK: &str = "hook";

/// What a client says about itself, once, before anything else.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Hello {
    /// The newest and the oldest protocol the client speaks.
    pub proto: u32,
    pub proto_min: u32,
    /// For people and logs; never compared to decide anything.
    pub version: String,
    pub kind: String,
    pub pid: u32,
    /// The client's working directory, absolute.
    pub cwd: String,
    /// The user's home directory, from `HOME` or the passwd entry.
    pub user_home: String,
    /// Only the variables that a contract names: see [`carried`].
    pub env: BTreeMap<String, String>,
    /// What programs that this client's calls start are given a part of. Kept in memory with the session.
    pub environment: ClientEnvironment,
    pub flags: Flags,
    /// The command line runs in the foreground of its controlling terminal. The daemon looks for itself where it can.
    pub terminal: bool,
    /// Set when a shim comes back after losing its daemon.
    pub resume: Option<ResumeProof>,
    /// What a hook has to tell.
    pub hook: Option<Box<Happened>>,
}

/// A client's environment. It may hold secrets: nothing prints it.
#[derive(Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ClientEnvironment(pub BTreeMap<String, String>);

impl std::fmt::Debug for ClientEnvironment {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} variables", self.0.len())
    }
}

impl ClientEnvironment {
    /// Leaves out the largest values until what remains takes at most `limit` bytes in a frame.
    fn within(mut self, limit: usize) -> ClientEnvironment {
        // At most five bytes tell the length of a string.
        let cost = |name: &String, value: &String| name.len() + value.len() + 10;
        let mut whole: usize = self.0.iter().map(|(name, value)| cost(name, value)).sum();
        while whole > limit {
            let Some(largest) = self.0.iter().max_by_key(|(n, v)| cost(n, v)).map(|(n, _)| n.clone()) else {
                break;
            };
            whole -= self.0.remove(&largest).map_or(0, |value| cost(&largest, &value));
        }
        self
    }
}

/// The command line of the client. Lists are already split at commas.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Flags {
    pub workspace: Option<String>,
    pub toolsets: Option<Vec<String>>,
    pub tools: Option<Vec<String>>,
    pub exclude_tools: Option<Vec<String>>,
    pub read_only: bool,
    pub allow_write: bool,
    /// `ask`, `plan` or `execute`; checked by the client, checked again by the daemon.
    pub mode: Option<String>,
    pub max_mode: Option<String>,
    /// What `serverInfo.name` says.
    pub name: Option<String>,
    /// `auto`, `always` or `never`: whether replies carry structured content beside their text.
    pub structured: Option<String>,
}

/// Proof that the client owned a session before: the pair from an earlier Welcome.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ResumeProof {
    pub session: String,
    pub key: String,
}

/// The daemon's answer: either a session, or `error` with what to do about it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Welcome {
    /// The protocol both will speak from here on; with an error, the newest and the oldest the daemon speaks.
    pub proto: u32,
    pub proto_min: u32,
    pub version: String,
    pub pid: u32,
    /// The directory this daemon serves, so that a client can notice that it reached another one.
    pub home: String,
    pub session: String,
    pub resume_key: String,
    /// True when `session` is the one the client asked to resume.
    pub resumed: bool,
    pub error: Option<String>,
    pub hint: Option<String>,
    /// Present in the answer to a status Hello.
    pub status: Option<DaemonStatus>,
    /// Present in the answer to a hook.
    pub hook: Option<Said>,
}

/// How the daemon is.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct DaemonStatus {
    pub sessions: u64,
    pub uptime_seconds: u64,
    /// It ends after this long without a session; 0 means that it never ends by itself.
    pub idle_seconds: u64,
    /// The socket came from a supervisor.
    pub activated: bool,
    /// More of what the service has to say, as `name: text` lines for people.
    pub notes: BTreeMap<String, String>,
}

/// Names of the variables that travel in a Hello: data, made of what the families declare, because whoever carries
/// them knows nothing of who needs them.
const CARRIED: &str = include_str!("../../proto/environment.txt");

/// True for the environment variables that travel in a Hello. Everything else stays in the client.
pub fn carried(name: &str) -> bool {
    carried_names().any(|known| match known.strip_suffix('*') {
        Some(beginning) => name.starts_with(beginning),
        None => name == known,
    })
}

/// The list itself; a trailing `*` stands for whatever follows.
fn carried_names() -> impl Iterator<Item = &'static str> {
    CARRIED.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'))
}

impl Hello {
    /// The one that takes the most room among the variables it carries, and its length.
    pub fn longest_variable(&self) -> Option<(&str, usize)> {
        let lengths = self.env.iter().map(|(name, value)| (name.as_str(), value.len()));
        lengths.max_by_key(|(_, bytes)| *bytes)
    }

    /// A Hello of this process: its directory, its environment, no flags.
    pub fn of_this_process(kind: &str, user_home: String) -> Hello {
        let all: BTreeMap<String, String> = std::env::vars_os()
            .filter_map(|(k, v)| Some((k.into_string().ok()?, v.into_string().ok()?)))
            .collect();
        // Git's own variables speak of one repository, and no other program may hear them.
        let told = all.iter().filter(|(k, _)| kind == KIND_MCP && !k.starts_with("GIT_"));
        let environment = ClientEnvironment(told.map(|(k, v)| (k.clone(), v.clone())).collect());
        let env: BTreeMap<String, String> = all
            .into_iter()
            // Only the command line may say that it is one; a host's configuration cannot.
            .filter(|(k, _)| carried(k) && k != "PACKD_CLI")
            .collect();
        // A directory that was removed under us has no name; the daemon then sees no workspace.
        let cwd = std::env::current_dir().map(|d| d.to_string_lossy().into_owned()).unwrap_or_default();
        let spoken: usize = env.iter().map(|(name, value)| name.len() + value.len() + 10).sum();
        let room = FRAME_MAX.saturating_sub(RESERVE + spoken + cwd.len() + user_home.len());
        Hello {
            proto: PROTO,
            proto_min: PROTO_MIN,
            version: env!("CARGO_PKG_VERSION").into(),
            kind: kind.into(),
            pid: std::process::id(),
            cwd,
            user_home,
            env,
            environment: environment.within(room),
            flags: Flags::default(),
            terminal: false,
            resume: None,
            hook: None,
        }
    }

    /// The protocol both sides speak, or `None` if their ranges do not meet.
    pub fn agree(&self) -> Option<u32> {
        let newest = self.proto.min(PROTO);
        (newest >= self.proto_min.max(PROTO_MIN)).then_some(newest)
    }
}

impl Welcome {
    /// A Welcome of this process, without a session yet.
    pub fn of_this_process(home: &str) -> Welcome {
        Welcome {
            proto: PROTO,
            proto_min: PROTO_MIN,
            version: env!("CARGO_PKG_VERSION").into(),
            pid: std::process::id(),
            home: home.into(),
            ..Welcome::default()
        }
    }
}

/// One frame: length, then the value as a map.
pub fn encode<T: Serialize>(value: &T) -> io::Result<Vec<u8>> {
    let body = rmp_serde::to_vec_named(value).map_err(io::Error::other)?;
    if body.len() > FRAME_MAX {
        let text = format!("The hello is {} bytes; {FRAME_MAX} are allowed.", body.len());
        return Err(io::Error::new(io::ErrorKind::InvalidInput, text));
    }
    // The cast is exact: FRAME_MAX fits in 32 bits.
    let mut frame = (body.len() as u32).to_be_bytes().to_vec();
    frame.extend_from_slice(&body);
    Ok(frame)
}

/// Reads the announced length of a frame, refusing what is over the cap.
pub fn length(head: [u8; 4]) -> io::Result<usize> {
    let length = u32::from_be_bytes(head) as usize;
    if length > FRAME_MAX {
        let text = format!("A hello of {length} bytes was announced; {FRAME_MAX} are allowed.");
        return Err(io::Error::new(io::ErrorKind::InvalidData, text));
    }
    Ok(length)
}

/// Decodes the body of a frame. Unknown fields are ignored, missing ones take their default.
pub fn decode<T: for<'a> Deserialize<'a>>(body: &[u8]) -> io::Result<T> {
    rmp_serde::from_slice(body).map_err(|e| io::Error::new(io::ErrorKind::InvalidData, e))
}

/// Reads one frame from a blocking stream.
pub fn read_frame<T: for<'a> Deserialize<'a>>(stream: &mut impl Read) -> io::Result<T> {
    let mut head = [0; 4];
    stream.read_exact(&mut head)?;
    let mut body = vec![0; length(head)?];
    stream.read_exact(&mut body)?;
    decode(&body)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn environment(list: &[(&str, usize)]) -> ClientEnvironment {
        ClientEnvironment(list.iter().map(|(name, n)| ((*name).to_string(), "x".repeat(*n))).collect())
    }

    #[test]
    fn the_largest_values_stay_behind_first() {
        let small = environment(&[("PATH", 200), ("BIG", 5_000), ("BIGGER", 6_000)]).within(6_000);
        assert_eq!(small.0.keys().collect::<Vec<_>>(), ["BIG", "PATH"]);
        assert_eq!(environment(&[("A", 10)]).within(0).0.len(), 0);
    }

    #[test]
    fn a_hello_with_all_the_room_used_fits_its_frame() {
        let many: Vec<(String, usize)> = (0..4_000).map(|n| (format!("NAME_{n}"), n % 90)).collect();
        let list: Vec<(&str, usize)> = many.iter().map(|(n, l)| (n.as_str(), *l)).collect();
        let hello = Hello {
            environment: environment(&list).within(FRAME_MAX - RESERVE),
            ..Hello::of_this_process(KIND_STATUS, String::new())
        };
        assert!(hello.environment.0.len() > 500);
        assert_eq!(decode::<Hello>(&encode(&hello).unwrap()[4..]).unwrap(), hello);
        assert!(!format!("{hello:?}").contains("NAME_1"));
    }
}
