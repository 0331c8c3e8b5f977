//! Converts a choice of schemas to a union, distinguished by JSON type or by a constant property, or to any
//! value.

use skills_schema::{Part, Value};

use super::build::{Hint, ShapeBuilder, nullable};
use super::merge::gives_type;
use super::{Arm, DefKind, Keys, Presence, Sign, TypeShape, Union, ValueType, Wire, ident, keywords};

/// The maximum number of alternatives of a union whose arms are compared with each other.
const MAX_ARMS: usize = 64;

/// The maximum number of references and lists in a choice of constants; they are followed on the call stack.
const MAX_SEEN: usize = 500;

/// An alternative of a union that is distinguished by its JSON type.
struct Place<'s, 't> {
    kind: ValueType,
    schema: Part<'s>,
    /// The type of this alternative, if its schema accepts several types.
    name: Option<&'t str>,
    doc: String,
}

/// A string, an integer or `null` that a schema allows.
struct Choice {
    /// The value; `None` is `null`.
    wire: Option<Wire>,
    doc: String,
}

impl<'s> ShapeBuilder<'s, '_> {
    /// Converts `oneOf` or `anyOf` of constants to an enum. The documentation of each alternative is that of its
    /// variant. Returns `None` if the schema is not such a choice.
    pub(super) fn of_constants(&mut self, node: Part<'s>, hint: &Hint<'_>) -> Option<TypeShape> {
        if node.types().is_empty() {
            // The only alternative beside `null` has its own type, for example that of a definition.
            let mut lists = ["oneOf", "anyOf"].into_iter().filter_map(|key| keywords::list(node, key));
            if lists.any(|items| has_one_beside_null(&items)) {
                return None;
            }
        }
        let choices = choices(node)?;
        let has_null = choices.iter().any(|choice| choice.wire.is_none());
        let values: Vec<(Wire, String)> =
            choices.into_iter().filter_map(|choice| Some((choice.wire?, choice.doc))).collect();
        let texts = values.iter().filter(|(wire, _)| matches!(wire, Wire::Text(_))).count();
        if values.is_empty() || (texts > 0 && texts < values.len()) {
            return None;
        }
        let shape = self.enumeration(values, node, hint);
        Some(if has_null { nullable(shape) } else { shape })
    }

    /// Converts a schema without `type` to a shape, from `anyOf`, `oneOf` or a single `allOf`.
    pub(super) fn untyped(&mut self, node: Part<'s>, hint: &Hint<'_>) -> TypeShape {
        let lists = ["anyOf", "oneOf", "allOf"].into_iter();
        let lists: Vec<_> = lists.filter_map(|key| Some((key, keywords::list(node, key)?))).collect();
        let [(key, items)] = lists.as_slice() else { return TypeShape::Value };
        match (*key, items.as_slice()) {
            ("allOf", _) if items.len() > 1 || node.has("properties") => {
                // The others only restrict the first one.
                let says: Vec<_> =
                    items.iter().filter(|item| items.len() == 1 || gives_type(**item)).collect();
                match (self.merged(node, hint), says.as_slice()) {
                    (Some(shape), _) => shape,
                    (None, [only]) => self.shape(**only, hint),
                    _ => TypeShape::Value,
                }
            }
            (_, [only]) => self.shape(*only, hint),
            _ => self.of_schemas(node, items, hint),
        }
    }

    /// Converts an object schema without its own properties, but with `anyOf` or `oneOf`, to a union.
    pub(super) fn of_objects(&mut self, node: Part<'s>, hint: &Hint<'_>) -> Option<TypeShape> {
        let items = keywords::list(node, "oneOf").or_else(|| keywords::list(node, "anyOf"))?;
        let beside = ["additionalProperties", "patternProperties", "allOf", "$ref"];
        if beside.iter().any(|key| node.has(key)) || items.len() < 2 {
            return None;
        }
        let targets = targets(&items)?;
        let rest: Vec<_> = items.iter().copied().zip(targets).collect();
        let union = self.attempt(|builder| builder.tagged(node, &items, hint));
        union.or_else(|| self.attempt(|builder| builder.untagged(node, &rest, hint)))
    }

    /// Converts an object schema with its own properties and with tagged alternatives to a union. Each arm has the
    /// common properties, too.
    pub(super) fn of_common(&mut self, node: Part<'s>, hint: &Hint<'_>) -> Option<TypeShape> {
        let lists = ["oneOf", "anyOf"].into_iter().filter_map(|key| keywords::list(node, key));
        let lists: Vec<Vec<Part<'s>>> = lists.collect();
        let [items] = lists.as_slice() else { return None };
        let targets = targets(items)?;
        let are_objects = targets.iter().all(|item| item.types().is_empty() || item.types() == ["object"]);
        if items.len() < 2 || items.len() > MAX_ARMS || !are_objects {
            return None;
        }
        let (tag, values) = find_tag(&targets)?;
        self.attempt(|builder| {
            let union = DefKind::Union(Union { arms: Vec::new(), tag: None });
            let at = builder.define(hint, node, union);
            let mut arms = Vec::new();
            for ((item, target), value) in items.iter().copied().zip(targets).zip(values) {
                let shape = builder.merged_of(&[node, item], &hint.within(&ident::camel(value)))?;
                let (ident, sign) = (ident::variant(value), Sign::Tag(value.to_owned()));
                arms.push(Arm { ident, doc: keywords::doc(target), shape, sign });
            }
            Some(builder.fill(at, DefKind::Union(Union { arms, tag: Some(tag.to_owned()) })))
        })
    }

    /// Converts a list of types to a union.
    pub(super) fn of_types<'t>(&mut self, node: Part<'s>, types: &[&'t str], hint: &Hint<'_>) -> TypeShape {
        let rest = types.iter().filter(|name| **name != "null");
        let arms: Option<Vec<_>> = rest
            .map(|name| {
                Some(Place { kind: kind_of(name)?, schema: node, name: Some(name), doc: String::new() })
            })
            .collect();
        self.by_kind(node, arms.unwrap_or_default(), types.contains(&"null"), hint)
    }

    fn of_schemas(&mut self, node: Part<'s>, items: &[Part<'s>], hint: &Hint<'_>) -> TypeShape {
        let Some(targets) = targets(items) else { return TypeShape::Value };
        let has_null = targets.iter().any(|target| is_null(*target));
        let rest: Vec<(Part<'s>, Part<'s>)> =
            items.iter().copied().zip(targets).filter(|(_, target)| !is_null(*target)).collect();
        if let [(item, _)] = rest.as_slice() {
            let shape = self.shape(*item, hint);
            return if has_null { nullable(shape) } else { shape };
        }
        let kinds: Option<Vec<ValueType>> = rest.iter().map(|(_, target)| kind(*target)).collect();
        let Some(kinds) = kinds else { return TypeShape::Value };
        if distinct(&kinds) {
            let places = kinds.into_iter().zip(rest);
            let place =
                |(kind, (schema, target))| Place { kind, schema, name: None, doc: keywords::doc(target) };
            return self.by_kind(node, places.map(place).collect(), has_null, hint);
        }
        let items: Vec<Part<'s>> = rest.iter().map(|(item, _)| *item).collect();
        if has_null {
            self.open_nullable();
        }
        let union = self.attempt(|builder| builder.tagged(node, &items, hint));
        let union = union.or_else(|| self.attempt(|builder| builder.untagged(node, &rest, hint)));
        let shape = union.unwrap_or(TypeShape::Value);
        if has_null { nullable(shape) } else { shape }
    }

    /// Creates a union of which several alternatives are objects, without a tag, such as an enum of serde with the
    /// variant as the only key. An arm is chosen by its properties.
    fn untagged(
        &mut self,
        node: Part<'s>,
        items: &[(Part<'s>, Part<'s>)],
        hint: &Hint<'_>,
    ) -> Option<TypeShape> {
        let kinds: Vec<ValueType> = items.iter().map(|(_, target)| kind(*target)).collect::<Option<_>>()?;
        let others: Vec<ValueType> =
            kinds.iter().copied().filter(|kind| *kind != ValueType::Object).collect();
        if !distinct(&others) || items.len() > MAX_ARMS {
            return None;
        }
        // The index is reserved before the arms are walked, so that one of them may refer back to it.
        let at = self.define(hint, node, DefKind::Union(Union { arms: Vec::new(), tag: None }));
        let mut arms: Vec<Arm> = Vec::new();
        for ((item, target), kind) in items.iter().copied().zip(kinds) {
            let name =
                if kind == ValueType::Object { object_name(item, target) } else { format!("{kind:?}") };
            let mut ident = name.clone();
            let mut count = 1;
            while arms.iter().any(|arm| arm.ident == ident) {
                count += 1;
                ident = format!("{name}{count}");
            }
            let shape = self.shape(item, &hint.within(&ident));
            let sign = if kind == ValueType::Object { self.keys(&shape, target)? } else { Sign::Kind(kind) };
            arms.push(Arm { ident, doc: keywords::doc(target), shape, sign });
        }
        Some(self.fill(at, DefKind::Union(Union { arms, tag: None })))
    }

    /// Returns the properties of an object type; `None` if they do not decide whether it can hold a value.
    fn keys(&self, shape: &TypeShape, target: Part<'s>) -> Option<Sign> {
        let TypeShape::Named(at) = shape else { return None };
        let DefKind::Struct(structure) = &self.defs.get(*at)?.kind else { return None };
        let mut fixed = Vec::new();
        for (key, value) in &structure.fixed {
            let Wire::Text(text) = value else { return None };
            fixed.push((key.clone(), text.clone()));
        }
        let fields = structure.fields.iter();
        let by_field = fields.clone().filter(|field| field.presence == Presence::Required);
        let mut required: Vec<String> = Vec::new();
        for key in by_field.map(|field| field.wire.as_str()).chain(keywords::required(target)) {
            if !required.iter().any(|known| known == key) && !fixed.iter().any(|(fixed, _)| fixed == key) {
                required.push(key.to_owned());
            }
        }
        let known = structure.additional.is_none().then(|| {
            fields.map(|field| field.wire.clone()).chain(fixed.iter().map(|(key, _)| key.clone())).collect()
        });
        Some(Sign::Keys(Keys { required, fixed, known }))
    }

    /// Runs a conversion, and removes all types that it created if it fails.
    fn attempt(&mut self, convert: impl FnOnce(&mut Self) -> Option<TypeShape>) -> Option<TypeShape> {
        let mark = self.mark();
        let shape = convert(self);
        if shape.is_none() {
            self.reset(mark);
        }
        shape
    }

    /// Creates a union of alternatives with different JSON types.
    fn by_kind(
        &mut self,
        node: Part<'s>,
        places: Vec<Place<'s, '_>>,
        has_null: bool,
        hint: &Hint<'_>,
    ) -> TypeShape {
        let kinds: Vec<ValueType> = places.iter().map(|place| place.kind).collect();
        if places.is_empty() || !distinct(&kinds) {
            return TypeShape::Value;
        }
        if has_null {
            self.open_nullable();
        }
        // The index is reserved before the arms are walked, so that one of them may refer back to it.
        let empty = Union { arms: Vec::new(), tag: None };
        let at = self.define(hint, node, DefKind::Union(empty));
        let mut walked = Vec::new();
        for Place { kind, schema, name, doc } in places {
            let ident = format!("{kind:?}");
            let called = format!("{}{ident}", hint.name);
            let hint = Hint { name: &called, is_root: false, ..*hint };
            let shape = match name {
                Some(name) => self.typed(name, schema, &hint),
                None => self.shape(schema, &hint),
            };
            walked.push(Arm { ident, doc, shape, sign: Sign::Kind(kind) });
        }
        let shape = self.fill(at, DefKind::Union(Union { arms: walked, tag: None }));
        if has_null { nullable(shape) } else { shape }
    }

    /// Creates a union of objects that are distinguished by a required property with a constant.
    fn tagged(&mut self, node: Part<'s>, items: &[Part<'s>], hint: &Hint<'_>) -> Option<TypeShape> {
        let targets = targets(items)?;
        if !targets.iter().all(|target| target.types() == ["object"]) {
            return None;
        }
        let (tag, values) = find_tag(&targets)?;
        let named = values.iter().map(|value| ident::variant(value)).zip(values.iter().copied());
        let mut arms = Vec::new();
        for ((item, target), (ident, value)) in items.iter().copied().zip(targets).zip(named) {
            let shape = self.shape(item, &hint.within(&ident::camel(value)));
            if !matches!(shape, TypeShape::Named(_) | TypeShape::Boxed(_)) {
                return None;
            }
            arms.push(Arm { ident, doc: keywords::doc(target), shape, sign: Sign::Tag(value.to_owned()) });
        }
        let at = self.define(hint, node, DefKind::Union(Union { arms, tag: Some(tag.to_owned()) }));
        Some(TypeShape::Named(at))
    }
}

