//! Rules about the fields of SKILL.md and what they name.

use super::Rule;
use super::example::{EXTRACT, PDF};
use crate::level::Level::{Allow, Error, Warning};

rules! {
    /// `SKILL.md` has no frontmatter, which the standard requires.
    pub static FRONTMATTER_MISSING: Rule = Rule {
        code: "frontmatter-missing",
        spec: "2.6",
        explain: "The open Agent Skills standard requires a YAML frontmatter with name and description. Here a \
            frontmatter is optional: what is missing has rules of its own. Reported only by `check \
            --standard`.",
        bad: &[("pdf/SKILL.md", "# PDF\n")],
        good: &[PDF],
        ..Rule::error(Allow, Allow, Error)
    };

    /// The frontmatter is TOML, which the standard does not have.
    pub static FRONTMATTER_NOT_YAML: Rule = Rule {
        code: "frontmatter-not-yaml",
        spec: "2.6",
        explain: "The open Agent Skills standard knows only YAML between the two marker lines; other clients \
            will not read TOML. Reported only by `check --standard`.",
        bad: &[("pdf/SKILL.md", "---\nname = \"pdf\"\ndescription = \"Reads PDF files.\"\n---\n# PDF\n")],
        good: &[PDF],
        ..Rule::error(Allow, Allow, Error)
    };

    /// A key of the frontmatter is not known.
    pub static KEY_UNKNOWN: Rule = Rule {
        code: "key-unknown",
        spec: "2.5",
        explain: "Nothing reads this key, so a mistyped one is silently without effect. Data of your own \
            belongs below `metadata`; it stays readable from the program either way. The open standard \
            has only six keys and refuses all others.",
        bad: &[pdf!("licence: MIT")],
        good: &[pdf!("license: MIT")],
        ..Rule::lint(Warning, Warning, Error)
    };

    /// A value of `metadata` is no string, which the standard demands.
    pub static METADATA_VALUE: Rule = Rule {
        code: "metadata-value",
        spec: "2.16",
        explain: "The open Agent Skills standard has `metadata` as a map from strings to strings. A number, a list or a \
            map in it is read by some clients and refused by others. Reported only by `check --standard`.",
        bad: &[pdf!("metadata:\n  version: 1.0")],
        good: &[pdf!("metadata:\n  version: \"1.0\"")],
        ..Rule::error(Allow, Allow, Error)
    };

    /// `allowed-tools` is a list or has commas, where the standard has blanks.
    pub static ALLOWED_TOOLS_FORM: Rule = Rule {
        code: "allowed-tools-form",
        spec: "2.16",
        explain: "The open Agent Skills standard has `allowed-tools` as one text with a blank between two tools. A list, \
            or commas, are understood by some clients and refused by others. Reported only by `check --standard`.",
        bad: &[pdf!("allowed-tools: [Read, Grep]")],
        good: &[pdf!("allowed-tools: Read Grep")],
        ..Rule::error(Allow, Allow, Error)
    };

    /// A key has a value that only another system understands.
    pub static KEY_FOREIGN: Rule = Rule {
        code: "key-foreign",
        spec: "2.13",
        explain: "Other systems give this key another meaning, such as a map of servers for `requires`. Such a value is \
            kept as data and has no effect: the skill loads as if the key were not there. The keys of the standard have \
            one meaning everywhere, so a wrong value there is an error.",
        bad: &[pdf!("requires:\n  mcp: [browser]")],
        good: &[pdf!("requires: [pdftotext]")],
        ..Rule::lint(Warning, Warning, Allow)
    };

    /// A line that is not indented cuts the value above it.
    pub static VALUE_CUT: Rule = Rule {
        code: "value-cut",
        spec: "2.15",
        explain: "A text over several lines goes on as long as its lines are indented. One that is not ends it, and is read \
            as a key of its own when it has a colon: the description that a model sees then lacks its end.",
        bad: &[("pdf/SKILL.md", "---\nname: pdf\ndescription: Reads PDF files.\nUse it when: a PDF is given.\n---\n# PDF\n")],
        good: &[("pdf/SKILL.md", "---\nname: pdf\ndescription: Reads PDF files.\n  Use it when a PDF is given.\n---\n# PDF\n")],
        ..Rule::lint(Warning, Warning, Error)
    };

    /// One key stands in two spellings.
    pub static KEY_TWICE: Rule = Rule {
        code: "key-twice",
        spec: "2.5",
        explain: "In known keys `-` and `_` are the same, so `allowed-tools` and `allowed_tools` are one key \
            given twice, and it would be chance which of the two counts. At run time the first one does.",
        bad: &[pdf!("allowed-tools: Read\nallowed_tools: Bash")],
        good: &[pdf!("allowed-tools: Read Bash")],
        ..Rule::error(Error, Warning, Error)
    };

    /// A value of the frontmatter has the wrong type.
    pub static VALUE_TYPE: Rule = Rule {
        code: "value-type",
        spec: "2.3",
        explain: "A known key holds something it cannot mean, such as a list where one text is expected. Any \
            plain scalar counts as text, and one scalar as a list of one. At run time the value is \
            ignored.",
        bad: &[pdf!("license: [MIT]")],
        good: &[pdf!("license: MIT")],
        ..Rule::error(Error, Warning, Error)
    };

    /// What keeps a skill from models cannot be read.
    pub static RESTRICTION_UNCLEAR: Rule = Rule {
        code: "restriction-unclear",
        spec: "8.12",
        explain: "A field that hides a skill (`metadata.internal`, `allow_implicit_invocation` in \
            `agents/openai.yaml`, a flag in a frontmatter that could not be parsed) holds neither `true` nor \
            `false`. What cannot be read in a field that restricts, restricts: the skill is hidden, though it \
            may have been meant to be seen.",
        bad: &[pdf!("metadata:\n  internal: perhaps")],
        good: &[pdf!("metadata:\n  internal: \"true\"")],
        ..Rule::lint(Warning, Warning, Allow)
    };

    /// A key is a slip of one that restricts.
    pub static RESTRICTION_MISSPELT: Rule = Rule {
        code: "restriction-misspelt",
        spec: "14.17",
        explain: "`disable-model-invocation`, `user-invocable`, `default-enabled`, `disallowed-tools` and `permissions` keep a \
            skill or its program from something, and a slip of the hand in the key must not take that away in silence. A \
            flag is read as if its key were spelled right, tools that are not allowed are taken, and permissions that were \
            meant are none: the program may do nothing. A frontmatter has `permissions` below `metadata`, as JSON text.",
        bad: &[pdf!("disable-model-invocaton: true")],
        good: &[pdf!("disable-model-invocation: true")],
        ..Rule::error(Error, Warning, Allow)
    };

    /// `compatibility` is empty or too long.
    pub static COMPATIBILITY_LENGTH: Rule = Rule {
        code: "compatibility-length",
        spec: "2.5",
        explain: "The standard gives `compatibility` 1 to 500 characters: enough to name a product, a program \
            or a network that the skill needs. Leave the key out when the skill needs nothing.",
        bad: &[pdf!("compatibility: \"\"")],
        good: &[pdf!("compatibility: Needs Python 3.")],
        ..Rule::error(Error, Warning, Error)
    };

    /// A time limit cannot be read.
    pub static TIMEOUT_INVALID: Rule = Rule {
        code: "timeout-invalid",
        spec: "7.1",
        explain: "A time limit is a whole number of milliseconds above 0, or a duration made of numbers and \
            units: `300ms`, `1.5s`, `5m`, `1h30m`. At run time the program is not run, \
            unless the caller gives a limit.",
        bad: &[pdf!("timeout: soon")],
        good: &[pdf!("timeout: 5m")],
        ..Rule::error(Error, Warning, Allow)
    };

    /// An MCP server is declared in a form that is not understood.
    pub static MCP_SHAPE: Rule = Rule {
        code: "mcp-shape",
        spec: "2.10",
        explain: "A server is a table `[mcp.NAME]` (in YAML a nested map) with `command`, `args` and `env`, or \
            one line `mcp-NAME: command args`. At run time a server that is not understood is dropped \
            and the skill stays.",
        bad: &[pdf!("mcp:\n  browser: [npx]")],
        good: &[pdf!("mcp:\n  browser:\n    command: npx")],
        ..Rule::error(Error, Warning, Allow)
    };

    /// The command of an MCP server could do more than start a program.
    pub static MCP_COMMAND: Rule = Rule {
        code: "mcp-command",
        spec: "2.10",
        explain: "The command is started without a shell and must look like a program: ASCII letters, digits \
            and `- _ . / @`, no leading `-`, no `..`. At run time such a server is dropped and the skill \
            stays.",
        bad: &[pdf!("mcp-browser: npx;reboot")],
        good: &[pdf!("mcp-browser: npx @playwright/mcp")],
        ..Rule::error(Error, Warning, Allow)
    };

    /// The frontmatter has no name.
    pub static NAME_MISSING: Rule = Rule {
        code: "name-missing",
        spec: "2.6",
        explain: "Without a name the directory gives it, so moving the directory renames the skill. The \
            standard requires the name.",
        bad: &[("pdf/SKILL.md", "---\ndescription: Reads PDF files.\n---\n# PDF\n")],
        good: &[PDF],
        ..Rule::lint(Warning, Warning, Error)
    };

    /// The name differs from the name of the directory.
    pub static NAME_MISMATCH: Rule = Rule {
        code: "name-mismatch",
        spec: "2.6",
        explain: "The standard demands that a skill is called like its directory; other clients may not load \
            it, and people look for it under the wrong name. `-` and `_` count as equal here, not in the \
            standard.",
        bad: &[("pdf/SKILL.md", "---\nname: pdf-reader\ndescription: Reads PDF files.\n---\n# PDF\n")],
        good: &[PDF],
        ..Rule::lint(Warning, Warning, Error)
    };

    /// The name is not spelled as names are.
    pub static NAME_INVALID: Rule = Rule {
        code: "name-invalid",
        spec: "2.6",
        explain: "A name is lowercase ASCII letters and digits, in words joined by a single `-` or `_`, at \
            most 64 characters: it becomes a directory, a Rust module and a tool name. The standard has \
            no `_`. At run time any name is loaded.",
        bad: &[("pdf/SKILL.md", "---\nname: PDF Reader\ndescription: Reads PDF files.\n---\n# PDF\n")],
        good: &[PDF],
        ..Rule::error(Error, Warning, Error)
    };

    /// Two skills of one root have the same name.
    pub static NAME_TWICE: Rule = Rule {
        code: "name-twice",
        spec: "1.5",
        explain: "Names are how a program and a model ask for a skill, so they are unique in a root. `a-b` and \
            `a_b` are one name, since both become the Rust module `a_b`; so are the functions `a_b` and `a__b`, since \
            both are installed as `a-b`. At run time the first in path order is kept, of two modules.",
        bad: &[
            PDF,
            ("text/pdf/SKILL.md", "---\nname: pdf\ndescription: Reads PDF files.\n---\n# PDF\n"),
        ],
        good: &[PDF],
        ..Rule::lint(Error, Warning, Allow)
    };

    /// The skill has no description.
    pub static DESCRIPTION_MISSING: Rule = Rule {
        code: "description-missing",
        spec: "2.7",
        explain: "A model chooses a skill by its description alone; one without is never used. At run time \
            such a skill is skipped, unless the program loads leniently and takes a line of the body \
            instead.",
        bad: &[("pdf/SKILL.md", "---\nname: pdf\n---\n# PDF\n")],
        good: &[PDF],
        ..Rule::error(Error, Error, Error)
    };

    /// The description is blank.
    pub static DESCRIPTION_BLANK: Rule = Rule {
        code: "description-blank",
        spec: "2.7",
        explain: "A model chooses a skill by its description alone. Say in one or two sentences what the skill \
            does and when to use it.",
        bad: &[("pdf/SKILL.md", "---\nname: pdf\ndescription: \"  \"\n---\n# PDF\n")],
        good: &[PDF],
        ..Rule::error(Error, Error, Error)
    };

    /// The description is longer than 1,024 characters.
    pub static DESCRIPTION_LONG: Rule = Rule {
        code: "description-long",
        spec: "2.7",
        explain: "Every description is part of every conversation, so the standard allows 1,024 characters. \
            What a model needs only when it uses the skill belongs into the body.",
        bad: &[(
            "pdf/SKILL.md",
            "---\nname: pdf\ndescription: >\n  Reads PDF files, in many ways that are all told here at length.\n  Reads PDF files, in many ways that are all told here at length.\n  Reads PDF files, in many ways that are all told here at length.\n  Reads PDF files, in many ways that are all told here at length.\n  Reads PDF files, in many ways that are all told here at length.\n  Reads PDF files, in many ways that are all told here at length.\n  Reads PDF files, in many ways that are all told here at length.\n  Reads PDF files, in many ways that are all told here at length.\n  Reads PDF files, in many ways that are all told here at length.\n  Reads PDF files, in many ways that are all told here at length.\n  Reads PDF files, in many ways that are all told here at length.\n  Reads PDF files, in many ways that are all told here at length.\n  Reads PDF files, in many ways that are all told here at length.\n  Reads PDF files, in many ways that are all told here at length.\n  Reads PDF files, in many ways that are all told here at length.\n  Reads PDF files, in many ways that are all told here at length.\n  Reads PDF files, in many ways that are all told here at length.\n---\n# PDF\n",
        )],
        good: &[PDF],
        ..Rule::error(Error, Warning, Error)
    };

    /// `exec` names no file of the skill.
    pub static EXEC_MISSING: Rule = Rule {
        code: "exec-missing",
        spec: "4.2",
        explain: "The program is looked up below the skill, then below its `bin/` when the name has no slash. \
            A skill without its program cannot run. At run time the skill is loaded with the tier that \
            remains.",
        bad: &[pdf!("exec: extract")],
        good: &[
            pdf!("exec: extract"),
            EXTRACT,
        ],
        ..Rule::error(Error, Warning, Allow)
    };

    /// The program of the skill cannot be executed.
    pub static EXEC_NOT_EXECUTABLE: Rule = Rule {
        code: "exec-not-executable",
        spec: "4.2",
        explain: "The file that `exec` names has neither the executable bit nor a first line `#!`, so no \
            operating system can start it.",
        bad: &[
            pdf!("exec: extract"),
            ("pdf/bin/extract", "cat\n"),
        ],
        good: &[
            pdf!("exec: extract"),
            EXTRACT,
        ],
        ..Rule::error(Error, Warning, Allow)
    };

    /// `schema` names no readable file of the skill.
    pub static SCHEMA_MISSING: Rule = Rule {
        code: "schema-missing",
        spec: "4.3",
        explain: "The key `schema` is the path of a JSON Schema file inside the skill; it becomes the typed \
            input of the program, and input is validated against it.",
        bad: &[
            pdf!("exec: extract\nschema: input.json"),
            EXTRACT,
        ],
        good: &[
            pdf!("exec: extract\nschema: input.json"),
            EXTRACT,
            ("pdf/input.json", "{ \"type\": \"object\" }\n"),
        ],
        ..Rule::error(Error, Warning, Allow)
    };

    /// `schema` is given without `exec`.
    pub static SCHEMA_WITHOUT_EXEC: Rule = Rule {
        code: "schema-without-exec",
        spec: "4.3",
        explain: "A schema describes what the program of the skill takes on its standard input. Without a \
            program nothing is validated and the tier stays as it is.",
        bad: &[
            pdf!("schema: input.json"),
            ("pdf/input.json", "{ \"type\": \"object\" }\n"),
        ],
        good: &[
            pdf!("exec: extract\nschema: input.json"),
            EXTRACT,
            ("pdf/input.json", "{ \"type\": \"object\" }\n"),
        ],
        ..Rule::lint(Warning, Warning, Allow)
    };

    /// A path in the frontmatter leaves the skill.
    pub static PATH_OUTSIDE: Rule = Rule {
        code: "path-outside",
        spec: "4.2",
        explain: "The files a skill names are part of it: absolute paths and `..` would name something that is \
            not bundled, or that a skill has no business to run. At run time the key is ignored.",
        bad: &[pdf!("exec: ../tool")],
        good: &[
            pdf!("exec: tool"),
            ("pdf/tool (executable)", "#!/bin/sh\ncat\n"),
        ],
        ..Rule::error(Error, Warning, Allow)
    };
}
