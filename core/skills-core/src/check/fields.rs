//! Reads the tree of a frontmatter into typed [`Fields`](super::draft::Fields).

use std::borrow::Cow;
use std::sync::Arc;

use super::draft::{Check, SkillDraft};
use super::read_fields::{Field, argument_names, openclaw_requires, report_foreign};
use super::{mcp, permissions, restrict, value};
use crate::catalog::PROGRAM_VERSION;
use crate::known::{self, KeyType, Known};
use crate::rule::fields as rules;
use crate::tree::{MapEntry, Node, ScalarType, text};
use crate::{Change, Dialect, Fix, Frontmatter, Profile, Report, SourceMap, Span, Spanned};

pub(super) fn read(draft: &mut SkillDraft, check: &mut Check<'_>) {
    let profile = check.options.profile;
    let is_standard = profile == Profile::Standard;
    if is_standard {
        demand_standard_frontmatter(draft, check);
    }
    let Some(frontmatter) = draft.frontmatter() else { return foreign_description(draft) };
    let tree = Arc::clone(&frontmatter.tree);
    let metadata = frontmatter.metadata().map(Cow::into_owned);
    let mut entries_by_key: Vec<(Cow<'_, str>, &MapEntry)> = Vec::new();
    let mut previous: Option<&MapEntry> = None;
    let mut misspelled: Vec<(&'static str, &MapEntry)> = Vec::new();
    // This is looked up once, because a frontmatter may have very many unknown keys.
    let metadata_entry = tree.entry("metadata");
    for entry in tree.as_map().unwrap_or_default() {
        let previous = previous.replace(entry);
        let folded = known::fold(&entry.key);
        let known = known::find_folded(&folded)
            .filter(|known| !is_standard || known.standard && !known::is_camel(&entry.key));
        let Some(known) = known else {
            let is_sentence = entry.key.trim().contains(char::is_whitespace);
            if !is_standard && folded.starts_with("mcp-") {
                mcp::read_line(draft, entry, check.report);
            } else if !is_standard && let Some(near) = restrict::intended_key(&entry.key) {
                misspelled.push((near, entry));
            } else if let Some(previous) = previous
                && is_sentence
                && previous.value.as_scalar().is_some()
            {
                cut(previous, entry, check);
            } else if !is_of_other_format(draft) {
                unknown(draft, entry, metadata_entry, check);
            }
            continue;
        };
        if let Some((_, first)) = entries_by_key.iter().find(|(other, _)| *other == folded) {
            restrict::restrict_by(draft, known, entry);
            let fix = Change::DeleteLines(entry.key_span.to(entry.value.span)).unsafe_fix();
            rules::KEY_TWICE
                .report_at(entry.key_span, format!("`{}` and `{}` are the same key", first.key, entry.key))
                .label("the second spelling")
                .help(format!("keep one of the two lines, spelled `{}`", known.key))
                .fix(fix.repeats(first.key_span.to(first.value.span)))
                .related(first.key_span, "the first spelling")
                .add_to(check.report);
            continue;
        }
        entries_by_key.push((folded, entry));
        draft.fields.internal |= known.key == "tags" && restrict::has_internal_tag(&entry.value);
        if !entry.value.is_absent() {
            store(draft, known, entry, check);
        }
    }
    for (near, entry) in misspelled {
        restrict::misspelled(draft, near, entry, check);
    }
    let metadata = metadata.as_ref();
    let keys: Vec<&str> = entries_by_key.iter().map(|(key, _)| key.as_ref()).collect();
    if !is_standard {
        let is_confined = &mut draft.fields.is_confined;
        draft.fields.permissions =
            metadata.and_then(|node| permissions::in_metadata(node, is_confined, check.report));
        restrict::lost(draft, &keys, check);
        if let Some(metadata) = metadata {
            restrict::internal(draft, metadata, check.report);
        }
    }
    if draft.fields.requires.is_empty() && !keys.contains(&"requires") {
        let bins = metadata.map(|metadata| openclaw_requires(metadata, "bins")).unwrap_or_default();
        draft.fields.requires = bins.iter().filter_map(Node::spanned).collect();
    }
}

/// Uses the description of another system's `skill.json` if `SKILL.md` has no frontmatter.
fn foreign_description(draft: &mut SkillDraft) {
    let Some(entry) = draft.skill.foreign.as_ref().and_then(|foreign| foreign.tree.entry("description"))
    else {
        return;
    };
    draft.fields.description = entry.value.spanned().filter(|text| !text.value.trim().is_empty());
}

/// Reports a line that should have been indented.
fn cut(above: &MapEntry, entry: &MapEntry, check: &mut Check<'_>) {
    let sources = check.sources;
    let file = sources.file_of(entry.key_span);
    let line = file.text.get(sources.range(entry.key_span).start..).and_then(|rest| rest.lines().next());
    let line = skills_text::cut(line.unwrap_or_default(), 60);
    rules::VALUE_CUT
        .report_at(
            entry.key_span,
            format!("this line is not indented, so the value of `{}` ends before it", above.key),
        )
        .label("read as a separate key")
        .help(format!("indent this line and the following ones to continue the value above:\n  {line}"))
        .add_to(check.report);
}

/// Stores the value of a key in its field. A key without an arm is stored in the field of its name in
/// [`Declared`](crate::catalog::Declared), or else only checked.
fn store(draft: &mut SkillDraft, known: &Known, entry: &MapEntry, check: &mut Check<'_>) {
    if !known.standard && has_foreign_type(known, &entry.value) {
        return report_foreign(form_of(known), entry, check.report);
    }
    let field = Field { draft, key: known.key, value: &entry.value };
    match known.shape {
        KeyType::Any if known.key == "mcp" => mcp::read_tables(draft, entry, check.report),
        KeyType::Any if known.key == "arguments" => {
            draft.fields.declared.arguments = argument_names(&entry.value);
        }
        KeyType::Any if known.key == "argument-hint" => {
            draft.fields.declared.argument_hint = entry.value.as_string().map(str::to_owned);
        }
        KeyType::Any => {}
        KeyType::Text => {
            let Some(text) = field.text(check) else { return };
            if known.key == "compatibility" {
                compatibility(&text, check.report);
            }
            let fields = &mut draft.fields;
            let slot = match known.key {
                "name" => &mut fields.name,
                "description" => &mut fields.description,
                "version" => {
                    // Every client accepts versions such as `1.0` and `2`, and many frontmatters have them.
                    let is_number = text.value.trim_start().starts_with(|c: char| c.is_ascii_digit());
                    if !is_number && text.value != PROGRAM_VERSION {
                        value::check_version(&text, check.report);
                    }
                    &mut fields.version
                }
                "exec" => {
                    let exec = text.value.trim();
                    fields.declared.exec = (!exec.is_empty()).then(|| exec.to_owned());
                    &mut fields.exec
                }
                "schema" => &mut fields.schema,
                "category" => &mut fields.category,
                key => {
                    if let Some(slot) = fields.declared.text(key) {
                        *slot = Some(text.value);
                    }
                    return;
                }
            };
            *slot = Some(text);
        }
        KeyType::List => {
            let items = field.list(check.report);
            let fields = &mut draft.fields;
            match known.key {
                "requires" => fields.requires = items,
                "tags" => fields.tags = items,
                key => {
                    if let Some(slot) = fields.declared.list(key) {
                        *slot = items.into_iter().map(|item| item.value).collect();
                    }
                }
            }
        }
        KeyType::Flag { .. } => restrict::read_known_flag(draft, known, entry, check.report),
        KeyType::Map => field.map(check.report),
        KeyType::Timeout => {
            let timeout = field.timeout(check.report);
            if known.key == "timeout" {
                let text = entry.value.as_scalar().filter(|_| timeout.is_none());
                draft.fields.invalid_timeout = text.map(|scalar| scalar.text.trim().to_owned());
                draft.fields.timeout = timeout;
            }
        }
        KeyType::Tools => {
            let tools = field.tools(check);
            if let Some(slot) = draft.fields.declared.list(known.key) {
                *slot = match known.key {
                    // An invalid list must not allow anything (SPEC 8.12).
                    "disallowed-tools" if entry.value.as_map().is_some() => vec!["*".to_owned()],
                    _ => tools.into_iter().map(|tool| tool.value).collect(),
                };
            }
        }
    }
}

/// Returns `true` if the type of a value shows that a key outside the standard belongs to another system.
fn has_foreign_type(known: &Known, value: &Node) -> bool {
    match known.shape {
        KeyType::Text | KeyType::Timeout => value.as_scalar().is_none(),
        KeyType::List => {
            value.as_map().is_some()
                || value.as_list().is_some_and(|items| items.iter().any(|item| item.as_scalar().is_none()))
        }
        _ => false,
    }
}

/// Returns the form of a value that a key must have, for people.
fn form_of(known: &Known) -> &'static str {
    match known.shape {
        KeyType::List => "a list of texts",
        KeyType::Timeout => "a time limit",
        _ => "a text",
    }
}

/// Returns `true` if `SKILL.md` is a link to a file with another name, such as that of an agent or a command. Its format
/// has its own keys.
fn is_of_other_format(draft: &SkillDraft) -> bool {
    let source = draft.skill.dir.source.as_deref();
    source.is_some_and(|source| source.rsplit('/').next() != Some("SKILL.md"))
}

/// Returns `true` if a value is a list of programs, such as `claude-code` and `cursor`, and not of tools.
fn names_programs(value: &Node) -> bool {
    let texts: Vec<&str> = match value.as_list() {
        Some(items) => items.iter().filter_map(|item| Some(&*item.as_scalar()?.text)).collect(),
        None => value.as_scalar().into_iter().flat_map(|scalar| scalar.text.split(',')).collect(),
    };
    let mut letters = texts.iter().flat_map(|text| text.chars());
    texts.iter().any(|text| text.contains('-'))
        && letters.all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '-' | ' '))
}

