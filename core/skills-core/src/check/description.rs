//! Checks the description of a skill: present, not empty, not too long, harmless.

use super::draft::{Check, SkillDraft};
use super::name;
use crate::known;
use crate::name::Spelling;
use crate::options::{Options, Strictness};
use crate::rule::{fields as rules, lints};
use crate::tree::MapEntry;
use crate::tree::text::quote;
use crate::{Change, Fix, Level, Levels, Mode, Profile, SourceMap, Span, Spanned};

const LONGEST: usize = 1_024;

/// How the description of a new skill begins until its author writes one, and how people mark a missing text.
const PLACEHOLDERS: [&str; 2] = ["Say here what", "TODO"];

/// Replaces a missing or empty description with a line of the body if the skill is loaded leniently.
pub(super) fn stand_in(draft: &mut SkillDraft, check: &Check<'_>) {
    let given = [
        draft.typed.as_ref().and_then(|typed| typed.description.as_ref()),
        draft.fields.description.as_ref(),
    ];
    let is_blank = given.into_iter().flatten().all(|text| text.value.trim().is_empty());
    if is_lenient(check.options)
        && is_blank
        && draft.is_sound()
        && let Some(value) = draft.summary(check.sources)
    {
        draft.fields.description = Some(Spanned { value, span: draft.head });
    }
}

/// Returns the effective levels: a missing description is only a warning if a line of the body replaces it.
pub(super) fn levels(options: &Options) -> Levels {
    let mut levels = options.levels.clone();
    if is_lenient(options) {
        for rule in [&rules::DESCRIPTION_MISSING, &rules::DESCRIPTION_BLANK] {
            levels.set_default(rule, Level::Warning);
        }
    }
    levels
}

fn is_lenient(options: &Options) -> bool {
    options.profile == Profile::Disk && options.strictness == Strictness::Lenient
}

pub(super) fn check(draft: &SkillDraft, check: &mut Check<'_>) {
    let Check { sources, options, .. } = *check;
    let profile = options.profile;
    let Some(description) = draft.description() else {
        // A misplaced or mistyped description was reported. On disk, the skill is still not loaded without one.
        let entry = draft.frontmatter().and_then(|frontmatter| frontmatter.tree.entry("description"));
        let is_mistyped = entry.is_some_and(|entry| !entry.value.is_absent());
        let is_reported = (draft.is_misplaced() || is_mistyped) && profile != Profile::Disk;
        let is_reported = is_reported || (profile == Profile::Standard && draft.frontmatter().is_none());
        if draft.is_sound() && !is_reported && (!draft.has_manifest() || profile == Profile::Standard) {
            let label = match profile {
                Profile::Disk if is_lenient(options) => "a line of the body is used instead",
                Profile::Disk => "a skill without a description is skipped",
                _ => "a model chooses a skill by its description",
            };
            if let Some(entry) = misspelt(draft) {
                // This is the cause of the unknown key, too.
                check.report.diagnostics.retain(|found| {
                    found.rule.code != rules::KEY_UNKNOWN.code || found.span != entry.key_span
                });
                let title = format!("`{}` is not a key, so the skill has no `description`", entry.key);
                let found = rules::DESCRIPTION_MISSING.report_at(entry.key_span, title);
                return found.label("misspelt").near("description").add_to(check.report);
            }
            let (span, help, fix) = missing(draft, sources);
            if draft.frontmatter().is_none() && is_link_as_text(draft, sources) {
                return rules::DESCRIPTION_MISSING
                    .report_at(draft.head, "the file is a symbolic link that Git wrote as a text")
                    .label("the file that it leads to is the skill")
                    .help("run `git config core.symlinks true`, and check the file out again")
                    .add_to(check.report);
            }
            let title = match draft.frontmatter() {
                None => "the skill has no frontmatter, so it has no `description`",
                Some(_) => "the skill has no `description`",
            };
            rules::DESCRIPTION_MISSING
                .report_at(span, title)
                .label(label)
                .help(help)
                .fix(fix)
                .add_to(check.report);
        }
        return;
    };
    let length = description.value.trim().chars().count();
    if length == 0 && draft.typed.as_ref().is_none_or(|typed| typed.description.is_none()) {
        rules::DESCRIPTION_BLANK
            .report_at(description.span, "the description is empty")
            .label("expected 1 to 1,024 characters")
            .help(format!("write it as: {}", draft.line("description", WHAT)))
            .add_to(check.report);
    }
    if PLACEHOLDERS.iter().any(|placeholder| description.value.trim().starts_with(placeholder)) {
        rules::DESCRIPTION_PLACEHOLDER
            .report_at(description.span, "the description is a placeholder")
            .label("a model chooses a skill by its description")
            .help(format!("write {WHAT}"))
            .add_to(check.report);
    }
    // The description of a pinned tool is the server's.
    if length > LONGEST && draft.mode() != Some(Mode::Mcp) {
        let title = format!("the description has {length} characters, but at most {LONGEST} are allowed");
        rules::DESCRIPTION_LONG
            .report_at(description.span, title)
            .label(format!("{} characters too many", length - LONGEST))
            .help("keep what the skill does and when to use it; move the rest into the body")
            .add_to(check.report);
    }
    // A comment is valid YAML, so the standard has no objection.
    if profile != Profile::Standard {
        cut(description, check);
    }
    if description.value.to_ascii_lowercase().contains("</skill") {
        lints::SKILL_TAG
            .report_at(description.span, "the description contains `</skill`")
            .label("in this text")
            .help("delete the tag: it could close the `<skill>` block in the prompt")
            .add_to(check.report);
    }
}

