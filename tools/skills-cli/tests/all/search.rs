//! `skills search`: the best matches, for people and for programs.

#![cfg(unix)] // the command tests are

use crate::command::Place;

fn place() -> Place {
    Place::new(&[
        (
            "s/pdf/SKILL.md",
            "---\nname: pdf\ndescription: Extract tables and text from PDF files.\n---\n# Forms\nFill in.\n",
        ),
        (
            "s/log/SKILL.md",
            "---\nname: log\ndescription: Write what changed since a tag.\n---\n# Changelog\n",
        ),
        ("s/zh/SKILL.md", "---\nname: zh\ndescription: 代码审查\n---\n正文\n"),
        ("s/own/SKILL.md", "---\nname: own\ndescription: Extract secrets.\ntags: internal\n---\nText.\n"),
    ])
}

// SPEC 16.2
#[test]
fn the_best_come_first() {
    let place = place();
    let json = |query: &[&str]| -> Vec<(String, f64)> {
        let output = place.run(&[&["search", "--dir", "s", "--json"], query].concat());
        let hits: serde_json::Value = serde_json::from_str(&output.out).unwrap();
        let hit = |hit: &serde_json::Value| {
            (hit["name"].as_str().unwrap().to_owned(), hit["score"].as_f64().unwrap())
        };
        hits.as_array().unwrap().iter().map(hit).collect()
    };
    for (query, name) in [
        (&["how do I extract a table?"][..], "pdf"),
        (&["filing", "a", "form"], "pdf"),
        (&["changelogs"], "log"),
        (&["exrtact"], "pdf"),
        (&["审查"], "zh"),
    ] {
        let hits = json(query);
        assert_eq!(hits.first().map(|hit| hit.0.as_str()), Some(name), "{query:?}: {hits:?}");
        assert!(hits.is_sorted_by(|a, b| a.1 >= b.1) && hits.iter().all(|hit| hit.1 > 0.0), "{hits:?}");
        assert!(hits.iter().all(|hit| hit.0 != "own"), "what `list` does not show is not found");
    }
    assert_eq!(json(&["extract", "changes", "代码", "--limit", "2"]).len(), 2);
    assert!(json(&["zebra"]).is_empty());
}

// SPEC 16.7
#[test]
fn a_prompt_lists_a_few_and_says_how_to_find_others() {
    let place = place();
    let few =
        place.run(&["prompt", "s", "--on-demand", "--pin", "zh", "--message", "the changes since a tag"]);
    assert!(few.out.contains("<name>zh</name>") && few.out.contains("<name>log</name>"), "{}", few.out);
    assert!(
        !few.out.contains("<name>pdf</name>") && few.out.contains("1 more skill or function"),
        "{}",
        few.out
    );
    assert!(
        few.out.contains("Use the skill tool to") && few.out.contains("the tool search_skills"),
        "{}",
        few.out
    );
    let none = place.run(&["prompt", "s", "--on-demand", "--pin", "zn"]);
    assert!(none.out.contains("3 skills and functions") && !none.out.contains("own"), "{}", none.out);
    assert!(none.err.contains("note: --pin: skill not found: zn"), "{}", none.err);
    assert_eq!(
        place.run(&["prompt", "s", "--pin", "zh"]).code,
        2,
        "there is nothing to pin in a list of all"
    );
}
