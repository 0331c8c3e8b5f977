//! The walk over a schema: each node becomes a shape, named types are collected on the way.

use skills_schema::lower::Draft;
use skills_schema::{Document, Part, Value};

use super::names::Names;
use super::{Def, DefKind, Shape, Shapes, Variant, Width, Wire, ident, merge, object, said, union};

/// How deep schemas may be nested before a place is any value; shapes recurse on the call stack.
const DEEPEST: usize = 64;

/// Turns lowered schemas into types: the root gets the given name, all named types differ.
///
/// ```
/// use skills_core::shape::{Shape, shapes};
/// use skills_schema::lower::lower;
///
/// let text = r#"{"type": "object", "properties": {"n": {"type": "integer"}}}"#;
/// let all = shapes(&[("Input", &lower(text, &Default::default()).document)]);
/// assert_eq!(all[0].root, Shape::Named(0));
/// assert_eq!(all[0].defs[0].name, "Input");
/// ```
pub fn shapes(roots: &[(&str, &Document)]) -> Vec<Shapes> {
    let mut names = Names::default();
    // What every module has, and what a reader takes for something else.
    let reserved =
        ["Box", "Default", "Err", "None", "Ok", "Option", "Result", "Some", "String", "Value", "Vec"];
    for name in roots.iter().map(|(name, ..)| *name).chain(reserved) {
        names.take(name, "");
    }
    roots.iter().map(|(name, document)| one(name, document.root(), &mut names)).collect()
}

fn one(name: &str, root: Part<'_>, names: &mut Names) -> Shapes {
    let mut builder = Builder { names, defs: Vec::new(), open: Vec::new(), done: Vec::new(), depth: 0 };
    // The name of the root was taken before: it goes to the first type that the root itself becomes.
    let root = builder.shape(root, &Hint { name, parent: "", is_root: true });
    let Builder { mut defs, names, .. } = builder;
    // A root that may also be null, say, wraps the type that took its name.
    if let Some(at) = defs.iter().position(|def| def.name == name)
        && root != Shape::Named(at)
    {
        defs[at].name = names.take("Some", name);
    }
    Shapes { defs, root }
}

/// What a type shall be called.
#[derive(Clone, Copy)]
pub(super) struct Hint<'h> {
    pub(super) name: &'h str,
    pub(super) parent: &'h str,
    pub(super) is_root: bool,
}

pub(super) struct Builder<'s, 'n> {
    names: &'n mut Names,
    pub(super) defs: Vec<Def>,
    /// Schemas that are being walked.
    open: Vec<Open<'s>>,
    /// Schemas that references lead to, and that are done.
    done: Vec<(Part<'s>, Shape)>,
    depth: usize,
}

/// A schema that is being walked, so that a reference back to it ends.
struct Open<'s> {
    schema: Part<'s>,
    /// The type it becomes, once that is known.
    def: Option<usize>,
    /// Whether it is also `null`.
    nullable: bool,
}

