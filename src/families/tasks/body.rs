//! The Markdown body of a task file: sections under `## ` headings for what is prose, and a step list for
//! people. Knows the headings of the older tool in both of its languages.

use serde_json::{Value, json};

use super::model::{CheckpointKind, CheckpointSet, Object, TaskItem, TaskNode, TaskStep, default_priority};

/// How a section's text is laid out.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Layout {
    Prose,
    Bullets,
    Numbers,
}

/// Field, the heading files carry, its English twin, layout.
const SECTIONS: &[(&str, &str, &str, Layout)] = &[
    ("contract", "Контракт", "Contract", Layout::Prose),
    ("plan_doc", "План", "Plan", Layout::Prose),
    ("description", "Описание", "Description", Layout::Prose),
    ("context", "Контекст", "Context", Layout::Prose),
    ("problems", "Текущие проблемы", "Problems", Layout::Numbers),
    ("next_steps", "Следующие шаги", "Next steps", Layout::Bullets),
    ("success_criteria", "Критерии успеха", "Success criteria", Layout::Bullets),
    ("tests", "Тесты", "Tests", Layout::Bullets),
    ("blockers", "Блокеры", "Blockers", Layout::Bullets),
    ("dependencies", "Зависимости", "Dependencies", Layout::Bullets),
    ("risks", "Риски", "Risks", Layout::Bullets),
    ("history", "История", "History", Layout::Bullets),
];

/// Fields that live only in the body.
pub const BODY_ONLY: [&str; 9] = [
    "description",
    "context",
    "contract",
    "plan_doc",
    "problems",
    "next_steps",
    "dependencies",
    "risks",
    "history",
];

/// Sections this version does not know, kept under this name.
pub const UNKNOWN: &str = "body_sections";

const STEPS: (&str, &str) = ("Шаги", "Steps");
const CHECKPOINTS: (&str, &str) = ("Чекпоинты", "Checkpoints");

/// The body of an item, given as the object of its fields, and the fields it carries faithfully. A text
/// that would not come back as it is (say, one with a heading of its own) is left to the front matter.
pub fn render(item: &TaskItem, fields: &Object) -> (String, Vec<&'static str>) {
    let mut out = format!("# {}\n", item.title.replace('\n', " "));
    let mut carried = Vec::new();
    for (field, heading, _, layout) in SECTIONS {
        if let Some(value) = fields.get(*field) {
            let text = section(heading, &laid_out(value, *layout));
            let back = parse(&text);
            if back.fields.get(*field) == Some(value) && back.unknown.is_empty() {
                carried.push(*field);
                out.push_str(&text);
            }
        }
        if *field == "context" {
            let mut lines = Vec::new();
            step_lines(&item.steps, 0, &mut lines);
            out.push_str(&section(STEPS.0, &lines.join("\n")));
        }
    }
    for extra in item.extra.get(UNKNOWN).and_then(Value::as_array).into_iter().flatten() {
        let (heading, text) = (extra["heading"].as_str(), extra["text"].as_str());
        out.push_str(&section(heading.unwrap_or_default(), text.unwrap_or_default()));
    }
    (out, carried)
}

fn section(heading: &str, text: &str) -> String {
    if text.trim().is_empty() { String::new() } else { format!("\n## {heading}\n{text}\n") }
}

fn laid_out(value: &Value, layout: Layout) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(list) => {
            let lines = list.iter().enumerate().map(|(i, v)| match layout {
                Layout::Numbers => format!("{}. {}", i + 1, v.as_str().unwrap_or_default()),
                _ => format!("- {}", v.as_str().unwrap_or_default()),
            });
            lines.collect::<Vec<_>>().join("\n")
        }
        _ => String::new(),
    }
}

fn step_lines(steps: &[TaskStep], depth: usize, out: &mut Vec<String>) {
    let indent = "  ".repeat(depth);
    for step in steps {
        let mark = if step.completed { 'x' } else { ' ' };
        out.push(format!("{indent}- [{mark}] {}", step.title.replace('\n', " ")));
        for (name, list) in
            [("Критерии", &step.success_criteria), ("Тесты", &step.tests), ("Блокеры", &step.blockers)]
        {
            if !list.is_empty() {
                out.push(format!("{indent}  - {name}: {}", list.join("; ").replace('\n', " ")));
            }
        }
        for node in &step.plan.tasks {
            step_lines(&node.steps, depth + 1, out);
        }
    }
}

/// What a body says: known fields, steps of files that keep them only here, and unknown sections.
#[derive(Default)]
pub struct TaskFileBody {
    pub fields: Object,
    pub steps: Vec<TaskStep>,
    pub unknown: Vec<Value>,
}

