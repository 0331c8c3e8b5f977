//! Shows a change to a person before it is written: the differences of the texts, and the points that a person must
//! not overlook.

use std::path::Path;

use skills_core::read::{Overlaid, Overlay};
use skills_report::{fix, rights};
use skills_text::is_exact_path;

use crate::{Change, Locked, Project, SkillChange, Source};

/// Formats the difference of the changed files as a unified diff. Files that are not texts, and removed files, have one
/// line each.
pub fn diff(change: &Change, project: &Project) -> Vec<u8> {
    let mut over = Overlay::default();
    let mut notes = String::new();
    for step in &change.steps {
        let directory = step.directory();
        let new = step.new.as_ref();
        for (path, file) in new.into_iter().flat_map(|new| &new.files) {
            let old = step.old.as_ref().and_then(|old| old.files.get(path));
            let is_same = old == new.and_then(|new| new.locked.files.get(path));
            let executable = file.executable;
            if std::str::from_utf8(&file.bytes).is_ok() {
                let bytes = file.bytes.clone();
                over.insert(project.path().join(directory).join(path), Overlaid { bytes, executable });
            } else if !is_same {
                notes.push_str(&format!("Binary file {directory}/{path} differs\n"));
            }
        }
        let old = step.old.iter().flat_map(|old| old.files.iter());
        for (path, _) in old.filter(|(path, _)| new.is_none_or(|new| !new.files.contains_key(*path))) {
            debug_assert!(is_exact_path(path));
            notes.push_str(&format!("Removed file {directory}/{path}\n"));
        }
    }
    let mut out = fix::diff(project.path(), Path::new(""), &over, &[]);
    out.extend_from_slice(notes.as_bytes());
    out
}

/// Returns a line for each thing that the user newly accepts with a step: permissions, programs, hidden characters,
/// another license.
pub fn warnings(step: &SkillChange) -> Vec<String> {
    let Some(new) = step.new.as_ref().map(|new| &new.locked) else { return Vec::new() };
    let Some(old) = step.old.as_ref().filter(|old| **old != *new) else { return Vec::new() };
    let name = &new.name;
    let mut lines = Vec::new();
    let shown = |text: &Option<String>| text.clone().unwrap_or_else(|| "none".to_owned());
    if let (Source::Git { rev: Some(rev), .. }, Some(from), Some(to)) =
        (&new.source, &old.revision, &new.revision)
        && from != to
    {
        lines.push(format!("`{rev}` of {} was {from} before, and is {to} now", new.source));
    }
    let permissions = |locked: &Locked| locked.permissions.as_deref().and_then(rights::parse);
    let changes = rights::changes(permissions(old).as_ref(), permissions(new).as_ref());
    lines.extend(changes.iter().map(|change| format!("`{name}` {change}")));
    for program in new.programs.iter().filter(|program| !old.programs.contains(program)) {
        lines.push(format!("`{name}` brings a NEW PROGRAM: {program}"));
    }
    for program in new.programs.iter().filter(|program| old.programs.contains(program)) {
        if old.files.get(program) != new.files.get(program) {
            lines.push(format!("`{name}` brings a CHANGED PROGRAM: {program}"));
        }
    }
    for path in new.hidden.iter().filter(|path| !old.hidden.contains(path)) {
        lines.push(format!("`{name}` has NEW HIDDEN CHARACTERS: {path}"));
    }
    if old.license != new.license {
        lines.push(format!(
            "`{name}` has another license: {} -> {}",
            shown(&old.license),
            shown(&new.license)
        ));
    }
    lines
}
