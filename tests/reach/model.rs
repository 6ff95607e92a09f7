//! A model that does as it is told: speaks the wire of each vendor's API well enough for its command line, asks for the
//! tools of a script one after the other, then says that it is done. Keeps what it was sent.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

/// One call the model asks for. Arguments that are a text make it a call with free input, where the API has those.
#[derive(Clone)]
pub struct Ask {
    pub tool: &'static str,
    pub args: Value,
}

pub struct Model {
    pub port: u16,
    heard: Arc<Mutex<Vec<String>>>,
}

impl Model {
    /// Listens on a port of the system's choice for as long as the process lives.
    pub fn start(script: Vec<Ask>) -> Model {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let heard = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&heard);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (script, kept) = (script.clone(), Arc::clone(&kept));
                std::thread::spawn(move || {
                    let _ = serve(stream, &script, &kept);
                });
            }
        });
        Model { port, heard }
    }

    /// Everything that reached the model, as it was sent.
    pub fn heard(&self) -> String {
        self.heard.lock().unwrap().join("\n")
    }

    /// The first request that a turn of the session began with: the first that offers tools.
    pub fn first(&self) -> String {
        let offers = |text: &&String| {
            let asked: Value = serde_json::from_str(text).unwrap_or_default();
            asked["tools"].as_array().is_some_and(|tools| !tools.is_empty())
        };
        self.heard.lock().unwrap().iter().find(offers).cloned().unwrap_or_default()
    }
}

fn serve(stream: TcpStream, script: &[Ask], kept: &Mutex<Vec<String>>) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut out = stream;
    loop {
        let mut first = String::new();
        if reader.read_line(&mut first)? == 0 {
            return Ok(());
        }
        let path = first.split(' ').nth(1).unwrap_or_default().to_string();
        // Hosts have this as their proxy: nothing leaves the machine.
        if first.starts_with("CONNECT ") || path.starts_with("http://") {
            return out
                .write_all(b"HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
        }
        let (mut length, mut chunked) = (0, false);
        loop {
            let mut line = String::new();
            reader.read_line(&mut line)?;
            let line = line.trim().to_ascii_lowercase();
            if line.is_empty() {
                break;
            }
            if let Some(n) = line.strip_prefix("content-length:") {
                length = n.trim().parse().unwrap_or(0);
            }
            chunked |= line.starts_with("transfer-encoding:") && line.contains("chunked");
        }
        let mut body = vec![0; length];
        if chunked {
            loop {
                let mut size = String::new();
                reader.read_line(&mut size)?;
                let size = usize::from_str_radix(size.trim(), 16).unwrap_or(0);
                let mut chunk = vec![0; size + 2];
                reader.read_exact(&mut chunk)?;
                if size == 0 {
                    break;
                }
                body.extend_from_slice(&chunk[..size]);
            }
        } else {
            reader.read_exact(&mut body)?;
        }
        let text = String::from_utf8_lossy(&body).into_owned();
        let asked: Value = serde_json::from_str(&text).unwrap_or_default();
        kept.lock().unwrap().push(text);
        let (kind, answer) = answer(&path, &asked, script);
        write!(
            out,
            "HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\ncontent-length: {}\r\n\r\n{answer}",
            answer.len()
        )?;
        out.flush()?;
    }
}

/// How many of the script's calls were answered, by counting what an API calls a result.
fn done(asked: &Value, results: &[&str]) -> usize {
    match asked {
        Value::Object(map) => {
            let own = results
                .iter()
                .any(|kind| asked["type"] == *kind || asked["role"] == *kind || map.contains_key(*kind));
            usize::from(own)
                + map.values().map(|value| done(value, results)).sum::<usize>() * usize::from(!own)
        }
        Value::Array(list) => list.iter().map(|value| done(value, results)).sum(),
        _ => 0,
    }
}

fn answer(path: &str, asked: &Value, script: &[Ask]) -> (&'static str, String) {
    const EVENTS: &str = "text/event-stream";
    const JSON: &str = "application/json";
    let next = |count: usize| {
        script.get(count).filter(|_| asked["tools"].as_array().is_some_and(|tools| !tools.is_empty()))
    };
    if path.contains("count_tokens") || path.contains("countTokens") {
        (JSON, json!({"input_tokens": 10, "totalTokens": 10}).to_string())
    } else if path.contains("/messages") {
        let n = done(&asked["messages"], &["tool_result"]);
        (EVENTS, anthropic(n, next(n)))
    } else if path.contains("/responses") {
        let n = done(&asked["input"], &["function_call_output", "custom_tool_call_output"]);
        (EVENTS, responses(n, next(n)))
    } else if path.contains("/chat/completions") {
        let n = done(&asked["messages"], &["tool"]);
        (EVENTS, chat(n, next(n)))
    } else if path.contains("enerateContent") {
        let n = done(&asked["contents"], &["functionResponse"]);
        let body = gemini(n, next(n));
        if path.contains("stream") { (EVENTS, format!("data: {body}\n\n")) } else { (JSON, body.to_string()) }
    } else {
        (JSON, json!({"data": [], "models": []}).to_string())
    }
}

