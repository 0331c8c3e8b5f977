//! Rules about the fields of SKILL.md and what they name.

use super::example::{EXTRACT, PDF};

rules! {
    "Keys of the frontmatter":

    FRONTMATTER_MISSING = error("frontmatter-missing", "2.6", [Allow, Allow, Error]).hides() {
        explain: "The open Agent Skills standard requires a YAML frontmatter with name and description. \
            Here a frontmatter is optional: missing fields have their own rules. Reported only by `check \
            --standard`.",
        bad: &[("pdf/SKILL.md", "# PDF\n")],
    }

    FRONTMATTER_NOT_YAML = error("frontmatter-not-yaml", "2.6", [Allow, Allow, Error]).hides() {
        explain: "The open Agent Skills standard allows only YAML between the two marker lines; other \
            clients will not read TOML. Reported only by `check --standard`.",
        bad: &[("pdf/SKILL.md", "---\nname = \"pdf\"\ndescription = \"Reads PDF files.\"\n---\n# PDF\n")],
    }

    KEY_UNKNOWN = lint("key-unknown", "2.5", [Warning, Warning, Error]) {
        explain: "No program reads this key, so a mistyped key would silently have no effect. Put custom \
            data below `metadata`; the program can read it in both places. A key of 4 or more skills is a \
            convention and not reported, unless it is probably a misspelling. The open standard has only six keys and refuses all others.",
        bad: &[pdf!("licence: MIT")],
        good: &[pdf!("license: MIT")],
    }

    METADATA_VALUE = error("metadata-value", "2.16", [Allow, Allow, Error]) {
        explain: "In the open Agent Skills standard `metadata` is a map from strings to strings. Some \
            clients accept a number, a list or a map in it, and others refuse it. Reported only by `check \
            --standard`.",
        bad: &[pdf!("metadata:\n  version: 1.0")],
        good: &[pdf!("metadata:\n  version: \"1.0\"")],
    }

    ALLOWED_TOOLS_FORM = error("allowed-tools-form", "2.16", [Allow, Allow, Error]) {
        explain: "In the open Agent Skills standard `allowed-tools` is one text with spaces between the \
            tools. Some clients accept a list or commas, and others refuse them. Reported only by `check \
            --standard`.",
        bad: &[pdf!("allowed-tools: [Read, Grep]")],
        good: &[pdf!("allowed-tools: Read Grep")],
    }

    KEY_FOREIGN = lint("key-foreign", "2.13", [Warning, Warning, Allow]) {
        explain: "Other systems give this key another meaning, such as a map of servers for `requires`. \
            Such a value is kept as data and has no effect: the skill loads as if the key were not there. \
            The keys of the standard have one meaning everywhere, so a wrong value there is an error.",
        bad: &[pdf!("requires:\n  mcp: [browser]")],
        good: &[pdf!("requires: [pdftotext]")],
    }

    VALUE_CUT = lint("value-cut", "2.15", [Warning, Warning, Error]) {
        explain: "A text over several lines continues only while its lines are indented. A line that is not \
            indented ends the text, and is read as a separate key if it contains a colon, so the \
            description that a model sees is cut off. The same happens in an unquoted text at a `#` \
            after a space, because it starts a comment.",
        bad: &[
            ("pdf/SKILL.md", "---\nname: pdf\ndescription: Reads PDF files.\nUse it when: a PDF is given.\n---\n# PDF\n"),
            ("csv/SKILL.md", "---\nname: csv\ndescription: Posts tables to #data each day.\n---\n# CSV\n"),
            ("docx/SKILL.md", "---\nname: docx\ndescription: Reads tables # and pictures\n---\n# DOCX\n"),
        ],
        good: &[("pdf/SKILL.md", "---\nname: pdf\ndescription: Reads PDF files.\n  Use it when a PDF is given.\n---\n# PDF\n")],
    }

    KEY_TWICE = error("key-twice", "2.5", [Error, Warning, Error]) {
        explain: "In known keys `-` and `_` are equal, so `allowed-tools` and `allowed_tools` are the same \
            key given twice, and it is ambiguous which one counts. At run time the first one does.",
        bad: &[pdf!("allowed-tools: Read\nallowed_tools: Bash")],
        good: &[pdf!("allowed-tools: Read Bash")],
    }

    VALUE_TYPE = error("value-type", "2.3", [Error, Warning, Error]) {
        explain: "A known key has a value of a type it cannot use, such as a list where one text is \
            expected. Any plain scalar counts as text, and one scalar as a list of one. At run time the \
            value is ignored.",
        bad: &[pdf!("license: [MIT]")],
        good: &[pdf!("license: MIT")],
    }

    RESTRICTION_UNCLEAR = lint("restriction-unclear", "8.12", [Warning, Warning, Allow]) {
        explain: "A field that hides a skill (`metadata.internal`, `allow_implicit_invocation` in \
            `agents/openai.yaml`, a flag in a frontmatter that could not be parsed) is neither `true` nor \
            `false`. An unreadable value of a restricting field restricts: the skill is hidden, although \
            its author may not intend that.",
        bad: &[pdf!("metadata:\n  internal: perhaps")],
        good: &[pdf!("metadata:\n  internal: \"true\"")],
    }

    RESTRICTION_MISSPELT = lint("restriction-misspelt", "14.17", [Error, Warning, Allow]) {
        explain: "`disable-model-invocation`, `user-invocable`, `default-enabled`, `disallowed-tools` and \
            `permissions` restrict a skill or its program, and a typo in the key must not silently remove \
            the restriction. A flag is read as if its key were spelled correctly, disallowed tools are \
            still disallowed, and misspelled permissions grant nothing: the program may do nothing. In \
            frontmatter `permissions` is JSON text below `metadata`.",
        bad: &[pdf!("disable-model-invocaton: true")],
        good: &[pdf!("disable-model-invocation: true")],
    }

    COMPATIBILITY_LENGTH = error("compatibility-length", "2.5", [Error, Warning, Error]) {
        explain: "The standard allows 1 to 500 characters for `compatibility`: enough to name a product, a \
            program or a network that the skill needs. Omit the key if the skill needs nothing.",
        bad: &[pdf!("compatibility: \"\"")],
        good: &[pdf!("compatibility: Needs Python 3.")],
    }

    TIMEOUT_INVALID = error("timeout-invalid", "7.1", [Error, Warning, Allow]) {
        explain: "A time limit is a whole number of milliseconds above 0, or a duration made of numbers and \
            units: `300ms`, `1.5s`, `5m`, `1h30m`. At run time the program is not run, unless the caller \
            gives a limit.",
        bad: &[pdf!("timeout: soon")],
        good: &[pdf!("timeout: 5m")],
    }

    MCP_SHAPE = error("mcp-shape", "2.10", [Error, Warning, Allow]) {
        explain: "A server is a table `[mcp.NAME]` (in YAML a nested map) with `command`, `args` and `env`, \
            or one line `mcp-NAME: command args`. At run time an invalid server is dropped, but the skill \
            is loaded.",
        bad: &[pdf!("mcp:\n  browser: [npx]")],
        good: &[pdf!("mcp:\n  browser:\n    command: npx")],
    }

    MCP_COMMAND = error("mcp-command", "2.10", [Error, Warning, Allow]) {
        explain: "The command is started without a shell and must look like a program: ASCII letters, \
            digits and `- _ . / @`, no leading `-`, no `..`. At run time an invalid server is dropped, but \
            the skill is loaded.",
        bad: &[pdf!("mcp-browser: npx;reboot")],
        good: &[pdf!("mcp-browser: npx @playwright/mcp")],
    }

    NAME_MISSING = lint("name-missing", "2.6", [Warning, Warning, Error]) {
        explain: "Without this key the name of the directory is the name of the skill, so moving the \
            directory renames the skill. The standard requires the key.",
        bad: &[("pdf/SKILL.md", "---\ndescription: Reads PDF files.\n---\n# PDF\n")],
    }

    NAME_MISMATCH = lint("name-mismatch", "2.6", [Warning, Warning, Error]) {
        explain: "The standard requires that a skill has the name of its directory; other clients may not \
            load it, and people look for it under the wrong name. Here `-` and `_` count as equal, and a name may \
            begin with the name of a vendor or program (`acme-pdf` in `pdf`), but not in the standard. If the directories \
            of 3 or more skills end with `-` and the name, only the first is reported, with their number. If 3 or more \
            names have the same words in place of the first word of their directories, nothing is reported.",
        bad: &[("pdf/SKILL.md", "---\nname: pdf-reader\ndescription: Reads PDF files.\n---\n# PDF\n")],
    }

    NAME_INVALID = error("name-invalid", "2.6", [Error, Warning, Error]) {
        explain: "A name consists of lowercase ASCII letters and digits, in words joined by a single `-` or \
            `_`, and has at most 64 characters, because it is used for a directory, a Rust module and a \
            tool. The standard does not allow `_`. At run time any name is loaded. If 3 or more skills have \
            names such as `acme:pdf` in `acme-pdf`, `check` warns once about all of them.",
        bad: &[("pdf/SKILL.md", "---\nname: PDF Reader\ndescription: Reads PDF files.\n---\n# PDF\n")],
    }

    NAME_TWICE = lint("name-twice", "1.5", [Error, Warning, Allow]) {
        explain: "Programs and models select a skill by its name, so names are unique in a root. `a-b` and \
            `a_b` are the same name, because both produce the Rust module `a_b`; the functions `a_b` and \
            `a__b` are the same name, because both are installed as `a-b`. At run time the first one in \
            path order is kept if the Rust modules collide.",
        bad: &[PDF, ("text/pdf/SKILL.md", "---\nname: pdf\ndescription: Reads PDF files.\n---\n# PDF\n")],
    }

    SKILL_LEFT_OUT = error("skill-left-out", "1.5", [Warning, Allow, Allow]) {
        explain: "Two skills have the same name, and the rule `name-twice` is allowed. A program selects a \
            skill by its name, so the bundle contains only the first of them in path order. Rename one of \
            them, or exclude one in a `.skillignore` if only the other belongs in the bundle.",
        bad: &[
            PDF,
            (
                "text/pdf/SKILL.md",
                "---\nname: pdf\ndescription: Reads PDF files.\n---\n# PDF\n<!-- skills: allow(name-twice) -->\n",
            ),
        ],
    }

    DESCRIPTION_MISSING = error("description-missing", "2.7", [Error, Error, Error]) {
        explain: "A model chooses a skill only by its description; a skill without one is never used. At \
            run time such a skill is skipped, unless the program loads leniently and uses a line of the \
            body instead.",
        bad: &[("pdf/SKILL.md", "---\nname: pdf\n---\n# PDF\n")],
    }

    DESCRIPTION_BLANK = error("description-blank", "2.7", [Error, Error, Error]) {
        explain: "A model chooses a skill only by its description. Say in one or two sentences what the \
            skill does and when to use it.",
        bad: &[("pdf/SKILL.md", "---\nname: pdf\ndescription: \"  \"\n---\n# PDF\n")],
    }

    DESCRIPTION_PLACEHOLDER = lint("description-placeholder", "2.7", [Warning, Warning, Allow]) {
        explain: "`skills new` writes this placeholder if it is given no description, and people write `TODO` \
            for a text that is still missing. A model chooses a skill only by its description, so it never \
            uses this skill, or uses it for the wrong task.",
        bad: &[("pdf/SKILL.md", "---\nname: pdf\ndescription: Say here what pdf does, and when to use it.\n---\n# PDF\n")],
    }

    DESCRIPTION_LONG = lint("description-long", "2.7", [Error, Warning, Error]) {
        explain: "Every description is part of every conversation, so the standard allows 1,024 characters. \
            Details that a model needs only when it uses the skill belong in the body.",
        bad: &[(
            "pdf/SKILL.md",
            "---\nname: pdf\ndescription: >\n  Reads PDF files, in many ways that are all told here at length.\n  Reads PDF files, in many ways that are all told here at length.\n  Reads PDF files, in many ways that are all told here at length.\n  Reads PDF files, in many ways that are all told here at length.\n  Reads PDF files, in many ways that are all told here at length.\n  Reads PDF files, in many ways that are all told here at length.\n  Reads PDF files, in many ways that are all told here at length.\n  Reads PDF files, in many ways that are all told here at length.\n  Reads PDF files, in many ways that are all told here at length.\n  Reads PDF files, in many ways that are all told here at length.\n  Reads PDF files, in many ways that are all told here at length.\n  Reads PDF files, in many ways that are all told here at length.\n  Reads PDF files, in many ways that are all told here at length.\n  Reads PDF files, in many ways that are all told here at length.\n  Reads PDF files, in many ways that are all told here at length.\n  Reads PDF files, in many ways that are all told here at length.\n  Reads PDF files, in many ways that are all told here at length.\n---\n# PDF\n",
        )],
    }

    EXEC_MISSING = error("exec-missing", "4.2", [Error, Warning, Allow]) {
        explain: "The program is searched below the skill, then, if the name has no slash, below `bin/` in \
            the skill. A skill without its program cannot run. At run time the skill is loaded with the \
            tier that remains.",
        bad: &[pdf!("exec: extract")],
        good: &[pdf!("exec: extract"), EXTRACT],
    }

    EXEC_NOT_EXECUTABLE = error("exec-not-executable", "4.2", [Error, Warning, Allow]) {
        explain: "The file that `exec` names has neither the executable bit nor a first line that starts \
            with `#!`, or that line ends in CR LF, so no operating system can start it.",
        bad: &[
            pdf!("exec: extract"),
            ("pdf/bin/extract", "cat\n"),
            ("csv/SKILL.md", "---\nname: csv\ndescription: Reads CSV files.\nexec: extract\n---\n# CSV\n"),
            ("csv/bin/extract", "#!/bin/sh\r\ncat\r\n"),
        ],
        good: &[pdf!("exec: extract"), EXTRACT],
    }

    SCHEMA_MISSING = error("schema-missing", "4.3", [Error, Error, Allow]) {
        explain: "The key `schema` is the path of a JSON Schema file inside the skill. The schema gives the \
            typed input of the program, and input is validated against it. Without the file, the program would \
            get unchecked input, so the skill is not loaded at run time either.",
        bad: &[pdf!("exec: extract\nschema: input.json"), EXTRACT],
        good: &[
            pdf!("exec: extract\nschema: input.json"),
            EXTRACT,
            ("pdf/input.json", "{ \"type\": \"object\" }\n"),
        ],
    }

    SCHEMA_WITHOUT_EXEC = lint("schema-without-exec", "4.3", [Warning, Warning, Allow]) {
        explain: "A schema describes the standard input of the skill's program. Without a program the \
            schema validates nothing, and the tier of the skill does not change.",
        bad: &[pdf!("schema: input.json"), ("pdf/input.json", "{ \"type\": \"object\" }\n")],
        good: &[
            pdf!("exec: extract\nschema: input.json"),
            EXTRACT,
            ("pdf/input.json", "{ \"type\": \"object\" }\n"),
        ],
    }

    PATH_OUTSIDE = error("path-outside", "4.2", [Error, Warning, Allow]) {
        explain: "The files that a skill names are part of it. An absolute path or `..` would name a file \
            that is not bundled, or that a skill must not run. At run time the key is ignored.",
        bad: &[pdf!("exec: ../tool")],
        good: &[pdf!("exec: tool"), ("pdf/tool (executable)", "#!/bin/sh\ncat\n")],
    }
}