/// Finds the property whose required constants distinguish all alternatives, with these constants.
fn find_tag<'s>(targets: &[Part<'s>]) -> Option<(&'s str, Vec<&'s str>)> {
    targets.first()?.members_of("properties").iter().find_map(|member| {
        let values: Option<Vec<&str>> = targets.iter().map(|target| tag_value(*target, member.key)).collect();
        Some((member.key, values.filter(|values| distinct(values))?))
    })
}

/// Returns the name of an object among alternatives: that of its definition, its title or its only required property.
fn object_name(item: Part<'_>, target: Part<'_>) -> String {
    let reference = item.get("$ref").map(|reference| reference.as_str().unwrap_or_default());
    let definition = reference.and_then(|reference| reference.rsplit(['/', '#']).next());
    let title = target.get("title").and_then(Part::as_str);
    let required = keywords::required(target);
    let only = if let [only] = required.as_slice() { Some(*only) } else { None };
    let name = definition.or(title).or(only).filter(|name| !name.is_empty());
    name.map_or_else(|| "Object".to_owned(), ident::camel)
}

fn distinct<T: PartialEq>(values: &[T]) -> bool {
    values.iter().enumerate().all(|(at, value)| !values[..at].contains(value))
}

/// Returns the schemas with references resolved; `None` if one cannot be resolved.
fn targets<'s>(items: &[Part<'s>]) -> Option<Vec<Part<'s>>> {
    items.iter().map(|item| if item.has("$ref") { item.reference() } else { Some(*item) }).collect()
}

