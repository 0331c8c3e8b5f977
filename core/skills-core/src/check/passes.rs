//! The passes, in their order: those over one skill, and those over all skills of a directory.

use super::draft::Draft;
use super::{
    body, calls, claude, description, duplicates, examples, fields, license, links, manifest, merge, mode,
    name, pair, program, program_value, references, requires, restrict, schema, standard, weight,
};
use crate::parse::ParsedSkill;
use crate::read::EvalFile;
use crate::rule::files;
use crate::tree::json;
use crate::{DirectoryKind, Level, Levels, Options, Profile, Report, SourceMap};

/// Checks one skill by itself: the result depends only on its files.
pub(super) fn check_skill(
    at: usize,
    skill: ParsedSkill,
    sources: &mut SourceMap,
    options: &Options,
    report: &mut Report,
) -> Draft {
    let mut made = Draft::new(skill, sources);
    let draft = &mut made;
    // The standard does not apply to a skill without `SKILL.md`.
    let is_outside = options.profile == Profile::Standard && draft.skill.dir.file("SKILL.md").is_none();
    if is_outside || draft.skill.is_foreign() {
        return made;
    }
    fields::read(draft, sources, options.profile, report);
    if options.profile != Profile::Standard {
        restrict::openai(draft, report);
        manifest::read(draft, report);
        pair::check(draft, sources, report);
    }
    name::check(draft, options, report);
    description::check(draft, sources, options, report);
    description::stand_in(draft, sources, options);
    if options.profile != Profile::Standard {
        program::check(draft, sources, report);
        schema::check(draft, at, sources, options.formats, report);
        mode::check(draft, sources, report);
        mode::read_prompt(draft, sources);
        body::check(draft, sources, report);
        body::check_fences(draft, sources, report);
        body::check_use(draft, sources, report);
        claude::check(draft, options, sources, report);
        program_value::check(draft, sources, options, report);
        weight::files(draft, sources, report);
        license::check(draft, options, report);
        check_evals(draft, sources, options, report);
        examples::check(draft, at, sources, report);
        references::check(draft, sources, options, report);
        requires::check(draft, sources, report);
        links::references::take_up(draft, at, sources);
        body::check_texts(draft, at, sources, options, report);
    } else {
        standard::check(draft, report);
    }
    made
}

/// Checks the files in `evals` of a skill with the function that the options contain.
fn check_evals(draft: &Draft, sources: &SourceMap, options: &Options, report: &mut Report) {
    let Some(check) = options.read.evals else { return };
    for id in &draft.skill.dir.evals {
        let file = sources.file(*id);
        if let Some(tree) = json::parse(file, report) {
            let file = EvalFile { tree: &tree, path: &file.path, skill: &draft.name, dir: &draft.skill.dir };
            (check.0)(&file, report);
        }
    }
}

/// Checks the skills of a bundle against each other: names, the budget, calls.
pub(super) fn check_bundle(
    drafts: &[Draft],
    options: &Options,
    sources: &mut SourceMap,
    report: &mut Report,
) {
    if options.profile == Profile::Standard {
        return;
    }
    for folder in drafts.chunk_by(|a, b| a.skill.dir.folder == b.skill.dir.folder) {
        duplicates::check(folder, options.read.scope, sources, report);
        weight::check(folder, options, sources, report);
    }
    calls::check(drafts, report);
}

/// Makes the levels final and sorts the findings.
pub(super) fn settle(options: &Options, sources: &SourceMap, report: &mut Report) {
    report.settle(&levels(options), options.profile, sources);
    merge::misspelled_file_names(report, sources);
    if options.profile == Profile::Bundle {
        merge::unknown_keys(report, sources);
    }
}

/// Returns the effective levels: a size limit of a bundle does not apply to a repository.
pub(super) fn levels(options: &Options) -> Levels {
    let mut levels = description::levels(options);
    if options.read.scope == DirectoryKind::Repository {
        for rule in [&files::SKILL_TOO_LARGE, &files::BUNDLE_TOO_LARGE, &files::FILE_TOO_LARGE] {
            levels.set_default(rule, Level::Warning);
        }
        // Client folders are often links to the skills, which are checked at their real path.
        levels.set_default(&files::LINK_REPEATED, Level::Allow);
        // Skills behind a broken link cannot be checked, so the link is always reported (SPEC 1.9).
        levels.set_default(&files::LINK_BROKEN, Level::Error);
        // A link out of the directory works in this scope, and its target is checked at its real path.
        levels.set_default(&files::LINK_OUTSIDE, Level::Warning);
        // Only a server of MCP has this limit (SPEC 11.18).
        levels.set_default(&files::HOST_LIMITS, Level::Allow);
    }
    levels
}
