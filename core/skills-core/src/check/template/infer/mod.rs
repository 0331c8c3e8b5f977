//! Infers the type of an expression's result, and reports operations that can never work.

pub(crate) mod path;

use skills_template::{Compare, Expr, Filter, FilterArgument, Nodes, TemplateNode as Template};
use skills_text::Decimal;

use crate::check::template::types::{Kinds, Type};
use crate::rule::templates as rules;
use crate::{Diagnostic, Report, Span};
use path::{Place, TemplateScope, follow, keys};

/// One template during type inference.
pub(crate) struct Inference<'i, 's> {
    pub(crate) scope: TemplateScope<'s>,
    pub(crate) place: &'i Place<'i>,
    pub(crate) report: &'i mut Report,
}

impl<'s> Inference<'_, 's> {
    /// Returns the place of a node in the file.
    pub(crate) fn span(&self, node: Template<'_>) -> Span {
        let span = node.span().unwrap_or_default();
        (self.place)(span.start as usize, span.end as usize)
    }

    pub(crate) fn infer(&mut self, node: Template<'_>) -> Type<'s> {
        match node.expr() {
            Expr::Text(text) | Expr::String(text) => Type::Text(text.to_owned()),
            Expr::Concat(parts) => {
                self.all(parts);
                Type::Kinds(Kinds::STRING)
            }
            Expr::If { condition, then, otherwise } => {
                self.infer(condition);
                self.infer(then);
                otherwise.map(|otherwise| self.infer(otherwise));
                Type::Kinds(Kinds::STRING)
            }
            Expr::Each { list, body } => {
                let found = self.infer(list);
                if !found.kinds().meets(Kinds::ARRAY.or(Kinds::NULL)) {
                    let at = self.span(list);
                    self.report.push(not_a_list("`#each`", &found, at));
                }
                let outer = self.scope.item.replace(found.elements());
                self.infer(body);
                self.scope.item = outer;
                Type::Kinds(Kinds::STRING)
            }
            Expr::Path(_) => self.scope.read(node, self.place, self.report),
            // The parser creates these only inside paths and filters.
            Expr::Key(_) | Expr::Field(_) => Type::Any,
            Expr::Null => Type::Kinds(Kinds::NULL),
            Expr::Bool(_) => Type::Kinds(Kinds::BOOL),
            Expr::Number(text) => Type::Kinds(Kinds::of_number(text)),
            Expr::Fallback(alternatives) => {
                let last = alternatives.len().saturating_sub(1);
                let types = alternatives.enumerate().map(|(place, alternative)| {
                    let found = self.infer(alternative);
                    if place < last { found.without_null() } else { found }
                });
                types.reduce(Type::or).unwrap_or(Type::Any)
            }
            Expr::Filter { filter, input, args } => {
                let given = self.infer(input);
                self.filter(node, filter, given, args)
            }
            Expr::Or(operands) | Expr::And(operands) => {
                self.all(operands);
                Type::Kinds(Kinds::BOOL)
            }
            Expr::Not(operand) => {
                self.infer(operand);
                Type::Kinds(Kinds::BOOL)
            }
            Expr::Compare { compare, left, right } => {
                let (left, right) = (self.infer(left), self.infer(right));
                if compare.orders() {
                    self.order(node, compare, &left, &right);
                }
                Type::Kinds(Kinds::BOOL)
            }
            Expr::Array(items) => {
                self.all(items);
                Type::Kinds(Kinds::ARRAY)
            }
            Expr::Object(members) => {
                self.all(members);
                Type::Kinds(Kinds::OBJECT)
            }
        }
    }

    fn all(&mut self, nodes: Nodes<'_>) {
        for node in nodes {
            self.infer(node);
        }
    }

    /// Returns the type of a filter's result for a type of input.
    fn filter(&mut self, node: Template<'_>, filter: Filter, given: Type<'s>, args: Nodes<'_>) -> Type<'s> {
        let accepted = Kinds::of_types(filter.accepts());
        let works = given.kinds().meets(accepted);
        if !works {
            let expected = accepted.without(Kinds::NULL).describe();
            let title =
                format!("`{}` requires {expected}, but this is {}", filter.as_str(), given.describe());
            let at = node.children().next().map_or_else(|| self.span(node), |input| self.span(input));
            let help = match filter {
                Filter::Map => "read a property of an object with `.name`".to_owned(),
                _ => format!("apply `{}` to {expected}", filter.as_str()),
            };
            let label = format!("never {expected}");
            let found = rules::TEMPLATE_FILTER_TYPE.report_at(at, title).help(help);
            self.report.push(found.label(label));
        }
        let elements = given.elements();
        let (mut field, mut values) = (elements.clone(), Vec::new());
        for (arg, takes) in args.zip(filter.takes()) {
            if let Expr::Field(_) = arg.expr() {
                let keys = keys(arg, self.place);
                let is_certain = keys.len() == 1 && keys.iter().all(|(key, _)| elements.always_has(key));
                if works {
                    field = follow(elements.clone(), &keys, self.report);
                }
                // If an element lacks the field, `map` gives null.
                if !is_certain {
                    field = field.or(Type::Kinds(Kinds::NULL));
                }
                continue;
            }
            let value = self.infer(arg);
            self.argument(filter, *takes, arg, &value);
            values.push(value);
        }
        if !works {
            return Type::Any;
        }
        filter_result(filter, given, field, values)
    }

    /// Reports an argument that a filter never accepts; null counts as not given.
    fn argument(&mut self, filter: Filter, takes: FilterArgument, arg: Template<'_>, value: &Type<'_>) {
        let (accepted, expected) = match takes {
            FilterArgument::Integer if filter == Filter::Truncate => {
                (Kinds::INTEGER, "a whole number, 0 or more")
            }
            FilterArgument::Integer => (Kinds::INTEGER, "a whole number"),
            FilterArgument::Text => (Kinds::STRING, "a string"),
            FilterArgument::Field | FilterArgument::Any => return,
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
        let title = format!("the argument of `{}` must be {expected}, but {found}", filter.as_str());
        let help = format!("write it as: {}", filter.usage());
        let found = rules::TEMPLATE_FILTER_TYPE.report_at(self.span(arg), title).help(help);
        self.report.push(found.label(format!("expected {expected}")));
    }

    /// Reports a comparison of values without an order: `<` is for two numbers or two strings.
    fn order(&mut self, node: Template<'_>, compare: Compare, left: &Type<'_>, right: &Type<'_>) {
        let (left_kinds, right_kinds) = (left.kinds(), right.kinds());
        if [Kinds::NUMBER, Kinds::STRING]
            .into_iter()
            .any(|kinds| left_kinds.meets(kinds) && right_kinds.meets(kinds))
        {
            return;
        }
        let symbol = compare.as_str();
        let title = format!("`{symbol}` can never compare {} with {}", left.describe(), right.describe());
        let help = "compare two numbers or two strings; `==` and `!=` compare any two values";
        let found = rules::TEMPLATE_COMPARE.report_at(self.span(node), title).help(help);
        self.report.push(found.label("always false"));
    }
}

/// Reports a list that can never be an array.
pub(crate) fn not_a_list(what: &str, found: &Type<'_>, at: Span) -> Diagnostic {
    let title = format!("{what} requires an array, but this is {}", found.describe());
    let help = if found.kinds().meets(Kinds::OBJECT) {
        "name an array inside the object"
    } else {
        "name an array, such as `input.list`"
    };
    rules::TEMPLATE_LIST.report_at(at, title).label("never an array").help(help)
}

fn filter_result<'s>(filter: Filter, given: Type<'s>, field: Type<'s>, values: Vec<Type<'s>>) -> Type<'s> {
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
