use std::path::Path;

use skills::install::{Adopt, InstallError, InstallOptions, install as write};

mod claude {
    skills::skills!("skills/tokf/claude");
}
mod codex {
    skills::skills!("skills/tokf/codex");
}

pub fn install(home: &Path) -> Result<(), InstallError> {
    let options = InstallOptions::new("tokf").by_directory(true).adopt(Adopt::Named);
    write(&claude::SKILLS, home.join(".claude"), &options)?;
    write(&codex::SKILLS, home.join(".agents"), &options).map(drop)
}
