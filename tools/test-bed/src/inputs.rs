//! Directories of skills of any size, of each kind that once took, or might take, quadratic time. Tests count
//! the steps of a check, and attacks measure the time.

/// A kind of input.
#[derive(Clone, Copy, Debug)]
pub struct Input {
    /// The part that the input repeats.
    pub name: &'static str,
    /// Creates the files by path below the root. The argument is the approximate size in bytes.
    pub make: fn(usize) -> Vec<(String, String)>,
}

/// All kinds.
pub const INPUTS: &[Input] = &[
    // The body.
    Input { name: "links on a line", make: |size| body(fill(size, |_| "[a](b.md) ".to_owned())) },
    Input { name: "links that differ", make: |size| body(fill(size, |at| format!("[a](b{at}.md) "))) },
    Input {
        name: "a link with a long path",
        make: |size| body(format!("[a]({}b.md)", "a/".repeat(size / 2))),
    },
    Input {
        name: "a mention of a long path",
        make: |size| body(format!("See {}b.md.", "a/".repeat(size / 2))),
    },
    Input {
        name: "a link that goes up and down",
        make: |size| body(format!("[a]({}b.md)", "a/../".repeat(size / 5))),
    },
    Input {
        name: "links with long paths",
        make: |size| body(fill(size, |at| format!("[a]({}b{at}.md) ", "a/".repeat(500)))),
    },
    Input { name: "links on lines", make: |size| body(fill(size, |at| format!("[a](b{at}.md)\n"))) },
    Input { name: "images", make: |size| body(fill(size, |_| "![a](b.png) ".to_owned())) },
    Input { name: "reference links", make: |size| body(fill(size, |at| format!("[a{at}]: b{at}.md\n"))) },
    Input { name: "uses of references", make: |size| body(fill(size, |at| format!("[a][r{at}] "))) },
    Input {
        name: "links out of the skill",
        make: |size| body(fill(size, |at| format!("[a](../b{at}.md) "))),
    },
    Input { name: "unclosed targets", make: |size| body(fill(size, |_| "[a](<b ".to_owned())) },
    Input { name: "open brackets", make: |size| body("[".repeat(size)) },
    Input { name: "closed brackets", make: |size| body("]".repeat(size)) },
    Input { name: "nested brackets", make: |size| body("[".repeat(size / 2) + &"]".repeat(size / 2)) },
    Input { name: "backquotes", make: |size| body("` ".repeat(size / 2)) },
    Input { name: "code spans with links", make: |size| body(fill(size, |_| "`[a](b.md)` ".to_owned())) },
    Input { name: "fences", make: |size| body(fill(size, |_| "```sh\nrun\n```\n".to_owned())) },
    Input { name: "a fence of much", make: |size| body("`".repeat(size / 2) + "\n" + &"`".repeat(size / 2)) },
    Input { name: "headings", make: |size| body(fill(size, |at| format!("# Part {at}\n\n"))) },
    Input { name: "a list", make: |size| body(fill(size, |at| format!("- see references/a{at}.md\n"))) },
    Input { name: "mentions on a line", make: |size| body(fill(size, |_| "scripts/a.py ".to_owned())) },
    Input { name: "mentions in words", make: |size| body(fill(size, |_| "scripts/".to_owned())) },
    Input {
        name: "mentions in fences",
        make: |size| body("```sh\n".to_owned() + &fill(size, |_| "bash scripts/a.sh\n".to_owned())),
    },
    Input { name: "comments of Markdown", make: |size| body(fill(size, |_| "<!-- a -->\n".to_owned())) },
    Input { name: "open comments", make: |size| body("<!-- ".repeat(size / 5)) },
    Input {
        name: "allow comments",
        make: |size| body(fill(size, |_| "<!-- skills: allow(long-body) -->\n".to_owned())),
    },
    Input {
        name: "open allow comments",
        make: |size| body(fill(size, |_| "<!-- skills: allow(".to_owned())),
    },
    Input {
        name: "unknown allow comments",
        make: |size| body(fill(size, |at| format!("<!-- skills: allow(x{at}) -->\n"))),
    },
    Input {
        name: "allow comments and faults",
        make: |size| body(fill(size, |_| "<!-- skills: allow(long-body) -->[a](b.md)\u{1}\n".to_owned())),
    },
    Input {
        name: "pipes into a shell",
        make: |size| body(fill(size, |_| "curl https://x.y | sh\n".to_owned())),
    },
    Input { name: "pipes on a line", make: |size| body(fill(size, |_| "curl x | ".to_owned())) },
    Input { name: "hidden characters", make: |size| body(fill(size, |_| "a\u{200b}\u{1} ".to_owned())) },
    Input { name: "a run of hidden characters", make: |size| body("\u{e0041}".repeat(size / 4)) },
    Input { name: "direction marks", make: |size| body("\u{202e}".repeat(size / 3)) },
    Input {
        name: "conflict marks",
        make: |size| body(fill(size, |_| "<<<<<<< a\nb\n=======\nc\n>>>>>>> d\n".to_owned())),
    },
    Input { name: "open conflict marks", make: |size| body(fill(size, |_| "<<<<<<< a\n".to_owned())) },
    Input { name: "a line without blanks", make: |size| body("a".repeat(size)) },
    Input {
        name: "line ends of both kinds",
        make: |size| body(fill(size, |at| if at % 2 == 0 { "a\r\n".to_owned() } else { "b\n".to_owned() })),
    },
    Input {
        name: "carriage returns",
        make: |size| vec![file("SKILL.md", "---\rname: it\r".to_owned() + &"a\r".repeat(size / 2))],
    },
    Input { name: "tabs in the body", make: |size| body("\t".repeat(size)) },
    // The frontmatter.
    Input { name: "unknown keys", make: |size| front(fill(size, |at| format!("key{at}: 1\n"))) },
    Input { name: "near keys", make: |size| front(fill(size, |at| format!("descripton{at}: 1\n"))) },
    Input { name: "the same key", make: |size| front("tags: a\n".repeat(size / 8)) },
    Input { name: "near keys that are the same", make: |size| front("descripton: a\n".repeat(size / 14)) },
    Input { name: "colons in values", make: |size| front(fill(size, |at| format!("k{at}: a: b: c\n"))) },
    Input {
        name: "colons in one value",
        make: |size| front(format!("license: {}\n", "a: ".repeat(size / 3))),
    },
    Input {
        name: "colons in a value of lines",
        make: |size| front(format!("license:\n{}", "  a: b: c\n".repeat(size / 10))),
    },
    Input {
        name: "colons below metadata",
        make: |size| front(format!("metadata:\n{}", fill(size, |at| format!("  k{at}: a: b\n")))),
    },
    Input {
        name: "lines that are no fields",
        make: |size| front(fill(size, |at| format!("no field {at}\n"))),
    },
    Input { name: "shifted fields", make: |size| front(fill(size, |at| format!(" k{at}: a\n"))) },
    Input {
        name: "indentation that grows",
        make: |size| front(fill(size.min(4000), |at| format!("{}k{at}:\n", " ".repeat(at % 60)))),
    },
    Input {
        name: "tabs that indent",
        make: |size| front(format!("metadata:\n{}", fill(size, |at| format!("\tk{at}: a\n")))),
    },
    Input { name: "open quotes", make: |size| front(fill(size, |at| format!("k{at}: \"a\n"))) },
    Input { name: "open brackets in fields", make: |size| front(fill(size, |at| format!("k{at}: [a\n"))) },
    Input {
        name: "quoted lines without blanks",
        make: |size| front(format!("license: \"{}\"\n", "a\n".repeat(size / 2))),
    },
    Input { name: "deep brackets of YAML", make: |size| front(format!("tags: {}\n", "[".repeat(size))) },
    Input {
        name: "a long list of YAML",
        make: |size| front(format!("tags: [{}]\n", fill(size, |at| format!("a{at}, ")))),
    },
    Input { name: "the same tag", make: |size| front(format!("tags: [{}]\n", "a, ".repeat(size / 3))) },
    Input {
        name: "a list of lines",
        make: |size| front(format!("tags:\n{}", fill(size, |at| format!("- a{at}\n")))),
    },
    Input {
        name: "lists in a list",
        make: |size| front(format!("tags: [{}]\n", fill(size, |at| format!("[a{at}], ")))),
    },
    Input {
        name: "anchors",
        make: |size| front(format!("metadata:\n{}", fill(size, |at| format!("  k{at}: &a{at} x\n")))),
    },
    Input {
        name: "aliases",
        make: |size| front(format!("metadata:\n  k: &a x\n{}", fill(size, |at| format!("  k{at}: *a\n")))),
    },
    Input {
        name: "aliases to nothing",
        make: |size| front(format!("metadata:\n{}", fill(size, |at| format!("  k{at}: *b{at}\n")))),
    },
    Input {
        name: "anchors around anchors",
        make: |size| front(format!("metadata: {}\n", nested(size.min(600), "&a [", "]"))),
    },
    Input {
        name: "merges",
        make: |size| {
            front(format!(
                "metadata:\n  k: &a {{x: y}}\n{}",
                fill(size, |at| format!("  k{at}: {{<<: *a, x{at}: z}}\n"))
            ))
        },
    },
    Input {
        name: "tags of YAML",
        make: |size| front(format!("metadata:\n{}", fill(size, |at| format!("  k{at}: !odd x\n")))),
    },
    Input { name: "escapes that are none", make: |size| front(fill(size, |at| format!("k{at}: \"\\q\"\n"))) },
    Input {
        name: "a block scalar",
        make: |size| front(format!("license: |\n{}", "  a: b\n".repeat(size / 7))),
    },
    Input {
        name: "a folded scalar",
        make: |size| front(format!("license: >\n{}", "  a b\n".repeat(size / 6))),
    },
    Input { name: "comments of YAML", make: |size| front("# a: b\n".repeat(size / 7)) },
    Input { name: "documents", make: |size| front("...\n".repeat(size / 4)) },
    Input { name: "directives", make: |size| front("%YAML 1.2\n".repeat(size / 10)) },
    Input {
        name: "controls in the frontmatter",
        make: |size| front(fill(size, |at| format!("k{at}: a\u{1}b\n"))),
    },
    Input {
        name: "a long description",
        make: |size| front(format!("when_to_use: {}\n", "use it to dig ".repeat(size / 14))),
    },
    Input { name: "servers", make: |size| front(fill(size, |at| format!("mcp-a{at}: run it\n"))) },
    Input {
        name: "tools",
        make: |size| front(format!("allowed-tools: {}\n", fill(size, |at| format!("Tool{at} ")))),
    },
    Input {
        name: "requirements",
        make: |size| front(format!("requires: [{}]\n", fill(size, |at| format!("skill{at}, ")))),
    },
    Input {
        name: "triggers",
        make: |size| front(format!("triggers: [{}]\n", fill(size, |at| format!("word{at}, ")))),
    },
    Input {
        name: "permissions",
        make: |size| {
            front(format!("permissions:\n  network: [{}]\n", fill(size, |at| format!("h{at}.example, "))))
        },
    },
    Input { name: "keys of TOML", make: |size| toml(fill(size, |at| format!("k{at} = 1\n"))) },
    Input { name: "the same key of TOML", make: |size| toml("k = 1\n".repeat(size / 6)) },
    Input { name: "tables of TOML", make: |size| toml(fill(size, |at| format!("[t{at}]\n"))) },
    Input { name: "lists of tables", make: |size| toml("[[t]]\na = 1\n".repeat(size / 12)) },
    Input { name: "dotted keys", make: |size| toml(fill(size, |at| format!("a.b{at}.c = 1\n"))) },
    Input { name: "faults of TOML", make: |size| toml(fill(size, |at| format!("k{at} = yes\n"))) },
    Input {
        name: "open strings of TOML",
        make: |size| toml(fill(size, |at| format!("k{at} = \"\"\"\n---\n"))),
    },
    Input {
        name: "no frontmatter",
        make: |size| vec![file("SKILL.md", fill(size, |at| format!("k{at}: a\n")))],
    },
    Input {
        name: "markers",
        make: |size| vec![file("SKILL.md", "---\nname: it\n".to_owned() + &"--- a\n".repeat(size / 6))],
    },
    // The `skill.json`.
    Input {
        name: "members",
        make: |size| json(format!("{{{}\"name\": \"it\"}}", fill(size, |at| format!("\"m{at}\": 1, ")))),
    },
    Input {
        name: "near members",
        make: |size| {
            json(format!("{{{}\"name\": \"it\"}}", fill(size, |at| format!("\"descriptio{at}\": 1, "))))
        },
    },
    Input {
        name: "the same member",
        make: |size| json(format!("{{{}\"name\": \"it\"}}", "\"tags\": [], ".repeat(size / 12))),
    },
    Input { name: "deep brackets of JSON", make: |size| json("[".repeat(size)) },
    Input {
        name: "faults of JSON",
        make: |size| json(format!("{{{}}}", fill(size, |at| format!("'m{at}': True; ")))),
    },
    Input { name: "commas that are missing", make: |size| json(format!("[{}]", "1 ".repeat(size / 2))) },
    Input { name: "open strings of JSON", make: |size| json(format!("[{}]", "\"a\n".repeat(size / 3))) },
    Input {
        name: "a long number",
        make: |size| typed(&format!("\"input\": {{\"maximum\": {}}}", "9".repeat(size))),
    },
    Input {
        name: "a long string",
        make: |size| typed(&format!("\"input\": {{\"title\": \"{}\"}}", "\\u0041".repeat(size / 6))),
    },
    Input { name: "comments of JSON", make: |size| json(format!("{{{}}}", "// a\n".repeat(size / 5))) },
    Input {
        name: "the same calls",
        make: |size| typed(&format!("\"input\": {{}}, \"calls\": [{}\"a\"]", "\"a\", ".repeat(size / 5))),
    },
    Input {
        name: "calls",
        make: |size| {
            typed(&format!(
                "\"input\": {{}}, \"calls\": [{}\"a\"]",
                fill(size, |at| format!("\"skill-{at}\", "))
            ))
        },
    },
    // Schemas.
    Input {
        name: "a chain of references",
        make: |size| defs(size, |at| format!("{{\"$ref\": \"#/definitions/d{}\"}}", at + 1)),
    },
    Input {
        name: "a chain back of references",
        make: |size| defs(size, |at| format!("{{\"$ref\": \"#/definitions/d{}\"}}", at.saturating_sub(1))),
    },
    Input {
        name: "references to one",
        make: |size| defs(size, |_| "{\"$ref\": \"#/definitions/d0\"}".to_owned()),
    },
    Input {
        name: "a chain of properties",
        make: |size| {
            defs(size, |at| {
                format!("{{\"properties\": {{\"a\": {{\"$ref\": \"#/definitions/d{}\"}}}}}}", at + 1)
            })
        },
    },
    Input {
        name: "a chain of alternatives",
        make: |size| {
            defs(size, |at| {
                format!(
                    "{{\"anyOf\": [{{\"type\": \"null\"}}, {{\"$ref\": \"#/definitions/d{}\"}}]}}",
                    at + 1
                )
            })
        },
    },
    Input {
        name: "a chain of allOf",
        make: |size| {
            defs(size, |at| {
                format!(
                    "{{\"allOf\": [{{\"type\": \"object\"}}, {{\"$ref\": \"#/definitions/d{}\"}}]}}",
                    at + 1
                )
            })
        },
    },
    Input {
        name: "a chain with defaults",
        make: |size| defs(size, |at| format!("{{\"$ref\": \"#/definitions/d{}\", \"default\": 1}}", at + 1)),
    },
    Input {
        name: "references to nothing",
        make: |size| defs(size, |at| format!("{{\"$ref\": \"#/definitions/x{at}\"}}")),
    },
    Input {
        name: "references to elsewhere",
        make: |size| defs(size, |at| format!("{{\"$ref\": \"https://x.y/d{at}\"}}")),
    },
    Input {
        name: "references to files",
        make: |size| defs(size, |at| format!("{{\"$ref\": \"d{at}.json\"}}")),
    },
    Input {
        name: "long pointers",
        make: |size| defs(size, |_| "{\"$ref\": \"#/definitions/d0/a/b/c/d/e/f\"}".to_owned()),
    },
    Input {
        name: "a circle of references",
        make: |size| {
            let count = (size / 45).max(1);
            defs(size, |at| format!("{{\"$ref\": \"#/definitions/d{}\"}}", (at + 1) % count))
        },
    },
    Input {
        name: "anchors of schemas",
        make: |size| {
            defs_of(NEW, size, |at| format!("{{\"$anchor\": \"a{at}\", \"$ref\": \"#a{}\"}}", at + 1))
        },
    },
    Input {
        name: "dynamic anchors",
        make: |size| {
            defs_of(NEW, size, |at| {
                format!("{{\"$dynamicAnchor\": \"a{at}\", \"not\": {{\"$dynamicRef\": \"#a{}\"}}}}", at + 1)
            })
        },
    },
    Input { name: "the same anchor", make: |size| defs_of(NEW, size, |_| "{\"$anchor\": \"a\"}".to_owned()) },
    Input {
        name: "ids",
        make: |size| {
            defs_of(NEW, size, |at| format!("{{\"$id\": \"https://x.y/{at}\", \"$ref\": \"{}\"}}", at + 1))
        },
    },
    Input {
        name: "dynamic anchors in ids",
        make: |size| {
            defs_of(NEW, size, |at| {
                format!(
                    "{{\"$id\": \"https://x.y/{at}\", \"$dynamicAnchor\": \"a\", \"$ref\": \"{}\", \"not\": {{\"$dynamicRef\": \"#a\"}}}}",
                    at + 1
                )
            })
        },
    },
    Input {
        name: "definitions of each its schema",
        make: |size| {
            defs_of(NEW, size, |at| {
                format!("{{\"$id\": \"https://x.y/{at}\", \"$schema\": \"https://x.y/{at}\"}}")
            })
        },
    },
    Input { name: "properties", make: |size| properties(size, |_| "{\"type\": \"string\"}".to_owned()) },
    Input { name: "properties with faults", make: |size| properties(size, |_| "{\"typ\": 1}".to_owned()) },
    Input {
        name: "properties with defaults",
        make: |size| properties(size, |_| "{\"type\": \"string\", \"default\": 1}".to_owned()),
    },
    Input {
        name: "properties with patterns",
        make: |size| {
            properties(size, |at| format!("{{\"type\": \"string\", \"pattern\": \"^a{at}(b|c)*$\"}}"))
        },
    },
    Input {
        name: "properties with faulty patterns",
        make: |size| properties(size, |at| format!("{{\"type\": \"string\", \"pattern\": \"^a{at}(\"}}")),
    },
    Input {
        name: "a long pattern",
        make: |size| {
            properties(1, |_| "{\"type\": \"string\", \"pattern\": \"X\"}".to_owned())
                .into_iter()
                .map(|(path, text)| (path, text.replace('X', &"(a|b)".repeat(size / 5))))
                .collect()
        },
    },
    Input {
        name: "patterns of properties",
        make: |size| {
            typed(&format!(
                "\"input\": {{\"type\": \"object\", \"patternProperties\": {{{}}}}}",
                list(size, |at| format!("\"^a{at}\": {{}}"))
            ))
        },
    },
    Input {
        name: "required names",
        make: |size| {
            typed(&format!(
                "\"input\": {{\"type\": \"object\", \"required\": [{}]}}",
                list(size, |at| format!("\"e{at}\""))
            ))
        },
    },
    Input {
        name: "the same required name",
        make: |size| {
            typed(&format!(
                "\"input\": {{\"type\": \"object\", \"required\": [{}]}}",
                list(size, |_| "\"e\"".to_owned())
            ))
        },
    },
    Input {
        name: "an enumeration",
        make: |size| {
            typed(&format!(
                "\"input\": {{\"properties\": {{\"a\": {{\"enum\": [{}]}}}}}}",
                list(size, |at| format!("\"e{at}\""))
            ))
        },
    },
    Input {
        name: "an enumeration of lists",
        make: |size| {
            typed(&format!(
                "\"input\": {{\"properties\": {{\"a\": {{\"enum\": [{}]}}}}}}",
                list(size, |at| format!("[{at}, {{\"a\": 1}}]"))
            ))
        },
    },
    Input {
        name: "an enumeration of numbers",
        make: |size| {
            typed(&format!(
                "\"input\": {{\"properties\": {{\"a\": {{\"enum\": [{}]}}}}}}",
                list(size, |at| format!("{at}.0"))
            ))
        },
    },
    Input {
        name: "allOf",
        make: |size| {
            typed(&format!(
                "\"input\": {{\"allOf\": [{}]}}",
                list(size, |at| format!("{{\"required\": [\"a{at}\"]}}"))
            ))
        },
    },
    Input {
        name: "oneOf",
        make: |size| {
            typed(&format!(
                "\"input\": {{\"oneOf\": [{}]}}",
                list(size, |at| format!("{{\"properties\": {{\"a\": {{\"const\": {at}}}}}}}"))
            ))
        },
    },
    Input {
        name: "anyOf",
        make: |size| {
            typed(&format!(
                "\"input\": {{\"anyOf\": [{}]}}",
                list(size, |at| format!("{{\"type\": \"object\", \"properties\": {{\"p{at}\": {{}}}}}}"))
            ))
        },
    },
    Input {
        name: "dependencies",
        make: |size| {
            typed(&format!(
                "\"input\": {{\"dependencies\": {{{}}}}}",
                list(size, |at| format!("\"a{at}\": [\"b{at}\"]"))
            ))
        },
    },
    Input {
        name: "nested allOf",
        make: |size| {
            typed(&format!(
                "\"input\": {}{{}}{}",
                "{\"allOf\": [".repeat(size.min(1000) / 25),
                "]}".repeat(size.min(1000) / 25)
            ))
        },
    },
    Input {
        name: "unused definitions",
        make: |size| {
            typed(&format!(
                "\"input\": {{\"definitions\": {{{}}}}}",
                list(size, |at| format!("\"d{at}\": {{\"type\": \"string\"}}"))
            ))
        },
    },
    Input {
        name: "a schema file",
        make: |size| {
            vec![
        file("SKILL.md", "---\nname: it\ndescription: It grows. Use to grow.\nexec: run.sh\nschema: s.json\n---\nGrow.\n".to_owned()),
        file("run.sh", "#!/bin/sh\n".to_owned()),
        file("s.json", format!("{{\"type\": \"object\", \"properties\": {{{}}}}}", list(size, |at| format!("\"p{at}\": {{\"typ\": \"string\"}}")))),
    ]
        },
    },
    // Pipelines and templates.
    Input {
        name: "a chain of steps",
        make: |size| {
            steps(size, |at| format!("\"input\": {{\"a\": \"{{{{steps.s{}.x}}}}\"}}", at.saturating_sub(1)))
        },
    },
    Input {
        name: "steps that wait for the one before",
        make: |size| {
            steps(size, |at| format!("\"input\": {{}}, \"depends\": [\"s{}\"]", at.saturating_sub(1)))
        },
    },
    Input {
        name: "steps that wait for the first",
        make: |size| steps(size, |_| "\"input\": {}, \"depends\": [\"s0\"]".to_owned()),
    },
    Input {
        name: "steps that wait for the next",
        make: |size| steps(size, |at| format!("\"input\": {{}}, \"depends\": [\"s{}\"]", at + 1)),
    },
    Input {
        name: "steps that read all steps",
        make: |size| steps(size, |_| "\"input\": {\"a\": \"{{steps}}\"}".to_owned()),
    },
    Input {
        name: "a step that waits for all",
        make: |size| {
            pipeline(format!(
                "{}, {{\"step\": \"all\", \"skill\": \"p\", \"input\": {{}}, \"depends\": [{}]}}",
                list(size / 2, step),
                list(size / 2, |at| format!("\"s{at}\""))
            ))
        },
    },
    Input {
        name: "a step that waits for one often",
        make: |size| {
            pipeline(format!(
                "{}, {{\"step\": \"all\", \"skill\": \"p\", \"input\": {{}}, \"depends\": [{}]}}",
                step(0),
                list(size, |_| "\"s0\"".to_owned())
            ))
        },
    },
    Input { name: "steps of one name", make: |size| pipeline(list(size, |_| step(0))) },
    Input {
        name: "steps of unknown names",
        make: |size| steps(size, |at| format!("\"input\": {{\"a\": \"{{{{steps.x{at}.y}}}}\"}}")),
    },
    Input {
        name: "steps with conditions",
        make: |size| {
            steps(size, |at| {
                format!("\"input\": {{}}, \"condition\": \"steps.s{}.x == 1\"", at.saturating_sub(1))
            })
        },
    },
    Input {
        name: "steps over lists",
        make: |size| {
            steps(size, |at| {
                format!(
                    "\"input\": {{\"a\": \"{{{{item}}}}\"}}, \"foreach\": \"{{{{steps.s{}.x}}}}\"",
                    at.saturating_sub(1)
                )
            })
        },
    },
    Input { name: "arguments that are refused", make: refused },
    Input {
        name: "a long condition",
        make: |size| {
            pipeline(format!(
                "{{\"step\": \"s0\", \"skill\": \"p\", \"input\": {{}}, \"condition\": \"{}\"}}",
                list(size, |at| format!("input.a{at} == 1")).replace(',', " && ")
            ))
        },
    },
    Input {
        name: "a template of many expressions",
        make: |size| written(fill(size, |_| "{{input.a}}".to_owned())),
    },
    Input {
        name: "a template of escapes and expressions",
        make: |size| written(fill(size, |_| "\\n\\u00e9{{input.a}}".to_owned())),
    },
    Input {
        name: "a template of expressions that are refused",
        make: |size| written(fill(size, |at| format!("{{{{inputs.a{at}}}}} "))),
    },
    Input {
        name: "a chain of fallbacks",
        make: |size| written(format!("{{{{input.a{}}}}}", " || input.a".repeat(size / 11))),
    },
    Input {
        name: "a chain of fallbacks that differ",
        make: |size| {
            let mut files =
                written(format!("{{{{input.a{}}}}}", fill(size / 2, |at| format!(" || input.a{at}"))));
            let properties = list(size / 2, |at| format!("\"a{at}\": {{\"type\": \"object\"}}"));
            let input = format!("\"input\": {{\"type\": \"object\", \"properties\": {{{properties}}}}}");
            for (_, text) in files.iter_mut().filter(|(path, _)| path == "it/skill.json") {
                *text = text.replacen("\"input\": {\"type\": \"object\"}", &input, 1);
            }
            files
        },
    },
    Input {
        name: "a chain of texts",
        make: |size| written(format!("{{{{input.a{}}}}}", fill(size, |at| format!(" || 'a{at}'")))),
    },
    Input { name: "a long path", make: |size| written(format!("{{{{input{}}}}}", ".a".repeat(size / 2))) },
    Input {
        name: "a long path of a prompt",
        make: |size| prompt(format!("{{{{input{}}}}}", ".a".repeat(size / 2))),
    },
    Input {
        name: "a path of brackets",
        make: |size| written(format!("{{{{input{}}}}}", "['a']".repeat(size / 5))),
    },
    Input {
        name: "expressions that read a long enumeration",
        make: |size| enumerated(size, "{{input.a}}", "\"type\": \"string\""),
    },
    Input {
        name: "expressions that read a value of many kinds",
        make: |size| enumerated(size, "{{input.a | upcase}}", "\"title\": \"a\""),
    },
    Input {
        name: "fields of an input",
        make: |size| {
            pipeline(format!(
                "{{\"step\": \"s0\", \"skill\": \"p\", \"input\": {{{}}}}}",
                list(size, |at| format!("\"a{at}\": \"{{{{input.a{at}}}}}\""))
            ))
        },
    },
    Input { name: "expressions", make: |size| prompt(fill(size, |at| format!("{{{{input.a{at}}}}} "))) },
    Input {
        name: "expressions of one field",
        make: |size| prompt(fill(size, |_| "{{input.a}} ".to_owned())),
    },
    Input { name: "expressions that are declared", make: declared },
    Input {
        name: "expressions that are near",
        make: |size| prompt(fill(size, |at| format!("{{{{input.aa{at}}}}} "))),
    },
    Input {
        name: "filters",
        make: |size| prompt(format!("{{{{input.a{}}}}}", " | upcase".repeat(size / 9))),
    },
    Input {
        name: "unknown filters",
        make: |size| prompt(fill(size, |at| format!("{{{{input.a | uper{at}}}}} "))),
    },
    Input {
        name: "nested templates",
        make: |size| prompt(nested(size.min(2000), "{% if input.a %}", "{% endif %}")),
    },
    Input {
        name: "templates beside each other",
        make: |size| prompt(fill(size, |_| "{% if input.a %}b{% endif %}".to_owned())),
    },
    Input { name: "open templates", make: |size| prompt("{{".repeat(size / 2)) },
    Input { name: "open blocks", make: |size| prompt("{% if a %}".repeat(size / 10)) },
    Input { name: "long paths", make: |size| prompt(format!("{{{{input{}}}}}", ".a".repeat(size / 2))) },
    // Many files.
    Input {
        name: "skills",
        make: |size| skills(size, |at| format!("name: a{at}\ndescription: Digs {at}. Use to dig.\n")),
    },
    Input {
        name: "skills of one name",
        make: |size| skills(size, |_| "name: a\ndescription: Digs. Use to dig.\n".to_owned()),
    },
    Input {
        name: "skills that all call each other",
        make: |size| {
            // As many calls as fit into the size.
            let count = (size / 7).isqrt().max(2);
            let calls = (0..count).map(|at| format!("\"a{at}\"")).collect::<Vec<_>>().join(",");
            let skill = |at: usize| {
                let text = TYPED.replace("\"it\"", &format!("\"a{at}\""));
                let text = format!(
                    "{{{text}, \"mode\": \"code\", \"calls\": [{calls}], \"input\": {{\"type\": \"object\"}}}}"
                );
                (format!("a{at}/skill.json"), text)
            };
            (0..count).map(skill).collect()
        },
    },
    Input {
        name: "skills that need others",
        make: |size| {
            skills(size, |at| format!("name: a{at}\ndescription: Digs. Use to dig.\nrequires: [b{at}]\n"))
        },
    },
    Input {
        name: "skills with links",
        make: |size| {
            skills(size, |at| {
                format!(
                    "name: a{at}\ndescription: Digs. Use to dig.\n---\nSee [a](b.md), references/c{at}.md.\n"
                )
            })
        },
    },
    Input {
        name: "files and links",
        make: |size| {
            let count = size / 30;
            let links = (0..count).map(|at| format!("[a](references/n{at}.md) ")).collect();
            let mut files = body(links);
            files.extend((0..count.min(4000)).map(|at| file(&format!("references/m{at}.md"), String::new())));
            files
        },
    },
];

