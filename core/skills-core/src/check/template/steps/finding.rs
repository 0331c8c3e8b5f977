//! Converts problems of a step's input or of an `outputMapping` to diagnostics.

use super::written::{Finding, WrittenFault};
use crate::check::template::types::fit::Misfit;
use crate::diagnostic::Diagnostic;
use crate::edit::Change;
use crate::rule::pipelines as rules;
use crate::span::Span;

/// The owner of the schema that a value is checked against.
#[derive(Clone, Copy)]
pub(super) enum Owner<'n> {
    /// The input of the skill with this name.
    Input(&'n str),
    /// The output of the skill that has the pipeline.
    Output,
}

/// Converts a finding to a diagnostic.
pub(super) fn diagnostic(finding: &Finding, owner: Owner<'_>) -> Diagnostic {
    let path = finding.at.trim_start_matches('.');
    match (&finding.fault, owner) {
        (WrittenFault::Missing(name), Owner::Input(skill)) => rules::STEP_ARGUMENT
            .at(finding.span, format!("`{skill}` requires the argument `{path}`"))
            .label("missing in this object")
            .help(format!("add it: \"{name}\": \"{{{{…}}}}\""))
            // Usually the input of the pipeline has a property with the same name.
            .fix(is_word(name).then(|| {
                let text = format!("\"{name}\": \"{{{{input.{name}}}}}\"");
                Change::AddMember { to: finding.span.head(), text }.looked_at()
            })),
        (WrittenFault::Missing(name), Owner::Output) => rules::OUTPUT_MAPPING
            .at(finding.span, format!("the output requires `{path}`"))
            .label("missing in this object")
            .help(format!("add it: \"{name}\": \"{{{{…}}}}\"")),
        (WrittenFault::Refused(near), owner) => {
            let (rule, title, label) = match owner {
                Owner::Input(skill) => (
                    &rules::STEP_ARGUMENT,
                    format!("`{skill}` has no argument `{path}`"),
                    "refused by the schema of its input",
                ),
                Owner::Output => {
                    (&rules::OUTPUT_MAPPING, format!("the output has no `{path}`"), "refused by its schema")
                }
            };
            let found = rule.at(finding.span, title).label(label);
            match near {
                Some(near) => found.near_key(near),
                None => found.help("delete it"),
            }
        }
        (WrittenFault::Misspelt(near), owner) => {
            let (rule, title) = match owner {
                Owner::Input(skill) => {
                    (&rules::STEP_ARGUMENT, format!("`{skill}` declares no argument `{path}`"))
                }
                Owner::Output => (&rules::OUTPUT_MAPPING, format!("the output declares no `{path}`")),
            };
            rule.at(finding.span, title).label("not declared by the schema").near_key(near)
        }
        (WrittenFault::Misfit(found), owner) => {
            let title = misfit(found, path, owner);
            let label = format!("expected {}", found.expected);
            let help = help(found);
            let fix = help.split_once("add `").and_then(|(_, rest)| rest.strip_suffix('`')).map(|filter| {
                let end = Span::new(finding.span.end, finding.span.end);
                Change::replace(end, format!(" {filter}")).looked_at()
            });
            rule(owner).at(finding.span, title).label(label).help(help).fix(fix)
        }
        (WrittenFault::Violation(violation), owner) => {
            let title = format!(
                "{}: {}: expected {}, found {}",
                subject(path, owner),
                violation.rule,
                violation.expected,
                violation.found
            );
            let help = format!("write {} here", violation.expected);
            rule(owner).at(finding.span, title).label("refused by the schema").help(help)
        }
    }
}

/// Returns `true` if a path can name a property without quotes.
fn is_word(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// Returns the title for a value that can never match its schema.
pub(super) fn misfit(found: &Misfit, path: &str, owner: Owner<'_>) -> String {
    let Some(given) = &found.given else { return format!("{} can never be present", subject(path, owner)) };
    format!("{} must be {}, but this is {given}", subject(path, owner), found.expected)
}

fn rule(owner: Owner<'_>) -> &'static crate::rule::Rule {
    match owner {
        Owner::Input(_) => &rules::STEP_ARGUMENT_TYPE,
        Owner::Output => &rules::OUTPUT_MAPPING,
    }
}

fn subject(path: &str, owner: Owner<'_>) -> String {
    match (owner, path) {
        (Owner::Input(skill), "") => format!("the input of `{skill}`"),
        (Owner::Input(skill), path) => format!("the argument `{path}` of `{skill}`"),
        (Owner::Output, "") => "the output".to_owned(),
        (Owner::Output, path) => format!("`{path}` of the output"),
    }
}

/// Returns a help: a filter if one produces the expected type.
pub(super) fn help(found: &Misfit) -> String {
    let given = found.given.as_deref().unwrap_or_default();
    match (found.expected.as_str(), given) {
        ("a string", "an array") => "join the elements: add `| join: ', '`".to_owned(),
        ("a string", "an object" | "a number" | "an integer" | "a boolean") => {
            "write it as text: add `| json`".to_owned()
        }
        ("an integer", "a number") => "round it: add `| round`".to_owned(),
        ("a number" | "an integer", "an array") => "count the elements: add `| size`".to_owned(),
        (expected, "an array") => format!("to use one element, which may be {expected}, add `| first`"),
        (expected, _) => format!("provide {expected}"),
    }
}
