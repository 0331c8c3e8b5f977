//! Reads the files with test cases in `evals`. No bundle contains them, but `check` and editors check them.

use std::path::Path;

use super::super::listing::{Kind, ListedEntry};
use super::super::open;
use super::super::path::join;
use super::{EVALS, Skill};

impl Skill<'_, '_> {
    /// Reads the JSON files directly in the directory `evals` of a skill, if the options request it.
    pub(super) fn read_evals(&mut self, real: &Path, directory: &ListedEntry) {
        if self.reader.options.evals.is_none() || directory.kind != Kind::Directory {
            return;
        }
        let (root, over, cap) = (self.reader.root.clone(), self.reader.over, self.reader.options.file_cap);
        let real = real.join(EVALS);
        let Ok(listing) = over.list(&root, &real, directory.inode) else { return };
        for entry in
            listing.entries.iter().filter(|entry| entry.kind == Kind::File && entry.name.ends_with(".json"))
        {
            let path = join(EVALS, &entry.name);
            match open::read_entry(&root, over, &real, entry, cap) {
                Ok(opened) => {
                    let whole = join(&self.path, &path);
                    self.evals.extend(self.reader.add_text(whole, opened.bytes, self.index));
                }
                Err(problem) => self.report(&path, problem),
            }
        }
    }
}
