//! How a definition begins in each language: a small table of patterns, no grammar.
//!
//! A pattern has `kind` and `name`; together they are what a definition is called (`fn open`). A language that is
//! not listed has no definitions, and its refs are found by their content alone.

use std::sync::LazyLock;

use regex::Regex;

pub struct Language {
    endings: &'static [&'static str],
    patterns: LazyLock<Vec<Regex>>,
    /// Headings nest by their level, not by indentation.
    pub headings: bool,
}

/// Words that look like the name of a method where its parameters follow.
const NOT_NAMES: [&str; 18] = [
    "if", "for", "while", "switch", "catch", "return", "else", "do", "match", "foreach", "using", "lock",
    "with", "when", "new", "sizeof", "function", "await",
];

/// So much of a name is enough to know it again.
const LONGEST: usize = 400;

macro_rules! language {
    ($endings:expr, $patterns:expr) => {
        language!($endings, $patterns, false)
    };
    ($endings:expr, $patterns:expr, $headings:expr) => {
        Language {
            endings: &$endings,
            // A test compiles every pattern; one that did not would only find nothing.
            patterns: LazyLock::new(|| $patterns.iter().filter_map(|p| Regex::new(p).ok()).collect()),
            headings: $headings,
        }
    };
}

/// Modifiers before a class or a function in the languages that have many.
const CLASS_LIKE: &str = r"^\s*(?:[\w@]+(?:\([^)]*\))?\s+)*?(?P<kind>class|interface|enum|record|struct|protocol|extension|trait|object|namespace|actor)\s+(?P<name>[\w.]+)";
const METHOD: &str = r"^\s+(?:[\w<>\[\],.?@&*:]+\s+)*(?P<kind>)(?P<name>~?\w+)\s*\([^;]*$";

static LANGUAGES: [Language; 13] = [
    language!(
        ["rs"],
        [
            r#"^\s*(?:pub(?:\([^)]*\))?\s+)?(?:default\s+)?(?:const\s+)?(?:async\s+)?(?:unsafe\s+)?(?:extern\s+"[^"]*"\s+)?(?P<kind>fn|struct|enum|trait|union|mod|type|static|const)\s+(?P<name>\w+)"#,
            r"^\s*(?:unsafe\s+)?(?P<kind>impl)\b\s*(?P<name>[^{]*)",
            r"^\s*(?P<kind>macro_rules!)\s*(?P<name>\w+)",
        ]
    ),
    language!(["py", "pyi"], [r"^\s*(?:async\s+)?(?P<kind>def|class)\s+(?P<name>\w+)"]),
    language!(
        ["ts", "tsx", "js", "jsx", "mjs", "cjs", "mts", "cts"],
        [
            r"^\s*(?:export\s+)?(?:default\s+)?(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?(?P<kind>function|class|interface|enum|namespace|type)\b\s*\*?\s*(?P<name>[\w$]+)",
            r"^\s*(?:export\s+)?(?P<kind>const|let|var)\s+(?P<name>[\w$]+)\s*(?::[^=]+)?=\s*(?:async\s*)?(?:\(|function|[\w$]+\s*=>)",
            r"^\s+(?:(?:public|private|protected|static|async|readonly|override|abstract|get|set)\s+)*\*?(?P<kind>)(?P<name>[\w$#]+)\s*(?:<[^>]*>)?\([^;]*$",
        ]
    ),
    language!(
        ["go"],
        [r"^(?P<kind>func\s+\([^)]*\)|func)\s*(?P<name>\w+)", r"^(?P<kind>type|var|const)\s+(?P<name>\w+)",]
    ),
    language!(["java"], [CLASS_LIKE, METHOD]),
    language!(
        ["kt", "kts"],
        [CLASS_LIKE, r"^\s*(?:[\w@]+\s+)*?(?P<kind>fun)\s+(?:<[^>]*>\s*)?(?P<name>[\w.]+)"]
    ),
    language!(
        ["c", "h", "cpp", "cc", "cxx", "hpp", "hh"],
        [
            r"^\s*(?:typedef\s+|template\s*<[^>]*>\s*)?(?P<kind>struct|class|enum(?:\s+class)?|union|namespace)\s+(?P<name>\w+)\s*[^;]*$",
            r"^\s*#\s*(?P<kind>define)\s+(?P<name>\w+)",
            r"^\s*(?:[\w:<>,*&~\[\]]+\s+[*&]*)+(?P<kind>)(?P<name>[\w:~]+)\s*\([^;]*$",
        ]
    ),
    language!(["cs"], [CLASS_LIKE, METHOD]),
    language!(["rb", "rake"], [r"^\s*(?P<kind>def|class|module)\s+(?P<name>[\w.:?!=]+)"]),
    language!(["php"], [CLASS_LIKE, r"^\s*(?:\w+\s+)*?(?P<kind>function)\s+&?(?P<name>\w+)"]),
    language!(
        ["swift"],
        [
            CLASS_LIKE,
            r"^\s*(?:[\w@]+\s+)*?(?P<kind>func)\s+(?P<name>\w+)",
            r"^\s*(?:\w+\s+)*?(?P<kind>init)(?P<name>)\s*[?!]?\("
        ]
    ),
    language!(
        ["sh", "bash", "zsh"],
        [r"^\s*(?P<kind>)(?P<name>[\w-]+)\s*\(\)", r"^\s*(?P<kind>function)\s+(?P<name>[\w-]+)"]
    ),
    language!(["md", "markdown"], [r"^(?P<kind>#{1,6})\s+(?P<name>.+?)\s*#*\s*$"], true),
];

