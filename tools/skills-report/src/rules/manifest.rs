//! Rules about the keys of skill.json.

use super::example::{ADD, PDF};

texts! {
    manifest:
    MANIFEST_TYPE {
        explain: "The meta-schema of `skill.json` gives every key one type. A value of another type cannot \
            be read, and values are never converted.",
        bad: &[
            add!(r#""tags": "math""#),
            function!("wait": r#""input": {}"#, r#""output": {}"#, r#""mode": "code""#, r#""timeout": "30s""#),
        ],
        good: &[add!(r#""tags": ["math"]"#)],
    }

    MANIFEST_MISSING_KEY {
        explain: "A skill with a `skill.json` is a function: name, description, category, input, output and \
            mode are its signature, and all six are required. A step of a pipeline needs `step`, `skill` \
            and `input`.",
        bad: &[(
            "add/skill.json",
            "{\n  \"name\": \"add\",\n  \"description\": \"Adds.\",\n  \"input\": {},\n  \"output\": {},\n  \"mode\": \"code\"\n}\n",
        )],
        good: &[ADD],
    }

    MANIFEST_FOREIGN {
        explain: "Other systems also have files named `skill.json`. A `skill.json` beside a `SKILL.md` \
            that has neither one of the modes nor two schemas, `input` and `output`, is such a file: it is \
            kept as data of the skill, and only `SKILL.md` defines the skill. Without a `SKILL.md` and without any key that \
            only a function has, its directory is not a skill. Add the three keys if the skill is meant to be a function.",
        bad: &[PDF, ("pdf/skill.json", "{ \"slug\": \"pdf\", \"permissions\": [\"network\"] }\n")],
    }

    MANIFEST_UNKNOWN_KEY {
        explain: "The meta-schema of `skill.json` allows no other keys, so that a mistyped key is reported \
            instead of ignored.",
        bad: &[add!(r#""tag": ["math"]"#)],
        good: &[add!(r#""tags": ["math"]"#)],
    }

    MANIFEST_NAME {
        explain: "A skill with a `skill.json` has the name of a function: a lowercase letter first, then \
            lowercase letters, digits and `_`, at most 64 characters.",
        bad: &[(
            "add/skill.json",
            "{\n  \"name\": \"Add\",\n  \"description\": \"Adds.\",\n  \"category\": \"math\",\n  \"input\": {},\n  \"output\": {},\n  \"mode\": \"code\"\n}\n",
        )],
        good: &[ADD],
    }

    MANIFEST_EMPTY {
        explain: "A model and a person choose a function by its description; the meta-schema requires at \
            least one character.",
        bad: &[(
            "add/skill.json",
            "{\n  \"name\": \"add\",\n  \"description\": \"\",\n  \"category\": \"math\",\n  \"input\": {},\n  \"output\": {},\n  \"mode\": \"code\"\n}\n",
        )],
        good: &[ADD],
    }

    MANIFEST_RANGE {
        explain: "`timeout` is a number of milliseconds above 0; `retry` is a whole number of extra \
            attempts, 0 or more.",
        bad: &[add!(r#""timeout": 0"#)],
        good: &[add!(r#""timeout": 30000"#)],
    }

    MODE_UNKNOWN {
        explain: "A skill runs as `code` (a function of the host, or a program), as `llm` (a prompt) or as \
            `composite` (a pipeline of other skills).",
        bad: &[function!("add": r#""input": {}"#, r#""output": {}"#, r#""mode": "prompt""#)],
        good: &[ADD],
    }

    VERSION_FORMAT {
        explain: "Tools compare versions by the rules of semantic versioning: three numbers, and optional \
            suffixes. Any other text is accepted but cannot be compared. In `SKILL.md` every version that \
            begins with a digit is accepted.",
        bad: &[add!(r#""version": "1.0""#)],
        good: &[add!(r#""version": "1.0.0""#)],
    }

    FIELD_CONFLICT {
        explain: "Both files define one skill. `skill.json` is the source of the name, description, version \
            and timeout, and `SKILL.md` may leave them out. If both give a value, the two must be equal. At \
            run time `skill.json` counts.",
        bad: &[ADD, ("add/SKILL.md", "---\ndescription: Subtracts.\n---\n# Add\n")],
        good: &[ADD, ("add/SKILL.md", "# Add\n")],
    }
}
