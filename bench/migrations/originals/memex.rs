//! Runs the bundling part of memex: `memex HOME`.

use std::path::{Path, PathBuf};

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

macro_rules! anyhow {
    ($($part:tt)*) => { Box::<dyn std::error::Error>::from(format!($($part)*)) };
}

trait Context<T> {
    fn with_context(self, text: impl FnOnce() -> String) -> Result<T>;
}

impl<T> Context<T> for std::io::Result<T> {
    fn with_context(self, text: impl FnOnce() -> String) -> Result<T> {
        self.map_err(|_| text().into())
    }
}

#[derive(Clone, Copy)]
struct SkillTarget;

fn home_dir() -> Result<PathBuf> {
    Ok(PathBuf::from(std::env::args().nth(1).unwrap()))
}

fn skill_destinations(home: &Path, _: SkillTarget) -> Vec<(&'static str, PathBuf)> {
    vec![("shared", home.join(".agents/skills/memex-search/SKILL.md"))]
}

include!(env!("PART_0"));

fn main() {
    run_skill_status(SkillTarget).unwrap();
    write_skill_targets(&home_dir().unwrap(), &[SkillTarget], SkillWriteMode::Install).unwrap();
}
