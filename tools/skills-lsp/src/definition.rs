//! Finds definitions and references of skills, steps, input properties, files and schemas, and the links to files.

use std::ops::Range;
use std::path::Path;

use lsp_types::{DocumentLink, Location};
use skills_core::session;
use skills_core::span::Span;
use skills_core::tier;
use skills_registry::evals::SKILL_NAME;

use crate::convert::{TextLines, location};
use crate::cursor::{self, Spot};
use crate::evals;
use crate::index::{self, IndexedSkill};
use crate::property;
use crate::root::{Root, dir_of};
use crate::schema;

/// The target of a name.
pub(crate) enum Named<'r> {
    Skill(&'r IndexedSkill),
    /// A step: its skill and its name.
    Step(&'r IndexedSkill, String),
    /// A property of the input: its skill and its name.
    Property(&'r IndexedSkill, String),
}

impl Named<'_> {
    /// Returns the name itself.
    pub(crate) fn name(&self) -> &str {
        match self {
            Self::Skill(skill) => &skill.name,
            Self::Step(_, name) | Self::Property(_, name) => name,
        }
    }
}

/// Finds the skill, step or input property named at a position.
pub(crate) fn named<'r>(root: &'r Root, path: &Path, offset: usize) -> Option<Named<'r>> {
    let file = root.file(path)?;
    let own = root.of_dir(dir_of(&file.path));
    match cursor::find_spot(root, path, offset)? {
        Spot::Field { key, on_key: false, value, .. } => match key.as_str() {
            "name" => own.map(Named::Skill),
            "skills" => root.find(&value).map(Named::Skill),
            _ => None,
        },
        Spot::Json { path, on_key: false, value, .. } => {
            let keys: Vec<&str> = path.iter().map(String::as_str).collect();
            match keys.as_slice() {
                ["name"] => own.map(Named::Skill),
                ["calls", _] | ["pipeline", _, "skill"] => root.find(&value).map(Named::Skill),
                [key] if *key == SKILL_NAME.name && evals::is_file(Path::new(&file.path)) => {
                    root.find(&value).map(Named::Skill)
                }
                ["pipeline", _, "step"] | ["pipeline", _, "depends", _] => Some(Named::Step(own?, value)),
                keys => {
                    let (skill, name) = property::named(root, own?, keys, false, &value)?;
                    Some(Named::Property(skill, name))
                }
            }
        }
        Spot::Json { path, on_key: true, value, .. } => {
            let keys: Vec<&str> = path.iter().map(String::as_str).collect();
            let (skill, name) = property::named(root, own?, &keys, true, &value)?;
            Some(Named::Property(skill, name))
        }
        Spot::Template { path, .. } if path.len() == 2 && path.first()? == "input" => {
            Some(Named::Property(own?, path.get(1)?.clone()))
        }
        Spot::Template { path, .. } if path.len() == 2 && path.first()? == "steps" => {
            Some(Named::Step(own?, path.get(1)?.clone()))
        }
        _ => None,
    }
}

/// Returns the definition of the name at a position.
pub(crate) fn definition(root: &Root, path: &Path, offset: usize) -> Option<Location> {
    match named(root, path, offset) {
        Some(Named::Skill(skill)) => return Some(location(root, skill.place)),
        Some(Named::Step(skill, _)) if skill.is_drafted => return None,
        Some(Named::Step(skill, name)) => {
            return Some(location(root, schema::step_of(skill, &name)?.get("step")?.span));
        }
        Some(Named::Property(..)) | None => {}
    }
    let file = root.file(path)?;
    let dir = dir_of(&file.path);
    match cursor::find_spot(root, path, offset)? {
        Spot::Field { key, on_key: false, value, .. } => {
            let (_, skill) = root.session()?.skills().find(|(_, skill)| skill.dir.path == dir)?;
            let file = match key.as_str() {
                "exec" => tier::find_program(&skill.dir, &value)?,
                "schema" => tier::find_schema(&skill.dir, &value)?,
                _ => return None,
            };
            file_location(root, &Path::new(dir).join(&file.path))
        }
        Spot::Link { place } => file_location(root, Path::new(&place)),
        Spot::Json { on_key: false, .. } => {
            Some(location(root, root.session()?.reference(&file.path, offset)?))
        }
        Spot::Template { path, .. } => {
            let own = root.of_dir(dir)?;
            let part = schema::read(root, own, &path)?;
            let place = root.session()?.place(part.dir, part.schema).filter(|_| !part.is_drafted)?;
            Some(location(root, place))
        }
        _ => None,
    }
}

/// Returns the start of an existing file of a directory.
fn file_location(root: &Root, place: &Path) -> Option<Location> {
    let target = root.inside(place)?;
    Some(Location::new(root.uri(&target), root.encoding.range("", 0..0)))
}

/// Returns the links of a file to existing files of its directory.
pub(crate) fn links(root: &Root, path: &Path) -> Vec<DocumentLink> {
    let Some(file) = root.file(path) else { return Vec::new() };
    let (sources, dir) = (root.sources(), dir_of(&file.path));
    let mut found: Vec<(Range<usize>, String)> = Vec::new();
    if file.path.ends_with(".md") {
        found = session::links(&file.text, dir);
        let fields = index::fields(sources, &file.path).and_then(|document| document.frontmatter);
        let mut skills = root.session().into_iter().flat_map(|session| session.skills());
        let own = skills.find(|(_, skill)| skill.dir.path == dir);
        if let Some((fields, (_, skill))) = fields.zip(own) {
            for key in ["exec", "schema"] {
                let Some((node, value)) =
                    fields.tree.get(key).and_then(|node| Some((node, node.as_string()?)))
                else {
                    continue;
                };
                let target = match key {
                    "exec" => tier::find_program(&skill.dir, value),
                    _ => tier::find_schema(&skill.dir, value),
                };
                found.extend(target.map(|target| {
                    (
                        sources.range(node.span),
                        Path::new(dir).join(&target.path).to_string_lossy().into_owned(),
                    )
                }));
            }
        }
    }
    // The target of a link may also count as a mention.
    found.sort_by_key(|(at, _)| at.start);
    found.dedup_by(|later, first| later.0.start < first.0.end);
    let lines = TextLines::new(&file.text, root.encoding);
    let links = found.into_iter().filter_map(|(at, place)| {
        let target = root.inside(Path::new(&place))?;
        Some(DocumentLink {
            range: lines.range(at),
            target: Some(root.uri(&target)),
            tooltip: None,
            data: None,
        })
    });
    links.collect()
}

/// Returns all places that name the same skill, step or input property.
pub(crate) fn references(root: &Root, named: &Named<'_>) -> Vec<Span> {
    match named {
        Named::Skill(skill) => {
            let uses = root.uses().iter().filter(|found| found.name == skill.name);
            skill.named.iter().copied().chain(uses.map(|found| found.span)).collect()
        }
        Named::Step(skill, name) => {
            root.session().map_or_else(Vec::new, |session| session.step(&skill.dir, name))
        }
        Named::Property(skill, name) => property::places(root, skill, name),
    }
}
