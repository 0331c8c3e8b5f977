//! Computes the type of a filter's result, and reports input that the filter never accepts.

use skills_template::{Expr, Filter, Node as Template, Nodes, Takes};
use skills_text::Decimal;

use super::Inference;
use super::path::{follow, keys};
use crate::check::template::types::{Kinds, Type};
use crate::rule::templates as rules;

/// Returns the type of a filter's result for a type of input.
pub(crate) fn apply<'s>(
    inference: &mut Inference<'_, 's>,
    node: Template<'_>,
    filter: Filter,
    given: Type<'s>,
    args: Nodes<'_>,
) -> Type<'s> {
    let accepted = Kinds::of_types(filter.accepts());
    let works = given.kinds().meets(accepted);
    if !works {
        let expected = accepted.without(Kinds::NULL).describe();
        let title = format!("`{}` requires {expected}, but this is {}", filter.name(), given.describe());
        let at = node.children().next().map_or_else(|| inference.span(node), |input| inference.span(input));
        let help = match filter {
            Filter::Map => "read a property of an object with `.name`".to_owned(),
            _ => format!("apply `{}` to {expected}", filter.name()),
        };
        let label = format!("never {expected}");
        let found = rules::TEMPLATE_FILTER_TYPE.at(at, title).help(help);
        inference.report.push(found.label(label));
    }
    let elements = given.elements();
    let (mut field, mut values) = (elements.clone(), Vec::new());
    for (arg, takes) in args.zip(filter.takes()) {
        if let Expr::Field(_) = arg.expr() {
            let keys = keys(arg, inference.place);
            let is_certain = keys.len() == 1 && keys.iter().all(|(key, _)| elements.always_has(key));
            if works {
                field = follow(elements.clone(), &keys, inference.scope.room, inference.report);
            }
            // If an element lacks the field, `map` gives null.
            if !is_certain {
                field = field.or(Type::Kinds(Kinds::NULL));
            }
            continue;
        }
        let value = inference.infer(arg);
        argument(inference, filter, *takes, arg, &value);
        values.push(value);
    }
    if !works {
        return Type::Any;
    }
    result(filter, given, field, values)
}

fn result<'s>(filter: Filter, given: Type<'s>, field: Type<'s>, values: Vec<Type<'s>>) -> Type<'s> {
    let kinds = given.kinds();
    let made = match filter {
        Filter::Default => {
            return values.into_iter().fold(given.without_null(), Type::or);
        }
        Filter::Json => return Type::Kinds(Kinds::STRING),
        Filter::Map => Type::Array(Box::new(field)),
        Filter::Sort | Filter::Uniq | Filter::Where => Type::Array(Box::new(given.elements())),
        Filter::Slice | Filter::First | Filter::Last => {
            let mut types = Vec::new();
            if kinds.meets(Kinds::STRING) {
                types.push(Type::Kinds(Kinds::STRING));
            }
            if kinds.meets(Kinds::ARRAY) {
                let elements = given.elements();
                types.push(if filter == Filter::Slice { Type::Array(Box::new(elements)) } else { elements });
            }
            Type::Union(types)
        }
        Filter::Size => Type::Kinds(Kinds::INTEGER),
        Filter::Round if values.is_empty() => Type::Kinds(Kinds::INTEGER),
        Filter::Round => Type::Kinds(Kinds::NUMBER),
        Filter::Join | Filter::Upcase | Filter::Downcase | Filter::Strip | Filter::Truncate => {
            Type::Kinds(Kinds::STRING)
        }
    };
    if kinds.meets(Kinds::NULL) { made.or(Type::Kinds(Kinds::NULL)) } else { made }
}

/// Reports an argument that a filter never accepts; null counts as not given.
fn argument(
    inference: &mut Inference<'_, '_>,
    filter: Filter,
    takes: Takes,
    arg: Template<'_>,
    value: &Type<'_>,
) {
    let (accepted, expected) = match takes {
        Takes::Integer if filter == Filter::Truncate => (Kinds::INTEGER, "a whole number, 0 or more"),
        Takes::Integer => (Kinds::INTEGER, "a whole number"),
        Takes::Text => (Kinds::STRING, "a string"),
        Takes::Field | Takes::Any => return,
    };
    let is_negative = filter == Filter::Truncate
        && matches!(arg.expr(), Expr::Number(text) if Decimal::parse(text).negative);
    if value.kinds().meets(accepted.or(Kinds::NULL)) && !is_negative {
        return;
    }
    let found = if is_negative {
        format!("{} is below 0", arg.text())
    } else {
        format!("this is {}", value.describe())
    };
    let title = format!("the argument of `{}` must be {expected}, but {found}", filter.name());
    let help = format!("write it as: {}", filter.usage());
    let found = rules::TEMPLATE_FILTER_TYPE.at(inference.span(arg), title).help(help);
    inference.report.push(found.label(format!("expected {expected}")));
}
