//! Runs the bundling part of tracey: `tracey HOME`.

use std::path::{Path, PathBuf};

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

trait WrapErr<T> {
    fn wrap_err_with(self, text: impl FnOnce() -> String) -> Result<T>;
}

impl<T> WrapErr<T> for std::io::Result<T> {
    fn wrap_err_with(self, text: impl FnOnce() -> String) -> Result<T> {
        self.map_err(|_| text().into())
    }
}

include!(env!("PART_0"));

fn main() {
    let home = PathBuf::from(std::env::args().nth(1).unwrap());
    install_skill_to(&home.join(".claude/skills/tracey")).unwrap();
}
