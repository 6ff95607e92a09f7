//! A person with a project, and what they see: the real program at 80 columns, without colour, compared with a snapshot.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use regex::Regex;

use crate::common::real::{PACKD, Place, Ran};
use crate::common::text_snapshot;
use crate::families::deploy::rig::write;

pub struct Desk {
    pub place: Place,
}

impl Desk {
    /// A git project `work` with one file of code.
    pub fn new() -> Desk {
        let desk = Desk { place: Place::new() };
        let config = "[user]\nname = Tester\nemail = tester@example.org\n[init]\ndefaultBranch = main\n";
        write(&desk.place.path().join(".gitconfig"), config);
        write(
            &desk.work().join("src/login.rs"),
            "fn verify(token: &str) -> bool {\n    !token.is_empty()\n}\n\nfn main() {}\n",
        );
        desk.git(&desk.work(), &["init", "-q"]);
        desk
    }

    pub fn work(&self) -> PathBuf {
        self.place.work().canonicalize().unwrap()
    }

    pub fn git(&self, dir: &Path, args: &[&str]) {
        let mut git = Command::new("git");
        git.args(args).current_dir(dir).env("HOME", self.place.path()).env("GIT_CONFIG_NOSYSTEM", "1");
        let out = git.output().unwrap();
        assert!(out.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&out.stderr));
    }

    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = self.place.command(PACKD);
        command.args(args).env("COLUMNS", "80").env("TZ", "UTC");
        command
    }

    pub fn packd(&self, args: &[&str]) -> Ran {
        Ran::of(self.command(args))
    }

    /// Runs a command and compares what is seen, and how it ended, with `snapshots/<name>.snap`.
    pub fn screen(&self, name: &str, args: &[&str]) -> Ran {
        let ran = self.packd(args);
        text_snapshot(name, &self.seen(args, &ran));
        ran
    }

    /// What a person has before them, with everything that is never twice the same made the same.
    pub fn seen(&self, args: &[&str], ran: &Ran) -> String {
        let line = args.iter().map(|a| if a.contains([' ', '{']) { format!("'{a}'") } else { a.to_string() });
        let line = line.collect::<Vec<_>>().join(" ");
        let text = format!("$ packd {line}\n{}{}[exit {}]", ran.stdout, ran.stderr, ran.code.unwrap_or(-1));
        // What a file holds and what is to be pasted is never broken.
        let kept = |row: &str| {
            row.trim_start().starts_with(['+', '-', '$']) || row.contains("packd call ") || !row.contains(' ')
        };
        let wide = text.lines().find(|row| row.chars().count() > 80 && !kept(row));
        assert_eq!(wide, None, "{line}: wider than 80 columns");
        let own = self.place.path().canonicalize().unwrap().to_string_lossy().into_owned();
        let text = text
            .replace(&own, "/HOME-OF-TEST")
            .replace(&*self.place.path().to_string_lossy(), "/HOME-OF-TEST");
        steady(&text)
    }

    /// A registry with one package, `greeter`, made in a project of its own.
    pub fn registry(&self) {
        let author = self.place.path().join("author");
        write(
            &author.join("aam.yaml"),
            "name: greeter\nversion: '1.0.0'\ndescription: Greets people\nartifacts:\n  skills:\n    - {name: hello, path: skills/hello, description: Says hello}\ndependencies: {}\n",
        );
        write(
            &author.join("skills/hello/SKILL.md"),
            "---\nname: hello\ndescription: Says hello\n---\nHello.\n",
        );
        std::fs::create_dir_all(author.join(".aam")).unwrap();
        std::fs::create_dir_all(self.place.path().join("registry")).unwrap();
        self.git(&author, &["init", "-q"]);
        let registry = self.place.path().join("registry");
        self.packd(&["pkg", "registry", "add", "main", registry.to_str().unwrap(), "--default"]).ok();
        self.packd(&["--workspace", author.to_str().unwrap(), "pkg", "publish"]).ok();
        std::fs::create_dir_all(self.work().join(".aam")).unwrap();
    }

    /// The ecosystem `demo` with two repositories that have remotes.
    pub fn ecosystem(&self) {
        let remotes = self.place.path().join("remotes");
        for name in ["api", "web"] {
            let bare = remotes.join(name);
            std::fs::create_dir_all(&bare).unwrap();
            self.git(&bare, &["init", "-q", "--bare"]);
            let clone = self.place.path().join(format!("first-{name}"));
            write(&clone.join("README.md"), "hello\n");
            self.git(&clone, &["init", "-q"]);
            self.git(&clone, &["add", "-A"]);
            self.git(&clone, &["commit", "-qm", "Begin"]);
            self.git(&clone, &["push", "-q", bare.to_str().unwrap(), "HEAD:main"]);
        }
        let url = |name: &str| format!("file://{}", remotes.canonicalize().unwrap().join(name).display());
        let manifest = format!(
            "name: demo\ndescription: Two services\nprovisioner: local\nrepos:\n  - {{name: api, url: '{}', branch: main}}\n  - {{name: web, url: '{}', branch: main}}\n",
            url("api"),
            url("web")
        );
        let work = self.work();
        write(&work.join("ecosystems/demo/ecosystem.yaml"), manifest);
        write(&work.join("CHANGELOG.md"), "# Changelog\n");
        write(&work.join("provisioners/local/spin.sh"), "#!/bin/sh\necho \"$1 $2\"\n");
        self.git(&work, &["add", "-A"]);
        self.git(&work, &["commit", "-qm", "Begin"]);
    }
}

