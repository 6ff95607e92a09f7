//! Where the work is, for a server that a host starts in the plugin it came with.
//!
//! Copilot CLI does that and tells its servers nothing of the project: packd would take the plugin for the workspace. The
//! host itself works in the project, and the system tells where that is. Where it does not (macOS), nothing changes.

use std::path::{Path, PathBuf};

/// In which a host tells a server where the plugin lies.
const ROOTS: [&str; 3] = ["PLUGIN_ROOT", "COPILOT_PLUGIN_ROOT", "CLAUDE_PLUGIN_ROOT"];

/// The directory of the host, if `cwd` is only that of the plugin.
pub fn work_dir(
    cwd: &str,
    env: impl Fn(&str) -> Option<String>,
    host: impl FnOnce() -> Option<PathBuf>,
) -> Option<String> {
    let roots: Vec<PathBuf> =
        ROOTS.iter().filter_map(|name| env(name)).map(|root| real(Path::new(&root))).collect();
    let inside = |dir: &Path| roots.iter().any(|root| root.is_absolute() && dir.starts_with(root));
    if !inside(&real(Path::new(cwd))) {
        return None;
    }
    let dir = host().filter(|dir| dir.is_dir() && !inside(&real(dir)))?;
    Some(dir.to_string_lossy().into_owned())
}

fn real(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_path_buf())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_directory_of_the_plugin_is_left_for_that_of_the_host() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| {
            std::fs::create_dir_all(dir.path().join(name)).unwrap();
            dir.path().join(name)
        };
        let (plugin, below, project) = (at("plugin"), at("plugin/below"), at("project"));
        let told = |cwd: &Path, root: Option<&Path>, host: &Path| {
            let env =
                |name: &str| root.filter(|_| name == "PLUGIN_ROOT").map(|root| root.display().to_string());
            work_dir(&cwd.display().to_string(), env, || Some(host.to_path_buf()))
        };
        let project_name = Some(project.display().to_string());
        assert_eq!(told(&plugin, Some(&plugin), &project), project_name);
        assert_eq!(told(&below, Some(&plugin), &project), project_name);
        assert_eq!(told(&project, Some(&plugin), &plugin), None, "it is in a project already");
        assert_eq!(told(&plugin, None, &project), None, "nothing says that it is a plugin");
        assert_eq!(told(&plugin, Some(&plugin), &below), None, "the host works on the plugin");
        assert_eq!(told(&plugin, Some(&plugin), &dir.path().join("none")), None);
    }
}
