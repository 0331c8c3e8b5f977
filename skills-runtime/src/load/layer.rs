//! One source becomes a [`Layer`]: a registry, what a registry does not hold, and the problems on the way.

use std::path::{Path, PathBuf};

use skills_core::catalog::{Catalog, Signature};
use skills_core::lower::{materials, sha256};
use skills_core::options::Options;
use skills_registry::{Layout, Registry, TooLarge, write};
use skills_schema::Tables;

use super::found::Origin;
use super::problem::{Level, Problem};
use super::roots::expand;
use super::source::Source;
use crate::trust::{Doubt, Judge, Lost, Trust, Word};

/// One layer, read.
pub(super) struct Layer {
    pub(super) origin: Origin,
    store: Store,
    /// One for each skill on disk, in the order of the registry.
    pub(super) functions: Vec<Function>,
    /// Who answers for the skills, where that is one for all.
    word: Word,
    /// One for each skill of a workspace, in the order of the registry.
    words: Vec<Word>,
    /// What was trusted of a workspace and has changed.
    lost: Option<Lost>,
    /// What a bundle brings along.
    #[cfg(feature = "call")]
    pub(super) bundle: Option<super::source::Brought>,
}

enum Store {
    Fixed(&'static Registry),
    Owned(Registry),
}

/// What a skill on disk is as a function; the tables of a registry have no room for it.
pub(super) struct Function {
    /// What its `skill.json` declares.
    pub(super) signature: Option<Signature>,
    /// Its `schema` file, ready to check what its program is given (SPEC 4.3).
    pub(super) schema: Option<Tables>,
}

impl Layer {
    pub(super) fn registry(&self) -> &Registry {
        match &self.store {
            Store::Fixed(registry) => registry,
            Store::Owned(registry) => registry,
        }
    }

    /// Returns who answers for a skill.
    pub(super) fn word(&self, row: u32) -> &Word {
        usize::try_from(row).ok().and_then(|row| self.words.get(row)).unwrap_or(&self.word)
    }

    /// Reads a source; it never fails, since what could not be read is among the problems.
    pub(super) fn read(
        source: &Source,
        options: &Options,
        judge: &mut Judge<'_>,
        #[cfg(feature = "signatures")] key: Option<&crate::signatures::PublicKey>,
        problems: &mut Vec<Problem>,
    ) -> Self {
        match source {
            Source::Tree(_, path) if path.is_dir() => {
                Self::directory(path, Origin::Source, Trust::Program, options, problems)
            }
            Source::Bundle(bundle) | Source::Tree(bundle, _) => Self {
                origin: Origin::Bundle(bundle.package),
                store: Store::Fixed(bundle.registry),
                functions: Vec::new(),
                word: Word::of(Trust::Program),
                words: Vec::new(),
                lost: None,
                #[cfg(feature = "call")]
                bundle: Some(*bundle),
            },
            Source::Directory(path, trust) => {
                let mut layer = Self::directory(path, Origin::Directory, *trust, options, problems);
                if *trust == Trust::Nobody {
                    layer.ask(judge);
                }
                #[cfg(feature = "signatures")]
                if let Some(key) = key {
                    layer.verify(judge, key);
                }
                layer.tell_untrusted(problems);
                layer
            }
        }
    }

    /// Asks about each skill of a workspace, after they were read: what is read later is not what was trusted.
    fn ask(&mut self, judge: &mut Judge<'_>) {
        let Some(root) = self.origin.path().cloned() else { return };
        let skills = self.registry().iter();
        self.words = skills.map(|skill| judge.word(&root, skill.name(), skill.dir())).collect();
        if self.words.iter().all(|word| !word.trust.may_run()) {
            self.lost = judge.lost(&root);
        }
        let is_unsaid = |word: &&mut Word| !word.trust.may_run() && word.why == Doubt::Unsaid;
        if let Some(lost) = &self.lost {
            for word in self.words.iter_mut().filter(is_unsaid) {
                word.why = Doubt::Changed(lost.why.clone());
            }
        }
    }

