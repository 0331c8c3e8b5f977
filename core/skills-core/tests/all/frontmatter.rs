//! The start and the end of a frontmatter in a `SKILL.md`, and the reports for invalid ones.

use skills_core::edit::Applicability;
use skills_core::level::Level;
use skills_core::levels::{Levels, Profile};
use skills_core::parse::Dialect;
use skills_core::report::Report;

use crate::parsed::Skill;

fn split(text: &str) -> (Option<String>, String) {
    let skill = Skill::new(text);
    (skill.json(), skill.body().to_owned())
}

fn codes(text: &str) -> Vec<String> {
    Skill::new(text).codes()
}

const AB: &str = r#"{"a":"b"}"#;

// SPEC 2.1: BOM, CRLF and trailing blanks are accepted, and the tags `yaml` and `toml`.
#[test]
fn marker_lines() {
    for open in [
        "---",
        "---  ",
        "---\t",
        "---\r",
        "---yaml",
        "--- yaml ",
        "---YAML\r",
        "\u{feff}---",
        "\u{feff}---yaml \r",
    ] {
        for close in ["---", "--- ", "---\t \r", "---\r"] {
            let text = format!("{open}\na: b\n{close}\nbody\n");
            assert_eq!(split(&text), (Some(AB.into()), "body\n".into()), "{text:?}");
            assert_eq!(codes(&text), [""; 0], "{text:?}");
        }
    }
    assert_eq!(split("---toml\na = 'b'\n---\n"), (Some(AB.into()), String::new()));
    assert_eq!(split("---\na: b\n---"), (Some(AB.into()), String::new()), "no line end behind the last line");
    assert_eq!(split("---\n---\nx"), (Some("{}".into()), "x".into()), "an empty block");
    assert_eq!(split("---\n# c\n---\nx"), (Some("{}".into()), "x".into()), "only a comment");
}

