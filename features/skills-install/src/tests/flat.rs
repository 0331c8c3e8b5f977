//! Tests that flat files are moved into directories before the installation.

use super::fixture::*;
use crate::{Migration, NotMigrated, migrate_flat_skills};

const SKILL: &str = "---\nname: x\n---\nMine.\n";

#[test]
fn flat_skills_get_a_directory() {
    // SPEC 9.3
    let target = Scratch::new();
    for (name, text) in [
        ("bom.md", "\u{feff}---\r\ndescription: x\r\n---\r\n"),
        ("toml.md", "---toml\nname = \"x\"\n---\n"),
        ("tagged.md", "---yaml  \n\"name\" : x\n---  \n"),
        ("yaml.md", SKILL),
        ("apart.md", "--- TOML\nname = \"x\"\n---\n"),
        ("single.md", "---YAML\n'name': x\n---\n"),
        ("exists.md", SKILL),
        ("exists/other.txt", ""),
        ("file.md", SKILL),
        ("file", ""),
        ("README.md", "# Skills\nname: x\n"),
        ("open.md", "---\nname: x\n"),
        ("unnamed.md", "---\nnames: x\n---\n"),
        ("script.md", "---js\nname: x\n---\n"),
        ("empty.md", ""),
        (".hidden.md", SKILL),
        ("other.txt", SKILL),
        ("SKILL.md", SKILL),
        ("a\u{202e}b.md", SKILL),
    ] {
        put(&target, name, text);
    }
    std::fs::write(target.join("skills/latin.md"), b"---\nname: \xe9\n---\n").unwrap();
    let before = files_by_bytes(&target);
    let migration = migrate_flat_skills(&target).unwrap();
    let moved = ["apart", "bom", "single", "tagged", "toml", "yaml"];
    assert_eq!(migration.moved, moved);
    let skipped = [
        ("README", NotMigrated::NoSkill),
        ("SKILL", NotMigrated::Document),
        ("a\u{202e}b", NotMigrated::BadName),
        ("empty", NotMigrated::NoSkill),
        ("exists", NotMigrated::Exists),
        ("file", NotMigrated::Exists),
        ("latin", NotMigrated::NoSkill),
        ("open", NotMigrated::NoSkill),
        ("script", NotMigrated::NoSkill),
        ("unnamed", NotMigrated::NoSkill),
    ];
    assert_eq!(migration.skipped, skipped.map(|(name, why)| (name.to_owned(), why)));
    let mut wanted = before;
    for name in moved {
        let bytes = wanted.remove(&format!("{name}.md")).unwrap();
        wanted.insert(format!("{name}/SKILL.md"), bytes);
    }
    assert_eq!(files_by_bytes(&target), wanted);
    assert!(migrate_flat_skills(&target).unwrap().moved.is_empty());
    assert_eq!(migrate_flat_skills(&target.join("nowhere")).unwrap(), Migration::default());
}

fn files_by_bytes(target: &std::path::Path) -> std::collections::BTreeMap<String, Vec<u8>> {
    fn walk(dir: &std::path::Path, below: &str, found: &mut std::collections::BTreeMap<String, Vec<u8>>) {
        for entry in std::fs::read_dir(dir).unwrap() {
            let entry = entry.unwrap();
            let path = format!("{below}{}", entry.file_name().to_str().unwrap());
            if entry.path().is_dir() {
                walk(&entry.path(), &format!("{path}/"), found);
            } else {
                found.insert(path, std::fs::read(entry.path()).unwrap());
            }
        }
    }
    let mut found = std::collections::BTreeMap::new();
    walk(&target.join("skills"), "", &mut found);
    found
}

#[test]
fn a_migrated_skill_belongs_to_the_user() {
    // SPEC 9.3: it runs before the installation, so that the bundle's skill does not block the name.
    let target = Scratch::new();
    put(&target, "a.md", SKILL);
    migrate_flat_skills(&target).unwrap();
    run(&bundle("1", &[("a", &[("SKILL.md", "ours")])]), &target, &options());
    assert_eq!(files(&target), listed(&[("a/SKILL.md", SKILL)]));
}