/// Keys for the words that ask for a skill, which no client reads.
const TRIGGERS: [&str; 5] = ["keywords", "trigger-keywords", "trigger-phrases", "trigger-words", "triggers"];

fn unknown(draft: &SkillDraft, entry: &MapEntry, metadata: Option<&MapEntry>, check: &mut Check<'_>) {
    let sources = check.sources;
    let profile = check.options.profile;
    let usable = known::KEYS.iter().filter(|known| known.standard || profile != Profile::Standard);
    let usable: Vec<&str> = usable.map(|known| known.key).collect();
    // A key with a list, such as `agents`, is not a misspelling of a key with one text, such as `agent`.
    let near = known::correction(&entry.key, &usable).filter(|near| {
        let shape = known::find_folded(near).map(|known| known.shape);
        let is_possible = match shape {
            Some(KeyType::Text) => entry.value.as_scalar().is_some() || entry.value.is_absent(),
            Some(KeyType::Tools) => *near != "allowed-tools" || !names_programs(&entry.value),
            _ => true,
        };
        is_possible && draft.entry(near).is_none()
    });
    let found = rules::KEY_UNKNOWN
        .report_at(entry.key_span, format!("unknown key `{}`", entry.key))
        .label("no such key in a frontmatter");
    let help = match near {
        Some(near) => return check.report.push(found.near(near)),
        None if TRIGGERS.contains(&known::fold(&entry.key).as_ref()) => {
            let help = "write the words into `description`, by which models choose a skill";
            return check.report.push(found.help(help));
        }
        // The skill reads its own frontmatter, so the key must stay where it is.
        None if profile != Profile::Standard && is_read_by_body(draft, &entry.key, sources) => return,
        None if profile == Profile::Standard => {
            let keys = text::listed(&usable);
            format!("move it below `metadata`: the standard has only {keys}")
        }
        None if draft.is_toml() => format!("move it below `metadata`:\n[metadata]\n{} = …", entry.key),
        None => format!("move it below `metadata`:\nmetadata:\n  {}: …", entry.key),
    };
    check.report.push(found.help(help).fix(below_metadata(draft, entry, metadata, sources)));
}

