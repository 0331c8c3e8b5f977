//! Drafts become files: all are written aside, and then renamed into place (SPEC 3.8).

use std::io;

use super::draft::{Draft, KEPT};

/// What was done.
pub(super) struct Applied {
    /// How many drafts, from the first on, are in place.
    pub(super) done: usize,
    /// Why the next one is not.
    pub(super) failure: Option<String>,
}

/// Writes the files of all skills aside, then puts them into place, skill after skill.
///
/// At every moment a directory holds the old skill or the new one: `prompt.md` beside a `SKILL.md` is a mere resource,
/// and both files together are one skill (SPEC 3.5). When the system refuses a step, what was done to that skill is
/// undone, and those before it are whole.
pub(super) fn apply(drafts: &[Draft]) -> Applied {
    let staged: Result<Vec<Staged<'_>>, String> = drafts.iter().map(Staged::new).collect();
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

/// The files of one skill, written under names of their own; what is not in place is removed on drop.
struct Staged<'a> {
    draft: &'a Draft,
    prompt: String,
    manifest: String,
}

impl<'a> Staged<'a> {
    fn new(draft: &'a Draft) -> Result<Self, String> {
        let aside = |name: &str| format!(".{name}.new-{}", std::process::id());
        let staged = Self { draft, prompt: aside("prompt.md"), manifest: aside("skill.json") };
        staged.write(&staged.prompt, &draft.prompt)?;
        staged.write(&staged.manifest, &draft.manifest)?;
        Ok(staged)
    }

    fn place(&self) -> Result<(), String> {
        self.rename(&self.prompt, "prompt.md")?;
        self.rename(&self.manifest, "skill.json").map_err(|error| self.undo("prompt.md", error))?;
        self.rename("SKILL.md", KEPT).map_err(|error| self.undo("prompt.md", self.undo("skill.json", error)))
    }

    fn write(&self, name: &str, text: &str) -> Result<(), String> {
        let dir = &self.draft.dir;
        let written = dir.write_new(name.as_ref(), text.as_bytes(), false).and_then(|()| dir.sync());
        written.map_err(|error| format!("{} cannot be written: {error}", self.path(name)))
    }

    /// Renames a file to a name that is not taken: since the skill was judged somebody may have made one.
    fn rename(&self, from: &str, to: &str) -> Result<(), String> {
        let dir = &self.draft.dir;
        let renamed = match dir.metadata(to.as_ref()) {
            Ok(Some(_)) => Err(io::Error::from(io::ErrorKind::AlreadyExists)),
            Ok(None) => dir.rename(from.as_ref(), dir, to.as_ref()),
            Err(error) => Err(error),
        };
        renamed.map_err(|error| format!("{} cannot be put into place: {error}", self.path(to)))
    }

    /// Removes a file again and adds to the error when even that fails.
    fn undo(&self, name: &str, error: String) -> String {
        match self.draft.dir.remove_file(name.as_ref()) {
            Ok(()) => error,
            Err(again) => format!("{error}; nor could {} be removed again: {again}", self.path(name)),
        }
    }

    fn path(&self, name: &str) -> String {
        self.draft.path.join(name).display().to_string()
    }
}

impl Drop for Staged<'_> {
    fn drop(&mut self) {
        // What is in place has other names by now.
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

    // SPEC 3.8: when a step is refused, the skill is as it was, and those before it are whole
    #[test]
    fn a_step_that_is_refused_is_undone() {
        let top = std::env::temp_dir().join(format!("skills-migrate-{}", std::process::id()));
        let draft = |name: &str| {
            let path = top.join(name);
            fs::create_dir_all(&path).unwrap();
            fs::write(path.join("SKILL.md"), "old").unwrap();
            let text = String::from("x");
            Draft {
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
            applied.failure.is_some_and(|error| error.contains(".SKILL.md.bak cannot be put into place"))
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
