//! Files that the examples of several rules share, so that an example spells out only the part that matters.

type File = (&'static str, &'static str);

/// `pdf/SKILL.md`, with further lines of frontmatter.
macro_rules! pdf {
    ($($lines:literal)?) => {
        ("pdf/SKILL.md", concat!("---\nname: pdf\ndescription: Reads PDF files.\n", $($lines, "\n",)? "---\n# PDF\n"))
    };
}

/// `pdf/SKILL.md` with another body.
macro_rules! body {
    ($body:literal) => {
        ("pdf/SKILL.md", concat!("---\nname: pdf\ndescription: Reads PDF files.\n---\n", $body))
    };
}

/// The `skill.json` of a function that adds: its name, and the keys starting with `input`.
macro_rules! function {
    ($name:literal: $($key:expr),+) => {
        (
            concat!($name, "/skill.json"),
            concat!(
                "{\n  \"name\": \"", $name, "\",\n  \"description\": \"Adds.\",\n  \"category\": \"math\"",
                $(",\n  ", $key,)+
                "\n}\n"
            ),
        )
    };
}

/// The `skill.json` of a function in code that accepts and returns any value, with further keys.
macro_rules! add {
    ($($key:literal),*) => {
        function!("add": r#""input": {}"#, r#""output": {}"#, r#""mode": "code""# $(, $key)*)
    };
}

/// The `skill.json` of a function that accepts numbers and returns any value, from the key `mode` on.
macro_rules! numbers {
    ($name:literal: $($key:literal),+) => {
        function!(
            $name:
            r#""input": { "type": "object", "properties": { "numbers": { "type": "array" } }, "required": ["numbers"] }"#,
            r#""output": {}"#
            $(, $key)+
        )
    };
}

/// The `skill.json` of a pipeline whose steps use the skill `add`, from the key `pipeline` on.
macro_rules! sum {
    ($($key:literal),+) => {
        numbers!("sum": r#""mode": "composite""#, r#""calls": ["add"]"# $(, $key)+)
    };
}

pub(super) const PDF: File = pdf!();
pub(super) const EXTRACT: File = ("pdf/bin/extract (executable)", "#!/bin/sh\ncat\n");
pub(super) const ADD: File = add!();
pub(super) const ADD_NUMBERS: File = numbers!("add": r#""mode": "code""#);
pub(super) const ADD_BY_PROMPT: File = numbers!("add": r#""mode": "llm""#);