/// Returns `true` if the text of a skill names a key of the frontmatter in code.
fn is_read_by_body(draft: &SkillDraft, key: &str, sources: &SourceMap) -> bool {
    let Some(document) = &draft.skill.document else { return false };
    let body = sources.text(document.body);
    skills_text::work::count(body.len());
    body.contains("frontmatter")
        && body.match_indices(&format!("`{key}")).any(|(at, name)| {
            !body[at + name.len()..].starts_with(|c: char| c.is_alphanumeric() || "-_/.".contains(c))
        })
}

/// Returns a fix that moves a key with a plain value on its line below `metadata`, the place for custom keys.
fn below_metadata(
    draft: &SkillDraft,
    entry: &MapEntry,
    metadata: Option<&MapEntry>,
    sources: &SourceMap,
) -> Option<Fix> {
    let frontmatter = draft.frontmatter().filter(|frontmatter| frontmatter.dialect == Dialect::Yaml)?;
    let whole = entry.key_span.to(entry.value.span);
    let line = sources.text(whole);
    entry.value.as_scalar().filter(|_| !line.contains('\n') && !entry.value.is_absent())?;
    // A field of a flow map does not have its own line.
    let before = sources.file_of(whole).text.get(..sources.range(whole).start)?;
    let is_line = before.ends_with('\n') && frontmatter.tree.span.start >= frontmatter.block.start;
    let mut changes = vec![Change::DeleteLines(whole)];
    match metadata {
        None => changes = vec![Change::replace(whole, format!("metadata:\n  {line}"))],
        Some(metadata) => {
            let entries = metadata.value.as_map()?;
            let first = entries.first()?;
            let text = &sources.file_of(first.key_span).text;
            let above = text.get(..sources.range(first.key_span).start)?;
            let indent = &above[above.rfind('\n')? + 1..];
            if !indent.chars().all(|c| c == ' ') || indent.is_empty() {
                return None;
            }
            let text = format!("{indent}{line}");
            // Each key is moved below the last entry, so that several moved keys keep their order.
            let last = entries.last()?;
            let last = last.key_span.to(last.value.span);
            changes.push(match sources.text(last).contains('\n') {
                true => Change::InsertAbove { at: first.key_span, text },
                false => Change::InsertBelow { at: last, text },
            });
        }
    }
    is_line.then(|| Fix::from_changes(changes))
}

