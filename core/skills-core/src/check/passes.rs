//! The passes, in their order: those over one skill, and those over all skills of a directory.

use super::draft::{Check, SkillDraft};
use super::{
    body, calls, claude, description, duplicates, examples, fields, license, links, manifest, merge, mode,
    name, pair, private, program, program_value, references, requires, restrict, schema, standard, weight,
};
use crate::parse::ParsedSkill;
use crate::read::{EvalCheck, EvalFile};
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
) -> SkillDraft {
    let mut draft = SkillDraft::new(skill, sources);
    let is_standard = options.profile == Profile::Standard;
    // The standard does not apply to a skill without `SKILL.md`.
    let is_outside = is_standard && draft.skill.dir.file("SKILL.md").is_none();
    if is_outside || draft.skill.is_foreign() {
        return draft;
    }
    check_keys(&mut draft, &mut Check { sources, options, report });
    if is_standard {
        standard::check(&draft, report);
        return draft;
    }
    // These add the files that they read to the sources.
    schema::check(&mut draft, at, sources, options.formats, report);
    links::references::add_texts(&mut draft, at, sources);
    check_contents(&mut draft, &mut Check { sources, options, report });
    examples::check(&mut draft, at, sources, report);
    body::check_texts(&mut draft, at, sources, options, report);
    draft
}

/// Reads the keys of the frontmatter and of `skill.json`, and checks what they name.
fn check_keys(draft: &mut SkillDraft, check: &mut Check<'_>) {
    let is_standard = check.options.profile == Profile::Standard;
    fields::read(draft, check);
    if !is_standard {
        restrict::openai(draft, check.report);
        manifest::read(draft, check.report);
        pair::check(draft, check);
    }
    name::check(draft, check);
    description::check(draft, check);
    description::stand_in(draft, check);
    if !is_standard {
        program::check(draft, check);
    }
}

/// Checks the texts and files of a skill whose keys and schemas were read.
fn check_contents(draft: &mut SkillDraft, check: &mut Check<'_>) {
    mode::check(draft, check);
    mode::read_prompt(draft, check.sources);
    body::check(draft, check);
    body::check_fences(draft, check);
    body::check_use(draft, check);
    claude::check(draft, check);
    program_value::check(draft, check);
    weight::files(draft, check);
    license::check(draft, check);
    check_evals(draft, check);
    references::check(draft, check);
    requires::check(draft, check);
    private::check(draft, check);
}

/// Checks the files in `evals` of a skill with the function that the options contain.
fn check_evals(draft: &SkillDraft, check: &mut Check<'_>) {
    let Some(EvalCheck(check_file)) = check.options.read.evals else { return };
    for id in &draft.skill.dir.evals {
        let file = check.sources.file(*id);
        if let Some(tree) = json::parse(file, check.report) {
            let file = EvalFile { tree: &tree, path: &file.path, skill: &draft.name, dir: &draft.skill.dir };
            check_file(&file, check.report);
        }
    }
}

/// Checks the skills of a bundle against each other: names, the budget, calls.
pub(super) fn check_bundle(
    drafts: &[SkillDraft],
    options: &Options,
    sources: &mut SourceMap,
    report: &mut Report,
) {
    if options.profile == Profile::Standard {
        return;
    }
    for folder in drafts.chunk_by(|a, b| a.skill.dir.folder == b.skill.dir.folder) {
        duplicates::check(folder, &mut Check { sources, options, report });
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
