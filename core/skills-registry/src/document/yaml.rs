//! Writes JSON as YAML that YAML 1.1 and 1.2 parsers read alike: block keys, flow values, quoted texts.

use skills_text::json::{Kind, Node};
use skills_text::push_yaml_quoted as quote;

/// Writes a value in the flow style.
pub(super) fn value(text: &mut String, node: &Node) {
    match &node.kind {
        Kind::String(content) => quote(text, content),
        Kind::Array(items) => {
            text.push('[');
            for (at, item) in items.iter().enumerate() {
                text.push_str(if at > 0 { ", " } else { "" });
                value(text, item);
            }
            text.push(']');
        }
        Kind::Object(members) => {
            text.push('{');
            for (at, member) in members.iter().enumerate() {
                text.push_str(if at > 0 { ", " } else { "" });
                quote(text, &member.key);
                text.push_str(": ");
                value(text, &member.value);
            }
            text.push('}');
        }
        _ => text.push_str(&node.one_line()),
    }
}
