//! Rules about the frontmatter of SKILL.md: what the parser refuses.

use super::Example;
use crate::level::Level::{Allow, Error, Warning};

const GOOD: Example = &[body!("# PDF\n\nOpen the file.\n")];

const TOML_GOOD: Example =
    &[("pdf/SKILL.md", "---\nname = \"pdf\"\ndescription = \"Reads PDF files.\"\n---\n# PDF\n")];

rules! {
    /// The text holds the marks of a conflict of git.
    CONFLICT_MARKERS = error("conflict-markers", "2.15", [Error, Error, Error]) {
        explain: "Git wrote both versions of a text and three marks, `<<<<<<<`, `=======` and `>>>>>>>`, and waits \
            for a person to choose. Nothing else is said of such a text, since it is two texts. Marks in a block of \
            code are taken for an example.",
        bad: &[(
            "pdf/SKILL.md",
            "---\nname: pdf\n<<<<<<< ours\ndescription: Reads PDF files.\n=======\ndescription: Reads PDFs.\n>>>>>>> theirs\n---\n# PDF\n",
        )],
        good: GOOD,
    }

    /// The text was decoded twice.
    DECODED_TWICE = error("decoded-twice", "2.15", [Error, Warning, Allow]) {
        explain: "The bytes of each character beyond ASCII were taken for characters and written again, so that `’` \
            became `â€™`. Programs do so that read UTF-8 as Latin-1 or Windows-1252. Decode the file once less; to \
            delete what looks wrong would lose the characters.",
        bad: &[body!("# PDF\n\nItâ€™s quick â€” and small.\n")],
        good: &[body!("# PDF\n\nIt’s quick — and small.\n")],
    }

    /// The frontmatter has a line end or an end of text that people do not see.
    FRONTMATTER_CONTROL = error("frontmatter-control", "2.1", [Error, Warning, Error]) {
        explain: "A carriage return alone ends no line, and YAML would take it for one; a NUL character ends a YAML \
            text. Both are invisible in most editors, so a program would read other fields than the author sees. \
            Save the file with LF or CRLF line ends. At run time the character is read as a blank.",
        bad: &[("pdf/SKILL.md", "---\nname: pdf\ndescription: Reads\rPDF files.\n---\n# PDF\n")],
        good: GOOD,
    }

    /// Blank lines, or the words of a chat, stand before the opening line.
    FRONTMATTER_LATE = error("frontmatter-late", "2.1", [Error, Warning, Error]) {
        explain: "Frontmatter starts on the first line of the file. After a blank line `---` is a rule of Markdown, \
            so the fields under it are text of the body and the skill has no frontmatter at all. Delete the blank \
            lines, and what a chat wrote before the skill that it made. At run time the skill is read without fields.",
        bad: &[("pdf/SKILL.md", "\n---\nname: pdf\ndescription: Reads PDF files.\n---\n# PDF\n")],
        good: GOOD,
    }

    /// The first line looks like an opening line and is none.
    FRONTMATTER_MARKER = error("frontmatter-marker", "2.1", [Error, Warning, Error]) {
        explain: "Frontmatter opens with exactly three dashes, with `yaml` or `toml` behind them at most. Four \
            dashes, or the `+++` that some site generators use for TOML, open nothing: what follows is text of the \
            body and the skill has no frontmatter at all. At run time it is read so.",
        bad: &[("pdf/SKILL.md", "----\nname: pdf\ndescription: Reads PDF files.\n----\n# PDF\n")],
        good: GOOD,
    }

    /// The frontmatter is a scalar or a list.
    FRONTMATTER_NOT_MAP = error("frontmatter-not-map", "2.3", [Error, Error, Error]) {
        explain: "Frontmatter is a map of fields, one `key: value` a line. A lone word, a text or a list has no \
            keys, so no field can be read from it.",
        bad: &[("pdf/SKILL.md", "---\nReads PDF files\n---\n# PDF\n")],
        good: GOOD,
    }

    /// The tag behind the opening dashes names no known language.
    FRONTMATTER_TAG = error("frontmatter-tag", "2.1", [Error, Error, Error]) {
        explain: "A word behind the opening dashes names the language of the frontmatter. Only `yaml` and `toml` are \
            read, in any letter case. Other tools run `---js` as a program; here any other tag is refused and \
            nothing is executed or read.",
        bad: &[("pdf/SKILL.md", "---json\n{\"name\": \"pdf\", \"description\": \"Reads PDF files.\"}\n---\n# PDF\n")],
        good: &[("pdf/SKILL.md", "---yaml\n{\"name\": \"pdf\", \"description\": \"Reads PDF files.\"}\n---\n# PDF\n")],
    }

    /// The closing line is missing.
    FRONTMATTER_UNTERMINATED = error("frontmatter-unterminated", "2.1", [Error, Error, Error]) {
        explain: "Frontmatter ends with a line of exactly three dashes at the start of the line; blanks behind them \
            do no harm. YAML's `...`, an indented `---` and `----` do not end it. Without that line nobody can tell \
            fields from body.",
        bad: &[("pdf/SKILL.md", "---\nname: pdf\ndescription: Reads PDF files.\n\n# PDF\n")],
        good: GOOD,
    }

    /// A TOML key or table is given twice.
    TOML_DUPLICATE_KEY = error("toml-duplicate-key", "2.3", [Error, Error, Error]) {
        explain: "A key may be given once in a TOML table, and a table may be opened once. Which of two values was \
            meant cannot be known, so neither is preferred: delete one.",
        bad: &[(
            "pdf/SKILL.md",
            "---\nname = \"pdf\"\ndescription = \"Reads PDF files.\"\nname = \"pdf\"\n---\n# PDF\n",
        )],
        good: TOML_GOOD,
    }

    /// The TOML does not parse.
    TOML_SYNTAX = error("toml-syntax", "2.2", [Error, Error, Error]) {
        explain: "The frontmatter was taken for TOML, because of the tag `---toml` or because its first line is `key \
            =` or `[table]`, and does not follow the grammar of TOML 1.1. It is never tried again as YAML. Strings \
            need quotes, lists need commas, and every key stands on its own line.",
        bad: &[("pdf/SKILL.md", "---\nname = pdf\ndescription = \"Reads PDF files.\"\n---\n# PDF\n")],
        good: TOML_GOOD,
    }

    /// A YAML alias cannot be expanded.
    YAML_ALIAS = error("yaml-alias", "2.3", [Error, Error, Error]) {
        explain: "An alias `*name` stands for the value that `&name` marked before it. It is refused where no such \
            value exists, where it stands inside the value it names, and where all aliases of the frontmatter expand \
            to more than 10,000 values, 1 MiB of text or 64 levels: that is how a few lines fill a memory. A value \
            that merely begins with an asterisk must be quoted.",
        bad: &[pdf!("license: *mit")],
        good: &[pdf!("license: MIT")],
    }

    /// A YAML directive.
    YAML_DIRECTIVE = error("yaml-directive", "2.3", [Error, Warning, Error]) {
        explain: "Lines such as `%YAML 1.2` are instructions to a YAML parser. They need a `---` under them, which \
            would end the frontmatter, so they cannot work here. YAML 1.2 is read anyway: delete the line. At run \
            time it is ignored.",
        bad: &[("pdf/SKILL.md", "---\n%YAML 1.2\nname: pdf\ndescription: Reads PDF files.\n---\n# PDF\n")],
        good: GOOD,
    }

    /// More than one YAML document.
    YAML_DOCUMENTS = error("yaml-documents", "2.3", [Error, Error, Error]) {
        explain: "A frontmatter is one YAML document. A line `...`, or one that begins with `--- `, starts another, \
            whose fields would be lost.",
        bad: &[pdf!("...\nlicense: MIT")],
        good: &[pdf!("license: MIT")],
    }

    /// A YAML key is given twice.
    YAML_DUPLICATE_KEY = error("yaml-duplicate-key", "2.3", [Error, Error, Error]) {
        explain: "A key may be given once in a map. YAML readers disagree which of two values counts, so the skill \
            would mean different things to different programs: delete one.",
        bad: &[pdf!("name: pdf")],
        good: GOOD,
    }

    /// A YAML key is a list, a map or nothing.
    YAML_KEY = error("yaml-key", "2.3", [Error, Error, Error]) {
        explain: "Keys are words. YAML also allows lists and maps as keys, and none at all, which neither JSON nor \
            TOML can say and nobody means: a key in brackets is usually a text that wants quotes.",
        bad: &[pdf!("[license]: MIT")],
        good: &[pdf!("license: MIT")],
    }

    /// The YAML does not parse.
    YAML_SYNTAX = error("yaml-syntax", "2.3", [Error, Error, Error]) {
        explain: "The frontmatter does not follow the grammar of YAML 1.2. The usual reasons are a quote or bracket \
            that is never closed, text behind a closing quote, a value that begins with a character YAML keeps for \
            itself (`@`, `%`, `*`, `[`, …), a missing blank behind a colon, and a line that is indented like nothing \
            above it. Double quotes around the value mend most of them.",
        bad: &[("pdf/SKILL.md", "---\nname: pdf\ndescription: @file reads PDF files.\n---\n# PDF\n")],
        good: &[("pdf/SKILL.md", "---\nname: pdf\ndescription: \"@file reads PDF files.\"\n---\n# PDF\n")],
    }

    /// A tab indents YAML.
    YAML_TAB = error("yaml-tab", "2.3", [Error, Error, Error]) {
        explain: "YAML is indented with blanks; a tab has no agreed width, so the specification forbids it there. \
            Type blanks in its place.",
        bad: &[pdf!("metadata:\n\tauthor: Ann")],
        good: &[pdf!("metadata:\n  author: Ann")],
    }

    /// A YAML tag that is not of the core schema, or not on what it names.
    YAML_TAG = error("yaml-tag", "2.3", [Error, Error, Error]) {
        explain: "A tag `!name` asks the reader to build an object of a type; in some languages that runs code. Only \
            the tags of the core schema are applied (`!!str`, `!!int`, `!!float`, `!!bool`, `!!null`, `!!seq`, \
            `!!map`), and only on values they fit. A text that begins with an exclamation mark must be quoted.",
        bad: &[("pdf/SKILL.md", "---\nname: pdf\ndescription: !important Reads PDF files.\n---\n# PDF\n")],
        good: &[("pdf/SKILL.md", "---\nname: pdf\ndescription: \"!important Reads PDF files.\"\n---\n# PDF\n")],
    }

    /// An unquoted value with a colon in it.
    YAML_UNQUOTED_COLON = error("yaml-unquoted-colon", "2.4", [Error, Warning, Error]) {
        explain: "In YAML a colon with a blank behind it separates a key from its value, so an unquoted value cannot \
            contain one: `description: Use when: reviewing` is not valid. This is the commonest fault of skills in \
            the wild. Put the value in quotes. At run time it is read as if it were quoted.",
        bad: &[("pdf/SKILL.md", "---\nname: pdf\ndescription: Use when: reading PDF files.\n---\n# PDF\n")],
        good: &[("pdf/SKILL.md", "---\nname: pdf\ndescription: \"Use when: reading PDF files.\"\n---\n# PDF\n")],
    }
}
