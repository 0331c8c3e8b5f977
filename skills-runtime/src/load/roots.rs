//! A home and a workspace become the directories that agents keep skills in (SPEC 1.6).

use std::path::{Path, PathBuf};

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
/// use skills_runtime::load::agent_directories;
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
pub(crate) fn workspace_directories(workspace: &Path) -> [PathBuf; 2] {
    BELOW_WORKSPACE.map(|below| workspace.join(below))
}
