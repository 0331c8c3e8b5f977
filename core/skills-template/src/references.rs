//! Lists the paths in a tree. The checker and the runner build the graph of steps from them.

use crate::{Expr, Filter, TemplateNode};

/// A path that a tree reads.
#[derive(Clone, Copy, Debug)]
pub struct Reference<'a> {
    /// The [`Expr::Path`].
    pub path: TemplateNode<'a>,
    /// Whether an absent value has a replacement: the path is in a `||` or has a `default`.
    ///
    /// If a step uses the result of a skipped step without a fallback, it is skipped too.
    pub has_fallback: bool,
}

/// Lists the paths in a node, in text order.
///
/// ```
/// use skills_template::{parse_template, references};
///
/// let tree = parse_template("{{steps.a.x}} {{steps.b.y | size || 0}}").into_result().unwrap();
/// let found: Vec<bool> = references(tree.root()).iter().map(|found| found.has_fallback).collect();
/// assert_eq!(found, [false, true]);
/// ```
pub fn references(node: TemplateNode<'_>) -> Vec<Reference<'_>> {
    let mut found = Vec::new();
    collect(node, false, &mut found);
    found
}

fn collect<'a>(node: TemplateNode<'a>, has_fallback: bool, found: &mut Vec<Reference<'a>>) {
    let inside = match node.expr() {
        Expr::Path(_) => return found.push(Reference { path: node, has_fallback }),
        Expr::Fallback(_) | Expr::Filter { filter: Filter::Default, .. } => true,
        _ => has_fallback,
    };
    for child in node.children() {
        collect(child, inside, found);
    }
}

#[cfg(test)]
mod tests {
    use super::references;
    use crate::{TemplateNode, parse_condition, parse_prompt};

    // SPEC 5.6
    #[test]
    fn every_path_is_listed_once() {
        let text = "{{a.b | where: k: c.d | default: e}}{{#if f}}{{#each g}}{{item.h | map: i}}{{else_}}{{/each}}{{/if}}";
        let tree = parse_prompt(text).into_result().expect("it parses");
        let path_of = |reference: &super::Reference<'_>| {
            let keys: Vec<&str> = reference.path.children().map(TemplateNode::text).collect();
            format!("{}{}", keys.join("."), if reference.has_fallback { "?" } else { "" })
        };
        let found: Vec<String> = references(tree.root()).iter().map(path_of).collect();
        assert_eq!(found, ["a.b?", "c.d?", "e?", "f", "g", "item.h", "else_"]);
        let tree = parse_condition("a || !{{b}} == c").into_result().expect("it parses");
        assert!(references(tree.root()).iter().map(path_of).eq(["a", "b", "c"]));
    }
}
