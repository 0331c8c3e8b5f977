//! Search results, best first: the best of one registry without allocation, and a ranking of any skills.

use super::find::find;
use crate::skill::Skill;
use crate::tables::Tables;
use skills_text::sort;

/// The maximum number of hits that [`Registry::search`](crate::Registry::search) returns.
const MOST: usize = 32;

/// A skill that matches a query.
#[derive(Clone, Copy, Debug)]
pub struct Hit<'a> {
    /// The skill.
    pub skill: Skill<'a>,
    /// The score: above 0, and larger is better. Scores are comparable only within one query.
    pub score: f32,
}

/// The best hits of a registry, best first. Skills with equal scores are sorted by name.
#[derive(Clone, Debug)]
pub struct Hits<'a> {
    tables: &'a Tables,
    best: [(u32, f32); MOST],
    next: usize,
    end: usize,
}

impl<'a> Hits<'a> {
    pub(crate) fn new(
        tables: &'a Tables,
        count: u32,
        query: &str,
        admits: &dyn Fn(Skill<'_>) -> bool,
    ) -> Self {
        let mut hits = Self { tables, best: [(0, 0.0); MOST], next: 0, end: 0 };
        find(tables, query, &mut |row, score| {
            if row < count {
                hits.insert(row, score, admits);
            }
        });
        hits
    }

    /// Inserts a hit at its position and drops the last one. `admits` is called only for hits that would be
    /// kept.
    fn insert(&mut self, row: u32, score: f32, admits: &dyn Fn(Skill<'_>) -> bool) {
        if self.end == MOST && score <= self.best[MOST - 1].1 {
            return; // as most are
        }
        let at = self.best[..self.end].partition_point(|other| other.1 >= score);
        if at < MOST && admits(Skill::new(self.tables, row)) {
            self.end = (self.end + 1).min(MOST);
            self.best.copy_within(at..self.end - 1, at + 1);
            self.best[at] = (row, score);
        }
    }
}

impl<'a> Iterator for Hits<'a> {
    type Item = Hit<'a>;

    fn next(&mut self) -> Option<Hit<'a>> {
        let (row, score) = *self.best[..self.end].get(self.next)?;
        self.next += 1;
        Some(Hit { skill: Skill::new(self.tables, row), score })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.end - self.next, Some(self.end - self.next))
    }
}

impl ExactSizeIterator for Hits<'_> {}

/// Ranks skills from any collection by how well they match a query, best first. Skills that do not match are
/// left out.
///
/// ```
/// use skills_registry::ranked;
/// # use skills_registry::{Registry, Tables};
/// # let skills = Registry::new(Tables::fixed(&[], &[]));
/// let names: Vec<&str> = ranked(&skills, "tables in a PDF").iter().take(5).map(|hit| hit.skill.name()).collect();
/// # assert!(names.is_empty());
/// ```
pub fn ranked<'a>(skills: impl IntoIterator<Item = Skill<'a>>, query: &str) -> Vec<Hit<'a>> {
    // Each table is searched once, however many of its skills are given.
    let mut asked: Vec<(&Tables, Vec<(u32, f32)>)> = Vec::new();
    let mut hits = Vec::new();
    for skill in skills {
        let known = asked.iter().position(|(tables, _)| std::ptr::eq(*tables, skill.tables()));
        let at = known.unwrap_or_else(|| {
            let mut scores = Vec::new();
            find(skill.tables(), query, &mut |row, score| scores.push((row, score)));
            asked.push((skill.tables(), scores));
            asked.len() - 1
        });
        let scores = &asked[at].1;
        let score =
            scores.binary_search_by_key(&skill.row(), |(row, _)| *row).ok().and_then(|at| scores.get(at));
        hits.extend(score.map(|(_, score)| Hit { skill, score: *score }));
    }
    order_hits(&mut hits);
    hits
}

/// Sorts hits of several collections: best first, and by name if scores are equal.
pub fn order_hits(hits: &mut [Hit<'_>]) {
    sort(hits, &|a, b| b.score.total_cmp(&a.score).then_with(|| a.skill.name().cmp(b.skill.name())));
}