fn events(list: &[Value]) -> String {
    list.iter()
        .map(|event| format!("event: {}\ndata: {event}\n\n", event["type"].as_str().unwrap_or_default()))
        .collect()
}

fn anthropic(n: usize, ask: Option<&Ask>) -> String {
    let usage = json!({"input_tokens": 1, "output_tokens": 1});
    let start = json!({"type": "message_start", "message": {"id": format!("msg_{n}"), "type": "message", "role": "assistant",
        "model": "m", "content": [], "stop_reason": null, "stop_sequence": null, "usage": usage}});
    let (block, delta, why) = match ask {
        Some(ask) => (
            json!({"type": "tool_use", "id": format!("toolu_{n}"), "name": ask.tool, "input": {}}),
            json!({"type": "input_json_delta", "partial_json": ask.args.to_string()}),
            "tool_use",
        ),
        None => (
            json!({"type": "text", "text": ""}),
            json!({"type": "text_delta", "text": "All done."}),
            "end_turn",
        ),
    };
    events(&[
        start,
        json!({"type": "content_block_start", "index": 0, "content_block": block}),
        json!({"type": "content_block_delta", "index": 0, "delta": delta}),
        json!({"type": "content_block_stop", "index": 0}),
        json!({"type": "message_delta", "delta": {"stop_reason": why, "stop_sequence": null}, "usage": usage}),
        json!({"type": "message_stop"}),
    ])
}

fn responses(n: usize, ask: Option<&Ask>) -> String {
    let item = match ask {
        Some(Ask { tool, args: Value::String(input) }) => {
            json!({"type": "custom_tool_call", "id": format!("ct_{n}"),
            "call_id": format!("call_{n}"), "name": tool, "input": input, "status": "completed"})
        }
        Some(ask) => json!({"type": "function_call", "id": format!("fc_{n}"), "call_id": format!("call_{n}"),
            "name": ask.tool, "arguments": ask.args.to_string(), "status": "completed"}),
        None => json!({"type": "message", "id": format!("m_{n}"), "role": "assistant", "status": "completed",
            "content": [{"type": "output_text", "text": "All done.", "annotations": []}]}),
    };
    let whole = json!({"id": format!("resp_{n}"), "object": "response", "status": "completed", "output": [item], "model": "m",
        "usage": {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2,
                  "input_tokens_details": {"cached_tokens": 0}, "output_tokens_details": {"reasoning_tokens": 0}}});
    events(&[
        json!({"type": "response.created", "response": whole}),
        json!({"type": "response.output_item.added", "output_index": 0, "item": item}),
        json!({"type": "response.output_item.done", "output_index": 0, "item": item}),
        json!({"type": "response.completed", "response": whole}),
    ])
}

fn chat(n: usize, ask: Option<&Ask>) -> String {
    let (delta, why) = match ask {
        Some(ask) => {
            let function = json!({"name": ask.tool, "arguments": ask.args.to_string()});
            let call =
                json!({"index": 0, "id": format!("call_{n}"), "type": "function", "function": function});
            (json!({"role": "assistant", "content": null, "tool_calls": [call]}), "tool_calls")
        }
        None => (json!({"role": "assistant", "content": "All done."}), "stop"),
    };
    let chunk = |delta: Value, why: Value| {
        json!({"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m",
               "choices": [{"index": 0, "delta": delta, "finish_reason": why}],
               "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}})
    };
    format!(
        "data: {}\n\ndata: {}\n\ndata: [DONE]\n\n",
        chunk(delta, Value::Null),
        chunk(json!({}), json!(why))
    )
}

fn gemini(n: usize, ask: Option<&Ask>) -> Value {
    let part = match ask {
        Some(ask) => json!({"functionCall": {"name": ask.tool, "args": ask.args, "id": format!("g{n}")}}),
        None => json!({"text": "All done."}),
    };
    json!({"candidates": [{"content": {"role": "model", "parts": [part]}, "finishReason": "STOP", "index": 0}],
           "usageMetadata": {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2}, "modelVersion": "m"})
}
