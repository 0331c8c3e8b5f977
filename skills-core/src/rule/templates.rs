//! Rules about templates, in prompts and pipelines alike.

use super::Rule;
use crate::level::Level;

rules! {
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

    /// A filter can never work on what it is given.
    pub static TEMPLATE_FILTER_TYPE: Rule = Rule {
        code: "template-filter-type",
        spec: "5.3",
        lint: false,
        bundle: Level::Error,
        disk: Level::Warning,
        standard: Level::Allow,
        explain: "Each filter works on some types, and so do its arguments. The schemas say which type a value can have: \
            where none of these can ever fit, every run would fail. Null passes through every filter.",
        bad: &[
            (
                "add/skill.json",
                "{\n  \"name\": \"add\",\n  \"description\": \"Adds.\",\n  \"category\": \"math\",\n  \"input\": { \"type\": \"object\", \"properties\": { \"numbers\": { \"type\": \"array\" } }, \"required\": [\"numbers\"] },\n  \"output\": {},\n  \"mode\": \"llm\"\n}\n",
            ),
            ("add/prompt.md", "Add {{input.numbers | upcase}}.\n"),
        ],
        good: &[
            (
                "add/skill.json",
                "{\n  \"name\": \"add\",\n  \"description\": \"Adds.\",\n  \"category\": \"math\",\n  \"input\": { \"type\": \"object\", \"properties\": { \"numbers\": { \"type\": \"array\" } }, \"required\": [\"numbers\"] },\n  \"output\": {},\n  \"mode\": \"llm\"\n}\n",
            ),
            ("add/prompt.md", "Add {{input.numbers | join: ', ' | upcase}}.\n"),
        ],
    };

    /// An order between values that have none.
    pub static TEMPLATE_COMPARE: Rule = Rule {
        code: "template-compare",
        spec: "5.4",
        lint: false,
        bundle: Level::Error,
        disk: Level::Warning,
        standard: Level::Allow,
        explain: "`<`, `<=`, `>` and `>=` compare two numbers or two strings and are false for anything else, so between \
            types that can never be either the condition never holds. `==` and `!=` compare any two values.",
        bad: &[
            (
                "sum/skill.json",
                "{\n  \"name\": \"sum\",\n  \"description\": \"Adds.\",\n  \"category\": \"math\",\n  \"input\": { \"type\": \"object\", \"properties\": { \"numbers\": { \"type\": \"array\" } }, \"required\": [\"numbers\"] },\n  \"output\": {},\n  \"mode\": \"composite\",\n  \"calls\": [\"add\"],\n  \"pipeline\": [{ \"step\": \"one\", \"skill\": \"add\", \"input\": { \"numbers\": \"{{input.numbers}}\" }, \"condition\": \"input.numbers > 2\" }]\n}\n",
            ),
            (
                "add/skill.json",
                "{\n  \"name\": \"add\",\n  \"description\": \"Adds.\",\n  \"category\": \"math\",\n  \"input\": { \"type\": \"object\", \"properties\": { \"numbers\": { \"type\": \"array\" } }, \"required\": [\"numbers\"] },\n  \"output\": {},\n  \"mode\": \"code\"\n}\n",
            ),
        ],
        good: &[
            (
                "sum/skill.json",
                "{\n  \"name\": \"sum\",\n  \"description\": \"Adds.\",\n  \"category\": \"math\",\n  \"input\": { \"type\": \"object\", \"properties\": { \"numbers\": { \"type\": \"array\" } }, \"required\": [\"numbers\"] },\n  \"output\": {},\n  \"mode\": \"composite\",\n  \"calls\": [\"add\"],\n  \"pipeline\": [{ \"step\": \"one\", \"skill\": \"add\", \"input\": { \"numbers\": \"{{input.numbers}}\" }, \"condition\": \"(input.numbers | size) > 2\" }]\n}\n",
            ),
            (
                "add/skill.json",
                "{\n  \"name\": \"add\",\n  \"description\": \"Adds.\",\n  \"category\": \"math\",\n  \"input\": { \"type\": \"object\", \"properties\": { \"numbers\": { \"type\": \"array\" } }, \"required\": [\"numbers\"] },\n  \"output\": {},\n  \"mode\": \"code\"\n}\n",
            ),
        ],
    };

    /// A list to go through is never an array.
    pub static TEMPLATE_LIST: Rule = Rule {
        code: "template-list",
        spec: "5.7, 5.8",
        lint: false,
        bundle: Level::Error,
        disk: Level::Warning,
        standard: Level::Allow,
        explain: "`foreach` runs a step, and `#each` repeats text, for every element of an array. A value that the schemas \
            say can never be one has no elements.",
        bad: &[
            (
                "sum/skill.json",
                "{\n  \"name\": \"sum\",\n  \"description\": \"Adds.\",\n  \"category\": \"math\",\n  \"input\": { \"type\": \"object\", \"properties\": { \"numbers\": { \"type\": \"array\" } }, \"required\": [\"numbers\"] },\n  \"output\": {},\n  \"mode\": \"composite\",\n  \"calls\": [\"add\"],\n  \"pipeline\": [{ \"step\": \"one\", \"skill\": \"add\", \"input\": { \"numbers\": [\"{{item}}\"] }, \"foreach\": \"{{input.numbers | size}}\" }]\n}\n",
            ),
            (
                "add/skill.json",
                "{\n  \"name\": \"add\",\n  \"description\": \"Adds.\",\n  \"category\": \"math\",\n  \"input\": { \"type\": \"object\", \"properties\": { \"numbers\": { \"type\": \"array\" } }, \"required\": [\"numbers\"] },\n  \"output\": {},\n  \"mode\": \"code\"\n}\n",
            ),
        ],
        good: &[
            (
                "sum/skill.json",
                "{\n  \"name\": \"sum\",\n  \"description\": \"Adds.\",\n  \"category\": \"math\",\n  \"input\": { \"type\": \"object\", \"properties\": { \"numbers\": { \"type\": \"array\" } }, \"required\": [\"numbers\"] },\n  \"output\": {},\n  \"mode\": \"composite\",\n  \"calls\": [\"add\"],\n  \"pipeline\": [{ \"step\": \"one\", \"skill\": \"add\", \"input\": { \"numbers\": [\"{{item}}\"] }, \"foreach\": \"{{input.numbers}}\" }]\n}\n",
            ),
            (
                "add/skill.json",
                "{\n  \"name\": \"add\",\n  \"description\": \"Adds.\",\n  \"category\": \"math\",\n  \"input\": { \"type\": \"object\", \"properties\": { \"numbers\": { \"type\": \"array\" } }, \"required\": [\"numbers\"] },\n  \"output\": {},\n  \"mode\": \"code\"\n}\n",
            ),
        ],
    };
}
