//! Values become the JSON trees that the commands print; every command with JSON output calls it.

use skills_schema::json::{Kind, Member, Node};

/// Makes a node that stands nowhere.
fn node(kind: Kind) -> Node {
    Node { span: 0..0, kind }
}

/// Makes a string.
pub(crate) fn string(text: impl Into<String>) -> Node {
    node(Kind::String(text.into()))
}

/// Makes a string, or `null`.
pub(crate) fn optional(text: Option<&str>) -> Node {
    text.map_or_else(null, string)
}

/// Makes a `null`.
pub(crate) fn null() -> Node {
    node(Kind::Null)
}

/// Makes a boolean.
pub(crate) fn boolean(value: bool) -> Node {
    node(Kind::Bool(value))
}

/// Makes a number.
pub(crate) fn number(value: impl std::fmt::Display) -> Node {
    node(Kind::Number(value.to_string()))
}

/// Makes an array.
pub(crate) fn array(items: impl IntoIterator<Item = Node>) -> Node {
    node(Kind::Array(items.into_iter().collect()))
}

/// Makes an object.
pub(crate) fn object<'k>(members: impl IntoIterator<Item = (&'k str, Node)>) -> Node {
    let member = |(key, value): (&str, Node)| Member { key: key.to_owned(), key_span: 0..0, value };
    node(Kind::Object(members.into_iter().map(member).collect()))
}
