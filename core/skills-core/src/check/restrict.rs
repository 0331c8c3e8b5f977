//! Reads the settings that hide a skill from models and users. An unreadable value restricts, and is reported.

use super::draft::{Check, SkillDraft};
use super::permissions;
use super::read_fields::Field;
use crate::known::{self, Audience, KeyType, Known};
use crate::rule::fields as rules;
use crate::tree::{MapEntry, Node};
use crate::{Report, Span, Spanned};

/// Reads a flag of the frontmatter, and reports any value other than `true` and `false`.
pub(super) fn read_known_flag(draft: &mut SkillDraft, known: &Known, entry: &MapEntry, report: &mut Report) {
    let KeyType::Flag { hides_if, .. } = known.shape else { return };
    if entry.value.truth().is_none() {
        let line = draft.line(known.key, "true").replace('"', "");
        let (key, found) = (known.key, entry.value.describe());
        rules::VALUE_TYPE
            .report_at(entry.value.span, format!("`{key}` must be `true` or `false`, found {found}"))
            .label(format!("cannot be read, so it is treated as `{hides_if}`"))
            .help(format!("write it as:\n{line}"))
            .add_to(report);
    }
    restrict_by(draft, known, entry);
}

/// Hides the skill if the value of a flag says so. Also called for a second spelling of a flag, which was reported: the
/// more restrictive value counts.
pub(super) fn restrict_by(draft: &mut SkillDraft, known: &Known, entry: &MapEntry) {
    if let Some(audience) = hidden_from(known, &entry.value) {
        hide(draft, audience);
    }
}

/// Returns from whom a value of a key hides the skill. A flag that cannot be read hides it.
fn hidden_from(known: &Known, value: &Node) -> Option<Audience> {
    let KeyType::Flag { hides_if, from } = known.shape else { return None };
    (!value.is_absent() && value.truth().unwrap_or(hides_if) == hides_if).then_some(from)
}

/// Returns the restricting keys: the flags of a frontmatter, its `disallowed-tools`, and `permissions` below `metadata`.
fn restricting_keys() -> impl Iterator<Item = &'static str> {
    let flags = known::KEYS.iter().filter(|known| known.is_flag()).map(|known| known.key);
    flags.chain(["disallowed-tools", "permissions"])
}

/// Finds the restricting key for which a key is probably a misspelling.
pub(super) fn intended_key(key: &str) -> Option<&'static str> {
    let bare = bare(key);
    let same = restricting_keys().find(|known| {
        let known = self::bare(known);
        known == bare || known.get(1..) == Some(bare.as_str())
    });
    // If a key is more similar to another key, it is a misspelling of that one.
    same.or_else(|| {
        let mut keys: Vec<&str> = known::KEYS.iter().map(|known| known.key).collect();
        keys.push("permissions");
        known::correction(key, &keys).filter(|near| restricting_keys().any(|key| key == *near))
    })
}

/// Removes all differences between spellings.
fn bare(key: &str) -> String {
    key.to_lowercase().chars().filter(|c| c.is_alphanumeric()).collect()
}

/// Reads a misspelling of a restricting key as that key. An unreadable value restricts.
pub(super) fn misspelled(
    draft: &mut SkillDraft,
    near: &'static str,
    entry: &MapEntry,
    check: &mut Check<'_>,
) {
    let Some(known) = known::KEYS.iter().find(|known| known.key == near) else {
        draft.fields.is_confined = true;
        if !permissions::is_ours(&entry.value) {
            return check.report.push(permissions::foreign(entry));
        }
        return rules::RESTRICTION_MISSPELT
            .report_at(
                entry.key_span,
                format!("`{}` has no effect here; it is read as `permissions` below `metadata`", entry.key),
            )
            .label("so the program may do nothing")
            .help("write it below `metadata` as JSON text: permissions: '{\"read\": [\"$WORKSPACE\"]}'")
            .add_to(check.report);
    };
    let effect = match hidden_from(known, &entry.value) {
        Some(_) => "so the skill is hidden, as with the correct key",
        None => "read as the correct key",
    };
    permissions::report_misspelling(entry, near, effect, check.report);
    if known.is_flag() {
        return restrict_by(draft, known, entry);
    }
    let field = Field { draft, key: known.key, value: &entry.value };
    let mut tools = field.tools(&mut Check { report: &mut Report::default(), ..*check });
    // An invalid list must not allow anything (SPEC 8.12).
    if tools.is_empty() && !entry.value.is_absent() {
        tools.push(Spanned { value: "*".to_owned(), span: entry.value.span });
    }
    let declared = &mut draft.fields.declared.disallowed_tools;
    declared.extend(tools.into_iter().map(|tool| tool.value));
}

