//! What a person can do there: one operation or one confirmation each, with `ui` as its client, behind every gate
//! that stands elsewhere.

use packd::daemon::passphrase::KeptPassphrase;
use packd::engine::confirm::person::Passphrase;
use serde_json::{Value, json};

use super::visit::{Answer, Visit, agent, asks_for_deploy, attribute, call, deployable, gated};
use crate::common::real::Place;

fn newest(place: &Place) -> Value {
    place.packd(&["history", "--json"]).json()["operations"][0].clone()
}

fn approve(visit: &Visit, id: &str, more: Value) -> Answer {
    let page = visit.get("/").body;
    let shown = attribute(&page, &format!("data-act=\"approve\" data-id=\"{id}\""), "data-shown");
    let mut body = json!({"id": id, "shown": shown});
    for (name, value) in more.as_object().into_iter().flatten() {
        body[name] = value.clone();
    }
    visit.post("/approve", &body)
}

fn code(answer: &Answer) -> String {
    answer.json()["code"].as_str().unwrap_or_default().to_string()
}

#[test]
fn undo_redo_and_revert_are_previewed_and_are_operations_of_ui() {
    let visit = Visit::new();
    visit.place.packd(&["task", "add", "One"]).ok();
    visit.place.packd(&["pack", "new", "Login"]).ok();
    let id = newest(&visit.place)["operation_id"].clone();
    let page = visit.get("/").body;
    let mark = format!("data-act=\"undo\" data-id=\"{}\"", id.as_str().unwrap());
    assert!(page.contains(&mark), "Undo stands beside the newest: {page}");
    assert!(page.contains("data-act=\"revert\""), "and Revert beside the others: {page}");
    let preview = visit.post("/undo", &json!({"operation_id": id}));
    assert_eq!(preview.status, 200, "{preview:?}");
    assert!(preview.json()["preview"].as_str().unwrap().contains("This takes back"), "{preview:?}");
    assert_eq!(preview.json()["done"], false);
    assert_eq!(newest(&visit.place)["operation_id"], id, "a preview does nothing");
    let done = visit.post("/undo", &json!({"operation_id": id, "yes": true}));
    assert_eq!((done.status, &done.json()["done"]), (200, &json!(true)), "{done:?}");
    let op = newest(&visit.place);
    assert_eq!((&op["kind"], &op["who"]["client"], &op["of"]), (&json!("undo"), &json!("ui"), &id));
    let page = visit.get("/").body;
    assert!(page.contains("data-act=\"redo\""), "{page}");
    assert_eq!(visit.post("/redo", &json!({"operation_id": id, "yes": true})).status, 200);
    assert_eq!(
        (&newest(&visit.place)["kind"], &newest(&visit.place)["who"]["client"]),
        (&json!("redo"), &json!("ui"))
    );
    let older =
        visit.place.packd(&["history", "--family", "tasks", "--json"]).json()["operations"][0].clone();
    let reverted = visit.post("/revert", &json!({"operation_id": older["operation_id"], "yes": true}));
    assert_eq!(reverted.status, 200, "{reverted:?}");
    let op = newest(&visit.place);
    assert_eq!((&op["kind"], &op["who"]["client"]), (&json!("revert"), &json!("ui")));
}

#[test]
fn what_cannot_be_taken_back_is_refused_with_the_reason() {
    let visit = Visit::new();
    visit.place.packd(&["task", "add", "One"]).ok();
    let ops = visit.place.packd(&["history", "--json"]).json()["operations"].clone();
    let oldest = ops.as_array().unwrap().last().unwrap()["operation_id"].clone();
    let refused = visit.post("/undo", &json!({"operation_id": oldest}));
    assert_eq!((refused.status, code(&refused).as_str()), (409, "refused"), "not the newest: {refused:?}");
    for forged in ["", "nosuch", "01a1ed7f-eec9-7dc4-8bd2-000000000000", "../../etc/passwd", "<script>"] {
        for path in ["/undo", "/redo", "/revert"] {
            let answer = visit.post(path, &json!({"operation_id": forged, "yes": true}));
            assert_eq!(answer.status, 409, "{path} {forged}: {answer:?}");
        }
        assert_eq!(visit.post("/approve", &json!({"id": forged, "shown": ""})).status, 409);
        assert_eq!(visit.post("/decline", &json!({"id": forged})).status, 409);
    }
    for wrong in [json!({}), json!({"operation_id": 7}), json!({"operation_id": "x", "more": 1}), json!([1])]
    {
        assert_eq!(visit.post("/undo", &wrong).status, 400, "{wrong}");
    }
    assert_eq!(visit.place.packd(&["history", "--json"]).json()["operations"], ops, "nothing was changed");
}