pub fn parse(body: &str) -> TaskFileBody {
    let mut out = TaskFileBody::default();
    let mut heading = String::new();
    let mut lines: Vec<&str> = Vec::new();
    for line in body.lines() {
        if let Some(next) = line.strip_prefix("## ") {
            keep(&mut out, &heading, &lines);
            heading = next.trim().to_string();
            lines.clear();
        } else if !(heading.is_empty() && line.starts_with("# ")) {
            lines.push(line);
        }
    }
    keep(&mut out, &heading, &lines);
    out
}

fn keep(out: &mut TaskFileBody, heading: &str, lines: &[&str]) {
    let known = SECTIONS.iter().find(|(_, ours, english, _)| heading == *ours || heading == *english);
    let text = lines.join("\n").trim().to_string();
    match known {
        Some((field, _, _, Layout::Prose)) => {
            out.fields.insert((*field).to_string(), json!(text));
        }
        Some((field, _, _, layout)) => {
            out.fields.insert((*field).to_string(), json!(list(lines, *layout)));
        }
        None if heading == STEPS.0 || heading == STEPS.1 => out.steps = steps(lines),
        // A rendering of flags that the front matter has.
        None if heading == CHECKPOINTS.0 || heading == CHECKPOINTS.1 => {}
        None if text.is_empty() => {}
        None => out.unknown.push(json!({"heading": heading, "text": text})),
    }
}

fn list(lines: &[&str], layout: Layout) -> Vec<String> {
    let bare = |line: &str| {
        let line = line.trim();
        let text = match layout {
            Layout::Numbers => {
                let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
                rest.strip_prefix(". ").unwrap_or(line)
            }
            _ => line.strip_prefix("- ").unwrap_or(line),
        };
        text.trim().to_string()
    };
    lines.iter().map(|l| bare(l)).filter(|l| !l.is_empty()).collect()
}

/// Check-box lines; deeper indentation goes below the step above, through one task node.
fn steps(lines: &[&str]) -> Vec<TaskStep> {
    let mut flat: Vec<(usize, TaskStep)> = Vec::new();
    for line in lines {
        let indent = line.len() - line.trim_start().len();
        let text = line.trim();
        let open = text.strip_prefix("- [ ] ").map(|t| (false, t));
        let done = text.strip_prefix("- [x] ").or(text.strip_prefix("- [X] ")).map(|t| (true, t));
        if let Some((completed, title)) = open.or(done) {
            let title = title.trim().to_string();
            flat.push((
                indent,
                TaskStep { title, completed, gates: CheckpointSet::fresh(&[]), ..TaskStep::default() },
            ));
        } else if let (Some((_, step)), Some(detail)) = (flat.last_mut(), text.strip_prefix("- ")) {
            step_detail(step, detail);
        }
    }
    nest(flat)
}

fn step_detail(step: &mut TaskStep, detail: &str) {
    let Some((name, rest)) = detail.split_once(':') else { return };
    let values = || rest.split(';').map(|v| v.trim().to_string()).filter(|v| !v.is_empty()).collect();
    match name.trim() {
        "Критерии" | "Criteria" => step.success_criteria = values(),
        "Тесты" | "Tests" => {
            step.tests = values();
            step.gates.set_auto(CheckpointKind::Tests, step.tests.is_empty());
        }
        "Блокеры" | "Blockers" => step.blockers = values(),
        "Прогресс" | "Progress" => step.progress_notes = values(),
        "Чекпоинты" | "Checkpoints" => {
            step.gates.of_mut(CheckpointKind::Criteria).confirmed =
                rest.contains("Критерии=OK") || rest.contains("Criteria=OK");
            step.gates.of_mut(CheckpointKind::Tests).confirmed =
                rest.contains("Тесты=OK") || rest.contains("Tests=OK");
        }
        _ => {}
    }
}

fn nest(flat: Vec<(usize, TaskStep)>) -> Vec<TaskStep> {
    let mut roots: Vec<TaskStep> = Vec::new();
    let mut rest = flat.into_iter().peekable();
    while let Some((indent, mut step)) = rest.next() {
        let mut below = Vec::new();
        while rest.peek().is_some_and(|(deeper, _)| *deeper > indent) {
            below.extend(rest.next());
        }
        if !below.is_empty() {
            let title = step.title.clone();
            let priority = default_priority();
            let gates = CheckpointSet::fresh(&[]);
            step.plan.tasks.push(TaskNode {
                title,
                priority,
                gates,
                steps: nest(below),
                ..TaskNode::default()
            });
        }
        roots.push(step);
    }
    roots
}
