//! Which skill a model chooses for a message, and which are taken for each other (SPEC 16.14).

use std::collections::{BTreeMap, BTreeSet};

use super::interval::figure;
use skills_call::model::Usage;

/// What became of one trigger query.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct QueryReport {
    /// The skill whose query it is.
    pub skill: String,
    /// The message.
    pub query: String,
    /// Whether the skill is the right one for it.
    pub should_trigger: bool,
    /// The file that it stands in.
    pub file: String,
    /// The rate that counts as triggered is above this.
    pub threshold: f64,
    /// What was chosen, run by run.
    pub choices: Vec<Choice>,
}

/// What was chosen in one run.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Choice {
    /// The skills that were loaded or called first, sorted; none when the model went without.
    pub skills: Vec<String>,
    /// Why it could not be tried.
    pub error: Option<String>,
    /// Tokens.
    pub usage: Usage,
    /// Milliseconds that the model took.
    pub ms: u64,
}

/// Which skill was chosen, by the one that was right: counts of runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Confusion {
    /// The rows: `(skill, true)` for messages that are the skill's, `(skill, false)` for those that are not; and by what was
    /// chosen, an empty name for none, how often.
    pub rows: BTreeMap<(String, bool), BTreeMap<String, usize>>,
}

impl QueryReport {
    /// Counts the runs in which the skill was chosen.
    pub fn triggers(&self) -> usize {
        self.choices.iter().filter(|choice| choice.skills.contains(&self.skill)).count()
    }

    /// Counts the runs that could be tried.
    pub fn tried(&self) -> usize {
        self.choices.iter().filter(|choice| choice.error.is_none()).count()
    }

    /// Tells whether it passed: the rate of runs that chose the skill is above the threshold, or below it for a message that
    /// is not the skill's. Nothing when no run could be tried.
    pub fn passed(&self) -> Option<bool> {
        let tried = self.tried();
        if tried == 0 {
            return None;
        }
        let rate = figure(self.triggers() as u64) / figure(tried as u64);
        Some(if self.should_trigger { rate > self.threshold } else { rate < self.threshold })
    }

    /// Returns the skills that were chosen in place of the right one, or besides, each with the number of runs.
    pub fn instead(&self) -> BTreeMap<&str, usize> {
        let mut counts = BTreeMap::new();
        for skill in
            self.choices.iter().flat_map(|choice| &choice.skills).filter(|skill| **skill != self.skill)
        {
            *counts.entry(skill.as_str()).or_default() += 1;
        }
        counts
    }
}

impl Confusion {
    pub(super) fn of(queries: &[QueryReport]) -> Self {
        let mut confusion = Self::default();
        for query in queries {
            let row = confusion.rows.entry((query.skill.clone(), query.should_trigger)).or_default();
            for choice in query.choices.iter().filter(|choice| choice.error.is_none()) {
                if choice.skills.is_empty() {
                    *row.entry(String::new()).or_default() += 1;
                }
                for skill in &choice.skills {
                    *row.entry(skill.clone()).or_default() += 1;
                }
            }
        }
        confusion
    }

    /// Returns the skills whose messages they are and everything that was chosen, by name; an empty one, last, for none.
    pub fn columns(&self) -> Vec<&str> {
        let rows = self.rows.keys().filter(|(_, is_own)| *is_own).map(|(skill, _)| skill.as_str());
        let chosen = self.rows.values().flat_map(|row| row.keys().map(String::as_str));
        let names: BTreeSet<&str> = rows.chain(chosen).collect();
        let none = names.contains("").then_some("");
        names.into_iter().filter(|name| !name.is_empty()).chain(none).collect()
    }

    /// Returns the pairs `(robbed, thief, runs)` of skills that take messages of others, most first.
    pub fn thefts(&self) -> Vec<(&str, &str, usize)> {
        let mut thefts: Vec<(&str, &str, usize)> = Vec::new();
        for ((skill, _), row) in self.rows.iter().filter(|((_, is_own), _)| *is_own) {
            let others = row.iter().filter(|(name, _)| !name.is_empty() && *name != skill);
            thefts.extend(others.map(|(name, count)| (skill.as_str(), name.as_str(), *count)));
        }
        thefts.sort_by(|a, b| b.2.cmp(&a.2).then(a.cmp(b)));
        thefts
    }
}
