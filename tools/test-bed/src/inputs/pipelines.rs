//! Pipelines, prompts and the templates in them.

use super::{Files, Input, TYPED, file, fill, input, json, list, nested};

/// The kinds.
pub(super) const KINDS: &[Input] = &[
    input("a chain of steps", |size| {
        steps(size, |at| format!("\"input\": {{\"a\": \"{{{{steps.s{}.x}}}}\"}}", at.saturating_sub(1)))
    }),
    input("steps that wait for the one before", |size| {
        steps(size, |at| format!("\"input\": {{}}, \"depends\": [\"s{}\"]", at.saturating_sub(1)))
    }),
    input("steps that wait for the first", |size| {
        steps(size, |_| "\"input\": {}, \"depends\": [\"s0\"]".to_owned())
    }),
    input("steps that wait for the next", |size| {
        steps(size, |at| format!("\"input\": {{}}, \"depends\": [\"s{}\"]", at + 1))
    }),
    input("steps that read all steps", |size| {
        steps(size, |_| "\"input\": {\"a\": \"{{steps}}\"}".to_owned())
    }),
    input("a step that waits for all", |size| {
        pipeline(format!(
            "{}, {{\"step\": \"all\", \"skill\": \"p\", \"input\": {{}}, \"depends\": [{}]}}",
            list(size / 2, step),
            list(size / 2, |at| format!("\"s{at}\""))
        ))
    }),
    input("a step that waits for one often", |size| {
        pipeline(format!(
            "{}, {{\"step\": \"all\", \"skill\": \"p\", \"input\": {{}}, \"depends\": [{}]}}",
            step(0),
            list(size, |_| "\"s0\"".to_owned())
        ))
    }),
    input("steps of one name", |size| pipeline(list(size, |_| step(0)))),
    input("steps of unknown names", |size| {
        steps(size, |at| format!("\"input\": {{\"a\": \"{{{{steps.x{at}.y}}}}\"}}"))
    }),
    input("steps with conditions", |size| {
        steps(size, |at| {
            format!("\"input\": {{}}, \"condition\": \"steps.s{}.x == 1\"", at.saturating_sub(1))
        })
    }),
    input("steps over lists", |size| {
        steps(size, |at| {
            format!(
                "\"input\": {{\"a\": \"{{{{item}}}}\"}}, \"foreach\": \"{{{{steps.s{}.x}}}}\"",
                at.saturating_sub(1)
            )
        })
    }),
    input("arguments that are refused", refused),
    input("a long condition", |size| {
        pipeline(format!(
            "{{\"step\": \"s0\", \"skill\": \"p\", \"input\": {{}}, \"condition\": \"{}\"}}",
            list(size, |at| format!("input.a{at} == 1")).replace(',', " && ")
        ))
    }),
    input("a template of many expressions", |size| written(fill(size, |_| "{{input.a}}".to_owned()))),
    input("a template of escapes and expressions", |size| {
        written(fill(size, |_| "\\n\\u00e9{{input.a}}".to_owned()))
    }),
    input("a template of expressions that are refused", |size| {
        written(fill(size, |at| format!("{{{{inputs.a{at}}}}} ")))
    }),
    input("a chain of fallbacks", |size| {
        written(format!("{{{{input.a{}}}}}", " || input.a".repeat(size / 11)))
    }),
    input("a chain of fallbacks that differ", |size| {
        let mut files =
            written(format!("{{{{input.a{}}}}}", fill(size / 2, |at| format!(" || input.a{at}"))));
        let properties = list(size / 2, |at| format!("\"a{at}\": {{\"type\": \"object\"}}"));
        let input = format!("\"input\": {{\"type\": \"object\", \"properties\": {{{properties}}}}}");
        for (_, text) in files.iter_mut().filter(|(path, _)| path == "it/skill.json") {
            *text = text.replacen("\"input\": {\"type\": \"object\"}", &input, 1);
        }
        files
    }),
    input("a chain of texts", |size| {
        written(format!("{{{{input.a{}}}}}", fill(size, |at| format!(" || 'a{at}'"))))
    }),
    input("a long path", |size| written(format!("{{{{input{}}}}}", ".a".repeat(size / 2)))),
    input("a long path of a prompt", |size| prompt(format!("{{{{input{}}}}}", ".a".repeat(size / 2)))),
    input("a path of brackets", |size| written(format!("{{{{input{}}}}}", "['a']".repeat(size / 5)))),
    input("expressions that read a long enumeration", |size| {
        enumerated(size, "{{input.a}}", "\"type\": \"string\"")
    }),
    input("expressions that read a value of many kinds", |size| {
        enumerated(size, "{{input.a | upcase}}", "\"title\": \"a\"")
    }),
    input("fields of an input", |size| {
        pipeline(format!(
            "{{\"step\": \"s0\", \"skill\": \"p\", \"input\": {{{}}}}}",
            list(size, |at| format!("\"a{at}\": \"{{{{input.a{at}}}}}\""))
        ))
    }),
    input("expressions", |size| prompt(fill(size, |at| format!("{{{{input.a{at}}}}} ")))),
    input("expressions of one field", |size| prompt(fill(size, |_| "{{input.a}} ".to_owned()))),
    input("expressions that are declared", declared),
    input("expressions that are near", |size| prompt(fill(size, |at| format!("{{{{input.aa{at}}}}} ")))),
    input("filters", |size| prompt(format!("{{{{input.a{}}}}}", " | upcase".repeat(size / 9)))),
    input("unknown filters", |size| prompt(fill(size, |at| format!("{{{{input.a | uper{at}}}}} ")))),
    input("nested templates", |size| prompt(nested(size.min(2000), "{% if input.a %}", "{% endif %}"))),
    input("templates beside each other", |size| {
        prompt(fill(size, |_| "{% if input.a %}b{% endif %}".to_owned()))
    }),
    input("open templates", |size| prompt("{{".repeat(size / 2))),
    input("open blocks", |size| prompt("{% if a %}".repeat(size / 10))),
    input("long paths", |size| prompt(format!("{{{{input{}}}}}", ".a".repeat(size / 2)))),
];

