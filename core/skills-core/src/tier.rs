//! Computes the tier of a skill from its files. Used by `check` and by the runtime.

use skills_text::{path_fault, path_names};

use crate::read::{File, SkillDir};

/// Returns the tier of a skill: 0 prose, 1 scripts, 2 a program, 3 a program with a typed input.
///
/// `exec` and `schema` are the fields as written; a field that does not name a file of the skill counts as
/// absent.
pub fn infer(dir: &SkillDir, exec: Option<&str>, schema: Option<&str>) -> u8 {
    let program = exec.and_then(|exec| find_program(dir, exec));
    let schema = schema.and_then(|schema| find_schema(dir, schema));
    match (program, schema) {
        (Some(_), Some(_)) => 3,
        (Some(_), None) => 2,
        (None, _) if has_scripts(dir) => 1,
        (None, _) => 0,
    }
}

/// Finds the file that `exec` names: below the skill, or below its `bin/` if the path has no slash.
pub fn find_program<'a>(dir: &'a SkillDir, exec: &str) -> Option<&'a File> {
    let path = normalize(exec);
    if path_fault(exec).is_some() {
        return None;
    }
    let in_bin = if exec.contains('/') { None } else { dir.file(&format!("bin/{path}")) };
    dir.file(&path).or(in_bin)
}

/// Finds the file that `schema` names.
pub fn find_schema<'a>(dir: &'a SkillDir, schema: &str) -> Option<&'a File> {
    if path_fault(schema).is_some() { None } else { dir.file(&normalize(schema)) }
}

/// Returns `true` if there are helper scripts: `*.sh` or `*.py` in the root, or anything in `bin/` or
/// `scripts/`. A skill without a `SKILL.md` has none.
fn has_scripts(dir: &SkillDir) -> bool {
    dir.file("SKILL.md").is_some()
        && dir.files.iter().any(|file| match file.path.split_once('/') {
            Some((folder, _)) => folder == "bin" || folder == "scripts",
            None => file.path.ends_with(".sh") || file.path.ends_with(".py"),
        })
}

/// Drops `.` parts and doubled slashes.
pub(crate) fn normalize(path: &str) -> String {
    path_names(path.trim()).join("/")
}