impl<'s> Builder<'s, '_> {
    /// Turns a schema into a shape.
    pub(super) fn shape(&mut self, node: Part<'s>, hint: &Hint<'_>) -> Shape {
        if self.depth >= DEEPEST || !node.is_object() {
            return Shape::Value;
        }
        if let Some(open) = self.open.iter().find(|open| open.schema == node) {
            let shape = open.def.map_or(Shape::Value, Shape::Boxed);
            return if open.nullable { nullable(shape) } else { shape };
        }
        self.depth += 1;
        self.open.push(Open { schema: node, def: None, nullable: false });
        let shape = self.walk(node, hint);
        self.open.pop();
        self.depth -= 1;
        shape
    }

    fn walk(&mut self, node: Part<'s>, hint: &Hint<'_>) -> Shape {
        if ["$dynamicRef", "$recursiveRef"].iter().any(|key| node.has(key)) && !hint.is_root {
            return Shape::Value;
        }
        if let Some(reference) = node.get("$ref") {
            let reference = reference.as_str().unwrap_or_default();
            return self.reference(reference, node, hint);
        }
        if let Some(constants) = said::constants(node) {
            return self.constants(node, &constants, hint);
        }
        let types = node.types();
        match types.as_slice() {
            [] => union::untyped(self, node, hint),
            [name] => self.typed(name, node, hint),
            [a, b] if *a == "null" || *b == "null" => {
                let name = if *a == "null" { b } else { a };
                self.open_nullable();
                nullable(self.typed(name, node, hint))
            }
            _ => union::of_types(self, node, &types, hint),
        }
    }

    /// Turns a schema of one type into a shape.
    pub(super) fn typed(&mut self, name: &str, node: Part<'s>, hint: &Hint<'_>) -> Shape {
        match name {
            "null" => Shape::Null,
            "boolean" => Shape::Bool,
            "integer" => Shape::Integer(width(node)),
            "number" => Shape::Number,
            "string" => node.format().map_or(Shape::String, Shape::Formatted),
            "array" => self.array(node, hint),
            "object" => object::shape(self, node, hint),
            _ => Shape::Value,
        }
    }

    fn array(&mut self, node: Part<'s>, hint: &Hint<'_>) -> Shape {
        let positional = if node.draft() == Draft::Draft2020 { "prefixItems" } else { "items" };
        if let Some(items) = said::list(node, positional) {
            let length = i64::try_from(items.len()).ok();
            let bound = |key| node.get(key).and_then(said::whole);
            if items.len() > 12 || bound("minItems") != length || bound("maxItems") != length {
                return Shape::Array(Box::new(Shape::Value));
            }
            return Shape::Tuple(items.into_iter().map(|item| self.shape(item, &inner(hint))).collect());
        }
        match node.get("items") {
            Some(items) => Shape::Array(Box::new(self.shape(items, &inner(hint)))),
            None => Shape::Array(Box::new(Shape::Value)),
        }
    }

    fn reference(&mut self, reference: &str, node: Part<'s>, hint: &Hint<'_>) -> Shape {
        let Some(target) = node.plain_reference() else {
            return merge::structure(self, node, hint).unwrap_or(Shape::Value);
        };
        if let Some((_, shape)) = self.done.iter().find(|(done, _)| *done == target) {
            return shape.clone();
        }
        let last = reference.rsplit(['/', '#']).next().filter(|last| !last.is_empty());
        let name = last.map_or_else(|| hint.name.to_owned(), ident::camel);
        let is_root = hint.is_root;
        let name = if is_root { hint.name } else { &name };
        let shape = self.shape(target, &Hint { name, parent: hint.parent, is_root });
        let is_open = self.open.iter().any(|open| open.schema == target);
        if !is_open {
            self.done.push((target, shape.clone()));
        }
        shape
    }

    fn constants(&mut self, node: Part<'_>, constants: &[Part<'_>], hint: &Hint<'_>) -> Shape {
        let is_null = |value: &Part<'_>| matches!(value.value(), Value::Null);
        let has_null = constants.iter().any(is_null);
        let values: Vec<Part<'_>> = constants.iter().copied().filter(|value| !is_null(value)).collect();
        let types = node.types();
        let allowed = |name: &str| types.is_empty() || types.contains(&name);
        let wires: Option<Vec<Wire>> =
            if values.iter().all(|value| value.as_str().is_some()) && allowed("string") {
                values.iter().map(|value| Some(Wire::Text(value.as_str()?.to_owned()))).collect()
            } else if allowed("integer") || allowed("number") {
                values.iter().map(|value| said::whole(*value).map(Wire::Integer)).collect()
            } else {
                None
            };
        let shape = match wires {
            Some(wires) if wires.is_empty() => {
                return if has_null && allowed("null") { Shape::Null } else { Shape::Value };
            }
            Some(wires) => self.enumeration(wires, node, hint),
            None => return Shape::Value,
        };
        if has_null && allowed("null") { nullable(shape) } else { shape }
    }

    fn enumeration(&mut self, wires: Vec<Wire>, node: Part<'_>, hint: &Hint<'_>) -> Shape {
        let mut idents = Names::default();
        let mut variants: Vec<Variant> = Vec::new();
        for wire in wires {
            if variants.iter().any(|variant| variant.wire == wire) {
                continue;
            }
            let text = match &wire {
                Wire::Text(text) => ident::camel(text),
                Wire::Integer(value) => ident::camel(&value.to_string()),
            };
            variants.push(Variant { ident: idents.variant(&text), wire });
        }
        let at = self.define(hint, said::doc(node), DefKind::Enum(variants));
        Shape::Named(at)
    }

    /// Adds a named type and returns its place.
    pub(super) fn define(&mut self, hint: &Hint<'_>, doc: String, kind: DefKind) -> usize {
        let name = if hint.is_root { hint.name.to_owned() } else { self.names.take(hint.name, hint.parent) };
        self.defs.push(Def { name, doc, kind });
        let at = self.defs.len() - 1;
        // A union of a schema's types comes before the types in it: references mean the union.
        if let Some(open) = self.open.last_mut() {
            open.def.get_or_insert(at);
        }
        at
    }

    /// Marks the schema that is being walked as one that is also `null`.
    pub(super) fn open_nullable(&mut self) {
        if let Some(open) = self.open.last_mut() {
            open.nullable = true;
        }
    }
}

/// The hint for what is inside a type: it goes by the same name.
pub(super) fn inner<'h>(hint: &Hint<'h>) -> Hint<'h> {
    match hint.is_root {
        true => Hint { name: "Item", parent: hint.name, is_root: false },
        false => *hint,
    }
}

/// Adds `null` to a shape.
pub(super) fn nullable(shape: Shape) -> Shape {
    match shape {
        Shape::Value | Shape::Null | Shape::Nullable(_) => shape,
        shape => Shape::Nullable(Box::new(shape)),
    }
}

/// Chooses the width of a whole number by its bounds.
fn width(node: Part<'_>) -> Width {
    let bound = |inclusive, exclusive, step: i64| {
        let inclusive = node.get(inclusive).and_then(said::whole);
        inclusive.or_else(|| node.get(exclusive).and_then(said::whole)?.checked_add(step))
    };
    let least = bound("minimum", "exclusiveMinimum", 1);
    let most = bound("maximum", "exclusiveMaximum", -1);
    match (least, most) {
        (Some(least), Some(most)) if least >= 0 && most <= i64::from(u32::MAX) => Width::U32,
        (Some(least), _) if least >= 0 => Width::U64,
        (Some(least), Some(most)) if least >= i64::from(i32::MIN) && most <= i64::from(i32::MAX) => {
            Width::I32
        }
        _ => Width::I64,
    }
}
