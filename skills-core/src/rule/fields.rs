//! Rules about the fields of SKILL.md and what they name.

use super::Rule;
use crate::level::Level;

rules! {
    /// `SKILL.md` has no frontmatter, which the standard requires.
    pub static FRONTMATTER_MISSING: Rule = Rule {
        code: "frontmatter-missing",
        spec: "2.6",
        lint: false,
        bundle: Level::Allow,
        disk: Level::Allow,
        standard: Level::Error,
        explain: "The open Agent Skills standard requires a YAML frontmatter with name and description. Here a \
            frontmatter is optional: what is missing has rules of its own. Reported only by `check \
            --standard`.",
        bad: &[("pdf/SKILL.md", "# PDF\n")],
        good: &[("pdf/SKILL.md", "---\nname: pdf\ndescription: Reads PDF files.\n---\n# PDF\n")],
    };

    /// The frontmatter is TOML, which the standard does not have.
    pub static FRONTMATTER_NOT_YAML: Rule = Rule {
        code: "frontmatter-not-yaml",
        spec: "2.6",
        lint: false,
        bundle: Level::Allow,
        disk: Level::Allow,
        standard: Level::Error,
        explain: "The open Agent Skills standard knows only YAML between the two marker lines; other clients \
            will not read TOML. Reported only by `check --standard`.",
        bad: &[("pdf/SKILL.md", "---\nname = \"pdf\"\ndescription = \"Reads PDF files.\"\n---\n# PDF\n")],
        good: &[("pdf/SKILL.md", "---\nname: pdf\ndescription: Reads PDF files.\n---\n# PDF\n")],
    };

    /// A key of the frontmatter is not known.
    pub static KEY_UNKNOWN: Rule = Rule {
        code: "key-unknown",
        spec: "2.5",
        lint: true,
        bundle: Level::Warning,
        disk: Level::Warning,
        standard: Level::Error,
        explain: "Nothing reads this key, so a mistyped one is silently without effect. Data of your own \
            belongs below `metadata`; it stays readable from the program either way. The open standard \
            has only six keys and refuses all others.",
        bad: &[("pdf/SKILL.md", "---\nname: pdf\ndescription: Reads PDF files.\nlicence: MIT\n---\n# PDF\n")],
        good: &[("pdf/SKILL.md", "---\nname: pdf\ndescription: Reads PDF files.\nlicense: MIT\n---\n# PDF\n")],
    };

    /// One key stands in two spellings.
    pub static KEY_TWICE: Rule = Rule {
        code: "key-twice",
        spec: "2.5",
        lint: false,
        bundle: Level::Error,
        disk: Level::Warning,
        standard: Level::Error,
        explain: "In known keys `-` and `_` are the same, so `allowed-tools` and `allowed_tools` are one key \
            given twice, and it would be chance which of the two counts. At run time the first one does.",
        bad: &[(
            "pdf/SKILL.md",
            "---\nname: pdf\ndescription: Reads PDF files.\nallowed-tools: Read\nallowed_tools: Bash\n---\n# PDF\n",
        )],
        good: &[(
            "pdf/SKILL.md",
            "---\nname: pdf\ndescription: Reads PDF files.\nallowed-tools: Read Bash\n---\n# PDF\n",
        )],
    };

    /// A value of the frontmatter has the wrong type.
    pub static VALUE_TYPE: Rule = Rule {
        code: "value-type",
        spec: "2.3",
        lint: false,
        bundle: Level::Error,
        disk: Level::Warning,
        standard: Level::Error,
        explain: "A known key holds something it cannot mean, such as a list where one text is expected. Any \
            plain scalar counts as text, and one scalar as a list of one. At run time the value is \
            ignored.",
        bad: &[("pdf/SKILL.md", "---\nname: pdf\ndescription: Reads PDF files.\nlicense: [MIT]\n---\n# PDF\n")],
        good: &[("pdf/SKILL.md", "---\nname: pdf\ndescription: Reads PDF files.\nlicense: MIT\n---\n# PDF\n")],
    };

    /// `compatibility` is empty or too long.
    pub static COMPATIBILITY_LENGTH: Rule = Rule {
        code: "compatibility-length",
        spec: "2.5",
        lint: false,
        bundle: Level::Error,
        disk: Level::Warning,
        standard: Level::Error,
        explain: "The standard gives `compatibility` 1 to 500 characters: enough to name a product, a program \
            or a network that the skill needs. Leave the key out when the skill needs nothing.",
        bad: &[(
            "pdf/SKILL.md",
            "---\nname: pdf\ndescription: Reads PDF files.\ncompatibility: \"\"\n---\n# PDF\n",
        )],
        good: &[(
            "pdf/SKILL.md",
            "---\nname: pdf\ndescription: Reads PDF files.\ncompatibility: Needs Python 3.\n---\n# PDF\n",
        )],
    };

    /// A time limit cannot be read.
    pub static TIMEOUT_INVALID: Rule = Rule {
        code: "timeout-invalid",
        spec: "7.1",
        lint: false,
        bundle: Level::Error,
        disk: Level::Warning,
        standard: Level::Allow,
        explain: "A time limit is a whole number of milliseconds above 0, or a duration made of numbers and \
            units: `300ms`, `1.5s`, `5m`, `1h30m`. At run time the program is not run, \
            unless the caller gives a limit.",
        bad: &[("pdf/SKILL.md", "---\nname: pdf\ndescription: Reads PDF files.\ntimeout: soon\n---\n# PDF\n")],
        good: &[("pdf/SKILL.md", "---\nname: pdf\ndescription: Reads PDF files.\ntimeout: 5m\n---\n# PDF\n")],
    };

    /// An MCP server is declared in a form that is not understood.
    pub static MCP_SHAPE: Rule = Rule {
        code: "mcp-shape",
        spec: "2.10",
        lint: false,
        bundle: Level::Error,
        disk: Level::Warning,
        standard: Level::Allow,
        explain: "A server is a table `[mcp.NAME]` (in YAML a nested map) with `command`, `args` and `env`, or \
            one line `mcp-NAME: command args`. At run time a server that is not understood is dropped \
            and the skill stays.",
        bad: &[(
            "pdf/SKILL.md",
            "---\nname: pdf\ndescription: Reads PDF files.\nmcp:\n  browser: [npx]\n---\n# PDF\n",
        )],
        good: &[(
            "pdf/SKILL.md",
            "---\nname: pdf\ndescription: Reads PDF files.\nmcp:\n  browser:\n    command: npx\n---\n# PDF\n",
        )],
    };

    /// The command of an MCP server could do more than start a program.
    pub static MCP_COMMAND: Rule = Rule {
        code: "mcp-command",
        spec: "2.10",
        lint: false,
        bundle: Level::Error,
        disk: Level::Warning,
        standard: Level::Allow,
        explain: "The command is started without a shell and must look like a program: ASCII letters, digits \
            and `- _ . / @`, no leading `-`, no `..`. At run time such a server is dropped and the skill \
            stays.",
        bad: &[(
            "pdf/SKILL.md",
            "---\nname: pdf\ndescription: Reads PDF files.\nmcp-browser: npx;reboot\n---\n# PDF\n",
        )],
        good: &[(
            "pdf/SKILL.md",
            "---\nname: pdf\ndescription: Reads PDF files.\nmcp-browser: npx @playwright/mcp\n---\n# PDF\n",
        )],
    };

    /// The frontmatter has no name.
    pub static NAME_MISSING: Rule = Rule {
        code: "name-missing",
        spec: "2.6",
        lint: true,
        bundle: Level::Warning,
        disk: Level::Warning,
        standard: Level::Error,
        explain: "Without a name the directory gives it, so moving the directory renames the skill. The \
            standard requires the name.",
        bad: &[("pdf/SKILL.md", "---\ndescription: Reads PDF files.\n---\n# PDF\n")],
        good: &[("pdf/SKILL.md", "---\nname: pdf\ndescription: Reads PDF files.\n---\n# PDF\n")],
    };

    /// The name differs from the name of the directory.
    pub static NAME_MISMATCH: Rule = Rule {
        code: "name-mismatch",
        spec: "2.6",
        lint: true,
        bundle: Level::Warning,
        disk: Level::Warning,
        standard: Level::Error,
        explain: "The standard demands that a skill is called like its directory; other clients may not load \
            it, and people look for it under the wrong name. `-` and `_` count as equal here, not in the \
            standard.",
        bad: &[("pdf/SKILL.md", "---\nname: pdf-reader\ndescription: Reads PDF files.\n---\n# PDF\n")],
        good: &[("pdf/SKILL.md", "---\nname: pdf\ndescription: Reads PDF files.\n---\n# PDF\n")],
    };

    /// The name is not spelled as names are.
    pub static NAME_INVALID: Rule = Rule {
        code: "name-invalid",
        spec: "2.6",
        lint: false,
        bundle: Level::Error,
        disk: Level::Warning,
        standard: Level::Error,
        explain: "A name is lowercase ASCII letters and digits, in words joined by a single `-` or `_`, at \
            most 64 characters: it becomes a directory, a Rust module and a tool name. The standard has \
            no `_`. At run time any name is loaded.",
        bad: &[("pdf/SKILL.md", "---\nname: PDF Reader\ndescription: Reads PDF files.\n---\n# PDF\n")],
        good: &[("pdf/SKILL.md", "---\nname: pdf\ndescription: Reads PDF files.\n---\n# PDF\n")],
    };

    /// Two skills of one root have the same name.
    pub static NAME_TWICE: Rule = Rule {
        code: "name-twice",
        spec: "1.5",
        lint: false,
        bundle: Level::Error,
        disk: Level::Warning,
        standard: Level::Allow,
        explain: "Names are how a program and a model ask for a skill, so they are unique in a root. `a-b` and \
            `a_b` are one name, since both become the Rust module `a_b`. At run time the first in path \
            order is kept.",
        bad: &[
            ("pdf/SKILL.md", "---\nname: pdf\ndescription: Reads PDF files.\n---\n# PDF\n"),
            ("text/pdf/SKILL.md", "---\nname: pdf\ndescription: Reads PDF files.\n---\n# PDF\n"),
        ],
        good: &[("pdf/SKILL.md", "---\nname: pdf\ndescription: Reads PDF files.\n---\n# PDF\n")],
    };

    /// The skill has no description.
    pub static DESCRIPTION_MISSING: Rule = Rule {
        code: "description-missing",
        spec: "2.7",
        lint: false,
        bundle: Level::Error,
        disk: Level::Error,
        standard: Level::Error,
        explain: "A model chooses a skill by its description alone; one without is never used. At run time \
            such a skill is skipped, unless the program loads leniently and takes a line of the body \
            instead.",
        bad: &[("pdf/SKILL.md", "---\nname: pdf\n---\n# PDF\n")],
        good: &[("pdf/SKILL.md", "---\nname: pdf\ndescription: Reads PDF files.\n---\n# PDF\n")],
    };

    /// The description is blank.
    pub static DESCRIPTION_BLANK: Rule = Rule {
        code: "description-blank",
        spec: "2.7",
        lint: false,
        bundle: Level::Error,
        disk: Level::Error,
        standard: Level::Error,
        explain: "A model chooses a skill by its description alone. Say in one or two sentences what the skill \
            does and when to use it.",
        bad: &[("pdf/SKILL.md", "---\nname: pdf\ndescription: \"  \"\n---\n# PDF\n")],
        good: &[("pdf/SKILL.md", "---\nname: pdf\ndescription: Reads PDF files.\n---\n# PDF\n")],
    };

    /// The description is longer than 1,024 characters.
    pub static DESCRIPTION_LONG: Rule = Rule {
        code: "description-long",
        spec: "2.7",
        lint: false,
        bundle: Level::Error,
        disk: Level::Warning,
        standard: Level::Error,
        explain: "Every description is part of every conversation, so the standard allows 1,024 characters. \
            What a model needs only when it uses the skill belongs into the body.",
        bad: &[(
            "pdf/SKILL.md",
            "---\nname: pdf\ndescription: >\n  Reads PDF files, in many ways that are all told here at length.\n  Reads PDF files, in many ways that are all told here at length.\n  Reads PDF files, in many ways that are all told here at length.\n  Reads PDF files, in many ways that are all told here at length.\n  Reads PDF files, in many ways that are all told here at length.\n  Reads PDF files, in many ways that are all told here at length.\n  Reads PDF files, in many ways that are all told here at length.\n  Reads PDF files, in many ways that are all told here at length.\n  Reads PDF files, in many ways that are all told here at length.\n  Reads PDF files, in many ways that are all told here at length.\n  Reads PDF files, in many ways that are all told here at length.\n  Reads PDF files, in many ways that are all told here at length.\n  Reads PDF files, in many ways that are all told here at length.\n  Reads PDF files, in many ways that are all told here at length.\n  Reads PDF files, in many ways that are all told here at length.\n  Reads PDF files, in many ways that are all told here at length.\n  Reads PDF files, in many ways that are all told here at length.\n---\n# PDF\n",
        )],
        good: &[("pdf/SKILL.md", "---\nname: pdf\ndescription: Reads PDF files.\n---\n# PDF\n")],
    };

    /// `exec` names no file of the skill.
    pub static EXEC_MISSING: Rule = Rule {
        code: "exec-missing",
        spec: "4.2",
        lint: false,
        bundle: Level::Error,
        disk: Level::Warning,
        standard: Level::Allow,
        explain: "The program is looked up below the skill, then below its `bin/` when the name has no slash. \
            A skill without its program cannot run. At run time the skill is loaded with the tier that \
            remains.",
        bad: &[("pdf/SKILL.md", "---\nname: pdf\ndescription: Reads PDF files.\nexec: extract\n---\n# PDF\n")],
        good: &[
            ("pdf/SKILL.md", "---\nname: pdf\ndescription: Reads PDF files.\nexec: extract\n---\n# PDF\n"),
            ("pdf/bin/extract (executable)", "#!/bin/sh\ncat\n"),
        ],
    };

    /// The program of the skill cannot be executed.
    pub static EXEC_NOT_EXECUTABLE: Rule = Rule {
        code: "exec-not-executable",
        spec: "4.2",
        lint: false,
        bundle: Level::Error,
        disk: Level::Warning,
        standard: Level::Allow,
        explain: "The file that `exec` names has neither the executable bit nor a first line `#!`, so no \
            operating system can start it.",
        bad: &[
            ("pdf/SKILL.md", "---\nname: pdf\ndescription: Reads PDF files.\nexec: extract\n---\n# PDF\n"),
            ("pdf/bin/extract", "cat\n"),
        ],
        good: &[
            ("pdf/SKILL.md", "---\nname: pdf\ndescription: Reads PDF files.\nexec: extract\n---\n# PDF\n"),
            ("pdf/bin/extract (executable)", "#!/bin/sh\ncat\n"),
        ],
    };

    /// `schema` names no readable file of the skill.
    pub static SCHEMA_MISSING: Rule = Rule {
        code: "schema-missing",
        spec: "4.3",
        lint: false,
        bundle: Level::Error,
        disk: Level::Warning,
        standard: Level::Allow,
        explain: "The key `schema` is the path of a JSON Schema file inside the skill; it becomes the typed \
            input of the program, and input is validated against it.",
        bad: &[
            (
                "pdf/SKILL.md",
                "---\nname: pdf\ndescription: Reads PDF files.\nexec: extract\nschema: input.json\n---\n# PDF\n",
            ),
            ("pdf/bin/extract (executable)", "#!/bin/sh\ncat\n"),
        ],
        good: &[
            (
                "pdf/SKILL.md",
                "---\nname: pdf\ndescription: Reads PDF files.\nexec: extract\nschema: input.json\n---\n# PDF\n",
            ),
            ("pdf/bin/extract (executable)", "#!/bin/sh\ncat\n"),
            ("pdf/input.json", "{ \"type\": \"object\" }\n"),
        ],
    };

    /// `schema` is given without `exec`.
    pub static SCHEMA_WITHOUT_EXEC: Rule = Rule {
        code: "schema-without-exec",
        spec: "4.3",
        lint: true,
        bundle: Level::Warning,
        disk: Level::Warning,
        standard: Level::Allow,
        explain: "A schema describes what the program of the skill takes on its standard input. Without a \
            program nothing is validated and the tier stays as it is.",
        bad: &[
            ("pdf/SKILL.md", "---\nname: pdf\ndescription: Reads PDF files.\nschema: input.json\n---\n# PDF\n"),
            ("pdf/input.json", "{ \"type\": \"object\" }\n"),
        ],
        good: &[
            (
                "pdf/SKILL.md",
                "---\nname: pdf\ndescription: Reads PDF files.\nexec: extract\nschema: input.json\n---\n# PDF\n",
            ),
            ("pdf/bin/extract (executable)", "#!/bin/sh\ncat\n"),
            ("pdf/input.json", "{ \"type\": \"object\" }\n"),
        ],
    };

    /// A path in the frontmatter leaves the skill.
    pub static PATH_OUTSIDE: Rule = Rule {
        code: "path-outside",
        spec: "4.2",
        lint: false,
        bundle: Level::Error,
        disk: Level::Warning,
        standard: Level::Allow,
        explain: "The files a skill names are part of it: absolute paths and `..` would name something that is \
            not bundled, or that a skill has no business to run. At run time the key is ignored.",
        bad: &[("pdf/SKILL.md", "---\nname: pdf\ndescription: Reads PDF files.\nexec: ../tool\n---\n# PDF\n")],
        good: &[
            ("pdf/SKILL.md", "---\nname: pdf\ndescription: Reads PDF files.\nexec: tool\n---\n# PDF\n"),
            ("pdf/tool (executable)", "#!/bin/sh\ncat\n"),
        ],
    };
}
