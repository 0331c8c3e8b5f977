//! Identifies bundle directories, so that the build script and the macro agree on which one was built.

use std::path::{Component, Path, PathBuf};

/// The directory of a bundle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Location {
    pub(crate) root: PathBuf,
    /// The path below the package, without `.` and, where possible, without `..`.
    pub(crate) relative: String,
    package: String,
}

impl Location {
    /// Finds `dir` below the directory of a package. An absolute path stays unchanged.
    pub(crate) fn below(package: &Path, dir: &Path) -> Self {
        let relative = dir.strip_prefix(package).unwrap_or(dir);
        Self {
            root: package.join(relative),
            relative: normalise(relative),
            package: package.to_string_lossy().into_owned(),
        }
    }

    /// Returns the directory of the package.
    pub(crate) fn package(&self) -> &Path {
        Path::new(&self.package)
    }

    /// Returns the name of the directory in reports: relative to the workspace, as rustc names files, or as
    /// `written` if it is outside. The workspace is the directory of cargo's lock file.
    pub(crate) fn label(&self, written: &str) -> String {
        let package = Path::new(&self.package);
        let workspace = package.ancestors().find(|dir| dir.join("Cargo.lock").is_file());
        let below = workspace.and_then(|dir| package.strip_prefix(dir).ok()).unwrap_or(Path::new(""));
        let label = normalise(&below.join(&self.relative));
        let outside = label.starts_with("..") || Path::new(&label).is_absolute();
        if outside { written.to_owned() } else { label }
    }

    /// Returns the environment variable that passes the path of the generated file from the build script to
    /// the macro.
    ///
    /// It contains the version, so that a macro does not read the output of another version's build script.
    /// It also contains the package: if the tests of one package run cargo for another package, the variables
    /// of the first are inherited.
    pub(crate) fn variable(&self) -> String {
        format!("{PREFIX}{VERSION}_{:016x}", self.identity()).replace('.', "_")
    }

    /// Returns `true` if a build script of another version set a variable for this directory.
    pub(crate) fn is_of_other_version(&self, variable: &str) -> bool {
        let hash = format!("_{:016x}", self.identity());
        variable.starts_with(PREFIX) && variable.ends_with(&hash) && variable != self.variable()
    }

    /// Returns the stem of the files in `OUT_DIR`, which does not depend on the location of the package.
    pub(crate) fn stem(&self) -> String {
        format!("skills-{:016x}", hash(&[&self.relative]))
    }

    fn identity(&self) -> u64 {
        hash(&[&self.package, &self.relative])
    }
}

/// Hashes texts with FNV-1a, which is the same in every build. A package has only a handful of bundles.
fn hash(texts: &[&str]) -> u64 {
    let bytes = texts.iter().flat_map(|text| text.bytes().chain([0]));
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

const PREFIX: &str = "SKILLS_BUNDLE_";
/// The version of the generated code, which is the version of the crates, since they are always used
/// together.
pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");

fn normalise(path: &Path) -> String {
    let mut parts: Vec<String> = Vec::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir if parts.last().is_some_and(|last| !matches!(last.as_str(), ".." | "/")) => {
                parts.pop();
            }
            Component::ParentDir => parts.push("..".to_owned()),
            Component::RootDir => parts.push("/".to_owned()),
            Component::Prefix(prefix) => parts.push(prefix.as_os_str().to_string_lossy().into_owned()),
            Component::Normal(part) => parts.push(part.to_string_lossy().into_owned()),
        }
    }
    if parts.is_empty() { ".".to_owned() } else { parts.join("/") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_one_directory_have_one_name() {
        let package = Path::new("/home/me/agent");
        let variable = |dir: &str| Location::below(package, Path::new(dir)).variable();
        for same in ["skills/", "./skills", "skills/.", "a/../skills", "/home/me/agent/skills", "skills//"] {
            assert_eq!(variable(same), variable("skills"), "{same}");
        }
        for other in ["skill", "a/skills", "../skills", ".", "", "../../skills", "/skills"] {
            assert_ne!(variable(other), variable("skills"), "{other}");
        }
        assert_eq!(Location::below(package, Path::new("../shared/./skills")).relative, "../shared/skills");
        assert_eq!(variable("."), variable(""));
        let elsewhere = Location::below(Path::new("/home/me/other"), Path::new("skills"));
        assert_ne!(elsewhere.variable(), variable("skills"));
        assert_eq!(elsewhere.stem(), Location::below(package, Path::new("skills")).stem());
    }

    // SPEC 1.2: reports name files as rustc does.
    #[test]
    fn a_label_begins_at_the_workspace() {
        let root =
            &Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the workspace");
        let label =
            |package: &str, dir: &str| Location::below(&root.join(package), Path::new(dir)).label(dir);
        assert_eq!(label("core/skills-build", "skills/"), "core/skills-build/skills");
        assert_eq!(label("core/skills-build", "../../examples/skills"), "examples/skills");
        assert_eq!(label("", "./skills"), "skills");
        assert_eq!(label("core/skills-build", "../../../elsewhere"), "../../../elsewhere");
        assert_eq!(label("core/skills-build", "/elsewhere/"), "/elsewhere/");
    }

    #[test]
    fn another_version_is_distinguished() {
        let location = Location::below(Path::new("/p"), Path::new("skills"));
        let old = location.variable().replace(&VERSION.replace('.', "_"), "0_0_9");
        assert!(location.is_of_other_version(&old));
        assert!(!location.is_of_other_version(&location.variable()));
        assert!(
            !location.is_of_other_version(&Location::below(Path::new("/p"), Path::new("other")).variable())
        );
    }
}
