//! A text in the person's own editor: `$VISUAL`, else `$EDITOR`, else vi.

use std::process::Command;

use super::CommandFailure;

/// The text as the person leaves it.
pub fn edit(text: &str, name: &str) -> Result<String, CommandFailure> {
    let cannot =
        |e: std::io::Error| CommandFailure::refused(format!("The text cannot be given to an editor: {e}."));
    let dir = tempfile::Builder::new().prefix("packd-edit-").tempdir().map_err(cannot)?;
    let file = dir.path().join(name);
    std::fs::write(&file, text).map_err(cannot)?;
    let chosen = ["VISUAL", "EDITOR"]
        .iter()
        .find_map(|name| std::env::var(name).ok().filter(|e| !e.trim().is_empty()));
    let editor = chosen.unwrap_or_else(|| "vi".to_string());
    // The words go to a shell, as every tool does that reads them; the file is its argument, whatever its name.
    let done = Command::new("sh").arg("-c").arg(format!("{editor} \"$1\"")).arg("sh").arg(&file).status();
    match done {
        Ok(status) if status.success() => std::fs::read_to_string(&file).map_err(cannot),
        Ok(_) => Err(CommandFailure::refused(format!("{editor} ended with an error; nothing was changed."))
            .hint("EDITOR says which editor to use.")),
        Err(e) => Err(cannot(e)),
    }
}
