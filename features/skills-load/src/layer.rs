//! Reads a source into a [`Layer`]: a registry, the functions, the trust in the skills, and the problems found.

use std::path::{Path, PathBuf};

use skills_core::catalog::Catalog;
use skills_core::lower::{compile_undigested, sha256};
use skills_core::options::Options;
use skills_registry::{Layout, Registry, TooLarge, write};
use skills_runtime::layers::{
    BundleParts, Layer, LayerTrust, Level, Origin, OwnedFunction, Problem, Store, TrustDecisions,
};
use skills_runtime::trust::CheckFault;

use super::problem;
use super::remote::RemoteSource;
use super::roots::expand;
use crate::trust::{ChangedDirectory, ReadRoot, Trust, TrustChecker, TrustDecision, TrustReason};

/// A layer while it is read: trust is decided after the files were read.
pub(super) struct LayerDraft {
    pub(super) origin: Origin,
    store: Store,
    /// One for each skill on disk, in registry order.
    functions: Vec<OwnedFunction>,
    pub(super) trust: DraftTrust,
    /// The directory that was read, or `None` if it did not exist, and for the bundle and a server.
    root: Option<ReadRoot>,
    /// The bundle that the layer contains, or that it is read instead of.
    bundle: Option<BundleParts>,
}

/// The trust in the skills of a layer.
pub(super) struct DraftTrust {
    /// The trust of the skills, if it is the same for all.
    whole: TrustDecision,
    /// The trust of each skill of a workspace, in registry order.
    pub(super) each: Vec<TrustDecision>,
    /// A trusted skill of a workspace that no longer exists.
    lost: Option<ChangedDirectory>,
}

impl DraftTrust {
    fn new(trust: Trust) -> Self {
        Self { whole: TrustDecision::new(trust), each: Vec::new(), lost: None }
    }

    /// Returns the trust of a skill.
    pub(super) fn decision(&self, row: u32) -> &TrustDecision {
        usize::try_from(row).ok().and_then(|row| self.each.get(row)).unwrap_or(&self.whole)
    }
}

impl TrustDecisions for DraftTrust {
    fn trust(&self, row: u32) -> Trust {
        self.decision(row).trust
    }

    fn reason(&self, row: u32) -> TrustReason {
        self.decision(row).why.clone()
    }

    fn find_lost(&self, name: &str) -> Option<(PathBuf, String)> {
        let lost = self.lost.as_ref()?;
        Some((lost.find(name)?.clone(), lost.why.clone()))
    }

    fn is_fixed(&self, row: u32) -> bool {
        self.decision(row).is_fixed()
    }

    fn check_followed(&self, row: u32) -> Result<(), TrustReason> {
        self.decision(row).check_followed()
    }

    #[cfg(unix)]
    fn copy(&self, row: u32, directory: &Path, to: &Path) -> Result<PathBuf, CheckFault> {
        self.decision(row).copy(directory, to)
    }

    #[cfg(not(unix))]
    fn check_in_place(&self, row: u32) -> Result<(), CheckFault> {
        self.decision(row).check_in_place()
    }
}

impl LayerDraft {
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

    pub(super) fn decision(&self, row: u32) -> &TrustDecision {
        self.trust.decision(row)
    }

    /// Finishes the layer.
    pub(super) fn into_layer(self) -> Layer {
        let Self { origin, store, functions, trust, root, bundle } = self;
        let real = root.map(|root| root.path().to_owned());
        let trust = match trust.each.is_empty() && trust.lost.is_none() {
            true => LayerTrust::Equal(trust.whole.trust),
            false => LayerTrust::Decided(Box::new(trust)),
        };
        Layer { origin, store, functions, trust, real, bundle }
    }

    /// Reads a source. Never fails: read errors are reported as problems.
    pub(super) fn read(
        source: &LayerSource,
        options: &Options,
        checker: &mut TrustChecker<'_>,
        key: Option<&skills_sign::PublicKey>,
        problems: &mut Vec<Problem>,
    ) -> Self {
        match source {
            LayerSource::Tree(bundle, path) if path.is_dir() => {
                let layer = Self::directory(path, Origin::Source, Trust::Program, options, problems);
                Self { bundle: Some(*bundle), ..layer }
            }
            LayerSource::Bundle(bundle) | LayerSource::Tree(bundle, _) => {
                let Layer { origin, store, functions, bundle, .. } = Layer::from_bundle(*bundle);
                Self { origin, store, functions, trust: DraftTrust::new(Trust::Program), root: None, bundle }
            }
            LayerSource::Directory(path, trust) => {
                let mut layer = Self::directory(path, Origin::Directory, *trust, options, problems);
                if *trust == Trust::Untrusted {
                    layer.ask(checker);
                }
                if let Some(key) = key {
                    layer.verify(checker, key);
                }
                layer
            }
            LayerSource::Remote(remote) => remote.layer(options, checker, key.is_some(), problems),
        }
    }

    /// Decides the trust of each skill of a workspace, after reading: files read later could differ from the
    /// trusted ones.
    fn ask(&mut self, checker: &mut TrustChecker<'_>) {
        let Some(root) = self.origin.path().cloned() else { return };
        let skills = self.registry().iter();
        self.trust.each = match &self.root {
            Some(read) => {
                let decisions = skills.map(|skill| checker.decide(read.path(), skill.name(), skill.dir()));
                let mut decisions: Vec<TrustDecision> = decisions.collect();
                if !read.is_same() {
                    let why =
                        TrustReason::Changed("another directory took its place while it was read".to_owned());
                    decisions.fill(TrustDecision::refused(why));
                }
                decisions
            }
            // It was created while it was read.
            None => skills.map(|_| TrustDecision::refused(TrustReason::Undecided)).collect(),
        };
        if self.trust.each.iter().all(|decision| !decision.trust.may_run()) {
            self.trust.lost = checker.lost(&root);
        }
        if let Some(lost) = &self.trust.lost {
            for decision in self
                .trust
                .each
                .iter_mut()
                .filter(|decision| !decision.trust.may_run() && decision.why == TrustReason::Undecided)
            {
                decision.why = TrustReason::Changed(lost.why.clone());
            }
        }
    }

