//! Rules about the JSON Schemas of a skill: `input`, `output`, and the file that `schema` names.

/// The `skill.json` of a function in code with this input schema.
macro_rules! input {
    ($input:literal) => {
        function!("add": concat!("\"input\": ", $input), r#""output": {}"#, r#""mode": "code""#)
    };
}

rules! {
    "Schemas":

    SCHEMA_INVALID = error("schema-invalid", "3.2", [Error, Error, Allow]) {
        explain: "The input and the output of a skill are JSON Schemas: objects or booleans, in which \
            `type` names the seven JSON types. Any other value would accept input that it should refuse.",
        bad: &[input!("{ \"type\": \"text\" }")],
        good: &[input!("{ \"type\": \"string\" }")],
    }

    SCHEMA_DIALECT = error("schema-dialect", "3.2", [Error, Error, Allow]) {
        explain: "Schemas are read as draft-07 by default, or as 2019-09 or 2020-12 if `$schema` says so. \
            Another dialect could give the same keywords another meaning.",
        bad: &[input!("{ \"$schema\": \"http://json-schema.org/draft-04/schema#\" }")],
        good: &[input!("{ \"$schema\": \"http://json-schema.org/draft-07/schema#\" }")],
    }

    SCHEMA_REF = error("schema-ref", "3.2", [Error, Error, Allow]) {
        explain: "A `$ref` leads to a part of its own schema (`#/definitions/point`), or to another file of \
            the skill (`shapes.json#/definitions/point`, relative to the file with the reference). A path \
            that begins with `#/` starts at the schema, not at the `skill.json` around it. Nothing is \
            fetched from the network, neither when a program is built nor when it runs.",
        bad: &[input!("{\n    \"definitions\": { \"point\": { \"type\": \"number\" } },\n    \"properties\": {\n      \"from\": { \"$ref\": \"#/definitions/pont\" },\n      \"to\": { \"$ref\": \"https://example.com/point.json\" },\n      \"by\": { \"$ref\": \"shapes.json#/definitions/step\" }\n    }\n  }")],
        good: &[
            input!("{\n    \"definitions\": { \"point\": { \"type\": \"number\" } },\n    \"properties\": {\n      \"from\": { \"$ref\": \"#/definitions/point\" },\n      \"by\": { \"$ref\": \"shapes.json#/definitions/step\" }\n    }\n  }"),
            ("add/shapes.json", "{ \"definitions\": { \"step\": { \"type\": \"integer\" } } }\n"),
        ],
    }

    SCHEMA_PATTERN = error("schema-pattern", "6.1", [Error, Error, Allow]) {
        explain: "A `pattern`, and each key of `patternProperties`, is a JavaScript regular expression with \
            the flag `u` (ECMA-262), and it is not anchored. Inline flags, possessive quantifiers and the \
            character classes of other languages are not part of it. In JSON a backslash is written twice.",
        bad: &[input!("{ \"type\": \"string\", \"pattern\": \"^\\\\d{3}-[a-z\" }")],
        good: &[input!("{ \"type\": \"string\", \"pattern\": \"^\\\\d{3}-[a-z]\" }")],
    }

    SCHEMA_KEYWORD = error("schema-keyword", "3.2", [Error, Error, Allow]) {
        explain: "Every keyword of JSON Schema takes one kind of value: `minLength` a number, `required` a \
            list of names, `items` a schema. A value of another kind is not checked, so values that it \
            should refuse would pass. Draft-04 wrote `required` and `exclusiveMinimum` as booleans; later \
            drafts do not.",
        bad: &[input!("{\n    \"properties\": {\n      \"text\": { \"type\": \"string\", \"minLength\": \"3\", \"required\": true }\n    }\n  }")],
        good: &[input!("{\n    \"properties\": {\n      \"text\": { \"type\": \"string\", \"minLength\": 3 }\n    },\n    \"required\": [\"text\"]\n  }")],
    }

    SCHEMA_BOUNDS = lint("schema-bounds", "3.2", [Warning, Allow, Allow]) {
        explain: "The lower bound is above the upper one, or `enum` is empty, so no value of that type is \
            valid and the skill can never be called with one.",
        bad: &[input!("{ \"type\": \"integer\", \"minimum\": 10, \"maximum\": 1 }")],
        good: &[input!("{ \"type\": \"integer\", \"minimum\": 1, \"maximum\": 10 }")],
    }

    SCHEMA_DEFAULT = lint("schema-default", "3.2", [Warning, Allow, Allow]) {
        explain: "`\"default\": null` beside a type without null has no effect, because a property without \
            a default is absent anyway. If the schema refuses any other default, `schema-default-lost` is \
            reported.",
        bad: &[input!("{\n    \"properties\": {\n      \"unit\": { \"type\": \"string\", \"default\": null }\n    }\n  }")],
        good: &[input!("{\n    \"properties\": {\n      \"unit\": { \"type\": \"string\" }\n    }\n  }")],
    }

    SCHEMA_DEFAULT_LOST = lint("schema-default-lost", "3.2, 6.11", [Error, Warning, Allow]) {
        explain: "The skill sees the default when the value is absent. A default that its own schema \
            refuses is never used, and no Rust type can hold it: the field would be an `Option`, and the \
            default would be lost silently.",
        bad: &[input!("{\n    \"properties\": {\n      \"digits\": { \"type\": \"integer\", \"default\": 2.5 }\n    }\n  }")],
        good: &[input!("{\n    \"properties\": {\n      \"digits\": { \"type\": \"integer\", \"default\": 2 }\n    }\n  }")],
    }

    SCHEMA_REQUIRED = lint("schema-required", "3.2", [Warning, Allow, Allow]) {
        explain: "`required` names a property that `properties` does not declare, usually because of a \
            typo. The caller does not learn what the property means, and with `additionalProperties: false` \
            no input is valid. If another part of the schema may declare the property (`allOf`, \
            `patternProperties`, `additionalProperties`, …), it is not reported.",
        bad: &[input!("{\n    \"properties\": { \"query\": { \"type\": \"string\" } },\n    \"required\": [\"qurey\"],\n    \"additionalProperties\": false\n  }")],
        good: &[input!("{\n    \"properties\": { \"query\": { \"type\": \"string\" } },\n    \"required\": [\"query\"],\n    \"additionalProperties\": false\n  }")],
    }

    SCHEMA_UNKNOWN_KEYWORD = lint("schema-unknown-keyword", "3.2", [Warning, Allow, Allow]) {
        explain: "The draft of the schema has no such keyword, so it has no effect: it is a typo, a keyword \
            of another draft, or a keyword of OpenAPI such as `nullable`. Keys that begin with `x-` are \
            meant for other programs and are not reported.",
        bad: &[input!("{\n    \"properties\": {\n      \"unit\": { \"type\": \"string\", \"nullable\": true },\n      \"text\": { \"type\": \"string\", \"minLenght\": 1 }\n    }\n  }")],
        good: &[input!("{\n    \"properties\": {\n      \"unit\": { \"type\": [\"string\", \"null\"] },\n      \"text\": { \"type\": \"string\", \"minLength\": 1, \"x-order\": 2 }\n    }\n  }")],
    }

    SCHEMA_REF_SIBLING = lint("schema-ref-sibling", "3.2", [Warning, Allow, Allow]) {
        explain: "In draft-07, the default if `$schema` is absent, all keywords beside `$ref` are ignored; \
            later drafts apply both. Texts such as `description` do no harm there and are not reported.",
        bad: &[input!("{\n    \"definitions\": { \"text\": { \"type\": \"string\" } },\n    \"properties\": { \"unit\": { \"$ref\": \"#/definitions/text\", \"maxLength\": 3 } }\n  }")],
        good: &[input!("{\n    \"definitions\": { \"text\": { \"type\": \"string\" } },\n    \"properties\": { \"unit\": { \"allOf\": [{ \"$ref\": \"#/definitions/text\" }], \"maxLength\": 3 } }\n  }")],
    }
}
