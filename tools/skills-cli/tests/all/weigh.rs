//! `skills weigh`: the tokens that skills cost, counted and estimated.

#![cfg(unix)] // the command tests are

use serde_json::Value;

use crate::command::Place;

fn weigh(place: &Place, arguments: &[&str]) -> Value {
    let run = place.run(&[&["weigh"], arguments, &["--json"]].concat());
    assert_eq!(run.code, 0, "{run:?}");
    serde_json::from_str(&run.out).expect("it prints JSON")
}

// SPEC 16.17
#[test]
fn every_text_that_a_model_may_be_sent_is_counted() {
    let function = r#"{"name": "add", "description": "Adds.", "mode": "llm", "category": "math",
        "input": {"type": "object", "properties": {"a": {"type": "integer"}}}, "output": {"type": "object"}}"#;
    let place = Place::new(&[
        ("s/pdf/SKILL.md", "---\nname: pdf\ndescription: Reads pages.\n---\nhello world"),
        ("s/pdf/references/a.md", "tiktoken is great!"),
        ("s/pdf/references/b.md", "hello world"),
        ("s/add/skill.json", function),
        ("s/add/prompt.md", "Add."),
        (
            "s/heavy/SKILL.md",
            &format!("---\nname: heavy\ndescription: Much.\n---\n{}", "hello world ".repeat(50)),
        ),
    ]);
    let found = weigh(&place, &["s"]);
    assert_eq!(found["tokenizer"], "o200k_base");
    let names: Vec<&str> =
        found["skills"].as_array().unwrap().iter().map(|skill| skill["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["heavy", "pdf", "add"], "the heaviest first");
    let pdf = &found["skills"][1];
    assert_eq!((&pdf["body"]["tokens"], &pdf["body"]["estimate"]), (&2.into(), &3.into()));
    assert_eq!(pdf["body"]["error"], 0.5);
    assert_eq!(
        (&pdf["files"][0]["path"], &pdf["files"][0]["tokens"]),
        (&"references/a.md".into(), &6.into())
    );
    let sum = |skill: &Value| {
        let files = skill["files"].as_array().unwrap().iter().map(|file| file["tokens"].as_u64().unwrap());
        files.sum::<u64>()
            + skill["entry"]["tokens"].as_u64().unwrap()
            + skill["body"]["tokens"].as_u64().unwrap()
    };
    for skill in found["skills"].as_array().unwrap() {
        assert_eq!(skill["total"]["tokens"], sum(skill), "{skill}");
    }
    let add = &found["skills"][2];
    for format in ["openai", "openai-responses", "anthropic", "gemini", "mcp"] {
        assert!(add["tools"][format]["tokens"].as_u64().is_some_and(|tokens| tokens > 10), "{format}: {add}");
        assert_eq!(found["tools"][format], add["tools"][format], "there is one");
        assert!(
            found["loaders"]["load_skill"][format]["tokens"].as_u64()
                > found["loaders"]["skill"][format]["tokens"].as_u64().map(|_| 0)
        );
    }
    assert_eq!(pdf["tools"], serde_json::json!({}));
    // The catalog is the text that `prompt` prints.
    let prompt = place.run(&["prompt", "s"]).out;
    assert_eq!(found["catalogs"]["skills"]["bytes"], prompt.len() - 1);
    let text = place.run(&["weigh", "s", "--sort", "name", "--limit", "1"]).out;
    assert!(
        text.contains("\nadd ") && !text.contains("\npdf ") && text.contains("2 more skills are not shown"),
        "{text}"
    );
    assert!(text.contains("tool:anthropic") && text.contains("catalog, style skills"), "{text}");
}

// SPEC 16.17: without skills no table is printed, and each number has its own column
#[test]
fn the_table_of_no_skills_is_left_out() {
    let place =
        Place::new(&[("s/pdf/SKILL.md", "---\nname: pdf\ndescription: Reads pages.\n---\nhello world")]);
    let none = place.run(&["weigh"]);
    assert_eq!((none.code, none.out.as_str()), (0, ""));
    assert!(none.err.ends_with("note: there are no skills to weigh\n"), "{}", none.err);
    let text = place.run(&["weigh", "s"]).out;
    let columns = |line: &str| line.split("  ").filter(|part| !part.is_empty()).count();
    let part = text.split("\n\n").find(|part| part.starts_with("start of a conversation")).unwrap();
    assert!(part.lines().all(|line| columns(line) == 4), "{part}");
    assert!(text.lines().all(|line| line.len() <= 80), "it fits a terminal: {text}");
}

/// The allowed value of a percentile of the errors.
struct Bounds(&'static str, f64, f64);

// SPEC 16.18: the error of the estimate for published skills
#[test]
#[ignore = "needs SKILLS_FIELD_DIR"]
fn field_the_estimate_is_near_the_count_on_published_skills() {
    let corpus = test_bed::field("corpus");
    let mut roots = Vec::new();
    let mut open = vec![corpus];
    while let Some(directory) = open.pop() {
        if directory.file_name().is_some_and(|name| name == "skills") {
            roots.push(directory.to_str().unwrap().to_owned());
            continue;
        }
        open.extend(
            std::fs::read_dir(&directory)
                .unwrap()
                .map(|entry| entry.unwrap().path())
                .filter(|path| path.is_dir()),
        );
    }
    roots.sort();
    let place = Place::new(&[("empty", "")]);
    let mut arguments = vec!["--lenient"];
    arguments.extend(roots.iter().map(String::as_str));
    let found = weigh(&place, &arguments);
    assert!(found["skills"].as_array().unwrap().len() > 150);
    let total = found["total"]["error"].as_f64().unwrap();
    assert!(total.abs() < 0.1, "all texts together: {total}");
    let errors = &found["error"];
    for kind in ["entries", "bodies", "files"] {
        assert!(errors[kind]["texts"].as_u64().unwrap() > 150, "{errors}");
        for Bounds(percentile, low, high) in [
            Bounds("p1", -0.35, 0.0),
            Bounds("p5", -0.25, 0.0),
            Bounds("p50", -0.1, 0.1),
            Bounds("p95", 0.0, 0.3),
            Bounds("p99", 0.0, 0.4),
        ] {
            let error = errors[kind][percentile].as_f64().unwrap();
            assert!((low..=high).contains(&error), "{kind} {percentile}: {error} of {errors}");
        }
    }
}
