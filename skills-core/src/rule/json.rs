//! Rules about the syntax of JSON files.

use super::Rule;
use super::example::ADD;
use crate::level::Level::{Allow, Error, Warning};

rules! {
    /// The file is not JSON.
    pub static JSON_SYNTAX: Rule = Rule {
        code: "json-syntax",
        spec: "3.3",
        explain: "A `skill.json` or a schema file breaks the grammar of JSON at this place. What stands behind \
            the place is not judged before the fault is mended.",
        bad: &[("add/skill.json", "{ \"name\": \"add\" \"description\": \"Adds.\" }\n")],
        good: &[ADD],
        ..Rule::error(Error, Error, Allow)
    };

    /// The file has a comment, which JSON does not.
    pub static JSON_COMMENT: Rule = Rule {
        code: "json-comment",
        spec: "3.3",
        explain: "JSON has no comments, and other programs that read the file refuse it. The text around it is \
            judged as if the comment were not there.",
        bad: &[(
            "add/skill.json",
            "// adds\n{\n  \"name\": \"add\",\n  \"description\": \"Adds.\",\n  \"category\": \"math\",\n  \"input\": {},\n  \"output\": {},\n  \"mode\": \"code\"\n}\n",
        )],
        good: &[ADD],
        ..Rule::error(Error, Warning, Allow)
    };

    /// The file has a comma with nothing behind it.
    pub static JSON_TRAILING_COMMA: Rule = Rule {
        code: "json-trailing-comma",
        spec: "3.3",
        explain: "JSON allows a comma only between two values. The text around it is judged as if the comma \
            were not there.",
        bad: &[add!(r#""tags": ["math",]"#)],
        good: &[ADD],
        ..Rule::error(Error, Warning, Allow)
    };

    /// A key stands twice in one object.
    pub static JSON_DUPLICATE_KEY: Rule = Rule {
        code: "json-duplicate-key",
        spec: "3.3",
        explain: "Readers of JSON differ in which of two equal keys they take, so the file means different \
            things to different programs. At run time the first one counts.",
        bad: &[add!(r#""mode": "code""#)],
        good: &[ADD],
        ..Rule::error(Error, Warning, Allow)
    };
}
