use std::path::Path;

use skills::install::{Adopt, InstallError, InstallOptions, Target, install as write};

skills::skills!("skills/ironclaw");

// The summaries that the build script wrote as JSON: name, version, description, keywords, tags, required skills.
pub fn summaries() -> impl Iterator<Item = (&'static str, &'static str, &'static str, [Vec<&'static str>; 3])>
{
    SKILLS.iter().map(|skill| {
        let list = |key| skill.metadata(key).map(|value| value.items().collect()).unwrap_or_default();
        let lists = ["activation.keywords", "activation.tags", "requires.skills"].map(list);
        (skill.name(), skill.version(), skill.description(), lists)
    })
}

pub fn install(home: &Path) -> Result<(), InstallError> {
    assert_eq!(summaries().count(), SKILLS.iter().count());
    let options = InstallOptions::new("ironclaw").adopt(Adopt::Named);
    write(&SKILLS, Target::directory(home.join("system/skills")), &options).map(drop)
}
