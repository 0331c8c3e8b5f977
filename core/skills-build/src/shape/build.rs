//! Walks a schema: converts each node to a shape and collects the named types.

use skills_schema::lower::Draft;
use skills_schema::{Document, Part, Value};

use super::names::{self, Wish};
use super::{Def, DefKind, Shapes, TypeShape, Variant, Width, Wire, ident, keywords};

/// The maximum nesting of schemas; deeper places accept any value, because shapes recurse on the call stack.
const DEEPEST: usize = 64;

/// Converts lowered schemas to types: the root gets the given name, and all named types have different names.
///
/// ```
/// use skills_build::shape::{TypeShape, shapes};
/// use skills_schema::lower::lower;
///
/// let text = r#"{"type": "object", "properties": {"n": {"type": "integer"}}}"#;
/// let all = shapes(&[("Input", &lower(text, &Default::default()).document)]);
/// assert_eq!(all[0].root, TypeShape::Named(0));
/// assert_eq!(all[0].defs[0].name, "Input");
/// ```
pub fn shapes(roots: &[(&str, &Document)]) -> Vec<Shapes> {
    let mut wishes = Vec::new();
    let mut all: Vec<Shapes> = (0..)
        .zip(roots)
        .map(|(at, (name, document))| build_shapes(at, name, document.root(), &mut wishes))
        .collect();
    // Names that exist in every module, or that a reader would misunderstand.
    let reserved =
        ["Box", "Default", "Err", "None", "Ok", "Option", "Result", "Some", "String", "Value", "Vec"];
    let reserved: Vec<&str> = roots.iter().map(|(name, _)| *name).chain(reserved).collect();
    let names = names::choose(&reserved, &wishes);
    let others = all.iter_mut().flat_map(|shapes| &mut shapes.defs).filter(|def| def.name.is_empty());
    others.zip(names).for_each(|(def, name)| def.name = name);
    all
}

fn build_shapes(at: usize, name: &str, root: Part<'_>, wishes: &mut Vec<Wish>) -> Shapes {
    let mut builder = ShapeBuilder {
        root: (at, name),
        wishes,
        defs: Vec::new(),
        open: Vec::new(),
        done: Vec::new(),
        depth: 0,
    };
    // The name of the root goes to the first type that the root itself produces.
    let root = builder.shape(root, &Hint::root(name));
    let ShapeBuilder { mut defs, .. } = builder;
    // If the root is, for example, an option of the type that has its name, that type is renamed.
    if let Some(at) = defs.iter().position(|def| def.name == name)
        && root != TypeShape::Named(at)
    {
        defs[at].name = format!("{name}Some");
    }
    Shapes { defs, root }
}

/// Preferences for the name of a type.
#[derive(Clone, Copy)]
pub(super) struct Hint<'h> {
    pub(super) name: &'h str,
    /// The enclosing type.
    pub(super) parent: Option<&'h Hint<'h>>,
    /// Its depth. It is even for properties and odd below definitions, so that their names never compete.
    pub(super) depth: usize,
    pub(super) is_root: bool,
}

impl<'h> Hint<'h> {
    fn root(name: &'h str) -> Self {
        Self { name, parent: None, depth: 0, is_root: true }
    }

    /// Returns the hint for an inner type: a property, a variant.
    pub(super) fn within(&'h self, name: &'h str) -> Self {
        Self { name, parent: Some(self), depth: self.depth + 2, is_root: false }
    }

    /// Returns the hint for a definition, whose name has precedence over names of properties.
    fn definition(&'h self, name: &'h str) -> Self {
        Self { depth: 1, ..self.within(name) }
    }
}

pub(super) struct ShapeBuilder<'s, 'n> {
    /// The place and the name of the root.
    root: (usize, &'n str),
    /// Possible names for the unnamed types, in order.
    wishes: &'n mut Vec<Wish>,
    pub(super) defs: Vec<Def>,
    /// Schemas whose walk is not finished.
    open: Vec<OpenSchema<'s>>,
    /// Finished schemas that references lead to.
    done: Vec<(Part<'s>, TypeShape)>,
    depth: usize,
}

/// The numbers of the parts that were collected at some time.
pub(super) struct Mark {
    defs: usize,
    wishes: usize,
    done: usize,
    def: Option<usize>,
}

/// A schema whose walk is not finished. A reference back to it ends the recursion.
struct OpenSchema<'s> {
    schema: Part<'s>,
    /// Its type, once known.
    def: Option<usize>,
    /// Whether it is also `null`.
    nullable: bool,
}

impl<'s> ShapeBuilder<'s, '_> {
    /// Converts a schema to a shape.
    pub(super) fn shape(&mut self, node: Part<'s>, hint: &Hint<'_>) -> TypeShape {
        if self.depth >= DEEPEST || !node.is_object() {
            return TypeShape::Value;
        }
        if let Some(open) = self.open.iter().find(|open| open.schema == node) {
            let shape = open.def.map_or(TypeShape::Value, TypeShape::Boxed);
            return if open.nullable { nullable(shape) } else { shape };
        }
        self.depth += 1;
        self.open.push(OpenSchema { schema: node, def: None, nullable: false });
        let shape = self.walk(node, hint);
        self.open.pop();
        self.depth -= 1;
        shape
    }

