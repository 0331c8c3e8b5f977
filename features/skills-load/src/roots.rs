//! A home and a workspace become the directories that agents keep skills in (SPEC 1.6).

use std::path::{Path, PathBuf};

use skills_core::read::expand_home;

/// The directories of skills below a home and below a workspace, low to high.
const BELOW_HOME: [&str; 2] = [".agents/skills", ".claude/skills"];
const BELOW_WORKSPACE: [&str; 2] = [".claude/skills", ".agents/skills"];

/// Returns the directories in which agents look for skills, lowest first: `~/.agents/skills`, `~/.claude/skills`,
/// `WORKSPACE/.claude/skills`, `WORKSPACE/.agents/skills` (SPEC 1.6).
///
/// Without a home there are the last two. None of them need exist.
///
/// They are paths: whoever reads them by [`Builder::directories`](super::Builder::directories) names them, and so answers
/// for them. [`Builder::agent`](super::Builder::agent) tells those of the workspace apart, which do nothing until they are
/// trusted (SPEC 14.9).
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

/// The directories of skills below a home.
pub(super) fn home_directories(home: &Path) -> [PathBuf; 2] {
    BELOW_HOME.map(|below| home.join(below))
}

/// The directories of skills below a workspace.
pub(super) fn workspace_directories(workspace: &Path) -> [PathBuf; 2] {
    BELOW_WORKSPACE.map(|below| workspace.join(below))
}

/// The directories of skills below a directory of a workspace, low to high.
const BELOW_EACH: [&str; 3] = [".github/skills", ".claude/skills", ".agents/skills"];

/// Returns where agents that are started in a directory look for skills, lowest first, as the guide of the standard has it
/// (SPEC 9.8): `~/.config/agents/skills`, `~/.agents/skills`, `~/.claude/skills`, then `.github/skills`, `.claude/skills`
/// and `.agents/skills` of each directory from the root of the git repository down to the workspace.
///
/// Without a repository it is the workspace alone. None of the directories need exist.
pub fn guide_directories(home: Option<&Path>, workspace: &Path) -> Vec<PathBuf> {
    let of_home = home.into_iter().flat_map(guide_home_directories);
    of_home.chain(guide_project_directories(home, workspace)).collect()
}

/// The user's own of them.
pub(super) fn guide_home_directories(home: &Path) -> [PathBuf; 3] {
    [".config/agents/skills", BELOW_HOME[0], BELOW_HOME[1]].map(|below| home.join(below))
}

/// Those that a repository brings, which nobody answers for until they are trusted (SPEC 14.9).
pub(super) fn guide_project_directories(home: Option<&Path>, workspace: &Path) -> Vec<PathBuf> {
    upward(home, workspace).iter().rev().flat_map(|directory| each_directory(directory)).collect()
}

/// The directories of skills directly below a directory of a project.
pub(crate) fn each_directory(directory: &Path) -> [PathBuf; 3] {
    BELOW_EACH.map(|below| directory.join(below))
}

/// Returns the workspace and what is above it, up to the root of its repository; the home directory is none.
fn upward(home: Option<&Path>, workspace: &Path) -> Vec<PathBuf> {
    let here = if workspace.as_os_str().is_empty() { Path::new(".") } else { workspace };
    let whole = std::path::absolute(here).unwrap_or_else(|_| here.to_path_buf());
    let above: Vec<&Path> = whole.ancestors().collect();
    // A `.git` is a directory, or a file in a worktree.
    let root = above.iter().position(|directory| directory.join(".git").exists());
    let Some(root) = root.filter(|root| above.get(*root).copied() != home) else {
        return vec![workspace.to_path_buf()];
    };
    let mut directories = vec![workspace.to_path_buf()];
    directories.extend(above.iter().take(root + 1).skip(1).map(|directory| directory.to_path_buf()));
    directories
}

/// Puts the home directory in the place of a leading `~/` (SPEC 1.1).
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
        assert_eq!(found, [of_home, below("repo/a/b")].concat(), "a home in a repository is no project");
        fs::remove_dir_all(top).expect("the directory goes");
    }
}
