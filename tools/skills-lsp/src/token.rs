//! Semantic tokens of templates in prompts and pipelines.

use std::ops::Range;
use std::path::Path;

use lsp_types::{SemanticToken, SemanticTokenType, SemanticTokens, SemanticTokensLegend};
use skills_core::tree::{Node, Value};

use crate::convert::{Encoding, TextLines, number};
use crate::highlight::{Class, highlight, highlight_expression};
use crate::index;
use crate::root::Root;

/// The types of tokens, in the order of their numbers.
pub(crate) fn legend() -> SemanticTokensLegend {
    let token_types = vec![
        SemanticTokenType::VARIABLE,
        SemanticTokenType::PROPERTY,
        SemanticTokenType::FUNCTION,
        SemanticTokenType::KEYWORD,
        SemanticTokenType::STRING,
        SemanticTokenType::NUMBER,
        SemanticTokenType::OPERATOR,
    ];
    SemanticTokensLegend { token_types, token_modifiers: Vec::new() }
}

fn kind(class: Class) -> u32 {
    match class {
        Class::Root => 0,
        Class::Key => 1,
        Class::Filter => 2,
        Class::Keyword => 3,
        Class::String => 4,
        Class::Number => 5,
        Class::Operator => 6,
    }
}

/// Returns the tokens of a file.
pub(crate) fn tokens(root: &Root, path: &Path) -> Option<SemanticTokens> {
    let file = root.file(path)?;
    let name = file.path.rsplit('/').next()?;
    let mut found: Vec<(Class, Range<usize>)> = Vec::new();
    match name {
        "prompt.md" => found = highlight(&file.text),
        "skill.json" => {
            let tree = index::tree(root.sources(), &file.path)?;
            for step in tree.get("pipeline").and_then(Node::as_list).unwrap_or_default() {
                for key in ["condition", "foreach"] {
                    step.get(key).into_iter().for_each(|node| text(root, node, true, &mut found));
                }
                step.get("input").into_iter().for_each(|node| text(root, node, false, &mut found));
            }
            tree.get("outputMapping").into_iter().for_each(|node| text(root, node, false, &mut found));
            found.sort_by_key(|(_, range)| range.start);
        }
        _ => return None,
    }
    Some(SemanticTokens { result_id: None, data: relative(&file.text, &found, root.encoding) })
}

/// Adds the tokens of the strings of a value. A string with escapes has none, because its text differs.
fn text(root: &Root, node: &Node, is_expression: bool, found: &mut Vec<(Class, Range<usize>)>) {
    match &node.value {
        Value::Map(entries) => {
            entries.iter().for_each(|entry| text(root, &entry.value, is_expression, found))
        }
        Value::List(items) => items.iter().for_each(|item| text(root, item, is_expression, found)),
        Value::Scalar(_) => {
            let Some(value) = node.as_string() else { return };
            let range = root.sources().range(node.span);
            if range.len() != value.len() + 2 {
                return;
            }
            let is_bare = is_expression && !value.contains("{{");
            let tokens = if is_bare { highlight_expression(value) } else { highlight(value) };
            let start = range.start + 1;
            found.extend(tokens.into_iter().map(|(class, at)| (class, start + at.start..start + at.end)));
        }
    }
}

/// Converts tokens to the form of the protocol, in which the position of each token is relative to the
/// previous token.
fn relative(text: &str, found: &[(Class, Range<usize>)], encoding: Encoding) -> Vec<SemanticToken> {
    let lines = TextLines::new(text, encoding);
    let (mut line, mut start) = (0, 0);
    let mut tokens = Vec::with_capacity(found.len());
    for (class, range) in found {
        let word = text.get(range.clone()).unwrap_or_default();
        // In the protocol, a token must not extend over several lines.
        if word.contains(['\n', '\r']) {
            continue;
        }
        let at = lines.position(range.start);
        let delta_line = at.line - line;
        let delta_start = if delta_line == 0 { at.character - start } else { at.character };
        (line, start) = (at.line, at.character);
        let (length, token_type) = (number(encoding.length(word)), kind(*class));
        tokens.push(SemanticToken { delta_line, delta_start, length, token_type, token_modifiers_bitset: 0 });
    }
    tokens
}
