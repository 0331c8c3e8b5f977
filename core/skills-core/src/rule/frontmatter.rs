//! Rules about the frontmatter of SKILL.md: faults that the parsers report.

use super::entry::Example;

const GOOD: Example = &[body!("# PDF\n\nOpen the file.\n")];

const TOML_GOOD: Example =
    &[("pdf/SKILL.md", "---\nname = \"pdf\"\ndescription = \"Reads PDF files.\"\n---\n# PDF\n")];

rules! {
    "Frontmatter":

    CONFLICT_MARKERS = error("conflict-markers", "2.15", [Error, Error, Error]) {
        explain: "Git wrote both versions of a text between three markers, `<<<<<<<`, `=======` and \
            `>>>>>>>`, for a person to choose one. No other problem of the file is reported until the \
            conflict is resolved. Markers inside a code block count as an example.",
        bad: &[(
            "pdf/SKILL.md",
            "---\nname: pdf\n<<<<<<< ours\ndescription: Reads PDF files.\n=======\ndescription: Reads PDFs.\n>>>>>>> theirs\n---\n# PDF\n",
        )],
        good: GOOD,
    }

    DECODED_TWICE = lint("decoded-twice", "2.15", [Error, Warning, Allow]) {
        explain: "The UTF-8 bytes of each non-ASCII character were decoded as another encoding and encoded \
            again, so `’` turned into `â€™`. This happens in programs that read UTF-8 as Latin-1 or \
            Windows-1252. Decode the file once more; deleting the wrong characters would lose the original \
            ones.",
        bad: &[body!("# PDF\n\nItâ€™s quick â€” and small.\n")],
        good: &[body!("# PDF\n\nIt’s quick — and small.\n")],
    }

    FRONTMATTER_CONTROL = error("frontmatter-control", "2.1", [Error, Warning, Error]).hides() {
        explain: "A lone carriage return is not a line end here, but YAML would treat it as one, and a NUL \
            character ends a YAML text. Both are invisible in most editors, so a program would read other \
            fields than the author sees. Save the file with LF or CRLF line ends. At run time the character \
            is read as a space.",
        bad: &[("pdf/SKILL.md", "---\nname: pdf\ndescription: Reads\rPDF files.\n---\n# PDF\n")],
        good: GOOD,
    }

    FRONTMATTER_LATE = error("frontmatter-late", "2.1", [Error, Warning, Error]).hides() {
        explain: "Frontmatter starts on the first line of the file. After an empty line `---` is a \
            horizontal rule in Markdown, so the fields below it belong to the body and the skill has no \
            frontmatter. Delete the empty lines, and any sentence that a chat assistant wrote above the \
            skill. At run time the skill is read without fields.",
        bad: &[("pdf/SKILL.md", "\n---\nname: pdf\ndescription: Reads PDF files.\n---\n# PDF\n")],
        good: GOOD,
    }

    FRONTMATTER_MARKER = error("frontmatter-marker", "2.1", [Error, Warning, Error]).hides() {
        explain: "Frontmatter opens with exactly three dashes, optionally followed by `yaml` or `toml`. \
            Four dashes, or the `+++` that some site generators use for TOML, do not open it: the lines \
            below belong to the body and the skill has no frontmatter. At run time it is read that way.",
        bad: &[("pdf/SKILL.md", "----\nname: pdf\ndescription: Reads PDF files.\n----\n# PDF\n")],
        good: GOOD,
    }

    FRONTMATTER_NOT_MAP = error("frontmatter-not-map", "2.3", [Error, Error, Error]).hides() {
        explain: "Frontmatter is a map of fields, one `key: value` per line. A single word, a text or a \
            list has no keys, so no field can be read from it.",
        bad: &[("pdf/SKILL.md", "---\nReads PDF files\n---\n# PDF\n")],
        good: GOOD,
    }

    FRONTMATTER_TAG = error("frontmatter-tag", "2.1", [Error, Error, Error]).hides() {
        explain: "A word after the opening dashes names the language of the frontmatter. Only `yaml` and \
            `toml` are supported, in any letter case. Other tools run `---js` as a program; here any other \
            tag is refused, and the frontmatter is neither read nor executed.",
        bad: &[("pdf/SKILL.md", "---json\n{\"name\": \"pdf\", \"description\": \"Reads PDF files.\"}\n---\n# PDF\n")],
        good: &[("pdf/SKILL.md", "---yaml\n{\"name\": \"pdf\", \"description\": \"Reads PDF files.\"}\n---\n# PDF\n")],
    }

    FRONTMATTER_UNTERMINATED = error("frontmatter-unterminated", "2.1", [Error, Error, Error]).hides() {
        explain: "Frontmatter ends with a line of exactly three dashes at the start of the line; trailing \
            spaces are allowed. YAML's `...`, an indented `---` and `----` do not end it. Without that \
            line, fields and body cannot be separated.",
        bad: &[("pdf/SKILL.md", "---\nname: pdf\ndescription: Reads PDF files.\n\n# PDF\n")],
        good: GOOD,
    }

    TOML_DUPLICATE_KEY = error("toml-duplicate-key", "2.3", [Error, Error, Error]).hides() {
        explain: "A TOML table may define a key once, and a file may open a table once. It is unknown which \
            of the two values is meant, so neither is used: delete one.",
        bad: &[(
            "pdf/SKILL.md",
            "---\nname = \"pdf\"\ndescription = \"Reads PDF files.\"\nname = \"pdf\"\n---\n# PDF\n",
        )],
        good: TOML_GOOD,
    }

    TOML_SYNTAX = error("toml-syntax", "2.2", [Error, Error, Error]).hides() {
        explain: "The frontmatter was read as TOML, because of the tag `---toml` or because its first line \
            is `key =` or `[table]`, but it does not follow the grammar of TOML 1.1. It is never parsed as \
            YAML instead. Strings need quotes, lists need commas, and every key needs its own line.",
        bad: &[("pdf/SKILL.md", "---\nname = pdf\ndescription = \"Reads PDF files.\"\n---\n# PDF\n")],
        good: TOML_GOOD,
    }

    YAML_ALIAS = error("yaml-alias", "2.3", [Error, Error, Error]).hides() {
        explain: "An alias `*name` stands for the value that `&name` marked before it. It is an error if no \
            such value exists, if the alias is inside the value it names, or if all aliases of the \
            frontmatter expand to more than 10,000 values, 1 MiB of text or 64 levels: a few lines of \
            nested aliases could otherwise fill the memory. Quote a value that begins with an asterisk but \
            is not an alias.",
        bad: &[pdf!("license: *mit")],
        good: &[pdf!("license: MIT")],
    }

    YAML_DIRECTIVE = error("yaml-directive", "2.3", [Error, Warning, Error]).hides() {
        explain: "Lines such as `%YAML 1.2` are instructions to a YAML parser. They must be followed by \
            `---`, which would end the frontmatter, so they cannot work here. YAML 1.2 is the default: \
            delete the line. At run time it is ignored.",
        bad: &[("pdf/SKILL.md", "---\n%YAML 1.2\nname: pdf\ndescription: Reads PDF files.\n---\n# PDF\n")],
        good: GOOD,
    }

    YAML_DOCUMENTS = error("yaml-documents", "2.3", [Error, Error, Error]).hides() {
        explain: "A frontmatter is one YAML document. A line `...`, or a line that begins with `--- `, \
            starts another document, whose fields would be lost.",
        bad: &[pdf!("...\nlicense: MIT")],
        good: &[pdf!("license: MIT")],
    }

    YAML_DUPLICATE_KEY = error("yaml-duplicate-key", "2.3", [Error, Error, Error]).hides() {
        explain: "A map may have each key once. YAML parsers disagree about which of two values counts, so \
            the skill would mean different things to different programs: delete one.",
        bad: &[pdf!("name: pdf")],
        good: GOOD,
    }

    YAML_KEY = error("yaml-key", "2.3", [Error, Error, Error]).hides() {
        explain: "Keys are words. YAML also allows lists, maps and null as keys, which neither JSON nor \
            TOML can represent. A key in brackets is usually a text that needs quotes.",
        bad: &[pdf!("[license]: MIT")],
        good: &[pdf!("license: MIT")],
    }

    YAML_SYNTAX = error("yaml-syntax", "2.3", [Error, Error, Error]).hides() {
        explain: "The frontmatter does not follow the grammar of YAML 1.2. The usual reasons are an \
            unclosed quote or bracket, text after a closing quote, a value that begins with a reserved \
            character (`@`, `%`, `*`, `[`, …), a missing space after a colon, and a line whose indentation \
            matches no line above it. Double quotes around the value fix most of them.",
        bad: &[("pdf/SKILL.md", "---\nname: pdf\ndescription: @file reads PDF files.\n---\n# PDF\n")],
        good: &[("pdf/SKILL.md", "---\nname: pdf\ndescription: \"@file reads PDF files.\"\n---\n# PDF\n")],
    }

    YAML_TAB = error("yaml-tab", "2.3", [Error, Error, Error]).hides() {
        explain: "YAML is indented with spaces; a tab has no agreed width, so the YAML specification \
            forbids tabs in indentation. Use spaces instead.",
        bad: &[pdf!("metadata:\n\tauthor: Ann")],
        good: &[pdf!("metadata:\n  author: Ann")],
    }

    YAML_TAG = error("yaml-tag", "2.3", [Error, Error, Error]).hides() {
        explain: "A tag `!name` requests an object of a given type; in some languages that runs code. Only \
            the tags of the core schema are applied (`!!str`, `!!int`, `!!float`, `!!bool`, `!!null`, \
            `!!seq`, `!!map`), and only to values that fit them. Quote a text that begins with an \
            exclamation mark.",
        bad: &[("pdf/SKILL.md", "---\nname: pdf\ndescription: !important Reads PDF files.\n---\n# PDF\n")],
        good: &[("pdf/SKILL.md", "---\nname: pdf\ndescription: \"!important Reads PDF files.\"\n---\n# PDF\n")],
    }

    YAML_UNQUOTED_COLON = error("yaml-unquoted-colon", "2.4", [Error, Warning, Error]).hides() {
        explain: "In YAML a colon followed by a space separates a key from its value, so an unquoted value \
            cannot contain one: `description: Use when: reviewing` is not valid. This is the most common \
            error in published skills. Quote the value. At run time it is read as if it were quoted.",
        bad: &[("pdf/SKILL.md", "---\nname: pdf\ndescription: Use when: reading PDF files.\n---\n# PDF\n")],
        good: &[("pdf/SKILL.md", "---\nname: pdf\ndescription: \"Use when: reading PDF files.\"\n---\n# PDF\n")],
    }
}
