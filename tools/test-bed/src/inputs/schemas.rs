//! JSON Schemas of inputs: references, patterns and alternatives.

use super::{Files, Input, file, input, list, typed};

/// The kinds.
pub(super) const KINDS: &[Input] = &[
    input("a chain of references", |size| {
        defs(size, |at| format!("{{\"$ref\": \"#/definitions/d{}\"}}", at + 1))
    }),
    input("a chain back of references", |size| {
        defs(size, |at| format!("{{\"$ref\": \"#/definitions/d{}\"}}", at.saturating_sub(1)))
    }),
    input("references to one", |size| defs(size, |_| "{\"$ref\": \"#/definitions/d0\"}".to_owned())),
    input("a chain of properties", |size| {
        defs(size, |at| format!("{{\"properties\": {{\"a\": {{\"$ref\": \"#/definitions/d{}\"}}}}}}", at + 1))
    }),
    input("a chain of alternatives", |size| {
        defs(size, |at| {
            format!("{{\"anyOf\": [{{\"type\": \"null\"}}, {{\"$ref\": \"#/definitions/d{}\"}}]}}", at + 1)
        })
    }),
    input("a chain of allOf", |size| {
        defs(size, |at| {
            format!("{{\"allOf\": [{{\"type\": \"object\"}}, {{\"$ref\": \"#/definitions/d{}\"}}]}}", at + 1)
        })
    }),
    input("a chain with defaults", |size| {
        defs(size, |at| format!("{{\"$ref\": \"#/definitions/d{}\", \"default\": 1}}", at + 1))
    }),
    input("references to nothing", |size| defs(size, |at| format!("{{\"$ref\": \"#/definitions/x{at}\"}}"))),
    input("references to elsewhere", |size| defs(size, |at| format!("{{\"$ref\": \"https://x.y/d{at}\"}}"))),
    input("references to files", |size| defs(size, |at| format!("{{\"$ref\": \"d{at}.json\"}}"))),
    input("long pointers", |size| defs(size, |_| "{\"$ref\": \"#/definitions/d0/a/b/c/d/e/f\"}".to_owned())),
    input("a circle of references", |size| {
        let count = (size / 45).max(1);
        defs(size, |at| format!("{{\"$ref\": \"#/definitions/d{}\"}}", (at + 1) % count))
    }),
    input("anchors of schemas", |size| {
        defs_of(NEW, size, |at| format!("{{\"$anchor\": \"a{at}\", \"$ref\": \"#a{}\"}}", at + 1))
    }),
    input("dynamic anchors", |size| {
        defs_of(NEW, size, |at| {
            format!("{{\"$dynamicAnchor\": \"a{at}\", \"not\": {{\"$dynamicRef\": \"#a{}\"}}}}", at + 1)
        })
    }),
    input("the same anchor", |size| defs_of(NEW, size, |_| "{\"$anchor\": \"a\"}".to_owned())),
    input("ids", |size| {
        defs_of(NEW, size, |at| format!("{{\"$id\": \"https://x.y/{at}\", \"$ref\": \"{}\"}}", at + 1))
    }),
    input("dynamic anchors in ids", |size| {
        defs_of(NEW, size, |at| {
            format!(
                "{{\"$id\": \"https://x.y/{at}\", \"$dynamicAnchor\": \"a\", \"$ref\": \"{}\", \"not\": {{\"$dynamicRef\": \"#a\"}}}}",
                at + 1
            )
        })
    }),
    input("definitions that are their own meta-schema", |size| {
        defs_of(NEW, size, |at| {
            format!("{{\"$id\": \"https://x.y/{at}\", \"$schema\": \"https://x.y/{at}\"}}")
        })
    }),
    input("properties", |size| properties(size, |_| "{\"type\": \"string\"}".to_owned())),
    input("properties with faults", |size| properties(size, |_| "{\"typ\": 1}".to_owned())),
    input("properties with defaults", |size| {
        properties(size, |_| "{\"type\": \"string\", \"default\": 1}".to_owned())
    }),
    input("properties with patterns", |size| {
        properties(size, |at| format!("{{\"type\": \"string\", \"pattern\": \"^a{at}(b|c)*$\"}}"))
    }),
    input("properties with faulty patterns", |size| {
        properties(size, |at| format!("{{\"type\": \"string\", \"pattern\": \"^a{at}(\"}}"))
    }),
    input("a long pattern", |size| {
        properties(1, |_| "{\"type\": \"string\", \"pattern\": \"X\"}".to_owned())
            .into_iter()
            .map(|(path, text)| (path, text.replace('X', &"(a|b)".repeat(size / 5))))
            .collect()
    }),
    input("patterns of properties", |size| {
        typed(&format!(
            "\"input\": {{\"type\": \"object\", \"patternProperties\": {{{}}}}}",
            list(size, |at| format!("\"^a{at}\": {{}}"))
        ))
    }),
    input("required names", |size| {
        typed(&format!(
            "\"input\": {{\"type\": \"object\", \"required\": [{}]}}",
            list(size, |at| format!("\"e{at}\""))
        ))
    }),
    input("the same required name", |size| {
        typed(&format!(
            "\"input\": {{\"type\": \"object\", \"required\": [{}]}}",
            list(size, |_| "\"e\"".to_owned())
        ))
    }),
    input("an enumeration", |size| {
        typed(&format!(
            "\"input\": {{\"properties\": {{\"a\": {{\"enum\": [{}]}}}}}}",
            list(size, |at| format!("\"e{at}\""))
        ))
    }),
    input("an enumeration of lists", |size| {
        typed(&format!(
            "\"input\": {{\"properties\": {{\"a\": {{\"enum\": [{}]}}}}}}",
            list(size, |at| format!("[{at}, {{\"a\": 1}}]"))
        ))
    }),
    input("an enumeration of numbers", |size| {
        typed(&format!(
            "\"input\": {{\"properties\": {{\"a\": {{\"enum\": [{}]}}}}}}",
            list(size, |at| format!("{at}.0"))
        ))
    }),
    input("allOf", |size| {
        typed(&format!(
            "\"input\": {{\"allOf\": [{}]}}",
            list(size, |at| format!("{{\"required\": [\"a{at}\"]}}"))
        ))
    }),
    input("oneOf", |size| {
        typed(&format!(
            "\"input\": {{\"oneOf\": [{}]}}",
            list(size, |at| format!("{{\"properties\": {{\"a\": {{\"const\": {at}}}}}}}"))
        ))
    }),
    input("anyOf", |size| {
        typed(&format!(
            "\"input\": {{\"anyOf\": [{}]}}",
            list(size, |at| format!("{{\"type\": \"object\", \"properties\": {{\"p{at}\": {{}}}}}}"))
        ))
    }),
    input("dependencies", |size| {
        typed(&format!(
            "\"input\": {{\"dependencies\": {{{}}}}}",
            list(size, |at| format!("\"a{at}\": [\"b{at}\"]"))
        ))
    }),
    input("nested allOf", |size| {
        typed(&format!(
            "\"input\": {}{{}}{}",
            "{\"allOf\": [".repeat(size.min(1000) / 25),
            "]}".repeat(size.min(1000) / 25)
        ))
    }),
    input("unused definitions", |size| {
        typed(&format!(
            "\"input\": {{\"definitions\": {{{}}}}}",
            list(size, |at| format!("\"d{at}\": {{\"type\": \"string\"}}"))
        ))
    }),
    input("a schema file", |size| {
        vec![
        file("SKILL.md", "---\nname: it\ndescription: It grows. Use to grow.\nexec: run.sh\nschema: s.json\n---\nGrow.\n".to_owned()),
        file("run.sh", "#!/bin/sh\n".to_owned()),
        file("s.json", format!("{{\"type\": \"object\", \"properties\": {{{}}}}}", list(size, |at| format!("\"p{at}\": {{\"typ\": \"string\"}}")))),
    ]
    }),
];

const NEW: &str = "https://json-schema.org/draft/2020-12/schema";

const OLD: &str = "http://json-schema.org/draft-07/schema#";

fn defs(size: usize, def: impl Fn(usize) -> String) -> Files {
    defs_of(OLD, size, def)
}

/// Definitions. The last one may lead to a definition that does not exist, which adds one more.
fn defs_of(draft: &str, size: usize, def: impl Fn(usize) -> String) -> Files {
    let defs = list(size, |at| format!("\"d{at}\": {}", def(at)));
    typed(&format!(
        "\"input\": {{\"$schema\": \"{draft}\", \"type\": \"object\", \"properties\": {{\"a\": {{\"$ref\": \"#/definitions/d0\"}}}}, \
         \"definitions\": {{{defs}}}}}"
    ))
}

fn properties(size: usize, property: impl Fn(usize) -> String) -> Files {
    let properties = list(size, |at| format!("\"p{at}\": {}", property(at)));
    typed(&format!("\"input\": {{\"type\": \"object\", \"properties\": {{{properties}}}}}"))
}
