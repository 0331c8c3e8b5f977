//! Prints the diff of `check --diff`.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use skills_report::fix::{self, Checked, Fixed};

use skills_commands::terminal;

/// Prints the changes that the fixes would make, and where the diff applies. Returns `false` if there are none.
pub(super) fn print<J: Checked>(root: &Path, fixed: &Fixed<J>) -> Result<bool, ExitCode> {
    let Place { label, applies_in } = Place::find(root);
    let diff = fix::diff(root, label, &fixed.over, &fixed.renamed);
    if terminal::diff(&diff) != ExitCode::SUCCESS {
        return Err(terminal::usage("the diff could not be written"));
    }
    if let Some(root) = applies_in.filter(|_| !diff.is_empty()) {
        let root = root.display();
        terminal::note(format_args!("the paths are relative to {root}: apply the diff there"));
    }
    Ok(!diff.is_empty())
}

/// The root of a check in a diff.
struct Place {
    /// The path of the root in the diff. It has no `..`, which `git apply` and `patch` refuse.
    label: PathBuf,
    /// The directory to which the paths are relative, if that is not the current directory.
    applies_in: Option<PathBuf>,
}

impl Place {
    /// Finds the path of a root below the current directory, or else below the nearest directory that contains both.
    fn find(root: &Path) -> Self {
        let here = std::env::current_dir().and_then(|here| here.canonicalize());
        let (Ok(here), Ok(real)) = (here, root.canonicalize()) else {
            return Self { label: root.to_owned(), applies_in: None };
        };
        Self::between(&here, &real)
    }

    fn between(here: &Path, real: &Path) -> Self {
        let above = here.ancestors().find_map(|above| Some((above, real.strip_prefix(above).ok()?)));
        let Some((above, below)) = above else {
            // Two drives of Windows have no common directory.
            return Self { label: PathBuf::new(), applies_in: Some(real.to_owned()) };
        };
        Self { label: below.to_owned(), applies_in: (above != here).then(|| above.to_owned()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // SPEC 17.3: no path of a diff leads out of the directory in which it is applied
    #[test]
    fn paths_are_below_a_common_directory() {
        for (real, label, root) in [
            ("/w/a", "", None),
            ("/w/a/s", "s", None),
            ("/w/b/s", "b/s", Some("/w")),
            ("/w", "", Some("/w")),
            ("/o/s", "o/s", Some("/")),
        ] {
            let place = Place::between(Path::new("/w/a"), Path::new(real));
            assert_eq!(
                (place.label.to_str(), place.applies_in),
                (Some(label), root.map(PathBuf::from)),
                "{real}"
            );
        }
    }
}
