//! Fetching over the web. packd is a local service: nothing but a registry address a user configured gets here.
//!
//! Plain `http` is for loopback addresses only, and a secure address never leads to an insecure one.

use std::sync::Arc;
use std::time::Duration;

use ureq::tls::{Certificate, RootCerts, TlsConfig};

use crate::core::{Error, Kind, Result};

const CONNECT: Duration = Duration::from_secs(10);
const WHOLE: Duration = Duration::from_secs(120);

/// `env` is that of the session: its proxies are used, never those of whoever started the daemon.
pub fn fetch(url: &str, limit: u64, env: &[(String, String)]) -> Result<Vec<u8>> {
    let secure = url.starts_with("https://");
    if !secure && !is_loopback(url) {
        return Err(failed("is not an https address"));
    }
    let agent = ureq::Agent::config_builder()
        .tls_config(if secure { trust()? } else { TlsConfig::default() })
        .proxy(if secure { proxy(url, env) } else { None })
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

/// Trusts whom the system trusts, as it says at the moment: authorities come and go while a daemon runs.
fn trust() -> Result<TlsConfig> {
    let found = rustls_native_certs::load_native_certs();
    for error in &found.errors {
        tracing::warn!("Authorities that the system trusts cannot be read: {error}.");
    }
    if found.certs.is_empty() {
        return Err(failed("the system names no trusted authorities"));
    }
    let certs: Vec<_> = found.certs.iter().map(|cert| Certificate::from_der(cert).to_owned()).collect();
    let ciphers = Arc::new(rustls::crypto::ring::default_provider());
    Ok(TlsConfig::builder()
        .root_certs(RootCerts::new_with_certs(&certs))
        .unversioned_rustls_crypto_provider(ciphers)
        .build())
}

/// The proxy that the environment names for a secure address, if any.
fn proxy(url: &str, env: &[(String, String)]) -> Option<ureq::Proxy> {
    let value = |names: [&str; 2]| {
        let named =
            |name: &str| env.iter().find(|(n, v)| n == name && !v.is_empty()).map(|(_, v)| v.as_str());
        names.into_iter().find_map(named)
    };
    let host = host(url.strip_prefix("https://")?);
    let spared = |entry: &str| {
        let entry = entry.trim().trim_start_matches("*.").trim_start_matches('.');
        entry == "*" || (!entry.is_empty() && (host == entry || host.ends_with(&format!(".{entry}"))))
    };
    if value(["no_proxy", "NO_PROXY"]).is_some_and(|list| list.split(',').any(spared)) {
        return None;
    }
    let named = value(["https_proxy", "HTTPS_PROXY"]).or_else(|| value(["all_proxy", "ALL_PROXY"]))?;
    ureq::Proxy::new(named).ok()
}

/// The host of an address without its scheme.
fn host(rest: &str) -> &str {
    let authority = rest.split(['/', '?', '#']).next().unwrap_or("");
    let authority = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    let port = authority.rsplit_once(':').filter(|(_, port)| port.bytes().all(|b| b.is_ascii_digit()));
    port.map_or(authority, |(host, _)| host)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sessions_proxy_is_used_and_spares_what_it_says() {
        let env = [("HTTPS_PROXY", "http://p:3128"), ("no_proxy", "internal, .example.org")];
        let env: Vec<(String, String)> = env.map(|(n, v)| (n.to_string(), v.to_string())).to_vec();
        let host = |url: &str| proxy(url, &env).map(|p| p.host().to_string());
        assert_eq!(host("https://registry.net:8443/a"), Some("p".into()));
        assert_eq!(host("https://u@internal/a"), None);
        assert_eq!(host("https://a.example.org/a"), None);
        assert_eq!(proxy("https://registry.net/a", &[]).map(|p| p.port()), None);
    }
}
