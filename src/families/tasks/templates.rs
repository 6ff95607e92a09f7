//! The built-in templates: what a plan or task of a familiar shape starts with.

/// A step of a template.
pub struct Outline {
    pub title: &'static str,
    pub criteria: &'static [&'static str],
    pub blockers: &'static [&'static str],
}

pub struct TaskTemplate {
    pub id: &'static str,
    pub name: &'static str,
    pub description: &'static str,
    /// What a plan of this shape is about, as a placeholder.
    pub goal: &'static str,
    pub doc: &'static str,
    pub phases: &'static [&'static str],
    pub criteria: &'static [&'static str],
    pub steps: &'static [Outline],
}

pub const TEST_COMMAND: &str = "pytest -q";

/// Sorted by id.
pub const TEMPLATES: &[TaskTemplate] = &[
    TaskTemplate {
        id: "bugfix",
        name: "Bugfix",
        description: "Reproduce a defect, find its cause, fix it and keep it fixed.",
        goal: "<which wrong behaviour must be gone>",
        doc: "Let a failing test lead the way and keep the change as small as the cause allows.",
        phases: &["Reproduce", "Root cause", "Fix", "Guard", "Verify"],
        criteria: &[
            "The defect was reproduced and no longer occurs",
            "A regression test fails without the fix",
            "CI is green",
        ],
        steps: &[
            Outline {
                title: "Narrow the defect down to one failing case",
                criteria: &["The smallest failing input is written down"],
                blockers: &["Access to the failing environment or data"],
            },
            Outline {
                title: "Isolate the cause of the failing case",
                criteria: &["The cause is named and explains every symptom"],
                blockers: &["Logs or traces of the failure"],
            },
            Outline {
                title: "Fix the cause together with a regression test",
                criteria: &["The regression test passes", "No unrelated behaviour changed"],
                blockers: &["Agreement on the intended behaviour"],
            },
            Outline {
                title: "Run the complete verification of the fix",
                criteria: &["All checks pass on a clean checkout"],
                blockers: &["A working CI run"],
            },
        ],
    },
    TaskTemplate {
        id: "feature",
        name: "Feature delivery",
        description: "Agree on a behaviour, build it, harden it and hand it over.",
        goal: "<what users can do afterwards>",
        doc: "Agree on observable behaviour first; build the core before the edges.",
        phases: &["Contract", "Design", "Implement", "Verify", "Handoff"],
        criteria: &["Every acceptance criterion is met", "Nothing that worked before is broken"],
        steps: &[
            Outline {
                title: "Settle the contract of the new behaviour",
                criteria: &["Inputs, outputs and failures are written down"],
                blockers: &["Decisions of the product owner"],
            },
            Outline {
                title: "Implement the core of the new behaviour",
                criteria: &["The main path works from end to end"],
                blockers: &["Interfaces of neighbouring components"],
            },
            Outline {
                title: "Cover edge cases and protect invariants",
                criteria: &["Each known edge case has a test", "Invalid input is refused with a reason"],
                blockers: &["A list of known edge cases"],
            },
            Outline {
                title: "Verify the whole and hand the feature over",
                criteria: &["Documentation and release notes are up to date"],
                blockers: &["A reviewer who is available"],
            },
        ],
    },
    TaskTemplate {
        id: "migration",
        name: "Migration",
        description: "Move data or callers to something new without losing any.",
        goal: "<what moves from where to where>",
        doc: "Know what exists, rehearse on realistic data and keep the way back open.",
        phases: &["Inventory", "Plan", "Implement", "Validate", "Rollout"],
        criteria: &["Everything was moved safely", "The way back is defined and tried", "CI is green"],
        steps: &[
            Outline {
                title: "Take inventory and agree on the target state",
                criteria: &["Everything that has to move is listed"],
                blockers: &["Read access to the present system"],
            },
            Outline {
                title: "Implement the migration behind safety guards",
                criteria: &["It can be repeated and stopped at any point", "Rollback is implemented"],
                blockers: &["A staging environment"],
            },
            Outline {
                title: "Validate the migration on realistic data",
                criteria: &["Counts and samples agree before and after"],
                blockers: &["A copy of realistic data"],
            },
            Outline {
                title: "Roll the migration out and watch it",
                criteria: &["The new system serves all traffic without new errors"],
                blockers: &["An agreed time window"],
            },
        ],
    },
    TaskTemplate {
        id: "refactor",
        name: "Refactor",
        description: "Improve the structure of code while its behaviour stays the same.",
        goal: "<what will be simpler afterwards>",
        doc: "Pin the behaviour down with tests, then move in small steps that keep them green.",
        phases: &["Baseline", "Refactor", "Harden", "Verify", "Handoff"],
        criteria: &["Behaviour is unchanged", "The code is measurably simpler", "CI is green"],
        steps: &[
            Outline {
                title: "Pin the present behaviour down with tests",
                criteria: &["The affected behaviour is covered by tests"],
                blockers: &["A reproducible test environment"],
            },
            Outline {
                title: "Refactor in small steps with green tests",
                criteria: &["Every intermediate state passes all tests"],
                blockers: &["No parallel changes in the same files"],
            },
            Outline {
                title: "Harden the result and verify the whole",
                criteria: &["Dead code is removed", "All checks pass on a clean checkout"],
                blockers: &["A reviewer who is available"],
            },
        ],
    },
];
