//! Rules about skill.json and what it names.

use super::Rule;
use crate::diagnostic::Level;

pub(super) static ALL: &[&Rule] = &[
    &JSON_SYNTAX,
    &JSON_COMMENT,
    &JSON_TRAILING_COMMA,
    &JSON_DUPLICATE_KEY,
    &MANIFEST_TYPE,
    &MANIFEST_MISSING_KEY,
    &MANIFEST_UNKNOWN_KEY,
    &MANIFEST_NAME,
    &MANIFEST_EMPTY,
    &MANIFEST_RANGE,
    &MODE_UNKNOWN,
    &VERSION_FORMAT,
    &PROMPT_MISSING,
    &PROMPT_EMPTY,
    &PIPELINE_EMPTY,
    &PIPELINE_MISPLACED,
    &SCRIPT_INDEX,
    &FIELD_CONFLICT,
    &CALL_UNKNOWN,
    &CALL_UNDECLARED,
    &CALL_CYCLE,
];

/// The file is not JSON.
pub static JSON_SYNTAX: Rule = Rule {
    code: "json-syntax",
    spec: "3.3",
    lint: false,
    bundle: Level::Error,
    disk: Level::Error,
    standard: Level::Allow,
    explain: "A `skill.json` or a schema file breaks the grammar of JSON at this place. What stands behind \
        the place is not judged before the fault is mended.",
    bad: &[("add/skill.json", "{ \"name\": \"add\" \"description\": \"Adds.\" }\n")],
    good: &[(
        "add/skill.json",
        "{\n  \"name\": \"add\",\n  \"description\": \"Adds.\",\n  \"category\": \"math\",\n  \"input\": {},\n  \"output\": {},\n  \"mode\": \"code\"\n}\n",
    )],
};

/// The file has a comment, which JSON does not.
pub static JSON_COMMENT: Rule = Rule {
    code: "json-comment",
    spec: "3.3",
    lint: false,
    bundle: Level::Error,
    disk: Level::Warning,
    standard: Level::Allow,
    explain: "JSON has no comments, and other programs that read the file refuse it. The text around it is \
        judged as if the comment were not there.",
    bad: &[(
        "add/skill.json",
        "// adds\n{\n  \"name\": \"add\",\n  \"description\": \"Adds.\",\n  \"category\": \"math\",\n  \"input\": {},\n  \"output\": {},\n  \"mode\": \"code\"\n}\n",
    )],
    good: &[(
        "add/skill.json",
        "{\n  \"name\": \"add\",\n  \"description\": \"Adds.\",\n  \"category\": \"math\",\n  \"input\": {},\n  \"output\": {},\n  \"mode\": \"code\"\n}\n",
    )],
};

/// The file has a comma with nothing behind it.
pub static JSON_TRAILING_COMMA: Rule = Rule {
    code: "json-trailing-comma",
    spec: "3.3",
    lint: false,
    bundle: Level::Error,
    disk: Level::Warning,
    standard: Level::Allow,
    explain: "JSON allows a comma only between two values. The text around it is judged as if the comma \
        were not there.",
    bad: &[(
        "add/skill.json",
        "{\n  \"name\": \"add\",\n  \"description\": \"Adds.\",\n  \"category\": \"math\",\n  \"input\": {},\n  \"output\": {},\n  \"mode\": \"code\",\n  \"tags\": [\"math\",]\n}\n",
    )],
    good: &[(
        "add/skill.json",
        "{\n  \"name\": \"add\",\n  \"description\": \"Adds.\",\n  \"category\": \"math\",\n  \"input\": {},\n  \"output\": {},\n  \"mode\": \"code\"\n}\n",
    )],
};

