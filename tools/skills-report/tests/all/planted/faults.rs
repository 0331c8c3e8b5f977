//! Good skills, and the faults inserted into them: each with the replaced part of a file, its replacement,
//! and the fixed text if that differs from the original part.

/// The good files.
pub(crate) const GOOD: &[(&str, &str)] = &[
    (
        "pdf/SKILL.md",
        r##"---
name: pdf
description: Reads PDF files and fills in their forms.
license: MIT
allowed-tools: Read Grep
exec: extract
schema: input.json
timeout: 30s
user-invocable: true
metadata:
  author: Ann
  place: "@home"
---
# PDF

Read [the guide](references/guide.md), then run `scripts/fill.py`.
"##,
    ),
    ("pdf/bin/extract (executable)", "#!/bin/sh\ncat\n"),
    (
        "pdf/input.json",
        r##"{
  "$schema": "http://json-schema.org/draft-07/schema#",
  "type": "object",
  "properties": {
    "file": { "type": "string", "minLength": 1, "pattern": "^[a-z]+$" },
    "page": { "$ref": "#/definitions/page" },
    "part": { "$ref": "parts.json#/definitions/part" },
    "digits": { "type": "integer", "default": 2 }
  },
  "required": ["file", "page"],
  "additionalProperties": false,
  "definitions": { "page": { "type": "integer", "minimum": 1 } }
}
"##,
    ),
    ("pdf/parts.json", "{ \"definitions\": { \"part\": { \"type\": \"string\" } } }\n"),
    ("pdf/references/guide.md", "# Guide\n"),
    ("pdf/scripts/fill.py", "print()\n"),
    (
        "csv/SKILL.md",
        "---\nname: csv\ndescription: \"Reads tables: CSV and TSV.\"\n---\n# CSV\n\nRead the table, cell by cell.\n",
    ),
    ("xls/SKILL.md", "---\nname = \"xls\"\ndescription = \"Reads sheets.\"\nlicense = \"MIT\"\n---\n# XLS\n"),
    ("plain/SKILL.md", "---\nname: plain\ndescription: Reads plain text.\n---\n# Plain\n"),
    (
        "sum/skill.json",
        r##"{
  "name": "sum",
  "description": "Adds numbers, and counts them.",
  "version": "1.2.0",
  "category": "math",
  "mode": "composite",
  "calls": ["add", "count"],
  "tags": ["math"],
  "timeout": 30,
  "retry": 2,
  "input": {
    "type": "object",
    "properties": { "numbers": { "type": "array", "items": { "type": "number" } } },
    "required": ["numbers"]
  },
  "output": {
    "type": "object",
    "properties": { "sum": { "type": "number" }, "count": { "type": "number" } },
    "required": ["sum"],
    "additionalProperties": false
  },
  "pipeline": [
    { "step": "one", "skill": "add", "input": { "numbers": "{{input.numbers}}" } },
    { "step": "two", "skill": "count", "input": { "text": "{{input.numbers | join: ', '}}", "least": "{{steps.one.sum}}" } },
    { "step": "three", "skill": "count", "input": { "text": "all" }, "depends": ["two"] }
  ],
  "outputMapping": { "sum": "{{steps.one.sum}}", "count": "{{steps.two.count}}" }
}
"##,
    ),
    (
        "once/skill.json",
        r##"{
  "name": "once",
  "description": "Counts the words of one text.",
  "category": "text",
  "mode": "composite",
  "calls": ["count"],
  "input": { "type": "object", "properties": { "text": { "type": "string" } }, "required": ["text"] },
  "output": { "type": "object", "properties": { "count": { "type": "number" } }, "required": ["count"] },
  "pipeline": [{ "step": "one", "skill": "count", "input": { "text": "{{input.text}}" } }]
}
"##,
    ),
    (
        "add/skill.json",
        r##"{
  "name": "add",
  "description": "Adds numbers.",
  "category": "math",
  "mode": "llm",
  "calls": ["count"],
  "input": {
    "type": "object",
    "properties": { "numbers": { "type": "array", "items": { "type": "number" } } },
    "required": ["numbers"]
  },
  "output": { "type": "object", "properties": { "sum": { "type": "number" } }, "required": ["sum"] }
}
"##,
    ),
    (
        "add/prompt.md",
        "Add these numbers: {{input.numbers | join: ', '}}.\n{{#if input.numbers}}Answer with the sum.{{/if}}\n",
    ),
    (
        "count/skill.json",
        r##"{
  "name": "count",
  "description": "Counts words.",
  "category": "text",
  "mode": "code",
  "permissions": { "read": ["$WORKSPACE"], "env": ["LANG"], "net": ["api.example.com"] },
  "input": {
    "type": "object",
    "properties": { "text": { "type": "string" }, "least": { "type": "number" } },
    "required": ["text"],
    "additionalProperties": false
  },
  "output": { "type": "object", "properties": { "count": { "type": "number" } }, "required": ["count"] }
}
"##,
    ),
    ("count/SKILL.md", "---\nname: count\ndescription: Counts words.\n---\n# Count\n"),
];