#[test]
fn approving_counts_as_a_person_and_is_audited_with_the_text() {
    let visit = Visit::at(gated(""));
    let mut agent = agent(&visit.place);
    let id = asks_for_deploy(&mut agent);
    let file = visit.place.work().join("AGENTS.md");
    assert!(!file.exists());
    let changed = visit.post("/approve", &json!({"id": id, "shown": "0".repeat(64)}));
    assert_eq!(
        (changed.status, code(&changed).as_str()),
        (409, "changed"),
        "only what was seen: {changed:?}"
    );
    assert!(!file.exists());
    let done = approve(&visit, &id, json!({}));
    assert_eq!((done.status, &done.json()["done"]), (200, &json!(true)), "{done:?}");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "# base\n");
    let audit = visit.place.packd(&["history", "--audit", "--json"]).json();
    let confirmed = audit["operations"]
        .as_array()
        .unwrap()
        .iter()
        .find(|r| r["summary"].as_str().unwrap().contains("confirmed"))
        .unwrap_or_else(|| panic!("{audit}"))
        .clone();
    assert_eq!(confirmed["who"]["client"], "ui");
    let whole = visit.place.packd(&["show", confirmed["operation_id"].as_str().unwrap(), "--json"]).json();
    assert_eq!((&whole["data"]["by"], &whole["data"]["id"]), (&json!("person"), &json!(id)));
    assert!(whole["data"]["text"].as_str().unwrap().contains("AGENTS.md"), "{whole}");
    assert!(whole["data"]["text"].as_str().unwrap().contains("+# base"), "with the content: {whole}");
    let record = visit.get(&format!("/operation/{}", confirmed["operation_id"].as_str().unwrap())).body;
    assert!(record.contains("What was shown") && record.contains("<ins>+# base"), "{record}");
    let again = visit.post("/approve", &json!({"id": id, "shown": ""}));
    assert_eq!((again.status, code(&again).as_str()), (409, "not_waiting"));
    // The deploy wrote files; the person takes it back here, too.
    let op = newest(&visit.place)["operation_id"].clone();
    let preview = visit.post("/undo", &json!({"operation_id": op}));
    assert!(preview.json()["preview"].as_str().unwrap().contains("AGENTS.md"), "{preview:?}");
    assert_eq!(visit.post("/undo", &json!({"operation_id": op, "yes": true})).status, 200);
    assert!(!file.exists());
}

#[test]
fn declining_is_told_to_whoever_asked() {
    let visit = Visit::at(gated(""));
    let mut agent = agent(&visit.place);
    let id = asks_for_deploy(&mut agent);
    assert_eq!(visit.post("/decline", &json!({"id": id})).status, 200);
    let told = call(&mut agent, "amof_list_pending", json!({"id": id}));
    assert_eq!(told["decided"][0]["status"], "declined", "{told}");
    assert!(!visit.place.work().join("AGENTS.md").exists());
    assert!(!visit.get("/").body.contains(&format!("data-confirmation=\"{id}\"")));
}

