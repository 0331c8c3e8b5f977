//! Directories of skills that a test writes, and bundles of them.
#![allow(dead_code, reason = "each test program uses its part")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test without its directory must fail")]

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use skills_load::{Layers, LayersBuilder, Problem};
use skills_runtime::Registry;

/// A temporary directory, removed when dropped.
pub(crate) struct Planted(PathBuf);

impl Planted {
    pub(crate) fn new(files: &[(&str, &str)]) -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let name = format!("skills-load-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let planted = Self(fs::canonicalize(std::env::temp_dir()).unwrap().join(name));
        fs::create_dir_all(&planted.0).unwrap();
        files.iter().for_each(|(path, text)| planted.write(path, text));
        planted
    }

    /// One skill for each name, with the name as its description.
    pub(crate) fn of_names(names: &[&str]) -> Self {
        let planted = Self::new(&[]);
        names.iter().for_each(|name| planted.skill(name, name));
        planted
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    pub(crate) fn write(&self, path: &str, text: &str) {
        let path = self.0.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Writes a skill into the directory of its name.
    pub(crate) fn skill(&self, name: &str, description: &str) {
        self.write(&format!("{name}/SKILL.md"), &document(name, description));
    }

    /// Makes a bundle of the directory.
    pub(crate) fn bundle(&self) -> &'static Registry {
        self.bundle_within(8_000)
    }

    /// The same, with so many tokens for its catalog.
    pub(crate) fn bundle_within(&self, tokens: usize) -> &'static Registry {
        let loaded = skills_core::load(self.path(), "bundle", &Default::default());
        assert_eq!(loaded.report.errors(), 0, "{:?}", loaded.report);
        let tables = skills_core::lower::tables(&loaded.catalog, tokens).unwrap();
        Box::leak(Box::new(Registry::new(tables)))
    }

    /// Reads the directory as the only layer.
    pub(crate) fn load(&self) -> Layers {
        LayersBuilder::new().directory(self.path()).load().unwrap()
    }
}

impl Drop for Planted {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.0).ok();
    }
}

/// A `SKILL.md` of one line.
pub(crate) fn document(name: &str, description: &str) -> String {
    format!("---\nname: {name}\ndescription: {description}\n---\nBody of {name}.\n")
}

/// The names that a list has.
pub(crate) fn names(layers: &Layers) -> Vec<&str> {
    layers.iter().map(|skill| skill.name()).collect()
}

/// The codes of problems, with the path, line and column of each.
pub(crate) fn codes(problems: &[Problem]) -> Vec<&str> {
    problems.iter().map(|problem| problem.code).collect()
}

/// The only problem there is.
pub(crate) fn only(layers: &Layers) -> &Problem {
    match layers.problems() {
        [problem] => problem,
        problems => panic!("expected one problem: {problems:?}"),
    }
}
