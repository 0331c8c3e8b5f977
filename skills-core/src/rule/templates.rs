//! Rules about templates in prompts and pipelines.

use super::Rule;
use crate::diagnostic::Level;

pub(super) static ALL: &[&Rule] = &[
    &TEMPLATE_SYNTAX,
    &TEMPLATE_FILTER,
    &TEMPLATE_BLOCK,
    &TEMPLATE_PATH,
    &TEMPLATE_LITERAL,
    &STEP_TWICE,
    &STEP_ARGUMENT,
];

/// A template cannot be parsed.
pub static TEMPLATE_SYNTAX: Rule = Rule {
    code: "template-syntax",
    spec: "5.1",
    lint: false,
    bundle: Level::Error,
    disk: Level::Error,
    standard: Level::Allow,
    explain: "What stands between `{{` and `}}` is an expression: a path, a literal, filters behind `|`, a \
        fallback behind `||`. To print braces as they are, double them: `{{{{` prints `{{`.",
    bad: &[
        (
            "add/skill.json",
            "{\n  \"name\": \"add\",\n  \"description\": \"Adds.\",\n  \"category\": \"math\",\n  \"input\": { \"type\": \"object\", \"properties\": { \"numbers\": { \"type\": \"array\" } }, \"required\": [\"numbers\"] },\n  \"output\": {},\n  \"mode\": \"llm\"\n}\n",
        ),
        ("add/prompt.md", "Add {{input.numbers |}}.\n"),
    ],
    good: &[
        (
            "add/skill.json",
            "{\n  \"name\": \"add\",\n  \"description\": \"Adds.\",\n  \"category\": \"math\",\n  \"input\": { \"type\": \"object\", \"properties\": { \"numbers\": { \"type\": \"array\" } }, \"required\": [\"numbers\"] },\n  \"output\": {},\n  \"mode\": \"llm\"\n}\n",
        ),
        ("add/prompt.md", "Add {{input.numbers}}.\n"),
    ],
};

/// A filter does not exist, or has the wrong number of arguments.
pub static TEMPLATE_FILTER: Rule = Rule {
    code: "template-filter",
    spec: "5.3",
    lint: false,
    bundle: Level::Error,
    disk: Level::Error,
    standard: Level::Allow,
    explain: "The filters are a fixed list, each with its arguments behind `:`. A mistyped one would give \
        nothing, so it is an error when the program is built.",
    bad: &[
        (
            "add/skill.json",
            "{\n  \"name\": \"add\",\n  \"description\": \"Adds.\",\n  \"category\": \"math\",\n  \"input\": { \"type\": \"object\", \"properties\": { \"numbers\": { \"type\": \"array\" } }, \"required\": [\"numbers\"] },\n  \"output\": {},\n  \"mode\": \"llm\"\n}\n",
        ),
        ("add/prompt.md", "Add {{input.numbers | joi: ', '}}.\n"),
    ],
    good: &[
        (
            "add/skill.json",
            "{\n  \"name\": \"add\",\n  \"description\": \"Adds.\",\n  \"category\": \"math\",\n  \"input\": { \"type\": \"object\", \"properties\": { \"numbers\": { \"type\": \"array\" } }, \"required\": [\"numbers\"] },\n  \"output\": {},\n  \"mode\": \"llm\"\n}\n",
        ),
        ("add/prompt.md", "Add {{input.numbers | join: ', '}}.\n"),
    ],
};

/// A block of a prompt is not known, not closed, or in the wrong place.
pub static TEMPLATE_BLOCK: Rule = Rule {
    code: "template-block",
    spec: "5.8",
    lint: false,
    bundle: Level::Error,
    disk: Level::Error,
    standard: Level::Allow,
    explain: "Prompts have the blocks `#if`, `#each` and `#raw`, each ended by its `/`. The strings of a \
        pipeline have none.",
    bad: &[
        (
            "add/skill.json",
            "{\n  \"name\": \"add\",\n  \"description\": \"Adds.\",\n  \"category\": \"math\",\n  \"input\": { \"type\": \"object\", \"properties\": { \"numbers\": { \"type\": \"array\" } }, \"required\": [\"numbers\"] },\n  \"output\": {},\n  \"mode\": \"llm\"\n}\n",
        ),
        ("add/prompt.md", "{{#if input.numbers}}Add them.\n"),
    ],
    good: &[
        (
            "add/skill.json",
            "{\n  \"name\": \"add\",\n  \"description\": \"Adds.\",\n  \"category\": \"math\",\n  \"input\": { \"type\": \"object\", \"properties\": { \"numbers\": { \"type\": \"array\" } }, \"required\": [\"numbers\"] },\n  \"output\": {},\n  \"mode\": \"llm\"\n}\n",
        ),
        ("add/prompt.md", "{{#if input.numbers}}Add them.{{/if}}\n"),
    ],
};