const HEAD: &str = "name: it\ndescription: It grows. Use to grow.\n";
const NEW: &str = "https://json-schema.org/draft/2020-12/schema";
const OLD: &str = "http://json-schema.org/draft-07/schema#";

fn fill(size: usize, part: impl Fn(usize) -> String) -> String {
    let mut text = String::new();
    for at in 0.. {
        if text.len() >= size {
            break;
        }
        text.push_str(&part(at));
    }
    text
}

fn list(size: usize, item: impl Fn(usize) -> String) -> String {
    let items = fill(size, |at| format!(",{}", item(at)));
    items.strip_prefix(',').unwrap_or_default().to_owned()
}

fn nested(size: usize, open: &str, close: &str) -> String {
    let deep = size / (open.len() + close.len());
    format!("{}a{}", open.repeat(deep), close.repeat(deep))
}

fn file(name: &str, text: String) -> (String, String) {
    (format!("it/{name}"), text)
}

fn body(text: String) -> Vec<(String, String)> {
    vec![file("SKILL.md", format!("---\n{HEAD}---\n{text}\n"))]
}

fn front(lines: String) -> Vec<(String, String)> {
    vec![file("SKILL.md", format!("---\n{HEAD}{lines}---\nGrow.\n"))]
}

fn toml(lines: String) -> Vec<(String, String)> {
    vec![file(
        "SKILL.md",
        format!("---toml\nname = \"it\"\ndescription = \"It grows. Use to grow.\"\n{lines}---\nGrow.\n"),
    )]
}

