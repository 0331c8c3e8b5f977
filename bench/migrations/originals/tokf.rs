//! Runs the bundling part of tokf: `tokf HOME`.

use std::path::{Path, PathBuf};

mod anyhow {
    pub type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;
}

trait Context<T> {
    fn with_context(self, text: impl FnOnce() -> String) -> anyhow::Result<T>;
}

impl<T> Context<T> for std::io::Result<T> {
    fn with_context(self, text: impl FnOnce() -> String) -> anyhow::Result<T> {
        self.map_err(|_| text().into())
    }
}

mod claude {
    use super::*;
    include!(env!("PART_0"));

    pub fn run(home: &Path) {
        for bundle in ALL_SKILLS {
            install_bundle_to(&home.join(".claude/skills").join(bundle.dir_name), bundle).unwrap();
        }
    }
}

mod codex {
    use super::*;
    include!(env!("PART_1"));

    pub fn run(home: &Path) {
        for skill in CODEX_SKILLS {
            write_skill_file(&home.join(".agents/skills").join(skill.dir_name), skill.content).unwrap();
        }
    }
}

fn main() {
    let home = PathBuf::from(std::env::args().nth(1).unwrap());
    claude::run(&home);
    codex::run(&home);
}
