//! Infers the type of an expression's result, and reports operations that can never work.

pub(crate) mod filter;
pub(crate) mod path;

use skills_template::{Compare, Expr, Node as Template, Nodes};

use crate::check::template::types::{Kinds, Type};
use crate::rule::templates as rules;
use crate::{Diagnostic, Report, Span};
use path::{Place, Scope};

/// One template during type inference.
pub(crate) struct Inference<'i, 's> {
    pub(crate) scope: Scope<'s>,
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
                filter::apply(self, node, filter, given, args)
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

    /// Reports a comparison of values without an order: `<` is for two numbers or two strings.
    fn order(&mut self, node: Template<'_>, compare: Compare, left: &Type<'_>, right: &Type<'_>) {
        let both = |kinds: Kinds| left.kinds().meets(kinds) && right.kinds().meets(kinds);
        if both(Kinds::NUMBER) || both(Kinds::STRING) {
            return;
        }
        let symbol = compare.symbol();
        let title = format!("`{symbol}` can never compare {} with {}", left.describe(), right.describe());
        let help = "compare two numbers or two strings; `==` and `!=` compare any two values";
        let found = rules::TEMPLATE_COMPARE.at(self.span(node), title).help(help);
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
    rules::TEMPLATE_LIST.at(at, title).label("never an array").help(help)
}
