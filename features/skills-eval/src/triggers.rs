//! The skills that a model chooses for messages, and which are confused with each other.

use std::collections::{BTreeMap, BTreeSet};

use super::check::State;
use super::interval::figure;
use skills_call::model::Usage;

/// The results of a trigger query.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct QueryReport {
    /// The skill that the query belongs to.
    pub skill: String,
    /// The message.
    pub query: String,
    /// Whether the skill is the right one for the message.
    pub should_trigger: bool,
    /// The file that contains the query.
    pub file: String,
    /// A query counts as triggered if its rate is above this.
    pub threshold: f64,
    /// The choice of each run.
    pub choices: Vec<Choice>,
}

/// The choice in one run.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Choice {
    /// The skills that were loaded or called first, sorted. Empty if the model did not use any.
    pub skills: Vec<String>,
    /// The reason why the run could not be made.
    pub error: Option<String>,
    /// The tokens used.
    pub usage: Usage,
    /// The time that the model took in milliseconds.
    pub ms: u64,
}

/// Counts of runs by the right skill and the chosen skill.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Confusion {
    /// The rows are `(skill, true)` for messages of the skill and `(skill, false)` for messages of others.
    /// Each maps the chosen skills, with an empty name for none, to the number of runs.
    pub rows: BTreeMap<(String, bool), BTreeMap<String, usize>>,
}

impl QueryReport {
    /// Counts the runs in which the skill was chosen.
    pub fn triggers(&self) -> usize {
        self.choices.iter().filter(|choice| choice.skills.contains(&self.skill)).count()
    }

    /// Counts the runs that could be made.
    pub fn tried(&self) -> usize {
        self.choices.iter().filter(|choice| choice.error.is_none()).count()
    }

    /// Returns `true` if the skill was chosen as it should be: in more runs than the threshold for its own
    /// messages, and in no more than that for messages of other skills. Returns `None` if no run could be
    /// made.
    pub fn passed(&self) -> Option<bool> {
        let tried = self.tried();
        if tried == 0 {
            return None;
        }
        let rate = figure(self.triggers() as u64) / figure(tried as u64);
        Some(if self.should_trigger { rate > self.threshold } else { rate < self.threshold })
    }

    /// Returns the overall result.
    pub(super) fn state(&self) -> State {
        match self.passed() {
            Some(true) => State::Passed,
            Some(false) => State::Failed,
            None => State::Error,
        }
    }

    /// Returns the skills that were chosen instead of or in addition to the right one, each with its number
    /// of runs.
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
    pub(super) fn from_queries(queries: &[QueryReport]) -> Self {
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

    /// Returns the right skills and all chosen skills, sorted by name, with an empty name at the end for
    /// none.
    pub fn columns(&self) -> Vec<&str> {
        let rows = self.rows.keys().filter(|(_, is_own)| *is_own).map(|(skill, _)| skill.as_str());
        let chosen = self.rows.values().flat_map(|row| row.keys().map(String::as_str));
        let names: BTreeSet<&str> = rows.chain(chosen).collect();
        let none = names.contains("").then_some("");
        names.into_iter().filter(|name| !name.is_empty()).chain(none).collect()
    }

    /// Returns `(intended, chosen, runs)` for skills that were chosen for messages of other skills, most runs
    /// first.
    pub fn confused_pairs(&self) -> Vec<(&str, &str, usize)> {
        let mut confused_pairs: Vec<(&str, &str, usize)> = Vec::new();
        for ((skill, _), row) in self.rows.iter().filter(|((_, is_own), _)| *is_own) {
            let others = row.iter().filter(|(name, _)| !name.is_empty() && *name != skill);
            confused_pairs.extend(others.map(|(name, count)| (skill.as_str(), name.as_str(), *count)));
        }
        confused_pairs.sort_by(|a, b| b.2.cmp(&a.2).then(a.cmp(b)));
        confused_pairs
    }
}