    fn walk(&mut self, node: Part<'s>, hint: &Hint<'_>) -> TypeShape {
        if ["$dynamicRef", "$recursiveRef"].iter().any(|key| node.has(key)) && !hint.is_root {
            return TypeShape::Value;
        }
        if let Some(reference) = node.get("$ref") {
            let reference = reference.as_str().unwrap_or_default();
            return self.reference(reference, node, hint);
        }
        if let Some(constants) = keywords::constants(node) {
            return self.constants(node, &constants, hint);
        }
        if let Some(shape) = self.of_constants(node, hint) {
            return shape;
        }
        let types = node.types();
        match types.as_slice() {
            [] => self.untyped(node, hint),
            [name] => self.typed(name, node, hint),
            [a, b] if *a == "null" || *b == "null" => {
                let name = if *a == "null" { b } else { a };
                self.open_nullable();
                nullable(self.typed(name, node, hint))
            }
            _ => self.of_types(node, &types, hint),
        }
    }

    /// Converts a schema of one type to a shape.
    pub(super) fn typed(&mut self, name: &str, node: Part<'s>, hint: &Hint<'_>) -> TypeShape {
        match name {
            "null" => TypeShape::Null,
            "boolean" => TypeShape::Bool,
            "integer" => TypeShape::Integer(width(node)),
            "number" => TypeShape::Number,
            "string" => node.format().map_or(TypeShape::String, TypeShape::Formatted),
            "array" => self.array(node, hint),
            "object" => self.object(node, hint),
            _ => TypeShape::Value,
        }
    }

    fn array(&mut self, node: Part<'s>, hint: &Hint<'_>) -> TypeShape {
        let positional = if node.draft() == Draft::Draft2020 { "prefixItems" } else { "items" };
        if let Some(items) = keywords::list(node, positional) {
            let length = i64::try_from(items.len()).ok();
            let bounds = ["minItems", "maxItems"].map(|key| keywords::whole_of(node, key));
            if items.len() > 12 || bounds != [length; 2] {
                return TypeShape::Array(Box::new(TypeShape::Value));
            }
            return TypeShape::Tuple(items.into_iter().map(|item| self.inner(item, hint)).collect());
        }
        match node.get("items") {
            Some(items) => TypeShape::Array(Box::new(self.inner(items, hint))),
            None => TypeShape::Array(Box::new(TypeShape::Value)),
        }
    }

    /// Converts the schema of the items of an array or a map to a shape. The shape has the singular of the
    /// given name.
    pub(super) fn inner(&mut self, node: Part<'s>, hint: &Hint<'_>) -> TypeShape {
        match hint.is_root {
            true => self.shape(node, &hint.within("Item")),
            false => self.shape(node, &Hint { name: &ident::singular(hint.name), ..*hint }),
        }
    }

    fn reference(&mut self, reference: &str, node: Part<'s>, hint: &Hint<'_>) -> TypeShape {
        let Some(target) = node.plain_reference() else {
            return self.merged(node, hint).unwrap_or(TypeShape::Value);
        };
        if let Some((_, shape)) = self.done.iter().find(|(done, _)| *done == target) {
            return shape.clone();
        }
        let last = reference.rsplit(['/', '#']).next().filter(|last| !last.is_empty());
        let shape = match last.filter(|_| !hint.is_root) {
            None => self.shape(target, hint),
            // A definition has its own name, whichever reference comes first.
            Some(last) => {
                let root = Hint::root(self.root.1);
                self.shape(target, &root.definition(&ident::camel(last)))
            }
        };
        let is_open = self.open.iter().any(|open| open.schema == target);
        if !is_open {
            self.done.push((target, shape.clone()));
        }
        shape
    }

