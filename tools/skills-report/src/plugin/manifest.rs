//! Checks `plugin.json`, which decides whether a client accepts the plugin (Agent Plugins 1.0, section 5).

use skills_core::diagnostic::Diagnostic;
use skills_core::report::Report;
use skills_core::rule::plugins as rules;
use skills_core::span::Span;
use skills_core::tree::{MapEntry, Node, ScalarType};
use skills_registry::plugin_name_fault;

use super::place::{self, PluginPath};
use super::{SCHEMA, Work, wrong};

const FILE: &str = "plugin.json";

/// The defined fields (5.2).
const FIELDS: [&str; 10] = [
    "$schema",
    "name",
    "version",
    "description",
    "author",
    "homepage",
    "repository",
    "license",
    "keywords",
    "extensions",
];

/// The result of reading the manifest.
#[derive(Default)]
pub(super) struct PluginManifest {
    pub(super) accepted: bool,
    pub(super) name: Option<String>,
}

/// Reads the manifest and reports its problems.
pub(super) fn read(work: &mut Work<'_>) -> PluginManifest {
    let text = match place::read(work.root, FILE) {
        Some(text) => text,
        None => {
            let span = work.path(FILE);
            let claude =
                matches!(place::find(work.root, ".claude-plugin/plugin.json"), PluginPath::Inside(..));
            let help = if claude {
                "create one with `skills plugin new`, or check only the manifest for Claude with `--agent claude`"
            } else {
                "create one with `skills plugin new NAME`"
            };
            rules::PLUGIN_MANIFEST
                .report_at(span, "the plugin has no `plugin.json`")
                .label("expected in the root of the plugin")
                .help(help)
                .add_to(&mut work.report);
            return PluginManifest::default();
        }
    };
    let text = match text {
        Ok(text) => text,
        Err(reason) => {
            let span = work.path(FILE);
            let title = format!("`plugin.json` cannot be read: {reason}");
            rejected(span, title, "create a JSON file at this path").add_to(&mut work.report);
            return PluginManifest::default();
        }
    };
    let (head, node) = work.json(FILE, text);
    let Some(node) = node else { return PluginManifest::default() };
    check(&node, head, &mut work.report)
}

fn rejected(span: Span, title: String, help: &str) -> Diagnostic {
    rules::PLUGIN_MANIFEST.report_at(span, title).label("a client rejects the plugin").help(help)
}

fn check(node: &Node, head: Span, report: &mut Report) -> PluginManifest {
    let Some(entries) = node.as_map() else {
        rules::PLUGIN_MANIFEST
            .report_at(node.span, format!("`plugin.json` must be an object, found {}", node.describe_json()))
            .label("expected an object")
            .help("write a JSON object: `{ \"$schema\": …, \"name\": … }`")
            .add_to(report);
        return PluginManifest::default();
    };
    let before = report.diagnostics.len();
    let mut warnings = 0;
    for entry in entries {
        warnings += usize::from(field(entry, report));
    }
    for required in ["$schema", "name"] {
        if node.entry(required).is_none() {
            let form = if required == "name" { "a name such as `my-plugin`" } else { SCHEMA };
            let help = format!("add the field `{required}`: {form}");
            rejected(head, format!("`{required}` is missing"), &help).add_to(report);
        }
    }
    let name = node.get("name").and_then(Node::as_string).map(str::to_owned);
    PluginManifest { accepted: report.diagnostics.len() == before + warnings, name }
}

/// Checks one field; returns `true` if it was reported and is ignored.
fn field(entry: &MapEntry, report: &mut Report) -> bool {
    let value = &entry.value;
    match entry.key.as_str() {
        "$schema" => schema(value, report),
        "name" => name(value, report),
        "version" | "description" | "homepage" | "repository" | "license" => text(value, &entry.key, report),
        "author" => author(value, report),
        "keywords" => match value.as_list() {
            Some(items) => items.iter().for_each(|item| text(item, "keywords", report)),
            None => wrong(value, "keywords", "a list of strings").add_to(report),
        },
        "extensions" => return extensions(value, report),
        other => {
            let near = skills_text::nearest(other, FIELDS);
            let help = match near {
                Some(near) => format!("change it to `{near}`"),
                None => "move it below `extensions`, under the name of its client".to_owned(),
            };
            rules::PLUGIN_FIELD_UNKNOWN
                .report_at(entry.key_span, format!("unknown field `{other}`"))
                .label("clients ignore it")
                .help(help)
                .add_to(report);
            return true;
        }
    }
    false
}

fn schema(value: &Node, report: &mut Report) {
    let Some(found) = value.as_string() else { return wrong(value, "$schema", "a string").add_to(report) };
    if found == SCHEMA {
        return;
    }
    let (rule, title) = match version(found, "plugin") {
        Some(version) => {
            (&rules::PLUGIN_VERSION, format!("version {version} of Agent Plugins is not supported"))
        }
        None => {
            let title = "`$schema` does not identify a version of Agent Plugins";
            (&rules::PLUGIN_MANIFEST, title.to_owned())
        }
    };
    Diagnostic { rule, ..rejected(value.span, title, &format!("write `{SCHEMA}`")) }.add_to(report);
}

/// Reads the version from the identifier of a schema.
pub(super) fn version<'a>(identifier: &'a str, kind: &str) -> Option<&'a str> {
    let rest = identifier.strip_prefix("https://agent-plugins.org/schemas/")?;
    let version = rest.strip_suffix(".schema.json")?.strip_suffix(kind)?.strip_suffix('/')?;
    let is_version = !version.is_empty() && version.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    is_version.then_some(version)
}

/// Checks the name (5.5).
fn name(value: &Node, report: &mut Report) {
    let Some(name) = value.as_string() else { return wrong(value, "name", "a string").add_to(report) };
    if let Some(fault) = plugin_name_fault(name) {
        let help =
            "write 1 to 64 characters of `a-z`, `0-9`, `-` and `.`, such as `my-plugin` or `acme.tools`";
        rejected(value.span, format!("the name {fault}"), help).add_to(report);
    }
}

fn text(value: &Node, field: &str, report: &mut Report) {
    if value.as_scalar().is_none_or(|scalar| scalar.kind != ScalarType::String) {
        wrong(value, field, "a string").add_to(report);
    }
}

/// Checks the author (5.4): an object with at most these three fields.
fn author(value: &Node, report: &mut Report) {
    let Some(entries) = value.as_map() else {
        return wrong(value, "author", "an object with `name`, `email` and `url`").add_to(report);
    };
    for entry in entries {
        if !["name", "email", "url"].contains(&entry.key.as_str()) {
            let help = "delete this field: an author has only `name`, `email` and `url`";
            rejected(entry.key_span, format!("`author` has no field `{}`", entry.key), help).add_to(report);
        } else {
            text(&entry.value, &format!("author.{}", entry.key), report);
        }
    }
}

/// Checks the extensions (8.1); returns `true` if they were reported and are ignored.
fn extensions(value: &Node, report: &mut Report) -> bool {
    let Some(entries) = value.as_map() else {
        rules::PLUGIN_EXTENSIONS
            .report_at(value.span, format!("`extensions` must be an object, found {}", value.describe_json()))
            .label("clients ignore it")
            .help("write `\"extensions\": { \"com.example.client\": { … } }`")
            .add_to(report);
        return true;
    };
    for entry in entries {
        if entry.value.as_map().is_none() {
            wrong(&entry.value, &format!("extensions.{}", entry.key), "an object").add_to(report);
        }
    }
    false
}
