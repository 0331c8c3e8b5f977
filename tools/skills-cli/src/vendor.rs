//! `skills vendor`: copies skills into a package, and keeps the copy equal.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use skills_core::catalog::Catalog;
use skills_core::options::Options;
use skills_core::package::vendored::{self, SOURCE};
use skills_core::read::{MAX_PROJECT_FILE, read_text};
use skills_files::Root;
use skills_install::{Adopt, InstallOptions, Target};
use skills_schema::json::make::{array, string};

use super::origin;
use super::source::Source;
use skills_commands::failure::{self, Ended};
use skills_commands::output::Output;
use skills_commands::steps::{Step, Steps};
use skills_commands::{home, terminal};

/// The name of the copies in the lock file.
const BUNDLE: &str = "vendor";

#[derive(Debug, Args)]
pub(crate) struct Vendor {
    /// The directory of skills to copy
    #[arg(value_name = "SRC")]
    from: PathBuf,
    /// The directory in the package, which is created if needed
    #[arg(value_name = "DEST")]
    to: PathBuf,
    /// For CI: change nothing, and fail unless the copy equals SRC
    #[arg(long, conflicts_with = "force")]
    ci: bool,
    /// Replace files that were edited in DEST; keep each edited file as `.bak`
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    output: Output,
}

impl Vendor {
    /// Copies the skills, or only compares the copy. Writes nothing if a file in DEST would be lost.
    pub(crate) fn run(&self) -> Ended {
        let source = Source::from(self.from.clone());
        let catalog = origin::read(&source)?;
        let to = home::path(&self.to);
        let (from, copy) = (origin::real(&source.path()), origin::real(&to));
        if from.starts_with(&copy) || copy.starts_with(&from) {
            return Err(failure::error("one of the directories is inside the other; choose another DEST"));
        }
        let record = format!("{}\n", relative(&copy, &from));
        let mut steps = Steps::new(&self.output);
        if self.ci {
            return Ok(self.compare(&catalog, &to, &record, steps));
        }
        let registry = origin::registry(&catalog)?;
        let options =
            InstallOptions::new(BUNDLE).documents(false).restore(true).adopt(Adopt::Same).force(self.force);
        let plan = skills_install::plan(&registry, Target::directory(&to), &options)
            .map_err(|error| failure::installation(&error))?;
        let kept: Vec<_> = plan.steps().iter().filter(|step| !step.is_change()).cloned().collect();
        if !kept.is_empty() {
            steps.at(&self.to, &Step::installed(&kept, ""), "");
            steps.end_with(false, [("differences", array([]))]);
            return Err(failure::error(
                "nothing was copied, because files in DEST were not written by this command; move them, or use `--force`",
            ));
        }
        let report = plan.apply().map_err(|error| failure::installation(&error))?;
        let is_recorded = recorded_source(&to).is_some_and(|text| text == record);
        let write = |root: Root| root.replace(Path::new(SOURCE), record.as_bytes(), None);
        let recorded = if is_recorded { Ok(()) } else { Root::create(&to).and_then(write) };
        recorded.map_err(|error| {
            failure::error(format!("cannot write `{}`: {error}", to.join(SOURCE).display()))
        })?;
        steps.at(&self.to, &Step::installed(report.steps(), ""), "");
        Ok(self.compare(&catalog, &to, &record, steps))
    }

    /// Prints how the copy differs from the source.
    fn compare(&self, source: &Catalog, to: &Path, record: &str, steps: Steps) -> ExitCode {
        let copy = skills_core::load(to, &self.to.to_string_lossy(), &Options::default());
        let mut found = vendored::differences(&copy.catalog, source);
        if recorded_source(to).as_deref() != Some(record) {
            found.push(format!("`{SOURCE}` does not name the source"));
        }
        let differences = array(found.iter().map(|line| string(line.as_str())));
        let written = steps.end_with(!self.ci, [("differences", differences)]);
        if found.is_empty() {
            terminal::status("the copy is equal");
            return written;
        }
        if !self.output.is_json() {
            terminal::text(&found.iter().map(|line| format!("{line}\n")).collect::<String>());
        }
        let (from, to) = (skills_text::shell_path(&self.from), skills_text::shell_path(&self.to));
        failure::error(match self.ci {
            true => format!("the copy is not equal; run `skills vendor {from} {to}`"),
            false => "the copy has files that the source lacks; remove them".to_owned(),
        })
    }
}

/// Returns the path from one real directory to another, with `/`. Returns the absolute path if they are on
/// different drives.
fn relative(from: &Path, to: &Path) -> String {
    let shared = from.components().zip(to.components()).take_while(|(a, b)| a == b).count();
    let text = |path: &Path| path.to_string_lossy().replace('\\', "/");
    if shared == 0 {
        return text(to);
    }
    let up = from.components().skip(shared).map(|_| "..".to_owned());
    let down = to.components().skip(shared).map(|part| part.as_os_str().to_string_lossy().into_owned());
    up.chain(down).collect::<Vec<_>>().join("/")
}

/// Reads the record of where a copy came from. The directory may be part of a hostile repository.
fn recorded_source(copy: &Path) -> Option<String> {
    read_text(&copy.join(SOURCE), MAX_PROJECT_FILE).ok()
}

#[cfg(test)]
mod tests {
    use super::relative;

    #[test]
    fn a_copy_names_its_source_from_where_it_lies() {
        let path = |from: &str, to: &str| relative(from.as_ref(), to.as_ref());
        assert_eq!(path("/w/crates/agent/skills", "/w/skills"), "../../../skills");
        assert_eq!(path("/w/a", "/w/b"), "../b");
    }
}
