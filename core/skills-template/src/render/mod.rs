//! Evaluates trees over JSON values, and prints them as text.
//!
//! ```
//! use skills_template::render::{Scope, render};
//!
//! let tree = skills_template::parse_template("Hello {{input.name || 'you'}}!").into_result().unwrap();
//! assert_eq!(render(tree.root(), &Scope::default(), Default::default()).unwrap(), "Hello you!");
//! ```

mod compare;
mod fault;
mod filters;
mod node;
mod number;
mod print;
mod typed;
mod value;
mod write;

use crate::{Expr, Nodes, TemplateNode};
use fault::Meter;
pub use fault::{EvalFault, RenderError, RenderLimits};
pub use filters::apply;
pub use number::Number;
pub use print::{print, print_expression};
use std::borrow::Cow;
pub use typed::{Plain, Typed};
pub use value::{Json, Shape, Value};

/// The roots that paths start with: `input`, `steps`, and in a `foreach` also `item` and `index`.
#[derive(Clone, Debug, Default)]
pub struct Scope<'a> {
    roots: Vec<(&'a str, Value<'a>)>,
}

impl<'a> Scope<'a> {
    /// Adds a root, or replaces the one with that name.
    #[must_use]
    pub fn with(mut self, name: &'a str, value: Value<'a>) -> Self {
        self.roots.retain(|(root, _)| *root != name);
        self.roots.push((name, value));
        self
    }

    /// Adds a borrowed root, or replaces the one with that name.
    #[must_use]
    pub fn with_json(self, name: &'a str, value: &'a dyn Json) -> Self {
        self.with(name, Value::borrow(value))
    }
}

/// Evaluates a node to a value: an expression keeps its JSON type, anything else is text.
///
/// [`Value::Missing`] means that the key of the whole template is left out. Arrays and objects of the scope
/// are borrowed, not copied.
///
/// # Errors
///
/// If a filter or `{{#each}}` gets a value of the wrong type, or a limit is exceeded.
pub fn evaluate<'a>(
    node: TemplateNode<'a>,
    scope: &Scope<'a>,
    limits: RenderLimits,
) -> Result<Value<'a>, RenderError> {
    Evaluation::new(scope, limits).value(node).map_err(|error| *error)
}

/// Renders a node as text: null and missing as "", arrays and objects as JSON.
///
/// # Errors
///
/// See [`evaluate`].
pub fn render(
    node: TemplateNode<'_>,
    scope: &Scope<'_>,
    limits: RenderLimits,
) -> Result<String, RenderError> {
    let mut out = String::with_capacity(room(node).min(limits.bytes));
    Evaluation::new(scope, limits).text(node, &mut out).map_err(|error| *error)?;
    Ok(out)
}

/// Estimates the length of a rendered text in bytes: all text in the tree, including both branches and the
/// names in paths, and a few bytes for each part. Most texts then fit into memory that is allocated once.
fn room(node: TemplateNode<'_>) -> usize {
    const PLACE: usize = 16;
    node.text_of_tree().saturating_add(node.children().len().saturating_mul(PLACE))
}

/// Returns `true` if a condition is true.
///
/// # Errors
///
/// See [`evaluate`].
pub fn holds(node: TemplateNode<'_>, scope: &Scope<'_>, limits: RenderLimits) -> Result<bool, RenderError> {
    Ok(evaluate(node, scope, limits)?.is_truthy())
}

struct Evaluation<'a, 's> {
    scope: &'s Scope<'a>,
    /// The element and its index, for each `{{#each}}` around the node.
    items: Vec<(Value<'a>, usize)>,
    meter: Meter,
}

impl<'a, 's> Evaluation<'a, 's> {
    fn new(scope: &'s Scope<'a>, limits: RenderLimits) -> Self {
        Self { scope, items: Vec::new(), meter: Meter::new(limits) }
    }

    fn step(&mut self, node: TemplateNode<'a>) -> Result<(), Box<RenderError>> {
        self.meter.steps(1).map_err(|fault| RenderError::at_node(node, fault))
    }

