//! Rules about templates, in prompts and pipelines alike.

use super::example::{ADD_BY_PROMPT, ADD_NUMBERS};

rules! {
    "Templates":

    TEMPLATE_SYNTAX = error("template-syntax", "5.1", [Error, Error, Allow]) {
        explain: "The text between `{{` and `}}` is an expression: a path, a literal, filters after `|`, a \
            fallback after `||`. To print braces as they are, double them: `{{{{` prints `{{`.",
        bad: &[ADD_BY_PROMPT, ("add/prompt.md", "Add {{input.numbers |}}.\n")],
        good: &[ADD_BY_PROMPT, ("add/prompt.md", "Add {{input.numbers}}.\n")],
    }

    TEMPLATE_FILTER = error("template-filter", "5.3", [Error, Error, Allow]) {
        explain: "There is a fixed list of filters, each with its arguments after `:`. A mistyped filter \
            would print nothing, so it is an error when the program is built.",
        bad: &[ADD_BY_PROMPT, ("add/prompt.md", "Add {{input.numbers | joi: ', '}}.\n")],
        good: &[ADD_BY_PROMPT, ("add/prompt.md", "Add {{input.numbers | join: ', '}}.\n")],
    }

    TEMPLATE_BLOCK = error("template-block", "5.8", [Error, Error, Allow]) {
        explain: "Prompts have the blocks `#if`, `#each` and `#raw`, each closed with its `/`. The strings \
            of a pipeline have no blocks.",
        bad: &[ADD_BY_PROMPT, ("add/prompt.md", "{{#if input.numbers}}Add them.\n")],
        good: &[ADD_BY_PROMPT, ("add/prompt.md", "{{#if input.numbers}}Add them.{{/if}}\n")],
    }

    TEMPLATE_PATH = error("template-path", "5.5", [Error, Warning, Allow]) {
        explain: "Every path is checked against the schema of the value it reads: the input, or the output \
            of the skill that an earlier step uses. It is an error if the schema declares properties but \
            none with that name, or if no earlier step has the name.",
        bad: &[ADD_BY_PROMPT, ("add/prompt.md", "Add {{input.numbrs}}.\n")],
        good: &[ADD_BY_PROMPT, ("add/prompt.md", "Add {{input.numbers}}.\n")],
    }

    TEMPLATE_LITERAL = lint("template-literal", "5.1", [Warning, Allow, Allow]) {
        explain: "`{{a}} || {{b}}` prints both values with the bars between them; write a fallback inside \
            one pair of braces. Syntax of \
            other languages, such as `{% if %}`, `<%= x %>` or `{input.x}`, is printed as well.",
        bad: &[ADD_BY_PROMPT, ("add/prompt.md", "Add {{input.numbers}} || {{input.numbers}}.\n")],
        good: &[ADD_BY_PROMPT, ("add/prompt.md", "Add {{input.numbers || input.numbers}}.\n")],
    }

    TEMPLATE_FILTER_TYPE = error("template-filter-type", "5.3", [Error, Warning, Allow]) {
        explain: "Each filter accepts some types, and so do its arguments. The schemas give the possible \
            types of a value: if none of them is accepted, every run would fail. Null passes through every \
            filter.",
        bad: &[ADD_BY_PROMPT, ("add/prompt.md", "Add {{input.numbers | upcase}}.\n")],
        good: &[ADD_BY_PROMPT, ("add/prompt.md", "Add {{input.numbers | join: ', ' | upcase}}.\n")],
    }

    TEMPLATE_COMPARE = error("template-compare", "5.4", [Error, Warning, Allow]) {
        explain: "`<`, `<=`, `>` and `>=` compare two numbers or two strings and are false for any other \
            values, so the condition never holds between other types. `==` and `!=` compare any two values.",
        bad: &[
            sum!(r#""pipeline": [{ "step": "one", "skill": "add", "input": { "numbers": "{{input.numbers}}" }, "condition": "input.numbers > 2" }]"#),
            ADD_NUMBERS,
        ],
        good: &[
            sum!(r#""pipeline": [{ "step": "one", "skill": "add", "input": { "numbers": "{{input.numbers}}" }, "condition": "(input.numbers | size) > 2" }]"#),
            ADD_NUMBERS,
        ],
    }

    TEMPLATE_LIST = error("template-list", "5.7, 5.8", [Error, Warning, Allow]) {
        explain: "`foreach` runs a step, and `#each` repeats text, for every element of an array. A value \
            that can never be an array by its schema has no elements.",
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
