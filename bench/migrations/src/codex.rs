use std::path::{Path, PathBuf};

use skills::install::{Adopt, InstallError, InstallOptions, Target, install as write};

skills::skills!("skills/codex");

pub fn system_cache_root_dir(codex_home: &Path) -> PathBuf {
    codex_home.join("skills").join(".system")
}

pub fn install(codex_home: &Path) -> Result<(), InstallError> {
    let options = InstallOptions::new("codex-system").by_directory(true).adopt(Adopt::Named).restore(true);
    write(&SKILLS, Target::directory(system_cache_root_dir(codex_home)), &options).map(drop)
}
