//! Values become JSON trees that stand in no text: what commands and lists print.

use super::{Kind, Member, Node};

/// Makes a node that stands nowhere.
pub(crate) fn node(kind: Kind) -> Node {
    Node { span: 0..0, kind }
}

/// Makes a string.
pub fn string(text: impl Into<String>) -> Node {
    node(Kind::String(text.into()))
}

/// Makes a `null`.
pub fn null() -> Node {
    node(Kind::Null)
}

/// Makes a boolean.
pub fn boolean(value: bool) -> Node {
    node(Kind::Bool(value))
}

/// Makes a number.
pub fn number(value: impl std::fmt::Display) -> Node {
    node(Kind::Number(value.to_string()))
}

/// Makes an array.
pub fn array(items: impl IntoIterator<Item = Node>) -> Node {
    node(Kind::Array(items.into_iter().collect()))
}

/// Makes an object of its members, in their order.
///
/// ```
/// use skills_schema::json::make::{array, number, object};
/// assert_eq!(object([("a", array([number(1)]))]).to_string(), r#"{"a":[1]}"#);
/// ```
pub fn object<'k>(members: impl IntoIterator<Item = (&'k str, Node)>) -> Node {
    node(Kind::Object(members.into_iter().map(|(key, value)| member(key, value)).collect()))
}

/// Makes a member of an object that stands nowhere.
pub fn member<N>(key: &str, value: N) -> Member<N> {
    Member { key: key.to_owned(), key_span: 0..0, value }
}
