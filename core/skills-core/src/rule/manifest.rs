//! Rules about `skill.json`: the syntax of JSON files, and the keys.

use super::example::{ADD, PDF};

rules! {
    "JSON":

    JSON_SYNTAX = error("json-syntax", "3.3", [Error, Error, Allow]).hides() {
        explain: "A `skill.json` or a schema file breaks the grammar of JSON at this place. The rest of the \
            file is checked once the error is fixed.",
        bad: &[("add/skill.json", "{ \"name\": \"add\" \"description\": \"Adds.\" }\n")],
        good: &[ADD],
    }

    JSON_COMMENT = error("json-comment", "3.3", [Error, Warning, Allow]) {
        explain: "JSON has no comments, and other programs refuse a file that has one. The rest of the file \
            is checked as if the comment were not there.",
        bad: &[(
            "add/skill.json",
            "// adds\n{\n  \"name\": \"add\",\n  \"description\": \"Adds.\",\n  \"category\": \"math\",\n  \"input\": {},\n  \"output\": {},\n  \"mode\": \"code\"\n}\n",
        )],
        good: &[ADD],
    }

    JSON_TRAILING_COMMA = error("json-trailing-comma", "3.3", [Error, Warning, Allow]) {
        explain: "JSON allows a comma only between two values. The rest of the file is checked as if the \
            comma were not there.",
        bad: &[add!(r#""tags": ["math",]"#)],
        good: &[ADD],
    }

    JSON_DUPLICATE_KEY = error("json-duplicate-key", "3.3", [Error, Warning, Allow]) {
        explain: "JSON parsers differ in which of two equal keys they use, so the file means different \
            things to different programs. At run time the first one counts.",
        bad: &[add!(r#""mode": "code""#)],
        good: &[ADD],
    }

    "skill.json":

    MANIFEST_TYPE = error("manifest-type", "3.1", [Error, Error, Allow]) {
        explain: "The meta-schema of `skill.json` gives every key one type. A value of another type cannot \
            be read, and values are never converted.",
        bad: &[
            add!(r#""tags": "math""#),
            function!("wait": r#""input": {}"#, r#""output": {}"#, r#""mode": "code""#, r#""timeout": "30s""#),
        ],
        good: &[add!(r#""tags": ["math"]"#)],
    }

    MANIFEST_MISSING_KEY = error("manifest-missing-key", "3.1", [Error, Error, Allow]) {
        explain: "A skill with a `skill.json` is a function: name, description, category, input, output and \
            mode are its signature, and all six are required. A step of a pipeline needs `step`, `skill` \
            and `input`.",
        bad: &[(
            "add/skill.json",
            "{\n  \"name\": \"add\",\n  \"description\": \"Adds.\",\n  \"input\": {},\n  \"output\": {},\n  \"mode\": \"code\"\n}\n",
        )],
        good: &[ADD],
    }

    MANIFEST_FOREIGN = lint("manifest-foreign", "2.13", [Warning, Allow, Allow]) {
        explain: "Other systems also have files named `skill.json`. A `skill.json` beside a `SKILL.md` \
            that has neither one of the modes nor two schemas, `input` and `output`, is such a file: it is \
            kept as data of the skill, and only `SKILL.md` defines the skill. Without a `SKILL.md` and without any key that \
            only a function has, its directory is not a skill. Add the three keys if the skill is meant to be a function.",
        bad: &[PDF, ("pdf/skill.json", "{ \"slug\": \"pdf\", \"permissions\": [\"network\"] }\n")],
    }

    MANIFEST_UNKNOWN_KEY = error("manifest-unknown-key", "3.1", [Error, Warning, Allow]) {
        explain: "The meta-schema of `skill.json` allows no other keys, so that a mistyped key is reported \
            instead of ignored.",
        bad: &[add!(r#""tag": ["math"]"#)],
        good: &[add!(r#""tags": ["math"]"#)],
    }

    MANIFEST_NAME = error("manifest-name", "3.1", [Error, Error, Allow]) {
        explain: "A skill with a `skill.json` has the name of a function: a lowercase letter first, then \
            lowercase letters, digits and `_`, at most 64 characters.",
        bad: &[(
            "add/skill.json",
            "{\n  \"name\": \"Add\",\n  \"description\": \"Adds.\",\n  \"category\": \"math\",\n  \"input\": {},\n  \"output\": {},\n  \"mode\": \"code\"\n}\n",
        )],
        good: &[ADD],
    }

    MANIFEST_EMPTY = error("manifest-empty", "3.1", [Error, Error, Allow]) {
        explain: "A model and a person choose a function by its description; the meta-schema requires at \
            least one character.",
        bad: &[(
            "add/skill.json",
            "{\n  \"name\": \"add\",\n  \"description\": \"\",\n  \"category\": \"math\",\n  \"input\": {},\n  \"output\": {},\n  \"mode\": \"code\"\n}\n",
        )],
        good: &[ADD],
    }

    MANIFEST_RANGE = error("manifest-range", "3.1", [Error, Error, Allow]) {
        explain: "`timeout` is a number of milliseconds above 0; `retry` is a whole number of extra \
            attempts, 0 or more.",
        bad: &[add!(r#""timeout": 0"#)],
        good: &[add!(r#""timeout": 30000"#)],
    }

    MODE_UNKNOWN = error("mode-unknown", "3.1", [Error, Error, Allow]) {
        explain: "A skill runs as `code` (a function of the host, or a program), as `llm` (a prompt) or as \
            `composite` (a pipeline of other skills).",
        bad: &[function!("add": r#""input": {}"#, r#""output": {}"#, r#""mode": "prompt""#)],
        good: &[ADD],
    }

    VERSION_FORMAT = lint("version-format", "3.1", [Warning, Warning, Allow]) {
        explain: "Tools compare versions by the rules of semantic versioning: three numbers, and optional \
            suffixes. Any other text is accepted but cannot be compared. In `SKILL.md` every version that \
            begins with a digit is accepted.",
        bad: &[add!(r#""version": "1.0""#)],
        good: &[add!(r#""version": "1.0.0""#)],
    }

    FIELD_CONFLICT = error("field-conflict", "3.5", [Error, Warning, Allow]) {
        explain: "Both files define one skill. `skill.json` is the source of the name, description, version \
            and timeout, and `SKILL.md` may leave them out. If both give a value, the two must be equal. At \
            run time `skill.json` counts.",
        bad: &[ADD, ("add/SKILL.md", "---\ndescription: Subtracts.\n---\n# Add\n")],
        good: &[ADD, ("add/SKILL.md", "# Add\n")],
    }
}
