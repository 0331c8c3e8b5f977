//! Rules about `skill.json`: JSON, schemas, templates, pipelines, permissions and evals.

rules! {
    /// Rules about the syntax of JSON files.
    pub mod json {
        /// The file is not JSON.
        JSON_SYNTAX = error("json-syntax", "3.3", [Error, Error, Allow]).hides();
        /// The file has a comment, which JSON does not allow.
        JSON_COMMENT = error("json-comment", "3.3", [Error, Warning, Allow]);
        /// The file has a trailing comma.
        JSON_TRAILING_COMMA = error("json-trailing-comma", "3.3", [Error, Warning, Allow]);
        /// A key appears twice in one object.
        JSON_DUPLICATE_KEY = error("json-duplicate-key", "3.3", [Error, Warning, Allow]);
    }

    /// Rules about the keys of skill.json.
    pub mod manifest {
        /// A key of `skill.json` has a value of the wrong type.
        MANIFEST_TYPE = error("manifest-type", "3.1", [Error, Error, Allow]);
        /// `skill.json` or a step lacks a required key.
        MANIFEST_MISSING_KEY = error("manifest-missing-key", "3.1", [Error, Error, Allow]);
        /// A `skill.json` belongs to another system.
        MANIFEST_FOREIGN = lint("manifest-foreign", "2.13", [Warning, Allow, Allow]);
        /// `skill.json` or a step has a key that does not exist.
        MANIFEST_UNKNOWN_KEY = error("manifest-unknown-key", "3.1", [Error, Warning, Allow]);
        /// The name in `skill.json` is not snake_case.
        MANIFEST_NAME = error("manifest-name", "3.1", [Error, Error, Allow]);
        /// The description in `skill.json` is empty.
        MANIFEST_EMPTY = error("manifest-empty", "3.1", [Error, Error, Allow]);
        /// A number in `skill.json` is out of range.
        MANIFEST_RANGE = error("manifest-range", "3.1", [Error, Error, Allow]);
        /// `mode` is not one of the three modes.
        MODE_UNKNOWN = error("mode-unknown", "3.1", [Error, Error, Allow]);
        /// The version is not a semantic version.
        VERSION_FORMAT = lint("version-format", "3.1", [Warning, Warning, Allow]);
        /// `SKILL.md` and `skill.json` give different values.
        FIELD_CONFLICT = error("field-conflict", "3.5", [Error, Warning, Allow]);
    }

    /// Rules about the parts that the mode of a skill needs: prompts, pipelines, calls.
    pub mod modes {
        /// A skill of mode `llm` has no prompt.
        PROMPT_MISSING = error("prompt-missing", "3.4", [Error, Error, Allow]);
        /// `prompt.md` is empty.
        PROMPT_EMPTY = error("prompt-empty", "3.4", [Error, Error, Allow]);
        /// The pipeline has no steps.
        PIPELINE_EMPTY = error("pipeline-empty", "3.4", [Error, Error, Allow]);
        /// A pipeline is given in a mode that does not run it.
        PIPELINE_MISPLACED = lint("pipeline-misplaced", "3.4", [Warning, Warning, Allow]);
        /// `pure` is given for a skill whose effects do not depend on it.
        PURE_MISPLACED = lint("pure-misplaced", "3.4", [Warning, Warning, Allow]);
        /// A skill of mode `mcp` does not name its tool.
        MCP_TOOL_MISSING = error("mcp-tool-missing", "3.10", [Error, Error, Allow]);
        /// The key `mcp` is given in a mode that calls no tool.
        MCP_TOOL_MISPLACED = lint("mcp-tool-misplaced", "3.10", [Warning, Warning, Allow]);
        /// The key `mcp` does not name a server, a tool and a digest.
        MCP_TOOL_INVALID = error("mcp-tool-invalid", "3.10", [Error, Error, Allow]);
        /// The skill has an `index.ts` or `index.js`, which is never run.
        SCRIPT_INDEX = lint("script-index", "3.4", [Warning, Warning, Allow]);
        /// `calls` names a skill that does not exist.
        CALL_UNKNOWN = error("call-unknown", "3.6", [Error, Warning, Allow]);
        /// A step uses a skill that is not in `calls`.
        CALL_UNDECLARED = error("call-undeclared", "3.6", [Error, Warning, Allow]);
        /// Skills call each other in a circle.
        CALL_CYCLE = error("call-cycle", "3.6", [Error, Error, Allow]);
    }

    /// Rules about the JSON Schemas of a skill: `input`, `output`, and the file that `schema` names.
    pub mod schemas {
        /// A schema is not a JSON Schema.
        SCHEMA_INVALID = error("schema-invalid", "3.2", [Error, Error, Allow]);
        /// A schema names a dialect that is not supported.
        SCHEMA_DIALECT = error("schema-dialect", "3.2", [Error, Error, Allow]);
        /// A `$ref` leads to nothing.
        SCHEMA_REF = error("schema-ref", "3.2", [Error, Error, Allow]);
        /// A pattern is not a valid regular expression.
        SCHEMA_PATTERN = error("schema-pattern", "6.1", [Error, Error, Allow]);
        /// A keyword has a value of the wrong kind.
        SCHEMA_KEYWORD = error("schema-keyword", "3.2", [Error, Error, Allow]);
        /// Two bounds contradict each other, or `enum` is empty.
        SCHEMA_BOUNDS = lint("schema-bounds", "3.2", [Warning, Allow, Allow]);
        /// A default does not fit its own schema.
        SCHEMA_DEFAULT = lint("schema-default", "3.2", [Warning, Allow, Allow]);
        /// A default does not fit its own schema and would be lost.
        SCHEMA_DEFAULT_LOST = lint("schema-default-lost", "3.2, 6.11", [Error, Warning, Allow]);
        /// `required` names an undeclared property.
        SCHEMA_REQUIRED = lint("schema-required", "3.2", [Warning, Allow, Allow]);
        /// A keyword does not exist in the draft of the schema.
        SCHEMA_UNKNOWN_KEYWORD = lint("schema-unknown-keyword", "3.2", [Warning, Allow, Allow]);
        /// A keyword stands beside `$ref`, where draft-07 ignores it.
        SCHEMA_REF_SIBLING = lint("schema-ref-sibling", "3.2", [Warning, Allow, Allow]);
    }

    /// Rules about templates, in prompts and pipelines alike.
    pub mod templates {
        /// A template cannot be parsed.
        TEMPLATE_SYNTAX = error("template-syntax", "5.1", [Error, Error, Allow]);
        /// A filter does not exist, or has the wrong number of arguments.
        TEMPLATE_FILTER = error("template-filter", "5.3", [Error, Error, Allow]);
        /// A block of a prompt is unknown, not closed, or in the wrong place.
        TEMPLATE_BLOCK = error("template-block", "5.8", [Error, Error, Allow]);
        /// A path does not exist in the schema of the value it reads.
        TEMPLATE_PATH = error("template-path", "5.5", [Error, Warning, Allow]);
        /// Text outside the braces looks like an expression.
        TEMPLATE_LITERAL = lint("template-literal", "5.1", [Warning, Allow, Allow]);
        /// A filter can never work on its input.
        TEMPLATE_FILTER_TYPE = error("template-filter-type", "5.3", [Error, Warning, Allow]);
        /// `<` or another comparison of order is used for types that have no order.
        TEMPLATE_COMPARE = error("template-compare", "5.4", [Error, Warning, Allow]);
        /// The value of a `foreach` or `#each` is never an array.
        TEMPLATE_LIST = error("template-list", "5.7, 5.8", [Error, Warning, Allow]);
    }

    /// Rules about the steps of pipelines and about their outputs.
    pub mod pipelines {
        /// Two steps of a pipeline have the same name.
        STEP_TWICE = error("step-twice", "5.5", [Error, Error, Allow]);
        /// A step lacks an argument, or gives one that the skill refuses.
        STEP_ARGUMENT = error("step-argument", "5.5", [Error, Warning, Allow]);
        /// An argument can never fit the input of the skill.
        STEP_ARGUMENT_TYPE = error("step-argument-type", "5.5", [Error, Warning, Allow]);
        /// The output of a pipeline can never fit the output schema of its skill.
        OUTPUT_MAPPING = error("output-mapping", "5.5", [Error, Warning, Allow]);
        /// A step depends on a step that does not run before it.
        STEP_DEPENDS = error("step-depends", "5.6", [Error, Warning, Allow]);
    }

    /// Rules about the permissions that a skill requests.
    pub mod permissions {
        /// `permissions` or a part of it has the wrong form.
        PERMISSION_VALUE = error("permission-value", "13.1", [Error, Warning, Allow]);
        /// `permissions` has a key that does not exist.
        PERMISSION_UNKNOWN = error("permission-unknown", "13.1", [Error, Warning, Allow]);
        /// A requested path is not valid.
        PERMISSION_PATH = error("permission-path", "13.2", [Error, Warning, Allow]);
        /// A requested host is not valid.
        PERMISSION_HOST = error("permission-host", "13.3", [Error, Warning, Allow]);
        /// A requested variable does not have a valid name.
        PERMISSION_ENV = error("permission-env", "13.3", [Error, Warning, Allow]);
        /// A skill requests a wide permission.
        PERMISSION_WIDE = lint("permission-wide", "13.2", [Warning, Warning, Allow]);
        /// A skill requests a variable that looks like a secret.
        PERMISSION_SECRET = lint("permission-secret", "13.3", [Warning, Warning, Allow]);
    }

    /// Rules about the tests of a skill in its directory `evals`.
    pub mod evals {
        /// A file of cases cannot be run.
        EVAL_INVALID = lint("eval-invalid", "16.19", [Error, Error, Allow]);
        /// The cases belong to another program.
        EVAL_FOREIGN = lint("eval-foreign", "16.19", [Warning, Allow, Allow]);
        /// A file of cases names another skill.
        EVAL_SKILL_NAME = lint("eval-skill-name", "16.19", [Warning, Warning, Allow]);
        /// A case has a key that nothing reads.
        EVAL_KEY_UNKNOWN = lint("eval-key-unknown", "16.19", [Warning, Warning, Allow]);
    }
}
