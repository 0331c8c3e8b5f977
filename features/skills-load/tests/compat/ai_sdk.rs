//! A program that was written for an agent on Vercel's AI SDK: the description of its tool `load_skill` lists the
//! skills that a scan found.

use skills_load::LayersBuilder;
use skills_runtime::tools::LoadSkillTool;

use crate::planted::{Planted, document};

// SPEC 1.7, 8.2, 8.3
#[test]
fn a_program_of_the_ai_sdk_runs() {
    let planted = Planted::new(&[("git/git-commit/SKILL.md", &document("git-commit", "Writes commits."))]);
    // Skills without a name or a description are skipped, and the scan continues.
    planted.write("bad/SKILL.md", "---\nname: bad\n---\nText.\n");
    let skills = LayersBuilder::new().directory(planted.path()).load().unwrap();
    let found: Vec<(&str, &str, &str)> =
        skills.iter().map(|skill| (skill.name(), skill.description(), skill.location())).collect();
    let location = planted.path().join("git/git-commit/SKILL.md").display().to_string();
    assert_eq!(found, [("git-commit", "Writes commits.", location.as_str())]);

    let local_tools = [LoadSkillTool::new(skills.iter()).into_reader()];
    let load_skill = local_tools.iter().find(|tool| tool.name() == "load_skill").unwrap();
    assert!(
        load_skill.description().ends_with("\n- **git-commit**: Writes commits."),
        "{}",
        load_skill.description()
    );
    let base = planted.path().join("git/git-commit").display().to_string();
    let loaded = load_skill.call("git-commit").text;
    assert!(
        loaded.starts_with(&format!("## Skill: git-commit\n\n**Base directory**: {base}\n\n")),
        "{loaded}"
    );
    let unknown = "Skill \"commit\" not found. Available skills: git-commit";
    assert_eq!(load_skill.call("commit").text, unknown);
}
