//! Fetching over the web. packd is a local service: nothing but a registry address a user configured gets here.
//!
//! Plain `http` is for loopback addresses only, and a secure address never leads to an insecure one.

use std::time::Duration;

use ureq::tls::{RootCerts, TlsConfig};

use crate::core::{Error, Kind, Result};

const CONNECT: Duration = Duration::from_secs(10);
const WHOLE: Duration = Duration::from_secs(120);

pub fn fetch(url: &str, limit: u64) -> Result<Vec<u8>> {
    let secure = url.starts_with("https://");
    if !secure && !is_loopback(url) {
        return Err(failed("is not an https address"));
    }
    let trust = TlsConfig::builder().root_certs(RootCerts::PlatformVerifier).build();
    let agent = ureq::Agent::config_builder()
        .tls_config(trust)
        .https_only(secure)
        .max_redirects(if secure { 5 } else { 0 })
        .timeout_connect(Some(CONNECT))
        .timeout_global(Some(WHOLE))
        .user_agent(concat!("packd/", env!("CARGO_PKG_VERSION")))
        .build()
        .new_agent();
    let mut response = agent.get(url).call().map_err(told)?;
    response.body_mut().with_config().limit(limit).read_to_vec().map_err(told)
}

fn is_loopback(url: &str) -> bool {
    let host = url.strip_prefix("http://").map(|rest| rest.split(['/', '?', '#']).next().unwrap_or(""));
    host.is_some_and(|h| {
        let name = h.rsplit_once(':').filter(|(_, port)| port.bytes().all(|b| b.is_ascii_digit()));
        matches!(name.map_or(h, |(name, _)| name), "127.0.0.1" | "localhost" | "[::1]")
    })
}

/// Never with the address itself: it may hold credentials, and the caller knows it.
fn told(error: ureq::Error) -> Error {
    match error {
        ureq::Error::StatusCode(404 | 410) => Error::not_found("the server does not have it"),
        ureq::Error::StatusCode(code) => failed(&format!("the server answered with status {code}")),
        ureq::Error::BodyExceedsLimit(n) => failed(&format!("the answer has more than {n} bytes")),
        ureq::Error::Timeout(_) => failed("the server did not answer in time"),
        ureq::Error::HostNotFound => failed("the host name is unknown"),
        ureq::Error::ConnectionFailed => failed("the connection failed"),
        ureq::Error::Io(e) => failed(&format!("the connection failed ({e})")),
        other => failed(&format!("the request failed ({other})")),
    }
}

fn failed(why: &str) -> Error {
    Error::new(Kind::Io, "unreachable", why)
}
