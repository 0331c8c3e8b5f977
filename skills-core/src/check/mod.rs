//! [`Parsed`] becomes a [`Catalog`]: every rule about what the files say, in passes.
//!
//! Each pass reads the drafts and adds to the report; none stops at a problem, and none looks at what an
//! earlier pass already refused. A skill with an error is left out of the catalog.
//!
//! AFTER THIS POINT: names are unique, files that are named exist, calls lead somewhere and never in a circle.

mod allowed;
mod assemble;
mod body;
mod calls;
mod description;
mod draft;
mod duplicates;
mod fields;
mod glance;
mod links;
mod manifest;
mod mcp;
mod mode;
mod name;
mod pair;
mod permissions;
mod pipeline;
mod program;
mod read_fields;
mod restrict;
mod schema;
mod template;
mod templated;
mod tools;
pub(crate) mod unicode;
mod weight;

use crate::catalog::Catalog;
use crate::diagnostic::{Profile, Report};
use crate::options::Options;
use crate::parse::Parsed;
use draft::Draft;

/// Judges all skills and keeps those without errors.
///
/// The report is settled on return: levels are final and problems are sorted.
pub(crate) fn check(parsed: Parsed, options: &Options, report: &mut Report) -> Catalog {
    let Parsed { mut sources, skills } = parsed;
    let mut drafts: Vec<Draft> = skills.into_iter().map(|skill| Draft::new(skill, &sources)).collect();
    for (skill, draft) in drafts.iter_mut().enumerate() {
        fields::read(draft, &sources, options.profile, report);
        if options.profile != Profile::Standard {
            restrict::openai(draft, report);
            manifest::read(draft, report);
            pair::check(draft, &sources, report);
        }
        name::check(draft, options.profile, report);
        description::check(draft, &sources, options, report);
        description::stand_in(draft, &sources, options);
        if options.profile != Profile::Standard {
            program::check(draft, report);
            schema::check(draft, skill, &mut sources, options.formats, report);
            mode::check(draft, &sources, report);
            mode::read_prompt(draft, &sources);
            body::check(draft, &sources, report);
        }
    }
    if options.profile != Profile::Standard {
        duplicates::check(&drafts, report);
        calls::check(&drafts, report);
        template::check(&drafts, &sources, report);
        weight::check(&drafts, options.catalog_budget, report);
    }
    allowed::apply(&drafts, &sources, report);
    report.settle(&description::levels(options), options.profile, &sources);
    assemble::assemble(drafts, sources, options.formats, report)
}
