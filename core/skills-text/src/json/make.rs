//! Builds JSON trees that do not come from a text: for the output of commands.

use super::{Kind, Member, Node};

/// Creates a node without a position.
pub fn node(kind: Kind) -> Node {
    Node { span: 0..0, kind }
}

/// Creates a string.
pub fn string(text: impl Into<String>) -> Node {
    node(Kind::String(text.into()))
}

/// Creates a `null`.
pub fn null() -> Node {
    node(Kind::Null)
}

/// Creates a boolean.
pub fn boolean(value: bool) -> Node {
    node(Kind::Bool(value))
}

/// Creates a number.
pub fn number(value: impl std::fmt::Display) -> Node {
    node(Kind::Number(value.to_string()))
}

/// Creates an array.
pub fn array(items: impl IntoIterator<Item = Node>) -> Node {
    node(Kind::Array(items.into_iter().collect()))
}

/// Creates an object from its members, in order.
///
/// ```
/// use skills_text::json::make::{array, number, object};
/// assert_eq!(object([("a", array([number(1)]))]).to_string(), r#"{"a":[1]}"#);
/// ```
pub fn object<'k>(members: impl IntoIterator<Item = (&'k str, Node)>) -> Node {
    node(Kind::Object(members.into_iter().map(|(key, value)| member(key, value)).collect()))
}

/// Creates a member without a position.
pub fn member<N>(key: &str, value: N) -> Member<N> {
    Member { key: key.to_owned(), key_span: 0..0, value }
}