/// Reports a `#` after a space, which starts a YAML comment and so ends the text. If the sentence before the `#` is
/// complete and a space follows the `#`, the author may have meant a comment.
fn cut(description: &Spanned<String>, check: &mut Check<'_>) {
    let sources = check.sources;
    let file = sources.file_of(description.span);
    let value = sources.range(description.span);
    let line = file.text.get(value.end..).and_then(|rest| rest.lines().next()).unwrap_or_default();
    let is_sentence = description.value.trim_end().ends_with(['.', '!', '?', ':', '。']);
    let is_plain = !sources.text(description.span).starts_with(['"', '\'', '|', '>']);
    let comment = line.trim();
    let Some(words) = comment.strip_prefix('#').filter(|_| is_plain) else { return };
    // A comment has a space behind its sign.
    if words.trim().is_empty() || is_sentence && words.starts_with(char::is_whitespace) {
        return;
    }
    let whole = format!("{}{}", description.value, line.trim_end());
    let start = value.end + line.len() - line.trim_start().len();
    let all = value.start..start + comment.len();
    let title = "`#` after a space starts a comment, so the description ends before it";
    rules::VALUE_CUT
        .report_at(file.span(start..all.end), title)
        .label("this text is ignored")
        .help(format!("quote the value: description: {}", quote(&whole)))
        .fix(Change::replace(file.span(all), quote(&whole)).unsafe_fix())
        .add_to(check.report);
}

const WHAT: &str = "what it does, and when to use it";

/// Returns the place of a missing description, the help, and the fix.
/// Returns the entry whose key is a misspelling of `description`, if there is one.
fn misspelt(draft: &SkillDraft) -> Option<&MapEntry> {
    let entries = draft.frontmatter()?.tree.as_map()?;
    let keys: Vec<&str> = known::KEYS.iter().map(|known| known.key).collect();
    entries.iter().find(|entry| {
        let is_unknown = known::find_folded(&known::fold(&entry.key)).is_none();
        let is_text = entry.value.as_scalar().is_some() && !entry.value.is_absent();
        is_unknown && is_text && known::correction(&entry.key, &keys) == Some("description")
    })
}

/// Returns `true` if the whole text is a path to another `SKILL.md`. Where the system has no symbolic links, Git writes
/// the target of a link into a file.
fn is_link_as_text(draft: &SkillDraft, sources: &SourceMap) -> bool {
    let text = draft.skill.document.as_ref().map_or("", |document| sources.text(document.body).trim());
    text.ends_with("/SKILL.md") && !text.contains(char::is_whitespace)
}

fn missing(draft: &SkillDraft, sources: &SourceMap) -> (Span, String, Option<Fix>) {
    if draft.frontmatter().is_none() {
        // Without a frontmatter there is a single finding.
        let name = name::named_after(&draft.skill.dir.name, Spelling::Skill);
        let help = format!("begin the file with:\n---\nname: {name}\ndescription: {WHAT}\n---");
        return (draft.head, help, None);
    }
    let entry = draft.frontmatter().and_then(|frontmatter| frontmatter.tree.entry("description"));
    let Some(entry) = entry else {
        return match draft.below_header("description") {
            Some((place, help, fix)) => (place, help, Some(fix)),
            None => (draft.head, draft.add_line("description", WHAT), None),
        };
    };
    let file = sources.file_of(entry.key_span);
    let behind = file.text.get(sources.range(entry.key_span).end..).unwrap_or_default();
    let line = behind.lines().next().unwrap_or_default();
    let comment = line.trim_start_matches([':', '=', ' ', '\t']).trim_end();
    if comment.starts_with('#') {
        let quoted = comment.replace('\\', r"\\").replace('"', "\\\"");
        let typed = format!("description: \"{quoted}\"");
        let line = entry.key_span.part(0, sources.text(entry.key_span).len() + line.trim_end().len());
        let help = format!("quote the value, because `#` starts a comment: {typed}");
        return (entry.key_span, help, Some(Change::replace(line, typed).unsafe_fix()));
    }
    (entry.key_span, format!("give it a value: {}", draft.line("description", WHAT)), None)
}
