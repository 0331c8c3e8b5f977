//! TOML frontmatter: its values, their places, its faults.

use crate::parsed::Skill;

fn toml(block: &str) -> Skill {
    Skill::new(&format!("---toml\n{block}---\nbody\n"))
}

fn json(block: &str) -> String {
    let skill = toml(block);
    assert_eq!(skill.titles(), [""; 0], "{block}");
    assert!(skill.sound(), "{block}");
    skill.json().expect("it has a frontmatter")
}

// SPEC 2.2, 2.3: values keep their spelling, and keys their order.
#[test]
fn values() {
    assert_eq!(
        json("z = 1_000\ny = 0x1F\nx = 1.50\nw = true\nv = 1979-05-27 07:32:00Z\nu = -inf\nt = +7\n"),
        r#"{"z":"1_000","y":"0x1F","x":1.50,"w":true,"v":"1979-05-27 07:32:00Z","u":"-inf","t":"+7"}"#
    );
    assert_eq!(
        json("a = \"x\\u00e9\\n\"\nb = 'x\\n'\nc = '''\nx\ny'''\nd = \"\"\"\\\n  x \\\n  y\"\"\"\n"),
        r#"{"a":"xé\n","b":"x\\n","c":"x\ny","d":"x y"}"#
    );
    assert_eq!(
        json(
            "b.c = 1\na = [1, 'x', {y = 2}]\nb.d = 2\n[mcp.z]\ncommand = 'npx'\n[[p]]\nq = 1\n[[p]]\n[mcp.y]\n"
        ),
        r#"{"b":{"c":1,"d":2},"a":[1,"x",{"y":2}],"mcp":{"z":{"command":"npx"},"y":{}},"p":[{"q":1},{}]}"#
    );
    assert_eq!(json("\"a.b\" = 1\r\n'' = 2\r\n"), r#"{"a.b":1,"":2}"#);
}

// SPEC 2.3: values have exact positions.
#[test]
fn places() {
    let skill = Skill::new(
        "\u{feff}---toml\r\n# é\r\n\"ké\" = 'é😀' # c\r\nm = '''\r\na'''\r\n[t]\r\nx = {y = [1]}\r\n---\r\n",
    );
    assert_eq!(skill.titles(), [""; 0]);
    let tree = &skill.document().frontmatter.as_ref().unwrap().tree;
    let place = |path: &[&str]| {
        let entry =
            path[1..].iter().fold(tree.entry(path[0]).unwrap(), |entry, key| entry.value.entry(key).unwrap());
        format!("{} = {}", skill.place(entry.key_span), skill.place(entry.value.span))
    };
    assert_eq!(place(&["ké"]), "3:1-5 = 3:8-12");
    assert_eq!(place(&["m"]), "4:1-2 = 4:5-5:5");
    assert_eq!(place(&["t"]), "6:2-3 = 6:1-4");
    assert_eq!(place(&["t", "x", "y"]), "7:6-7 = 7:10-13");
}

// SPEC 2.2: one dialect is chosen, and all its faults are reported with the correction.
#[test]
fn faults() {
    let skill = toml(concat!(
        "name = pdf reader\n",
        "tags = [a, \"b\"]\n",
        "description: Use \"it\"\n",
        "version: 1.0\n",
        "just text\n",
        "x =\n",
        "y = \"é\n",
        "z = 1 2\n",
        "name = \"q\"\n",
        "k = True\n",
        "n = 01\n",
        "list = ['1' 2]\n",
        "e = \"\\q\"\n",
        "[z.w]\n",
    ));
    assert_eq!(
        skill.helps(),
        [
            r#"2:8-18 quote it: name = "pdf reader""#,
            r#"3:9-10 quote it: "a""#,
            r#"4:12-13 write `description = "Use \"it\""`"#,
            "5:8-9 write `version = 1.0`",
            r#"6:6 add a key before it, as in `key = "just text"`"#,
            "7:4 write a value after `=`: a quoted text, a number, `true` or `false`",
            r#"8:7 close it: y = "é""#,
            r#"9:5-8 quote it: z = "1 2""#,
            "10:1-5 delete one of the two `name`",
            "11:5-9 write `k = true`",
            "12:5-6 delete it: 0",
            "13:13 add `,` here",
            "14:7 write a backslash as `\\\\`, or use single quotes",
            "15:2-3 delete one of the two `z`",
        ]
    );
    assert!(!skill.sound());
    let codes = skill.codes();
    assert_eq!(
        (codes[8].as_str(), codes[13].as_str()),
        ("10:1-5 toml-duplicate-key", "15:2-3 toml-duplicate-key")
    );
    assert_eq!(skill.place(skill.report.diagnostics[8].related[0].span), "2:1-5");
    assert_eq!(toml("[a]\nb = 1\n[a]\n").codes(), ["4:2-3 toml-duplicate-key"]);
    assert_eq!(toml("a = [1,\n").helps(), ["2:8 add `]` here"]);
    assert_eq!(toml("a = 'x\ry'\n").codes(), ["2:7 toml-syntax"], "a lone CR");
}

// SPEC 12.1: deep nesting does not exhaust the stack.
#[test]
fn depth() {
    let dotted = format!("{}a = 1\n", "a.".repeat(50_000));
    let header = format!("[{}a]\n", "a.".repeat(50_000));
    let inline = format!("a = {}", "{a.b.c = ".repeat(5_000) + "\n");
    let lists = format!("a = {}\n", "[".repeat(50_000));
    let lines = format!("a = {}\n", ("[".repeat(60) + "\ntrue, ").repeat(2_000));
    for block in [dotted, header, inline, lists, lines] {
        assert_eq!(toml(&block).lines(|d| d.label.clone()), ["level 65"]);
    }
    let flat =
        "a.b = 1.5\nx = [[1.5, 2.5], [3.5]]\n[c.d]\ne.f = {g.h = 1}\n".to_owned() + &"# ....\n".repeat(99);
    assert!(toml(&flat).sound());
}

// SPEC 2.2: habits from other languages are reported once, with the TOML form.
#[test]
fn habits() {
    let fixes = [
        ("description => \"R\"", r#"2:13-15 write `description = "R"`"#),
        ("a := \"x\"", r#"2:3-5 write `a = "x"`"#),
        ("clients == []", "2:9-11 write `clients = []`"),
        ("a -> 1", "2:3-5 write `a = 1`"),
        ("description = “R”", r#"2:15-18 write `description = "R"`"#),
        ("description = “It’s #1” # c", r#"2:15-24 write `description = "It’s #1" # c`"#),
        ("tags = [“a, b”, \"c\"]", r#"2:9-15 write `tags = ["a, b", "c"]`"#),
        ("a = \"x”", r#"2:5-8 write `a = "x"`"#),
        ("name = \"pdf\",", "2:13-14 delete it: ,"),
        ("a = 1; # c", "2:6-7 delete it: ;"),
        ("a = 'x', b = 1", "2:8-10 replace `,` with a line break"),
        ("description = 'It's a PDF'", r#"2:15-27 write `description = "It's a PDF"`"#),
        ("a = \"Use \"x\" now\"", r#"2:5-18 write `a = "Use \"x\" now"`"#),
        ("a = ['It's', 'b']", r#"2:10 write the text in double quotes, and `\"` for each quote inside it"#),
        ("my key = \"x\"", r#"2:1-7 write `"my key" = "x"`"#),
        ("name\u{a0}= \"pdf\"", "2:5-6 replace U+00A0 with a space"),
        ("a =\u{3000}\"x\"", "2:4-5 replace U+3000 with a space"),
        ("a = \"A.\nB.\"", "2:5-3:4 write `\"\"\"` at both ends of the text"),
        ("tags =\n- a\n  - 1\nb = 1", r#"3:1-4:6 write `tags = ["a", 1]`"#),
        ("tags:\n- a", r#"3:1-4 write `tags = ["a"]`"#),
        ("- a: b", r#"2:1-7 write it after its key: ["a: b"]"#),
        ("- a = b", r#"2:1-8 write it after its key: ["a = b"]"#),
        ("tags =\n- = 1", "2:7 write a value after `=`: a quoted text, a number, `true` or `false`"),
        ("a-b c-d = 1", r#"2:1-8 write `"a-b c-d" = 1`"#),
        ("a = \"it is 'so'", r#"2:16 close it: a = "it is 'so'""#),
        ("// c", "2:1-3 write `# c`"),
        ("a = 1 // c", "2:7-9 write `a = 1 # c`"),
        ("key: value", r#"2:4-5 write `key = "value"`"#),
        ("my key: value", r#"2:7-8 write `"my key" = "value"`"#),
        ("metadata:\n  a: b\n  c: d", "2:9-10 write `[metadata]` below all other keys, and `=` in its lines"),
        ("a: |\n  b\n  c", r#"2:2-3 write `a = """`, and `"""` after the last line of the text"#),
        ("description \"R\"", r#"2:13 write `description = "R"`"#),
        ("a =", "2:4 write a value after `=`: a quoted text, a number, `true` or `false`"),
    ];
    let wrong: Vec<_> = fixes
        .iter()
        .filter(|(block, fix)| toml(&format!("{block}\n")).helps() != [*fix])
        .map(|(block, fix)| (block, fix, toml(&format!("{block}\n")).helps()))
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    // One fault of a line is reported; the next one follows when it is fixed.
    assert_eq!(toml("a\u{a0}=> “x”, # c\n").titles(), ["2:2-3 a character that only looks like a space"]);
    let many = toml(&format!("a = [{}]\n", "“b”, ".repeat(50_000)));
    assert!(many.helps().iter().all(|help| help.len() < 400), "no help is as long as the line");
    let read = |block: &str| toml(block).json().expect("it has a frontmatter");
    assert_eq!(
        read("a => “x”\nb = 'It's'\nc = \"x\ny\"\nd =\n"),
        r#"{"a":"> “x”","b":"It","c":"x","d":null}"#
    );
}

// SPEC 2.3: a repeated key or table is reported with the first place.
#[test]
fn the_first_is_shown() {
    let first = |block: &str| {
        let skill = toml(block);
        skill.lines(|d| d.related.iter().map(|first| skill.place(first.span)).collect())
    };
    assert_eq!(first("[a]\nb = 1\n[a]\n[a]\n"), ["2:2-3", "4:2-3"]);
    assert_eq!(first("x.b = 1\n[y]\nb = 1\nb = 2\n[x.b]\n"), ["4:1-2", "2:3-4"]);
    assert_eq!(first("a = 1\n[a.b]\n[[a]]\n"), ["2:1-2", "2:1-2"]);
}
