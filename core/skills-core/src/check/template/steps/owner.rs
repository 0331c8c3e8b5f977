//! Describes the problems of a step's input or of an `outputMapping`.

use skills_schema::Violation;

use crate::check::template::types::fit::Misfit;
use crate::rule::{Rule, pipelines as rules};
use crate::tree::text::is_identifier;
use crate::{Change, Diagnostic, Span};

/// The owner of the schema that a value is checked against. A path such as `.query.limit` names a part of the value.
#[derive(Clone, Copy)]
pub(super) enum Owner<'n> {
    /// The input of the skill with this name.
    Input(&'n str),
    /// The output of the skill that has the pipeline.
    Output,
}

impl Owner<'_> {
    /// Describes a required key that is missing.
    pub(super) fn missing(self, span: Span, path: &str, name: &str) -> Diagnostic {
        let path = path.trim_start_matches('.');
        let help = format!("add it: \"{name}\": \"{{{{…}}}}\"");
        let found = match self {
            Self::Output => rules::OUTPUT_MAPPING.report_at(span, format!("the output requires `{path}`")),
            Self::Input(skill) => {
                // Usually the input of the pipeline has a property with the same name.
                let fix = is_identifier(name).then(|| {
                    let text = format!("\"{name}\": \"{{{{input.{name}}}}}\"");
                    Change::AddMember { to: span.head(), text }.unsafe_fix()
                });
                let title = format!("`{skill}` requires the argument `{path}`");
                rules::STEP_ARGUMENT.report_at(span, title).fix(fix)
            }
        };
        found.label("missing in this object").help(help)
    }

    /// Describes a key that is not accepted, and probably misspells an accepted one.
    pub(super) fn refused(self, span: Span, path: &str, near: Option<&str>) -> Diagnostic {
        let path = path.trim_start_matches('.');
        let found = match self {
            Self::Output => rules::OUTPUT_MAPPING
                .report_at(span, format!("the output has no `{path}`"))
                .label("refused by its schema"),
            Self::Input(skill) => rules::STEP_ARGUMENT
                .report_at(span, format!("`{skill}` has no argument `{path}`"))
                .label("refused by the schema of its input"),
        };
        match near {
            Some(near) => found.near_key(near),
            None => found.help("delete it"),
        }
    }

    /// Describes a key that is accepted but not declared, and probably misspells a declared one.
    pub(super) fn misspelt(self, span: Span, path: &str, near: &str) -> Diagnostic {
        let path = path.trim_start_matches('.');
        let found = match self {
            Self::Output => rules::OUTPUT_MAPPING.report_at(span, format!("the output declares no `{path}`")),
            Self::Input(skill) => {
                rules::STEP_ARGUMENT.report_at(span, format!("`{skill}` declares no argument `{path}`"))
            }
        };
        found.label("not declared by the schema").near_key(near)
    }

    /// Describes a value that can never have the expected type.
    pub(super) fn misfit(self, span: Span, path: &str, misfit: &Misfit) -> Diagnostic {
        let (help, filter) = help(misfit);
        let end = Span::new(span.end, span.end);
        let fix = filter.map(|filter| Change::replace(end, format!(" {filter}")).unsafe_fix());
        let found = self.value_rule().report_at(span, self.misfit_title(path, misfit));
        found.label(format!("expected {}", misfit.expected)).help(help).fix(fix)
    }

    /// Describes a literal that breaks a rule of its schema.
    pub(super) fn violation(self, span: Span, path: &str, violation: &Violation) -> Diagnostic {
        let Violation { rule, expected, found, .. } = violation;
        let title = format!("{}: {rule}: expected {expected}, found {found}", self.subject(path));
        let help = format!("write {expected} here");
        self.value_rule().report_at(span, title).label("refused by the schema").help(help)
    }

    pub(super) fn misfit_title(self, path: &str, misfit: &Misfit) -> String {
        let subject = self.subject(path);
        match &misfit.given {
            Some(given) => format!("{subject} must be {}, but this is {given}", misfit.expected),
            None => format!("{subject} can never be present"),
        }
    }

    fn value_rule(self) -> &'static Rule {
        match self {
            Self::Input(_) => &rules::STEP_ARGUMENT_TYPE,
            Self::Output => &rules::OUTPUT_MAPPING,
        }
    }

    fn subject(self, path: &str) -> String {
        match (self, path.trim_start_matches('.')) {
            (Self::Input(skill), "") => format!("the input of `{skill}`"),
            (Self::Input(skill), path) => format!("the argument `{path}` of `{skill}`"),
            (Self::Output, "") => "the output".to_owned(),
            (Self::Output, path) => format!("`{path}` of the output"),
        }
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
