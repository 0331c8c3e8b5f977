//! Loads projects from disk: each `DATA/projects/NAME/ROLE.md` is a [`Project`].
//!
//! ```
//! use skills_load::projects::{ensure_projects_dir, load_projects};
//!
//! # let data = std::env::temp_dir().join(format!("skills-projects-example-{}", std::process::id()));
//! let projects = ensure_projects_dir(&data)?;
//! std::fs::create_dir_all(projects.join("stocks"))?;
//! std::fs::write(projects.join("stocks/ROLE.md"), "---\nskills: [pdf, pfd]\n---\nYou track my portfolio.\n")?;
//!
//! let loaded = load_projects(&data, Some(&["pdf"]));
//! assert_eq!(loaded.projects[0].instructions(), "You track my portfolio.");
//! assert_eq!(loaded.problems.len(), 1);
//! assert!(loaded.problems[0].to_string().contains("stocks/ROLE.md:2:15: there is no skill `pfd`"));
//! # std::fs::remove_dir_all(&data)?;
//! # Ok::<(), std::io::Error>(())
//! ```

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use skills_core::level::Level;
use skills_core::levels::Profile;
use skills_core::options::Options;
use skills_core::print::cargo;
use skills_core::read::expand_home;

pub use skills_registry::Project;

/// The result of [`load_projects`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct LoadedProjects {
    /// The projects, sorted by name.
    pub projects: Vec<Project>,
    /// The problems of loaded and skipped projects.
    pub problems: Vec<ProjectProblem>,
}

/// A problem of a directory of projects.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ProjectProblem {
    /// The code of the broken rule, for `skills explain`.
    pub code: &'static str,
    /// Whether it is an error. Projects with errors are left out. Empty projects are left out too, but are
    /// only a warning.
    pub is_error: bool,
    /// One line: path, line, column, message and help.
    pub text: String,
}

impl fmt::Display for ProjectProblem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.text)
    }
}

/// Creates `data_dir/projects` if it does not exist, and returns it. A leading `~/` is the home directory.
///
/// # Errors
/// If the directory cannot be created.
pub fn ensure_projects_dir(data_dir: impl AsRef<Path>) -> io::Result<PathBuf> {
    let directory = projects_dir(data_dir.as_ref());
    std::fs::create_dir_all(&directory)?;
    Ok(directory)
}

/// Loads the projects of `data_dir/projects`, one level deep.
///
/// A missing directory has no projects. A directory without a `ROLE.md`, a `ROLE.md` without text or with a
/// broken frontmatter, and a link out of `projects` are left out, with a problem in `problems`. `skills` are
/// the names that projects may use, such as the names in a registry. A project with another name is loaded,
/// with a problem. Without `skills`, names are not checked.
pub fn load_projects(data_dir: impl AsRef<Path>, skills: Option<&[&str]>) -> LoadedProjects {
    let directory = projects_dir(data_dir.as_ref());
    let label = directory.to_string_lossy();
    let options = Options { profile: Profile::Disk, ..Options::default() };
    let loaded = skills_core::projects::load(&directory, &label, &options, skills);
    let problems = loaded.report.diagnostics.iter().map(|problem| ProjectProblem {
        code: problem.rule.code,
        is_error: problem.level == Level::Error,
        text: cargo::line(problem, &loaded.sources),
    });
    let projects = loaded.projects.iter().map(|project| {
        let path = directory.join(&project.name);
        let path = std::path::absolute(&path).unwrap_or(path);
        Project::new(project.name.clone(), project.instructions.clone(), project.skills.clone(), path)
    });
    LoadedProjects { projects: projects.collect(), problems: problems.collect() }
}

fn projects_dir(data_dir: &Path) -> PathBuf {
    expand_home(data_dir, std::env::home_dir().as_deref()).join("projects")
}
