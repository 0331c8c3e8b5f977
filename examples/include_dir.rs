//! The files of a skill as an `include_dir::Dir`, for a program that already works with that crate.
#![expect(clippy::print_stdout, reason = "it talks to its user")]

use skills::Dirs;
use skills::include_dir::Dir;

skills::skills!("skills/");

/// Each view is made when it is first asked for.
static DIRS: Dirs = Dirs::new();

/// Prints the tree of a directory, like code that was written for `include_dir!`.
fn print(dir: &Dir<'_>, depth: usize) {
    for entry in dir.entries() {
        println!("{:depth$}{}", "", entry.path().display(), depth = depth * 2);
        if let Some(dir) = entry.as_dir() {
            print(dir, depth + 1);
        }
    }
}

fn main() {
    for skill in [SKILLS.csv_profile, SKILLS.skill_creator] {
        println!("{}", skill.name());
        print(DIRS.skill_dir(skill), 1);
    }
}
