//! The tree of a `skill.json` becomes [`Typed`](super::draft::Typed): its meta-schema, by hand (SPEC 3.1).

use skills_registry::Decimal;

use super::draft::{Draft, Spanned, Typed};
use super::name::is_function_name;
use super::permissions;
use super::pipeline::Steps;
use super::templated::Templated;
use crate::catalog::Mode;
use crate::diagnostic::Report;
use crate::edit::Change;
use crate::rule::manifest as rules;
use crate::tree::{Kind, MapEntry, Node, text};

const REQUIRED: [(&str, &str); 6] = [
    ("name", "\"my_skill\""),
    ("description", "\"what it does, and when to use it\""),
    ("category", "\"general\""),
    ("input", "{ \"type\": \"object\", \"properties\": {} }"),
    ("output", "{ \"type\": \"object\", \"properties\": {} }"),
    ("mode", "\"code\", \"llm\" or \"composite\""),
];
const OPTIONAL: [&str; 10] = [
    "calls",
    "pipeline",
    "outputMapping",
    "version",
    "tags",
    "author",
    "timeout",
    "retry",
    "permissions",
    "$schema",
];

/// Reads the `skill.json` of one skill.
pub(super) fn read(draft: &mut Draft, report: &mut Report) {
    let Some(root) = draft.manifest() else { return };
    let Some(entries) = root.as_map() else {
        rules::MANIFEST_TYPE
            .at(root.span, format!("`skill.json` must be an object, found {}", root.describe()))
            .label("expected `{`")
            .help("write it as: { \"name\": …, \"description\": …, … }")
            .add_to(report);
        draft.typed = Some(Typed::default());
        return;
    };
    let mut typed = Typed::default();
    for entry in entries {
        let key = entry.key.as_str();
        if is_known(key) {
            read_key(&mut typed, key, entry, report);
            continue;
        }
        let is_free = meant(key).is_some_and(|near| root.get(near).is_none());
        unknown(entry, key, is_free, report);
        // Read as what it is meant to be, so that nothing is said of what follows from the misspelling.
        if let Some(near) = meant(key).filter(|near| root.get(near).is_none()) {
            read_key(&mut typed, near, entry, report);
        }
    }
    for (key, example) in REQUIRED {
        // A key that is mistyped is there, and was reported.
        if root.get(key).is_none() && !entries.iter().any(|entry| meant(&entry.key) == Some(key)) {
            rules::MANIFEST_MISSING_KEY
                .at(root.span.head(), format!("`skill.json` has no `{key}`"))
                .label("in this object")
                .help(format!("add it: \"{key}\": {example}"))
                .fix(
                    default(draft, key)
                        .and_then(|value| draft.added_member(key, &value))
                        .map(Change::looked_at),
                )
                .add_to(report);
        }
    }
    draft.typed = Some(typed);
}

/// What a key that is missing probably says.
fn default(draft: &Draft, key: &str) -> Option<String> {
    let dir = &draft.skill.dir;
    Some(match key {
        "name" => text::quote(&super::name::mend(&dir.name, '_').filter(|name| is_function_name(name))?),
        "description" => text::quote(draft.fields.description.as_ref()?.value.trim()),
        "category" => "\"general\"".to_owned(),
        "input" | "output" => "{ \"type\": \"object\", \"properties\": {} }".to_owned(),
        "mode" if draft.manifest()?.get("pipeline").is_some() => "\"composite\"".to_owned(),
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
        "mode" => typed.mode = mode(node, report),
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
        "permissions" => {
            let value = permissions::read(node, permissions::Form::Manifest, report);
            typed.permissions = Some(Spanned { value, span: node.span });
        }
        "pipeline" => typed.steps = Some(Steps::read(entry.key_span, node, report)),
        "outputMapping" => {
            typed.output_mapping = Some(Templated::read(node));
            if node.as_map().is_none() {
                wrong(entry, Expected::Object, report);
            }
        }
        _ => {}
    }
}

fn known() -> impl Iterator<Item = &'static str> {
    REQUIRED.iter().map(|(key, _)| *key).chain(OPTIONAL)
}

