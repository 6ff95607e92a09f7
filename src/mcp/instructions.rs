//! What a host tells its model about this server: all that one sees which loads tools only on demand.

/// Hosts cut what is longer.
#[cfg(test)]
const MAX_BYTES: usize = 2048;

const OPENING: &str = "packd keeps what coding agents must remember and change safely, in one local store that every \
session of this user shares. Every change is one operation: it can be listed and undone from any session.";

const FAMILIES: [(&str, &str); 6] = [
    (
        "packs",
        "Context packs: 'input' collects anchors to exact lines of source files, 'output' renders them as one document \
for whoever continues the work. Changing a pack needs its expected_revision.",
    ),
    (
        "tasks",
        "Tasks: plans with steps, checkpoints and evidence, kept per workspace. Ask for the focus or the next step first.",
    ),
    (
        "deploy",
        "Deploy: one set of agent configuration rolled out to many hosts. Preview, then apply with the confirm token.",
    ),
    (
        "packages",
        "Packages: installable agent skills and prompts. Writing needs the session flag --allow-write.",
    ),
    (
        "ecosystems",
        "Ecosystems: many repositories treated as one. The mode decides: ask explains, plan previews, execute acts, and \
what is dangerous asks for a confirmation token. 'ecosystem' defaults to the selected one, 'run_id' to the newest run \
and may be shortened, 'repo' to the ecosystem's workspace.",
    ),
    (
        "history",
        "History: history_list and history_show tell what happened, history_undo takes back the newest change, history_revert an older one.",
    ),
];

/// The opening, and a line for each family that this session lists.
pub fn text(families: &[String]) -> String {
    let lines = FAMILIES.iter().filter(|(name, _)| families.iter().any(|f| f == name)).map(|(_, line)| *line);
    std::iter::once(OPENING).chain(lines).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fits_what_hosts_keep() {
        let all: Vec<String> = FAMILIES.iter().map(|(name, _)| name.to_string()).collect();
        assert!(text(&all).len() <= MAX_BYTES);
        assert!(!text(&all[..1]).contains("Ecosystems"), "an unlisted family is not advertised");
    }
}
