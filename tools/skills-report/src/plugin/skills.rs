//! Finds the skills of a plugin: directories directly in `skills` with a `SKILL.md` (Agent Plugins 1.0,
//! section 7.1).

use std::path::Path;

use skills_core::read::{Content, File, SkillDir};
use skills_core::rule::plugins as rules;

use super::Work;
use super::place::{self, PluginPath};

/// The directory, unless a manifest names another one (6.1).
pub(super) const PLACE: &str = "skills";

/// Adds the skills of a directory to those that were found, sorted by name; an unreadable one is reported and skipped.
pub(super) fn read(work: &mut Work<'_>, directory: &str, dirs: &mut Vec<SkillDir>) {
    let real = match place::find_within(work.bound, work.root, directory) {
        PluginPath::Missing => return,
        PluginPath::Inside(real, metadata) if metadata.is_dir() => real,
        PluginPath::Inside(..) => return component(work, directory, "is not a directory"),
        PluginPath::Outside => return component(work, directory, "leads out of the plugin"),
    };
    let Ok(entries) = std::fs::read_dir(&real) else { return component(work, directory, "cannot be listed") };
    let mut names = Vec::new();
    for entry in entries.flatten() {
        match entry.file_name().into_string() {
            Ok(name) => names.push(name),
            Err(name) => skip(work, &name.to_string_lossy(), "its name is not UTF-8"),
        }
    }
    names.sort();
    for name in names {
        let path = join(directory, &name);
        match place::find_within(work.bound, work.root, &path) {
            PluginPath::Inside(real, metadata) if metadata.is_dir() => {
                dirs.extend(skill(work, &path, &name, &real, dirs.len()))
            }
            PluginPath::Inside(real, _)
                if place::text(work.bound, &real).is_ok_and(|text| is_link(&text)) =>
            {
                skip(work, &path, "it is a symbolic link that Git wrote as a text")
            }
            PluginPath::Outside => skip(work, &path, "it leads out of the plugin"),
            PluginPath::Inside(..) | PluginPath::Missing => {}
        }
    }
}

/// Adds the skill in a directory, or the skills in the directories below it.
pub(super) fn read_named(work: &mut Work<'_>, path: &str, dirs: &mut Vec<SkillDir>) {
    let path = path.trim_end_matches('/');
    if dirs.iter().any(|dir| dir.path == path) {
        return;
    }
    let found = place::find_within(work.bound, work.root, path);
    if let PluginPath::Inside(real, _) = found
        && real.join("SKILL.md").is_file()
    {
        let name = path.rsplit('/').next().unwrap_or(path);
        dirs.extend(skill(work, path, name, &real, dirs.len()));
        return;
    }
    read(work, path, dirs);
}

/// Returns `true` if the text of a file is the target of a symbolic link.
fn is_link(text: &str) -> bool {
    text.starts_with("../") && text.len() < 4096 && !text.trim_end().contains(char::is_whitespace)
}

pub(super) fn join(above: &str, name: &str) -> String {
    if above.is_empty() { name.to_owned() } else { format!("{above}/{name}") }
}

fn skill(work: &mut Work<'_>, path: &str, name: &str, real: &Path, index: usize) -> Option<SkillDir> {
    // On a case-insensitive file system only the exact spelling counts.
    let is_there = std::fs::read_dir(real).is_ok_and(|mut entries| {
        entries.any(|entry| entry.is_ok_and(|entry| entry.file_name() == "SKILL.md"))
    });
    if !is_there {
        return None;
    }
    let file = format!("{path}/SKILL.md");
    let text = match place::find_within(work.bound, work.root, &file) {
        PluginPath::Inside(real, metadata) if metadata.is_file() => place::text(work.bound, &real),
        PluginPath::Outside => Err("it leads out of the plugin".to_owned()),
        // A directory named `SKILL.md` does not define a skill.
        PluginPath::Inside(..) | PluginPath::Missing => return None,
    };
    match text {
        Ok(text) => {
            let id = work.sources.add(file, text, Some(index));
            let content = Content::Text(id);
            let file = File {
                path: "SKILL.md".to_owned(),
                content,
                executable: false,
                mode_executable: false,
                crlf_shebang: false,
            };
            Some(SkillDir {
                path: path.to_owned(),
                name: name.to_owned(),
                files: vec![file],
                ..SkillDir::default()
            })
        }
        Err(reason) => {
            skip(work, &file, &reason);
            None
        }
    }
}

/// Reports that no component of a kind is loaded (6.2).
pub(super) fn component<T: Default>(work: &mut Work<'_>, path: &str, what: &str) -> T {
    let span = work.path(path);
    work.skipped = true;
    rules::PLUGIN_COMPONENT
        .report_at(span, format!("`{path}` {what}"))
        .label("clients load no component from it")
        .help(if path != "mcp.json" {
            "create a directory at this path, with one directory for each skill"
        } else {
            "create a JSON file at this path"
        })
        .add_to(&mut work.report);
    T::default()
}

fn skip(work: &mut Work<'_>, path: &str, reason: &str) {
    let span = work.path(path);
    work.skipped = true;
    rules::PLUGIN_SKILL
        .report_at(span, format!("a skill is skipped: {reason}"))
        .label("clients skip it")
        .help("copy the files of the skill into the plugin as UTF-8 text")
        .add_to(&mut work.report);
}
