//! Rules about what the mode of a skill needs: prompts, pipelines, calls.

use super::Rule;
use crate::level::Level;

rules! {
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
}
