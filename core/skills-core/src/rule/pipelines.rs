//! Rules about the steps of pipelines and about their outputs.

use super::example::ADD_NUMBERS;

rules! {
    "Pipelines":

    STEP_TWICE = error("step-twice", "5.5", [Error, Error, Allow]) {
        explain: "`steps.NAME` reads the result of one step. If two steps have the same name, the result to \
            read is ambiguous.",
        bad: &[
            sum!(r#""pipeline": [{ "step": "one", "skill": "add", "input": { "numbers": "{{input.numbers}}" } }, { "step": "one", "skill": "add", "input": { "numbers": "{{input.numbers}}" } }]"#),
            ADD_NUMBERS,
        ],
        good: &[
            sum!(r#""pipeline": [{ "step": "one", "skill": "add", "input": { "numbers": "{{input.numbers}}" } }, { "step": "two", "skill": "add", "input": { "numbers": "{{input.numbers}}" }, "depends": ["one"] }]"#),
            ADD_NUMBERS,
        ],
    }

    STEP_ARGUMENT = error("step-argument", "5.5", [Error, Warning, Allow]) {
        explain: "The input of a step is the input of the skill it uses. Every property that the skill's \
            schema requires must be present, and properties that the schema does not declare are refused if \
            it has `additionalProperties: false`.",
        bad: &[sum!(r#""pipeline": [{ "step": "one", "skill": "add", "input": {} }]"#), ADD_NUMBERS],
        good: &[
            sum!(r#""pipeline": [{ "step": "one", "skill": "add", "input": { "numbers": "{{input.numbers}}" } }]"#),
            ADD_NUMBERS,
        ],
    }

    STEP_ARGUMENT_TYPE = error("step-argument-type", "5.5", [Error, Warning, Allow]) {
        explain: "The type of each expression follows from the schemas of the values it reads and from its \
            filters. If no value of that type can be valid for the schema of the argument, every run of the \
            step would fail. A value without templates is validated against the whole schema, including \
            ranges and patterns.",
        bad: &[
            sum!(r#""pipeline": [{ "step": "one", "skill": "add", "input": { "numbers": "{{input.numbers | size}}" } }]"#),
            ADD_NUMBERS,
        ],
        good: &[
            sum!(r#""pipeline": [{ "step": "one", "skill": "add", "input": { "numbers": "{{input.numbers}}" } }]"#),
            ADD_NUMBERS,
        ],
    }

    OUTPUT_MAPPING = error("output-mapping", "5.5", [Error, Warning, Allow]) {
        explain: "The result of `outputMapping`, or without it the output of the last step, must be valid \
            for the output schema. It is an error if a required key is missing, a key is refused, or a type \
            can never fit.",
        bad: &[
            function!("sum": r#""input": { "type": "object", "properties": { "numbers": { "type": "array" } }, "required": ["numbers"] }"#, r#""output": { "type": "object", "properties": { "sum": { "type": "number" } }, "required": ["sum"] }"#, r#""mode": "composite""#, r#""calls": ["add"]"#, r#""pipeline": [{ "step": "one", "skill": "add", "input": { "numbers": "{{input.numbers}}" } }]"#, r#""outputMapping": { "total": "{{steps.one.total}}" }"#),
            function!("add": r#""input": { "type": "object", "properties": { "numbers": { "type": "array" } }, "required": ["numbers"] }"#, r#""output": { "type": "object", "properties": { "total": { "type": "number" } }, "required": ["total"] }"#, r#""mode": "code""#),
        ],
        good: &[
            function!("sum": r#""input": { "type": "object", "properties": { "numbers": { "type": "array" } }, "required": ["numbers"] }"#, r#""output": { "type": "object", "properties": { "sum": { "type": "number" } }, "required": ["sum"] }"#, r#""mode": "composite""#, r#""calls": ["add"]"#, r#""pipeline": [{ "step": "one", "skill": "add", "input": { "numbers": "{{input.numbers}}" } }]"#, r#""outputMapping": { "sum": "{{steps.one.total}}" }"#),
            function!("add": r#""input": { "type": "object", "properties": { "numbers": { "type": "array" } }, "required": ["numbers"] }"#, r#""output": { "type": "object", "properties": { "total": { "type": "number" } }, "required": ["total"] }"#, r#""mode": "code""#),
        ],
    }

    STEP_DEPENDS = error("step-depends", "5.6", [Error, Warning, Allow]) {
        explain: "`depends` names steps that must finish first. Steps run in file order, so `depends` can \
            only name earlier steps: a step that waits for itself or for a later step would never run.",
        bad: &[
            sum!(r#""pipeline": [{ "step": "one", "skill": "add", "input": { "numbers": "{{input.numbers}}" } }, { "step": "two", "skill": "add", "input": { "numbers": "{{input.numbers}}" }, "depends": ["on"] }]"#),
            ADD_NUMBERS,
        ],
        good: &[
            sum!(r#""pipeline": [{ "step": "one", "skill": "add", "input": { "numbers": "{{input.numbers}}" } }, { "step": "two", "skill": "add", "input": { "numbers": "{{input.numbers}}" }, "depends": ["one"] }]"#),
            ADD_NUMBERS,
        ],
    }
}
