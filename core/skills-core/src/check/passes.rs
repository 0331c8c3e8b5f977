//! All passes, in their order. Only this module calls them, and each comment says what a pass fills in.
//!
//! 1. [`check_skill`]: one skill with its own files.
//! 2. [`check_bundle`]: all skills, which must have passed 1.
//! 3. [`check_links_and_examples`]: one skill, with the paths of all files and the other skills after 1.
//! 4. [`check_flow`]: the prompt and the pipeline of one skill, with the skills that it calls after 1.
//! 5. [`settle`]: the problems that the passes found.
//!
//! A session repeats 1, 3 and 4 only for skills that need it; see `checked.rs`. After 5, `assemble.rs`
//! reports the skills that the catalog leaves out because an earlier one has their name.

use super::calls::FolderNames;
use super::draft::{Check, SkillDraft};
use super::surroundings::Surroundings;
use super::{
    allowed, body, calls, claude, description, duplicates, examples, fields, links, manifest, merge, mode,
    name, pair, private, program, program_value, references, requires, restrict, schema, standard, template,
    weight,
};
use crate::parse::ParsedSkill;
use crate::read::{EvalCheck, EvalFile};
use crate::rule::files;
use crate::tree::json;
use crate::{DirectoryKind, FileId, Level, Levels, Options, Profile, Report, SourceMap};

/// Checks one skill by itself: the result depends only on its files.
pub(super) fn check_skill(
    at: usize,
    skill: ParsedSkill,
    sources: &mut SourceMap,
    options: &Options,
    report: &mut Report,
) -> SkillDraft {
    let mut draft = SkillDraft::new(skill, sources);
    draft.allowed = allowed::allowed_rules(&draft, sources);
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
    // Fills in the compiled schemas. This pass and `add_texts` add the files that they read to the sources.
    schema::check(&mut draft, at, sources, options.formats, report);
    links::references::add_texts(&mut draft, at, sources);
    check_contents(&mut draft, &mut Check { sources, options, report });
    // These add their files to the sources, too. Examples need the schemas.
    examples::check(&mut draft, at, sources, report);
    body::check_texts(&mut draft, at, sources, options, report);
    draft
}

/// Reads the keys of the frontmatter and of `skill.json`, and checks what they name.
fn check_keys(draft: &mut SkillDraft, check: &mut Check<'_>) {
    let is_standard = check.options.profile == Profile::Standard;
    // Fills in `fields`.
    fields::read(draft, check);
    if !is_standard {
        // May hide the skill from models, in `fields`.
        restrict::openai(draft, check.report);
        // Fills in `typed`.
        manifest::read(draft, check.report);
        pair::check(draft, check);
    }
    // Fills in `name`, from `fields`, `typed` or the directory.
    name::check(draft, check);
    description::check(draft, check);
    // May fill in a missing description, in `fields`.
    description::stand_in(draft, check);
    if !is_standard {
        // Fills in `program_path`, `schema_path` and `tier`.
        program::check(draft, check);
    }
}

/// Checks the texts and files of a skill whose keys and schemas were read.
fn check_contents(draft: &mut SkillDraft, check: &mut Check<'_>) {
    mode::check(draft, check);
    // Fills in `prompt`.
    mode::read_prompt(draft, check.sources);
    body::check(draft, check);
    body::check_fences(draft, check);
    body::check_use(draft, check);
    // Fills in `is_for_claude`.
    claude::check(draft, check);
    program_value::check(draft, check);
    weight::files(draft, check);
    standard::check_license(draft, check);
    check_evals(draft, check);
    references::check(draft, check);
    requires::check(draft, check);
    private::check(draft, check);
}

/// Checks the files in `evals` of a skill with the function that the options contain, and their inputs with the schema.
fn check_evals(draft: &SkillDraft, check: &mut Check<'_>) {
    let Some(EvalCheck(check_file)) = check.options.read.evals else { return };
    for id in &draft.skill.dir.evals {
        let file = check.sources.file(*id);
        if let Some(tree) = json::parse(file, check.report) {
            let file = EvalFile { tree: &tree, path: &file.path, skill: &draft.name, dir: &draft.skill.dir };
            check_file(&file, check.report);
            examples::check_cases(draft, &tree, check.report);
        }
    }
}

/// Checks the skills of a bundle against each other: names, the budget, calls. Returns the files that it added to the
/// sources, as places of problems that no file of a skill has.
pub(super) fn check_bundle(
    drafts: &[SkillDraft],
    options: &Options,
    sources: &mut SourceMap,
    report: &mut Report,
) -> Vec<FileId> {
    let mut places = Vec::new();
    if options.profile == Profile::Standard {
        return places;
    }
    for folder in drafts.chunk_by(|a, b| a.skill.dir.folder == b.skill.dir.folder) {
        duplicates::check(folder, &mut Check { sources, options, report });
        places.extend(weight::check(folder, options, sources, report));
    }
    calls::check(drafts, report);
    places
}

/// Checks the files, skills and functions that the texts of one skill name.
pub(super) fn check_links_and_examples(
    draft: &SkillDraft,
    around: &Surroundings<'_>,
    names: FolderNames<'_, '_>,
    check: &mut Check<'_>,
) {
    if check.options.profile == Profile::Standard {
        return;
    }
    links::check(draft, around, check.sources, check.report);
    examples::check_calls(draft, names, check);
}

/// Checks the types in the prompt and the pipeline of one skill.
pub(super) fn check_flow(draft: &SkillDraft, names: FolderNames<'_, '_>, check: &mut Check<'_>) {
    if check.options.profile == Profile::Standard {
        return;
    }
    template::check(draft, names, check.sources, check.report);
}

/// Drops the problems that the skills allow, makes the levels final, and sorts and merges the problems.
pub(super) fn settle(drafts: &[SkillDraft], options: &Options, sources: &SourceMap, report: &mut Report) {
    for (at, draft) in drafts.iter().enumerate() {
        allowed::apply(at, &draft.allowed, sources, report);
    }
    report.settle(&levels(options), options.profile, sources);
    merge::misspelled_file_names(report, sources);
    if options.profile == Profile::Bundle {
        merge::unknown_keys(report, sources);
        merge::names_of_neighbours(drafts, report, sources);
        merge::schemes_of_names(options.read.scope, report, sources);
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