fn json(text: String) -> Vec<(String, String)> {
    vec![file("skill.json", text)]
}

const TYPED: &str = "\"name\": \"it\", \"description\": \"It grows. Use to grow.\", \"category\": \"c\", \"output\": {\"type\": \"object\"}";

fn typed(members: &str) -> Vec<(String, String)> {
    json(format!("{{{TYPED}, \"mode\": \"code\", {members}}}"))
}

fn defs(size: usize, def: impl Fn(usize) -> String) -> Vec<(String, String)> {
    defs_of(OLD, size, def)
}

/// Definitions. The last one may lead to a definition that does not exist, which adds one more.
fn defs_of(draft: &str, size: usize, def: impl Fn(usize) -> String) -> Vec<(String, String)> {
    let defs = list(size, |at| format!("\"d{at}\": {}", def(at)));
    typed(&format!(
        "\"input\": {{\"$schema\": \"{draft}\", \"type\": \"object\", \"properties\": {{\"a\": {{\"$ref\": \"#/definitions/d0\"}}}}, \
         \"definitions\": {{{defs}}}}}"
    ))
}

fn properties(size: usize, property: impl Fn(usize) -> String) -> Vec<(String, String)> {
    let properties = list(size, |at| format!("\"p{at}\": {}", property(at)));
    typed(&format!("\"input\": {{\"type\": \"object\", \"properties\": {{{properties}}}}}"))
}