fn is_known(key: &str) -> bool {
    known().any(|known| known == key)
}

/// Returns the known key that a key is probably meant to be.
fn meant(key: &str) -> Option<&'static str> {
    skills_registry::nearest(key, known())
}

fn unknown(entry: &MapEntry, key: &str, is_free: bool, report: &mut Report) {
    let whole = entry.key_span.to(entry.value.span);
    let mut fix = None;
    let help = match (key, meant(key)) {
        ("prompt", _) => "put the prompt into the file `prompt.md` beside `skill.json`".to_owned(),
        ("exec" | "requires" | "trigger" | "schema", _) => {
            format!("`{key}` belongs into the frontmatter of `SKILL.md`")
        }
        (_, Some(near)) => {
            // It is read as that key already, where the skill does not have it.
            let change = Change::string(entry.key_span, near);
            fix = is_free.then(|| change.safe());
            format!("did you mean `{near}`?")
        }
        _ => {
            fix = Some(Change::DeleteMember(whole).looked_at());
            "delete it: `skill.json` takes no keys of its own; a frontmatter does, below `metadata`"
                .to_owned()
        }
    };
    rules::MANIFEST_UNKNOWN_KEY
        .at(entry.key_span, format!("unknown key `{key}` in `skill.json`"))
        .label("no such key")
        .help(help)
        .fix(fix)
        .add_to(report);
}

/// Reads a name: `^[a-z][a-z0-9_]*$`, at most 64 characters (SPEC 3.1).
fn name(node: &Node, report: &mut Report) -> Option<Spanned<String>> {
    let Some(text) = node.as_string() else {
        wrong_node(node, "name", Expected::Text, report);
        return None;
    };
    let mended = super::name::mend(text, '_').filter(|mended| is_function_name(mended));
    let fix = mended.as_ref().map(|mended| Change::string(node.span, mended).looked_at());
    let help = match mended {
        Some(mended) => format!("write it as: \"name\": \"{mended}\""),
        None => "write it in snake_case: a letter first, then letters, digits and `_`, at most 64".to_owned(),
    };
    if !is_function_name(text) {
        let title = match text.get(..64).is_some_and(is_function_name) {
            true => format!("the name has {} characters, at most 64 are allowed", text.len()),
            false => format!("`{text}` is no name for a skill.json skill"),
        };
        rules::MANIFEST_NAME
            .at(node.span, title)
            .label("expected `^[a-z][a-z0-9_]*$`, at most 64 characters")
            .help(help)
            .fix(fix)
            .add_to(report);
    }
    Some(Spanned { value: text.to_owned(), span: node.span })
}

fn mode(node: &Node, report: &mut Report) -> Option<Spanned<Mode>> {
    let modes = [Mode::Code, Mode::Llm, Mode::Composite];
    let found = node.as_string().and_then(|text| modes.into_iter().find(|mode| mode.as_str() == text));
    if found.is_none() {
        let near = node.as_string().and_then(|text| skills_registry::nearest(text, modes.map(Mode::as_str)));
        let title = match node.as_string() {
            Some(text) => format!("unknown mode `{text}`"),
            None => format!("`mode` must be a string, found {}", node.describe()),
        };
        let found = rules::MODE_UNKNOWN.at(node.span, title).label("expected `code`, `llm` or `composite`");
        report.push(match near {
            Some(near) => found.near_string(near),
            None => found.help("write \"code\", \"llm\" or \"composite\""),
        });
    }
    found.map(|value| Spanned { value, span: node.span })
}

fn version(entry: &MapEntry, report: &mut Report) -> Option<Spanned<String>> {
    let version = string(entry, report)?;
    if !is_semver(&version.value) {
        rules::VERSION_FORMAT
            .at(version.span, format!("`{}` is not a semantic version", version.value))
            .label("expected MAJOR.MINOR.PATCH")
            .help("write three numbers: \"1.0.0\"")
            .fix(three(&version.value).map(|text| Change::string(version.span, &text).looked_at()))
            .add_to(report);
    }
    Some(version)
}

