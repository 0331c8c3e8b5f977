//! Converts object schemas: to a struct if properties are declared, otherwise to a map.

use skills_schema::Part;

use super::build::{Hint, ShapeBuilder};
use super::keywords;
use super::merge::has_parts;
use super::names::Names;
use super::{DefKind, Field, Presence, Struct, TypeShape, ident};

impl<'s> ShapeBuilder<'s, '_> {
    /// Converts a schema of type `object` to a shape.
    pub(super) fn object(&mut self, node: Part<'s>, hint: &Hint<'_>) -> TypeShape {
        let has_own = has_parts(node) || !node.members_of("properties").is_empty();
        if has_own && let Some(shape) = self.of_common(node, hint) {
            return shape;
        }
        if has_parts(node)
            && let Some(shape) = self.merged(node, hint)
        {
            return shape;
        }
        if node.members_of("properties").is_empty() {
            if let Some(shape) = self.of_objects(node, hint) {
                return shape;
            }
            return self.map(node, hint);
        }
        if node.get("allOf").is_some_and(|all| {
            all.items().iter().any(|item| item.has("properties") || item.get("$ref").is_some())
        }) {
            // The parts add properties that one struct cannot hold, so only the tables check them.
            return TypeShape::Map(Box::new(TypeShape::Value));
        }
        self.structure(node, hint)
    }

    /// Converts the properties of a schema to a struct.
    pub(super) fn structure(&mut self, node: Part<'s>, hint: &Hint<'_>) -> TypeShape {
        // The index is reserved before the properties are walked, so that one of them may refer back to it.
        let at = self.define(hint, node, DefKind::Enum(Vec::new()));
        let properties = node.members_of("properties").into_iter();
        let properties = properties.map(|member| (member.key, vec![member.value], Some(member.value)));
        let (mut structure, mut idents) = self.fields(properties, &keywords::required(node), hint);
        structure.additional = self.additional(node, hint).map(|shape| (shape, idents.field("additional")));
        self.fill(at, DefKind::Struct(structure))
    }

    /// Returns the shape of additional properties; `None` if they are refused.
    fn additional(&mut self, node: Part<'s>, hint: &Hint<'_>) -> Option<TypeShape> {
        if !node.members_of("patternProperties").is_empty() {
            return Some(TypeShape::Value);
        }
        match node.get("additionalProperties") {
            Some(schema) if schema.is_bool(false) => None,
            Some(schema) => Some(self.shape(schema, &hint.within("Additional"))),
            None => Some(TypeShape::Value),
        }
    }

    fn map(&mut self, node: Part<'s>, hint: &Hint<'_>) -> TypeShape {
        let patterns = node.members_of("patternProperties");
        let value = match (node.get("additionalProperties"), patterns.as_slice()) {
            (Some(schema), []) if !schema.is_bool(false) => self.inner(schema, hint),
            (Some(schema), [only]) if schema.is_bool(false) => self.inner(only.value, hint),
            _ => TypeShape::Value,
        };
        TypeShape::Map(Box::new(value))
    }

    /// Creates the fields of properties: `properties` has the key, the documentation, and the schema that
    /// determines the type of each. Without such a schema, the field accepts any value.
    pub(super) fn fields(
        &mut self,
        properties: impl Iterator<Item = (&'s str, Vec<Part<'s>>, Option<Part<'s>>)>,
        required: &[&str],
        hint: &Hint<'_>,
    ) -> (Struct, Names) {
        let mut idents = Names::default();
        let mut structure = Struct { fields: Vec::new(), fixed: Vec::new(), additional: None };
        for (key, given, chosen) in properties {
            let is_required = required.contains(&key);
            if let Some(value) = chosen.and_then(keywords::constant).filter(|_| is_required) {
                structure.fixed.push((key.to_owned(), value));
                continue;
            }
            let shape = chosen
                .map_or(TypeShape::Value, |schema| self.shape(schema, &hint.within(&ident::camel(key))));
            structure.fields.push(Field {
                wire: key.to_owned(),
                ident: String::new(),
                doc: given
                    .iter()
                    .map(|schema| keywords::doc(*schema))
                    .find(|doc| !doc.is_empty())
                    .unwrap_or_default(),
                shape,
                // A required property never uses its default; a property without its own schema has no
                // default.
                presence: match chosen.and_then(Part::default) {
                    _ if is_required => Presence::Required,
                    Some(default) if default.document().is_fit(default) => {
                        Presence::Default(default.text().to_owned())
                    }
                    _ => Presence::Optional,
                },
            });
        }
        let keys: Vec<&str> = structure.fields.iter().map(|field| field.wire.as_str()).collect();
        let named = idents.fields(&keys);
        for (field, ident) in structure.fields.iter_mut().zip(named) {
            field.ident = ident;
        }
        (structure, idents)
    }
}