/// A key stands twice in one object.
pub static JSON_DUPLICATE_KEY: Rule = Rule {
    code: "json-duplicate-key",
    spec: "3.3",
    lint: false,
    bundle: Level::Error,
    disk: Level::Warning,
    standard: Level::Allow,
    explain: "Readers of JSON differ in which of two equal keys they take, so the file means different \
        things to different programs. At run time the first one counts.",
    bad: &[(
        "add/skill.json",
        "{\n  \"name\": \"add\",\n  \"description\": \"Adds.\",\n  \"category\": \"math\",\n  \"input\": {},\n  \"output\": {},\n  \"mode\": \"code\",\n  \"mode\": \"code\"\n}\n",
    )],
    good: &[(
        "add/skill.json",
        "{\n  \"name\": \"add\",\n  \"description\": \"Adds.\",\n  \"category\": \"math\",\n  \"input\": {},\n  \"output\": {},\n  \"mode\": \"code\"\n}\n",
    )],
};

/// A key of `skill.json` has a value of the wrong type.
pub static MANIFEST_TYPE: Rule = Rule {
    code: "manifest-type",
    spec: "3.1",
    lint: false,
    bundle: Level::Error,
    disk: Level::Error,
    standard: Level::Allow,
    explain: "The meta-schema of `skill.json` gives every key one type; `skills schema` prints it for \
        editors.",
    bad: &[(
        "add/skill.json",
        "{\n  \"name\": \"add\",\n  \"description\": \"Adds.\",\n  \"category\": \"math\",\n  \"input\": {},\n  \"output\": {},\n  \"mode\": \"code\",\n  \"tags\": \"math\"\n}\n",
    )],
    good: &[(
        "add/skill.json",
        "{\n  \"name\": \"add\",\n  \"description\": \"Adds.\",\n  \"category\": \"math\",\n  \"input\": {},\n  \"output\": {},\n  \"mode\": \"code\",\n  \"tags\": [\"math\"]\n}\n",
    )],
};

/// `skill.json` or a step lacks a required key.
pub static MANIFEST_MISSING_KEY: Rule = Rule {
    code: "manifest-missing-key",
    spec: "3.1",
    lint: false,
    bundle: Level::Error,
    disk: Level::Error,
    standard: Level::Allow,
    explain: "A skill is a function: name, description, category, input, output and mode are its \
        signature, and all six are required. A step of a pipeline needs `step`, `skill` and `input`.",
    bad: &[(
        "add/skill.json",
        "{\n  \"name\": \"add\",\n  \"description\": \"Adds.\",\n  \"input\": {},\n  \"output\": {},\n  \"mode\": \"code\"\n}\n",
    )],
    good: &[(
        "add/skill.json",
        "{\n  \"name\": \"add\",\n  \"description\": \"Adds.\",\n  \"category\": \"math\",\n  \"input\": {},\n  \"output\": {},\n  \"mode\": \"code\"\n}\n",
    )],
};

/// `skill.json` or a step has a key that does not exist.
pub static MANIFEST_UNKNOWN_KEY: Rule = Rule {
    code: "manifest-unknown-key",
    spec: "3.1",
    lint: false,
    bundle: Level::Error,
    disk: Level::Warning,
    standard: Level::Allow,
    explain: "The meta-schema of `skill.json` allows no further keys, so that a mistyped one cannot be \
        without effect in silence.",
    bad: &[(
        "add/skill.json",
        "{\n  \"name\": \"add\",\n  \"description\": \"Adds.\",\n  \"category\": \"math\",\n  \"input\": {},\n  \"output\": {},\n  \"mode\": \"code\",\n  \"tag\": [\"math\"]\n}\n",
    )],
    good: &[(
        "add/skill.json",
        "{\n  \"name\": \"add\",\n  \"description\": \"Adds.\",\n  \"category\": \"math\",\n  \"input\": {},\n  \"output\": {},\n  \"mode\": \"code\",\n  \"tags\": [\"math\"]\n}\n",
    )],
};