/// Makes three numbers of a version that has fewer, or a `v` before them.
fn three(text: &str) -> Option<String> {
    let text = text.trim().trim_start_matches(['v', 'V']);
    let parts = text.split('.').count();
    let text = (parts..3).fold(text.to_owned(), |text, _| text + ".0");
    is_semver(&text).then_some(text)
}

/// Tells whether a text is a version by semver 2.0.0.
fn is_semver(text: &str) -> bool {
    let (rest, build) = text.split_once('+').map_or((text, None), |(rest, build)| (rest, Some(build)));
    let (core, pre) = rest.split_once('-').map_or((rest, None), |(core, pre)| (core, Some(pre)));
    let number = |part: &str| {
        !part.is_empty()
            && part.bytes().all(|b| b.is_ascii_digit())
            && (part == "0" || !part.starts_with('0'))
    };
    let word = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
    let tag = |part: &str| word(part) && (number(part) || !part.bytes().all(|b| b.is_ascii_digit()));
    let core: Vec<&str> = core.split('.').collect();
    core.len() == 3
        && core.into_iter().all(number)
        && pre.is_none_or(|pre| pre.split('.').all(tag))
        && build.is_none_or(|build| build.split('.').all(word))
}

fn filled(entry: &MapEntry, report: &mut Report) -> Option<Spanned<String>> {
    let text = string(entry, report)?;
    if text.value.trim().is_empty() {
        rules::MANIFEST_EMPTY
            .at(text.span, format!("`{}` is empty", entry.key))
            .label("expected at least one character")
            .help("say what the skill does and when to use it")
            .fix(
                (entry.key == "description")
                    .then(|| Change::string(text.span, "what it does, and when to use it").looked_at()),
            )
            .add_to(report);
    }
    Some(text)
}

fn string(entry: &MapEntry, report: &mut Report) -> Option<Spanned<String>> {
    let text = entry.value.as_string().map(|text| Spanned { value: text.to_owned(), span: entry.value.span });
    if text.is_none() {
        wrong(entry, Expected::Text, report);
    }
    text
}

fn strings(entry: &MapEntry, report: &mut Report) -> Vec<Spanned<String>> {
    let Some(items) = entry.value.as_list() else {
        wrong(entry, Expected::Texts, report);
        return Vec::new();
    };
    let mut texts = Vec::new();
    for item in items {
        match item.as_string() {
            Some(text) => texts.push(Spanned { value: text.to_owned(), span: item.span }),
            None => wrong_node(item, &entry.key, Expected::Texts, report),
        }
    }
    texts
}

/// Reads a count: a whole number; `3.0` is one.
pub(super) fn whole(entry: &MapEntry, report: &mut Report) -> Option<u64> {
    number(entry, "a whole number, 0 or more", "2", whole_number, report)
}

/// Reads a number of milliseconds, at least so many; a part of one is rounded up, so that no limit becomes none.
pub(super) fn milliseconds(entry: &MapEntry, least: u64, report: &mut Report) -> Option<u64> {
    let range =
        if least == 0 { "a number of milliseconds, 0 or more" } else { "a number of milliseconds above 0" };
    let read = |text: &str| {
        let given = u64::try_from(Decimal::parse(text).times(1)?).ok()?;
        Some(given).filter(|given| *given >= least)
    };
    number(entry, range, "30000", read, report)
}

fn number(
    entry: &MapEntry,
    range: &str,
    example: &str,
    read: impl Fn(&str) -> Option<u64>,
    report: &mut Report,
) -> Option<u64> {
    let scalar = entry.value.as_scalar().filter(|scalar| scalar.kind == Kind::Number);
    let Some(scalar) = scalar else {
        wrong(entry, Expected::Number, report);
        return None;
    };
    let value = read(&scalar.text);
    if value.is_none() {
        rules::MANIFEST_RANGE
            .at(entry.value.span, format!("`{}` must be {range}, found {}", entry.key, scalar.text))
            .label("out of range")
            .help(format!("write it as: \"{}\": {example}", entry.key))
            // What is out of range says nothing, so the default is what is left.
            .fix(Change::DeleteMember(entry.key_span.to(entry.value.span)).looked_at())
            .add_to(report);
    }
    value
}

