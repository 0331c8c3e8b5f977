//! Independent parsers read the same texts: a YAML crate with the grammar of libyaml, and the `toml` crate
//! with serde.

use skills_core::tree::{Node, ScalarType, Value};

use crate::parsed::{Random, Skill, field_skills};

/// Returns `true` if a tree equals the value of the oracle; numbers are compared as numbers.
fn agrees(node: &Node, oracle: &serde_json::Value) -> bool {
    match (&node.value, oracle) {
        (Value::List(items), serde_json::Value::Array(values)) => {
            items.len() == values.len() && items.iter().zip(values).all(|(item, value)| agrees(item, value))
        }
        (Value::Map(entries), serde_json::Value::Object(map)) => {
            entries.len() == map.len()
                && entries
                    .iter()
                    .all(|entry| map.get(&entry.key).is_some_and(|value| agrees(&entry.value, value)))
        }
        (Value::Scalar(scalar), value) => match scalar.kind {
            ScalarType::Null => value.is_null(),
            ScalarType::Bool => value.as_bool() == Some(scalar.text.eq_ignore_ascii_case("true")),
            ScalarType::Number => number(&scalar.text) == value.as_f64(),
            ScalarType::String => value.as_str() == Some(&scalar.text),
            // The serde form of a TOML date is a map of one key.
            ScalarType::Date => value.is_object(),
        },
        _ => false,
    }
}

fn number(text: &str) -> Option<f64> {
    let digits = text.replace('_', "");
    let radix = |digits: &str| match digits.split_at_checked(2) {
        Some(("0x", hex)) => i64::from_str_radix(hex, 16).ok(),
        Some(("0o", octal)) => i64::from_str_radix(octal, 8).ok(),
        _ => None,
    };
    radix(&digits).map(|number| number as f64).or_else(|| digits.parse().ok())
}

fn yaml_oracle(block: &str) -> Result<serde_json::Value, String> {
    let mut value: serde_yaml::Value = serde_yaml::from_str(block).map_err(|error| error.to_string())?;
    let mut merged = value.clone();
    // It refuses a `<<` that cannot merge, but in YAML 1.2 that is an ordinary key.
    if merged.apply_merge().is_ok() {
        value = merged;
    }
    to_json(value)
}

/// Removes tags, and converts keys to text, as in our trees.
fn to_json(value: serde_yaml::Value) -> Result<serde_json::Value, String> {
    use serde_yaml::Value as Y;
    Ok(match value {
        Y::Mapping(map) => {
            let mut object = serde_json::Map::new();
            for (key, value) in map {
                let key = match key {
                    Y::String(text) => text,
                    Y::Number(number) => number.to_string(),
                    Y::Bool(bool) => bool.to_string(),
                    Y::Null => "~".to_owned(),
                    other => return Err(format!("a key that is {other:?}")),
                };
                object.insert(key, to_json(value)?);
            }
            serde_json::Value::Object(object)
        }
        Y::Sequence(items) => {
            serde_json::Value::Array(items.into_iter().map(to_json).collect::<Result<_, _>>()?)
        }
        Y::Tagged(tagged) => return Err(format!("the tag {}", tagged.tag)),
        other => serde_json::to_value(other).map_err(|error| error.to_string())?,
    })
}

/// Returns the block of a text that has frontmatter in YAML.
fn block(skill: &Skill) -> Option<(&str, &Node, bool)> {
    let frontmatter = skill.document().frontmatter.as_ref()?;
    let clean = skill.report.diagnostics.is_empty();
    Some((skill.parsed.sources.text(frontmatter.block), &frontmatter.tree, clean))
}

// SPEC 2.3: another parser reads the same values from real and crafted skills.
#[test]
#[ignore = "needs SKILLS_FIELD_DIR"]
fn field_frontmatter_agrees() {
    for folder in ["corpus", "conformance/agent-skills"] {
        let mut compared = 0;
        let skills = field_skills(folder);
        for (path, text) in &skills {
            let skill = Skill::new(text);
            let Some((block, tree, clean)) = block(&skill) else { continue };
            if block.contains('\u{2028}') {
                // The oracle supports this line break of YAML 1.1, which YAML 1.2 removed.
                continue;
            }
            match yaml_oracle(block) {
                Ok(serde_json::Value::Null) => {
                    assert!(!clean || tree.as_map().is_some_and(|map| map.is_empty()))
                }
                Ok(value @ serde_json::Value::Object(_)) if clean => {
                    assert!(agrees(tree, &value), "{}: {:?}\n{value}", path.display(), skill.json());
                    let json: serde_json::Value = serde_json::from_str(&skill.json().unwrap()).unwrap();
                    assert_eq!(json.as_object().map(|map| map.len()), value.as_object().map(|map| map.len()));
                    compared += 1;
                }
                Ok(value) => assert!(!clean, "{}: accepted, but {value}", path.display()),
                Err(error) => assert!(!clean, "{}: accepted, but {error}", path.display()),
            }
        }
        assert!(skills.is_empty() || compared > 40, "{folder}: only {compared} were compared");
        eprintln!("{folder}: {compared} of {} agree", skills.len());
    }
}

