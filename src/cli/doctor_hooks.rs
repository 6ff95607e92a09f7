//! What `packd doctor` says about hooks: which hosts have them, whether they fire, and how long they take.

use serde_json::Value;

use super::view::doctor::{CheckVerdict, DoctorCheck};
use super::{Client, ToolArgs, gc, setup};

const NAME: &str = "hooks";

/// One line for each host that has packd's hooks, by its settings or by the plugin.
pub fn checks(client: &mut Client) -> Vec<DoctorCheck> {
    let Ok(hosts) = setup::survey(client) else { return Vec::new() };
    let Ok(entries) = setup::survey_hooks(client) else { return Vec::new() };
    let seen = client.request("packd/doctor", ToolArgs::new()).unwrap_or_default()["hooks"].clone();
    let seen = seen.as_array().cloned().unwrap_or_default();
    let has = |rows: &[Value], host: &Value, field: &str| {
        rows.iter().any(|row| row["host"] == *host && (row[field] == true || row[field].as_u64() > Some(0)))
    };
    let mut checks = Vec::new();
    for row in &hosts {
        let host = row["host"].as_str().unwrap_or_default();
        let (plain, plugin) = (has(&entries, &row["host"], "hooks"), row["plugin"] == true);
        if plain && plugin {
            let found = format!("{host} has packd's hooks in its settings and in the plugin");
            checks.push(DoctorCheck::bad(
                NAME,
                CheckVerdict::Warn,
                found,
                format!("Run `packd setup {host} --hooks --remove`."),
            ));
        } else if plain || plugin {
            let told: Vec<&Value> = seen.iter().filter(|one| one["host"] == row["host"]).collect();
            checks.push(fired(host, &told));
        }
    }
    checks
}

fn fired(host: &str, told: &[&Value]) -> DoctorCheck {
    let sum = |field: &str| told.iter().filter_map(|row| row[field].as_u64()).sum::<u64>();
    let count = sum("count");
    if count == 0 {
        let found = format!("{host} has packd's hooks, and none has fired since packd was started");
        return DoctorCheck::bad(
            NAME,
            CheckVerdict::Warn,
            found,
            "Start a new session there. Codex runs hooks only after you trust them with /hooks.",
        );
    }
    let total: u64 =
        told.iter().filter_map(|row| Some(row["count"].as_u64()? * row["mean_us"].as_u64()?)).sum();
    let longest = told.iter().filter_map(|row| row["max_us"].as_u64()).max().unwrap_or(0);
    let last = told.iter().filter_map(|row| row["seconds_ago"].as_u64()).min().unwrap_or(0);
    let found = format!(
        "{host}: {count} fired, {} on average, {} at most, last {}",
        millis(total / count),
        millis(longest),
        gc::ago(last)
    );
    let late = sum("late");
    if let Some(trouble) = told.iter().find_map(|row| row["trouble"].as_str()) {
        return DoctorCheck::bad(
            NAME,
            CheckVerdict::Warn,
            format!("{found}; {trouble}"),
            "Look at packd's log.",
        );
    }
    if late * 10 > count {
        let found = format!("{found}; {late} came too late for the host");
        return DoctorCheck::bad(
            NAME,
            CheckVerdict::Warn,
            found,
            "A slow disk or a very large project; PACKD_HOOK_MS lets hooks wait longer.",
        );
    }
    DoctorCheck::pass(NAME, found)
}

fn millis(micros: u64) -> String {
    format!("{}.{} ms", micros / 1000, micros % 1000 / 100)
}
