//! Fields of a frontmatter, in YAML and in TOML.

use super::{Files, HEAD, Input, file, fill, fill_by, input, nested};

/// The kinds.
pub(super) const KINDS: &[Input] = &[
    input("unknown keys", |size| front(fill(size, "key{at}: 1\n"))),
    input("near keys", |size| front(fill(size, "descripton{at}: 1\n"))),
    input("the same key", |size| front("tags: a\n".repeat(size / 8))),
    input("the same misspelled key", |size| front("descripton: a\n".repeat(size / 14))),
    input("colons in values", |size| front(fill(size, "k{at}: a: b: c\n"))),
    input("colons in one value", |size| front(format!("license: {}\n", "a: ".repeat(size / 3)))),
    input("colons in a value of lines", |size| {
        front(format!("license:\n{}", "  a: b: c\n".repeat(size / 10)))
    }),
    input("colons below metadata", |size| front(format!("metadata:\n{}", fill(size, "  k{at}: a: b\n")))),
    input("lines that are not fields", |size| front(fill(size, "no field {at}\n"))),
    input("shifted fields", |size| front(fill(size, " k{at}: a\n"))),
    input("indentation that grows", |size| {
        front(fill_by(size.min(4000), |at| format!("{}k{at}:\n", " ".repeat(at % 60))))
    }),
    input("tabs that indent", |size| front(format!("metadata:\n{}", fill(size, "\tk{at}: a\n")))),
    input("open quotes", |size| front(fill(size, "k{at}: \"a\n"))),
    input("open brackets in fields", |size| front(fill(size, "k{at}: [a\n"))),
    input("quoted lines without blanks", |size| front(format!("license: \"{}\"\n", "a\n".repeat(size / 2)))),
    input("deep brackets of YAML", |size| front(format!("tags: {}\n", "[".repeat(size)))),
    input("a long list of YAML", |size| front(format!("tags: [{}]\n", fill(size, "a{at}, ")))),
    input("the same tag", |size| front(format!("tags: [{}]\n", "a, ".repeat(size / 3)))),
    input("a list of lines", |size| front(format!("tags:\n{}", fill(size, "- a{at}\n")))),
    input("lists in a list", |size| front(format!("tags: [{}]\n", fill(size, "[a{at}], ")))),
    input("anchors", |size| front(format!("metadata:\n{}", fill(size, "  k{at}: &a{at} x\n")))),
    input("aliases", |size| front(format!("metadata:\n  k: &a x\n{}", fill(size, "  k{at}: *a\n")))),
    input("aliases to nothing", |size| front(format!("metadata:\n{}", fill(size, "  k{at}: *b{at}\n")))),
    input("anchors around anchors", |size| {
        front(format!("metadata: {}\n", nested(size.min(600), "&a [", "]")))
    }),
    input("merges", |size| {
        front(format!("metadata:\n  k: &a {{x: y}}\n{}", fill(size, "  k{at}: {<<: *a, x{at}: z}\n")))
    }),
    input("tags of YAML", |size| front(format!("metadata:\n{}", fill(size, "  k{at}: !odd x\n")))),
    input("invalid escapes", |size| front(fill(size, "k{at}: \"\\q\"\n"))),
    input("a block scalar", |size| front(format!("license: |\n{}", "  a: b\n".repeat(size / 7)))),
    input("a folded scalar", |size| front(format!("license: >\n{}", "  a b\n".repeat(size / 6)))),
    input("comments of YAML", |size| front("# a: b\n".repeat(size / 7))),
    input("documents", |size| front("...\n".repeat(size / 4))),
    input("directives", |size| front("%YAML 1.2\n".repeat(size / 10))),
    input("controls in the frontmatter", |size| front(fill(size, "k{at}: a\u{1}b\n"))),
    input("a long description", |size| {
        front(format!("when_to_use: {}\n", "use it to dig ".repeat(size / 14)))
    }),
    input("servers", |size| front(fill(size, "mcp-a{at}: run it\n"))),
    input("tools", |size| front(format!("allowed-tools: {}\n", fill(size, "Tool{at} ")))),
    input("requirements", |size| front(format!("requires: [{}]\n", fill(size, "skill{at}, ")))),
    input("triggers", |size| front(format!("triggers: [{}]\n", fill(size, "word{at}, ")))),
    input("permissions", |size| {
        front(format!("permissions:\n  network: [{}]\n", fill(size, "h{at}.example, ")))
    }),
    input("keys of TOML", |size| toml(fill(size, "k{at} = 1\n"))),
    input("the same key of TOML", |size| toml("k = 1\n".repeat(size / 6))),
    input("tables of TOML", |size| toml(fill(size, "[t{at}]\n"))),
    input("lists of tables", |size| toml("[[t]]\na = 1\n".repeat(size / 12))),
    input("dotted keys", |size| toml(fill(size, "a.b{at}.c = 1\n"))),
    input("faults of TOML", |size| toml(fill(size, "k{at} = yes\n"))),
    input("open strings of TOML", |size| toml(fill(size, "k{at} = \"\"\"\n---\n"))),
    input("no frontmatter", |size| vec![file("SKILL.md", fill(size, "k{at}: a\n"))]),
    input("markers", |size| {
        vec![file("SKILL.md", "---\nname: it\n".to_owned() + &"--- a\n".repeat(size / 6))]
    }),
];

fn front(lines: String) -> Files {
    vec![file("SKILL.md", format!("---\n{HEAD}{lines}---\nGrow.\n"))]
}

fn toml(lines: String) -> Files {
    vec![file(
        "SKILL.md",
        format!("---toml\nname = \"it\"\ndescription = \"It grows. Use to grow.\"\n{lines}---\nGrow.\n"),
    )]
}
