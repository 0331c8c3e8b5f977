//! YAML frontmatter without faults: its values and their places.

use skills_core::tree::{Node, Value};

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

/// Lists every key and value with its place.
fn places(skill: &Skill) -> Vec<String> {
    fn walk(skill: &Skill, node: &Node, out: &mut Vec<String>) {
        match &node.value {
            Value::Map(entries) => {
                for entry in entries {
                    let value = skill.place(entry.value.span);
                    out.push(format!("{} {} = {value}", skill.place(entry.key_span), entry.key));
                    walk(skill, &entry.value, out);
                }
            }
            Value::List(items) => {
                for item in items {
                    out.push(format!("- {}", skill.place(item.span)));
                    walk(skill, item, out);
                }
            }
            Value::Scalar(_) => {}
        }
    }
    let mut out = Vec::new();
    walk(skill, &skill.document().frontmatter.as_ref().expect("it has a frontmatter").tree, &mut out);
    out
}

// SPEC 2.3: block and flow collections, block scalars, quotes, comments; `yes` is a string.
#[test]
fn values() {
    assert_eq!(
        json("a: yes\nb: 1.0\nc: ~\nd:\ne: 2024-01-02\n"),
        r#"{"a":"yes","b":1.0,"c":null,"d":null,"e":"2024-01-02"}"#
    );
    assert_eq!(json("a: |\n  x\n   y\n\nb: >-\n  x\n  y\n"), r#"{"a":"x\n y\n","b":"x y"}"#);
    assert_eq!(
        json("a: [x, 'y', \"z\\u00e9\"] # c\nb: {c: [], d: {}}\n"),
        r#"{"a":["x","y","zé"],"b":{"c":[],"d":{}}}"#
    );
    assert_eq!(json("{\"name\": \"x\", b: 1}\n"), r#"{"name":"x","b":1}"#);
    assert_eq!(json("a:\n- 1\n- b: c\n  d: e\n? f\n: g\n"), r#"{"a":[1,{"b":"c","d":"e"}],"f":"g"}"#);
    assert_eq!(
        json("a: http://x.y:80/z\nb: x #y\nc: x#y\nd: 'it''s'\n"),
        r#"{"a":"http://x.y:80/z","b":"x","c":"x#y","d":"it's"}"#
    );
    assert_eq!(json("a: b\u{2028}c\n1: x\nnull: y\n"), "{\"a\":\"b\u{2028}c\",\"1\":\"x\",\"null\":\"y\"}");
    assert_eq!(json("a: b\n...\n"), r#"{"a":"b"}"#);
    assert_eq!(json("  a: b\n  c: d\n"), r#"{"a":"b","c":"d"}"#);
}

// SPEC 2.3: tags, anchors and merge keys that are allowed.
#[test]
fn tags_and_anchors() {
    assert_eq!(
        json("a: !!str 3\nb: !!int \"3\"\nc: !!float 3\nd: !!null ''\ne: ! 3\n"),
        r#"{"a":"3","b":3,"c":3,"d":null,"e":"3"}"#
    );
    assert_eq!(
        json("a: !!map {b: !!seq [x]}\nc: !!str\nd: !!bool true\n"),
        r#"{"a":{"b":["x"]},"c":"","d":true}"#
    );
    assert_eq!(json("a: &x [1, 2]\nb: *x\nc: &y z\n*y : d\n"), r#"{"a":[1,2],"b":[1,2],"c":"z","z":"d"}"#);
    let merged = "a: &a {x: 1, y: 2}\nb: &b {y: 3, z: 4}\nc:\n  w: 0\n  <<: [*a, *b]\n  x: 9\n";
    assert_eq!(json(merged), r#"{"a":{"x":1,"y":2},"b":{"y":3,"z":4},"c":{"w":0,"y":2,"z":4,"x":9}}"#);
    assert_eq!(json("a:\n  <<: x\nb: {\"<<\": {c: d}}\n"), r#"{"a":{"<<":"x"},"b":{"<<":{"c":"d"}}}"#);
}

// SPEC 2.3: values have exact positions, also after a byte order mark, CRLF and wide characters.
#[test]
fn places_of_values() {
    let block = "name: é😀x\r\n\"k\": 'a b'\r\nm:\r\n  - [1, {a: b}]\r\n  -\r\n  - c: d\r\n    e: \"x\r\n      y\"\r\nn: |-\r\n  é\r\n  z\r\no: p\r\n  q\r\nr:\r\n";
    let skill = Skill::new(&format!("\u{feff}---\r\n{block}---\r\n"));
    assert_eq!(skill.titles(), [""; 0]);
    assert_eq!(
        places(&skill),
        [
            "2:1-5 name = 2:7-10",
            "3:1-4 k = 3:6-11",
            "4:1-2 m = 5:3-8:9",
            "- 5:5-16",
            "- 5:6-7",
            "- 5:9-15",
            "5:10-11 a = 5:13-14",
            "- 6:4",
            "- 7:5-8:9",
            "7:5-6 c = 7:8-9",
            "8:5-6 e = 8:8-9:9",
            "10:1-2 n = 10:4-12:4",
            "13:1-2 o = 13:4-14:4",
            "15:1-2 r = 15:3",
        ]
        .map(|line| line.replace("m = 5:3-8:9", "m = 5:3-9:9").replace("- 7:5-8:9", "- 7:5-9:9"))
    );
    let skill = yaml("a: &x {b: c} # d\ne: *x\nf: !!str 3\ng: >2 # c\n\n   h\n\n");
    assert_eq!(
        places(&skill),
        [
            "2:1-2 a = 2:7-13",
            "2:8-9 b = 2:11-12",
            "3:1-2 e = 3:4-6",
            "2:8-9 b = 2:11-12",
            "4:1-2 f = 4:10-11",
            "5:1-2 g = 5:4-7:5"
        ]
    );
    let repaired = yaml("a: é: 😀: y\nb: x\n  z: {\n");
    assert_eq!(places(&repaired), ["2:1-2 a = 2:4-11", "3:1-2 b = 3:4-4:7"]);
}
