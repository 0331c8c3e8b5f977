//! Questions to a schema in skill.json: its alternatives, and of each the kinds, members and elements it can have.
//!
//! A schema is taken apart into alternatives, each a list of plain schemas that all hold: `$ref` is followed, `allOf`
//! joined, `anyOf` and `oneOf` multiplied out. Every answer errs on the side of more: a keyword that is not looked at
//! never makes a value impossible.

use super::kinds::Kinds;
use crate::tree::{Node, Scalar, Value};

/// A schema and the whole document around it, in which references lead somewhere.
#[derive(Clone, Copy, Debug)]
pub(super) struct Schema<'s> {
    pub(super) node: &'s Node,
    pub(super) root: &'s Node,
}

/// Plain schemas that hold at once.
#[derive(Clone, Debug)]
pub(super) struct Alternative<'s> {
    pub(super) parts: Vec<&'s Node>,
    pub(super) root: &'s Node,
    /// Whether it says more than was understood: it may have any member.
    open: bool,
}

/// What an alternative says of a member.
pub(super) enum Member<'s> {
    /// It has this schema; whether it is always there.
    Schema(Schema<'s>, bool),
    /// It may be anything.
    Anything,
    /// It cannot be there (SPEC 5.5); the properties that can.
    Nothing(Vec<&'s str>),
}

/// As many alternatives are told apart; with more, nothing is known of the schema.
const MOST: usize = 64;
/// References and combinations are followed so deep, and so many of them for one question.
const DEEPEST: usize = 24;
const LONGEST: usize = 512;

/// Keywords beside `properties` that can bring members in, when they are not `false`.
const OPENING: [&str; 10] = [
    "additionalProperties",
    "patternProperties",
    "unevaluatedProperties",
    "if",
    "then",
    "else",
    "dependencies",
    "dependentSchemas",
    "$dynamicRef",
    "$recursiveRef",
];

impl<'s> Schema<'s> {
    /// Takes a document whose root is the schema.
    pub(super) fn new(root: &'s Node) -> Self {
        Self { node: root, root }
    }

    /// Returns another schema of the same document.
    pub(super) fn at(self, node: &'s Node) -> Self {
        Self { node, root: self.root }
    }

    /// Returns the alternatives; none when there are too many or they lead in a circle.
    pub(super) fn alternatives(self) -> Option<Vec<Alternative<'s>>> {
        self.expand(DEEPEST, &mut { LONGEST })
    }

    fn expand(self, depth: usize, left: &mut usize) -> Option<Vec<Alternative<'s>>> {
        let depth = depth.checked_sub(1)?;
        *left = left.checked_sub(1)?;
        let plain = Alternative { parts: vec![self.node], root: self.root, open: false };
        let unknown = Alternative { open: true, ..plain.clone() };
        if self.node.as_map().is_none() {
            return Some(vec![plain]);
        }
        // An embedded resource has references of its own, which are not followed.
        if self.node.get("$id").is_some() && !std::ptr::eq(self.node, self.root) {
            return Some(vec![Alternative { parts: Vec::new(), ..unknown }]);
        }
        let mut found = vec![plain];
        if let Some(reference) = self.node.get("$ref") {
            let target = reference.as_string().and_then(|reference| self.resolve(reference));
            // Draft-07 ignores what stands beside a reference.
            if !self.is_modern() {
                found = vec![Alternative { parts: Vec::new(), root: self.root, open: false }];
            }
            match target {
                Some(target) => found = product(found, self.at(target).expand(depth, left)?)?,
                None => found.iter_mut().for_each(|alternative| alternative.open = true),
            }
            if !self.is_modern() {
                return Some(found);
            }
        }
        for part in self.list("allOf") {
            found = product(found, self.at(part).expand(depth, left)?)?;
        }
        for key in ["anyOf", "oneOf"] {
            let branches = self.list(key);
            if branches.is_empty() {
                continue;
            }
            let mut either = Vec::new();
            for branch in branches {
                either.extend(self.at(branch).expand(depth, left)?);
            }
            found = product(found, either)?;
        }
        Some(found)
    }

    fn list(self, key: &str) -> &'s [Node] {
        self.node.get(key).and_then(Node::as_list).unwrap_or_default()
    }

    fn is_modern(self) -> bool {
        let draft = self.root.get("$schema").and_then(Node::as_string).unwrap_or_default();
        draft.contains("2019-09") || draft.contains("2020-12")
    }

    /// Follows `#` and JSON pointers behind it; no other reference.
    fn resolve(self, reference: &str) -> Option<&'s Node> {
        let pointer = reference.strip_prefix('#')?;
        let pointer = crate::percent::decode(pointer);
        follow(self.root, &pointer, &|node| node.get("$id").is_none())
    }
}