    /// Finds a skill that was trusted and is not there any more: its directory, and how what was trusted has changed.
    pub(super) fn lost(&self, name: &str) -> Option<(&PathBuf, &str)> {
        let lost = self.lost.as_ref()?;
        Some((lost.find(name)?, &lost.why))
    }

    /// Holds each skill to a signature, after they were read.
    #[cfg(feature = "signatures")]
    fn verify(&mut self, judge: &mut Judge<'_>, key: &crate::signatures::PublicKey) {
        let Some(root) = self.origin.path().cloned() else { return };
        let rows = self.registry().iter().zip(0..);
        let signed = rows.map(|(skill, row)| judge.signed(self.word(row).clone(), &root, skill, key));
        self.words = signed.collect();
    }

    /// Says which skills do nothing.
    fn tell_untrusted(&self, problems: &mut Vec<Problem>) {
        let Some(root) = self.origin.path() else { return };
        for (skill, word) in self.registry().iter().zip(&self.words) {
            if let Doubt::Unsigned(reason) = &word.why {
                problems.push(Problem::unsigned(skill, reason));
            }
        }
        let untrusted: Vec<&Word> = self.words.iter().filter(|word| !word.trust.may_run()).collect();
        problems.extend(Problem::untrusted(root, &untrusted));
        if let Some(lost) = self.lost.as_ref().filter(|_| self.words.is_empty()) {
            problems.push(Problem::lost(root, &lost.why));
        }
    }

    fn directory(
        label: &Path,
        origin: fn(PathBuf) -> Origin,
        trust: Trust,
        options: &Options,
        problems: &mut Vec<Problem>,
    ) -> Self {
        let path = expand(label);
        let loaded = skills_core::load(&path, &label.to_string_lossy(), options);
        let sources = loaded.catalog.sources();
        for diagnostic in &loaded.report.diagnostics {
            problems.push(Problem::of(diagnostic, sources));
        }
        let root = std::path::absolute(&path).unwrap_or(path);
        if root.to_str().is_none() && !loaded.catalog.skills().is_empty() {
            let title = "the path is not UTF-8, and is shown with replacements".to_owned();
            problems.push(Problem::at(Level::Warning, "path-not-utf8", &root.to_string_lossy(), title));
        }
        let registry = lower(&loaded.catalog, &root).unwrap_or_else(|error| {
            problems.push(Problem::at(
                Level::Error,
                "bundle-too-large",
                &root.to_string_lossy(),
                error.to_string(),
            ));
            None
        });
        let (store, functions) = match registry {
            Some(registry) => (Store::Owned(registry), functions(loaded.catalog)),
            None => (Store::Fixed(&EMPTY), Vec::new()),
        };
        Self {
            origin: origin(root),
            store,
            functions,
            word: Word::of(trust),
            words: Vec::new(),
            lost: None,
            #[cfg(feature = "call")]
            bundle: None,
        }
    }
}

static EMPTY: Registry = Registry::new(skills_registry::Tables::fixed(&[], &[]));

/// Writes the tables of a directory; each skill is located where it lies (SPEC 8.1).
fn lower(catalog: &Catalog, root: &Path) -> Result<Option<Registry>, TooLarge> {
    if catalog.skills().is_empty() {
        return Ok(None);
    }
    // Few ask for the digests of files on disk, and to compute them all would be a quarter of the whole work.
    let mut materials = materials(catalog, &mut |_, _, _| [0; 32]);
    for material in &mut materials {
        let dir = &material.facts.dir;
        let directory = if dir.is_empty() { root.to_owned() } else { root.join(dir) };
        material.location = Some(directory.join("SKILL.md").to_string_lossy().into_owned());
    }
    // The catalog of prompts is rendered from all layers together, so none is written here.
    let parts = write(&materials, Layout::Undigested, 0)?;
    Ok(Some(Registry::new(parts.into_lazy_tables(sha256))))
}

fn functions(catalog: Catalog) -> Vec<Function> {
    let skills = catalog.into_skills().into_iter();
    skills.map(|skill| Function { signature: skill.signature, schema: skill.schema_tables }).collect()
}
