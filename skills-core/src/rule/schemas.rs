//! Rules about the JSON Schemas of a skill: `input`, `output`, and the file that `schema` names.

use super::Rule;
use crate::level::Level::{Allow, Error, Warning};

/// A `skill.json` with this input schema.
macro_rules! with_input {
    ($input:literal) => {
        concat!(
            "{\n  \"name\": \"add\",\n  \"description\": \"Adds.\",\n  \"category\": \"math\",\n  \"input\": ",
            $input,
            ",\n  \"output\": {},\n  \"mode\": \"code\"\n}\n"
        )
    };
}

rules! {
    /// A schema is not a JSON Schema.
    pub static SCHEMA_INVALID: Rule = Rule {
        code: "schema-invalid",
        spec: "3.2",
        explain: "The input and the output of a skill are JSON Schemas: objects or booleans, in which `type` \
            names the seven JSON types. Anything else would accept what it should refuse.",
        bad: &[("add/skill.json", with_input!("{ \"type\": \"text\" }"))],
        good: &[("add/skill.json", with_input!("{ \"type\": \"string\" }"))],
        ..Rule::error(Error, Error, Allow)
    };

    /// A schema names a dialect that is not supported.
    pub static SCHEMA_DIALECT: Rule = Rule {
        code: "schema-dialect",
        spec: "3.2",
        explain: "Schemas are read as draft-07 when unmarked, or as 2019-09 or 2020-12 when `$schema` says so. \
            Another dialect could mean something else by the same keywords.",
        bad: &[("add/skill.json", with_input!("{ \"$schema\": \"http://json-schema.org/draft-04/schema#\" }"))],
        good: &[("add/skill.json", with_input!("{ \"$schema\": \"http://json-schema.org/draft-07/schema#\" }"))],
        ..Rule::error(Error, Error, Allow)
    };

    /// A `$ref` leads to nothing.
    pub static SCHEMA_REF: Rule = Rule {
        code: "schema-ref",
        spec: "3.2",
        explain: "A `$ref` leads to a part of the schema it stands in (`#/definitions/point`), or to another file \
            of the skill (`shapes.json#/definitions/point`, relative to the file with the reference). It starts at \
            the schema, not at the `skill.json` around it. Nothing is fetched from the network, neither when a \
            program is built nor when it runs.",
        bad: &[(
            "add/skill.json",
            with_input!(
                "{\n    \"definitions\": { \"point\": { \"type\": \"number\" } },\n    \"properties\": {\n      \"from\": { \"$ref\": \"#/definitions/pont\" },\n      \"to\": { \"$ref\": \"https://example.com/point.json\" },\n      \"by\": { \"$ref\": \"shapes.json#/definitions/step\" }\n    }\n  }"
            ),
        )],
        good: &[
            (
                "add/skill.json",
                with_input!(
                    "{\n    \"definitions\": { \"point\": { \"type\": \"number\" } },\n    \"properties\": {\n      \"from\": { \"$ref\": \"#/definitions/point\" },\n      \"by\": { \"$ref\": \"shapes.json#/definitions/step\" }\n    }\n  }"
                ),
            ),
            ("add/shapes.json", "{ \"definitions\": { \"step\": { \"type\": \"integer\" } } }\n"),
        ],
        ..Rule::error(Error, Error, Allow)
    };

    /// A pattern cannot be read.
    pub static SCHEMA_PATTERN: Rule = Rule {
        code: "schema-pattern",
        spec: "6.1",
        explain: "A `pattern`, and each key of `patternProperties`, is a regular expression as JavaScript has it \
            with the flag `u` (ECMA-262), and it is not anchored. Inline flags, possessive repetition and the \
            classes of other languages are not part of it; a backslash is spelled twice in JSON.",
        bad: &[("add/skill.json", with_input!("{ \"type\": \"string\", \"pattern\": \"^\\\\d{3}-[a-z\" }"))],
        good: &[("add/skill.json", with_input!("{ \"type\": \"string\", \"pattern\": \"^\\\\d{3}-[a-z]\" }"))],
        ..Rule::error(Error, Error, Allow)
    };

    /// A keyword has a value of the wrong kind.
    pub static SCHEMA_KEYWORD: Rule = Rule {
        code: "schema-keyword",
        spec: "3.2",
        explain: "Every keyword of JSON Schema takes one kind of value: `minLength` a number, `required` a list of \
            names, `items` a schema. A value of another kind checks nothing, so what it was meant to refuse would \
            pass. Draft-04 wrote `required` and `exclusiveMinimum` as booleans; later drafts do not.",
        bad: &[(
            "add/skill.json",
            with_input!(
                "{\n    \"properties\": {\n      \"text\": { \"type\": \"string\", \"minLength\": \"3\", \"required\": true }\n    }\n  }"
            ),
        )],
        good: &[(
            "add/skill.json",
            with_input!(
                "{\n    \"properties\": {\n      \"text\": { \"type\": \"string\", \"minLength\": 3 }\n    },\n    \"required\": [\"text\"]\n  }"
            ),
        )],
        ..Rule::error(Error, Error, Allow)
    };

    /// Two bounds exclude each other.
    pub static SCHEMA_BOUNDS: Rule = Rule {
        code: "schema-bounds",
        spec: "3.2",
        explain: "The lower bound lies above the upper one, so no value of that type is accepted and the skill can \
            never be called with one.",
        bad: &[("add/skill.json", with_input!("{ \"type\": \"integer\", \"minimum\": 10, \"maximum\": 1 }"))],
        good: &[("add/skill.json", with_input!("{ \"type\": \"integer\", \"minimum\": 1, \"maximum\": 10 }"))],
        ..Rule::lint(Warning, Allow, Allow)
    };

    /// A default does not fit its own schema.
    pub static SCHEMA_DEFAULT: Rule = Rule {
        code: "schema-default",
        spec: "3.2",
        explain: "`\"default\": null` beside a type that has no null says nothing: what has no default is absent anyway. \
            A default with any other value that its schema refuses is `schema-default-lost`.",
        bad: &[(
            "add/skill.json",
            with_input!(
                "{\n    \"properties\": {\n      \"unit\": { \"type\": \"string\", \"default\": null }\n    }\n  }"
            ),
        )],
        good: &[(
            "add/skill.json",
            with_input!(
                "{\n    \"properties\": {\n      \"unit\": { \"type\": \"string\" }\n    }\n  }"
            ),
        )],
        ..Rule::lint(Warning, Allow, Allow)
    };

    /// A default does not fit its own schema, and would be lost.
    pub static SCHEMA_DEFAULT_LOST: Rule = Rule {
        code: "schema-default-lost",
        spec: "3.2, 6.11",
        explain: "A default is what the skill sees when the value is absent. One that its own schema refuses is never put \
            in, and no Rust type can hold it: the field would be an `Option`, and the value that was written gone without a \
            word.",
        bad: &[(
            "add/skill.json",
            with_input!(
                "{\n    \"properties\": {\n      \"digits\": { \"type\": \"integer\", \"default\": 2.5 }\n    }\n  }"
            ),
        )],
        good: &[(
            "add/skill.json",
            with_input!(
                "{\n    \"properties\": {\n      \"digits\": { \"type\": \"integer\", \"default\": 2 }\n    }\n  }"
            ),
        )],
        ..Rule::lint(Error, Warning, Allow)
    };

    /// `required` names what is no property.
    pub static SCHEMA_REQUIRED: Rule = Rule {
        code: "schema-required",
        spec: "3.2",
        explain: "`required` demands a property that `properties` does not have, most often by a slip of the pen: \
            the caller is not told what it is, and with `additionalProperties: false` no input can satisfy that. Where \
            another part of the schema may declare the property (`allOf`, `patternProperties`, `additionalProperties`, …), \
            nothing is said.",
        bad: &[(
            "add/skill.json",
            with_input!(
                "{\n    \"properties\": { \"query\": { \"type\": \"string\" } },\n    \"required\": [\"qurey\"],\n    \"additionalProperties\": false\n  }"
            ),
        )],
        good: &[(
            "add/skill.json",
            with_input!(
                "{\n    \"properties\": { \"query\": { \"type\": \"string\" } },\n    \"required\": [\"query\"],\n    \"additionalProperties\": false\n  }"
            ),
        )],
        ..Rule::lint(Warning, Allow, Allow)
    };

    /// A keyword is none of the draft's.
    pub static SCHEMA_UNKNOWN_KEYWORD: Rule = Rule {
        code: "schema-unknown-keyword",
        spec: "3.2",
        explain: "The draft of the schema has no such keyword, so it checks nothing: a slip of the pen, a keyword of \
            another draft, or one of OpenAPI such as `nullable`. Keys that begin with `x-` are meant for other \
            programs and are not reported.",
        bad: &[(
            "add/skill.json",
            with_input!(
                "{\n    \"properties\": {\n      \"unit\": { \"type\": \"string\", \"nullable\": true },\n      \"text\": { \"type\": \"string\", \"minLenght\": 1 }\n    }\n  }"
            ),
        )],
        good: &[(
            "add/skill.json",
            with_input!(
                "{\n    \"properties\": {\n      \"unit\": { \"type\": [\"string\", \"null\"] },\n      \"text\": { \"type\": \"string\", \"minLength\": 1, \"x-order\": 2 }\n    }\n  }"
            ),
        )],
        ..Rule::lint(Warning, Allow, Allow)
    };

    /// A keyword stands beside `$ref`, where draft-07 ignores it.
    pub static SCHEMA_REF_SIBLING: Rule = Rule {
        code: "schema-ref-sibling",
        spec: "3.2",
        explain: "In draft-07, which a schema is when `$schema` does not say otherwise, whatever stands beside `$ref` \
            is ignored; later drafts apply both. Texts such as `description` do no harm there and are not reported.",
        bad: &[(
            "add/skill.json",
            with_input!(
                "{\n    \"definitions\": { \"text\": { \"type\": \"string\" } },\n    \"properties\": { \"unit\": { \"$ref\": \"#/definitions/text\", \"maxLength\": 3 } }\n  }"
            ),
        )],
        good: &[(
            "add/skill.json",
            with_input!(
                "{\n    \"definitions\": { \"text\": { \"type\": \"string\" } },\n    \"properties\": { \"unit\": { \"allOf\": [{ \"$ref\": \"#/definitions/text\" }], \"maxLength\": 3 } }\n  }"
            ),
        )],
        ..Rule::lint(Warning, Allow, Allow)
    };
}
