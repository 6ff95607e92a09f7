//! What every request must be before anything looks at it, and the headers that every answer carries.
//!
//! A page on another site, a name that resolves to this machine and a program that sends forms are all turned away
//! here, whatever they know. Who is signed in is not known here.

use hyper::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HOST, HeaderMap, HeaderName, HeaderValue, ORIGIN,
    REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use hyper::{Method, Request, StatusCode};

const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; \
                      base-uri 'none'; form-action 'self'; frame-ancestors 'none'";
const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// Why a request was turned away.
#[derive(Debug, Clone)]
pub struct Refusal {
    pub status: StatusCode,
    pub code: &'static str,
    pub message: String,
    pub hint: Option<String>,
}

impl Refusal {
    pub fn new(status: StatusCode, code: &'static str, message: impl Into<String>) -> Refusal {
        Refusal { status, code, message: message.into(), hint: None }
    }

    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Refusal {
        self.hint = Some(hint.into());
        self
    }
}

/// The one name under which the page is reached.
pub fn host(port: u16) -> String {
    format!("127.0.0.1:{port}")
}

/// Looks at everything but the path, the cookie and the body.
pub fn check<B>(request: &Request<B>, port: u16) -> Result<(), Refusal> {
    let method = request.method();
    if ![Method::GET, Method::HEAD, Method::POST].contains(method) {
        let message = "The page is read with GET and acted on with POST.";
        return Err(Refusal::new(StatusCode::METHOD_NOT_ALLOWED, "method", message));
    }
    let headers = request.headers();
    let ours = host(port);
    // A request for a proxy names a server of its own.
    if request.uri().authority().is_some() || only(headers, &HOST) != Some(ours.as_str()) {
        let message = format!("This server answers to http://{ours} and to no other name.");
        return Err(Refusal::new(StatusCode::MISDIRECTED_REQUEST, "host", message));
    }
    let origin = headers.contains_key(ORIGIN).then(|| only(headers, &ORIGIN));
    if origin.is_some_and(|said| said != Some(format!("http://{ours}").as_str())) {
        let message = "The request comes from a page of another site.";
        return Err(Refusal::new(StatusCode::FORBIDDEN, "origin", message));
    }
    let site = headers.contains_key(&SEC_FETCH_SITE).then(|| only(headers, &SEC_FETCH_SITE));
    if site.is_some_and(|said| !matches!(said, Some("same-origin" | "none"))) {
        let message = "The request was made by another site, not by this page or its user.";
        return Err(Refusal::new(StatusCode::FORBIDDEN, "site", message));
    }
    if method == Method::POST && !is_json(headers) {
        let message = "A POST must carry a body of the type application/json.";
        return Err(Refusal::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "content_type", message));
    }
    Ok(())
}

/// The value of a header that is there exactly once.
pub fn only<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    let mut all = headers.get_all(name).iter();
    let first = all.next()?.to_str().ok()?;
    all.next().is_none().then_some(first)
}

fn is_json(headers: &HeaderMap) -> bool {
    let said = only(headers, &CONTENT_TYPE).unwrap_or_default();
    let kind = said.split(';').next().unwrap_or_default().trim();
    kind.eq_ignore_ascii_case("application/json")
}

/// The headers of every answer.
fn closed() -> [(HeaderName, &'static str); 7] {
    [
        (CONTENT_SECURITY_POLICY, POLICY),
        (X_FRAME_OPTIONS, "DENY"),
        (REFERRER_POLICY, "no-referrer"),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (CACHE_CONTROL, "no-store"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    ]
}

/// Puts them in place.
pub fn close_off(headers: &mut HeaderMap) {
    for (name, value) in closed() {
        headers.insert(name, HeaderValue::from_static(value));
    }
}

/// The same for a refusal that was made before there was a request: bytes that are no HTTP, headers without end.
/// `None` for everything else that is sent.
pub fn close_off_early(sent: &[u8]) -> Option<Vec<u8>> {
    let refuses = sent.starts_with(b"HTTP/1.") && sent.get(9) == Some(&b'4');
    let head = sent.strip_suffix(b"\r\n\r\n").filter(|_| refuses)?;
    let name = CONTENT_SECURITY_POLICY.as_str().as_bytes();
    if head.windows(name.len()).any(|part| part == name) {
        return None;
    }
    let mut out = head.to_vec();
    for (name, value) in closed() {
        out.extend_from_slice(format!("\r\n{name}: {value}").as_bytes());
    }
    out.extend_from_slice(b"\r\n\r\n");
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(method: &str, uri: &str, headers: &[(&str, &str)]) -> Option<&'static str> {
        let mut request = Request::builder().method(method).uri(uri);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        check(&request.body(()).unwrap(), 4000).err().map(|r| r.code)
    }

    #[test]
    fn a_refusal_without_a_request_is_closed_off_once() {
        let bare = b"HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n";
        let closed = close_off_early(bare).unwrap();
        let text = String::from_utf8(closed.clone()).unwrap();
        assert!(text.starts_with("HTTP/1.1 400 Bad Request\r\n") && text.ends_with("\r\n\r\n"), "{text}");
        assert!(text.contains("\r\nx-frame-options: DENY\r\n"), "{text}");
        assert_eq!(close_off_early(&closed), None);
        assert_eq!(close_off_early(b"HTTP/1.1 200 OK\r\n\r\n"), None);
        assert_eq!(close_off_early(b"<p>HTTP/1.1 400</p>\r\n\r\n"), None);
    }

    #[test]
    fn only_this_page_and_its_user_get_through() {
        let host = ("host", "127.0.0.1:4000");
        let json = ("content-type", "application/json; charset=utf-8");
        assert_eq!(refused("GET", "/", &[host]), None);
        assert_eq!(refused("HEAD", "/", &[host, ("sec-fetch-site", "none")]), None);
        assert_eq!(refused("POST", "/x", &[host, json, ("origin", "http://127.0.0.1:4000")]), None);
        for name in ["localhost:4000", "127.0.0.1", "127.0.0.1:4001", "evil.example:4000", "127.0.0.1:4000 "]
        {
            assert_eq!(refused("GET", "/", &[("host", name)]), Some("host"), "{name}");
        }
        assert_eq!(refused("GET", "/", &[]), Some("host"));
        assert_eq!(refused("GET", "/", &[host, host]), Some("host"));
        assert_eq!(refused("GET", "http://127.0.0.1:4000/", &[host]), Some("host"));
        for origin in ["null", "http://localhost:4000", "http://127.0.0.1:4001", "https://127.0.0.1:4000", ""]
        {
            assert_eq!(refused("GET", "/", &[host, ("origin", origin)]), Some("origin"), "{origin}");
        }
        for site in ["cross-site", "same-site", ""] {
            assert_eq!(refused("GET", "/", &[host, ("sec-fetch-site", site)]), Some("site"), "{site}");
        }
        for kind in ["text/plain", "application/x-www-form-urlencoded", "application/jsonx", ""] {
            assert_eq!(
                refused("POST", "/x", &[host, ("content-type", kind)]),
                Some("content_type"),
                "{kind}"
            );
        }
        for method in ["PUT", "DELETE", "OPTIONS", "CONNECT", "TRACE"] {
            assert_eq!(refused(method, "/", &[host]), Some("method"), "{method}");
        }
    }
}
