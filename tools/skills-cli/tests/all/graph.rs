//! `skills graph`: pictures of skills and of pipelines.
#![cfg(unix)] // the command tests are

use crate::command::Place;

const FUNCTION: &str = r#"{"name": "NAME", "description": "Does.", "category": "t", "mode": "code", "input": {"type": "object"}, "output": {"type": "object"}}"#;

fn place() -> Place {
    let add = FUNCTION.replace("NAME", "add");
    Place::new(&[
        ("s/add/skill.json", &add),
        ("s/read/SKILL.md", "---\nname: read\ndescription: Is read.\n---\nText.\n"),
        (
            "s/sum/skill.json",
            r#"{"name": "sum", "description": "Sums.", "category": "t", "mode": "composite", "calls": ["add"],
                "input": {"type": "object", "properties": {"of": {"type": "array", "items": {}}, "more": {"type": "boolean"}},
                          "required": ["of", "more"]},
                "output": {"type": "object"},
                "pipeline": [
                    {"step": "first", "skill": "add", "input": {}, "foreach": "{{input.of}}"},
                    {"step": "then", "skill": "add", "input": {"x": "{{steps.first}}"}, "retry": 2},
                    {"step": "last", "skill": "add", "input": {"x": "{{steps.first}}", "y": "{{steps.then}}"},
                     "condition": "input.more == true && \"<a>\" != 'b'"}
                ]}"#,
        ),
    ])
}

// SPEC 16.4
#[test]
fn calls_and_steps_are_drawn() {
    let place = place();
    let all = place.run(&["graph", "s"]);
    assert_eq!((all.code, all.err.as_str()), (0, ""));
    assert!(all.out.starts_with("flowchart TD\n    n0[\"<b>add</b><br>host\"]:::host\n"), "{}", all.out);
    assert!(all.out.contains("    n1 --> n0\n") && !all.out.contains("read"), "{}", all.out);
    assert!(place.run(&["graph", "s", "--all"]).out.contains("<b>read</b>"));

    let steps = place.run(&["graph", "s", "--skill", "sum"]).out;
    for line in [
        "n1[\"<b>first</b><br>add<br>host<br>for each of input.of\"]:::host",
        "n2[\"<b>then</b><br>add<br>host<br>3 attempts\"]:::host",
        "if input.more == true #amp;#amp; '#lt;a#gt;' != 'b'",
        "    n0 --> n1\n    n1 --> n2\n    n2 -.-> n3\n    n3 --> n4\n",
    ] {
        assert!(steps.contains(line), "{line}\n{steps}");
    }
    let dot = place.run(&["graph", "s", "--skill", "sum", "--format", "dot"]).out;
    assert!(dot.starts_with("digraph \"sum\" {\n") && dot.contains("n2 -> n3 [style=dashed];"), "{dot}");
    let svg = place.run(&["graph", "s", "--skill", "sum", "--format", "svg"]).out;
    assert_eq!(svg.matches("data-node=").count(), 5, "{svg}");
    assert!(svg.contains("&lt;a&gt;") && svg.ends_with("</svg>\n"), "{svg}");

    let missing = place.run(&["graph", "s", "--skill", "sun"]);
    assert_eq!((missing.code, missing.out.as_str()), (1, ""));
    assert!(missing.err.contains("did you mean"), "{}", missing.err);
}

// SPEC 11.1, 16.4: a directory is an argument, as for `list`
#[test]
fn a_directory_is_an_argument_of_graph() {
    let place = place();
    let drawn = place.run(&["graph", "s"]);
    assert_eq!((drawn.code, drawn.out), (0, place.run(&["graph", "s"]).out));
    assert!(place.run(&["graph", "s", "--all"]).out.contains("<b>read</b>"));
    assert_eq!(place.run(&["graph", "s", "--skill", "sum", "--all"]).code, 2);
    place.write("sum/x", "a directory with the name of a skill");
    assert!(place.run(&["graph", "s", "--skill", "sum"]).out.contains("<b>first</b>"));
}

// SPEC 11.32: a graph without functions is explained
#[test]
fn an_empty_graph_says_what_to_do() {
    let place = Place::new(&[("s/read/SKILL.md", "---\nname: read\ndescription: Is read.\n---\n")]);
    let run = place.run(&["graph", "s"]);
    let note =
        "note: no skill can be called, so the graph is empty; `--all` also draws skills that are only read\n";
    assert_eq!((run.code, run.err.as_str()), (0, note));
    assert_eq!(place.run(&["graph", "s", "--all"]).err, "");
}
