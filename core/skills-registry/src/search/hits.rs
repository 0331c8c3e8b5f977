//! Search results, best first: the best of one registry without allocation, and a ranking of any skills.

use super::find::Query;
use super::vocabulary::Vocabulary;
use crate::skill::Skill;
use crate::tables::Tables;
use skills_text::sort;

/// The maximum number of hits that [`Registry::search`](crate::Registry::search) returns.
const MAX_HITS: usize = 32;

/// A skill that matches a query.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Hit<'a> {
    /// The skill.
    pub skill: Skill<'a>,
    /// The score: above 0, and larger is better. Scores are comparable only within one query.
    pub score: f32,
}

impl<'a> Hit<'a> {
    /// Creates a hit of a program's own ranking.
    pub fn new(skill: Skill<'a>, score: f32) -> Self {
        Self { skill, score }
    }
}

/// The best hits of a registry, best first. Skills with equal scores are sorted by name.
#[derive(Clone, Debug)]
pub struct Hits<'a> {
    tables: &'a Tables,
    best: [(u32, f32); MAX_HITS],
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
        let mut hits = Self { tables, best: [(0, 0.0); MAX_HITS], next: 0, end: 0 };
        let vocabulary = Vocabulary::from_tables(tables);
        Query::new(&[vocabulary], query).find(vocabulary, &mut |row, score| {
            if row < count {
                hits.insert(row, score, admits);
            }
        });
        hits
    }

    /// Inserts a hit at its position and drops the last one. `admits` is called only for hits that would be
    /// kept.
    fn insert(&mut self, row: u32, score: f32, admits: &dyn Fn(Skill<'_>) -> bool) {
        if self.end == MAX_HITS && score <= self.best[MAX_HITS - 1].1 {
            return; // as most are
        }
        let at = self.best[..self.end].partition_point(|other| other.1 >= score);
        if at < MAX_HITS && admits(Skill::new(self.tables, row)) {
            self.end = (self.end + 1).min(MAX_HITS);
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
    // All tables, and for each skill the position of the table that has it.
    let mut all: Vec<&Tables> = Vec::new();
    let mut places = Vec::new();
    for skill in skills {
        let known = all.iter().rposition(|tables| std::ptr::eq(*tables, skill.tables()));
        places.push((skill, known.unwrap_or(all.len())));
        if known.is_none() {
            all.push(skill.tables());
        }
    }
    let vocabularies: Vec<Vocabulary<'_>> = all.into_iter().map(Vocabulary::from_tables).collect();
    let asked = Query::new(&vocabularies, query);
    let score_rows = |vocabulary: &Vocabulary<'_>| {
        let mut scores = Vec::new();
        asked.find(*vocabulary, &mut |row, score| scores.push((row, score)));
        scores
    };
    let scores: Vec<Vec<(u32, f32)>> = vocabularies.iter().map(score_rows).collect();
    let mut hits = Vec::new();
    for (skill, place) in places {
        let scores = &scores[place];
        let at = scores.binary_search_by_key(&skill.number(), |(row, _)| *row).ok();
        hits.extend(at.map(|at| Hit { skill, score: scores[at].1 }));
    }
    sort(&mut hits, &|a, b| b.score.total_cmp(&a.score).then_with(|| a.skill.name().cmp(b.skill.name())));
    hits
}
