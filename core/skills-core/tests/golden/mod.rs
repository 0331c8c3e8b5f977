//! Compares a text with a file that holds the expected text; `BLESS=1` writes that file instead.

use std::fmt::Write;
use std::fs;
use std::path::Path;

/// Compares all texts before failing, so that one run shows every difference.
#[derive(Default)]
pub(crate) struct Goldens {
    /// The differences so far; a test may add others.
    pub(crate) failures: Vec<String>,
}

impl Goldens {
    /// Compares a text with a golden file.
    pub(crate) fn compare(&mut self, path: &Path, actual: &str) {
        if is_blessed() {
            fs::create_dir_all(path.parent().expect("a golden file has a directory"))
                .expect("a directory can be made");
            fs::write(path, actual).expect("a golden file can be written");
            return;
        }
        match fs::read_to_string(path) {
            Ok(expected) if expected == actual => {}
            Ok(expected) => {
                self.failures.push(format!("{}\n{}", path.display(), difference(&expected, actual)))
            }
            Err(error) => {
                self.failures.push(format!("{}: {error}\n{}", path.display(), difference("", actual)))
            }
        }
    }

    /// Fails when anything differed.
    pub(crate) fn finish(self) {
        let failures = self.failures.join("\n");
        assert!(
            failures.is_empty(),
            "\n{failures}\nIf the new texts are right: BLESS=1 cargo test -p skills-core"
        );
    }
}

/// Returns `true` if golden files should be renewed.
pub(crate) fn is_blessed() -> bool {
    std::env::var_os("BLESS").is_some_and(|value| value == "1")
}

/// Formats both texts from the first different line to the last.
fn difference(expected: &str, actual: &str) -> String {
    let (mut old, mut new): (Vec<&str>, Vec<&str>) =
        (expected.split('\n').collect(), actual.split('\n').collect());
    while old.len() > 1 && new.len() > 1 && old.last() == new.last() {
        old.pop();
        new.pop();
    }
    let same = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
    let mut out = format!("from line {}:\n", same + 1);
    for (sign, lines) in [('-', &old), ('+', &new)] {
        for line in lines.iter().skip(same) {
            writeln!(out, "{sign} {line}").expect("a string can be written to");
        }
    }
    out
}
