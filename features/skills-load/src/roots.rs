//! The directories where agents keep skills, below a home and a workspace.

use std::path::{Path, PathBuf};

use skills_core::read::{PROJECT_SKILLS, expand_home};

/// The directories of skills below a home and below a workspace, low to high.
const BELOW_HOME: [&str; 2] = [".agents/skills", ".claude/skills"];
const BELOW_WORKSPACE: [&str; 2] = [PROJECT_SKILLS[1], PROJECT_SKILLS[2]];

/// The directory of a project in which the author of skills writes them.
pub(crate) const OWN_SKILLS: &str = "skills";

/// Returns the directories where agents look for skills, lowest first: `~/.agents/skills`,
/// `~/.claude/skills`, `WORKSPACE/.claude/skills`, `WORKSPACE/.agents/skills`.
///
/// Without a home, returns only the last two. The directories need not exist.
///
/// If you pass these paths to [`LayersBuilder::directories`](super::LayersBuilder::directories), all of them are trusted.
/// With [`LayersBuilder::agent`](super::LayersBuilder::agent), skills in the workspace are inactive until they are
/// trusted.
///
/// ```
/// use std::path::Path;
/// use skills_load::agent_directories;
/// let directories = agent_directories(Some(Path::new("/home/ada")), Path::new("/work"));
/// assert_eq!(directories[0], Path::new("/home/ada/.agents/skills"));
/// assert_eq!(directories[3], Path::new("/work/.agents/skills"));
/// ```
pub fn agent_directories(home: Option<&Path>, workspace: &Path) -> Vec<PathBuf> {
    let of_home = home.into_iter().flat_map(home_directories);
    of_home.chain(workspace_directories(workspace)).collect()
}

/// Returns the directories of skills below a home.
pub(super) fn home_directories(home: &Path) -> [PathBuf; 2] {
    BELOW_HOME.map(|below| home.join(below))
}

/// Returns the directories of skills below a workspace.
pub(super) fn workspace_directories(workspace: &Path) -> [PathBuf; 2] {
    BELOW_WORKSPACE.map(|below| workspace.join(below))
}

/// Returns the directories where agents started in a directory look for skills, lowest first, according to
/// the guide of the standard: `~/.config/agents/skills`, `~/.agents/skills`, `~/.claude/skills`, then
/// `.github/skills`, `.claude/skills` and `.agents/skills` of each directory from the root of the git
/// repository down to the workspace.
///
/// Outside a repository, only the workspace counts. The directories need not exist.
pub fn guide_directories(home: Option<&Path>, workspace: &Path) -> Vec<PathBuf> {
    let of_home = home.into_iter().flat_map(guide_home_directories);
    of_home.chain(guide_project_directories(home, workspace)).collect()
}

/// Returns the guide's directories that belong to the user.
pub(super) fn guide_home_directories(home: &Path) -> [PathBuf; 3] {
    [".config/agents/skills", BELOW_HOME[0], BELOW_HOME[1]].map(|below| home.join(below))
}

/// Returns the guide's directories that belong to the repository and are untrusted by default.
pub(super) fn guide_project_directories(home: Option<&Path>, workspace: &Path) -> Vec<PathBuf> {
    upward(home, workspace).iter().rev().flat_map(|directory| each_directory(directory)).collect()
}

/// Returns the directories of skills directly below a directory of a project.
pub(crate) fn each_directory(directory: &Path) -> [PathBuf; 3] {
    PROJECT_SKILLS.map(|below| directory.join(below))
}

/// Returns the workspace and its ancestors up to the root of its repository, without the home directory.
fn upward(home: Option<&Path>, workspace: &Path) -> Vec<PathBuf> {
    let here = if workspace.as_os_str().is_empty() { Path::new(".") } else { workspace };
    let whole = std::path::absolute(here).unwrap_or_else(|_| here.to_path_buf());
    let above: Vec<&Path> = whole.ancestors().collect();
    // `.git` is a directory, or a file in a worktree.
    let root = above.iter().position(|directory| directory.join(".git").exists());
    let Some(root) = root.filter(|root| above.get(*root).copied() != home) else {
        return vec![workspace.to_path_buf()];
    };
    let mut directories = vec![workspace.to_path_buf()];
    directories.extend(above.iter().take(root + 1).skip(1).map(|directory| directory.to_path_buf()));
    directories
}

/// Returns the real path of a directory that need not exist: links are resolved as far as it does.
pub fn real_path(path: &Path) -> PathBuf {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let real = path.ancestors().find_map(|above| {
        let real = above.canonicalize().ok()?;
        let rest = path.strip_prefix(above).ok()?;
        // An empty rest would add a slash to the end.
        Some(if rest.as_os_str().is_empty() { real } else { real.join(rest) })
    });
    real.unwrap_or_else(|| path.clone())
}

/// Replaces a leading `~/` with the home directory.
pub fn expand(path: &Path) -> PathBuf {
    expand_home(path, std::env::home_dir().as_deref())
}

#[cfg(test)]
mod tests {
    use super::guide_directories;
    use std::fs;

    // SPEC 9.8
    #[test]
    fn the_repository_is_walked_up_to_its_root() {
        let top = std::env::temp_dir().join(format!("skills-roots-{}", std::process::id()));
        let inner = top.join("repo/a/b");
        fs::create_dir_all(&inner).expect("a directory");
        let below =
            |at: &str| [".github", ".claude", ".agents"].map(|name| top.join(at).join(name).join("skills"));
        assert_eq!(guide_directories(None, &inner), below("repo/a/b"), "no repository");
        fs::create_dir(top.join("repo/.git")).expect("a directory");
        let found = guide_directories(None, &inner);
        assert_eq!(
            found,
            [below("repo"), below("repo/a"), below("repo/a/b")].concat(),
            "the nearest is highest"
        );
        let home = top.join("repo");
        let found = guide_directories(Some(&home), &inner);
        let of_home =
            [".config/agents/skills", ".agents/skills", ".claude/skills"].map(|below| home.join(below));
        assert_eq!(found, [of_home, below("repo/a/b")].concat(), "a home in a repository is not a project");
        fs::remove_dir_all(top).expect("the directory goes");
    }
}
