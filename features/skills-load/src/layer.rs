//! Reads a source into a [`Layer`]: a registry, data for which a registry has no space, and the problems
//! found.

use std::any::Any;
use std::path::{Path, PathBuf};

use skills_core::catalog::{Catalog, Signature};
use skills_core::lower::{sha256, undigested};
use skills_core::options::Options;
use skills_registry::{Layout, Registry, TooLarge, write};
use skills_runtime::Bundle;
use skills_schema::Tables;

use super::found::Origin;
use super::problem::{Level, Problem};
use super::remote::Remote;
use super::roots::expand;
use crate::trust::{ChangedDirectory, Trust, TrustChecker, TrustDecision, TrustReason};

/// One layer, read.
pub(super) struct Layer {
    pub(super) origin: Origin,
    store: Store,
    /// One for each skill on disk, in registry order.
    pub(super) functions: Vec<Function>,
    /// The trust of the skills, if it is the same for all.
    decision: TrustDecision,
    /// The trust of each skill of a workspace, in registry order.
    pub(super) decisions: Vec<TrustDecision>,
    /// The real path of the directory when it was read.
    pub(super) real: Option<PathBuf>,
    /// A trusted skill of a workspace that no longer exists.
    lost: Option<ChangedDirectory>,
    /// The additional data of a bundle.
    pub(super) bundle: Option<BundleParts>,
}

enum Store {
    Fixed(&'static Registry),
    Owned(Registry),
}

/// The function data of a skill on disk, for which registry tables have no space.
pub(super) struct Function {
    /// The declarations of its `skill.json`.
    pub(super) signature: Option<Signature>,
    /// Its compiled `schema` file, which checks the input of its program.
    pub(super) schema: Option<Tables>,
}

impl Layer {
    pub(super) fn registry(&self) -> &Registry {
        match &self.store {
            Store::Fixed(registry) => registry,
            Store::Owned(registry) => registry,
        }
    }

    /// Returns the names of the skills, and whether each may run, in registry order.
    pub(super) fn names(&self) -> Vec<(&str, bool)> {
        let rows = self.registry().iter().zip(0..);
        rows.map(|(skill, row)| (skill.name(), self.decision(row).trust.may_run())).collect()
    }

    /// Returns the trust of a skill.
    pub(super) fn decision(&self, row: u32) -> &TrustDecision {
        usize::try_from(row).ok().and_then(|row| self.decisions.get(row)).unwrap_or(&self.decision)
    }