    fn constants(&mut self, node: Part<'_>, constants: &[Part<'_>], hint: &Hint<'_>) -> TypeShape {
        let mut values = constants.to_vec();
        values.retain(|value| !matches!(value.value(), Value::Null));
        let has_null = values.len() < constants.len();
        let wires: Option<Vec<Wire>> =
            if values.iter().all(|value| value.as_str().is_some()) && keywords::allows(node, &["string"]) {
                values.iter().map(|value| Some(Wire::Text(value.as_str()?.to_owned()))).collect()
            } else if keywords::allows(node, &["integer", "number"]) {
                values.iter().map(|value| keywords::whole(*value).map(Wire::Integer)).collect()
            } else {
                None
            };
        let shape = match wires {
            Some(wires) if wires.is_empty() => {
                return if has_null && keywords::allows(node, &["null"]) {
                    TypeShape::Null
                } else {
                    TypeShape::Value
                };
            }
            Some(wires) => {
                let values = wires.into_iter().map(|wire| (wire, String::new())).collect();
                self.enumeration(values, node, hint)
            }
            None => return TypeShape::Value,
        };
        if has_null && keywords::allows(node, &["null"]) { nullable(shape) } else { shape }
    }

    /// Creates an enum of values, each with its documentation.
    pub(super) fn enumeration(
        &mut self,
        values: Vec<(Wire, String)>,
        node: Part<'_>,
        hint: &Hint<'_>,
    ) -> TypeShape {
        let mut variants: Vec<Variant> = Vec::new();
        for (wire, doc) in values {
            if variants.iter().any(|variant| variant.wire == wire) {
                continue;
            }
            let ident = match &wire {
                Wire::Text(text) => ident::variant(text),
                Wire::Integer(value) => ident::integer_variant(*value),
            };
            variants.push(Variant { ident, doc, wire });
        }
        let at = self.define(hint, node, DefKind::Enum(variants));
        TypeShape::Named(at)
    }

    /// Adds a named type and returns its index.
    pub(super) fn define(&mut self, hint: &Hint<'_>, node: Part<'_>, kind: DefKind) -> usize {
        let name = if hint.is_root { hint.name } else { "" }.to_owned();
        if !hint.is_root {
            let mut names = vec![hint.name.to_owned()];
            let mut led = hint.name.to_owned();
            for around in std::iter::successors(hint.parent, |hint| hint.parent) {
                led.insert_str(0, around.name);
                names.push(led.clone());
            }
            names.extend(node.get("title").and_then(Part::as_str).map(ident::camel));
            self.wishes.push(Wish { rank: (self.root.0, hint.depth), names });
        }
        self.defs.push(Def { name, doc: keywords::doc(node), kind });
        let at = self.defs.len() - 1;
        // The union of a schema comes before the types that it contains, because references to the schema
        // mean the union.
        if let Some(open) = self.open.last_mut() {
            open.def.get_or_insert(at);
        }
        at
    }

    /// Completes the named type whose index was reserved before the walk.
    pub(super) fn fill(&mut self, at: usize, kind: DefKind) -> TypeShape {
        if let Some(def) = self.defs.get_mut(at) {
            def.kind = kind;
        }
        TypeShape::Named(at)
    }

    /// Returns the numbers of all collected parts, for [`reset`](Self::reset).
    pub(super) fn mark(&self) -> Mark {
        let def = self.open.last().and_then(|open| open.def);
        Mark { defs: self.defs.len(), wishes: self.wishes.len(), done: self.done.len(), def }
    }

    /// Removes what was collected since the mark.
    pub(super) fn reset(&mut self, mark: Mark) {
        self.defs.truncate(mark.defs);
        self.wishes.truncate(mark.wishes);
        self.done.truncate(mark.done);
        if let Some(open) = self.open.last_mut() {
            open.def = mark.def;
        }
    }

    /// Marks the current schema as nullable.
    pub(super) fn open_nullable(&mut self) {
        if let Some(open) = self.open.last_mut() {
            open.nullable = true;
        }
    }
}

/// Adds `null` to a shape.
pub(super) fn nullable(shape: TypeShape) -> TypeShape {
    match shape {
        TypeShape::Value | TypeShape::Null | TypeShape::Nullable(_) => shape,
        shape => TypeShape::Nullable(Box::new(shape)),
    }
}

/// Chooses the width of an integer by its bounds.
fn width(node: Part<'_>) -> Width {
    let above = keywords::whole_of(node, "exclusiveMinimum").and_then(|bound| bound.checked_add(1));
    let below = keywords::whole_of(node, "exclusiveMaximum").and_then(|bound| bound.checked_sub(1));
    let least = keywords::whole_of(node, "minimum").or(above);
    let most = keywords::whole_of(node, "maximum").or(below);
    match (least, most) {
        (Some(least), Some(most)) if least >= 0 && most <= i64::from(u32::MAX) => Width::U32,
        (Some(least), _) if least >= 0 => Width::U64,
        (Some(least), Some(most)) if least >= i64::from(i32::MIN) && most <= i64::from(i32::MAX) => {
            Width::I32
        }
        _ => Width::I64,
    }
}
