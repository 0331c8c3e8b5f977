//! A skill with its URI and files, and the `SKILL.md` in the form that clients may compare (SEP-2640).

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::rc::Rc;

use skills_call::Published;
use skills_call::{Layers, Runner};
use skills_registry::{MAX_BYTES, MAX_FILES, Resource, Skill, parse_skill_uri, skill_uri};

const DOCUMENT: &str = "SKILL.md";

/// A skill with a `SKILL.md`.
pub(crate) struct ProseSkill<'a> {
    pub(crate) skill: Skill<'a>,
    /// The published form. `None` if the skill has no name or description that is valid in the standard.
    published: Option<Rc<Published<'a>>>,
}

/// A file in the form in which it is sent. Only `SKILL.md` may differ from the original.
#[derive(Clone)]
pub(crate) struct SkillFile<'a> {
    /// The path below the skill that lists the file.
    pub(crate) path: Cow<'a, str>,
    pub(crate) original: Resource<'a>,
    published: Option<Rc<Published<'a>>>,
}

impl SkillFile<'_> {
    pub(crate) fn bytes(&self) -> &[u8] {
        self.published.as_ref().map_or(self.original.bytes(), |published| published.bytes())
    }

    pub(crate) fn sha256(&self) -> [u8; 32] {
        self.published.as_ref().map_or(*self.original.sha256(), |published| published.sha256())
    }

    pub(crate) fn size(&self) -> u64 {
        u64::try_from(self.bytes().len()).unwrap_or(u64::MAX)
    }
}

/// The skills that lie in directories of other skills. Their files also belong to the skills around them
/// (SEP-2640, Nested Skills).
pub(crate) struct NestedSkills<'a> {
    layers: &'a Layers,
    skills: Vec<Skill<'a>>,
}

impl<'a> NestedSkills<'a> {
    pub(crate) fn new(layers: &'a Layers) -> Self {
        let all: Vec<Skill<'_>> = layers.iter().collect();
        let directories: BTreeSet<&str> = all.iter().map(|skill| skill.dir()).collect();
        let is_nested = |skill: &Skill<'_>| {
            let dir = skill.dir();
            dir.match_indices('/')
                .any(|(at, _)| dir.get(..at).is_some_and(|above| directories.contains(above)))
        };
        // A skill that models must not see is not shown as a part of another one either.
        let shown = all.iter().copied().filter(|skill| !skill.is_internal() && skill.is_model_invocable());
        let skills = shown.filter(is_nested).collect();
        Self { layers, skills }
    }
}

impl<'a> ProseSkill<'a> {
    /// Prepares a skill. Returns `None` if it has no `SKILL.md`.
    pub(crate) fn from_layers(layers: &'a Layers, skill: Skill<'a>) -> Option<Self> {
        if !skill.has_document() {
            return None;
        }
        Some(Self { skill, published: Published::new(layers, skill).map(Rc::new) })
    }

    /// Finds the skill of a URI, and the path below the skill.
    pub(crate) fn find(runner: &'a Runner, uri: &str) -> Option<(Self, String)> {
        let (name, path) = parse_skill_uri(uri)?;
        let layers = runner.skills();
        let shown = Self::from_layers(layers, Published::named(layers, &name)?)?;
        // Each name has only one spelling.
        (shown.name() == name).then_some((shown, path))
    }

    /// Finds the file of a URI.
    pub(crate) fn find_file(runner: &'a Runner, uri: &str) -> Option<SkillFile<'a>> {
        let (shown, path) = Self::find(runner, uri)?;
        if let Some(file) = shown.skill.file(&path) {
            return Some(shown.own_file(file));
        }
        let files = shown.files(&NestedSkills::new(runner.skills()));
        files.into_iter().find(|file| file.path == path)
    }

    /// Returns the name in the URI.
    pub(crate) fn name(&self) -> &str {
        self.published.as_ref().map_or(self.skill.name(), |published| published.name())
    }

    /// Returns the published form with its files, if every client of the extension can load the skill.
    pub(crate) fn entry(&self, nested: &NestedSkills<'a>) -> Option<(&Published<'a>, Vec<SkillFile<'a>>)> {
        let published = self.published.as_deref()?;
        let files = self.files(nested);
        let bytes = files.iter().fold(0_u64, |sum, file| sum.saturating_add(file.size()));
        (files.len() <= MAX_FILES && bytes <= MAX_BYTES).then_some((published, files))
    }

    pub(crate) fn address(&self, path: &str) -> String {
        skill_uri(self.name(), path)
    }

    /// Returns the files of the skill and of the skills in its directories, sorted by path.
    pub(crate) fn files(&self, nested: &NestedSkills<'a>) -> Vec<SkillFile<'a>> {
        let mut files: Vec<_> = self.skill.files().map(|file| self.own_file(file)).collect();
        for skill in &nested.skills {
            let Some(below) = skill.path_below(self.skill) else { continue };
            let inner = Self::from_layers(nested.layers, *skill);
            for original in skill.files() {
                let file =
                    inner.as_ref().map_or_else(|| plain_file(original), |inner| inner.own_file(original));
                files.push(SkillFile { path: format!("{below}/{}", original.path()).into(), ..file });
            }
        }
        files.sort_by(|a, b| a.path.cmp(&b.path));
        files
    }

    fn own_file(&self, original: Resource<'a>) -> SkillFile<'a> {
        match original.path() {
            DOCUMENT => SkillFile { published: self.published.clone(), ..plain_file(original) },
            _ => plain_file(original),
        }
    }
}

fn plain_file(original: Resource<'_>) -> SkillFile<'_> {
    SkillFile { path: original.path().into(), original, published: None }
}
