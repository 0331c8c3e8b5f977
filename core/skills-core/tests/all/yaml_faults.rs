//! Faults of YAML frontmatter: their places and their helps.

use crate::parsed::Skill;

fn yaml(block: &str) -> Skill {
    Skill::new(&format!("---\n{block}---\nbody\n"))
}

fn json(block: &str) -> String {
    let skill = yaml(block);
    assert_eq!(skill.titles(), [""; 0], "{block}");
    assert!(skill.sound(), "{block}");
    skill.json().expect("it has a frontmatter")
}

// SPEC 2.4: all faults are reported at once, each with the corrected line, and every field is still read.
#[test]
fn unquoted_colons() {
    let skill = yaml("description: Use when: reviewing\n");
    let found = &skill.report.diagnostics[0];
    assert_eq!((skill.place(found.span), found.rule.code), ("2:22-23".into(), "yaml-unquoted-colon"));
    assert_eq!(found.title, "mapping values are not allowed here");
    assert_eq!(found.label, "a plain value cannot contain `: `");
    assert_eq!(found.help, r#"quote it: description: "Use when: reviewing""#);

    let skill = yaml(concat!(
        "name: pdf # fine: here\n",
        "a: say \"hi\": now \\ \\n: # note: no\n",
        "b: 'quoted: fine'\n",
        "m:\n  c: é😀: x: y\n  d: last:\n  list:\n    - e: f: g\n    - plain\n",
        "h: http://x: y\r\n",
        "i: one\n  two\n  three: four\n  five: six\n",
        "j: |\n  x: y: z\n",
        "k:\n  l n: o: p\n",
        "q:\ttab: x\n",
    ));
    assert_eq!(
        skill.helps(),
        [
            r#"3:12-13 quote it: a: "say \"hi\": now \\ \\n:" # note: no"#,
            r#"6:8-9 quote it: c: "é😀: x: y""#,
            r#"7:10-11 quote it: d: "last:""#,
            r#"9:11-12 quote it: - e: "f: g""#,
            r#"11:12-13 quote it: h: "http://x: y""#,
            r#"14:8-9 quote it: i: "one two three: four five: six""#,
            r#"19:9-10 quote it: l n: "o: p""#,
            "20:7-8 quote it: q:\t\"tab: x\"",
        ]
    );
    assert_eq!(skill.report.diagnostics[2].label, "a plain value cannot end with `:`");
    assert!(skill.report.diagnostics.iter().all(|d| d.rule.code == "yaml-unquoted-colon"));
    assert!(skill.sound());
    assert_eq!(
        skill.json().unwrap(),
        concat!(
            r#"{"name":"pdf","a":"say \"hi\": now \\ \\n:","b":"quoted: fine","#,
            r#""m":{"c":"é😀: x: y","d":"last:","list":[{"e":"f: g"},"plain"]},"#,
            r#""h":"http://x: y","i":"one two three: four five: six","j":"x: y: z\n","#,
            r#""k":{"l n":"o: p"},"q":"tab: x"}"#
        )
    );
}

// SPEC 2.4: the help is the correct line: it gives the same value without a problem.
#[test]
fn the_suggested_line_parses() {
    for value in [
        "a: b",
        "a:",
        "say \"x\": y",
        "back\\slash: \\n",
        "é: 😀",
        "it's: fine",
        "a: b # c",
        "x: y: z:",
        "t\tt: u",
        "http://a: b",
    ] {
        let broken = yaml(&format!("name: {value}\nx: y\n"));
        let help = &broken.report.diagnostics[0].help;
        let fixed = help.strip_prefix("quote it: ").expect("the help starts so");
        assert_eq!(json(&format!("{fixed}\nx: y\n")), broken.json().unwrap(), "{value}");
    }
}

// SPEC 2.3: syntax faults have a place and a correction, one for each field, and the other fields are read.
#[test]
fn syntax_faults() {
    let cases = [
        ("@x", r#"2:4-5 quote it: a: "@x""#),
        ("`x` y", r#"2:4-5 quote it: a: "`x` y""#),
        ("%x", r#"2:4-5 quote it: a: "%x""#),
        ("**b** x", r#"2:4-5 quote it: a: "**b** x""#),
        ("& x", r#"2:4-5 quote it: a: "& x""#),
        (", x # c", r#"2:4-5 quote it: a: ", x" # c"#),
        ("] x", r#"2:4-5 quote it: a: "] x""#),
        ("} x", r#"2:4-5 quote it: a: "} x""#),
        ("- x", r#"2:4-5 quote it: a: "- x""#),
        ("? x", r#"2:4-5 quote it: a: "? x""#),
        ("> x", r#"2:4-7 quote it: a: "> x""#),
        ("| x", r#"2:4-7 quote it: a: "| x""#),
        ("[WIP] é", r#"2:10-11 quote the whole value: a: "[WIP] é""#),
        ("{a} b", r#"2:8-9 quote the whole value: a: "{a} b""#),
        ("\"W\" x", r#"2:8-9 quote the whole value: a: "\"W\" x""#),
        ("'it's' # c", r#"2:8-10 quote the whole value: a: "it's" # c"#),
        ("'a' 'b'", r#"2:8-11 quote the whole value: a: "'a' 'b'""#),
        ("\"b\",", r#"2:7-8 delete the comma: a: "b""#),
        (
            "{\n  \"x\": 1\n  \"y\": 2 }",
            "4:6 add `,` between the items, or the closing bracket at the end of the value",
        ),
        ("\"b\": c", r#"2:7-10 quote the whole value: a: "\"b\": c""#),
        ("[x]: c", r#"2:7-10 quote the whole value: a: "[x]: c""#),
        ("\"", r#"2:4-5 close it: a: """#),
        ("'x", "2:4-5 close it: a: 'x'"),
        ("\"x # c", r#"2:4-5 close it: a: "x" # c"#),
        ("[x, y", "2:4-5 close it: a: [x, y]"),
        ("{x: y", "2:4-5 close it: a: {x: y}"),
        ("[{x: y]", "2:5-6 add `}` where it ends, before the `]`"),
        ("\"\\q\"", "2:5-7 write a literal backslash as `\\\\q`"),
        ("\"ok \\n \\u12\"", "2:11-13 write a literal backslash as `\\\\u`"),
        (
            "x # c\n  y",
            "2:6-7 move the comment to a line above the field; quote the value if the `#` belongs to it",
        ),
        ("\"x\n  y\" z", "3:6-7 delete it; add a backslash before the quote if the text continues"),
        ("\n  b: c\n d: e", "4:1-2 indent it like the line above: `  d: e`"),
    ];
    for (value, help) in cases {
        let skill = yaml(&format!("a: {value}\nb: x\n"));
        assert_eq!(skill.helps(), [help], "{value:?}");
        assert_eq!(skill.report.diagnostics[0].rule.code, "yaml-syntax", "{value:?}");
        assert_eq!((skill.json().unwrap().as_str(), skill.sound()), (r#"{"b":"x"}"#, false), "{value:?}");
    }
}

// SPEC 2.3
#[test]
fn a_key_inside_a_list() {
    assert_eq!(
        yaml("a: [b,\n  c\n  d: e]\n").helps(),
        ["4:4-5 add `,` after the value above, or the missing `]`"]
    );
}

// SPEC 2.3
#[test]
fn lines_that_are_not_fields() {
    let cases = [
        ("name:pdf\n", "2:5-6 write `name: pdf`"),
        ("name = pdf\n", "2:6-7 write `name: pdf`"),
        ("just text\n", "2:1-10 add a key, as in `key: just text`"),
        ("- x\n", "2:1-4 add a line with its key above it: `tags:`"),
    ];
    for (line, help) in cases {
        let skill = Skill::new(&format!("---yaml\n{line}b: x\nc: y: z\n---\n"));
        assert_eq!(skill.helps(), [help, r#"4:5-6 quote it: c: "y: z""#], "{line}");
        assert_eq!(skill.json().unwrap(), r#"{"b":"x","c":"y: z"}"#);
    }
    assert_eq!(
        yaml("a: b\nmore text\n").helps(),
        ["3:1-10 indent it to continue the value above: `  more text`"]
    );
    assert_eq!(yaml("name:x\nversion:1\n").helps(), ["2:5-6 write `name: x`", "3:8-9 write `version: 1`"]);
}

// SPEC 2.3: a known field that is indented by mistake is not part of the value above it.
#[test]
fn indentation() {
    let skill = yaml("name: pdf\n  description: x\nb: c\n");
    assert_eq!(skill.helps(), ["3:1-3 delete the spaces before it: `description: x`"]);
    assert_eq!((skill.json().unwrap().as_str(), skill.sound()), (r#"{"name":"pdf","b":"c"}"#, false));
    // SPEC 2.5: all known keys count, including those of other clients.
    for key in ["trigger", "when-to-use", "when_to_use", "mcp", "author", "title", "allowed_tools"] {
        let help = format!("3:1-3 delete the spaces before it: `{key}: x`");
        assert_eq!(yaml(&format!("name: pdf\n  {key}: x\nb: c\n")).helps(), [help]);
    }
    let skill = yaml("  name: pdf\nb: c\n");
    assert_eq!(skill.helps(), ["2:1-3 delete the spaces before it: `name: pdf`"]);
    assert_eq!((skill.json().unwrap().as_str(), skill.sound()), (r#"{"b":"c"}"#, false));
}

// SPEC 2.3: tabs as indentation are errors, on each line.
#[test]
fn tabs() {
    let skill = yaml("m:\n\ta:\n\t\tc: d\nx: y\n");
    assert_eq!(skill.codes(), ["3:1-2 yaml-tab", "4:1-3 yaml-tab"]);
    assert_eq!(skill.report.diagnostics[0].help, "use spaces instead: `  a:`");
    assert_eq!((skill.json().unwrap().as_str(), skill.sound()), (r#"{"m":{"a":{"c":"d"}},"x":"y"}"#, true));
    assert_eq!(yaml("\ta: b\n").codes(), ["2:1-2 yaml-tab"]);
    assert_eq!(yaml("m:\r\n \ta: b\r\n").codes(), ["3:2-3 yaml-tab"]);
    assert_eq!(
        json("a:\tb\t\nc: |\n  \td\ne: f\n \tg\n"),
        r#"{"a":"b","c":"\td\n","e":"f g"}"#,
        "tabs that do no harm"
    );
}

// SPEC 2.3: faults of the tree are reported all at once.
#[test]
fn tree_faults() {
    let skill = yaml("a: 1\nb: {x: 1, 'x': 2}\na: 2\n\"a\": 3\n1: x\n'1': y\n");
    assert_eq!(
        skill.codes(),
        [
            "3:11-14 yaml-duplicate-key",
            "4:1-2 yaml-duplicate-key",
            "5:1-4 yaml-duplicate-key",
            "7:1-4 yaml-duplicate-key"
        ]
    );
    assert_eq!(skill.place(skill.report.diagnostics[2].related[0].span), "2:1-2");
    assert_eq!(skill.json().unwrap(), r#"{"a":1,"b":{"x":1},"1":"x"}"#, "the first one stays");

    let tags = yaml(
        "a: !x y\nb: !!int z\nc: !!python/object:os.system [x]\nd: !!map [x]\ne: !<tag:a,b:c> x\nf: !!binary eA==\n",
    );
    assert_eq!(
        tags.codes(),
        [
            "2:4-6 yaml-tag",
            "3:4-9 yaml-tag",
            "4:4-29 yaml-tag",
            "5:4-9 yaml-tag",
            "6:4-16 yaml-tag",
            "7:4-12 yaml-tag"
        ]
    );
    let keys = yaml("[a]: b\n: c\n{d: e}: f\ng: h\n");
    assert_eq!(keys.codes(), ["2:1-4 yaml-key", "3:1-2 yaml-key", "4:1-7 yaml-key"]);
    assert_eq!((keys.json().unwrap().as_str(), keys.sound()), (r#"{"g":"h"}"#, false));
}

// SPEC 2.3: alias bombs.
#[test]
fn aliases() {
    let skill = yaml("a: *x\nb: &y [*y]\nc: &x 1\nd: *x\n");
    assert_eq!(skill.codes(), ["2:4-6 yaml-alias", "3:8-10 yaml-alias"]);
    let mut bomb = String::from("a0: &a0 [x, x, x, x, x, x, x, x, x]\n");
    for level in 1..30 {
        let items = vec![format!("*a{}", level - 1); 9].join(", ");
        bomb += &format!("a{level}: &a{level} [{items}]\n");
    }
    let skill = yaml(&bomb);
    // Only the first problems of this file are reported (SPEC 12.10).
    let is_expected = |code: &String| code.ends_with("yaml-alias") || code.ends_with("more-problems");
    assert!(skill.codes().iter().all(is_expected) && !skill.report.diagnostics.is_empty());
    assert!(skill.json().unwrap().len() < 1 << 18, "it does not explode");
    let long = format!("a: &a {}\nb: [{}]\n", "x".repeat(1 << 17), ["*a"; 20].join(", "));
    assert_eq!(yaml(&long).report.diagnostics.len(), 12, "1 MiB holds eight of them");
}

// SPEC 2.3: more than one document; directives; not a map.
#[test]
fn documents() {
    let skill = yaml("a: b\n...\nc: d\n");
    assert_eq!((skill.codes(), skill.sound()), (vec!["3:1-4 yaml-documents".into()], false));
    assert_eq!(yaml("a: b\n--- {c: d}\n").codes(), ["3:1-4 yaml-documents"]);
    assert_eq!(yaml("a: b\n--- x\nc: d: e\n").codes(), ["3:1-6 yaml-documents", "4:5-6 yaml-unquoted-colon"]);
    let skill = yaml("%YAML 1.2\n%TAG ! x\na: b\n");
    assert_eq!(skill.codes(), ["2:1-10 yaml-directive", "3:1-9 yaml-directive"]);
    assert_eq!((skill.json().unwrap().as_str(), skill.sound()), (r#"{"a":"b"}"#, true));
    assert_eq!(yaml("hello\n").codes(), ["2:1-6 frontmatter-not-map"]);
    assert_eq!(yaml("- a\n- b\n").codes(), ["2:1-3:4 frontmatter-not-map"]);
    assert_eq!(yaml("~\n").codes(), ["2:1-2 frontmatter-not-map"]);
    assert_eq!(yaml("[a, b]\n").titles(), ["2:1-7 the frontmatter is a list, not a map"]);
}

// SPEC 2.1: a lone CR ends no line; SPEC 12.1: no character ends the text early.
#[test]
fn control_characters() {
    let skill = yaml("a: x\ry: z\nb: x\0y\r\nc: \"\0\"\n");
    assert_eq!(
        skill.codes(),
        [
            "2:5-6 frontmatter-control",
            "2:7-8 yaml-unquoted-colon",
            "3:5-6 frontmatter-control",
            "4:5-6 frontmatter-control"
        ]
    );
    assert_eq!(skill.json().unwrap(), r#"{"a":"x y: z","b":"x y","c":" "}"#);
}

// SPEC 12.1: no depth exhausts the stack.
#[test]
fn depth() {
    for open in ["[", "{a: ", "- ", "? "] {
        let skill = yaml(&format!("a: {}\nb: c\n", open.repeat(5_000)));
        assert_eq!(skill.report.diagnostics.len(), 1, "{open}");
    }
    let mut deep = String::new();
    for level in 0..200 {
        deep += &format!("{}a:\n", " ".repeat(level));
    }
    assert_eq!(yaml(&deep).titles(), ["66:65 lists and maps are nested too deeply"]);
}

// SPEC 2.15, 2.4: lines that are not indented within quotes are reported as such, and the whole value is read
#[test]
fn quoted_values_over_lines_that_are_not_indented() {
    for quote in ['"', '\''] {
        let skill = yaml(&format!(
            "name: pdf\ndescription: {quote}Reads PDF files. Use it:  \n\n1. **now**: here\n- then # no comment.{quote}\nlicense: MIT\n"
        ));
        assert_eq!(skill.titles(), ["5:1-17 a line of a quoted value is not indented"]);
        let found = &skill.report.diagnostics[0];
        assert_eq!(found.rule.code, "yaml-syntax");
        assert!(skill.sound());
        let json = skill.json().unwrap();
        assert!(json.contains("1. **now**: here - then # no comment.\",\"license\":\"MIT\""), "{json}");
        assert_eq!(found.fix.as_ref().unwrap().changes.len(), 2);
    }
    // An unclosed quote removes no other field.
    for block in ["description: \"Reads\nname: pdf\nlicense: \"MIT\"\n", "description: 'it\nlicense: MIT\n"] {
        assert!(yaml(block).titles()[0].ends_with("is never closed"), "{block}");
    }
}

// SPEC 2.4
#[test]
fn a_key_behind_the_last_sentence_gets_its_own_line() {
    use skills_core::edit::{Applicability, Change};

    for (value, key) in [
        ("用于审查。license: MIT", "license: MIT"),
        ("Reads it. license: MIT", "license: MIT"),
        ("Reads \"it\"license: MIT", "license: MIT"),
        ("用于审查。origin: community", "origin: community"),
    ] {
        let skill = yaml(&format!("name: a\ndescription: {value}\n"));
        let found = &skill.report.diagnostics[0];
        assert_eq!(found.help, format!("begin a new line before `{key}`"), "{value}");
        let fix = found.fix.as_ref().expect("it has a fix");
        assert_eq!(fix.applicability, Applicability::Unsafe);
        let [Change::Replace { span, text }] = fix.changes.as_slice() else { panic!("{:?}", fix.changes) };
        assert_eq!((skill.parsed.sources.text(*span), text.as_str()), ("", "\n"));
    }
    for value in [
        "Use it when: x",
        "Reads it. license: MIT or Apache-2.0",
        "Reads it (license: MIT",
        "Reads it. See: x",
    ] {
        let skill = yaml(&format!("name: a\ndescription: {value}\n"));
        assert!(skill.report.diagnostics[0].help.starts_with("quote it"), "{value}");
    }
}

// SPEC 2.3
#[test]
fn a_list_that_begins_behind_its_key_moves_to_the_next_line() {
    let skill = yaml("name: a\nallowed-tools: - Read\n  - Write\n");
    let found = &skill.report.diagnostics[0];
    assert_eq!(found.help, "begin the list on the line below `allowed-tools:`");
    assert!(found.fix.is_some());
    assert_eq!(yaml("name: a\nallowed-tools:\n  - Read\n  - Write\n").titles(), [""; 0]);
}
