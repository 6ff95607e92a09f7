//! A confirmation is for what its preview showed: content, not only names; the deployed state; the record's name.

use std::fs;

use serde_json::json;

use super::eco::Eco;

#[test]
fn a_discard_is_bound_to_the_content_of_files() {
    let mut eco = Eco::installed();
    let draft = eco.clone("web").join("draft.txt");
    let readme = eco.clone("web").join("README.md");
    let hidden = eco.clone("web").join("key.local");
    fs::write(&draft, "one").unwrap();
    fs::write(&readme, "abc").unwrap();
    fs::write(&hidden, "ignored").unwrap();
    let discard = json!({"ecosystem": "demo", "force": true});
    for (file, text) in [(&draft, "two"), (&readme, "xyz"), (&hidden, "changed")] {
        let token = eco.token("amof_discard_ecosystem", discard.clone());
        // The same name, the same size, the same status.
        fs::write(file, text).unwrap();
        let (_, body) = eco.call("amof_confirm", json!({"token": token, "typed_value": "demo"}));
        assert!(body.to_string().contains("drift"), "{}: {body}", file.display());
        assert!(eco.workspace().exists());
    }
    let token = eco.token("amof_discard_ecosystem", discard);
    assert_eq!(eco.confirmed(&token)["status"], "success");
}

#[test]
fn a_deploy_is_bound_to_what_is_deployed() {
    let mut eco = Eco::installed();
    let first = eco.token("amof_spin_deploy", json!({"ecosystem": "demo"}));
    let second = eco.token("amof_spin_destroy", json!({"ecosystem": "demo"}));
    assert_eq!(eco.confirmed(&first)["status"], "success");
    let (_, body) = eco.call("amof_confirm", json!({"token": second, "typed_value": "demo"}));
    assert!(
        body.to_string().contains("drift"),
        "what stands was not deployed when this was previewed: {body}"
    );
}

#[test]
fn an_archive_writes_the_record_that_was_previewed() {
    let mut eco = Eco::installed();
    let staged = eco.ok("amof_archive_ecosystem", json!({"ecosystem": "demo"}));
    let said = staged.to_string();
    let start = said.find("ecosystems/demo/archives/").expect("the preview names the record");
    let name: String = said[start..].chars().take_while(|c| !"\"\\ ,".contains(*c)).collect();
    let token = staged["confirmation"]["token"].clone();
    assert_eq!(eco.confirmed(&token)["status"], "success");
    let listed = eco
        .git(&eco.root(), &["ls-tree", "-r", "--name-only", "workspace/demo", "ecosystems/demo/archives/"]);
    assert_eq!(listed, name);
}