/// The name in `skill.json` is not snake_case.
pub static MANIFEST_NAME: Rule = Rule {
    code: "manifest-name",
    spec: "3.1",
    lint: false,
    bundle: Level::Error,
    disk: Level::Error,
    standard: Level::Allow,
    explain: "A skill with a `skill.json` is called like a function: a lowercase letter first, then \
        letters, digits and `_`, at most 64 characters.",
    bad: &[(
        "add/skill.json",
        "{\n  \"name\": \"Add\",\n  \"description\": \"Adds.\",\n  \"category\": \"math\",\n  \"input\": {},\n  \"output\": {},\n  \"mode\": \"code\"\n}\n",
    )],
    good: &[(
        "add/skill.json",
        "{\n  \"name\": \"add\",\n  \"description\": \"Adds.\",\n  \"category\": \"math\",\n  \"input\": {},\n  \"output\": {},\n  \"mode\": \"code\"\n}\n",
    )],
};

/// The description in `skill.json` is empty.
pub static MANIFEST_EMPTY: Rule = Rule {
    code: "manifest-empty",
    spec: "3.1",
    lint: false,
    bundle: Level::Error,
    disk: Level::Error,
    standard: Level::Allow,
    explain: "A model and a person choose a function by its description; the meta-schema demands at least \
        one character.",
    bad: &[(
        "add/skill.json",
        "{\n  \"name\": \"add\",\n  \"description\": \"\",\n  \"category\": \"math\",\n  \"input\": {},\n  \"output\": {},\n  \"mode\": \"code\"\n}\n",
    )],
    good: &[(
        "add/skill.json",
        "{\n  \"name\": \"add\",\n  \"description\": \"Adds.\",\n  \"category\": \"math\",\n  \"input\": {},\n  \"output\": {},\n  \"mode\": \"code\"\n}\n",
    )],
};

/// A number in `skill.json` is out of range.
pub static MANIFEST_RANGE: Rule = Rule {
    code: "manifest-range",
    spec: "3.1",
    lint: false,
    bundle: Level::Error,
    disk: Level::Error,
    standard: Level::Allow,
    explain: "`timeout` is a whole number of milliseconds above 0, `retry` a whole number of extra \
        attempts, 0 or more.",
    bad: &[(
        "add/skill.json",
        "{\n  \"name\": \"add\",\n  \"description\": \"Adds.\",\n  \"category\": \"math\",\n  \"input\": {},\n  \"output\": {},\n  \"mode\": \"code\",\n  \"timeout\": 0\n}\n",
    )],
    good: &[(
        "add/skill.json",
        "{\n  \"name\": \"add\",\n  \"description\": \"Adds.\",\n  \"category\": \"math\",\n  \"input\": {},\n  \"output\": {},\n  \"mode\": \"code\",\n  \"timeout\": 30000\n}\n",
    )],
};

/// `mode` is none of the three modes.
pub static MODE_UNKNOWN: Rule = Rule {
    code: "mode-unknown",
    spec: "3.1",
    lint: false,
    bundle: Level::Error,
    disk: Level::Error,
    standard: Level::Allow,
    explain: "A skill runs as `code` (a function of the host, or a program), as `llm` (a prompt) or as \
        `composite` (a pipeline of other skills).",
    bad: &[(
        "add/skill.json",
        "{\n  \"name\": \"add\",\n  \"description\": \"Adds.\",\n  \"category\": \"math\",\n  \"input\": {},\n  \"output\": {},\n  \"mode\": \"prompt\"\n}\n",
    )],
    good: &[(
        "add/skill.json",
        "{\n  \"name\": \"add\",\n  \"description\": \"Adds.\",\n  \"category\": \"math\",\n  \"input\": {},\n  \"output\": {},\n  \"mode\": \"code\"\n}\n",
    )],
};

