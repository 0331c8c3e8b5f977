//! Values without templates, run through the tables of the schema that judges them (SPEC 5.5).

use skills_schema::lower::Lowered;
use skills_schema::{Part, Violation};

use crate::span::{SourceMap, Span};
use crate::tree::{Node, Value};

/// Returns the rules of a part of a schema that a value breaks, each with its place; none when the schema has errors.
pub(super) fn violations(
    node: &Node,
    schema: Part<'_>,
    lowered: &Lowered,
    sources: &SourceMap,
) -> Vec<(Span, Violation)> {
    let place = |violation: &Violation| {
        let inside = follow(node, &violation.pointer).unwrap_or(node);
        if inside.as_scalar().is_some() { inside.span } else { inside.span.head() }
    };
    let found = lowered.violations(schema, sources.text(node.span));
    found.into_iter().map(|violation| (place(&violation), violation)).collect()
}

/// Follows a JSON pointer through a value.
fn follow<'n>(root: &'n Node, pointer: &str) -> Option<&'n Node> {
    if pointer.is_empty() {
        return Some(root);
    }
    pointer.strip_prefix('/')?.split('/').try_fold(root, |node, key| match &node.value {
        Value::Map(_) => node.get(&key.replace("~1", "/").replace("~0", "~")),
        Value::List(items) => items.get(key.parse::<usize>().ok()?),
        Value::Scalar(_) => None,
    })
}
