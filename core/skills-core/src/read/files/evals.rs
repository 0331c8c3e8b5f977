//! Reads the files with test cases in `evals`. No bundle contains them, but `check` and editors check them.

use std::path::Path;

use super::super::listing::{Kind, ListedEntry};
use super::super::path::join;
use super::{EVALS, Skill};

impl Skill<'_, '_> {
    /// Reads the JSON files directly in the directory `evals` of a skill, if the options request it.
    pub(super) fn read_evals(&mut self, real: &Path, directory: &ListedEntry) {
        if self.reader.options.evals.is_none() || directory.kind != Kind::Directory {
            return;
        }
        let real = real.join(EVALS);
        let Ok(listing) = self.reader.list(&real, directory.inode) else { return };
        let is_json = |entry: &&ListedEntry| entry.kind == Kind::File && entry.name.ends_with(".json");
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
}