/// Returns the constant of a required property of an object schema.
fn tag_value<'s>(target: Part<'s>, key: &str) -> Option<&'s str> {
    if !keywords::required(target).contains(&key) {
        return None;
    }
    match keywords::constants(target.get("properties")?.get(key)?)?.as_slice() {
        [only] => only.as_str(),
        _ => None,
    }
}

/// Returns the only JSON type that a schema accepts.
fn kind(node: Part<'_>) -> Option<ValueType> {
    match node.types().as_slice() {
        [name] => kind_of(name),
        [] => {
            let Some(constants) = keywords::constants(node) else { return kind_of_choices(node) };
            let kinds: Vec<ValueType> =
                constants.into_iter().map(|value| value.value().json_type()).collect();
            let first = *kinds.first()?;
            (first != ValueType::Null && kinds.iter().all(|kind| *kind == first)).then_some(first)
        }
        _ => None,
    }
}

/// Returns the only JSON type of a choice of constants.
fn kind_of_choices(node: Part<'_>) -> Option<ValueType> {
    let choices = choices(node)?;
    let kinds: Option<Vec<ValueType>> = choices
        .iter()
        .map(|choice| match choice.wire.as_ref()? {
            Wire::Text(_) => Some(ValueType::String),
            Wire::Integer(_) => Some(ValueType::Number),
        })
        .collect();
    let kinds = kinds?;
    let first = *kinds.first()?;
    kinds.iter().all(|kind| *kind == first).then_some(first)
}

