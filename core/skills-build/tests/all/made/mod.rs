//! Generates schemas of inputs, prompts over them, and valid inputs, for comparisons with an oracle.
#![allow(clippy::unwrap_used, reason = "test support")]

use serde_json::{Map, Value, json};

/// A pseudo-random number generator with the same sequence in every run.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap() % n
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

const TEXTS: [&str; 7] = ["", "a", " b\n", "中文é", "\u{1}\"\\", "{{input}}", "zz top"];
const COLOURS: [&str; 3] = ["red", "dark blue", "type"];
const DAYS: [&str; 3] = ["2024-02-29", "0001-01-01", "9999-12-31"];
const NAMES: [&str; 10] = ["code", "type", "notes", "a-b", "主题", "limit", "files", "prompt", "self", "Z"];

/// The kind of a property's value.
#[derive(Clone, Debug)]
enum Kind {
    Text,
    Whole,
    Small,
    Number,
    Flag,
    Colour,
    Level,
    Nullable,
    Anything,
    Either,
    Pair,
    Day,
    List(Box<Kind>),
    Map(Box<Kind>),
    Object(Vec<Property>, bool),
}

#[derive(Clone, Debug)]
struct Property {
    name: &'static str,
    kind: Kind,
    is_required: bool,
    has_default: bool,
}

/// A schema, a prompt over it, and a generator of inputs.
#[derive(Debug)]
pub(crate) struct Made {
    pub(crate) schema: Value,
    pub(crate) prompt: String,
    kind: Kind,
}

impl Made {
    pub(crate) fn new(random: &mut Random) -> Self {
        let kind = object(random, 0);
        let mut schema = schema(&kind, random);
        // The old draft asserts formats, which become types, and has another keyword for tuples.
        match random.below(2) {
            0 => schema["$schema"] = json!("https://json-schema.org/draft/2020-12/schema"),
            _ => rename(&mut schema, &[("items", "additionalItems"), ("prefixItems", "items")]),
        }
        let Kind::Object(properties, _) = &kind else { unreachable!("an object was made") };
        let count = if random.below(8) == 0 { 0 } else { 1 + random.below(9) };
        let pieces = (0..count).map(|_| piece(random, properties));
        let prompt = format!("Do }} it.\n{}\nDone }}}} \\ 。\n", pieces.collect::<String>());
        Self { schema, prompt, kind }
    }

    pub(crate) fn input(&self, random: &mut Random) -> Value {
        value(&self.kind, random, 0)
    }
}

fn kind(random: &mut Random, depth: usize) -> Kind {
    match random.below(if depth > 2 { 11 } else { 16 }) {
        0 => Kind::Text,
        1 => Kind::Whole,
        2 => Kind::Small,
        3 => Kind::Number,
        4 => Kind::Flag,
        5 => Kind::Colour,
        6 => Kind::Level,
        7 => Kind::Nullable,
        8 => Kind::Anything,
        9 => Kind::Pair,
        10 => Kind::Day,
        11 => Kind::Either,
        12 | 13 => Kind::List(Box::new(kind(random, depth + 1))),
        14 => Kind::Map(Box::new(kind(random, depth + 1))),
        _ => object(random, depth + 1),
    }
}

fn object(random: &mut Random, depth: usize) -> Kind {
    let mut properties: Vec<Property> = Vec::new();
    for _ in 0..2 + random.below(5) {
        let name = random.pick(&NAMES);
        if properties.iter().any(|property| property.name == name) {
            continue;
        }
        let kind = kind(random, depth);
        let has_default = random.below(3) == 0
            && matches!(
                kind,
                Kind::Text
                    | Kind::Day
                    | Kind::Whole
                    | Kind::Number
                    | Kind::Flag
                    | Kind::Colour
                    | Kind::List(_)
            );
        properties.push(Property {
            name,
            kind,
            is_required: !has_default && random.below(2) == 0,
            has_default,
        });
    }
    Kind::Object(properties, random.below(2) == 0)
}