    /// Reads a source. Never fails: read errors are reported as problems.
    pub(super) fn read(
        source: &Source,
        options: &Options,
        checker: &mut TrustChecker<'_>,
        key: Option<&skills_sign::PublicKey>,
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
                decision: TrustDecision::of(Trust::Program),
                decisions: Vec::new(),
                real: None,
                lost: None,
                bundle: Some(*bundle),
            },
            Source::Directory(path, trust) => {
                let mut layer = Self::directory(path, Origin::Directory, *trust, options, problems);
                if *trust == Trust::Untrusted {
                    layer.ask(checker);
                }
                if let Some(key) = key {
                    layer.verify(checker, key);
                }
                layer
            }
            Source::Remote(remote) => remote.layer(options, checker, key.is_some(), problems),
        }
    }

    /// Decides the trust of each skill of a workspace, after reading: files read later could differ from the
    /// trusted ones.
    fn ask(&mut self, checker: &mut TrustChecker<'_>) {
        let Some(root) = self.origin.path().cloned() else { return };
        let skills = self.registry().iter();
        self.decisions = skills
            .map(|skill| {
                let source = skill.source().map(|source| source.name);
                checker.decide(&root, skill.name(), skill.dir(), source)
            })
            .collect();
        if self.decisions.iter().all(|decision| !decision.trust.may_run()) {
            self.lost = checker.lost(&root);
        }
        if let Some(lost) = &self.lost {
            for decision in self
                .decisions
                .iter_mut()
                .filter(|decision| !decision.trust.may_run() && decision.why == TrustReason::Undecided)
            {
                decision.why = TrustReason::Changed(lost.why.clone());
            }
        }
    }

    /// Finds a trusted skill that no longer exists: its directory, and how the trusted directory has
    /// changed.
    pub(super) fn lost(&self, name: &str) -> Option<(&PathBuf, &str)> {
        let lost = self.lost.as_ref()?;
        Some((lost.find(name)?, &lost.why))
    }

    /// Verifies the signature of each skill, after reading.
    fn verify(&mut self, checker: &mut TrustChecker<'_>, key: &skills_sign::PublicKey) {
        let Some(root) = self.origin.path().cloned() else { return };
        let rows = self.registry().iter().zip(0..);
        let signed = rows.map(|(skill, row)| checker.signed(self.decision(row).clone(), &root, skill, key));
        self.decisions = signed.collect();
    }

    /// Reports the inactive skills for which `is_news` returns `true`.
    pub(super) fn report_untrusted(&self, problems: &mut Vec<Problem>, is_news: impl Fn(u32) -> bool) {
        let Some(root) = self.origin.path() else { return };
        for (skill, decision) in self.registry().iter().zip(&self.decisions) {
            if let TrustReason::Unsigned(reason) = &decision.why {
                problems.push(Problem::unsigned(skill, reason));
            }
        }
        let decided = self.decisions.iter().zip(0..);
        let untrusted = decided.filter(|(decision, row)| !decision.trust.may_run() && is_news(*row));
        let untrusted: Vec<&TrustDecision> = untrusted.map(|(decision, _)| decision).collect();
        problems.extend(Problem::untrusted(root, &untrusted));
        if let Some(lost) = self.lost.as_ref().filter(|_| self.decisions.is_empty()) {
            problems.push(Problem::lost(root, &lost.why));
        }
    }

    /// Makes a layer of the skills of a server.
    pub(super) fn remote(
        label: String,
        server: String,
        registry: Option<Registry>,
        functions: Vec<Function>,
    ) -> Self {
        let (store, functions) = match registry {
            Some(registry) => (Store::Owned(registry), functions),
            None => (Store::Fixed(&EMPTY), Vec::new()),
        };
        Self {
            origin: Origin::Server { label, server },
            store,
            functions,
            decision: TrustDecision::of(Trust::Untrusted),
            decisions: Vec::new(),
            real: None,
            lost: None,
            bundle: None,
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
        let real = path.canonicalize().ok();
        let loaded = skills_core::load(&path, &label.to_string_lossy(), options);
        let sources = loaded.catalog.sources();
        for diagnostic in &loaded.report.diagnostics {
            problems.push(Problem::of(diagnostic, sources));
        }
        let root = std::path::absolute(&path).unwrap_or(path);
        if root.to_str().is_none() && !loaded.catalog.skills().is_empty() {
            let title = "the path is not UTF-8, and is shown with replacement characters".to_owned();
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
            decision: TrustDecision::of(trust),
            decisions: Vec::new(),
            real,
            lost: None,
            bundle: None,
        }
    }
}

static EMPTY: Registry = Registry::new(skills_registry::Tables::fixed(&[], &[]));

/// Writes the tables of a directory. The location of each skill is its path.
fn lower(catalog: &Catalog, root: &Path) -> Result<Option<Registry>, TooLarge> {
    if catalog.skills().is_empty() {
        return Ok(None);
    }
    // Digests of files on disk are rarely used, and computing them all would be a quarter of the work.
    let mut materials = undigested(catalog);
    for material in &mut materials {
        let dir = &material.facts.dir;
        let directory = if dir.is_empty() { root.to_owned() } else { root.join(dir) };
        material.location = Some(directory.join("SKILL.md").to_string_lossy().into_owned());
    }
    // The catalog is rendered from all layers together, so none is written here.
    let parts = write(&materials, Layout::Lazy, 0)?;
    Ok(Some(Registry::new(parts.into_lazy_tables(sha256))))
}

pub(super) fn functions(catalog: Catalog) -> Vec<Function> {
    let skills = catalog.into_skills().into_iter();
    skills.map(|skill| Function { signature: skill.signature, schema: skill.schema_tables }).collect()
}

/// A layer before it is read.
#[derive(Clone, Debug)]
pub(super) enum Source {
    Bundle(BundleParts),
    /// The source directory of a bundle. The bundle is used if the directory does not exist.
    Tree(BundleParts, PathBuf),
    /// A directory and its trust; `Untrusted` for a workspace, because trust is decided there for each skill.
    Directory(PathBuf, Trust),
    Remote(Remote),
}

#[derive(Clone, Copy, Debug)]
pub(super) struct BundleParts {
    pub(super) registry: &'static Registry,
    pub(super) package: &'static str,
    /// The data that `skills-call` needs to call its skills.
    pub(super) functions: Option<&'static (dyn Any + Send + Sync)>,
}

impl BundleParts {
    pub(super) fn of(bundle: &'static (impl Bundle + ?Sized)) -> Self {
        Self { registry: bundle.registry(), package: bundle.package(), functions: bundle.functions() }
    }
}