/// A path leads to nothing.
pub static TEMPLATE_PATH: Rule = Rule {
    code: "template-path",
    spec: "5.5",
    lint: false,
    bundle: Level::Error,
    disk: Level::Warning,
    standard: Level::Allow,
    explain: "Every path is judged against the schema of what it reads: the input, or the output of the \
        skill that an earlier step uses. It is an error where the schema declares properties and \
        none of that name, or where no earlier step has the name.",
    bad: &[
        (
            "add/skill.json",
            "{\n  \"name\": \"add\",\n  \"description\": \"Adds.\",\n  \"category\": \"math\",\n  \"input\": { \"type\": \"object\", \"properties\": { \"numbers\": { \"type\": \"array\" } }, \"required\": [\"numbers\"] },\n  \"output\": {},\n  \"mode\": \"llm\"\n}\n",
        ),
        ("add/prompt.md", "Add {{input.numbrs}}.\n"),
    ],
    good: &[
        (
            "add/skill.json",
            "{\n  \"name\": \"add\",\n  \"description\": \"Adds.\",\n  \"category\": \"math\",\n  \"input\": { \"type\": \"object\", \"properties\": { \"numbers\": { \"type\": \"array\" } }, \"required\": [\"numbers\"] },\n  \"output\": {},\n  \"mode\": \"llm\"\n}\n",
        ),
        ("add/prompt.md", "Add {{input.numbers}}.\n"),
    ],
};

/// Something that looks like an expression stands outside the braces.
pub static TEMPLATE_LITERAL: Rule = Rule {
    code: "template-literal",
    spec: "5.1",
    lint: true,
    bundle: Level::Warning,
    disk: Level::Allow,
    standard: Level::Allow,
    explain: "`{{a}} || {{b}}` prints both values with the bars between them; a fallback stands inside one \
        pair of braces.",
    bad: &[
        (
            "add/skill.json",
            "{\n  \"name\": \"add\",\n  \"description\": \"Adds.\",\n  \"category\": \"math\",\n  \"input\": { \"type\": \"object\", \"properties\": { \"numbers\": { \"type\": \"array\" } }, \"required\": [\"numbers\"] },\n  \"output\": {},\n  \"mode\": \"llm\"\n}\n",
        ),
        ("add/prompt.md", "Add {{input.numbers}} || {{input.numbers}}.\n"),
    ],
    good: &[
        (
            "add/skill.json",
            "{\n  \"name\": \"add\",\n  \"description\": \"Adds.\",\n  \"category\": \"math\",\n  \"input\": { \"type\": \"object\", \"properties\": { \"numbers\": { \"type\": \"array\" } }, \"required\": [\"numbers\"] },\n  \"output\": {},\n  \"mode\": \"llm\"\n}\n",
        ),
        ("add/prompt.md", "Add {{input.numbers || input.numbers}}.\n"),
    ],
};

