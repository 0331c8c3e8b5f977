//! Converts the tree of a `skill.json` to [`Typed`](super::draft::Typed), applying its meta-schema by hand.

use skills_registry::Permissions;

use super::draft::{SkillDraft, Typed};
use super::mcp::pinned_tool;
use super::pipeline::DraftSteps;
use super::templated::Templated;
use super::value::{Expected, flag, milliseconds, string, strings, version, whole, wrong, wrong_node};

use super::{permissions, restrict};
use crate::known::correction;
use crate::known::{REQUIRED_MANIFEST_KEYS, manifest_keys};
use crate::name::{Spelling, fault, is_legal};
use crate::rule::manifest as rules;
use crate::tree::{MapEntry, Node, text};
use crate::{Change, Mode, Report, Spanned};

pub(super) fn read(draft: &mut SkillDraft, report: &mut Report) {
    let Some(root) = draft.manifest() else { return };
    let Some(entries) = root.as_map() else {
        rules::MANIFEST_TYPE
            .report_at(root.span, format!("`skill.json` must be an object, found {}", root.describe()))
            .label("expected `{`")
            .help("write it as: { \"name\": …, \"description\": …, … }")
            .add_to(report);
        draft.typed = Some(Typed::default());
        return;
    };
    let mut typed = Typed::default();
    let there: Vec<&str> = manifest_keys().filter(|key| root.get(key).is_some()).collect();
    let mut misspelt: Vec<&str> = Vec::new();
    let mut is_confined = false;
    let mut is_internal = false;
    for entry in entries {
        let key = entry.key.as_str();
        if manifest_keys().any(|known| known == key) {
            is_internal |= key == "tags" && restrict::has_internal_tag(&entry.value);
            let has_prompt = draft.skill.prompt.is_some() || draft.skill.document.is_some();
            match key {
                "mode" => typed.mode = mode(&entry.value, has_prompt, report),
                _ => read_key(&mut typed, key, entry, report),
            }
            continue;
        }
        // A misspelled `permissions` key grants nothing, whatever its value is.
        if correction(key, &["permissions"]).is_some() {
            permissions::report_misspelling(entry, "permissions", "so the program may do nothing", report);
            is_confined = true;
            continue;
        }
        let near = skills_text::nearest(key, manifest_keys()).or_else(|| elsewhere(key));
        is_internal |= near == Some("tags") && restrict::has_internal_tag(&entry.value);
        let free = near.filter(|near| !there.contains(near));
        unknown(entry, key, near, free.is_some(), report);
        // Read as the intended key, so that the misspelling causes no further findings.
        if let Some(near) = free {
            read_key(&mut typed, near, entry, report);
        }
        if let Some(near) = near.filter(|near| !misspelt.contains(near)) {
            misspelt.push(near);
        }
    }
    if is_confined {
        typed.permissions = Some(Spanned { value: Permissions::default(), span: root.span.head() });
    }
    for (key, example) in REQUIRED_MANIFEST_KEYS {
        // A misspelled key counts as present; it was reported.
        if !there.contains(&key) && !misspelt.contains(&key) {
            let probable = probable_value(draft, key);
            rules::MANIFEST_MISSING_KEY
                .report_at(root.span.head(), format!("`skill.json` has no `{key}`"))
                .label("in this object")
                .help(format!("add it: \"{key}\": {example}"))
                .fix(probable.map(|value| placed(root, entries, key, &value).unsafe_fix()))
                .add_to(report);
        }
    }
    draft.typed = Some(typed);
    draft.fields.internal |= is_internal;
}

/// Returns a change that adds a member after the one that usually precedes it.
fn placed(root: &Node, entries: &[MapEntry], key: &str, value: &str) -> Change {
    const ORDER: [&str; 6] = ["name", "description", "category", "mode", "input", "output"];
    let text = format!("\"{key}\": {value}");
    let at = ORDER.iter().position(|known| *known == key).unwrap_or(ORDER.len());
    let before = ORDER[..at].iter().rev().find_map(|before| root.entry(before));
    match before.or(entries.first()) {
        Some(other) => {
            let beside = other.key_span.to(other.value.span);
            Change::InsertMember { beside, is_before: before.is_none(), text }
        }
        None => Change::AddMember { to: root.span, text },
    }
}

fn probable_value(draft: &SkillDraft, key: &str) -> Option<String> {
    let dir = &draft.skill.dir;
    Some(match key {
        "name" => text::quote(
            &super::name::fixed_name(&dir.name, '_').filter(|name| is_legal(name, Spelling::Function))?,
        ),
        "description" => text::quote(draft.fields.description.as_ref()?.value.trim()),
        "category" => "\"general\"".to_owned(),
        "input" | "output" => "{ \"type\": \"object\", \"properties\": {} }".to_owned(),
        "mode" if draft.manifest()?.get("pipeline").is_some() => "\"composite\"".to_owned(),
        "mode" if draft.manifest()?.get("mcp").is_some() => "\"mcp\"".to_owned(),
        "mode" if dir.file("prompt.md").is_some() => "\"llm\"".to_owned(),
        "mode" => "\"code\"".to_owned(),
        _ => return None,
    })
}