/// Ids, times, sizes and numbers of this run, each replaced by something as wide.
fn steady(text: &str) -> String {
    static RULES: OnceLock<Vec<(Regex, &str)>> = OnceLock::new();
    let rules = RULES.get_or_init(|| {
        [
            (
                r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}",
                "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx",
            ),
            (r"\b[0-9a-f]{64}\b", "SHA256"),
            (r"\b[0-9a-f]{40}\b", "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"),
            (r"\b\d{19}\b", "0000000000000000000"),
            (r"\b\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\b", "YYYY-MM-DD HH:MM:SS"),
            (r"\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:00)", "YYYY-MM-DDTHH:MM:SSZ"),
            (r"\b\d{4}-\d\d-\d\d \d\d:\d\d\b", "YYYY-MM-DD HH:MM"),
            (r"\b\d{4}-\d\d-\d\d\b", "YYYY-MM-DD"),
            (r"\b\d\d:\d\d:\d\d\b", "HH:MM:SS"),
            (r"\bpk_[a-z0-9]{8}\b", "pk_xxxxxxxx"),
            (r"\bSTEP-[0-9A-F]{8}\b", "STEP-XXXXXXXX"),
            (r"\b[0-9a-f]{12}\b", "xxxxxxxxxxxx"),
            (r"\b[0-9a-f]{8}\b", "xxxxxxxx"),
            (r"\b\d+(\.\d+)? (ms|µs|min)\b", "N s"),
            (r"\b\d+ s( |\n|\))", "N s$1"),
            (r"\bin (29|30)(\s)days\b", "in NN${2}days"),
            (r"\b\d+(\.\d+)? (kB|MB|GB|bytes)\b", "N kB"),
            (r"\bpid \d+", "pid N"),
            (r"\[[0-9A-Z]{16}\]", "[UID]"),
            (r"HEAD is now at [0-9a-f]+", "HEAD is now at xxxxxxx"),
            (r"\.\d{8}-\d{6}|\.xxxxxxxx-\d{6}", ".DATE"),
            (r"machine  +\S+", "machine     NAME"),
            (r"pass  service .*", "pass  service    N"),
            (r"git version [0-9.]+", "git version N"),
        ]
        .map(|(pattern, with)| (Regex::new(pattern).unwrap(), with))
        .to_vec()
    });
    let mut out = text.to_string();
    for (rule, with) in rules {
        out = rule.replace_all(&out, *with).into_owned();
    }
    // The home of packd is a fixed name below the test's.
    let target = Path::new(PACKD).parent().unwrap().to_string_lossy().into_owned();
    out.replace(&target, "/BIN").lines().map(str::trim_end).collect::<Vec<_>>().join("\n")
}
