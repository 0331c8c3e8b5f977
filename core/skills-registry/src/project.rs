//! Projects: instructions for a model, with the names of the skills to use. Bundled and loaded projects have
//! the same type.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

/// A project: instructions for a model while the user works on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Project {
    name: Cow<'static, str>,
    instructions: Cow<'static, str>,
    skills: Names,
    path: Option<PathBuf>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Names {
    Fixed(&'static [&'static str]),
    Owned(Vec<String>),
}

impl Project {
    /// Creates a project that is compiled into the program. Called by generated code.
    pub const fn fixed(
        name: &'static str,
        instructions: &'static str,
        skills: &'static [&'static str],
    ) -> Self {
        Self {
            name: Cow::Borrowed(name),
            instructions: Cow::Borrowed(instructions),
            skills: Names::Fixed(skills),
            path: None,
        }
    }

    /// Creates a project that was read from a directory.
    pub fn new(name: String, instructions: String, skills: Vec<String>, path: PathBuf) -> Self {
        Self {
            name: Cow::Owned(name),
            instructions: Cow::Owned(instructions),
            skills: Names::Owned(skills),
            path: Some(path),
        }
    }

    /// Returns the name of the project, which is the name of its directory.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the instructions: the trimmed text of `ROLE.md` after its frontmatter. Never empty.
    pub fn instructions(&self) -> &str {
        &self.instructions
    }

    /// Returns the names of the skills that the project uses, in file order. They are not checked for
    /// existence.
    pub fn skills(&self) -> impl ExactSizeIterator<Item = &str> {
        (0..self.skills.len()).map(|at| self.skills.get(at))
    }

    /// Returns the absolute path of its directory, or `None` for a project that is compiled into the program.
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }
}

impl Names {
    fn len(&self) -> usize {
        match self {
            Self::Fixed(names) => names.len(),
            Self::Owned(names) => names.len(),
        }
    }

    fn get(&self, at: usize) -> &str {
        match self {
            Self::Fixed(names) => names.get(at).copied(),
            Self::Owned(names) => names.get(at).map(String::as_str),
        }
        .unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::Project;

    // SPEC 10.1
    #[test]
    fn bundled_and_loaded_projects_behave_alike() {
        let fixed = Project::fixed("a", "Do.", &["x", "y"]);
        let loaded = Project::new("a".into(), "Do.".into(), vec!["x".into(), "y".into()], "/p/a".into());
        for project in [&fixed, &loaded] {
            assert_eq!((project.name(), project.instructions()), ("a", "Do."));
            assert_eq!(project.skills().collect::<Vec<_>>(), ["x", "y"]);
        }
        assert_eq!((fixed.path(), loaded.path()), (None, Some("/p/a".as_ref())));
        assert_ne!(fixed, loaded, "they lie at different places");
    }
}
