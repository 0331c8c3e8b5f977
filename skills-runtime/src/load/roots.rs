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
/// ```
/// use std::path::Path;
/// use skills_runtime::load::agent_directories;
/// let directories = agent_directories(Some(Path::new("/home/ada")), Path::new("/work"));
/// assert_eq!(directories[0], Path::new("/home/ada/.agents/skills"));
/// assert_eq!(directories[3], Path::new("/work/.agents/skills"));
/// ```
pub fn agent_directories(home: Option<&Path>, workspace: &Path) -> Vec<PathBuf> {
    let of_home = home.into_iter().flat_map(|home| BELOW_HOME.map(|below| home.join(below)));
    of_home.chain(BELOW_WORKSPACE.map(|below| workspace.join(below))).collect()
}
