//! Decides which hidden files are part of a skill.

/// The directories of a skill with its material. Hidden files in them are part of the skill.
pub const MATERIAL: [&str; 4] = ["assets", "references", "scripts", "templates"];

/// Returns `true` if a path below a skill is material whatever its name: it lies in one of the [`MATERIAL`] directories,
/// and no part of it was made by an operating system or belongs to a version control system.
///
/// ```
/// use skills_registry::is_material;
/// assert!(is_material("assets/.github/workflows/ci.yml"));
/// assert!(!is_material(".github/workflows/ci.yml") && !is_material("assets/.DS_Store"));
/// ```
pub fn is_material(path: &str) -> bool {
    let (folder, rest) = path.split_once('/').unwrap_or((path, ""));
    MATERIAL.contains(&folder) && !rest.split('/').any(is_never_material)
}

/// Returns `true` for names of files that nobody wrote, or that control what is read.
pub fn is_never_material(name: &str) -> bool {
    const NAMES: [&str; 9] =
        [".DS_Store", ".bzr", ".directory", ".git", ".hg", ".jj", ".localized", ".skillignore", ".svn"];
    NAMES.contains(&name)
        || name.starts_with("._")
        || name.starts_with(".nfs")
        || name.starts_with(".fuse_hidden")
}