/// The version is not a semantic version.
pub static VERSION_FORMAT: Rule = Rule {
    code: "version-format",
    spec: "3.1",
    lint: true,
    bundle: Level::Warning,
    disk: Level::Warning,
    standard: Level::Allow,
    explain: "Tools compare versions by the rules of semver: three numbers, and what may follow them. Any \
        text is accepted, but it cannot be compared.",
    bad: &[(
        "add/skill.json",
        "{\n  \"name\": \"add\",\n  \"description\": \"Adds.\",\n  \"category\": \"math\",\n  \"input\": {},\n  \"output\": {},\n  \"mode\": \"code\",\n  \"version\": \"1.0\"\n}\n",
    )],
    good: &[(
        "add/skill.json",
        "{\n  \"name\": \"add\",\n  \"description\": \"Adds.\",\n  \"category\": \"math\",\n  \"input\": {},\n  \"output\": {},\n  \"mode\": \"code\",\n  \"version\": \"1.0.0\"\n}\n",
    )],
};

/// A skill of mode `llm` has no prompt.
pub static PROMPT_MISSING: Rule = Rule {
    code: "prompt-missing",
    spec: "3.4",
    lint: false,
    bundle: Level::Error,
    disk: Level::Error,
    standard: Level::Allow,
    explain: "A skill of mode `llm` is a prompt: the file `prompt.md` beside `skill.json`, or else the \
        body of `SKILL.md`.",
    bad: &[(
        "add/skill.json",
        "{\n  \"name\": \"add\",\n  \"description\": \"Adds.\",\n  \"category\": \"math\",\n  \"input\": {},\n  \"output\": {},\n  \"mode\": \"llm\"\n}\n",
    )],
    good: &[
        (
            "add/skill.json",
            "{\n  \"name\": \"add\",\n  \"description\": \"Adds.\",\n  \"category\": \"math\",\n  \"input\": {},\n  \"output\": {},\n  \"mode\": \"llm\"\n}\n",
        ),
        ("add/prompt.md", "Add the numbers.\n"),
    ],
};

/// `prompt.md` is empty.
pub static PROMPT_EMPTY: Rule = Rule {
    code: "prompt-empty",
    spec: "3.4",
    lint: false,
    bundle: Level::Error,
    disk: Level::Error,
    standard: Level::Allow,
    explain: "A skill of mode `llm` sends this text to the model. An empty one would let the model guess \
        what to do.",
    bad: &[
        (
            "add/skill.json",
            "{\n  \"name\": \"add\",\n  \"description\": \"Adds.\",\n  \"category\": \"math\",\n  \"input\": {},\n  \"output\": {},\n  \"mode\": \"llm\"\n}\n",
        ),
        ("add/prompt.md", "\n"),
    ],
    good: &[
        (
            "add/skill.json",
            "{\n  \"name\": \"add\",\n  \"description\": \"Adds.\",\n  \"category\": \"math\",\n  \"input\": {},\n  \"output\": {},\n  \"mode\": \"llm\"\n}\n",
        ),
        ("add/prompt.md", "Add the numbers.\n"),
    ],
};

/// The pipeline has no steps.
pub static PIPELINE_EMPTY: Rule = Rule {
    code: "pipeline-empty",
    spec: "3.4",
    lint: false,
    bundle: Level::Error,
    disk: Level::Error,
    standard: Level::Allow,
    explain: "A composite skill runs the steps of its pipeline; an empty one does nothing. Without the key \
        at all the host runs the skill.",
    bad: &[(
        "add/skill.json",
        "{\n  \"name\": \"add\",\n  \"description\": \"Adds.\",\n  \"category\": \"math\",\n  \"input\": {},\n  \"output\": {},\n  \"mode\": \"composite\",\n  \"pipeline\": []\n}\n",
    )],
    good: &[(
        "add/skill.json",
        "{\n  \"name\": \"add\",\n  \"description\": \"Adds.\",\n  \"category\": \"math\",\n  \"input\": {},\n  \"output\": {},\n  \"mode\": \"composite\"\n}\n",
    )],
};

