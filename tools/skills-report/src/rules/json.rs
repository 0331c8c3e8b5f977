//! Rules about the syntax of JSON files.

use super::example::ADD;

texts! {
    json:
    JSON_SYNTAX {
        explain: "A `skill.json` or a schema file breaks the grammar of JSON at this place. The rest of the \
            file is checked once the error is fixed.",
        bad: &[("add/skill.json", "{ \"name\": \"add\" \"description\": \"Adds.\" }\n")],
        good: &[ADD],
    }

    JSON_COMMENT {
        explain: "JSON has no comments, and other programs refuse a file that has one. The rest of the file \
            is checked as if the comment were not there.",
        bad: &[(
            "add/skill.json",
            "// adds\n{\n  \"name\": \"add\",\n  \"description\": \"Adds.\",\n  \"category\": \"math\",\n  \"input\": {},\n  \"output\": {},\n  \"mode\": \"code\"\n}\n",
        )],
        good: &[ADD],
    }

    JSON_TRAILING_COMMA {
        explain: "JSON allows a comma only between two values. The rest of the file is checked as if the \
            comma were not there.",
        bad: &[add!(r#""tags": ["math",]"#)],
        good: &[ADD],
    }

    JSON_DUPLICATE_KEY {
        explain: "JSON parsers differ in which of two equal keys they use, so the file means different \
            things to different programs. At run time the first one counts.",
        bad: &[add!(r#""mode": "code""#)],
        good: &[ADD],
    }
}