/// The language of a path, by what follows its last dot.
pub fn of(path: &str) -> Option<&'static Language> {
    let ending = path.rsplit('.').next()?;
    LANGUAGES.iter().find(|l| l.endings.contains(&ending))
}

impl Language {
    /// What the definition that begins in this line is called.
    pub fn definition(&self, line: &str) -> Option<String> {
        let found = self.patterns.iter().find_map(|p| p.captures(line))?;
        let part = |name: &str| found.name(name).map_or("", |m| m.as_str());
        let (kind, name) =
            (super::fingerprint::squeeze(part("kind")), super::fingerprint::squeeze(part("name")));
        if NOT_NAMES.contains(&name.as_str()) {
            return None;
        }
        Some(format!("{kind} {name}").trim().chars().take(LONGEST).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pattern_compiles_and_finds_what_it_is_for() {
        let cases = [
            ("a.rs", "    pub(crate) async fn open(path: &Path) -> Result<Self> {", Some("fn open")),
            ("a.rs", "impl<T> Display for Store<T> {", Some("impl <T> Display for Store<T>")),
            ("a.rs", "    let x = open();", None),
            ("a.py", "    async def fetch(self):", Some("def fetch")),
            ("a.ts", "export default class App extends X {", Some("class App")),
            ("a.ts", "  async load(id: string): Promise<void> {", Some("load")),
            ("a.ts", "  if (x) {", None),
            ("a.js", "const go = async () => {", Some("const go")),
            ("a.go", "func (s *Store) Open(p string) error {", Some("func (s *Store) Open")),
            ("a.java", "  public static void main(String[] args) {", Some("main")),
            ("A.java", "public final class Main {", Some("class Main")),
            ("a.kt", "    override fun run() {", Some("fun run")),
            ("a.c", "static int walk(struct node *n)", Some("walk")),
            ("a.cpp", "void Store::open(const char *p) {", Some("Store::open")),
            ("a.cs", "    public async Task<int> Run(string[] a)", Some("Run")),
            ("a.rb", "  def self.call!", Some("def self.call!")),
            ("a.php", "    public function index() {", Some("function index")),
            ("a.swift", "  private func draw(_ r: Rect) {", Some("func draw")),
            ("a.sh", "build() {", Some("build")),
            ("a.md", "## The store ##", Some("## The store")),
            ("a.txt", "fn open() {", None),
        ];
        for (path, line, wanted) in cases {
            let found = of(path).and_then(|l| l.definition(line));
            assert_eq!(found.as_deref(), wanted, "{path}: {line}");
        }
        let patterns: usize = LANGUAGES.iter().map(|l| l.patterns.len()).sum();
        assert_eq!(patterns, 27, "one that does not compile is missing");
    }
}