/// Two steps of a pipeline have the same name.
pub static STEP_TWICE: Rule = Rule {
    code: "step-twice",
    spec: "5.5",
    lint: false,
    bundle: Level::Error,
    disk: Level::Error,
    standard: Level::Allow,
    explain: "`steps.NAME` reads the result of one step, so two steps of one name would make it chance which result is read.",
    bad: &[
        (
            "sum/skill.json",
            "{\n  \"name\": \"sum\",\n  \"description\": \"Adds.\",\n  \"category\": \"math\",\n  \"input\": { \"type\": \"object\", \"properties\": { \"numbers\": { \"type\": \"array\" } }, \"required\": [\"numbers\"] },\n  \"output\": {},\n  \"mode\": \"composite\",\n  \"calls\": [\"add\"],\n  \"pipeline\": [{ \"step\": \"one\", \"skill\": \"add\", \"input\": { \"numbers\": \"{{input.numbers}}\" } }, { \"step\": \"one\", \"skill\": \"add\", \"input\": { \"numbers\": \"{{input.numbers}}\" } }]\n}\n",
        ),
        (
            "add/skill.json",
            "{\n  \"name\": \"add\",\n  \"description\": \"Adds.\",\n  \"category\": \"math\",\n  \"input\": { \"type\": \"object\", \"properties\": { \"numbers\": { \"type\": \"array\" } }, \"required\": [\"numbers\"] },\n  \"output\": {},\n  \"mode\": \"code\"\n}\n",
        ),
    ],
    good: &[
        (
            "sum/skill.json",
            "{\n  \"name\": \"sum\",\n  \"description\": \"Adds.\",\n  \"category\": \"math\",\n  \"input\": { \"type\": \"object\", \"properties\": { \"numbers\": { \"type\": \"array\" } }, \"required\": [\"numbers\"] },\n  \"output\": {},\n  \"mode\": \"composite\",\n  \"calls\": [\"add\"],\n  \"pipeline\": [{ \"step\": \"one\", \"skill\": \"add\", \"input\": { \"numbers\": \"{{input.numbers}}\" } }, { \"step\": \"two\", \"skill\": \"add\", \"input\": { \"numbers\": \"{{input.numbers}}\" } }]\n}\n",
        ),
        (
            "add/skill.json",
            "{\n  \"name\": \"add\",\n  \"description\": \"Adds.\",\n  \"category\": \"math\",\n  \"input\": { \"type\": \"object\", \"properties\": { \"numbers\": { \"type\": \"array\" } }, \"required\": [\"numbers\"] },\n  \"output\": {},\n  \"mode\": \"code\"\n}\n",
        ),
    ],
};

/// A step lacks an argument, or gives one that is refused.
pub static STEP_ARGUMENT: Rule = Rule {
    code: "step-argument",
    spec: "5.5",
    lint: false,
    bundle: Level::Error,
    disk: Level::Warning,
    standard: Level::Allow,
    explain: "The input of a step is the input of the skill it uses: what its schema requires must be \
        there, and what it does not know is refused where it says `additionalProperties: false`.",
    bad: &[
        (
            "sum/skill.json",
            "{\n  \"name\": \"sum\",\n  \"description\": \"Adds.\",\n  \"category\": \"math\",\n  \"input\": { \"type\": \"object\", \"properties\": { \"numbers\": { \"type\": \"array\" } }, \"required\": [\"numbers\"] },\n  \"output\": {},\n  \"mode\": \"composite\",\n  \"calls\": [\"add\"],\n  \"pipeline\": [{ \"step\": \"one\", \"skill\": \"add\", \"input\": {} }]\n}\n",
        ),
        (
            "add/skill.json",
            "{\n  \"name\": \"add\",\n  \"description\": \"Adds.\",\n  \"category\": \"math\",\n  \"input\": { \"type\": \"object\", \"properties\": { \"numbers\": { \"type\": \"array\" } }, \"required\": [\"numbers\"] },\n  \"output\": {},\n  \"mode\": \"code\"\n}\n",
        ),
    ],
    good: &[
        (
            "sum/skill.json",
            "{\n  \"name\": \"sum\",\n  \"description\": \"Adds.\",\n  \"category\": \"math\",\n  \"input\": { \"type\": \"object\", \"properties\": { \"numbers\": { \"type\": \"array\" } }, \"required\": [\"numbers\"] },\n  \"output\": {},\n  \"mode\": \"composite\",\n  \"calls\": [\"add\"],\n  \"pipeline\": [{ \"step\": \"one\", \"skill\": \"add\", \"input\": { \"numbers\": \"{{input.numbers}}\" } }]\n}\n",
        ),
        (
            "add/skill.json",
            "{\n  \"name\": \"add\",\n  \"description\": \"Adds.\",\n  \"category\": \"math\",\n  \"input\": { \"type\": \"object\", \"properties\": { \"numbers\": { \"type\": \"array\" } }, \"required\": [\"numbers\"] },\n  \"output\": {},\n  \"mode\": \"code\"\n}\n",
        ),
    ],
};
