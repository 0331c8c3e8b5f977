//! Rules about command lines in texts, which are checked against the commands of a program (SPEC 23).

use super::entry::Example;

/// The commands of the examples, in the form of `skills check --commands`.
pub const EXAMPLE_COMMANDS: &str = r#"{
  "name": "acme",
  "commands": [
    {
      "name": "list",
      "flags": [
        { "names": ["--format", "-f"], "old": ["--fmt"], "takes": "one", "values": { "possible": ["text", "json"] } }
      ],
      "arguments": [{ "name": "DIR", "required": true }]
    }
  ]
}
"#;

const GOOD: Example = &[body!("```sh\nacme list --format json docs\n```\n")];

rules! {
    "Commands":

    COMMAND_UNKNOWN = lint("command-unknown", "23.5", [Error, Allow, Allow]) {
        explain: "The text tells a model to run a command of a program, but the program has no such command: it was \
            renamed, removed or misspelt. The model will run it and fail. The commands come from the program itself, by \
            `skills::commands::check` in a test, or from the file of `skills check --commands FILE`. The examples are \
            for a program `acme` whose command `list` has the flag `--format`.",
        bad: &[body!("```sh\nacme lst docs\n```\n")],
        good: GOOD,
    }

    COMMAND_FLAG = lint("command-flag", "23.5", [Error, Allow, Allow]) {
        explain: "The text tells a model to run a command with a flag that the command does not have, so the command \
            will fail. Flags of the commands around it count only if they are global. A text that shows a wrong flag on \
            purpose allows the rule with the comment `<!-- skills: allow(command-flag) -->`.",
        bad: &[body!("```sh\nacme list --fromat json docs\n```\n")],
        good: GOOD,
    }

    COMMAND_VALUE = lint("command-value", "23.5", [Error, Allow, Allow]) {
        explain: "A flag or an argument accepts only some values or only numbers, and the text gives it another one; or \
            a flag that needs a value has none; or a switch has one. Variables and placeholders such as `<FORMAT>` are \
            accepted everywhere.",
        bad: &[body!("```sh\nacme list --format jsn docs\n```\n")],
        good: GOOD,
    }

    COMMAND_ARGUMENT = lint("command-argument", "23.5", [Error, Allow, Allow]) {
        explain: "A command line in a block lacks an argument that the command requires, or has one that it does not \
            take. Code in a sentence may show a part of a command, so nothing is missing there.",
        bad: &[body!("```sh\nacme list --format json\n```\n")],
        good: GOOD,
    }

    COMMAND_BLOCK = lint("command-block", "23.15", [Error, Allow, Allow]) {
        explain: "The lines between `<!-- commands: acme list -->` and `<!-- /commands -->` are generated from the \
            commands of the program, and the program has others now; or the block is not closed, or its command does not \
            exist. `skills check --commands FILE --fix` renews the block, and so does `BLESS=1 cargo test` with a test \
            that calls `skills::commands::blocks`. Text outside of the two lines is never changed.",
        bad: &[body!("<!-- commands: acme list -->\n- `acme list`\n<!-- /commands -->\n")],
        good: &[body!(
            "<!-- commands: acme list -->\n- `acme list <DIR>`\n  - `--format <VALUE>` (text, json)\n<!-- /commands -->\n"
        )],
    }

    COMMAND_DEPRECATED = lint("command-deprecated", "23.5", [Warning, Allow, Allow]) {
        explain: "The program still accepts this command, flag or name, but its help says that it is deprecated, or \
            does not show it. It may be removed, and the skill would then be wrong.",
        bad: &[body!("```sh\nacme list --fmt json docs\n```\n")],
        good: GOOD,
    }
}
