//! Drafts become files: all are written aside, and then renamed into place (SPEC 3.8).

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

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
    prompt: PathBuf,
    manifest: PathBuf,
}

impl<'a> Staged<'a> {
    fn new(draft: &'a Draft) -> Result<Self, String> {
        let aside = |name: &str| draft.dir.join(format!(".{name}.new-{}", std::process::id()));
        let staged = Self { draft, prompt: aside("prompt.md"), manifest: aside("skill.json") };
        write(&staged.prompt, &draft.prompt)?;
        write(&staged.manifest, &draft.manifest)?;
        Ok(staged)
    }

    fn place(&self) -> Result<(), String> {
        let at = |name: &str| self.draft.dir.join(name);
        let (prompt, manifest) = (at("prompt.md"), at("skill.json"));
        let (document, kept) = (at("SKILL.md"), at(KEPT));
        rename(&self.prompt, &prompt)?;
        let rest = rename(&self.manifest, &manifest);
        let undo_prompt = |error| undo(&prompt, error);
        rest.map_err(undo_prompt)?;
        rename(&document, &kept).map_err(|error| undo(&prompt, undo(&manifest, error)))
    }
}

impl Drop for Staged<'_> {
    fn drop(&mut self) {
        fs::remove_file(&self.prompt).ok();
        fs::remove_file(&self.manifest).ok();
    }
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    let mut options = fs::OpenOptions::new();
    let written = options.write(true).create_new(true).open(path).and_then(|mut file| {
        io::Write::write_all(&mut file, text.as_bytes())?;
        file.sync_all()
    });
    written.map_err(|error| format!("{} cannot be written: {error}", path.display()))
}

/// Renames a file to a name that is not taken: since the skill was judged somebody may have made one.
fn rename(from: &Path, to: &Path) -> Result<(), String> {
    let taken = match fs::symlink_metadata(to) {
        Ok(_) => Err(io::Error::from(io::ErrorKind::AlreadyExists)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => fs::rename(from, to),
        Err(error) => Err(error),
    };
    taken.map_err(|error| format!("{} cannot be put into place: {error}", to.display()))
}

/// Removes a file again and adds to the error when even that fails.
fn undo(path: &Path, error: String) -> String {
    match fs::remove_file(path) {
        Ok(()) => error,
        Err(again) => format!("{error}; nor could {} be removed again: {again}", path.display()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // SPEC 3.8: when a step is refused, the skill is as it was, and those before it are whole
    #[test]
    fn a_step_that_is_refused_is_undone() {
        let top = std::env::temp_dir().join(format!("skills-migrate-{}", std::process::id()));
        let draft = |name: &str| {
            let dir = top.join(name);
            fs::create_dir_all(&dir).unwrap();
            fs::write(dir.join("SKILL.md"), "old").unwrap();
            let text = String::from("x");
            Draft {
                label: name.to_owned(),
                dir,
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
