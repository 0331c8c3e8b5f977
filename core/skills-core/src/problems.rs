//! Checks a directory and returns only its problems, for `skills check`. A skill is read, checked and released before
//! the next one is read, so thousands of skills need little memory.

use std::path::Path;

use crate::Tally;
use crate::check::{Checked, Releasing, check_released};
use crate::options::Options;
use crate::parse::parse_skill;
use crate::read::{self, Overlay};
use crate::report::Report;
use crate::span::SourceMap;

/// The problems of a directory of skills.
#[derive(Debug)]
pub struct Problems {
    /// The texts at the places of the problems.
    pub sources: SourceMap,
    /// All problems that [`load`](crate::load) finds, settled and sorted.
    pub report: Report,
    /// The numbers of checked and passed-over skills.
    pub tally: Tally,
    /// The number of skills without errors.
    pub good: usize,
}

/// Reads and checks a directory of skills as [`load`](crate::load) does, and keeps no skill.
///
/// ```
/// use std::path::Path;
/// let found = skills_core::problems::find(Path::new("no/such/dir"), "no/such/dir", &Default::default());
/// assert_eq!((found.report.errors(), found.good), (1, 0));
/// ```
pub fn find(root: &Path, label: &str, options: &Options) -> Problems {
    let (mut report, mut tally) = (Report::default(), Tally::default());
    let (mut checked, mut releasing) = (Checked::default(), Releasing::new(options));
    let mut at = 0;
    let mut take = |dir, sources: &mut SourceMap, report: &mut Report| {
        let mut found = Report::default();
        let skill = parse_skill(at, dir, sources, options.profile, &mut found);
        tally.count(at, &skill, options.profile);
        checked.put(at, skill, sources, options, found);
        releasing.release(&mut checked, options, sources, report);
        at += 1;
    };
    let sources = SourceMap::new(label);
    let tree =
        read::read_each(sources, root, label, &options.read, &Overlay::default(), &mut report, &mut take);
    let mut sources = tree.sources;
    let passed_over = std::mem::replace(&mut tally.passed_over, tree.passed_over);
    tally.passed_over.extend(passed_over);
    let good = check_released(checked, &tree.others, options, &mut sources, &mut report);
    Problems { sources, report, tally, good }
}
