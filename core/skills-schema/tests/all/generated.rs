//! Compares randomly generated schemas, with all keywords and deep nesting, with the `jsonschema` crate, for
//! text and for values in memory.
//!
//! `SKILLS_SEEDS=100000 cargo test -p skills-schema --test all generated --release` runs for longer.
#![allow(clippy::panic, clippy::print_stdout, reason = "tests fail by panicking and print their counts")]

use serde_json::{Map, Value, json};
use skills_schema::lower::{DocumentOptions, Draft, SchemaLevel, lower};
use skills_schema::{is_valid_str, validate_str};

use crate::instances::{instance, mutate};
use crate::random::Random;

/// Names of properties in schemas and values.
const NAMES: [&str; 6] = ["a", "b", "c", "x1", "é", ""];

/// Generates the parts of one schema.
struct Maker<'r> {
    random: &'r mut Random,
    draft: Draft,
    definitions: usize,
}

impl Maker<'_> {
    /// Returns a schema with its definitions.
    fn root(&mut self) -> Value {
        let mut root = self.schema(3, self.definitions);
        let key = if self.draft == Draft::Draft7 { "definitions" } else { "$defs" };
        let mut definitions = Map::new();
        for at in 0..self.definitions {
            definitions.insert(format!("d{at}"), self.schema(2, at));
        }
        if !root.is_object() {
            root = json!({"allOf": [root]});
        }
        root[key] = Value::Object(definitions);
        root["$schema"] = json!(self.draft.uri());
        root
    }

    /// Returns a schema. If it applies to the same value as its definition, it may refer only to the first
    /// `below` definitions, so that no reference leads to itself.
    fn schema(&mut self, depth: usize, below: usize) -> Value {
        if depth == 0 || self.random.below(12) == 0 {
            return match self.random.below(9) {
                0 => json!(true),
                1 => json!(false),
                2 => json!({}),
                3 if below > 0 => self.reference(below),
                _ => json!({"type": self.kind()}),
            };
        }
        let mut schema = Map::new();
        if self.random.below(3) > 0 {
            let kind =
                if self.random.below(3) == 0 { json!([self.kind(), "null"]) } else { json!(self.kind()) };
            schema.insert("type".into(), if kind == json!(["null", "null"]) { json!("null") } else { kind });
        }
        for _ in 0..1 + self.random.below(3) {
            let (key, value) = self.keyword(depth - 1, below);
            schema.insert(key.into(), value);
        }
        if below > 0 && self.random.below(8) == 0 {
            schema.insert("$ref".into(), self.reference(below)["$ref"].clone());
        }
        Value::Object(schema)
    }

    fn reference(&mut self, below: usize) -> Value {
        let key = if self.draft == Draft::Draft7 { "definitions" } else { "$defs" };
        json!({"$ref": format!("#/{key}/d{}", self.random.below(below))})
    }

    fn kind(&mut self) -> &'static str {
        self.pick(&["null", "boolean", "integer", "number", "string", "array", "object", "object"])
    }

    fn name(&mut self) -> String {
        (*self.random.pick(&NAMES)).to_owned()
    }

    fn scalar(&mut self) -> Value {
        let pool = [
            json!(null),
            json!(true),
            json!(0),
            json!(1),
            json!(1.0),
            json!(2.5),
            json!(-3),
            json!("a"),
            json!(""),
            json!([]),
            json!([1]),
            json!({}),
            json!({"a": 1}),
            json!({"a": [1.0, null]}),
            json!(1e20),
        ];
        self.random.pick(&pool).clone()
    }

    /// Returns a schema for children of the value, which may refer to every definition.
    fn inner(&mut self, depth: usize) -> Value {
        self.schema(depth, self.definitions)
    }

    fn list(&mut self, depth: usize, below: usize) -> Value {
        (0..1 + self.random.below(3)).map(|_| self.schema(depth, below)).collect()
    }

    fn members(&mut self, depth: usize) -> Value {
        let mut members = Map::new();
        for _ in 0..1 + self.random.below(3) {
            members.insert(self.name(), self.inner(depth));
        }
        Value::Object(members)
    }

    fn names(&mut self) -> Value {
        let mut names: Vec<String> = (0..1 + self.random.below(2)).map(|_| self.name()).collect();
        names.sort();
        names.dedup();
        json!(names)
    }

    fn keyword(&mut self, depth: usize, below: usize) -> (&'static str, Value) {
        let old = self.draft != Draft::Draft2020;
        match self.random.below(35) {
            0..=4 => ("properties", self.members(depth)),
            5 => ("required", self.names()),
            6 => ("additionalProperties", self.inner(depth)),
            7 => {
                let pattern = *self.random.pick(&["^x", "a|b", "\\d", "^$", "[^a]", "é"]);
                ("patternProperties", json!({pattern: self.inner(depth)}))
            }
            8 => ("propertyNames", self.inner(depth.min(1))),
            9 => (self.pick(&["minProperties", "maxProperties"]), json!(self.random.below(3))),
            10 => (self.pick(&["minItems", "maxItems"]), json!(self.random.below(3))),
            11 => (self.pick(&["minLength", "maxLength"]), json!(self.random.below(4))),
            12 => ("items", self.inner(depth)),
            13 if old => ("items", (0..2).map(|_| self.inner(depth)).collect()),
            13 => ("prefixItems", (0..2).map(|_| self.inner(depth)).collect()),
            14 if old => ("additionalItems", self.inner(depth)),
            14 | 15 => ("uniqueItems", json!(self.random.below(3) > 0)),
            16 => ("contains", self.inner(depth)),
            17 => {
                let key = self.pick(&["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"]);
                (key, self.random.pick(&[json!(0), json!(1), json!(1.5), json!(-2), json!(1e20)]).clone())
            }
            18 => ("multipleOf", self.random.pick(&[json!(1), json!(2), json!(0.5), json!(3.0)]).clone()),
            19 => ("pattern", json!(self.random.pick(&["^a", "\\w+", "^.{2}$", "é"]))),
            20 | 21 => ("enum", {
                let mut values: Vec<Value> = Vec::new();
                for _ in 0..1 + self.random.below(4) {
                    let value = self.scalar();
                    if !values.contains(&value) {
                        values.push(value);
                    }
                }
                json!(values)
            }),
            22 => ("const", self.scalar()),
            23 | 24 => ("allOf", self.list(depth, below)),
            25 | 26 => ("anyOf", self.list(depth, below)),
            27 | 28 => ("oneOf", self.list(depth, below)),
            29 => ("not", self.schema(depth, below)),
            30 => (self.pick(&["if", "then", "else"]), self.schema(depth, below)),
            31 => ("default", self.scalar()),
            32 if self.draft == Draft::Draft7 => ("dependencies", self.dependency()),
            32 => ("dependentRequired", self.dependency()),
            33 if self.draft == Draft::Draft7 => ("if", self.schema(depth, below)),
            33 => ("unevaluatedProperties", self.inner(depth.min(1))),
            // For 2019-09, the oracle wrongly lets `contains` mark items as evaluated, as in 2020-12.
            34 if self.draft == Draft::Draft2020 => ("unevaluatedItems", self.inner(depth.min(1))),
            _ => ("properties", self.members(depth)),
        }
    }

    fn dependency(&mut self) -> Value {
        let (name, names) = (self.name(), self.names());
        json!({name: names})
    }

    fn pick(&mut self, names: &[&'static str]) -> &'static str {
        names[self.random.below(names.len())]
    }

    /// Returns a random value from the parts of schemas.
    fn value(&mut self, depth: usize) -> Value {
        match self.random.below(if depth == 0 { 2 } else { 5 }) {
            0 | 1 => self.scalar(),
            2 => (0..self.random.below(4)).map(|_| self.value(depth - 1)).collect(),
            _ => {
                let mut members = Map::new();
                for _ in 0..self.random.below(4) {
                    members.insert(self.name(), self.value(depth - 1));
                }
                Value::Object(members)
            }
        }
    }
}

// SPEC 6.1: accepts exactly the values of the schema, as text and as value.
#[test]
fn random_schemas_get_the_same_result() {
    let seeds = std::env::var("SKILLS_SEEDS")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or_else(|| test_bed::rounds(80) as u64);
    let (mut accepted, mut refused) = (0, 0);
    for seed in 1..=seeds {
        let random = &mut Random::new(seed);
        let draft = *random.pick(&[Draft::Draft7, Draft::Draft2019, Draft::Draft2020]);
        let definitions = random.below(3);
        let mut maker = Maker { random, draft, definitions };
        let schema = maker.root();
        let oracle = jsonschema::options().should_validate_formats(false).build(&schema);
        let oracle = oracle.unwrap_or_else(|error| panic!("seed {seed}: {error}\n{schema}"));
        let lowered = lower(&schema.to_string(), &DocumentOptions::default());
        let errors: Vec<_> = lowered.problems.iter().filter(|p| p.level() == SchemaLevel::Error).collect();
        assert!(errors.is_empty(), "seed {seed}: {errors:?}\n{schema}");
        for round in 0..24 {
            let value = if round % 2 == 0 {
                maker.value(3)
            } else {
                let mut value = instance(&schema, &schema, maker.random, 4);
                (0..round % 6 / 2).for_each(|_| mutate(&mut value, maker.random));
                value
            };
            let want = oracle.is_valid(&value);
            if want {
                accepted += 1
            } else {
                refused += 1
            }
            let text = value.to_string();
            // The oracle divides floats. Here multiples are exact, which the tests of `json::number` prove.
            if schema.to_string().contains("multipleOf")
                && (text.contains("e+300") || text.contains("18446744073709551615"))
            {
                continue;
            }
            let results =
                [validate_str(&lowered.tables, &text).is_ok(), is_valid_str(&lowered.tables, &text)];
            assert_eq!(
                results,
                [want; 2],
                "seed {seed}\n{schema}\n{text}\n{:?}",
                validate_str(&lowered.tables, &text)
            );
        }
    }
    println!("{seeds} schemas, {accepted} accepted, {refused} refused");
    assert!(accepted > seeds * 3 && refused > seeds * 3, "{accepted} {refused}");
}