    fn text(&mut self, node: TemplateNode<'a>, out: &mut String) -> Result<(), Box<RenderError>> {
        self.step(node)?;
        // Nearly all parts of a prompt are text or a path, so both are checked before the general match.
        if let Some(text) = node.plain_text() {
            return self.meter.push(out, text).map_err(|fault| RenderError::at_node(node, fault));
        }
        if let Some(keys) = node.path() {
            self.step(node)?;
            return write::text(&self.path(keys), out, &mut self.meter)
                .map_err(|fault| RenderError::at_node(node, fault));
        }
        match node.expr() {
            Expr::Concat(mut parts) => parts.try_for_each(|part| self.text(part, out)),
            Expr::If { condition, then, otherwise } => {
                let branch = if self.value(condition)?.is_truthy() { Some(then) } else { otherwise };
                branch.map_or(Ok(()), |branch| self.text(branch, out))
            }
            Expr::Each { list, body } => {
                let value = self.value(list)?;
                let found = value.kind();
                let items = match value {
                    Value::Missing | Value::Null => return Ok(()),
                    other => other.into_items().ok_or(EvalFault::NotAnArray { found }),
                };
                for (index, item) in
                    items.map_err(|fault| RenderError::at_node(list, fault))?.into_iter().enumerate()
                {
                    self.items.push((item, index));
                    let done = self.text(body, out);
                    self.items.pop();
                    done?;
                }
                Ok(())
            }
            _ => {
                let value = self.value(node)?;
                write::text(&value, out, &mut self.meter).map_err(|fault| RenderError::at_node(node, fault))
            }
        }
    }

    fn value(&mut self, node: TemplateNode<'a>) -> Result<Value<'a>, Box<RenderError>> {
        self.step(node)?;
        Ok(match node.expr() {
            Expr::Text(text) | Expr::String(text) => Value::String(Cow::Borrowed(text)),
            Expr::Concat(_) | Expr::If { .. } | Expr::Each { .. } => {
                let mut out = String::new();
                self.text(node, &mut out)?;
                Value::String(Cow::Owned(out))
            }
            Expr::Path(keys) => self.path(keys),
            Expr::Key(_) | Expr::Field(_) => Value::Missing,
            Expr::Null => Value::Null,
            Expr::Bool(value) => Value::Bool(value),
            Expr::Number(text) => Value::Number(number(text)),
            Expr::Fallback(alternatives) => {
                let mut value = Value::Missing;
                for alternative in alternatives {
                    value = self.value(alternative)?;
                    if !value.is_blank() {
                        break;
                    }
                }
                value
            }
            Expr::Filter { filter, input, args } => {
                let input = self.value(input)?;
                let (mut field, mut values): (Vec<&str>, Vec<Value<'_>>) = Default::default();
                for arg in args {
                    match arg.expr() {
                        Expr::Field(keys) => field.extend(keys.map(TemplateNode::text)),
                        _ => values.push(self.value(arg)?),
                    }
                }
                filters::run(filter, input, &field, &values, &mut self.meter)
                    .map_err(|fault| RenderError::at_node(node, fault))?
            }
            Expr::Or(operands) => Value::Bool(self.any(operands, true)?),
            Expr::And(operands) => Value::Bool(!self.any(operands, false)?),
            Expr::Not(operand) => Value::Bool(!self.value(operand)?.is_truthy()),
            Expr::Compare { compare, left, right } => {
                let (left, right) = (self.value(left)?, self.value(right)?);
                let holds = compare::holds(compare, &left, &right, &mut self.meter);
                Value::Bool(holds.map_err(|fault| RenderError::at_node(node, fault))?)
            }
            Expr::Array(items) => {
                let mut values = Vec::with_capacity(items.len());
                for item in items {
                    values.push(match self.value(item)? {
                        Value::Missing => Value::Null,
                        value => value,
                    });
                }
                Value::Array(values)
            }
            Expr::Object(mut nodes) => {
                let mut members = Vec::with_capacity(nodes.len() / 2);
                while let (Some(key), Some(value)) = (nodes.next(), nodes.next()) {
                    match self.value(value)? {
                        Value::Missing => {}
                        value => members.push((key.text(), value)),
                    }
                }
                Value::Object(members)
            }
        })
    }

    /// Returns `true` if one of the operands is truthy (or falsy). Stops at the first one.
    fn any(&mut self, operands: Nodes<'a>, truthy: bool) -> Result<bool, Box<RenderError>> {
        for operand in operands {
            if self.value(operand)?.is_truthy() == truthy {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn path(&self, mut keys: Nodes<'a>) -> Value<'a> {
        let name = keys.next().map_or("", TemplateNode::text);
        let index;
        let root = match (self.items.last(), name) {
            (Some((item, _)), "item") => item,
            (Some((_, place)), "index") => {
                index = Value::Number(Number::Int(i64::try_from(*place).unwrap_or(i64::MAX)));
                &index
            }
            _ => match self.scope.roots.iter().find(|(root, _)| *root == name) {
                Some((_, value)) => value,
                None => return Value::Missing,
            },
        };
        // The root may be a large value, so the first key is looked up before anything is cloned.
        match keys.next() {
            None => root.clone(),
            Some(key) => keys.fold(root.get(key.text()), |value, key| value.get(key.text())),
        }
    }
}

/// Parses a literal. `-0` stays text, since its sign would be lost.
fn number(text: &str) -> Number<'_> {
    match text.parse() {
        Ok(value) if text != "-0" => Number::Int(value),
        _ => Number::Text(Cow::Borrowed(text)),
    }
}
