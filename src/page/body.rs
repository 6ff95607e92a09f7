//! The body of a POST: JSON, small, and there in time.

use std::future::poll_fn;
use std::pin::Pin;
use std::time::Duration;

use hyper::StatusCode;
use hyper::body::{Body, Incoming};
use serde::de::DeserializeOwned;

use super::guard::Refusal;

/// Longer ones are refused.
const LONGEST: usize = 64 * 1024;
/// The whole body must have arrived by then.
const WITHIN: Duration = Duration::from_secs(30);

/// Reads and understands a body; nothing of one that is too long is kept.
pub async fn read<T: DeserializeOwned>(body: Incoming) -> Result<T, Refusal> {
    let too_long = || {
        let message = format!("A body may have {LONGEST} bytes at most.");
        Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, "too_large", message)
    };
    if body.size_hint().lower() > LONGEST as u64 {
        return Err(too_long());
    }
    let gathered = tokio::time::timeout(WITHIN, gather(body)).await.map_err(|_| {
        Refusal::new(StatusCode::REQUEST_TIMEOUT, "too_slow", "The body did not arrive in time.")
    })?;
    let bytes = gathered?.ok_or_else(too_long)?;
    serde_json::from_slice(&bytes).map_err(|e| {
        let message = format!("The body is not what is expected here: {e}.");
        Refusal::new(StatusCode::BAD_REQUEST, "body", message)
    })
}

/// `None` = it was too long.
async fn gather(mut body: Incoming) -> Result<Option<Vec<u8>>, Refusal> {
    let mut out = Vec::new();
    while let Some(frame) = poll_fn(|context| Pin::new(&mut body).poll_frame(context)).await {
        let frame =
            frame.map_err(|_| Refusal::new(StatusCode::BAD_REQUEST, "body", "The body broke off."))?;
        if let Some(bytes) = frame.data_ref() {
            if out.len() + bytes.len() > LONGEST {
                return Ok(None);
            }
            out.extend_from_slice(bytes);
        }
    }
    Ok(Some(out))
}