/// A pipeline is given in a mode that does not run it.
pub static PIPELINE_MISPLACED: Rule = Rule {
    code: "pipeline-misplaced",
    spec: "3.4",
    lint: true,
    bundle: Level::Warning,
    disk: Level::Warning,
    standard: Level::Allow,
    explain: "Only mode `composite` runs a pipeline and maps its output. In another mode the keys are \
        without effect.",
    bad: &[(
        "add/skill.json",
        "{\n  \"name\": \"add\",\n  \"description\": \"Adds.\",\n  \"category\": \"math\",\n  \"input\": {},\n  \"output\": {},\n  \"mode\": \"code\",\n  \"outputMapping\": {}\n}\n",
    )],
    good: &[(
        "add/skill.json",
        "{\n  \"name\": \"add\",\n  \"description\": \"Adds.\",\n  \"category\": \"math\",\n  \"input\": {},\n  \"output\": {},\n  \"mode\": \"code\"\n}\n",
    )],
};

/// The skill has an `index.ts` or `index.js`, which nothing runs.
pub static SCRIPT_INDEX: Rule = Rule {
    code: "script-index",
    spec: "3.4",
    lint: true,
    bundle: Level::Warning,
    disk: Level::Warning,
    standard: Level::Allow,
    explain: "Skills run inside one binary without a JavaScript engine. The file is bundled as a resource; \
        the function itself is a method of the host, or a program that `exec` in `SKILL.md` names.",
    bad: &[
        (
            "add/skill.json",
            "{\n  \"name\": \"add\",\n  \"description\": \"Adds.\",\n  \"category\": \"math\",\n  \"input\": {},\n  \"output\": {},\n  \"mode\": \"code\"\n}\n",
        ),
        ("add/index.ts", "export const execute = () => ({})\n"),
    ],
    good: &[(
        "add/skill.json",
        "{\n  \"name\": \"add\",\n  \"description\": \"Adds.\",\n  \"category\": \"math\",\n  \"input\": {},\n  \"output\": {},\n  \"mode\": \"code\"\n}\n",
    )],
};

/// `SKILL.md` and `skill.json` say different things.
pub static FIELD_CONFLICT: Rule = Rule {
    code: "field-conflict",
    spec: "3.5",
    lint: false,
    bundle: Level::Error,
    disk: Level::Warning,
    standard: Level::Allow,
    explain: "Both files make one skill: `skill.json` owns name, description, version and timeout, and \
        `SKILL.md` may leave them out. What both give must be equal. At run time `skill.json` \
        counts.",
    bad: &[
        (
            "add/skill.json",
            "{\n  \"name\": \"add\",\n  \"description\": \"Adds.\",\n  \"category\": \"math\",\n  \"input\": {},\n  \"output\": {},\n  \"mode\": \"code\"\n}\n",
        ),
        ("add/SKILL.md", "---\ndescription: Subtracts.\n---\n# Add\n"),
    ],
    good: &[
        (
            "add/skill.json",
            "{\n  \"name\": \"add\",\n  \"description\": \"Adds.\",\n  \"category\": \"math\",\n  \"input\": {},\n  \"output\": {},\n  \"mode\": \"code\"\n}\n",
        ),
        ("add/SKILL.md", "# Add\n"),
    ],
};

/// `calls` names a skill that does not exist.
pub static CALL_UNKNOWN: Rule = Rule {
    code: "call-unknown",
    spec: "3.6",
    lint: false,
    bundle: Level::Error,
    disk: Level::Warning,
    standard: Level::Allow,
    explain: "A skill declares what it calls, so that a missing one is found when the program is built and \
        not when it runs.",
    bad: &[
        (
            "sum/skill.json",
            "{\n  \"name\": \"sum\",\n  \"description\": \"Adds.\",\n  \"category\": \"math\",\n  \"input\": {},\n  \"output\": {},\n  \"mode\": \"composite\",\n  \"calls\": [\"ad\"]\n}\n",
        ),
        (
            "add/skill.json",
            "{\n  \"name\": \"add\",\n  \"description\": \"Adds.\",\n  \"category\": \"math\",\n  \"input\": {},\n  \"output\": {},\n  \"mode\": \"code\"\n}\n",
        ),
    ],
    good: &[
        (
            "sum/skill.json",
            "{\n  \"name\": \"sum\",\n  \"description\": \"Adds.\",\n  \"category\": \"math\",\n  \"input\": {},\n  \"output\": {},\n  \"mode\": \"composite\",\n  \"calls\": [\"add\"]\n}\n",
        ),
        (
            "add/skill.json",
            "{\n  \"name\": \"add\",\n  \"description\": \"Adds.\",\n  \"category\": \"math\",\n  \"input\": {},\n  \"output\": {},\n  \"mode\": \"code\"\n}\n",
        ),
    ],
};

