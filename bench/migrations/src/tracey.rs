use std::path::Path;

use skills::install::{Adopt, InstallError, InstallOptions, install as write};

skills::skills!("skills/tracey");

pub fn install(home: &Path) -> Result<(), InstallError> {
    write(&SKILLS, home.join(".claude"), &InstallOptions::new("tracey").adopt(Adopt::Named)).map(drop)
}
