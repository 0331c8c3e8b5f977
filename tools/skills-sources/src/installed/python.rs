//! The packages of the active Python environment, read from `site-packages` without running Python.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use skills_text::is_exact_path;

use super::{InstalledPackage, existing};

/// The largest `RECORD` that is read, in bytes.
const MAX_FILE_SIZE: u64 = 32 << 20;

/// Returns the packages of the environment.
pub(super) fn packages(project: &Path) -> Vec<InstalledPackage> {
    let mut found = Vec::new();
    for site in sites(project) {
        for entry in fs::read_dir(&site).into_iter().flatten().flatten() {
            let file = entry.file_name();
            let Some((name, version)) =
                file.to_str().and_then(|name| name.strip_suffix(".dist-info")?.split_once('-'))
            else {
                continue;
            };
            let record = skills_files::read(&entry.path().join("RECORD"), MAX_FILE_SIZE).unwrap_or_default();
            let skills = existing(&site, directories(&String::from_utf8_lossy(&record)));
            found.push(InstalledPackage {
                name: name.to_owned(),
                version: version.to_owned(),
                license: license(&entry.path()),
                root: site.clone(),
                skills,
            });
        }
    }
    found.sort_by(|a, b| (&a.name, &a.version).cmp(&(&b.name, &b.version)));
    found
}

/// Returns the license in the `METADATA` of a package, or the file beside it that holds the license.
fn license(info: &Path) -> Option<String> {
    let metadata = skills_files::read(&info.join("METADATA"), MAX_FILE_SIZE).unwrap_or_default();
    let metadata = String::from_utf8_lossy(&metadata);
    let head = || metadata.lines().take_while(|line| !line.is_empty());
    let named = ["License-Expression: ", "License: ", "License-File: "]
        .iter()
        .find_map(|key| head().find_map(|line| line.strip_prefix(key)).filter(|text| *text != "UNKNOWN"));
    super::license(info, named)
}

/// Returns the directories `site-packages` of the environment: the active one, or `.venv` of the project.
fn sites(project: &Path) -> Vec<PathBuf> {
    let active =
        [env::var_os("VIRTUAL_ENV"), env::var_os("CONDA_PREFIX")].into_iter().flatten().map(PathBuf::from);
    let Some(top) = active.chain([project.join(".venv")]).find(|path| path.is_dir()) else {
        return Vec::new();
    };
    let versions = fs::read_dir(top.join("lib")).into_iter().flatten().flatten();
    let mut sites: Vec<PathBuf> = versions.map(|entry| entry.path().join("site-packages")).collect();
    sites.push(top.join("Lib/site-packages"));
    sites.retain(|site| site.is_dir());
    sites.sort();
    sites
}

/// Returns the directories of skills among the files that a package has recorded: the directory `skills` above a
/// `SKILL.md`, or else the directory above the skill.
fn directories(record: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for line in record.lines() {
        let path = match line.strip_prefix('"') {
            Some(quoted) => quoted.split('"').next(),
            None => line.split(',').next(),
        };
        let Some(skill) =
            path.and_then(|path| path.strip_suffix("/SKILL.md")).filter(|path| is_exact_path(path))
        else {
            continue;
        };
        let parts: Vec<&str> = skill.split('/').collect();
        let end = parts.iter().position(|part| *part == "skills").map_or(parts.len() - 1, |at| at + 1);
        let directory = parts.get(..end.min(parts.len())).unwrap_or_default().join("/");
        if !directory.is_empty() && !found.contains(&directory) {
            found.push(directory);
        }
    }
    found
}

/// Returns the normalized name of a package, for comparisons (PEP 503).
pub(super) fn normal(name: &str) -> String {
    let mut normal = String::new();
    for part in name.split(['-', '_', '.']).filter(|part| !part.is_empty()) {
        if !normal.is_empty() {
            normal.push('-');
        }
        normal.push_str(&part.to_ascii_lowercase());
    }
    normal
}

#[cfg(test)]
mod tests {
    use super::*;

    // SPEC 21.9
    #[test]
    fn a_record_names_the_directories() {
        let record = "a/__init__.py,sha256=x,1\na/skills/pdf/SKILL.md,,\na/skills/csv/SKILL.md,,\n\
                      \"a/.agents/skills/x/SKILL.md\",,\n../../skills/x/SKILL.md,,\nb/SKILL.md,,\n";
        assert_eq!(directories(record), ["a/skills", "a/.agents/skills"]);
        assert_eq!(normal("Ruamel__yaml.Clib"), "ruamel-yaml-clib");
    }
}
