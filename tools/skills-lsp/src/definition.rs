//! Finds definitions and references of skills, steps, input properties, files and schemas.

use std::path::Path;

use lsp_types::Location;
use skills_core::span::Span;
use skills_core::tier;
use skills_registry::evals::SKILL_NAME;

use crate::convert::location;
use crate::cursor::{self, Spot};
use crate::evals;
use crate::index::Skill;
use crate::property;
use crate::root::{Root, dir_of};
use crate::schema;

/// The target of a name.
pub(crate) enum Named<'r> {
    Skill(&'r Skill),
    /// A step: its skill and its name.
    Step(&'r Skill, String),
    /// A property of the input: its skill and its name.
    Property(&'r Skill, String),
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
    let own = || root.of_dir(dir_of(&file.path));
    let find = |name: &str| root.find(name).map(Named::Skill);
    match cursor::at(root, path, offset)? {
        Spot::Field { key, on_key: false, value, .. } => match key.as_str() {
            "name" => own().map(Named::Skill),
            "skills" => find(&value),
            _ => None,
        },
        Spot::Json { path, on_key: false, value, .. } => {
            let keys: Vec<&str> = path.iter().map(String::as_str).collect();
            match keys.as_slice() {
                ["name"] => own().map(Named::Skill),
                ["calls", _] | ["pipeline", _, "skill"] => find(&value),
                [key] if *key == SKILL_NAME.name && evals::is_file(Path::new(&file.path)) => find(&value),
                ["pipeline", _, "step"] | ["pipeline", _, "depends", _] => Some(Named::Step(own()?, value)),
                keys => {
                    let (skill, name) = property::named(root, own()?, keys, false, &value)?;
                    Some(Named::Property(skill, name))
                }
            }
        }
        Spot::Json { path, on_key: true, value, .. } => {
            let keys: Vec<&str> = path.iter().map(String::as_str).collect();
            let (skill, name) = property::named(root, own()?, &keys, true, &value)?;
            Some(Named::Property(skill, name))
        }
        Spot::Template { path, .. } if path.len() == 2 && path.first()? == "input" => {
            Some(Named::Property(own()?, path.get(1)?.clone()))
        }
        Spot::Template { path, .. } if path.len() == 2 && path.first()? == "steps" => {
            Some(Named::Step(own()?, path.get(1)?.clone()))
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
    let to_file = |place: &Path| {
        let target = root.inside(place)?;
        Some(Location::new(root.uri(&target), root.encoding.range("", 0..0)))
    };
    match cursor::at(root, path, offset)? {
        Spot::Field { key, on_key: false, value, .. } => {
            let (_, skill) = root.session()?.skills().find(|(_, skill)| skill.dir.path == dir)?;
            let file = match key.as_str() {
                "exec" => tier::find_program(&skill.dir, &value)?,
                "schema" => tier::find_schema(&skill.dir, &value)?,
                _ => return None,
            };
            to_file(&Path::new(dir).join(&file.path))
        }
        Spot::Link { place } => to_file(Path::new(&place)),
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
