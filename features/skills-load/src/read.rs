//! Reads, checks and merges the layers of a builder.

use std::collections::HashMap;
use std::fs;
use std::path::PathBuf;

use skills_core::rule::files::{LINK_OUTSIDE, ROOT_UNREADABLE};
use skills_registry::Skill;
use skills_runtime::layers::{Layers, Level, Position, Problem, Shadowed, Winners};

use super::builder::LayersBuilder;
use super::layer::{LayerDraft, LayerSource};
use super::linked;
use super::problem::Unreadable;
use super::roots::expand;
use crate::trust::{Trust, TrustChecker};

impl LayersBuilder {
    /// Reads all layers.
    ///
    /// # Errors
    /// If a directory exists, but is a file or cannot be listed. The error contains the layers without that
    /// directory. Problems in skills are not errors; they are in [`problems`](Layers::problems).
    pub fn load(&self) -> Result<Layers, Unreadable> {
        let options = self.options();
        let (mut layers, mut problems): (Vec<LayerDraft>, Vec<Problem>) = (Vec::new(), Vec::new());
        let mut of_layers: Vec<Vec<Problem>> = Vec::new();
        let linked = linked::follow(&self.sources);
        let repeated = repeated(&linked.sources);
        let trust_store = self.trust_store();
        if let (Some(path), Some(damage)) = (trust_store.path(), trust_store.damage()) {
            let title = format!("nothing is trusted, since this file cannot be used: {damage}");
            problems.push(Problem::new(Level::Warning, "trust-unreadable", &path.to_string_lossy(), title));
        }
        let mut checker = TrustChecker::new(self.trusts.as_ref(), trust_store, own(&linked.sources));
        for (at, source) in linked.sources.iter().enumerate() {
            if let Some(path) = repeated.get(&at) {
                let title = "the directory is a layer twice; it is read as the higher one".to_owned();
                problems.push(Problem::new(Level::Note, "root-repeated", &path.to_string_lossy(), title));
                continue;
            }
            let mut own = Vec::new();
            layers.push(LayerDraft::read(source, &options, &mut checker, self.signature.as_ref(), &mut own));
            of_layers.push(own);
        }
        let winners = Winners::new(&layers.iter().map(LayerDraft::names).collect::<Vec<_>>());
        for (at, own) in of_layers.into_iter().enumerate() {
            problems.extend(own);
            layers[at].report_untrusted(&mut problems, |row| {
                !is_idle(&layers, &winners, Position { layer: at, row })
            });
        }
        // These skills are read where the links lead.
        problems.retain(|problem| problem.code != LINK_OUTSIDE.code || !linked.links.contains(&problem.path));
        let unreadable: Vec<Problem> =
            problems.iter().filter(|problem| problem.code == ROOT_UNREADABLE.code).cloned().collect();
        let layers = layers.into_iter().map(LayerDraft::into_layer).collect();
        let mut all = Layers::new(layers, winners);
        if let Some(grants) = self.grants.clone() {
            all = all.granting(move |capability| grants(capability));
        }
        for Shadowed { lost, won, .. } in all.shadowed() {
            // An installed copy is the same skill. Two bundles may have different functions for equal files.
            let are_bundled = lost.skill.is_bundled() && won.skill.is_bundled();
            if are_bundled || !is_copy(lost.skill, won.skill) {
                problems.push(Problem::shadowed(lost, won));
            }
        }
        let all = all.with_problems(problems);
        if unreadable.is_empty() {
            return Ok(all);
        }
        Err(Unreadable { problems: unreadable, layers: Box::new(all) })
    }
}

/// Returns `true` if a skill would have no effect even if it were trusted: a trusted skill of a higher layer hides it, or
/// is the same skill.
fn is_idle(layers: &[LayerDraft], winners: &Winners, at: Position) -> bool {
    let skill = layers[at.layer].registry().row(at.row);
    let Some(won) = winners.find(skill.name()).filter(|won| *won != at) else { return false };
    let winner = layers[won.layer].registry().row(won.row);
    layers[won.layer].decision(won.row).trust.may_run() && (won.layer > at.layer || is_copy(skill, winner))
}

/// Returns `true` if two skills have the same files.
fn is_copy(one: Skill<'_>, other: Skill<'_>) -> bool {
    let mut files: Vec<_> = one.files().map(|file| (file.path(), file.bytes())).collect();
    let mut others: Vec<_> = other.files().map(|file| (file.path(), file.bytes())).collect();
    files.sort_unstable();
    others.sort_unstable();
    one.name() == other.name() && files == others
}

/// Returns the real paths of trusted directories. A path that leads into one of them is trusted too.
pub(super) fn own(sources: &[LayerSource]) -> Vec<(PathBuf, Trust)> {
    let own = sources.iter().filter_map(|source| match source {
        LayerSource::Directory(path, trust) if trust.may_run() => {
            Some((fs::canonicalize(expand(path)).ok()?, *trust))
        }
        _ => None,
    });
    own.collect()
}

/// Finds directories that are listed again at a higher position, by their real paths. Each is read once, as
/// the higher layer.
fn repeated(sources: &[LayerSource]) -> HashMap<usize, &PathBuf> {
    let mut last = HashMap::new();
    let mut repeated = HashMap::new();
    for (at, source) in sources.iter().enumerate() {
        let LayerSource::Directory(path, _) = source else { continue };
        let Ok(real) = fs::canonicalize(expand(path)) else { continue };
        if let Some((lower, path)) = last.insert(real, (at, path)) {
            repeated.insert(lower, path);
        }
    }
    repeated
}