    /// Verifies the signature of each skill, after reading.
    fn verify(&mut self, checker: &mut TrustChecker<'_>, key: &skills_sign::PublicKey) {
        let Some(root) = self.origin.path().cloned() else { return };
        let rows = self.registry().iter().zip(0..);
        let signed = rows.map(|(skill, row)| checker.signed(self.decision(row).clone(), &root, skill, key));
        self.trust.each = signed.collect();
    }

    /// Reports the inactive skills for which `is_news` returns `true`.
    pub(super) fn report_untrusted(&self, problems: &mut Vec<Problem>, is_news: impl Fn(u32) -> bool) {
        let Some(root) = self.origin.path() else { return };
        for (skill, decision) in self.registry().iter().zip(&self.trust.each) {
            if let TrustReason::Unsigned(reason) = &decision.why {
                problems.push(problem::report_unsigned(skill, reason));
            }
        }
        let decided = self.registry().iter().zip(&self.trust.each).zip(0..);
        let untrusted = decided.filter(|((_, decision), row)| !decision.trust.may_run() && is_news(*row));
        let untrusted = untrusted
            .map(|((skill, decision), _)| (root.join(skill.dir()).components().collect(), &decision.why));
        let untrusted: Vec<(PathBuf, &TrustReason)> = untrusted.collect();
        problems.extend(problem::report_untrusted(root, &untrusted));
        if let Some(lost) = self.trust.lost.as_ref().filter(|_| self.trust.each.is_empty()) {
            problems.push(problem::report_lost(root, &lost.why));
        }
    }

    /// Creates a layer of the skills of a server.
    pub(super) fn remote(
        label: String,
        server: String,
        registry: Option<Registry>,
        functions: Vec<OwnedFunction>,
    ) -> Self {
        let (store, functions) = match registry {
            Some(registry) => (Store::Owned(registry), functions),
            None => (Store::Fixed(&EMPTY), Vec::new()),
        };
        Self {
            origin: Origin::Server { label, server },
            store,
            functions,
            trust: DraftTrust::new(Trust::Untrusted),
            root: None,
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
        // A link is resolved once, so that the files that are read and run are the ones whose trust is decided.
        let read = ReadRoot::open(&path);
        let real = read.as_ref().map_or(path.as_path(), ReadRoot::path);
        let loaded = skills_core::load(real, &label.to_string_lossy(), options);
        let sources = loaded.catalog.sources();
        for diagnostic in &loaded.report.diagnostics {
            problems.push(problem::from_diagnostic(diagnostic, sources));
        }
        let root = std::path::absolute(&path).unwrap_or_else(|_| path.clone());
        if root.to_str().is_none() && !loaded.catalog.skills().is_empty() {
            let title = "the path is not UTF-8, and is shown with replacement characters".to_owned();
            problems.push(Problem::new(Level::Warning, "path-not-utf8", &root.to_string_lossy(), title));
        }
        // A model reads a skill of a workspace where its trust was decided: a link may lead elsewhere by then.
        let shown = if trust == Trust::Untrusted { real } else { root.as_path() };
        let registry = lower(&loaded.catalog, shown).unwrap_or_else(|error| {
            problems.push(Problem::new(
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
        let trust = DraftTrust::new(trust);
        Self { origin: origin(root), store, functions, trust, root: read, bundle: None }
    }
}

static EMPTY: Registry = Registry::new(skills_registry::Tables::fixed(&[], &[]));

/// Writes the tables of a directory. The location of each skill is its path.
fn lower(catalog: &Catalog, root: &Path) -> Result<Option<Registry>, TooLarge> {
    if catalog.skills().is_empty() {
        return Ok(None);
    }
    // Digests of files on disk are rarely used, and computing them all would be a quarter of the work.
    let mut compiled = compile_undigested(catalog);
    for compiled_skill in &mut compiled {
        let dir = &compiled_skill.facts.dir;
        let directory = if dir.is_empty() { root.to_owned() } else { root.join(dir) };
        compiled_skill.location = Some(directory.join("SKILL.md").to_string_lossy().into_owned());
    }
    // The catalog is rendered from all layers together, so none is written here.
    let parts = write(&compiled, Layout::Lazy, 0)?;
    Ok(Some(Registry::new(parts.into_lazy_tables(sha256))))
}

pub(super) fn functions(catalog: Catalog) -> Vec<OwnedFunction> {
    let skills = catalog.into_skills().into_iter();
    let functions = skills.map(|skill| match skill.signature {
        Some(signature) => OwnedFunction {
            input: Some(signature.input_tables),
            output: Some(signature.output_tables),
            prompt: signature.prompt_tree,
            pipeline: signature.plan,
        },
        None => OwnedFunction { input: skill.schema_tables, ..OwnedFunction::default() },
    });
    functions.collect()
}

/// A layer before it is read.
#[derive(Clone, Debug)]
pub(super) enum LayerSource {
    Bundle(BundleParts),
    /// The source directory of a bundle. The bundle is used if the directory does not exist.
    Tree(BundleParts, PathBuf),
    /// A directory and its trust; `Untrusted` for a workspace, because trust is decided there for each skill.
    Directory(PathBuf, Trust),
    Remote(RemoteSource),
}
