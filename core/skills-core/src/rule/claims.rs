//! Rules that compare the statements in a text with the skill: inputs, headings, variables, code.

use super::entry::Example;

/// The `skill.json` of the examples: a function that needs a number.
macro_rules! double {
    () => {
        function!(
            "double":
            r#""input": { "type": "object", "properties": { "number": { "type": "integer" } }, "required": ["number"] }"#,
            r#""output": { "type": "integer" }"#,
            r#""mode": "code""#
        )
    };
}

const GOOD_INPUT: Example =
    &[double!(), ("double/SKILL.md", "# Double\n\n```json input\n{ \"number\": 3 }\n```\n")];

rules! {
    "Statements of texts":

    EXAMPLE_INVALID = lint("example-invalid", "23.10", [Warning, Allow, Allow]) {
        explain: "A block that is marked `json input`, `json output`, `yaml input` or `yaml output` shows a value of this \
            function, and so does a file `examples/NAME.json` with the keys `input` and `output`, and the `input` of a \
            case in `evals`, unless the case expects the error `invalid_input`. The schema of the function refuses the \
            value, so a model that follows the example will make a call that fails.",
        bad: &[double!(), ("double/SKILL.md", "# Double\n\n```json input\n{ \"numbr\": 3 }\n```\n")],
        good: GOOD_INPUT,
    }

    EXAMPLE_CALL = lint("example-call", "23.11", [Warning, Allow, Allow]) {
        explain: "A block of JSON shows the call of a skill, such as `double({\"number\": 3})`. There is no function of \
            this name but one with a similar name, or the schema of the function refuses the arguments.",
        bad: &[double!(), body!("```json\ndouble({\"number\": \"3\"})\n```\n")],
        good: &[double!(), body!("```json\ndouble({\"number\": 3})\n```\n")],
    }

    BROKEN_HEADING = lint("broken-heading", "23.12", [Warning, Allow, Allow]) {
        explain: "The part of a link after `#` names a heading as GitHub does: in small letters, without punctuation and \
            with `-` for spaces. The text, or the linked file of the skill, has no such heading, and no element with \
            that id.",
        bad: &[body!("See [the steps](#stpes).\n\n## Steps\n\nRead it.\n")],
        good: &[body!("See [the steps](#steps).\n\n## Steps\n\nRead it.\n")],
    }

    ENV_UNDECLARED = lint("env-undeclared", "23.13", [Warning, Allow, Allow]) {
        explain: "The skill declares the variables of the environment that it needs, and its text tells the user to set \
            another one. A confined program gets the declared variables only, so it will not see this one. Skills that \
            declare no variables are not reported.",
        bad: &[
            ("pdf/SKILL.md", "---\nname: pdf\ndescription: Reads PDF files.\nexec: extract\nmetadata:\n  permissions: '{\"env\": [\"PDF_VIEWER\"]}'\n---\n```sh\nexport PDF_VIEWR=secret\n```\n"),
            super::example::EXTRACT,
        ],
        good: &[
            ("pdf/SKILL.md", "---\nname: pdf\ndescription: Reads PDF files.\nexec: extract\nmetadata:\n  permissions: '{\"env\": [\"PDF_VIEWER\"]}'\n---\n```sh\nexport PDF_VIEWER=secret\n```\n"),
            super::example::EXTRACT,
        ],
    }

    REQUIRES_VERSION = lint("requires-version", "23.14", [Warning, Allow, Allow]) {
        explain: "An entry of `requires` may name the minimum version of a program, as `acme >= 0.4`. The text names an older \
            one, so one of the two is out of date. A sentence about the past, such as \"renamed in acme 0.3\", is not \
            reported. An entry that names a version in another way is reported, too, because it would be looked up as \
            the name of a file.",
        bad: &[
            (
                "pdf/SKILL.md",
                "---\nname: pdf\ndescription: Reads PDF files.\nrequires: [acme >= 0.4]\n---\nUse acme 0.3 or later.\n",
            ),
        ],
        good: &[
            (
                "pdf/SKILL.md",
                "---\nname: pdf\ndescription: Reads PDF files.\nrequires: [acme >= 0.4]\n---\nUse acme 0.4 or later.\n",
            ),
        ],
    }

    DOCTEST_UNMARKED = lint("doctest-unmarked", "23.9", [Warning, Allow, Allow]) {
        explain: "With the option `doctest`, rustdoc compiles the Rust blocks of a text, and it takes a block without a \
            language as Rust, too. Reported only with that option, and only in texts that have a block marked `rust`.",
        bad: &[body!("```rust\nassert!(true);\n```\n\n```\nA drawing.\n```\n")],
        good: &[body!("```rust\nassert!(true);\n```\n\n```text\nA drawing.\n```\n")],
    }
}
