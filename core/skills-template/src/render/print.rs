//! Prints a tree as text: for messages, for tools that show templates, and for tests that parsing loses
//! nothing.

use crate::{Expr, Nodes, TemplateNode, begins_name, continues_name, escape, escape_always};
use skills_text::push_quoted;

/// Prints a tree as text that parses to the same tree: a prompt, a template or, for a condition, an
/// expression in braces. The arrays and objects of a deep tree are printed as JSON.
///
/// ```
/// let tree = skills_template::parse_template("Hi {{  input . name||\"you\" }}").into_result().unwrap();
/// assert_eq!(skills_template::render::print(tree.root()), "Hi {{input.name || 'you'}}");
/// ```
pub fn print(node: TemplateNode<'_>) -> String {
    if let Expr::Text(text) = node.expr() {
        return escape(text);
    }
    let mut printer = Printer::default();
    printer.part(node, false);
    printer.out
}

/// Prints an expression without its braces, for messages and pictures. Text nodes are printed like
/// [`print()`] does.
///
/// ```
/// let tree = skills_template::parse_condition("{{input.a}} == \"x\"").into_result().unwrap();
/// assert_eq!(skills_template::render::print_expression(tree.root()), "input.a == 'x'");
/// ```
pub fn print_expression(node: TemplateNode<'_>) -> String {
    if node.is_text() {
        return print(node);
    }
    let mut printer = Printer::default();
    printer.expression(node, Level::Loose);
    printer.out
}

/// The minimum precedence of an operand that needs no parentheses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Loose,
    And,
    Compare,
    Unary,
    Filter,
    Primary,
}

#[derive(Default)]
struct Printer {
    out: String,
}

impl Printer {
    fn push(&mut self, text: &str) {
        self.out.push_str(text);
    }

    /// Prints a part of a text, with braces around an expression. `followed` is `true` if a `{{` follows
    /// directly.
    fn part(&mut self, node: TemplateNode<'_>, followed: bool) {
        match node.expr() {
            // A brace directly before `{{` would be parsed together with it.
            Expr::Text(text) if followed && odd_brace(text) => {
                self.push(&escape_always(&text[..text.len() - 1]));
                self.push("{{#raw}}{{{/raw}}");
            }
            Expr::Text(text) => self.push(&escape_always(text)),
            Expr::Concat(mut parts) => {
                while let Some(part) = parts.next() {
                    self.part(part, followed || !parts.is_empty());
                }
            }
            Expr::If { condition, then, otherwise } => {
                self.open("#if ", condition);
                self.part(then, true);
                if let Some(otherwise) = otherwise {
                    self.push("{{else}}");
                    self.part(otherwise, true);
                }
                self.push("{{/if}}");
            }
            Expr::Each { list, body } => {
                self.open("#each ", list);
                self.part(body, true);
                self.push("{{/each}}");
            }
            Expr::Array(_) | Expr::Object(_) => self.json(node),
            _ => {
                self.push("{{");
                self.expression(node, Level::Loose);
                self.push("}}");
            }
        }
    }

    fn open(&mut self, tag: &str, path: TemplateNode<'_>) {
        self.push("{{");
        self.push(tag);
        self.expression(path, Level::Loose);
        self.push("}}");
    }