/// One fault: its rule, the file, the original part, the inserted part, and the fixed text if that differs
/// from the original.
pub(crate) struct Fault(
    pub(crate) &'static str,
    pub(crate) &'static str,
    pub(crate) &'static str,
    pub(crate) &'static str,
    pub(crate) Option<&'static str>,
);

const fn back(code: &'static str, path: &'static str, good: &'static str, bad: &'static str) -> Fault {
    Fault(code, path, good, bad, None)
}

const fn other(
    code: &'static str,
    path: &'static str,
    good: &'static str,
    bad: &'static str,
    corrected: &'static str,
) -> Fault {
    Fault(code, path, good, bad, Some(corrected))
}

const PDF: &str = "pdf/SKILL.md";
const CSV: &str = "csv/SKILL.md";
const XLS: &str = "xls/SKILL.md";
const PLAIN: &str = "plain/SKILL.md";
const INPUT: &str = "pdf/input.json";
const SUM: &str = "sum/skill.json";
const ADD: &str = "add/skill.json";
const PROMPT: &str = "add/prompt.md";
const COUNT: &str = "count/skill.json";

/// The faults.
pub(crate) const FAULTS: &[Fault] = &[
    // The frontmatter as a text.
    back("yaml-unquoted-colon", CSV, "\"Reads tables: CSV and TSV.\"", "Reads tables: CSV and TSV."),
    back("yaml-syntax", CSV, "CSV and TSV.\"", "CSV and TSV."),
    back("yaml-syntax", PDF, "\"@home\"", "@home"),
    back("yaml-syntax", PLAIN, "name: plain", "name:plain"),
    back("yaml-syntax", PLAIN, "description: Reads", "description Reads"),
    back("yaml-tab", PDF, "  author: Ann\n  place", "\tauthor: Ann\n\tplace"),
    back("yaml-documents", PDF, "license: MIT\n", "...\nlicense: MIT\n"),
    back("yaml-duplicate-key", PDF, "license: MIT\n", "license: MIT\nlicense: MIT\n"),
    back("yaml-key", PDF, "license: MIT", "[license]: MIT"),
    back("broken-link", PDF, "(references/guide.md)", "(references\\guide.md)"),
    back("frontmatter-late", PLAIN, "---\nname", "\n\n---\nname"),
    back("frontmatter-marker", PLAIN, "---\nname", "-----\nname"),
    back("frontmatter-unterminated", PLAIN, "text.\n---\n", "text.\n----\n"),
    back("frontmatter-unterminated", PLAIN, "text.\n---\n", "text.\n"),
    back("frontmatter-control", PLAIN, "plain text", "plain\rtext"),
    back("toml-syntax", XLS, "name = \"xls\"", "name = xls"),
    back("toml-syntax", XLS, "\"Reads sheets.\"", "\"Reads sheets."),
    back("toml-syntax", XLS, "license = \"MIT\"", "license: \"MIT\""),
    back("toml-syntax", XLS, "name = \"xls\"", "name => “xls”,"),
    back("toml-syntax", XLS, "license = \"MIT\"", "license\u{a0}:= \"MIT\""),
    other("toml-syntax", XLS, "\"Reads sheets.\"", "'It's a sheet.'", "\"It's a sheet.\""),
    other("toml-syntax", XLS, "\"Reads sheets.\"", "\"Reads\nsheets.\"", "\"\"\"Reads\nsheets.\"\"\""),
    other(
        "description-missing",
        XLS,
        "name = \"xls\"\ndescription = \"Reads sheets.\"\n",
        "[metadata]\nauthor = \"Ann\"\nname = \"xls\"\ndescription = \"Reads sheets.\"\n",
        "description = \"Reads sheets.\"\nname = \"xls\"\n[metadata]\nauthor = \"Ann\"\n",
    ),
    back("toml-duplicate-key", XLS, "license = \"MIT\"\n", "license = \"MIT\"\nlicense = \"MIT\"\n"),
    // Its keys and values.
    back("key-unknown", PDF, "license: MIT", "licence: MIT"),
    back("key-unknown", PDF, "allowed-tools:", "alowed-tools:"),
    back("key-unknown", PDF, "user-invocable:", "user-invokable:"),
    back("key-unknown", XLS, "license =", "licence ="),
    back(
        "key-twice",
        PDF,
        "allowed-tools: Read Grep\n",
        "allowed-tools: Read Grep\nallowed_tools: Read Grep\n",
    ),
    back("value-type", PDF, "license: MIT", "license: [MIT]"),
    back("name-missing", PDF, "name: pdf\n", ""),
    back("name-missing", XLS, "name = \"xls\"\n", ""),
    back("name-invalid", PDF, "name: pdf", "name: PDF"),
    back("name-invalid", CSV, "name: csv", "name: csv_"),
    back("exec-missing", PDF, "exec: extract", "exec: extrct"),
    back("path-outside", PDF, "exec: extract", "exec: ../extract"),
    back("schema-missing", PDF, "schema: input.json", "schema: inputs.json"),
    // Bodies.
    back("broken-link", PDF, "references/guide.md", "references/guid.md"),
    back("broken-link", PDF, "references/guide.md", "reference/guide.md"),
    back("broken-link", PDF, "scripts/fill.py", "scripts/fil.py"),
    back("hidden-unicode", PDF, "Read [the", "Read\u{202e} [the"),
    back("hidden-unicode", PROMPT, "Answer with", "Answer\u{e0041} with"),
    // JSON.
    back("json-trailing-comma", SUM, "[\"math\"]", "[\"math\",]"),
    back("json-trailing-comma", COUNT, "[\"count\"] }\n}", "[\"count\"] },\n}"),
    back("json-duplicate-key", SUM, "  \"retry\": 2,\n", "  \"retry\": 2,\n  \"retry\": 2,\n"),
    back("json-syntax", SUM, "\"category\": \"math\",", "\"category\": \"math\""),
    back("json-syntax", SUM, "\"mode\": \"composite\"", "\"mode\" \"composite\""),
    back("json-syntax", SUM, "\"retry\": 2", "retry: 2"),
    back("json-syntax", SUM, "\"composite\"", "'composite'"),
    back("json-syntax", COUNT, "] }\n}", "] }"),
    back("json-syntax", COUNT, "\"text\",\n", "\"text,\n"),
    back(
        "json-syntax",
        "pdf/parts.json",
        "{ \"definitions\": { \"part\": { \"type\": \"string\" } } }\n",
        "```json\n{ \"definitions\": { \"part\": { \"type\": \"string\" } } }\n```\n",
    ),
    back("json-syntax", INPUT, "\"minimum\": 1", "\"minimum\": 01"),
    back("json-syntax", INPUT, "\"additionalProperties\": false", "\"additionalProperties\": fals"),
    back("json-syntax", SUM, "\"version\"", "“version”"),
    back("json-syntax", SUM, "\"math\",\n", "“math”,\n"),
    back("json-syntax", INPUT, "\"additionalProperties\": false", "\"additionalProperties\": False"),
    // The manifest.
    back("manifest-unknown-key", SUM, "\"tags\"", "\"tag\""),
    back("manifest-unknown-key", SUM, "\"outputMapping\"", "\"outputmapping\""),
    back("manifest-unknown-key", SUM, "\"skill\": \"add\"", "\"skil\": \"add\""),
    back("manifest-unknown-key", SUM, "\"depends\"", "\"dependsOn\""),
    back("manifest-type", SUM, "[\"math\"]", "\"math\""),
    other("manifest-type", SUM, "\"version\": \"1.2.0\"", "\"version\": 1", "\"version\": \"1.0.0\""),
    other(
        "schema-unknown-keyword",
        ADD,
        "{ \"type\": \"object\", \"properties\": { \"sum\": { \"type\": \"number\" } }, \"required\": [\"sum\"] }",
        "{ \"sum\": \"number\", \"of\": { \"type\": \"string\" } }",
        "{ \"type\": \"object\", \"properties\": { \"sum\": { \"type\": \"number\" }, \"of\": { \"type\": \"string\" } } }",
    ),
    back(
        "manifest-type",
        "once/skill.json",
        "[{ \"step\": \"one\", \"skill\": \"count\", \"input\": { \"text\": \"{{input.text}}\" } }]",
        "{ \"step\": \"one\", \"skill\": \"count\", \"input\": { \"text\": \"{{input.text}}\" } }",
    ),
    back("schema-keyword", INPUT, "[\"file\", \"page\"]", "[\"file\", \"page\", \"file\"]"),
    back("manifest-type", SUM, "\"timeout\": 30", "\"timeout\": \"30\""),
    back("manifest-type", SUM, "[\"two\"]", "\"two\""),
    back("manifest-name", ADD, "\"name\": \"add\"", "\"name\": \"Add\""),
    back("name-mismatch", ADD, "\"name\": \"add\"", "\"name\": \"adds\""),
    back("manifest-missing-key", ADD, "  \"name\": \"add\",\n", ""),
    back("manifest-missing-key", ADD, "  \"mode\": \"llm\",\n", ""),
    back("mode-unknown", SUM, "\"composite\"", "\"composit\""),
    back("mode-unknown", ADD, "\"llm\"", "\"prompt\""),
    back("version-format", SUM, "\"1.2.0\"", "\"1.2\""),
    back("version-format", SUM, "\"1.2.0\"", "\"v1.2.0\""),
    back("pipeline-misplaced", SUM, "\"composite\"", "\"code\""),
    back("call-undeclared", SUM, "[\"add\", \"count\"]", "[\"add\"]"),
    back("call-unknown", SUM, "[\"add\", \"count\"]", "[\"ad\", \"count\"]"),
    // Permissions.
    back("permission-env", COUNT, "\"LANG\"", "\"$LANG\""),
    back("permission-path", COUNT, "\"$WORKSPACE\"", "\"${WORKSPACE}\""),
    back("permission-unknown", COUNT, "\"read\"", "\"reads\""),
    back("permission-value", COUNT, "[\"LANG\"]", "\"LANG\""),
    // Schemas.
    back("schema-invalid", INPUT, "\"type\": \"string\"", "\"type\": \"strin\""),
    back("schema-invalid", INPUT, "\"type\": \"object\"", "\"type\": \"dict\""),
    back("schema-keyword", INPUT, "\"minLength\": 1", "\"minLength\": \"1\""),
    back("schema-unknown-keyword", INPUT, "\"minLength\"", "\"minLenght\""),
    back("schema-unknown-keyword", INPUT, "\"additionalProperties\"", "\"additionalproperties\""),
    back("schema-pattern", INPUT, "^[a-z]+$", "^[a-z+$"),
    back("schema-ref", INPUT, "#/definitions/page\"", "#/definitions/pag\""),
    back("schema-ref", INPUT, "parts.json#", "part.json#"),
    back("schema-required", INPUT, "[\"file\", \"page\"]", "[\"fiel\", \"page\"]"),
    back("schema-dialect", INPUT, "draft-07/schema#", "draft-7/schema#"),
    // Templates and pipelines.
    back("template-path", SUM, "{{input.numbers}}", "{{input.numbrs}}"),
    back("template-path", SUM, "{{steps.two.count}}", "{{steps.two.cout}}"),
    back("template-path", SUM, "{{steps.two.count}}", "{{steps.tow.count}}"),
    back("template-path", SUM, "{{steps.two.count}}", "{{two.count}}"),
    back("template-path", PROMPT, "{{input.numbers |", "{{inputs.numbers |"),
    back("template-path", PROMPT, "{{input.numbers |", "{{numbers |"),
    back("template-path", PROMPT, "{{#if input.numbers}}", "{{#if input.number}}"),
    back("template-filter", PROMPT, "| join:", "| joined:"),
    back("template-filter", SUM, "| join:", "| jion:"),
    back("template-syntax", PROMPT, "', '}}.", "', '}."),
    back("template-block", PROMPT, "sum.{{/if}}", "sum."),
    back("template-block", PROMPT, "{{/if}}", "{{/fi}}"),
    back("step-argument", SUM, "{ \"numbers\": \"{{input.numbers}}\" }", "{}"),
    back("step-argument", SUM, "\"least\":", "\"last\":"),
    back("step-argument-type", SUM, "{{input.numbers | join: ', '}}", "{{input.numbers}}"),
    back("step-depends", SUM, "[\"two\"]", "[\"tow\"]"),
    back("output-mapping", SUM, "\"count\": \"{{steps.two", "\"cont\": \"{{steps.two"),
    other(
        "yaml-tag",
        PLAIN,
        "description: Reads plain text.",
        "description: !text Reads plain text.",
        "description: \"!text Reads plain text.\"",
    ),
    other("yaml-alias", CSV, "\"Reads tables: CSV and TSV.\"", "*tables", "\"*tables\""),
    back("timeout-invalid", PDF, "timeout: 30s", "timeout: 30 seconds"),
    other(
        "key-unknown",
        PLAIN,
        "text.\n---",
        "text.\nowner: Ann\n---",
        "text.\nmetadata:\n  owner: Ann\n---",
    ),
    other("step-twice", SUM, "\"step\": \"three\"", "\"step\": \"one\"", "\"step\": \"one_2\""),
];

