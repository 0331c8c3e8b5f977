//! Rules about the steps of pipelines and what the pipelines give.

use super::Rule;
use crate::level::Level;

rules! {
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
                "{\n  \"name\": \"sum\",\n  \"description\": \"Adds.\",\n  \"category\": \"math\",\n  \"input\": { \"type\": \"object\", \"properties\": { \"numbers\": { \"type\": \"array\" } }, \"required\": [\"numbers\"] },\n  \"output\": {},\n  \"mode\": \"composite\",\n  \"calls\": [\"add\"],\n  \"pipeline\": [{ \"step\": \"one\", \"skill\": \"add\", \"input\": { \"numbers\": \"{{input.numbers}}\" } }, { \"step\": \"two\", \"skill\": \"add\", \"input\": { \"numbers\": \"{{input.numbers}}\" }, \"depends\": [\"one\"] }]\n}\n",
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

    /// An argument can never be what the skill takes.
    pub static STEP_ARGUMENT_TYPE: Rule = Rule {
        code: "step-argument-type",
        spec: "5.5",
        lint: false,
        bundle: Level::Error,
        disk: Level::Warning,
        standard: Level::Allow,
        explain: "The type of each expression follows from the schemas of what it reads and the filters on it. Where no such \
            value can be valid by the schema of the argument, every run of the step would fail. A value without \
            templates is judged by its schema whole: ranges, patterns and all.",
        bad: &[
            (
                "sum/skill.json",
                "{\n  \"name\": \"sum\",\n  \"description\": \"Adds.\",\n  \"category\": \"math\",\n  \"input\": { \"type\": \"object\", \"properties\": { \"numbers\": { \"type\": \"array\" } }, \"required\": [\"numbers\"] },\n  \"output\": {},\n  \"mode\": \"composite\",\n  \"calls\": [\"add\"],\n  \"pipeline\": [{ \"step\": \"one\", \"skill\": \"add\", \"input\": { \"numbers\": \"{{input.numbers | size}}\" } }]\n}\n",
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

    /// The output of a pipeline can never be what its skill promises.
    pub static OUTPUT_MAPPING: Rule = Rule {
        code: "output-mapping",
        spec: "5.5",
        lint: false,
        bundle: Level::Error,
        disk: Level::Warning,
        standard: Level::Allow,
        explain: "What `outputMapping` makes, or without it the output of the last step, must be valid by the schema of the \
            output. It is an error where a required key is missing, a key is refused, or a type can never fit.",
        bad: &[
            (
                "sum/skill.json",
                "{\n  \"name\": \"sum\",\n  \"description\": \"Adds.\",\n  \"category\": \"math\",\n  \"input\": { \"type\": \"object\", \"properties\": { \"numbers\": { \"type\": \"array\" } }, \"required\": [\"numbers\"] },\n  \"output\": { \"type\": \"object\", \"properties\": { \"sum\": { \"type\": \"number\" } }, \"required\": [\"sum\"] },\n  \"mode\": \"composite\",\n  \"calls\": [\"add\"],\n  \"pipeline\": [{ \"step\": \"one\", \"skill\": \"add\", \"input\": { \"numbers\": \"{{input.numbers}}\" } }],\n  \"outputMapping\": { \"total\": \"{{steps.one.total}}\" }\n}\n",
            ),
            (
                "add/skill.json",
                "{\n  \"name\": \"add\",\n  \"description\": \"Adds.\",\n  \"category\": \"math\",\n  \"input\": { \"type\": \"object\", \"properties\": { \"numbers\": { \"type\": \"array\" } }, \"required\": [\"numbers\"] },\n  \"output\": { \"type\": \"object\", \"properties\": { \"total\": { \"type\": \"number\" } }, \"required\": [\"total\"] },\n  \"mode\": \"code\"\n}\n",
            ),
        ],
        good: &[
            (
                "sum/skill.json",
                "{\n  \"name\": \"sum\",\n  \"description\": \"Adds.\",\n  \"category\": \"math\",\n  \"input\": { \"type\": \"object\", \"properties\": { \"numbers\": { \"type\": \"array\" } }, \"required\": [\"numbers\"] },\n  \"output\": { \"type\": \"object\", \"properties\": { \"sum\": { \"type\": \"number\" } }, \"required\": [\"sum\"] },\n  \"mode\": \"composite\",\n  \"calls\": [\"add\"],\n  \"pipeline\": [{ \"step\": \"one\", \"skill\": \"add\", \"input\": { \"numbers\": \"{{input.numbers}}\" } }],\n  \"outputMapping\": { \"sum\": \"{{steps.one.total}}\" }\n}\n",
            ),
            (
                "add/skill.json",
                "{\n  \"name\": \"add\",\n  \"description\": \"Adds.\",\n  \"category\": \"math\",\n  \"input\": { \"type\": \"object\", \"properties\": { \"numbers\": { \"type\": \"array\" } }, \"required\": [\"numbers\"] },\n  \"output\": { \"type\": \"object\", \"properties\": { \"total\": { \"type\": \"number\" } }, \"required\": [\"total\"] },\n  \"mode\": \"code\"\n}\n",
            ),
        ],
    };

    /// A step waits for one that does not run before it.
    pub static STEP_DEPENDS: Rule = Rule {
        code: "step-depends",
        spec: "5.6",
        lint: false,
        bundle: Level::Error,
        disk: Level::Warning,
        standard: Level::Allow,
        explain: "`depends` names steps that must be finished first. Steps run in file order, so only one that stands before \
            can be named: a step that waits for itself or for a later one would never run.",
        bad: &[
            (
                "sum/skill.json",
                "{\n  \"name\": \"sum\",\n  \"description\": \"Adds.\",\n  \"category\": \"math\",\n  \"input\": { \"type\": \"object\", \"properties\": { \"numbers\": { \"type\": \"array\" } }, \"required\": [\"numbers\"] },\n  \"output\": {},\n  \"mode\": \"composite\",\n  \"calls\": [\"add\"],\n  \"pipeline\": [{ \"step\": \"one\", \"skill\": \"add\", \"input\": { \"numbers\": \"{{input.numbers}}\" } }, { \"step\": \"two\", \"skill\": \"add\", \"input\": { \"numbers\": \"{{input.numbers}}\" }, \"depends\": [\"on\"] }]\n}\n",
            ),
            (
                "add/skill.json",
                "{\n  \"name\": \"add\",\n  \"description\": \"Adds.\",\n  \"category\": \"math\",\n  \"input\": { \"type\": \"object\", \"properties\": { \"numbers\": { \"type\": \"array\" } }, \"required\": [\"numbers\"] },\n  \"output\": {},\n  \"mode\": \"code\"\n}\n",
            ),
        ],
        good: &[
            (
                "sum/skill.json",
                "{\n  \"name\": \"sum\",\n  \"description\": \"Adds.\",\n  \"category\": \"math\",\n  \"input\": { \"type\": \"object\", \"properties\": { \"numbers\": { \"type\": \"array\" } }, \"required\": [\"numbers\"] },\n  \"output\": {},\n  \"mode\": \"composite\",\n  \"calls\": [\"add\"],\n  \"pipeline\": [{ \"step\": \"one\", \"skill\": \"add\", \"input\": { \"numbers\": \"{{input.numbers}}\" } }, { \"step\": \"two\", \"skill\": \"add\", \"input\": { \"numbers\": \"{{input.numbers}}\" }, \"depends\": [\"one\"] }]\n}\n",
            ),
            (
                "add/skill.json",
                "{\n  \"name\": \"add\",\n  \"description\": \"Adds.\",\n  \"category\": \"math\",\n  \"input\": { \"type\": \"object\", \"properties\": { \"numbers\": { \"type\": \"array\" } }, \"required\": [\"numbers\"] },\n  \"output\": {},\n  \"mode\": \"code\"\n}\n",
            ),
        ],
    };

    /// Two steps that run code stand in a row and nothing ties them.
    pub static STEP_ORDER: Rule = Rule {
        code: "step-order",
        spec: "5.6",
        lint: true,
        bundle: Level::Warning,
        disk: Level::Allow,
        standard: Level::Allow,
        explain: "Steps that do not refer to one another may run at once. Where a step relies on what the code of the step \
            before did beside its result, it must say so with `depends`. Where both are independent, allow this lint.",
        bad: &[
            (
                "sum/skill.json",
                "{\n  \"name\": \"sum\",\n  \"description\": \"Adds.\",\n  \"category\": \"math\",\n  \"input\": { \"type\": \"object\", \"properties\": { \"numbers\": { \"type\": \"array\" } }, \"required\": [\"numbers\"] },\n  \"output\": {},\n  \"mode\": \"composite\",\n  \"calls\": [\"add\"],\n  \"pipeline\": [{ \"step\": \"one\", \"skill\": \"add\", \"input\": { \"numbers\": \"{{input.numbers}}\" } }, { \"step\": \"two\", \"skill\": \"add\", \"input\": { \"numbers\": \"{{input.numbers}}\" } }]\n}\n",
            ),
            (
                "add/skill.json",
                "{\n  \"name\": \"add\",\n  \"description\": \"Adds.\",\n  \"category\": \"math\",\n  \"input\": { \"type\": \"object\", \"properties\": { \"numbers\": { \"type\": \"array\" } }, \"required\": [\"numbers\"] },\n  \"output\": {},\n  \"mode\": \"code\"\n}\n",
            ),
        ],
        good: &[
            (
                "sum/skill.json",
                "{\n  \"name\": \"sum\",\n  \"description\": \"Adds.\",\n  \"category\": \"math\",\n  \"input\": { \"type\": \"object\", \"properties\": { \"numbers\": { \"type\": \"array\" } }, \"required\": [\"numbers\"] },\n  \"output\": {},\n  \"mode\": \"composite\",\n  \"calls\": [\"add\"],\n  \"pipeline\": [{ \"step\": \"one\", \"skill\": \"add\", \"input\": { \"numbers\": \"{{input.numbers}}\" } }, { \"step\": \"two\", \"skill\": \"add\", \"input\": { \"numbers\": \"{{input.numbers}}\" }, \"depends\": [\"one\"] }]\n}\n",
            ),
            (
                "add/skill.json",
                "{\n  \"name\": \"add\",\n  \"description\": \"Adds.\",\n  \"category\": \"math\",\n  \"input\": { \"type\": \"object\", \"properties\": { \"numbers\": { \"type\": \"array\" } }, \"required\": [\"numbers\"] },\n  \"output\": {},\n  \"mode\": \"code\"\n}\n",
            ),
        ],
    };
}