/// Returns `true` if at most one of the alternatives accepts other values than `null`.
fn has_one_beside_null(items: &[Part<'_>]) -> bool {
    targets(items).is_some_and(|targets| targets.iter().filter(|target| !is_null(**target)).count() < 2)
}

/// Returns `true` if a schema accepts only `null`.
fn is_null(target: Part<'_>) -> bool {
    let types = target.types();
    match keywords::constants(target) {
        Some(values) => {
            values.iter().all(|value| matches!(value.value(), Value::Null))
                && (types.is_empty() || types.contains(&"null"))
        }
        None => types == ["null"],
    }
}

/// Returns the values of a schema with `oneOf` or `anyOf`, if all alternatives are strings, integers or `null`.
fn choices(node: Part<'_>) -> Option<Vec<Choice>> {
    let has_list = ["oneOf", "anyOf"].iter().any(|key| keywords::list(node, key).is_some());
    let mut found = Vec::new();
    let is_choice = has_list && add_choices(node, &mut Vec::new(), &mut found).is_some();
    is_choice.then_some(found)
}

/// Adds the constants that a schema allows; `None` if it may allow another value. Keywords that refuse some of the
/// constants are left to the tables.
fn add_choices<'s>(schema: Part<'s>, seen: &mut Vec<Part<'s>>, found: &mut Vec<Choice>) -> Option<()> {
    if schema.is_bool(false) {
        return Some(());
    }
    let from = found.len();
    if let Some(values) = keywords::constants(schema) {
        let doc = if values.len() == 1 { keywords::doc(schema) } else { String::new() };
        for value in values {
            let wire = match (value.value(), value.as_str()) {
                (Value::Null, _) => None,
                (_, Some(text)) => Some(Wire::Text(text.to_owned())),
                _ => Some(Wire::Integer(keywords::whole(value)?)),
            };
            found.push(Choice { wire, doc: doc.clone() });
        }
    } else if is_null(schema) {
        found.push(Choice { wire: None, doc: String::new() });
    } else {
        // Each schema is visited once, so references in a circle or to the same place end.
        if seen.len() >= MAX_SEEN || seen.contains(&schema) {
            return None;
        }
        seen.push(schema);
        if schema.has("$ref") {
            add_choices(schema.plain_reference()?, seen, found)?;
            let doc = keywords::doc(schema);
            if let ([only], false) = (&mut found[from..], doc.is_empty()) {
                only.doc = doc;
            }
            return Some(());
        }
        add_alternatives(schema, "oneOf", seen, found).or_else(|| {
            found.truncate(from);
            add_alternatives(schema, "anyOf", seen, found)
        })?;
    }
    for choice in found.split_off(from) {
        let names: &[&str] = match &choice.wire {
            None => &["null"],
            Some(Wire::Text(_)) => &["string"],
            Some(Wire::Integer(_)) => &["integer", "number"],
        };
        if keywords::allows(schema, names) {
            found.push(choice);
        }
    }
    Some(())
}

fn add_alternatives<'s>(
    schema: Part<'s>,
    key: &str,
    seen: &mut Vec<Part<'s>>,
    found: &mut Vec<Choice>,
) -> Option<()> {
    keywords::list(schema, key)?.into_iter().try_for_each(|item| add_choices(item, seen, found))
}

fn kind_of(name: &str) -> Option<ValueType> {
    Some(match name {
        "boolean" => ValueType::Bool,
        "integer" | "number" => ValueType::Number,
        "string" => ValueType::String,
        "array" => ValueType::Array,
        "object" => ValueType::Object,
        _ => return None,
    })
}