/// Reads a JSON number that is whole and at least 0, however it is written.
pub(super) fn whole_number(text: &str) -> Option<u64> {
    Decimal::parse(text).whole().and_then(|value| value.try_into().ok())
}

/// What a value should have been.
#[derive(Clone, Copy)]
pub(super) enum Expected {
    Text,
    Texts,
    Number,
    Flag,
    Object,
    Steps,
}

impl Expected {
    /// Writes a scalar of another kind as this one, where that is plain.
    fn convert(self, node: &Node) -> Option<String> {
        let scalar = node.as_scalar()?;
        match self {
            Self::Text => Some(text::quote(&scalar.text)).filter(|_| scalar.kind != Kind::Null),
            Self::Texts => {
                let text = node.as_string().filter(|text| !text.trim().is_empty())?;
                let parts: Vec<String> = text.split(',').map(|part| text::quote(part.trim())).collect();
                Some(format!("[{}]", parts.join(", ")))
            }
            Self::Number => {
                let text = node.as_string()?.trim();
                whole_number(text)
                    .filter(|_| text.bytes().all(|byte| byte.is_ascii_digit()))
                    .map(|n| n.to_string())
            }
            Self::Flag => {
                let text = scalar.text.to_ascii_lowercase();
                matches!(text.as_str(), "true" | "false").then_some(text)
            }
            Self::Object | Self::Steps => None,
        }
    }

    /// Names it, and shows one.
    fn describe(self) -> (&'static str, &'static str) {
        match self {
            Self::Text => ("a string", "\"text\""),
            Self::Texts => ("an array of strings", "[\"one\", \"two\"]"),
            Self::Number => ("a number", "1"),
            Self::Flag => ("true or false", "true"),
            Self::Object => ("an object", "{}"),
            Self::Steps => ("an array of steps", "[]"),
        }
    }
}

pub(super) fn wrong(entry: &MapEntry, expected: Expected, report: &mut Report) {
    wrong_node(&entry.value, &entry.key, expected, report);
}

pub(super) fn wrong_node(node: &Node, key: &str, expected: Expected, report: &mut Report) {
    let found = node.describe_json();
    let converted = expected.convert(node).map(|text| Change::replace(node.span, text).looked_at());
    let (expected, example) = expected.describe();
    rules::MANIFEST_TYPE
        .at(node.span, format!("`{key}` must be {expected}, found {found}"))
        .label(format!("expected {expected}"))
        .help(format!("write it as: \"{key}\": {example}"))
        .fix(converted)
        .add_to(report);
}

#[cfg(test)]
mod tests {
    use super::{is_semver, whole_number};

    // SPEC 3.1
    #[test]
    fn versions_are_semver() {
        for text in ["1.0.0", "0.1.0-alpha.1+build.5", "10.20.30", "1.0.0-0a", "1.0.0+001"] {
            assert!(is_semver(text), "{text}");
        }
        for text in ["", "1", "1.0", "1.0.0.0", "v1.0.0", "1.0.0-", "01.0.0", "1.0.0-01", "1.0.x", "1.0.0+"] {
            assert!(!is_semver(text), "{text}");
        }
    }

    // SPEC 3.1
    #[test]
    fn whole_numbers_may_be_written_in_any_form() {
        for (text, value) in
            [("3", 3), ("3.0", 3), ("3e2", 300), ("1.5e1", 15), ("0", 0), ("-0", 0), ("30E-1", 3)]
        {
            assert_eq!(whole_number(text), Some(value), "{text}");
        }
        for text in ["1.5", "-1", "1e-1", "1e99", "99999999999999999999"] {
            assert_eq!(whole_number(text), None, "{text}");
        }
    }
}
