//! A program that was written for Pikuri: the catalog is in the system prompt, and the tool `skill` loads one skill.

use skills_load::LayersBuilder as SkillCatalog;
use skills_runtime::tools::SkillTool;

use crate::planted::{Planted, document};

// SPEC 8.1, 8.2, 8.3
#[test]
fn a_program_of_pikuri_runs() {
    let planted = Planted::new(&[("pdf/SKILL.md", &document("pdf", "Reads PDF files."))]);
    planted.write("pdf/scripts/pages.py", "");
    let catalog = SkillCatalog::new().directory(planted.path()).load().unwrap();
    let names: Vec<&str> = catalog.iter().map(|skill| skill.name()).collect();
    assert_eq!(names, ["pdf"]);
    assert!(catalog.get("pdf").is_some() && catalog.get("pfd").is_none());
    let system = format!("You are an agent.{}", catalog.prompt());
    assert!(system.contains("Use the skill tool to load") && system.contains("<name>pdf</name>"), "{system}");

    let tool = SkillTool::new(catalog.iter()).unwrap().into_reader();
    assert_eq!(tool.name(), "skill");
    assert!(tool.description().contains("listed in your system prompt under `<available_skills>`"));
    assert!(
        tool.parameters().contains("Name of the skill to load, e.g. \\\"pdf-extraction\\\"."),
        "{}",
        tool.parameters()
    );
    let base = planted.path().join("pdf").display().to_string();
    let loaded = tool.call("pdf").text;
    assert!(loaded.starts_with(&format!("<skill name=\"pdf\" location=\"{base}/SKILL.md\">\n")), "{loaded}");
    assert!(loaded.contains(&format!("are relative to {base}.\n\n")), "{loaded}");
    assert_eq!(tool.call("pfd").text, "Error: skill 'pfd' not found. Available skills: pdf.");

    let empty = SkillCatalog::new().directory(planted.path().join("none")).load().unwrap();
    assert_eq!((empty.prompt(), SkillTool::new(empty.iter()).is_none()), (String::new(), true));
}
