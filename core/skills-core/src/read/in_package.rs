//! Decides which files belong to a skill whose `SKILL.md` is beside a `Cargo.toml`, and what its name is.

use super::path::{CARGO_MANIFEST, ENTRIES};
use crate::frontmatter;
use crate::link_paths::linked_paths;
use crate::report::Report;
use crate::span::{FileId, SourceMap};
use crate::tree::toml;

/// The files and directories of a package that never belong to a skill.
const OF_CARGO: [&str; 5] = ["Cargo.lock", "Cargo.toml", "build.rs", "src", "target"];

/// The files of a package that belong to the skill in its directory.
#[derive(Debug, Default)]
pub(super) struct InPackage {
    /// The files that its `SKILL.md` names, by their paths below the package.
    named: Vec<String>,
}

impl InPackage {
    /// Finds the files that a `SKILL.md` names: the targets of its links, its program and the program's
    /// schema.
    pub(super) fn from_document(document: Option<FileId>, sources: &SourceMap) -> Self {
        let Some(file) = document else { return Self::default() };
        let document = frontmatter::split(file, sources, &mut Report::default());
        let mut named = linked_paths(sources.text(document.body));
        if let Some(frontmatter) = document.frontmatter {
            let keys =
                ["exec", "schema"].into_iter().filter_map(|key| frontmatter.tree.get(key)?.as_scalar());
            for path in keys {
                let path = path.text.trim().trim_start_matches("./");
                named.extend([path.to_owned(), format!("bin/{path}")]);
            }
        }
        named.retain(|path| !OF_CARGO.contains(&path.split('/').next().unwrap_or_default()));
        Self { named }
    }

    /// Returns `true` if a file or directory belongs to the skill, or leads to a file that does.
    pub(super) fn holds(&self, path: &str) -> bool {
        let first = path.split('/').next().unwrap_or_default();
        skills_registry::MATERIAL.contains(&first)
            || ENTRIES.contains(&path)
            || [super::path::TEXTS[1], super::path::OPENAI].contains(&path)
            || super::path::OPENAI.split('/').next() == Some(path)
            || self.named.iter().any(|named| skills_text::path_below(named, path).is_some())
    }
}

/// Returns the name of the package that a `Cargo.toml` describes.
pub(super) fn package_name(text: String) -> Option<String> {
    let mut sources = SourceMap::new("");
    let file = sources.add(CARGO_MANIFEST.to_owned(), text, None);
    let source = sources.file(file);
    let (tree, _) = toml::parse(source, source.unmarked(), &mut Report::default());
    let name = tree.get("package")?.get("name")?.as_string()?;
    (!name.is_empty()).then(|| name.to_owned())
}
