//! Rules about what the mode of a skill needs: prompts, pipelines, calls.

use super::Rule;
use super::example::ADD;
use crate::level::Level::{Allow, Error, Warning};

rules! {
    /// A skill of mode `llm` has no prompt.
    pub static PROMPT_MISSING: Rule = Rule {
        code: "prompt-missing",
        spec: "3.4",
        explain: "A skill of mode `llm` is a prompt: the file `prompt.md` beside `skill.json`, or else the \
            body of `SKILL.md`.",
        bad: &[function!("add": r#""input": {}"#, r#""output": {}"#, r#""mode": "llm""#)],
        good: &[
            function!("add": r#""input": {}"#, r#""output": {}"#, r#""mode": "llm""#),
            ("add/prompt.md", "Add the numbers.\n"),
        ],
        ..Rule::error(Error, Error, Allow)
    };

    /// `prompt.md` is empty.
    pub static PROMPT_EMPTY: Rule = Rule {
        code: "prompt-empty",
        spec: "3.4",
        explain: "A skill of mode `llm` sends this text to the model. An empty one would let the model guess \
            what to do.",
        bad: &[
            function!("add": r#""input": {}"#, r#""output": {}"#, r#""mode": "llm""#),
            ("add/prompt.md", "\n"),
        ],
        good: &[
            function!("add": r#""input": {}"#, r#""output": {}"#, r#""mode": "llm""#),
            ("add/prompt.md", "Add the numbers.\n"),
        ],
        ..Rule::error(Error, Error, Allow)
    };

    /// The pipeline has no steps.
    pub static PIPELINE_EMPTY: Rule = Rule {
        code: "pipeline-empty",
        spec: "3.4",
        explain: "A composite skill runs the steps of its pipeline; an empty one does nothing. Without the key \
            at all the host runs the skill.",
        bad: &[function!("add": r#""input": {}"#, r#""output": {}"#, r#""mode": "composite""#, r#""pipeline": []"#)],
        good: &[function!("add": r#""input": {}"#, r#""output": {}"#, r#""mode": "composite""#)],
        ..Rule::error(Error, Error, Allow)
    };

    /// A pipeline is given in a mode that does not run it.
    pub static PIPELINE_MISPLACED: Rule = Rule {
        code: "pipeline-misplaced",
        spec: "3.4",
        explain: "Only mode `composite` runs a pipeline and maps its output. In another mode the keys are \
            without effect.",
        bad: &[add!(r#""outputMapping": {}"#)],
        good: &[ADD],
        ..Rule::lint(Warning, Warning, Allow)
    };

    /// The skill has an `index.ts` or `index.js`, which nothing runs.
    pub static SCRIPT_INDEX: Rule = Rule {
        code: "script-index",
        spec: "3.4",
        explain: "Skills run inside one binary without a JavaScript engine. The file is bundled as a resource; \
            the function itself is a method of the host, or a program that `exec` in `SKILL.md` names.",
        bad: &[
            ADD,
            ("add/index.ts", "export const execute = () => ({})\n"),
        ],
        good: &[ADD],
        ..Rule::lint(Warning, Warning, Allow)
    };

    /// `calls` names a skill that does not exist.
    pub static CALL_UNKNOWN: Rule = Rule {
        code: "call-unknown",
        spec: "3.6",
        explain: "A skill declares what it calls, so that a missing one is found when the program is built and \
            not when it runs.",
        bad: &[
            function!("sum": r#""input": {}"#, r#""output": {}"#, r#""mode": "composite""#, r#""calls": ["ad"]"#),
            ADD,
        ],
        good: &[
            function!("sum": r#""input": {}"#, r#""output": {}"#, r#""mode": "composite""#, r#""calls": ["add"]"#),
            ADD,
        ],
        ..Rule::error(Error, Warning, Allow)
    };

    /// A step uses a skill that is not in `calls`.
    pub static CALL_UNDECLARED: Rule = Rule {
        code: "call-undeclared",
        spec: "3.6",
        explain: "The list `calls` is the whole of what a skill depends on; every skill that a step uses must \
            stand in it.",
        bad: &[
            function!("sum": r#""input": {}"#, r#""output": {}"#, r#""mode": "composite""#, r#""calls": []"#, r#""pipeline": [{ "step": "one", "skill": "add", "input": {} }]"#),
            ADD,
        ],
        good: &[
            function!("sum": r#""input": {}"#, r#""output": {}"#, r#""mode": "composite""#, r#""calls": ["add"]"#, r#""pipeline": [{ "step": "one", "skill": "add", "input": {} }]"#),
            ADD,
        ],
        ..Rule::error(Error, Warning, Allow)
    };

    /// Skills call each other in a circle.
    pub static CALL_CYCLE: Rule = Rule {
        code: "call-cycle",
        spec: "3.6",
        explain: "A skill that calls itself, directly or through others, never ends. The title prints the \
            circle.",
        bad: &[
            function!("add": r#""input": {}"#, r#""output": {}"#, r#""mode": "composite""#, r#""calls": ["sub"]"#),
            (
                "sub/skill.json",
                "{\n  \"name\": \"sub\",\n  \"description\": \"Adds.\",\n  \"category\": \"math\",\n  \"input\": {},\n  \"output\": {},\n  \"mode\": \"composite\",\n  \"calls\": [\"add\"]\n}\n",
            ),
        ],
        good: &[
            function!("add": r#""input": {}"#, r#""output": {}"#, r#""mode": "composite""#, r#""calls": ["sub"]"#),
            (
                "sub/skill.json",
                "{\n  \"name\": \"sub\",\n  \"description\": \"Adds.\",\n  \"category\": \"math\",\n  \"input\": {},\n  \"output\": {},\n  \"mode\": \"code\"\n}\n",
            ),
        ],
        ..Rule::error(Error, Error, Allow)
    };
}
