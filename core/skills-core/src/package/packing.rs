//! Decides which files of a package cargo packages, by the rules of `cargo package`.

use skills_text::shell_word;

use super::{Bundled, Package};
use crate::diagnostic::Diagnostic;
use crate::patterns::Patterns;
use crate::read::{CARGO_MANIFEST, is_git_ignored, repository_of};
use crate::rule::packages as rules;
use crate::span::SourceMap;

/// Why cargo leaves a file out of a package.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeftOut {
    /// No pattern of `include` matches it.
    Include,
    /// The pattern of `exclude` with this number matches it.
    Exclude(usize),
    /// A part of its path begins with a dot, and the package is not in a git repository.
    Hidden,
}

impl Package {
    /// Returns why cargo leaves a file out, or `None` if it is packaged; `path` is below the package, with `/`.
    ///
    /// Files that git ignores, and packages inside the package, are not considered here.
    pub fn left_out(&self, path: &str) -> Option<LeftOut> {
        let (include, exclude) = (&self.manifest.include.items, &self.manifest.exclude.items);
        if !include.is_empty() {
            let is_included = Patterns::new(include.iter().map(|(pattern, _)| pattern.as_str())).holds(path);
            return (!is_included).then_some(LeftOut::Include);
        }
        if Patterns::new(exclude.iter().map(|(pattern, _)| pattern.as_str())).holds(path) {
            let cause =
                exclude.iter().rposition(|(pattern, _)| Patterns::new([pattern.as_str()]).holds(path));
            return cause.map(LeftOut::Exclude);
        }
        let has_hidden = path.split('/').any(|name| name.starts_with('.'));
        (has_hidden && !self.uses_git()).then_some(LeftOut::Hidden)
    }

    /// Returns `true` if cargo gets the list of files from git: the package is tracked in a repository.
    fn uses_git(&self) -> bool {
        repository_of(&self.dir).is_some() && !is_git_ignored(&self.dir)
    }

    /// Reports the files of a bundle that cargo leaves out of the package, once for each cause.
    pub(super) fn missing(
        &self,
        bundled: Bundled<'_>,
        files: &[String],
        sources: &mut SourceMap,
    ) -> Vec<Diagnostic> {
        let dir = bundled.dir;
        if let Some(nested) = self.package_around(dir) {
            let title = format!("`cargo package` leaves out `{dir}`, which lies in another package");
            let label = format!("`{nested}` has a `Cargo.toml` of its own");
            let into = super::into(dir);
            let help =
                format!("copy the skills with `skills package vendor {dir} {into}`, and bundle `{into}`");
            return vec![
                rules::BUNDLE_NOT_PACKAGED
                    .report_at(sources.add_path(bundled.label, None), title)
                    .label(label)
                    .help(help),
            ];
        }
        if self.manifest.include.items.is_empty() && self.uses_git() && is_git_ignored(bundled.root) {
            let title = format!("`cargo package` leaves out `{dir}`, because git ignores it");
            let label = "a line of a `.gitignore` matches it";
            let help = format!(
                "remove the line, or commit the skills in spite of it: `git add --force {}`",
                shell_word(bundled.label)
            );
            return vec![
                rules::BUNDLE_NOT_PACKAGED
                    .report_at(sources.add_path(bundled.label, None), title)
                    .label(label)
                    .help(help),
            ];
        }
        let mut causes: Vec<(LeftOut, &String, usize)> = Vec::new();
        for path in files {
            let Some(cause) = self.left_out(path) else { continue };
            match causes.iter_mut().find(|(known, ..)| *known == cause) {
                Some((.., count)) => *count += 1,
                None => causes.push((cause, path, 1)),
            }
        }
        let mut found = Vec::new();
        for (cause, path, count) in causes {
            let title = match (count, count == files.len()) {
                (1, false) => format!("`cargo package` leaves out `{path}`, a file of the skills"),
                (_, true) => format!("`cargo package` leaves out all skills of `{dir}`"),
                (count, _) => format!("`cargo package` leaves out {count} files of the skills in `{dir}`"),
            };
            let pattern = if dir == "." { format!("/{path}") } else { format!("/{dir}/**") };
            found.push(match cause {
                LeftOut::Include => rules::BUNDLE_NOT_PACKAGED
                    .report_at(self.manifest.include.place, title)
                    .label(format!("no pattern matches `{path}`"))
                    .help(format!("add to the list: \"{pattern}\"")),
                LeftOut::Exclude(at) => {
                    let place = self.manifest.exclude.items.get(at).map(|(_, place)| *place);
                    rules::BUNDLE_NOT_PACKAGED
                        .report_at(place.unwrap_or_default(), title)
                        .label(format!("this pattern matches `{path}`"))
                        .help(format!("remove the pattern, or add after it: \"!{pattern}\""))
                }
                LeftOut::Hidden => rules::BUNDLE_NOT_PACKAGED
                    .report_at(sources.add_path(bundled.label, None), title)
                    .label("outside a git repository, cargo leaves out hidden files")
                    .help("bundle a directory without `.` at the start of its name"),
            });
        }
        found
    }

    /// Returns the directory between the package and a directory in it that is a separate package.
    fn package_around<'d>(&self, dir: &'d str) -> Option<&'d str> {
        let ends = dir.match_indices('/').map(|(at, _)| at).chain([dir.len()]);
        let mut above = ends.filter_map(|end| dir.get(..end)).filter(|above| *above != ".");
        above.find(|above| self.dir.join(above).join(CARGO_MANIFEST).is_file())
    }
}
