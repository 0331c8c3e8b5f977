//! Paths of a template against the schemas of what they read (SPEC 5.5).

use skills_template::{Expr, Node as Template};

use crate::diagnostic::{Diagnostic, Report};
use crate::rule::templates as rules;
use crate::span::Span;
use crate::tree::{Node, Value};

/// What a template can read.
pub(super) struct Scope<'s> {
    /// The first words that paths may have.
    pub(super) roots: &'s [&'s str],
    /// The schema of the input.
    pub(super) input: Option<&'s Node>,
    /// The steps before this one, with the schema of what each gives; none for one that is not known.
    pub(super) steps: &'s [(String, Option<&'s Node>)],
}

impl Scope<'_> {
    /// Reports a path that nothing can be at.
    pub(super) fn judge(
        &self,
        path: Template<'_>,
        place: &dyn Fn(usize, usize) -> Span,
        report: &mut Report,
    ) {
        let keys: Vec<(&str, Span)> = path.children().filter_map(|key| named(key, place)).collect();
        let Some(((root, at), rest)) = keys.split_first() else { return };
        match *root {
            "input" => self.follow(self.input, rest, report),
            "steps" if self.roots.contains(&"steps") => self.step(rest, report),
            root if self.roots.contains(&root) => {}
            root => {
                let help = match skills_registry::nearest(root, self.roots.iter().copied()) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!("a path begins with {}", quoted(self.roots.iter().copied())),
                };
                report.push(
                    Diagnostic::new(
                        &rules::TEMPLATE_PATH,
                        *at,
                        format!("`{root}` is nothing a template can read"),
                        help,
                    )
                    .label("not known here"),
                );
            }
        }
    }

    fn step(&self, keys: &[(&str, Span)], report: &mut Report) {
        let Some(((name, at), rest)) = keys.split_first() else { return };
        if let Some((_, output)) = self.steps.iter().find(|(step, _)| step == name) {
            return self.follow(*output, rest, report);
        }
        let known = self.steps.iter().map(|(step, _)| step.as_str());
        let help = match skills_registry::nearest(name, known.clone()) {
            Some(near) => format!("did you mean `{near}`?"),
            None if self.steps.is_empty() => "no step runs before this one: read `input` instead".to_owned(),
            None => format!("the steps before this one are {}", quoted(known)),
        };
        report.push(
            Diagnostic::new(
                &rules::TEMPLATE_PATH,
                *at,
                format!("no step `{name}` runs before this one"),
                help,
            )
            .label("not known here"),
        );
    }

    /// Follows keys through a schema as far as it says what there is.
    fn follow(&self, schema: Option<&Node>, keys: &[(&str, Span)], report: &mut Report) {
        let mut schema = schema;
        for (key, at) in keys {
            let Some(node) = schema else { return };
            schema = match inside(node, key) {
                Inside::Schema(inner) => Some(inner),
                Inside::Anything => return,
                Inside::Nothing(known) => {
                    let help = match skills_registry::nearest(key, known.iter().copied()) {
                        Some(near) => format!("did you mean `{near}`?"),
                        None => format!("the schema has {}", quoted(known.iter().copied())),
                    };
                    report.push(
                        Diagnostic::new(
                            &rules::TEMPLATE_PATH,
                            *at,
                            format!("the schema has no property `{key}`"),
                            help,
                        )
                        .label("no such property"),
                    );
                    return;
                }
            };
        }
    }
}

fn named<'t>(key: Template<'t>, place: &dyn Fn(usize, usize) -> Span) -> Option<(&'t str, Span)> {
    let span = key.span()?;
    match key.expr() {
        Expr::Key(name) => Some((name, place(span.start as usize, span.end as usize))),
        _ => None,
    }
}

/// What a schema says of a key.
enum Inside<'s> {
    Schema(&'s Node),
    Anything,
    /// Nothing can be there; the properties that can.
    Nothing(Vec<&'s str>),
}

fn inside<'s>(schema: &'s Node, key: &str) -> Inside<'s> {
    const OPEN: [&str; 10] = [
        "$ref",
        "allOf",
        "anyOf",
        "oneOf",
        "if",
        "additionalProperties",
        "patternProperties",
        "$dynamicRef",
        "$recursiveRef",
        "unevaluatedProperties",
    ];
    let Value::Map(entries) = &schema.value else { return Inside::Anything };
    if let Some(items) = schema.get("items").filter(|_| key.bytes().all(|byte| byte.is_ascii_digit())) {
        return if items.as_map().is_some() { Inside::Schema(items) } else { Inside::Anything };
    }
    let Some(properties) = schema.get("properties").and_then(Node::as_map) else { return Inside::Anything };
    if let Some(entry) = properties.iter().find(|entry| entry.key == key) {
        return Inside::Schema(&entry.value);
    }
    // A written `additionalProperties: false` closes the object as the declared properties do.
    let is_false = |node: &Node| node.as_scalar().is_some_and(|scalar| scalar.text == "false");
    let is_open = |entry: &&crate::tree::Entry| {
        OPEN.contains(&entry.key.as_str()) && !(entry.key == "additionalProperties" && is_false(&entry.value))
    };
    if properties.is_empty() || entries.iter().any(|entry| is_open(&entry)) {
        return Inside::Anything;
    }
    Inside::Nothing(properties.iter().map(|entry| entry.key.as_str()).collect())
}

fn quoted<'t>(names: impl Iterator<Item = &'t str>) -> String {
    names.map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}