fn schema(kind: &Kind, random: &mut Random) -> Value {
    match kind {
        Kind::Text => json!({"type": "string"}),
        Kind::Whole => json!({"type": "integer"}),
        Kind::Small => json!({"type": "integer", "minimum": 0, "maximum": 9}),
        Kind::Number => json!({"type": "number"}),
        Kind::Flag => json!({"type": "boolean"}),
        Kind::Colour => json!({"enum": COLOURS}),
        Kind::Level => json!({"enum": [1, -2, 30]}),
        Kind::Nullable => json!({"type": ["string", "null"]}),
        Kind::Day => json!({"type": "string", "format": "date"}),
        Kind::Anything => json!({}),
        Kind::Either => {
            json!({"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "boolean"}}, {"type": "number"}]})
        }
        Kind::Pair => json!({
            "type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}],
            "minItems": 2, "maxItems": 2, "items": false,
        }),
        Kind::List(item) => json!({"type": "array", "items": schema(item, random)}),
        Kind::Map(item) => json!({"type": "object", "additionalProperties": schema(item, random)}),
        Kind::Object(properties, is_open) => {
            let mut members = Map::new();
            for property in properties {
                let mut inner = schema(&property.kind, random);
                if property.has_default {
                    inner["default"] = match property.kind {
                        Kind::List(_) => json!([]),
                        ref kind => value(kind, random, 9),
                    };
                }
                members.insert(property.name.to_owned(), inner);
            }
            let required: Vec<&str> = properties
                .iter()
                .filter(|property| property.is_required)
                .map(|property| property.name)
                .collect();
            json!({
                "type": "object", "properties": members, "required": required, "additionalProperties": is_open,
            })
        }
    }
}

/// Converts the tuples of a schema to draft-07.
fn rename(schema: &mut Value, names: &[(&str, &str)]) {
    if let Value::Object(members) = schema {
        if members.contains_key("prefixItems") {
            for (from, to) in names {
                let value = members.remove(*from).unwrap();
                members.insert((*to).to_owned(), value);
            }
        }
        members.values_mut().for_each(|value| rename(value, names));
    }
}

fn value(kind: &Kind, random: &mut Random, depth: usize) -> Value {
    match kind {
        Kind::Text => json!(random.pick(&TEXTS)),
        Kind::Whole => json!(random.pick(&[0, -1, 7, i64::MAX, i64::MIN])),
        Kind::Small => json!(random.below(10)),
        Kind::Number => number(random),
        Kind::Flag => json!(random.below(2) == 0),
        Kind::Colour => json!(random.pick(&COLOURS)),
        Kind::Level => json!(random.pick(&[1, -2, 30])),
        Kind::Nullable if random.below(2) == 0 => Value::Null,
        Kind::Nullable => json!(random.pick(&TEXTS)),
        Kind::Day => json!(random.pick(&DAYS)),
        Kind::Anything => anything(random, depth),
        Kind::Either => match random.below(3) {
            0 => json!(random.pick(&TEXTS)),
            1 => json!([true, false]),
            _ => number(random),
        },
        Kind::Pair => json!([random.pick(&TEXTS), random.below(1000)]),
        Kind::List(item) => (0..random.below(4)).map(|_| value(item, random, depth + 1)).collect(),
        Kind::Map(item) => {
            let keys = (0..random.below(3)).map(|_| (random.pick(&TEXTS).to_owned(), ())).collect::<Vec<_>>();
            Value::Object(keys.into_iter().map(|(key, ())| (key, value(item, random, depth + 1))).collect())
        }
        Kind::Object(properties, is_open) => {
            let mut members = Map::new();
            for property in properties {
                if property.is_required || random.below(2) == 0 {
                    members.insert(property.name.to_owned(), value(&property.kind, random, depth + 1));
                }
            }
            if *is_open && random.below(2) == 0 {
                members.insert("more".to_owned(), anything(random, depth));
                members.insert("0".to_owned(), number(random));
            }
            Value::Object(members)
        }
    }
}

/// Returns a number that fits a double and can be written in more than one way.
fn number(random: &mut Random) -> Value {
    json!(random.pick(&[0.0, -0.0, 5.0, 2.5, -0.125, 1e15, 1e300, 5e-324, 123_456_789.0, 0.1]))
}

fn anything(random: &mut Random, depth: usize) -> Value {
    match random.below(if depth > 3 { 5 } else { 7 }) {
        0 => Value::Null,
        1 => json!(random.below(2) == 0),
        2 => number(random),
        3 => json!(u64::MAX),
        4 => json!(random.pick(&TEXTS)),
        5 => (0..random.below(4)).map(|_| anything(random, depth + 1)).collect(),
        _ => json!({"title": random.pick(&TEXTS), "a": anything(random, depth + 1)}),
    }
}

/// Returns a piece of a prompt that reads one of the properties, in a way that may fit its type.
fn piece(random: &mut Random, properties: &[Property]) -> String {
    let property = &properties[random.below(properties.len())];
    let (mut path, mut kind) = (format!("input['{}']", property.name), &property.kind);
    if property.name.bytes().all(|byte| byte.is_ascii_alphabetic()) {
        path = format!("input.{}", property.name);
    }
    while let Kind::Object(inner, _) = kind
        && random.below(3) > 0
    {
        let property = &inner[random.below(inner.len())];
        if !property.name.bytes().all(|byte| byte.is_ascii_alphabetic()) {
            break;
        }
        path.push_str(&format!(".{}", property.name));
        kind = &property.kind;
    }
    let filters: &[&str] = match kind {
        Kind::Text | Kind::Day | Kind::Nullable | Kind::Colour => {
            &["upcase", "strip", "truncate: 2", "size", "slice: 1: 3"]
        }
        Kind::Whole | Kind::Small | Kind::Number | Kind::Level => &["round", "round: 1"],
        Kind::List(_) | Kind::Pair => {
            &["join", "join: ' / '", "size", "first", "last", "uniq", "slice: -2: 9", "map: title", "sort"]
        }
        Kind::Anything => &["upcase", "join: '+'", "map: title", "sort", "where: title: 'a'", "round: 2"],
        _ => &["json"],
    };
    let filter = random.pick(filters);
    match random.below(9) {
        0 => format!("<{{{{{path}}}}}>"),
        1 => format!("{{{{{path} | json}}}}\n"),
        2 => format!("{{{{ {path} | {filter} }}}};"),
        3 => format!("{{{{{path} | {filter} | json}}}}"),
        4 => format!("{{{{{path} || 'none'}}}}"),
        5 => format!("{{{{{path} | default: 7}}}}"),
        6 => format!("{{{{#if {path}}}}}yes {{{{{path}}}}}{{{{else}}}}no{{{{/if}}}}\n"),
        7 if matches!(kind, Kind::List(_) | Kind::Pair | Kind::Anything) => format!(
            "{{{{#each {path}}}}}- {{{{index}}}} {{{{item}}}} {{{{item | json}}}}{{{{#if item}}}}!{{{{/if}}}}\n{{{{/each}}}}"
        ),
        7 => "{{input | json}}\n".to_owned(),
        _ if matches!(kind, Kind::List(_) | Kind::Pair | Kind::Anything) => format!("{{{{{path}.0}}}}"),
        _ => "{{{{literal}}}} {{#raw}}{{input}}{{/raw}}".to_owned(),
    }
}