fn step(at: usize) -> String {
    format!("{{\"step\": \"s{at}\", \"skill\": \"p\", \"input\": {{}}}}")
}

fn steps(size: usize, members: impl Fn(usize) -> String) -> Vec<(String, String)> {
    let steps =
        list(size, |at| format!("{{\"step\": \"s{}\", \"skill\": \"p\", {}}}", at + 1, members(at + 1)));
    pipeline(format!("{}, {steps}", step(0)))
}

fn pipeline(steps: String) -> Vec<(String, String)> {
    let text = format!(
        "{{{TYPED}, \"mode\": \"composite\", \"calls\": [\"p\"], \"input\": {{\"type\": \"object\"}}, \"pipeline\": [{steps}]}}"
    );
    let called = TYPED.replace("\"it\"", "\"p\"");
    let called = format!("{{{called}, \"mode\": \"code\", \"input\": {{\"type\": \"object\"}}}}");
    let mut files = json(text);
    files.push(("p/skill.json".to_owned(), called));
    files
}

fn prompt(text: String) -> Vec<(String, String)> {
    let mut files = json(format!(
        "{{{TYPED}, \"mode\": \"llm\", \"input\": {{\"type\": \"object\", \"properties\": {{\"a\": {{\"type\": \"string\"}}}}}}}}"
    ));
    files.push(file("prompt.md", text));
    files
}

/// A step whose input has one template.
fn written(template: String) -> Vec<(String, String)> {
    pipeline(format!("{{\"step\": \"s0\", \"skill\": \"p\", \"input\": {{\"a\": \"{template}\"}}}}"))
}

/// A step whose input reads a property with a long `enum` again and again.
fn enumerated(size: usize, read: &str, rule: &str) -> Vec<(String, String)> {
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

fn refused(size: usize) -> Vec<(String, String)> {
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

fn declared(size: usize) -> Vec<(String, String)> {
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

fn skills(size: usize, fields: impl Fn(usize) -> String) -> Vec<(String, String)> {
    let count = (size / 80).clamp(1, 5_000);
    (0..count).map(|at| (format!("a{at}/SKILL.md"), format!("---\n{}---\nDig.\n", fields(at)))).collect()
}
