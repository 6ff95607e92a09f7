//! Whose process is at the other end of a connection over the loopback address.
//!
//! Any user of the machine can connect to a port, so the system is asked who owns the socket there. Where it cannot be
//! asked at all (no Linux), the secrets of the sign-in alone decide.

use std::net::SocketAddr;

/// Is the connecting socket one of this user?
#[cfg(target_os = "linux")]
pub fn is_ours(peer: SocketAddr, own: SocketAddr) -> bool {
    let me = rustix::process::geteuid().as_raw();
    linux::owner(peer, own) == Some(me)
}

#[cfg(not(target_os = "linux"))]
pub fn is_ours(peer: SocketAddr, _own: SocketAddr) -> bool {
    peer.ip().is_loopback()
}

#[cfg(target_os = "linux")]
mod linux {
    use std::net::SocketAddr;

    use rustix::net::netlink::{SOCK_DIAG, SocketAddrNetlink};
    use rustix::net::{AddressFamily, RecvFlags, SendFlags, SocketFlags, SocketType};

    /// The user that owns the socket at `peer` which is connected to `own`.
    pub fn owner(peer: SocketAddr, own: SocketAddr) -> Option<u32> {
        // The kernel finds one socket by its addresses; only where it does not let itself be asked, its list is read,
        // which costs more the more connections there are.
        match diag(peer, own) {
            Asked::Owner(uid) => Some(uid),
            Asked::NoSuch => None,
            Asked::Closed => ["/proc/net/tcp", "/proc/net/tcp6"]
                .iter()
                .find_map(|list| listed(&std::fs::read_to_string(list).ok()?, peer.port(), own.port())),
        }
    }

    #[derive(Debug, PartialEq)]
    enum Asked {
        Owner(u32),
        NoSuch,
        /// The kernel cannot be asked from here.
        Closed,
    }

    /// `inet_diag_req_v2` for exactly this socket, answered by one `inet_diag_msg`.
    fn diag(peer: SocketAddr, own: SocketAddr) -> Asked {
        let (SocketAddr::V4(peer), SocketAddr::V4(own)) = (peer, own) else { return Asked::Closed };
        let mut ask = Vec::with_capacity(72);
        ask.extend(72u32.to_ne_bytes());
        // SOCK_DIAG_BY_FAMILY, NLM_F_REQUEST, sequence 1, from us.
        ask.extend(20u16.to_ne_bytes());
        ask.extend(1u16.to_ne_bytes());
        ask.extend(1u32.to_ne_bytes());
        ask.extend(0u32.to_ne_bytes());
        // AF_INET, TCP, no extensions, padding, every state.
        ask.extend([2, 6, 0, 0]);
        ask.extend(u32::MAX.to_ne_bytes());
        ask.extend(peer.port().to_be_bytes());
        ask.extend(own.port().to_be_bytes());
        for address in [peer.ip(), own.ip()] {
            ask.extend(address.octets());
            ask.extend([0; 12]);
        }
        // Any interface, any cookie.
        ask.extend(0u32.to_ne_bytes());
        ask.extend(u64::MAX.to_ne_bytes());
        match exchange(&ask) {
            Ok(told) => told_owner(&told, peer.port(), own.port()),
            Err(_) => Asked::Closed,
        }
    }

    fn exchange(ask: &[u8]) -> rustix::io::Result<Vec<u8>> {
        let flags = SocketFlags::CLOEXEC | SocketFlags::NONBLOCK;
        let socket =
            rustix::net::socket_with(AddressFamily::NETLINK, SocketType::DGRAM, flags, Some(SOCK_DIAG))?;
        rustix::net::sendto(&socket, ask, SendFlags::empty(), &SocketAddrNetlink::new(0, 0))?;
        let mut told = vec![0u8; 512];
        // The kernel has answered by the time the question is sent.
        let (got, _) = rustix::net::recv(&socket, told.as_mut_slice(), RecvFlags::empty())?;
        told.truncate(got);
        Ok(told)
    }

    /// Header of 16 bytes, then family, state, timer, retransmits, the ports, and the owner 64 bytes in.
    fn told_owner(told: &[u8], from: u16, to: u16) -> Asked {
        let number = |at: usize| Some(u32::from_ne_bytes(told.get(at..at + 4)?.try_into().ok()?));
        let port = |at: usize| Some(u16::from_be_bytes(told.get(at..at + 2)?.try_into().ok()?));
        match number(4).map(|word| u16::from_ne_bytes([word.to_ne_bytes()[0], word.to_ne_bytes()[1]])) {
            Some(20) if port(20) == Some(from) && port(22) == Some(to) => {
                number(16 + 64).map_or(Asked::Closed, Asked::Owner)
            }
            // NLMSG_ERROR with ENOENT.
            Some(2) if number(16) == Some((-2i32).cast_unsigned()) => Asked::NoSuch,
            _ => Asked::Closed,
        }
    }

    /// The same from the system's list: `sl local remote state queues timer retransmits uid …`.
    fn listed(list: &str, from: u16, to: u16) -> Option<u32> {
        let port = |address: &str| u16::from_str_radix(address.rsplit_once(':')?.1, 16).ok();
        list.lines().skip(1).find_map(|line| {
            let fields: Vec<&str> = line.split_whitespace().collect();
            let (local, remote) = (port(fields.get(1)?)?, port(fields.get(2)?)?);
            // 01 is a connection that stands; one that is being closed may belong to nobody any more.
            let stands = fields.get(3) == Some(&"01");
            if stands && local == from && remote == to { fields.get(7)?.parse().ok() } else { None }
        })
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn the_owner_of_a_connection_is_known() {
            let server = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
            let own = server.local_addr().unwrap();
            let client = std::net::TcpStream::connect(own).unwrap();
            let peer = client.local_addr().unwrap();
            let me = rustix::process::geteuid().as_raw();
            assert_eq!(owner(peer, own), Some(me));
            let list = std::fs::read_to_string("/proc/net/tcp").unwrap();
            assert_eq!(listed(&list, peer.port(), own.port()), Some(me));
            assert_eq!(listed(&list, 1, own.port()), None);
            let nobody = SocketAddr::from(([127, 0, 0, 1], 1));
            assert_eq!(owner(nobody, own), None);
            assert_eq!(told_owner(&[0; 20], 1, 2), Asked::Closed);
            // A sandbox may keep the question from the kernel; a wrong answer it never gives.
            assert!([Asked::Owner(me), Asked::Closed].contains(&diag(peer, own)));
            assert!([Asked::NoSuch, Asked::Closed].contains(&diag(nobody, own)));
        }
    }
}
