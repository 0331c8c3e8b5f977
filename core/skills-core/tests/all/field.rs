//! Real skills that are difficult for a checker: each is checked for the problems that a person expects.
#![allow(clippy::unwrap_used, reason = "a test without its material must fail")]

use skills_core::level::Level;
use skills_core::options::Options;
use skills_core::read::{DirectoryKind, ReadOptions};
use skills_core::{Loaded, load};

/// The case, and the rules it breaks in the order of the report. Directories were renamed, so `name-mismatch`
/// is not included.
const EXPECTED: &[(&str, &[&str])] = &[
    ("two-plugins/telegram/skills", &[]),
    ("two-plugins/discord/skills", &[]),
    ("two-plugins", &[]),
    ("moxie-automation", &["key-foreign"]),
    // Two lines of it do pipe an install script into a shell; the five that format JSON do not.
    ("leo-wallet", &["pipe-to-shell", "pipe-to-shell"]),
    ("perplexity-search", &[]),
    ("aws-agents/agents-debug", &["long-body", "link-leaves-skill"]),
    ("flink", &["value-cut"]),
    ("molthunt", &["frontmatter-unterminated", "long-body"]),
    ("obsidian-daily-fine", &[]),
    ("obsidian-daily", &["conflict-markers"]),
    ("mojibake", &["decoded-twice"]),
    ("agent-orchestrator", &["decoded-twice"]),
    ("foreign-json-1", &["manifest-foreign"]),
    ("foreign-json-2", &["manifest-foreign"]),
    ("foreign-json-3", &["manifest-foreign"]),
    ("foreign-json-4", &["manifest-foreign"]),
    ("siblings/gws-modelarmor", &[]),
    ("siblings/gws-modelarmor-sanitize-prompt", &[]),
    ("siblings", &[]),
];

fn check(root: &std::path::Path, case: &str) -> Loaded {
    let read = ReadOptions { scope: DirectoryKind::Repository, ..ReadOptions::default() };
    load(&root.join(case), case, &Options { read, ..Options::default() })
}

// SPEC 1.10, 2.12, 2.13, 2.14, 2.15
#[test]
#[ignore = "needs SKILLS_FIELD_DIR"]
fn field_findings_of_real_skills_are_justified() {
    let root = test_bed::field("field");
    let cases = std::fs::read_to_string(root.join("cases.tsv")).unwrap();
    for case in cases.lines().skip(1).filter_map(|line| line.split('\t').next()) {
        assert!(EXPECTED.iter().any(|(known, _)| *known == case), "`{case}` is not expected yet");
    }
    let mut wrong = Vec::new();
    for (case, expected) in EXPECTED {
        let loaded = check(&root.join("skills"), case);
        let codes = loaded.report.diagnostics.iter().map(|problem| problem.rule.code);
        let codes: Vec<&str> = codes.filter(|code| *code != "name-mismatch").collect();
        if codes != *expected || loaded.tally.checked == 0 {
            wrong.push(format!("{case}: {codes:?}, expected {expected:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

// SPEC 2.15: the cause is reported, and the suggested correction fixes it
#[test]
#[ignore = "needs SKILLS_FIELD_DIR"]
fn field_causes_are_reported_with_a_correction() {
    let root = test_bed::field("field");
    for (case, title, help) in [
        ("flink", "is not indented", "indent this line"),
        ("molthunt", "never closed", "add a line `---` above `# Molthunt`"),
        ("obsidian-daily", "merge conflict", "resolve the conflict"),
        ("agent-orchestrator", "decoded twice", "iconv -f UTF-8 -t LATIN1"),
        ("mojibake", "decoded twice", "save it again"),
    ] {
        let loaded = check(&root.join("skills"), case);
        let found =
            loaded.report.diagnostics.iter().find(|problem| problem.title.contains(title)).expect(case);
        assert!(found.help.contains(help), "{case}: {}", found.help);
        assert!(!found.help.contains("delete it"), "{case}: {}", found.help);
    }
}

// SPEC 2.14: at most one in twenty of 178 published skills has a warning
#[test]
#[ignore = "needs SKILLS_FIELD_DIR"]
fn field_published_skills_are_not_noisy() {
    let root = test_bed::field("corpus");
    let loaded = check(&root, ".");
    assert_eq!(loaded.tally.checked, 178);
    assert_eq!(loaded.report.errors(), 0);
    let sources = loaded.catalog.sources();
    let mut skills: Vec<_> = loaded
        .report
        .diagnostics
        .iter()
        .filter(|problem| problem.level == Level::Warning)
        .filter_map(|problem| sources.file_of(problem.span).skill)
        .collect();
    skills.dedup();
    assert!(skills.len() * 20 <= 178, "{} skills have warnings", skills.len());
}