/// Follows a JSON pointer through a tree, as long as every node on the way is wanted.
pub(super) fn follow<'n>(root: &'n Node, pointer: &str, wanted: &dyn Fn(&Node) -> bool) -> Option<&'n Node> {
    if pointer.is_empty() {
        return Some(root);
    }
    let mut node = root;
    for key in pointer.strip_prefix('/')?.split('/') {
        let key = key.replace("~1", "/").replace("~0", "~");
        node = match &node.value {
            Value::Map(_) => node.get(&key)?,
            Value::List(items) => items.get(key.parse::<usize>().ok()?)?,
            Value::Scalar(_) => return None,
        };
        if !wanted(node) {
            return None;
        }
    }
    Some(node)
}

fn product<'s>(left: Vec<Alternative<'s>>, right: Vec<Alternative<'s>>) -> Option<Vec<Alternative<'s>>> {
    if left.len().saturating_mul(right.len()) > MOST {
        return None;
    }
    let join = |a: &Alternative<'s>, b: &Alternative<'s>| Alternative {
        parts: a.parts.iter().chain(&b.parts).copied().collect(),
        root: a.root,
        open: a.open || b.open,
    };
    Some(left.iter().flat_map(|a| right.iter().map(move |b| join(a, b))).collect())
}

impl<'s> Alternative<'s> {
    /// Returns the kinds of value that can be valid.
    pub(super) fn kinds(&self) -> Kinds {
        self.parts.iter().fold(Kinds::ALL, |kinds, part| kinds.and(kinds_of(part)))
    }