/// Searches for flags that are missing from the tree because of a reported syntax error.
pub(super) fn lost(draft: &mut SkillDraft, keys: &[&str], check: &mut Check<'_>) {
    let sources = check.sources;
    let Some(frontmatter) = draft.frontmatter().filter(|frontmatter| !frontmatter.sound) else { return };
    let block = frontmatter.block;
    let text = plain(sources.text(block));
    for known in known::KEYS {
        let KeyType::Flag { from, .. } = known.shape else { continue };
        if !keys.contains(&known.key) && text.contains(&plain(known.key)) {
            unclear(block, format!("`{}` cannot be read in this frontmatter", known.key), check.report);
            hide(draft, from);
        }
    }
}

/// Removes the differences between spellings of a key.
fn plain(text: &str) -> String {
    text.chars().filter(|c| !matches!(c, '-' | '_')).map(|c| c.to_ascii_lowercase()).collect()
}

fn hide(draft: &mut SkillDraft, audience: Audience) {
    match audience {
        Audience::Models => draft.fields.hidden_from_model = true,
        Audience::Users => draft.fields.hidden_from_users = true,
    }
}

/// Returns `true` if the word `internal`, in any letter case, is one of the tags.
pub(super) fn has_internal_tag(tags: &Node) -> bool {
    if let Some(items) = tags.as_list() {
        return items.iter().any(has_internal_tag);
    }
    let words = tags.as_scalar().into_iter().flat_map(|scalar| scalar.text.split(','));
    let mut bare = words.map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()));
    bare.any(|word| word.eq_ignore_ascii_case("internal"))
}

/// Reads `internal` below `metadata`.
pub(super) fn internal(draft: &mut SkillDraft, metadata: &Node, report: &mut Report) {
    let Some(entries) = metadata.as_map() else { return };
    // Letter case does not matter. A word that is only similar to the tag is custom data.
    let flags = entries.iter().filter(|entry| entry.key.eq_ignore_ascii_case("internal"));
    for entry in flags.filter(|entry| !entry.value.is_absent()) {
        let truth = read_flag(&entry.value, "metadata.internal", report);
        draft.fields.internal |= truth.unwrap_or(true);
    }
}

/// Returns the value of a key, or of a misspelling of it, which is reported.
fn find_respelt(node: &Node, key: &'static str, report: &mut Report) -> Option<Node> {
    if let Some(found) = node.get(key) {
        return Some(found.clone());
    }
    let misspelled = node.as_map()?.iter().find(|entry| known::correction(&entry.key, &[key]).is_some())?;
    permissions::report_misspelling(misspelled, key, "read as the correct key", report);
    Some(misspelled.value.clone())
}

/// Reads `policy.allow_implicit_invocation` of `agents/openai.yaml`.
pub(super) fn openai(draft: &mut SkillDraft, report: &mut Report) {
    let Some(file) = &draft.skill.openai else { return };
    let policy = find_respelt(&file.tree, "policy", report).filter(|policy| !policy.is_absent());
    let allow = policy.as_ref().and_then(|policy| find_respelt(policy, "allow_implicit_invocation", report));
    let is_hidden = match (&policy, allow.as_ref().filter(|allow| !allow.is_absent())) {
        _ if !file.sound => {
            unclear(file.fault, "`agents/openai.yaml` cannot be read".to_owned(), report);
            true
        }
        (Some(policy), _) if policy.as_map().is_none() => {
            unclear(policy.span, format!("`policy` is {}, not a map", policy.describe()), report);
            true
        }
        (_, Some(allow)) => read_flag(allow, "allow_implicit_invocation", report) != Some(true),
        _ => false,
    };
    draft.fields.hidden_from_model |= is_hidden;
}

/// Reads a flag, and reports any value other than `true` and `false`.
fn read_flag(node: &Node, name: &str, report: &mut Report) -> Option<bool> {
    let truth = node.truth();
    if truth.is_none() {
        unclear(node.span, format!("`{name}` is {}, not `true` or `false`", node.describe()), report);
    }
    truth
}

fn unclear(span: Span, title: String, report: &mut Report) {
    rules::RESTRICTION_UNCLEAR
        .report_at(span, title)
        .label("so the skill is hidden")
        .help("write `true` or `false`, after fixing the errors reported above")
        .add_to(report);
}
