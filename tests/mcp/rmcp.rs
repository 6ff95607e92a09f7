//! An independent, strict client (rmcp) against this server, in both eras.

use std::rc::Rc;

use rmcp::model::{CallToolRequestParams, ProtocolVersion, ReadResourceRequestParams, SubscriptionFilter};
use rmcp::service::{ClientLifecycleMode, RoleClient, RunningService, serve_client_with_lifecycle};
use serde_json::json;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream};

use crate::mcp::rig::{Client, Rig, run};

/// Plays the daemon's part: lines from the stream to the session, replies and notices back.
async fn serve(client: Client, stream: DuplexStream) {
    let (read, mut write) = tokio::io::split(stream);
    let mut lines = BufReader::new(read).lines();
    loop {
        tokio::select! {
            line = lines.next_line() => {
                let Ok(Some(line)) = line else { return };
                let (session, out) = (Rc::clone(&client.session), client.out.clone());
                tokio::task::spawn_local(async move {
                    if let Some(reply) = session.accept(line).await {
                        out.send(reply);
                    }
                });
            }
            () = client.out.changed() => {}
        }
        for line in client.out.take_lines() {
            if write.write_all(format!("{line}\n").as_bytes()).await.is_err() {
                return;
            }
        }
    }
}

async fn connect(rig: &Rig, lifecycle: ClientLifecycleMode) -> RunningService<RoleClient, ()> {
    let (ours, theirs) = tokio::io::duplex(1 << 20);
    tokio::task::spawn_local(serve(rig.client(), ours));
    serve_client_with_lifecycle((), theirs, lifecycle).await.unwrap()
}

async fn drive(peer: &RunningService<RoleClient, ()>) {
    let tools = peer.list_all_tools().await.unwrap();
    assert!(tools.iter().any(|t| t.name == "alpha_echo"));
    let args = json!({ "n": 1 }).as_object().unwrap().clone();
    let echoed = peer.call_tool(CallToolRequestParams::new("alpha_echo").with_arguments(args)).await.unwrap();
    assert_eq!(echoed.structured_content, Some(json!({ "n": 1 })));
    let failed = peer.call_tool(CallToolRequestParams::new("alpha_fail")).await.unwrap();
    assert_eq!(failed.is_error, Some(true));
    assert!(peer.call_tool(CallToolRequestParams::new("no_such")).await.is_err());
    assert_eq!(peer.list_all_resources().await.unwrap().len(), 250);
    assert_eq!(peer.list_all_resource_templates().await.unwrap().len(), 1);
    let read = peer.read_resource(ReadResourceRequestParams::new("alpha://2")).await.unwrap();
    assert_eq!(read.contents.len(), 1);
    assert!(peer.read_resource(ReadResourceRequestParams::new("alpha://999")).await.is_err());
    assert_eq!(peer.list_all_prompts().await.unwrap()[0].name, "alpha_start");
    let values = peer.complete_resource_simple("alpha://{n}", "n", "24").await.unwrap();
    assert_eq!(values.len(), 11);
}

#[test]
fn a_legacy_client_is_served() {
    run(async {
        let rig = Rig::new();
        let peer = connect(&rig, ClientLifecycleMode::Initialize).await;
        let info = peer.peer_info().unwrap();
        assert_eq!(info.protocol_version, ProtocolVersion::V_2025_11_25);
        drive(&peer).await;
        peer.cancel().await.unwrap();
    });
}

#[test]
fn a_modern_client_is_served_and_hears_what_it_listens_for() {
    run(async {
        let lifecycle =
            ClientLifecycleMode::Discover { preferred_versions: vec![ProtocolVersion::V_2026_07_28] };
        let rig = Rig::new();
        let peer = connect(&rig, lifecycle).await;
        let info = peer.peer_info().unwrap();
        assert_eq!(info.protocol_version, ProtocolVersion::V_2026_07_28);
        assert_eq!(info.server_info.as_ref().unwrap().name, "packd");
        drive(&peer).await;
        let filter = SubscriptionFilter::builder().resources_list_changed().build();
        let mut heard = peer.listen(filter).await.unwrap();
        peer.call_tool(CallToolRequestParams::new("alpha_write")).await.unwrap();
        assert!(heard.next().await.unwrap().is_some());
        heard.cancel().await.unwrap();
        peer.cancel().await.unwrap();
    });
}
