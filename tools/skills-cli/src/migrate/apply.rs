//! Writes drafts to disk: writes all files under temporary names and then renames them.

use std::io;

use skills_commands::failure::CommandError;

use super::draft::{KEPT, MigrationDraft};

/// The result of `apply`.
pub(super) struct Applied {
    /// The number of drafts, counted from the first, that are in place.
    pub(super) done: usize,
    /// Why the next draft is not in place.
    pub(super) failure: Option<CommandError>,
}

/// Writes the files of all skills under temporary names, then renames them, one skill after another.
///
/// A reader always finds either the complete old skill or the complete new one: while there is still a
/// `SKILL.md`, the new `prompt.md` is only a resource. If the system refuses a step, the changes to that
/// skill are undone. The skills before it are complete.
pub(super) fn apply(drafts: &[MigrationDraft]) -> Applied {
    let staged: Result<Vec<Staged<'_>>, CommandError> = drafts.iter().map(Staged::new).collect();
    let staged = match staged {
        Ok(staged) => staged,
        Err(error) => return Applied { done: 0, failure: Some(error) },
    };
    for (done, skill) in staged.iter().enumerate() {
        if let Err(error) = skill.place() {
            return Applied { done, failure: Some(error) };
        }
    }
    Applied { done: staged.len(), failure: None }
}

/// The files of one skill under temporary names. Files that are not in place are removed on drop.
struct Staged<'a> {
    draft: &'a MigrationDraft,
    prompt: String,
    manifest: String,
}

impl<'a> Staged<'a> {
    fn new(draft: &'a MigrationDraft) -> Result<Self, CommandError> {
        let process = std::process::id();
        let (prompt, manifest) = (format!(".prompt.md.new-{process}"), format!(".skill.json.new-{process}"));
        let staged = Self { draft, prompt, manifest };
        staged.write(&staged.prompt, &draft.prompt)?;
        staged.write(&staged.manifest, &draft.manifest)?;
        Ok(staged)
    }

    fn place(&self) -> Result<(), CommandError> {
        self.rename(&self.prompt, "prompt.md")?;
        self.rename(&self.manifest, "skill.json").map_err(|error| self.undo("prompt.md", error))?;
        self.rename("SKILL.md", KEPT).map_err(|error| self.undo("prompt.md", self.undo("skill.json", error)))
    }

    fn write(&self, name: &str, text: &str) -> Result<(), CommandError> {
        let dir = &self.draft.dir;
        let written = dir.write_new(name.as_ref(), text.as_bytes(), false).and_then(|()| dir.sync());
        written.map_err(|error| CommandError::unwritable(&self.draft.path.join(name), error))
    }

    /// Renames a file to a free name. Another process may have created the target after the check.
    fn rename(&self, from: &str, to: &str) -> Result<(), CommandError> {
        let dir = &self.draft.dir;
        let renamed = match dir.metadata(to.as_ref()) {
            Ok(Some(_)) => Err(io::Error::from(io::ErrorKind::AlreadyExists)),
            Ok(None) => dir.rename(from.as_ref(), dir, to.as_ref()),
            Err(error) => Err(error),
        };
        renamed.map_err(|error| format!("{} cannot be put into place: {error}", self.path(to)).into())
    }

    /// Removes a file again, and extends the error if the removal fails.
    fn undo(&self, name: &str, error: CommandError) -> CommandError {
        match self.draft.dir.remove_file(name.as_ref()) {
            Ok(()) => error,
            Err(again) => format!("{error}; {} could not be removed either: {again}", self.path(name)).into(),
        }
    }

    fn path(&self, name: &str) -> String {
        self.draft.path.join(name).display().to_string()
    }
}

impl Drop for Staged<'_> {
    fn drop(&mut self) {
        // Files that are in place no longer have these names.
        for name in [&self.prompt, &self.manifest] {
            self.draft.dir.remove_file(name.as_ref()).ok();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use skills_files::Dir;

    use super::*;

    // SPEC 3.8: if a step is refused, its skill is unchanged, and the earlier ones are complete
    #[test]
    fn a_step_that_is_refused_is_undone() {
        let top = std::env::temp_dir().join(format!("skills-migrate-{}", std::process::id()));
        let draft = |name: &str| {
            let path = top.join(name);
            fs::create_dir_all(&path).unwrap();
            fs::write(path.join("SKILL.md"), "old").unwrap();
            let text = String::from("x");
            MigrationDraft {
                label: name.to_owned(),
                dir: Dir::open(&path).unwrap(),
                path,
                manifest: text.clone(),
                prompt: text,
                left_behind: Vec::new(),
            }
        };
        let drafts = [draft("a"), draft("b"), draft("c")];
        fs::create_dir(top.join("b").join(KEPT)).unwrap();
        let applied = apply(&drafts);
        assert_eq!(applied.done, 1);
        assert!(
            applied
                .failure
                .is_some_and(|error| error.to_string().contains(".SKILL.md.bak cannot be put into place"))
        );
        let names = |dir: &str| {
            let entries = fs::read_dir(top.join(dir)).unwrap();
            let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name()).collect();
            names.sort();
            names
        };
        assert_eq!(names("a"), [KEPT, "prompt.md", "skill.json"]);
        assert_eq!(names("b"), [KEPT, "SKILL.md"]);
        assert_eq!(names("c"), ["SKILL.md"]);
        fs::remove_dir_all(top).unwrap();
    }
}
