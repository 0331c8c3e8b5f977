//! Converts problems of a step's input or of an `outputMapping` to diagnostics.

use skills_schema::Violation;

use super::written::{Finding, WrittenFault};
use crate::check::template::types::fit::Misfit;
use crate::rule::pipelines as rules;
use crate::tree::text::is_identifier;
use crate::{Change, Diagnostic, Span};

/// The owner of the schema that a value is checked against.
#[derive(Clone, Copy)]
pub(super) enum Owner<'n> {
    /// The input of the skill with this name.
    Input(&'n str),
    /// The output of the skill that has the pipeline.
    Output,
}

pub(super) fn diagnostic(finding: &Finding, owner: Owner<'_>) -> Diagnostic {
    let (span, path) = (finding.span, finding.at.trim_start_matches('.'));
    let (key_rule, value_rule) = match owner {
        Owner::Input(_) => (&rules::STEP_ARGUMENT, &rules::STEP_ARGUMENT_TYPE),
        Owner::Output => (&rules::OUTPUT_MAPPING, &rules::OUTPUT_MAPPING),
    };
    match &finding.fault {
        WrittenFault::Missing(name) => {
            let (title, is_argument) = match owner {
                Owner::Input(skill) => (format!("`{skill}` requires the argument `{path}`"), true),
                Owner::Output => (format!("the output requires `{path}`"), false),
            };
            // Usually the input of the pipeline has a property with the same name.
            let fix = (is_argument && is_identifier(name)).then(|| {
                let text = format!("\"{name}\": \"{{{{input.{name}}}}}\"");
                Change::AddMember { to: span.head(), text }.looked_at()
            });
            let help = format!("add it: \"{name}\": \"{{{{…}}}}\"");
            key_rule.at(span, title).label("missing in this object").help(help).fix(fix)
        }
        WrittenFault::Refused(near) => {
            let (title, label) = match owner {
                Owner::Input(skill) => {
                    (format!("`{skill}` has no argument `{path}`"), "refused by the schema of its input")
                }
                Owner::Output => (format!("the output has no `{path}`"), "refused by its schema"),
            };
            let found = key_rule.at(span, title).label(label);
            match near {
                Some(near) => found.near_key(near),
                None => found.help("delete it"),
            }
        }
        WrittenFault::Misspelt(near) => {
            let title = match owner {
                Owner::Input(skill) => format!("`{skill}` declares no argument `{path}`"),
                Owner::Output => format!("the output declares no `{path}`"),
            };
            key_rule.at(span, title).label("not declared by the schema").near_key(near)
        }
        WrittenFault::Misfit(found) => {
            let (help, filter) = help(found);
            let end = Span::new(span.end, span.end);
            let fix = filter.map(|filter| Change::replace(end, format!(" {filter}")).looked_at());
            let found =
                value_rule.at(span, misfit(found, path, owner)).label(format!("expected {}", found.expected));
            found.help(help).fix(fix)
        }
        WrittenFault::Violation(Violation { rule, expected, found, .. }) => {
            let title = format!("{}: {rule}: expected {expected}, found {found}", subject(path, owner));
            let help = format!("write {expected} here");
            value_rule.at(span, title).label("refused by the schema").help(help)
        }
    }
}

/// Returns the title for a value that can never match its schema.
pub(super) fn misfit(found: &Misfit, path: &str, owner: Owner<'_>) -> String {
    let Some(given) = &found.given else { return format!("{} can never be present", subject(path, owner)) };
    format!("{} must be {}, but this is {given}", subject(path, owner), found.expected)
}

fn subject(path: &str, owner: Owner<'_>) -> String {
    match (owner, path) {
        (Owner::Input(skill), "") => format!("the input of `{skill}`"),
        (Owner::Input(skill), path) => format!("the argument `{path}` of `{skill}`"),
        (Owner::Output, "") => "the output".to_owned(),
        (Owner::Output, path) => format!("`{path}` of the output"),
    }
}

/// Returns a help, and a filter that produces the expected type if there is one.
fn help(found: &Misfit) -> (String, Option<&'static str>) {
    let given = found.given.as_deref().unwrap_or_default();
    let (action, filter) = match (found.expected.as_str(), given) {
        ("a string", "an array") => ("join the elements", "| join: ', '"),
        ("a string", "an object" | "a number" | "an integer" | "a boolean") => ("write it as text", "| json"),
        ("an integer", "a number") => ("round it", "| round"),
        ("a number" | "an integer", "an array") => ("count the elements", "| size"),
        (expected, "an array") => {
            let help = format!("to use one element, which may be {expected}, add `| first`");
            return (help, Some("| first"));
        }
        (expected, _) => return (format!("provide {expected}"), None),
    };
    (format!("{action}: add `{filter}`"), Some(filter))
}
