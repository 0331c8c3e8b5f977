//! Checks copies of skills in a package: which directory a copy was made from, and whether both are still equal.
//! `skills package vendor` writes the copies.

use std::path::{Path, PathBuf};

use super::{Bundled, Findings};
use crate::catalog::{Catalog, CatalogSkill};
use crate::options::Options;
use crate::read::{MAX_PROJECT_FILE, read_text_below, real_below, repository_of};
use crate::rule::packages as rules;
use crate::span::SourceMap;

/// The file in a copy that records the directory from which the copy was made, as a path relative to the
/// copy, with `/`.
pub const SOURCE: &str = ".skills-source";

/// The largest number of differences that a message lists.
const MAX_LISTED: usize = 3;

/// Returns the directory from which a copy was made, if it is recorded.
pub fn source_of(copy: &Path) -> Option<PathBuf> {
    Some(copy.join(recorded_source(copy)?))
}

fn recorded_source(copy: &Path) -> Option<String> {
    let text = read_text_below(copy, Path::new(SOURCE), MAX_PROJECT_FILE).ok()?;
    text.lines().next().filter(|line| !line.is_empty()).map(str::to_owned)
}

/// Returns how a copy differs from its source: one line for each file or skill, sorted.
pub fn differences(copy: &Catalog, source: &Catalog) -> Vec<String> {
    let mut found = Vec::new();
    for skill in source.skills() {
        match copy.find(&skill.name) {
            Some(copied) => add(&mut found, (copy, copied), (source, skill)),
            None => found.push(format!("`{}` is missing", skill.name)),
        }
    }
    let more = copy.skills().iter().filter(|skill| source.find(&skill.name).is_none());
    found.extend(more.map(|skill| format!("`{}` is not in the source", skill.name)));
    found
}

fn add(
    found: &mut Vec<String>,
    (copy, copied): (&Catalog, &CatalogSkill),
    (source, skill): (&Catalog, &CatalogSkill),
) {
    for file in &skill.files {
        let path = format!("`{}/{}`", skill.name, file.path);
        match copied.file(&file.path) {
            None => found.push(format!("{path} is missing")),
            Some(other) if other.bytes(copy.sources()) != file.bytes(source.sources()) => {
                found.push(format!("{path} differs"));
            }
            Some(other) if other.executable != file.executable => {
                found.push(format!("{path} has another mode"));
            }
            Some(_) => {}
        }
    }
    let more = copied.files.iter().filter(|file| skill.file(&file.path).is_none());
    found.extend(more.map(|file| format!("`{}/{}` is not in the source", skill.name, file.path)));
}

/// Reports a copy that differs from its source. A source that does not exist, as in a published package, is not
/// compared.
pub fn check(bundled: Bundled<'_>, copy: &Catalog, options: &Options) -> Findings {
    let from = &recorded_source(bundled.root).unwrap_or_default();
    let source = bundled.root.join(from);
    // A clone must not lead the check out of its repository.
    let real = bundled.root.canonicalize();
    let repository = real.as_deref().ok().and_then(repository_of);
    let is_outside = repository.is_some_and(|repository| real_below(repository, &source).is_err());
    if from.is_empty() || is_outside || !source.is_dir() {
        return Findings::default();
    }
    let loaded = crate::load(&source, from, options);
    let found = differences(copy, &loaded.catalog);
    let Some(first) = found.first() else { return Findings::default() };
    let title = match found.len() {
        1 => format!("the copy differs from `{from}`: {first}"),
        count => format!(
            "the copy differs from `{from}` in {count} places: {}{}",
            found.get(..count.min(MAX_LISTED)).unwrap_or_default().join(", "),
            if count > MAX_LISTED { ", …" } else { "" }
        ),
    };
    let help = format!(
        "copy the skills again: `skills package vendor {} {}`",
        seen_from(bundled.label, from),
        bundled.label
    );
    Findings::new(SourceMap::new(""), &options.levels, |sources| {
        let found = rules::BUNDLE_COPY_STALE.report_at(sources.add_path(bundled.label, None), title);
        vec![found.label(format!("a copy of `{from}`")).help(help)]
    })
}

/// Resolves a path that is relative to a directory against the path of that directory.
pub fn seen_from(directory: &str, path: &str) -> String {
    if Path::new(path).is_absolute() {
        return path.to_owned();
    }
    let root = if directory.starts_with('/') { "/" } else { "" };
    let mut parts: Vec<&str> = Vec::new();
    for part in directory.split('/').chain(path.split('/')) {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    if parts.is_empty() && root.is_empty() { ".".to_owned() } else { format!("{root}{}", parts.join("/")) }
}

#[cfg(test)]
mod tests {
    use super::seen_from;

    #[test]
    fn the_source_is_shown_from_where_the_copy_is() {
        assert_eq!(seen_from("crates/agent/skills", "../../../skills"), "skills");
        assert_eq!(seen_from("skills", "../../../shared"), "../../shared");
        assert_eq!(seen_from("skills", "/elsewhere"), "/elsewhere");
        assert_eq!(seen_from("/w/agent", "../skills"), "/w/skills");
        assert_eq!((seen_from(".", ".").as_str(), seen_from("agent", ".").as_str()), (".", "agent"));
    }
}
