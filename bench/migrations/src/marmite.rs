use std::path::Path;

use skills::install::{Adopt, InstallError, InstallOptions, install as write};

skills::skills!("skills/marmite");

pub fn get_skill_content() -> Option<&'static str> {
    SKILLS.get("marmite")?.file("SKILL.md")?.text()
}

pub fn install(target_folder: &Path) -> Result<(), InstallError> {
    assert!(get_skill_content().is_some());
    let options = InstallOptions::new("marmite").adopt(Adopt::Named);
    write(&SKILLS, target_folder.join(".agents"), &options).map(drop)
}
