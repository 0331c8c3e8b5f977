//! Rules about templates, in prompts and pipelines alike.

use super::example::{ADD_BY_PROMPT, ADD_NUMBERS};
use crate::level::Level::{Allow, Error, Warning};

rules! {
    /// A template cannot be parsed.
    TEMPLATE_SYNTAX = error("template-syntax", "5.1", [Error, Error, Allow]) {
        explain: "What stands between `{{` and `}}` is an expression: a path, a literal, filters behind `|`, a \
            fallback behind `||`. To print braces as they are, double them: `{{{{` prints `{{`.",
        bad: &[ADD_BY_PROMPT, ("add/prompt.md", "Add {{input.numbers |}}.\n")],
        good: &[ADD_BY_PROMPT, ("add/prompt.md", "Add {{input.numbers}}.\n")],
    }

    /// A filter does not exist, or has the wrong number of arguments.
    TEMPLATE_FILTER = error("template-filter", "5.3", [Error, Error, Allow]) {
        explain: "The filters are a fixed list, each with its arguments behind `:`. A mistyped one would give \
            nothing, so it is an error when the program is built.",
        bad: &[ADD_BY_PROMPT, ("add/prompt.md", "Add {{input.numbers | joi: ', '}}.\n")],
        good: &[ADD_BY_PROMPT, ("add/prompt.md", "Add {{input.numbers | join: ', '}}.\n")],
    }

    /// A block of a prompt is not known, not closed, or in the wrong place.
    TEMPLATE_BLOCK = error("template-block", "5.8", [Error, Error, Allow]) {
        explain: "Prompts have the blocks `#if`, `#each` and `#raw`, each ended by its `/`. The strings of a \
            pipeline have none.",
        bad: &[ADD_BY_PROMPT, ("add/prompt.md", "{{#if input.numbers}}Add them.\n")],
        good: &[ADD_BY_PROMPT, ("add/prompt.md", "{{#if input.numbers}}Add them.{{/if}}\n")],
    }

    /// A path leads to nothing.
    TEMPLATE_PATH = error("template-path", "5.5", [Error, Warning, Allow]) {
        explain: "Every path is judged against the schema of what it reads: the input, or the output of the skill \
            that an earlier step uses. It is an error where the schema declares properties and none of that name, or \
            where no earlier step has the name.",
        bad: &[ADD_BY_PROMPT, ("add/prompt.md", "Add {{input.numbrs}}.\n")],
        good: &[ADD_BY_PROMPT, ("add/prompt.md", "Add {{input.numbers}}.\n")],
    }

    /// Something that looks like an expression stands outside the braces.
    TEMPLATE_LITERAL = lint("template-literal", "5.1", [Warning, Allow, Allow]) {
        explain: "`{{a}} || {{b}}` prints both values with the bars between them; a fallback stands inside one pair \
            of braces.",
        bad: &[ADD_BY_PROMPT, ("add/prompt.md", "Add {{input.numbers}} || {{input.numbers}}.\n")],
        good: &[ADD_BY_PROMPT, ("add/prompt.md", "Add {{input.numbers || input.numbers}}.\n")],
    }

    /// A filter can never work on what it is given.
    TEMPLATE_FILTER_TYPE = error("template-filter-type", "5.3", [Error, Warning, Allow]) {
        explain: "Each filter works on some types, and so do its arguments. The schemas say which type a value can \
            have: where none of these can ever fit, every run would fail. Null passes through every filter.",
        bad: &[ADD_BY_PROMPT, ("add/prompt.md", "Add {{input.numbers | upcase}}.\n")],
        good: &[ADD_BY_PROMPT, ("add/prompt.md", "Add {{input.numbers | join: ', ' | upcase}}.\n")],
    }

    /// An order between values that have none.
    TEMPLATE_COMPARE = error("template-compare", "5.4", [Error, Warning, Allow]) {
        explain: "`<`, `<=`, `>` and `>=` compare two numbers or two strings and are false for anything else, so \
            between types that can never be either the condition never holds. `==` and `!=` compare any two values.",
        bad: &[
            sum!(r#""pipeline": [{ "step": "one", "skill": "add", "input": { "numbers": "{{input.numbers}}" }, "condition": "input.numbers > 2" }]"#),
            ADD_NUMBERS,
        ],
        good: &[
            sum!(r#""pipeline": [{ "step": "one", "skill": "add", "input": { "numbers": "{{input.numbers}}" }, "condition": "(input.numbers | size) > 2" }]"#),
            ADD_NUMBERS,
        ],
    }

    /// A list to go through is never an array.
    TEMPLATE_LIST = error("template-list", "5.7, 5.8", [Error, Warning, Allow]) {
        explain: "`foreach` runs a step, and `#each` repeats text, for every element of an array. A value that the \
            schemas say can never be one has no elements.",
        bad: &[
            sum!(r#""pipeline": [{ "step": "one", "skill": "add", "input": { "numbers": ["{{item}}"] }, "foreach": "{{input.numbers | size}}" }]"#),
            ADD_NUMBERS,
        ],
        good: &[
            sum!(r#""pipeline": [{ "step": "one", "skill": "add", "input": { "numbers": ["{{item}}"] }, "foreach": "{{input.numbers}}" }]"#),
            ADD_NUMBERS,
        ],
    }
}
