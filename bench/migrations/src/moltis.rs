use std::path::Path;

use skills::install::{Adopt, InstallError, InstallOptions, Target, install as write};

skills::skills!("skills/moltis");

// Name, category and description of each skill; the category is the first directory.
pub fn discover() -> impl Iterator<Item = (&'static str, Option<&'static str>, &'static str)> {
    SKILLS.iter().map(|skill| (skill.name(), skill.dir().split('/').next(), skill.description()))
}

pub fn read_skill(name: &str) -> Option<&'static str> {
    Some(SKILLS.get(name)?.body())
}

pub fn read_sidecar(name: &str, path: &str) -> Option<&'static [u8]> {
    Some(SKILLS.get(name)?.resource(path)?.bytes())
}

pub fn list_sidecars(name: &str) -> Vec<(&'static str, usize)> {
    let files = SKILLS.get(name).map(|skill| skill.resources());
    files.into_iter().flatten().map(|file| (file.path(), file.bytes().len())).collect()
}

pub fn install(data_dir: &Path) -> Result<(), InstallError> {
    for (name, _, _) in discover() {
        let files = list_sidecars(name);
        assert!(
            read_skill(name).is_some() && files.iter().all(|(path, _)| read_sidecar(name, path).is_some())
        );
    }
    let options = InstallOptions::new("moltis").by_directory(true).adopt(Adopt::Named);
    write(&SKILLS, Target::directory(data_dir.join("bundled-skills")), &options).map(drop)
}