/// Faults that only a deletion or other words would correct: a person must decide (SPEC 17.20).
pub(crate) const KEPT: &[Fault] = &[
    back("yaml-directive", PLAIN, "---\nname", "---\n%YAML 1.2\nname"),
    back("frontmatter-late", PLAIN, "---\nname", "Here is your skill:\n\n---\nname"),
    back(
        "frontmatter-late",
        PLAIN,
        "---\nname: plain\ndescription: Reads plain text.\n---\n# Plain\n",
        "Here is your skill:\n\n```markdown\n---\nname: plain\ndescription: Reads plain text.\n---\n# Plain\n```\n",
    ),
    back("value-type", PDF, "user-invocable: true", "user-invocable: yes please"),
    back("compatibility-length", PDF, "license: MIT\n", "license: MIT\ncompatibility: \"\"\n"),
    back("key-foreign", PDF, "license: MIT\n", "license: MIT\nrequires:\n  mcp: [browser]\n"),
    back("allowed-tools-any", PDF, "Read Grep", "Read Grep *"),
    back("name-mismatch", PDF, "name: pdf", "name: pdf-reader"),
    back("skill-tag", PLAIN, "plain text.", "plain text.</skill>"),
    back("path-outside", PDF, "exec: extract", "exec: /usr/bin/extract"),
    back("schema-without-exec", PLAIN, "text.\n---", "text.\nschema: input.json\n---"),
    back("json-comment", SUM, "  \"tags\"", "  // how it is found\n  \"tags\""),
    back("json-comment", SUM, "  \"retry\": 2,", "  \"retry\": 2, /* tries */"),
    back("field-conflict", "count/SKILL.md", "Counts words.", "Counts letters."),
    back(
        "pipeline-misplaced",
        COUNT,
        "  \"mode\": \"code\",\n",
        "  \"mode\": \"code\",\n  \"outputMapping\": {},\n",
    ),
    back("call-cycle", ADD, "[\"count\"]", "[\"count\", \"sum\"]"),
    back("permission-host", COUNT, "\"api.example.com\"", "\"https://api.example.com/v1\""),
    back("schema-keyword", INPUT, "\"minLength\": 1", "\"minLength\": 1, \"required\": true"),
    back("schema-ref-sibling", INPUT, "\"#/definitions/page\" }", "\"#/definitions/page\", \"maximum\": 9 }"),
    back("schema-bounds", INPUT, "\"minimum\": 1 }", "\"minimum\": 1, \"maximum\": 0 }"),
    back(
        "step-argument",
        SUM,
        "\"least\": \"{{steps.one.sum}}\"",
        "\"least\": \"{{steps.one.sum}}\", \"most\": 1",
    ),
    back("timeout-invalid", PDF, "timeout: 30s", "timeout: half a minute"),
    back("manifest-range", COUNT, "  \"mode\": \"code\",\n", "  \"mode\": \"code\",\n  \"timeout\": 0,\n"),
    back("schema-default", INPUT, "\"minLength\": 1,", "\"minLength\": 1, \"default\": null,"),
    back("schema-default-lost", INPUT, "\"minLength\": 1,", "\"minLength\": 1, \"default\": 5,"),
];