fn read_key(typed: &mut Typed, key: &str, entry: &MapEntry, report: &mut Report) {
    let node = &entry.value;
    match key {
        "name" => typed.name = name(node, report),
        "description" => typed.description = filled(entry, report),
        "category" => typed.category = string(entry, report),
        "version" => typed.version = version(entry, report),
        "author" | "$schema" => drop(string(entry, report)),
        "mode" => typed.mode = mode(node, false, report),
        "input" => typed.input = Some(node.span),
        "output" => typed.output = Some(node.span),
        "calls" => typed.calls = strings(entry, report),
        "tags" => typed.tags = strings(entry, report),
        "timeout" => {
            let span = node.span;
            typed.timeout = milliseconds(entry, 1, report).map(|value| Spanned { value, span });
        }
        "retry" => {
            typed.retry = whole(entry, report).map_or(0, |value| u32::try_from(value).unwrap_or(u32::MAX));
        }
        "pure" => {
            let span = entry.key_span.to(node.span);
            typed.pure = flag(entry, report).map(|value| Spanned { value, span });
        }
        "permissions" => {
            let value = permissions::read(node, permissions::MANIFEST_FORM, report);
            typed.permissions = Some(Spanned { value, span: node.span });
        }
        "pipeline" => typed.steps = Some(DraftSteps::read(node, report)),
        "mcp" => typed.mcp = pinned_tool(entry, report),
        "outputMapping" => {
            typed.output_mapping = Some(Templated::read(node));
            if node.as_map().is_none() {
                wrong(entry, Expected::Object, report);
            }
        }
        _ => {}
    }
}

/// Returns the key that has the meaning of a key of other formats.
fn elsewhere(key: &str) -> Option<&'static str> {
    match key {
        "retries" => Some("retry"),
        "parameters" | "inputSchema" | "input_schema" => Some("input"),
        "outputSchema" | "output_schema" => Some("output"),
        "steps" => Some("pipeline"),
        _ => None,
    }
}

fn unknown(entry: &MapEntry, key: &str, near: Option<&str>, is_free: bool, report: &mut Report) {
    let mut fix = None;
    let help = match (key, near) {
        ("prompt", _) => "move the prompt to the file `prompt.md` beside `skill.json`".to_owned(),
        ("exec" | "requires" | "trigger" | "schema", _) => {
            format!("move `{key}` to the frontmatter of `SKILL.md`")
        }
        (_, Some(near)) => {
            // It was already read as that key if the skill does not have that key.
            let change = Change::string(entry.key_span, near);
            fix = is_free.then(|| change.safe_fix());
            format!("change it to `{near}`")
        }
        _ => {
            "delete it: `skill.json` has no custom keys; in a frontmatter they go below `metadata`".to_owned()
        }
    };
    rules::MANIFEST_UNKNOWN_KEY
        .report_at(entry.key_span, format!("unknown key `{key}` in `skill.json`"))
        .label("no such key")
        .help(help)
        .fix(fix)
        .add_to(report);
}

/// Reads a name: `^[a-z][a-z0-9_]*$`, at most 64 characters.
fn name(node: &Node, report: &mut Report) -> Option<Spanned<String>> {
    let Some(text) = node.as_string() else {
        wrong_node(node, "name", Expected::Text, report);
        return None;
    };
    let fixed = super::name::fixed_name(text, '_').filter(|fixed| is_legal(fixed, Spelling::Function));
    let fix = fixed.as_ref().map(|fixed| Change::string(node.span, fixed).unsafe_fix());
    let help = match fixed {
        Some(fixed) => format!("write it as: \"name\": \"{fixed}\""),
        None => "write it in snake_case: a lowercase letter first, then lowercase letters, digits and `_`, at most 64 characters".to_owned(),
    };
    if let Some(title) = fault(text, Spelling::Function) {
        rules::MANIFEST_NAME
            .report_at(node.span, title)
            .label(format!("expected {}", Spelling::Function.form()))
            .help(help)
            .fix(fix)
            .add_to(report);
    }
    Some(Spanned { value: text.to_owned(), span: node.span })
}

fn mode(node: &Node, has_prompt: bool, report: &mut Report) -> Option<Spanned<Mode>> {
    let found: Option<Mode> = node.as_string().and_then(|text| text.parse().ok());
    if found.is_none() {
        let near = node.as_string().and_then(|text| {
            other_mode(text, has_prompt).or_else(|| skills_text::nearest(text, Mode::ALL.map(Mode::as_str)))
        });
        let title = match node.as_string() {
            Some(text) => format!("unknown mode `{text}`"),
            None => format!("`mode` must be a string, found {}", node.describe()),
        };
        let found = rules::MODE_UNKNOWN
            .report_at(node.span, title)
            .label("expected `code`, `llm`, `composite` or `mcp`");
        report.push(match near {
            Some(near) => found.near_string(near),
            None => found.help("write \"code\", \"llm\", \"composite\" or \"mcp\""),
        });
    }
    found.map(|value| Spanned { value, span: node.span })
}

/// Returns the mode for which other systems use this name.
fn other_mode(text: &str, has_prompt: bool) -> Option<&'static str> {
    Some(match text.to_ascii_lowercase().as_str() {
        "prompt" | "model" | "ai" | "agent" if has_prompt => "llm",
        "pipeline" | "workflow" | "chain" => "composite",
        "tool" | "remote" => "mcp",
        "script" | "program" | "native" | "function" => "code",
        _ => return None,
    })
}

fn filled(entry: &MapEntry, report: &mut Report) -> Option<Spanned<String>> {
    let text = string(entry, report)?;
    if text.value.trim().is_empty() {
        rules::MANIFEST_EMPTY
            .report_at(text.span, format!("`{}` is empty", entry.key))
            .label("expected at least one character")
            .help("say what the skill does and when to use it")
            .add_to(report);
    }
    Some(text)
}