fn step(at: usize) -> String {
    format!("{{\"step\": \"s{at}\", \"skill\": \"p\", \"input\": {{}}}}")
}

fn steps(size: usize, members: impl Fn(usize) -> String) -> Files {
    let steps =
        list(size, |at| format!("{{\"step\": \"s{}\", \"skill\": \"p\", {}}}", at + 1, members(at + 1)));
    pipeline(format!("{}, {steps}", step(0)))
}

pub(super) fn pipeline(steps: String) -> Files {
    let text = format!(
        "{{{TYPED}, \"mode\": \"composite\", \"calls\": [\"p\"], \"input\": {{\"type\": \"object\"}}, \"pipeline\": [{steps}]}}"
    );
    let called = TYPED.replace("\"it\"", "\"p\"");
    let called = format!("{{{called}, \"mode\": \"code\", \"input\": {{\"type\": \"object\"}}}}");
    let mut files = json(text);
    files.push(("p/skill.json".to_owned(), called));
    files
}

fn prompt(text: String) -> Files {
    let mut files = json(format!(
        "{{{TYPED}, \"mode\": \"llm\", \"input\": {{\"type\": \"object\", \"properties\": {{\"a\": {{\"type\": \"string\"}}}}}}}}"
    ));
    files.push(file("prompt.md", text));
    files
}

/// A step whose input has one template.
fn written(template: String) -> Files {
    pipeline(format!("{{\"step\": \"s0\", \"skill\": \"p\", \"input\": {{\"a\": \"{template}\"}}}}"))
}

/// A step whose input reads a property with a long `enum` many times.
fn enumerated(size: usize, read: &str, rule: &str) -> Files {
    let mut files = written(fill(size / 2, |_| read.to_owned()));
    let values = list(size / 2, |at| format!("\"v{at}\""));
    let input = format!(
        "\"input\": {{\"type\": \"object\", \"properties\": {{\"a\": {{{rule}, \"enum\": [{values}]}}}}}}"
    );
    for (_, text) in files.iter_mut().filter(|(path, _)| path == "it/skill.json") {
        *text = text.replacen("\"input\": {\"type\": \"object\"}", &input, 1);
    }
    files
}

fn refused(size: usize) -> Files {
    let mut files = pipeline(format!(
        "{{\"step\": \"s0\", \"skill\": \"p\", \"input\": {{{}}}}}",
        list(size / 2, |at| format!("\"b{at}\": 1"))
    ));
    let input = format!(
        "\"input\": {{\"type\": \"object\", \"additionalProperties\": false, \"properties\": {{{}}}}}",
        list(size / 2, |at| format!("\"a{at}\": {{}}"))
    );
    for (_, text) in files.iter_mut().filter(|(path, _)| path == "p/skill.json") {
        *text = text.replace("\"input\": {\"type\": \"object\"}", &input);
    }
    files
}

fn declared(size: usize) -> Files {
    let mut files = prompt(fill(size / 2, |at| format!("{{{{input.a{at}}}}} ")));
    let input = format!(
        "\"properties\": {{{}}}, \"required\": [{}]",
        list(size / 2, |at| format!("\"a{at}\": {{}}")),
        list(size / 2, |at| format!("\"a{at}\""))
    );
    for (_, text) in files.iter_mut().filter(|(path, _)| path == "it/skill.json") {
        *text = text.replace("\"properties\": {\"a\": {\"type\": \"string\"}}", &input);
    }
    files
}