fn compatibility(text: &Spanned<String>, report: &mut Report) {
    let length = text.value.trim().chars().count();
    if !(1..=500).contains(&length) {
        rules::COMPATIBILITY_LENGTH
            .report_at(
                text.span,
                format!("`compatibility` has {length} characters, but 1 to 500 are allowed"),
            )
            .label("this text")
            .help(if length == 0 { "delete the line" } else { "shorten it and move details into the body" })
            .add_to(report);
    }
}

fn demand_standard_frontmatter(draft: &SkillDraft, check: &mut Check<'_>) {
    let sources = check.sources;
    let help = "begin the file with:\n---\nname: …\ndescription: …\n---";
    match draft.frontmatter() {
        None if draft.is_sound() && !draft.is_misplaced() => rules::FRONTMATTER_MISSING
            .report_at(draft.head, "`SKILL.md` has no frontmatter")
            .label("the standard requires a `---` line here")
            .help(help)
            .add_to(check.report),
        Some(frontmatter) if frontmatter.dialect == Dialect::Toml => rules::FRONTMATTER_NOT_YAML
            .report_at(draft.head, "the frontmatter is TOML, but the standard allows only YAML")
            .label("this block")
            .help(help)
            .fix(in_yaml(frontmatter, draft.head).filter(|_| !sources.text(frontmatter.block).contains('#')))
            .add_to(check.report),
        _ => {}
    }
}

/// Returns a fix that converts a TOML frontmatter to YAML, if it has only plain fields.
fn in_yaml(frontmatter: &Frontmatter, opening: Span) -> Option<Fix> {
    let mut lines = String::new();
    for entry in frontmatter.tree.as_map().filter(|_| frontmatter.sound)? {
        let scalar = entry.value.as_scalar()?;
        let value =
            if scalar.kind == ScalarType::String { text::quote(&scalar.text) } else { scalar.text.clone() };
        lines.push_str(&format!("{}: {value}\n", entry.key));
    }
    Some(Fix::from_changes(vec![Change::replace(opening, "---"), Change::replace(frontmatter.block, lines)]))
}

#[cfg(test)]
mod tests {
    use super::{Check, KeyType, Known, SkillDraft, store};
    use crate::check::draft::Fields;
    use crate::known::Audience;
    use crate::tree::yaml;
    use crate::{Options, Report, SourceMap};

    /// Stores a value as that of a key of this type, and returns the fields and the number of problems.
    fn stored(key: &'static str, shape: KeyType, value: &str) -> (Fields, usize) {
        let mut sources = SourceMap::new(".");
        let id = sources.add("SKILL.md".to_owned(), format!("{key}: {value}\n"), None);
        let file = sources.file(id);
        let (tree, _) = yaml::parse(file, 0..file.text.len(), &mut Report::default());
        let entry = tree.entry(key).expect("the text has one key");
        let mut draft = SkillDraft::default();
        let mut report = Report::default();
        let known = Known { key, shape, meaning: "", standard: true };
        let check = &mut Check { sources: &sources, options: &Options::default(), report: &mut report };
        store(&mut draft, &known, entry, check);
        (draft.fields, report.diagnostics.len())
    }

    // A new key must not overwrite the value of another one.
    #[test]
    fn a_key_without_a_field_is_checked_and_changes_no_field() {
        let unchanged = format!("{:?}", Fields::default());
        for (shape, right, wrong) in [
            (KeyType::Text, "a", "[[a]]"),
            (KeyType::List, "[a, b]", "{a: b}"),
            (KeyType::Map, "{a: b}", "a"),
            (KeyType::Timeout, "5m", "soon"),
            (KeyType::Tools, "[A, B]", "{a: b}"),
        ] {
            for (value, problems) in [(right, 0), (wrong, 1)] {
                let (fields, found) = stored("audience", shape, value);
                assert_eq!((format!("{fields:?}"), found), (unchanged.clone(), problems), "{shape:?}");
            }
        }
    }

    #[test]
    fn a_list_and_a_flag_have_the_effect_that_their_tables_name() {
        let (fields, _) = stored("paths", KeyType::List, "[a, b]");
        assert_eq!((fields.declared.paths, fields.tags.len()), (vec!["a".to_owned(), "b".to_owned()], 0));
        for (from, hidden) in [(Audience::Models, (true, false)), (Audience::Users, (false, true))] {
            let (fields, _) = stored("audience", KeyType::Flag { hides_if: true, from }, "true");
            assert_eq!((fields.hidden_from_model, fields.hidden_from_users), hidden);
        }
    }
}
