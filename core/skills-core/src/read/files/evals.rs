//! Reads the files with test cases in `evals`. No bundle contains them, but `check` and editors check them.

use std::path::Path;

use super::super::listing::{EntryType, ListedEntry};
use super::super::path::join;
use super::{EVALS, Skill};

/// The maximum nesting of directories in `evals`.
const DEEPEST: usize = 8;

impl Skill<'_, '_> {
    /// Reads the JSON files directly in the directory `evals` of a skill, if the options request it.
    pub(super) fn read_evals(&mut self, real: &Path, directory: &ListedEntry) {
        if self.reader.options.evals.is_none() || directory.kind != EntryType::Directory {
            return;
        }
        let real = real.join(EVALS);
        let Ok(listing) = self.reader.list(&real, directory.inode) else { return };
        self.note_evals(&real, EVALS, &listing.entries, 0);
        let is_json = |entry: &&ListedEntry| entry.kind == EntryType::File && entry.name.ends_with(".json");
        for entry in listing.entries.iter().filter(is_json) {
            let path = join(EVALS, &entry.name);
            match self.reader.open(&real, entry) {
                Ok(opened) => {
                    let whole = join(&self.path, &path);
                    self.evals.extend(self.reader.add_text(whole, opened.bytes, self.index));
                }
                Err(problem) => self.report(&path, problem),
            }
        }
    }

    /// Records the files of a directory and of those below it, because cases name them.
    fn note_evals(&mut self, real: &Path, path: &str, entries: &[ListedEntry], depth: usize) {
        for entry in entries {
            let path = join(path, &entry.name);
            let real = real.join(&entry.name);
            let below = (entry.kind == EntryType::Directory && depth < DEEPEST)
                .then(|| self.reader.list(&real, entry.inode).ok())
                .flatten();
            if let Some(listing) = below {
                self.note_evals(&real, &path, &listing.entries, depth + 1);
            }
            self.eval_files.push(path);
        }
    }
}