/// The page does not open what the terminal keeps shut.
#[test]
fn a_passphrase_is_asked_for_and_three_wrong_ones_end_the_sign_in() {
    let place = gated("");
    KeptPassphrase::new(&place.home()).change(Some("correct horse")).unwrap();
    let mut visit = Visit::at(place);
    let mut agent = agent(&visit.place);
    let id = asks_for_deploy(&mut agent);
    let bare = approve(&visit, &id, json!({}));
    assert_eq!((bare.status, code(&bare).as_str()), (403, "needs_passphrase"), "{bare:?}");
    for left in ["2 tries are left", "1 try is left"] {
        let wrong = approve(&visit, &id, json!({"passphrase": "wrong horse"}));
        assert_eq!((wrong.status, code(&wrong).as_str()), (403, "wrong_passphrase"), "{wrong:?}");
        assert!(wrong.body.contains(left), "{wrong:?}");
    }
    let last = approve(&visit, &id, json!({"passphrase": "wrong horse"}));
    assert_eq!((last.status, code(&last).as_str()), (401, "signed_out"), "{last:?}");
    assert_eq!(visit.get("/").status, 401);
    assert!(!visit.place.work().join("AGENTS.md").exists());
    visit.code = super::visit::open(&visit.place, &[]).1;
    visit.sign_in();
    let done = approve(&visit, &id, json!({"passphrase": "correct horse"}));
    assert_eq!(done.status, 200, "{done:?}");
    // The passphrase was for that one act: the next asks again.
    let op = newest(&visit.place)["operation_id"].clone();
    let undo = visit.post("/undo", &json!({"operation_id": op, "yes": true}));
    assert_eq!((undo.status, code(&undo).as_str()), (403, "needs_passphrase"), "{undo:?}");
    assert!(visit.place.work().join("AGENTS.md").exists());
    let body = json!({"operation_id": op, "yes": true, "passphrase": "correct horse"});
    assert_eq!(visit.post("/undo", &body).status, 200);
    assert!(!visit.place.work().join("AGENTS.md").exists());
    let redo = visit.post("/redo", &json!({"operation_id": op, "yes": true}));
    assert_eq!((redo.status, code(&redo).as_str()), (403, "needs_passphrase"), "{redo:?}");
    assert!(!visit.place.work().join("AGENTS.md").exists());
    let log =
        visit.place.log() + &visit.place.packd(&["history", "--audit", "--json", "--limit", "100"]).stdout;
    assert!(!log.contains("horse"), "it is recorded nowhere");
}

/// Ceilings of the configuration bind the page as they bind the command line.
#[test]
fn a_ceiling_is_shown_with_its_reason_and_holds() {
    let mut visit = Visit::at(gated(""));
    let mut first = agent(&visit.place);
    let id = asks_for_deploy(&mut first);
    drop(first);
    visit.place.packd(&["task", "add", "One"]).ok();
    visit.place.packd(&["stop"]).ok();
    let config = "confirm = \"human\"\nmax_mode = \"plan\"\n";
    std::fs::write(visit.place.home().config(), config).unwrap();
    (visit.port, visit.code) = super::visit::open(&visit.place, &[]);
    visit.sign_in();
    let page = visit.get("/").body;
    assert!(page.contains("It cannot be approved: the ceiling"), "{page}");
    let button = page.split("data-act=\"approve\"").nth(1).unwrap().split('>').next().unwrap();
    assert!(button.contains("disabled"), "{button}");
    assert!(page.contains("max_mode = &quot;plan&quot;"), "{page}");
    let refused = approve(&visit, &id, json!({}));
    assert_eq!((refused.status, code(&refused).as_str()), (409, "forbidden"), "{refused:?}");
    assert!(!visit.place.work().join("AGENTS.md").exists());
    let op = newest(&visit.place)["operation_id"].clone();
    let undo = visit.post("/undo", &json!({"operation_id": op, "yes": true}));
    assert_eq!((undo.status, code(&undo).as_str()), (409, "ceiling"), "{undo:?}");
    assert_eq!(newest(&visit.place)["operation_id"], op);
}

/// Without `confirm = "human"` an agent confirms by itself; a person may do it on the page as well.
#[test]
fn files_are_taken_back_with_a_preview_of_each() {
    let place = Place::new();
    deployable(&place);
    let visit = Visit::at(place);
    visit.place.packd(&["deploy", "--apply", "--yes"]).ok();
    let op = newest(&visit.place)["operation_id"].clone();
    std::fs::write(visit.place.work().join("AGENTS.md"), "changed since\n").unwrap();
    let refused = visit.post("/undo", &json!({"operation_id": op, "yes": true}));
    assert_eq!(refused.status, 409, "{refused:?}");
    assert!(refused.body.contains("AGENTS.md"), "the file in the way is named: {refused:?}");
    assert_eq!(std::fs::read_to_string(visit.place.work().join("AGENTS.md")).unwrap(), "changed since\n");
}
