//! The names of arguments that a frontmatter declares, in each form that clients write.
#![allow(clippy::unwrap_used, reason = "a test that cannot read its material must fail")]

use skills_core::lower::tables;
use skills_registry::Registry;

use crate::disk::Disk;

fn declared(lines: &str) -> Vec<String> {
    let text = format!("---\nname: fix\ndescription: Fixes it.\n{lines}---\nFix $issue.\n");
    let disk = Disk::new(&[("fix/SKILL.md", &text)]);
    let loaded = skills_core::load(&disk.root(), "skills", &Default::default());
    assert_eq!(loaded.report.errors(), 0, "{lines}");
    let registry = Registry::new(tables(&loaded.catalog, 8_000).unwrap());
    registry.get("fix").unwrap().arguments().map(str::to_owned).collect()
}

// SPEC 8.5, 2.5
#[test]
fn arguments_are_words_a_list_or_maps_with_names() {
    for lines in [
        "arguments: issue branch\n",
        "arguments: [issue, branch]\n",
        "arguments:\n  - issue\n  - branch\n",
        "arguments:\n  - name: issue\n    description: Its number.\n  - name: branch\n",
        "argument-hint: \"[number] [name]\"\narguments: issue branch\n",
    ] {
        assert_eq!(declared(lines), ["issue", "branch"], "{lines}");
    }
    assert_eq!(declared("arguments: issue\n"), ["issue"]);
    // A hint is only shown to people and declares no names; numbers are not names.
    for lines in ["", "argument-hint: \"[issue] [branch]\"\n", "arguments: {a: b}\n", "arguments: 1 2\n"] {
        assert!(declared(lines).is_empty(), "{lines}");
    }
}