/// A step uses a skill that is not in `calls`.
pub static CALL_UNDECLARED: Rule = Rule {
    code: "call-undeclared",
    spec: "3.6",
    lint: false,
    bundle: Level::Error,
    disk: Level::Warning,
    standard: Level::Allow,
    explain: "The list `calls` is the whole of what a skill depends on; every skill that a step uses must \
        stand in it.",
    bad: &[
        (
            "sum/skill.json",
            "{\n  \"name\": \"sum\",\n  \"description\": \"Adds.\",\n  \"category\": \"math\",\n  \"input\": {},\n  \"output\": {},\n  \"mode\": \"composite\",\n  \"calls\": [],\n  \"pipeline\": [{ \"step\": \"one\", \"skill\": \"add\", \"input\": {} }]\n}\n",
        ),
        (
            "add/skill.json",
            "{\n  \"name\": \"add\",\n  \"description\": \"Adds.\",\n  \"category\": \"math\",\n  \"input\": {},\n  \"output\": {},\n  \"mode\": \"code\"\n}\n",
        ),
    ],
    good: &[
        (
            "sum/skill.json",
            "{\n  \"name\": \"sum\",\n  \"description\": \"Adds.\",\n  \"category\": \"math\",\n  \"input\": {},\n  \"output\": {},\n  \"mode\": \"composite\",\n  \"calls\": [\"add\"],\n  \"pipeline\": [{ \"step\": \"one\", \"skill\": \"add\", \"input\": {} }]\n}\n",
        ),
        (
            "add/skill.json",
            "{\n  \"name\": \"add\",\n  \"description\": \"Adds.\",\n  \"category\": \"math\",\n  \"input\": {},\n  \"output\": {},\n  \"mode\": \"code\"\n}\n",
        ),
    ],
};

/// Skills call each other in a circle.
pub static CALL_CYCLE: Rule = Rule {
    code: "call-cycle",
    spec: "3.6",
    lint: false,
    bundle: Level::Error,
    disk: Level::Error,
    standard: Level::Allow,
    explain: "A skill that calls itself, directly or through others, never ends. The title prints the \
        circle.",
    bad: &[
        (
            "add/skill.json",
            "{\n  \"name\": \"add\",\n  \"description\": \"Adds.\",\n  \"category\": \"math\",\n  \"input\": {},\n  \"output\": {},\n  \"mode\": \"composite\",\n  \"calls\": [\"sub\"]\n}\n",
        ),
        (
            "sub/skill.json",
            "{\n  \"name\": \"sub\",\n  \"description\": \"Adds.\",\n  \"category\": \"math\",\n  \"input\": {},\n  \"output\": {},\n  \"mode\": \"composite\",\n  \"calls\": [\"add\"]\n}\n",
        ),
    ],
    good: &[
        (
            "add/skill.json",
            "{\n  \"name\": \"add\",\n  \"description\": \"Adds.\",\n  \"category\": \"math\",\n  \"input\": {},\n  \"output\": {},\n  \"mode\": \"composite\",\n  \"calls\": [\"sub\"]\n}\n",
        ),
        (
            "sub/skill.json",
            "{\n  \"name\": \"sub\",\n  \"description\": \"Adds.\",\n  \"category\": \"math\",\n  \"input\": {},\n  \"output\": {},\n  \"mode\": \"code\"\n}\n",
        ),
    ],
};
