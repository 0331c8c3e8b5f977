//! Checks [`Parsed`] skills in passes, with all rules about the contents of files, and returns a [`Catalog`].
//!
//! The passes (see `passes.rs`) read the draft of each skill, fill it in, and add to the report. No pass stops at a problem
//! or reads parts that an earlier pass rejected. A skill with an error is left out of the catalog.
//!
//! AFTER THIS POINT: names are unique, and files named by keys exist. Calls have no cycles, and each names a skill of the
//! folder, which may be left out for an error of its own.

mod allowed;
mod assemble;
mod body;
mod calls;
mod checked;
mod claude;
mod description;
mod draft;
mod duplicates;
mod examples;
mod fields;
pub(crate) mod links;
mod manifest;
mod mcp;
mod merge;
mod mode;
mod name;
mod pair;
mod passes;
mod permissions;
mod pipeline;
mod pipes;
mod private;
mod program;
mod program_value;
mod read_fields;
mod references;
mod release;
mod requires;
mod restrict;
pub(crate) mod schema;
mod standard;
mod surroundings;
pub(crate) mod template;
mod templated;
pub(crate) mod unicode;
mod value;
mod weight;

use crate::catalog::Catalog;
use crate::parse::Parsed;
use crate::{Options, Report, SourceMap};
pub(crate) use checked::CheckedSkills;
pub(crate) use draft::SkillDraft;
pub(crate) use release::Releasing;

/// Checks all skills and keeps those without errors.
///
/// The report is complete on return: levels are final and problems are sorted.
pub(crate) fn check(parsed: Parsed, options: &Options, report: &mut Report) -> Catalog {
    let Parsed { mut sources, skills, others } = parsed;
    let mut checked = CheckedSkills::default();
    for (at, skill) in skills.into_iter().enumerate() {
        checked.check(at, skill, &mut sources, options, Report::default());
    }
    checked.report(&others, options, &mut sources, report, false);
    assemble::assemble(checked.drafts, sources, options, report)
}

/// Checks skills against each other after their texts were released.
pub(crate) fn check_released(
    mut checked: CheckedSkills,
    others: &[String],
    options: &Options,
    sources: &mut SourceMap,
    report: &mut Report,
) {
    checked.report(others, options, sources, report, false);
    // Reports the skills that are left out because of their names.
    assemble::select(&checked.drafts, sources, options, report);
}