    /// Returns the only scalars that can be valid, when they are listed.
    pub(super) fn scalars(&self) -> Option<Vec<&'s Scalar>> {
        let listed = self.parts.iter().find_map(|part| match part.get("const") {
            Some(value) => Some(std::slice::from_ref(value)),
            None => part.get("enum").and_then(Node::as_list),
        })?;
        let kinds = self.kinds();
        let scalars = listed.iter().filter_map(Node::as_scalar);
        Some(scalars.filter(|scalar| Kinds::of(scalar).meets(kinds)).collect())
    }

    /// Returns the names that every valid object has.
    pub(super) fn required(&self) -> impl Iterator<Item = &'s Node> {
        self.parts.iter().flat_map(|part| part.get("required").and_then(Node::as_list).unwrap_or_default())
    }

    /// Returns a part with a schema of the same document.
    pub(super) fn schema(&self, node: &'s Node) -> Schema<'s> {
        Schema { node, root: self.root }
    }

    /// Says what can be at a key of an object.
    pub(super) fn member(&self, key: &str) -> Member<'s> {
        let mut known = Vec::new();
        let mut open = self.open;
        for part in &self.parts {
            let properties = part.get("properties").and_then(Node::as_map).unwrap_or_default();
            if let Some(entry) = properties.iter().find(|entry| entry.key == key) {
                let always = self.required().any(|name| name.as_string() == Some(key));
                return Member::Schema(self.schema(&entry.value), always);
            }
            known.extend(properties.iter().map(|entry| entry.key.as_str()));
            open |= OPENING.iter().any(|word| part.get(word).is_some_and(|node| !is_false(node)));
        }
        let beyond = self.parts.iter().find_map(|part| match accepts(part, key) {
            Accepts::Schema(node) => Some(Member::Schema(self.schema(node), false)),
            Accepts::Anything | Accepts::Nothing(_) => None,
        });
        match beyond {
            Some(member) => member,
            None if known.is_empty() || open => Member::Anything,
            None => Member::Nothing(known),
        }
    }

    /// Returns the schemas that elements can have, or that the element at a place has; none when any can be there.
    pub(super) fn elements(&self, place: Option<usize>) -> Option<Vec<Schema<'s>>> {
        let part = self.parts.iter().find(|part| part.get("items").or(part.get("prefixItems")).is_some())?;
        let (items, prefix) = (part.get("items"), part.get("prefixItems"));
        let (first, rest) = match (items.and_then(Node::as_list), prefix.and_then(Node::as_list)) {
            (Some(tuple), None) => (tuple, part.get("additionalItems")),
            (_, Some(tuple)) => (tuple, items),
            (None, None) => (&[][..], items),
        };
        match place {
            Some(place) => Some(vec![self.schema(first.get(place).or(rest)?)]),
            None if first.is_empty() || rest.is_some() => {
                Some(first.iter().chain(rest).map(|node| self.schema(node)).collect())
            }
            // Without a word on the rest, anything may follow the tuple.
            None => None,
        }
    }
}

/// What one plain schema says of a member that is given to it.
pub(super) enum Accepts<'s> {
    /// It must have this schema.
    Schema(&'s Node),
    /// It may be anything.
    Anything,
    /// It is refused; the properties that are not.
    Nothing(Vec<&'s str>),
}

/// Says what a plain schema accepts at a key.
pub(super) fn accepts<'s>(part: &'s Node, key: &str) -> Accepts<'s> {
    let properties = part.get("properties").and_then(Node::as_map).unwrap_or_default();
    if let Some(entry) = properties.iter().find(|entry| entry.key == key) {
        return Accepts::Schema(&entry.value);
    }
    match part.get("additionalProperties") {
        Some(_) if part.get("patternProperties").is_some() => Accepts::Anything,
        Some(node) if is_false(node) => {
            Accepts::Nothing(properties.iter().map(|entry| entry.key.as_str()).collect())
        }
        Some(node) => Accepts::Schema(node),
        None => Accepts::Anything,
    }
}

/// Tells whether a schema is written `false`.
pub(super) fn is_false(node: &Node) -> bool {
    node.as_scalar().is_some_and(|scalar| scalar.kind == crate::tree::Kind::Bool && scalar.text == "false")
}

fn kinds_of(part: &Node) -> Kinds {
    if is_false(part) {
        return Kinds::NONE;
    }
    let mut kinds = match part.get("type").map(|node| (node.as_string(), node.as_list())) {
        Some((Some(name), _)) => Kinds::named(name),
        Some((None, Some(names))) => {
            let names = names.iter().map(|name| name.as_string().map_or(Kinds::ALL, Kinds::named));
            names.fold(Kinds::NONE, Kinds::or)
        }
        _ => Kinds::ALL,
    };
    if let Some(value) = part.get("const") {
        kinds = kinds.and(kind_of(value));
    }
    if let Some(values) = part.get("enum").and_then(Node::as_list) {
        kinds = kinds.and(values.iter().map(kind_of).fold(Kinds::NONE, Kinds::or));
    }
    kinds
}

/// Returns the kind of a written value.
pub(super) fn kind_of(value: &Node) -> Kinds {
    match &value.value {
        Value::List(_) => Kinds::ARRAY,
        Value::Map(_) => Kinds::OBJECT,
        Value::Scalar(scalar) => Kinds::of(scalar),
    }
}