    fn expression(&mut self, node: TemplateNode<'_>, level: Level) {
        let own = match node.expr() {
            Expr::Fallback(_) | Expr::Or(_) => Level::Loose,
            Expr::And(_) => Level::And,
            Expr::Compare { .. } => Level::Compare,
            Expr::Not(_) => Level::Unary,
            Expr::Filter { .. } => Level::Filter,
            _ => Level::Primary,
        };
        if own < level {
            self.push("(");
            self.expression(node, Level::Loose);
            self.push(")");
            return;
        }
        match node.expr() {
            Expr::Path(keys) | Expr::Field(keys) => self.keys(keys),
            Expr::Key(key) => self.push(key),
            Expr::Null => self.push("null"),
            Expr::Bool(true) => self.push("true"),
            Expr::Bool(false) => self.push("false"),
            Expr::Number(text) => self.push(text),
            Expr::String(text) | Expr::Text(text) => self.string(text),
            Expr::Fallback(operands) | Expr::Or(operands) => self.chain(operands, " || ", Level::And),
            Expr::And(operands) => self.chain(operands, " && ", Level::Compare),
            Expr::Not(operand) => {
                self.push("!");
                self.expression(operand, Level::Unary);
            }
            Expr::Compare { compare, left, right } => {
                self.expression(left, Level::Unary);
                self.push(" ");
                self.push(compare.as_str());
                self.push(" ");
                self.expression(right, Level::Unary);
            }
            Expr::Filter { filter, input, args } => {
                self.expression(input, Level::Filter);
                self.push(" | ");
                self.push(filter.as_str());
                for arg in args {
                    self.push(": ");
                    self.expression(arg, Level::Primary);
                }
            }
            Expr::Concat(_) | Expr::If { .. } | Expr::Each { .. } | Expr::Array(_) | Expr::Object(_) => {
                self.part(node, false);
            }
        }
    }

    fn chain(&mut self, operands: Nodes<'_>, symbol: &str, level: Level) {
        for (place, operand) in operands.enumerate() {
            if place > 0 {
                self.push(symbol);
            }
            self.expression(operand, level);
        }
    }

    /// Prints keys separated by dots if they are names, otherwise in brackets.
    fn keys(&mut self, keys: Nodes<'_>) {
        for (place, key) in keys.enumerate() {
            let key = key.text();
            if key.starts_with(|c| if place == 0 { begins_name(c) } else { continues_name(c) && c != '-' })
                && key.chars().all(continues_name)
            {
                self.push(if place == 0 { "" } else { "." });
                self.push(key);
            } else if place == 0 {
                // Only the field of a filter can begin with a string key.
                let digits = !key.is_empty() && key.bytes().all(|b| b.is_ascii_digit());
                if digits { self.push(key) } else { self.string(key) }
            } else {
                self.push("[");
                self.string(key);
                self.push("]");
            }
        }
    }

    fn string(&mut self, text: &str) {
        self.push("'");
        for c in text.chars() {
            match c {
                '\n' => self.push("\\n"),
                '\t' => self.push("\\t"),
                '\\' => self.push("\\\\"),
                '\'' => self.push("\\'"),
                c if c.is_control() => self.push(&format!("\\u{:04x}", u32::from(c))),
                c => self.out.push(c),
            }
        }
        self.push("'");
    }

    /// Prints a part of a deep tree as JSON, with its templates as strings.
    fn json(&mut self, node: TemplateNode<'_>) {
        match node.expr() {
            Expr::Array(items) => {
                self.push("[");
                for (place, item) in items.enumerate() {
                    self.push(if place > 0 { ", " } else { "" });
                    self.json(item);
                }
                self.push("]");
            }
            Expr::Object(members) => {
                self.push("{");
                for (place, node) in members.enumerate() {
                    self.push(match place {
                        0 => "",
                        _ if place % 2 == 0 => ", ",
                        _ => ": ",
                    });
                    self.json(node);
                }
                self.push("}");
            }
            Expr::Null | Expr::Bool(_) | Expr::Number(_) => self.expression(node, Level::Loose),
            Expr::Key(key) => self.push(&quote(key)),
            _ => self.push(&quote(&print(node))),
        }
    }
}

/// Returns `true` if a text ends with a `{` that is not part of an escape.
fn odd_brace(text: &str) -> bool {
    (text.len() - text.trim_end_matches('{').len()) % 2 == 1
}

fn quote(text: &str) -> String {
    let mut out = String::new();
    push_quoted(&mut out, text);
    out
}