// SPEC 2.1: only the closing line ends the frontmatter, not a `---` inside a value.
#[test]
fn lines_that_do_not_end_it() {
    let inside = [
        ("a: |\n  ---\n", r#"{"a":"---\n"}"#),
        ("a: 'x --- y'\n", r#"{"a":"x --- y"}"#),
        ("a: \"x\n  ---\n  y\"\n", r#"{"a":"x --- y"}"#),
        ("a: ---x\n", r#"{"a":"---x"}"#),
        ("a = '''\n---\n'''\nb = 1\n", r#"{"a":"---\n","b":1}"#),
        ("a = \"\"\"\n---\n\\\"\"\"\"\nb = 2\n", r#"{"a":"---\n\"","b":2}"#),
    ];
    for (block, json) in inside {
        let text = format!("---\n{block}---\nbody");
        assert_eq!(split(&text), (Some(json.into()), "body".into()), "{text:?}");
        assert_eq!(codes(&text), [""; 0], "{text:?}");
    }
    assert_eq!(codes("---\na = '''\n---\nbody"), ["3:1 toml-syntax"], "it must not take the body");
}

// SPEC 2.1: unterminated is an error; `...`, `----` and an indented `---` do not end it, a lone CR ends no line.
#[test]
fn unterminated() {
    for text in [
        "---",
        "---\n",
        "---\na: b\n",
        "---\na: b\n...\n",
        "---\na: b\n ---\n",
        "---\na: b\n----\n",
        "---\na: b\r---\r",
    ] {
        let skill = Skill::new(text);
        assert_eq!(skill.codes(), ["1:1-4 frontmatter-unterminated"], "{text:?}");
        assert!(!skill.sound(), "{text:?}");
        assert_eq!(skill.body(), "");
    }
    let helps = Skill::new("---\r\na: b\r\n  ---\r\n# x\r\n");
    assert_eq!(helps.helps(), ["1:1-4 replace that line with `---` at the start of the line"]);
    assert_eq!(helps.place(helps.report.diagnostics[0].related[0].span), "3:1-6");
    assert_eq!(Skill::new("---\na: b\n\n# x\n").helps(), ["1:1-4 add a line `---` after the last field"]);
}

// SPEC 2.1: any other tag is refused, and nothing is parsed.
#[test]
fn other_tags_are_refused() {
    for tag in ["js", "json", "javascript", "yml", "coffee", "c++"] {
        let skill = Skill::new(&format!("\u{feff}--- {tag} \r\nmodule.exports = {{}}\r\n---\r\nbody\r\n"));
        assert_eq!(skill.codes(), [format!("1:5-{} frontmatter-tag", 5 + tag.len())]);
        assert_eq!((skill.json(), skill.body(), skill.sound()), (Some("{}".into()), "body\r\n", false));
    }
    assert_eq!(codes("---js\nx"), ["1:4-6 frontmatter-tag"], "unterminated as well");
}

// SPEC 2.1: blank lines before it mean no frontmatter, and this is reported.
#[test]
fn blank_lines_before_it() {
    let late = Skill::new("\u{feff}\r\n \n---\na: b\n---\nbody");
    assert_eq!(late.codes(), ["3:1-4 frontmatter-late"]);
    assert_eq!((late.json(), late.body()), (None, "---\na: b\n---\nbody"));
    for text in ["", "\n\n", "\n---\n", "\n---\nsome text\n---\n", "# x\n---\na: b\n---\n", "\n---\na: b\n"] {
        assert_eq!((split(text).0, codes(text)), (None, vec![]), "{text:?}");
    }
}

// SPEC 2.15: text of a chat before a skill is distinguished from a body by the complete frontmatter after it.
#[test]
fn text_of_a_chat_before_it() {
    let skill = "---\nname: pdf\ndescription: Reads PDF files.\n---\n# PDF\n";
    let plain = Skill::new(&format!("Here is your skill:\n\n{skill}"));
    assert_eq!(plain.codes(), ["3:1-4 frontmatter-late"]);
    assert_eq!(plain.helps(), ["3:1-4 delete the lines above it"]);
    let fix = plain.report.diagnostics[0].fix.as_ref().expect("it is repaired");
    assert_eq!(fix.applicability, Applicability::Unsafe);
    for end in ["```\n", "```", "```\n\nTell me what to change.\n"] {
        let fenced = Skill::new(&format!("Here is your skill:\n\n```markdown\n{skill}{end}"));
        let help = "4:1-4 delete the lines above it and the line that ends the code block";
        assert_eq!(fenced.helps(), [help], "{end:?}");
        assert_eq!(fenced.report.diagnostics[0].fix.as_ref().map(|fix| fix.changes.len()), Some(2));
    }
    let example = "# How to\n\n```\n---\nname: a\ndescription: b\n---\n```\n";
    for text in [
        example.to_owned(),
        format!("{example}\nMore.\n\n```\nmore\n```\n\nMore.\n\nMore.\n"),
        "# Text\n\n---\nname: a\n---\n".to_owned(),
        format!("{}{skill}", "text\n".repeat(20)),
    ] {
        assert_eq!(codes(&text), [""; 0], "{text:?}");
    }
}

// SPEC 2.1: a line that only resembles the opening one.
#[test]
fn near_misses_are_named() {
    for text in
        ["----\na: b\n----\n", "+++\na = 1\n+++\nx", "--- a title\na: b\n---\n", "-----\nname : x\n---\n"]
    {
        let skill = Skill::new(text);
        let width = text.find('\n').unwrap() + 1;
        assert_eq!(skill.codes(), [format!("1:1-{width} frontmatter-marker")], "{text:?}");
        assert_eq!((skill.json(), skill.body()), (None, text));
    }
    for text in ["----\ntext\n----\n", "+++\na: b\n", "- -\na: b\n---\n", "--\na: b\n---\n"] {
        assert_eq!((split(text).0, codes(text)), (None, vec![]), "{text:?}");
    }
    assert_eq!(
        codes("---\ra: b\r---\r# x\r"),
        ["1:4-5 frontmatter-unterminated"],
        "line ends of one carriage return"
    );
}

// SPEC 2.2: the tag decides, or else the first line that is not a comment.
#[test]
fn dialect() {
    let dialect = |text: &str| {
        let skill = Skill::new(text);
        skill
            .document()
            .frontmatter
            .as_ref()
            .map(|frontmatter| frontmatter.dialect)
            .expect("it has a frontmatter")
    };
    let toml = [
        "a = 1",
        "a=1",
        "\n# c\n  a.b = 1",
        "\"a b\" = 1",
        "'a' . b = 1",
        "[a]",
        "[a.\"b\"] # c",
        "[[a]]",
        "[ a ]",
        "a =",
    ];
    let yaml = [
        "a: b",
        "a: b = c",
        "[a, b]",
        "[a]: b",
        "{a: b}",
        "- a",
        "a b = c",
        "\"a = 1\"",
        "# a = 1",
        "",
        "[]",
        "= 1",
    ];
    for block in toml {
        assert_eq!(dialect(&format!("---\n{block}\n---\n")), Dialect::Toml, "{block}");
        assert_eq!(dialect(&format!("---yaml\n{block}\n---\n")), Dialect::Yaml, "{block}");
    }
    for block in yaml {
        assert_eq!(dialect(&format!("---\n{block}\n---\n")), Dialect::Yaml, "{block}");
        assert_eq!(dialect(&format!("---TOML\n{block}\n---\n")), Dialect::Toml, "{block}");
    }
}

// SPEC 2.8: leading blank lines are dropped, the rest is verbatim.
#[test]
fn body() {
    assert_eq!(split("---\na: b\n---\n\r\n \t\n  x \r\n\n\ny").1, "  x \r\n\n\ny");
    assert_eq!(split("---\na: b\n---\n\n\n").1, "");
    assert_eq!(split("\u{feff}\n\nx\n").1, "x\n");
    assert_eq!(split("x").1, "x");
    assert_eq!(
        split("---\na: b\n---\n---\nc: d\n---\n").1,
        "---\nc: d\n---\n",
        "a rule at the top of a body"
    );
}

// SPEC 2.4: an error in a bundle, a warning at run time.
#[test]
fn levels() {
    let skill = Skill::new("---\na: b: c\nd: @e\n---\n");
    let mut disk = Report { diagnostics: skill.report.diagnostics.clone(), ..Report::default() };
    disk.settle(&Levels::default(), Profile::Disk, &skill.parsed.sources);
    let levels = |report: &Report| report.diagnostics.iter().map(|d| d.level).collect::<Vec<_>>();
    assert_eq!(levels(&skill.report), [Level::Error, Level::Error]);
    assert_eq!(levels(&disk), [Level::Warning, Level::Error]);
}

// SPEC 2.15: the fence of a code block distinguishes an example of a merge conflict from a real one.
#[test]
fn conflicts_are_only_found_outside_of_code() {
    let conflict = "<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n";
    let text = |before: &str, after: &str| format!("---\na: b\n---\n{before}{conflict}{after}");
    for (before, after) in [("~~~\n", "~~~\n"), ("````\n```\n", "````\n"), ("```\n~~~\n", "")] {
        assert_eq!(codes(&text(before, after)), [""; 0], "{before:?}");
    }
    for before in ["", "```x``` is text\n", "````\n```\n````\n", "~~~\n```\n~~~\n"] {
        let found = codes(&text(before, ""));
        assert!(
            matches!(found.as_slice(), [one] if one.ends_with("conflict-markers")),
            "{before:?}: {found:?}"
        );
    }
}