/// Composes a document of parts that are difficult for parsers.
fn document(random: &mut Random, indent: usize, out: &mut String) {
    let pad = " ".repeat(indent);
    for at in 0..=random.below(4) {
        let key = random.pick(&["a", "b c", "'q r'", "\"d\\t\"", "é😀", "e-f_g", "x.y", "no"]);
        let value = match random.below(16) {
            0 if indent < 6 => {
                out.push_str(&format!("{pad}k{at}:\n"));
                let deeper = indent + 1 + random.below(3);
                document(random, deeper, out);
                continue;
            }
            1 => {
                let mark = random.pick(&["|", ">", "|-", ">-", "|+", ">+"]);
                format!(
                    "{mark}\n{pad}  one: x\n{pad}   two # no\n\n{pad}  ---\n{}",
                    random.pick(&["", "\n", "\n\n"])
                )
            }
            2 => format!("\n{pad}- x\n{pad}- y: z\n{pad}  w: {{}}\n{pad}-\n{pad}- - n"),
            3 => format!("[a, {{b: c, \"d\":e}}, [], 'x, y',\n{pad}  z ]"),
            4 => format!("first\n{pad}  second\n\n{pad}  third # end"),
            5 => format!("\"a\\\n{pad}   b\n\n{pad}  \\u00e9\\x41\\N\\/\""),
            6 => format!("'it''s\n{pad}  here'"),
            7 => format!("&n{0} v{at}\n{pad}r{at}: *n{0}", out.len()),
            8 => format!("&m{0} {{x: 1, y: [2]}}\n{pad}s{at}:\n{pad}  <<: *m{0}\n{pad}  x: 3", out.len()),
            9 => random.pick(&["!!str 1", "!!int \"3\"", "!!str", "!!float 1.5", "!!null ~"]).to_owned(),
            _ => random
                .pick(&[
                    "",
                    "~",
                    "null",
                    "Null",
                    "true",
                    "False",
                    "yes",
                    "on",
                    "1",
                    "-17",
                    "0x1F",
                    "0o17",
                    "1.5",
                    "1e3",
                    ".5",
                    "-.5e-3",
                    "2024-01-02",
                    "12:30:45",
                    "a:b",
                    "http://x.y:80/z?q#f",
                    "a #c",
                    "a#c",
                    "x - y",
                    "?x",
                    "-x",
                    ":x",
                    "é😀",
                    "\"\"",
                    "''",
                    "'#'",
                    "\"# \" # c",
                    "1.2.3",
                    "a, b",
                    "a [b] {c}",
                    "a'b\"c",
                    "1 2",
                    "+x",
                ])
                .to_owned(),
        };
        let key = match key.chars().next_back() {
            Some(quote @ ('"' | '\'')) => format!("{}{at}{quote}", &key[..key.len() - 1]),
            _ => format!("{key}{at}"),
        };
        out.push_str(&format!("{pad}{key}: {value}{}\n", random.pick(&["", " ", "  # note: x"])));
    }
}

// SPEC 2.3: another parser reads the same values from generated documents.
#[test]
fn generated_yaml_agrees() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let (mut agreed, mut refused) = (0, 0);
    for _ in 0..test_bed::rounds(500) {
        let mut text = String::new();
        document(&mut random, 0, &mut text);
        let ends = if random.below(4) == 0 { "\r\n" } else { "\n" };
        let text = text.replace('\n', ends);
        let skill = Skill::new(&format!("---yaml{ends}{text}---{ends}"));
        let (_, tree, clean) = block(&skill).expect("it has a frontmatter");
        match yaml_oracle(&text) {
            Ok(value) if clean => {
                assert!(agrees(tree, &value), "{text}\n{:?}\n{value}", skill.json());
                agreed += 1;
            }
            Ok(value) => panic!("we refuse what the oracle reads:\n{text}\n{:?}\n{value}", skill.titles()),
            Err(error) => {
                assert!(!clean, "we read what the oracle refuses: {error}\n{text}");
                refused += 1;
            }
        }
    }
    assert!(agreed > 160, "{agreed} agreed, {refused} refused");
}

// SPEC 2.2: serde reads the same values from TOML.
#[test]
fn generated_toml_agrees() {
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    let mut agreed = 0;
    for _ in 0..test_bed::rounds(500) {
        let mut text = String::new();
        for at in 0..=random.below(6) {
            let key = random.pick(&["a", "b.c", "\"d e\"", "'f.g'", "h-i_j"]);
            let value = random.pick(&[
                "1",
                "-17",
                "1_000",
                "0x1F",
                "0o17",
                "1.5",
                "1e3",
                "true",
                "false",
                "\"x\\n\\u00e9\"",
                "'a\\b'",
                "[1, 'x', [2]]",
                "{ x = 1, y.z = 'w' }",
                "'''\na\n---\nb'''",
                "\"\"\"\\\n  a \\\n b\"\"\"",
                "1979-05-27T07:32:00Z",
                "[]",
                "{}",
                "\"é😀\"",
            ]);
            let key = match key.chars().next_back() {
                Some(quote @ ('"' | '\'')) => format!("{}{at}{quote}", &key[..key.len() - 1]),
                _ => format!("{key}{at}"),
            };
            text.push_str(&format!("{key} = {value}{}\n", random.pick(&["", " # c = 1", " "])));
            if random.below(5) == 0 {
                text.push_str(&format!(
                    "{}\n",
                    random.pick(&["[t.u]", "[v]", "[[w]]", "[[w]]", "[x.'y z']"])
                ));
            }
        }
        let skill = Skill::new(&format!("---toml\n{text}---\n"));
        let tree = &skill.document().frontmatter.as_ref().expect("it has a frontmatter").tree;
        match toml::from_str::<serde_json::Value>(&text) {
            Ok(value) => {
                assert_eq!(skill.titles(), [""; 0], "{text}");
                assert!(agrees(tree, &value), "{text}\n{:?}\n{value}", skill.json());
                agreed += 1;
            }
            Err(error) => assert!(!skill.sound(), "we read what the oracle refuses: {error}\n{text}"),
        }
    }
    assert!(agreed > 160, "only {agreed} agreed");
}
