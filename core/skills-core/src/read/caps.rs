//! Reports sizes that exceed the limits in the options. Used by `open` and `files`.

use skills_text::write_size;

use super::problem::UnplacedProblem;
use super::source_tree::{DirectoryKind, ReadOptions};
use crate::rule::files;

/// Counts the bytes of all skills, and of the current skill.
#[derive(Debug)]
pub(super) struct Caps<'a> {
    options: &'a ReadOptions,
    skill: u64,
    bundle: u64,
    /// Whether a size over the limit of the skill, and of the folder of skills, was reported. If files over a limit
    /// are kept, both are reported only once.
    reported: (bool, bool),
    /// The folder of the counted skills.
    folder: String,
}

impl<'a> Caps<'a> {
    pub(super) fn new(options: &'a ReadOptions) -> Self {
        Self { options, skill: 0, bundle: 0, reported: (false, false), folder: String::new() }
    }

    /// Begins to count a skill of a folder. Each folder has its own sum.
    pub(super) fn begin_skill(&mut self, folder: &str) {
        self.reported.0 = false;
        if self.folder != folder {
            folder.clone_into(&mut self.folder);
            self.bundle = 0;
        }
    }

    /// Returns `true` if files over the limit are read anyway.
    pub(super) fn is_lasting(&self) -> bool {
        self.options.scope == DirectoryKind::Repository
    }

    /// Counts a file. Fails if the skill, or all skills together, would exceed a limit; the file is then not
    /// counted, unless sizes are only reported.
    pub(super) fn add(&mut self, file: &str, size: u64) -> Result<(), UnplacedProblem> {
        let skill = self.skill.saturating_add(size);
        if self.is_lasting() {
            self.skill = skill;
        }
        if skill > self.options.largest_skill() && !self.reported.0 {
            self.reported.0 = self.is_lasting();
            let title = format!("the skill is larger than {}", write_size(self.options.largest_skill()));
            return Err(full(&files::SKILL_TOO_LARGE, title, file, size, skill, "skill"));
        }
        let bundle = self.bundle.saturating_add(skill);
        if bundle > self.options.largest_bundle() && !self.reported.1 {
            self.reported.1 = self.is_lasting();
            let title =
                format!("all skills together are larger than {}", write_size(self.options.largest_bundle()));
            return Err(full(&files::BUNDLE_TOO_LARGE, title, file, size, bundle, "bundle"));
        }
        self.skill = skill;
        Ok(())
    }

    /// Ends a skill. If the skill is left out, its size is removed from the sum.
    pub(super) fn end_skill(&mut self, kept: bool) {
        if kept {
            self.bundle = self.bundle.saturating_add(self.skill);
        }
        self.skill = 0;
    }
}

/// Reports a file over the limit; its size is unknown if it grew while it was read.
pub(super) fn file_too_large(name: &str, size: Option<u64>, cap: u64) -> UnplacedProblem {
    let size = size.map_or_else(|| "its size changed while it was read".to_owned(), write_size);
    UnplacedProblem::new(
        &files::FILE_TOO_LARGE,
        format!("`{name}` is larger than {}", write_size(cap)),
        format!("exclude it with the line `{name}` in `.skillignore`, or raise the limit with the option `file_cap` or `check --cap file=SIZE`"),
    )
    .label(size)
    .ignore(name.to_owned())
}

fn full(
    rule: &'static crate::rule::Rule,
    title: String,
    file: &str,
    size: u64,
    sum: u64,
    option: &str,
) -> UnplacedProblem {
    let help = format!(
        "exclude files in `.skillignore` (this one: `{file}`), or raise the limit with the option `{option}_cap` or `check --cap {option}=SIZE`"
    );
    UnplacedProblem::new(rule, title, help)
        .label(format!("`{file}` ({}) increases the sum to {}", write_size(size), write_size(sum)))
        .ignore(file.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    // SPEC 1.3
    #[test]
    fn a_skill_left_out_leaves_room_for_the_next() {
        let options = ReadOptions { skill_cap: Some(10), bundle_cap: Some(15), ..ReadOptions::default() };
        let mut caps = Caps::new(&options);
        assert!(caps.add("a", 10).is_ok(), "the limit itself is allowed");
        assert!(caps.add("b", 1).is_err(), "one byte over the limit of the skill");
        caps.end_skill(false);
        assert!(caps.add("a", 9).is_ok());
        caps.end_skill(true);
        assert!(caps.add("a", 7).is_err(), "one byte over the limit of the bundle");
        caps.end_skill(false);
        assert!(caps.add("a", 6).is_ok());
        assert!(caps.add("huge", u64::MAX).is_err());
    }
}
