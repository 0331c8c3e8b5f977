//! Prints hand-made problems as JSON, GitHub commands, SARIF and cargo lines, and rules as explanations and
//! as the page.

use serde_json::{Value, json};
use skills_core::level::Level;
use skills_core::print::cargo;
use skills_core::report::Report;
use skills_core::rule::{self, Rule, RuleText};
use skills_core::span::SourceMap;
use skills_report::{explain, github, json, page, sarif};

static RULE: Rule = Rule {
    code: "test-rule",
    spec: "2.4",
    lint: true,
    hides: false,
    bundle: Level::Error,
    disk: Level::Warning,
    standard: Level::Allow,
};

static TEXT: RuleText = RuleText {
    rule: &RULE,
    explain: "A paragraph that is long enough to be wrapped, since it goes on for more than eighty columns, with 技能 in it.",
    bad: &[("pdf/SKILL.md", "---\nname: pdf\r\n---\n```sh\n```\n"), ("pdf/a -> b", "")],
    good: &[("pdf/SKILL.md", "\u{feff}x\n\n")],
};

/// Returns two problems: one on one line with a place in another file, one over several lines of a file outside the
/// skills.
fn report() -> (Report, SourceMap) {
    let mut sources = SourceMap::new("my skills/");
    let odd = sources.add("git, 100%: x/SKILL.md".into(), "技能: \"q\"\nname: b\n".into(), Some(7));
    let other = sources.add("b/ref/skill.json".into(), "{\n}\n".into(), Some(8));
    sources.add_path("b/skill.json", Some(8));
    let lone = sources.add("ROLE.md".into(), "a\nb\n".into(), None);
    let first = RULE
        .report_at(sources.file(odd).span(8..11), "bad `\"q\"`")
        .label("this, here")
        .help("type: x\nor: 100%")
        .related(sources.file(other).span(0..3), "there");
    let mut second = RULE.report_at(sources.file(lone).span(0..3), "two\r\nlines\u{1b}").help("");
    second.level = Level::Warning;
    (Report { diagnostics: vec![first, second], ..Report::default() }, sources)
}

#[test]
fn json_has_one_object_a_line() {
    let (report, sources) = report();
    let printed = json::print(&report, &sources);
    let objects: Vec<Value> = printed.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(
        objects,
        [
            json!({
                "path": "git, 100%: x/SKILL.md", "line": 1, "column": 5, "end_line": 1, "end_column": 8,
                "code": "test-rule", "level": "error", "title": "bad `\"q\"`", "label": "this, here",
                "help": "type: x\nor: 100%", "skill": "git, 100%: x",
                "related": [{"path": "b/ref/skill.json", "line": 1, "column": 1, "end_line": 2, "end_column": 2,
                    "label": "there"}],
            }),
            json!({
                "path": "ROLE.md", "line": 1, "column": 1, "end_line": 2, "end_column": 2,
                "code": "test-rule", "level": "warning", "title": "two\r\nlines\u{1b}", "label": "", "help": "",
                "skill": null, "related": [],
            }),
        ]
    );
    let keys = [
        "path",
        "line",
        "column",
        "end_line",
        "end_column",
        "code",
        "level",
        "title",
        "label",
        "help",
        "skill",
    ];
    let mut last = 0;
    for key in keys.into_iter().chain(["related"]) {
        let at = printed.find(&format!("\"{key}\":")).expect(key);
        assert!(at >= last, "`{key}` is out of order");
        last = at;
    }
    assert_eq!(json::print(&Report::default(), &sources), "");
}

#[test]
fn json_names_the_directory_of_the_skill() {
    let skill = |paths: &[&str]| {
        let mut sources = SourceMap::new("skills");
        let spans: Vec<_> = paths.iter().map(|path| sources.add_path(path, Some(0))).collect();
        let report =
            Report { diagnostics: vec![RULE.report_at(spans[0], "t").help("h")], ..Report::default() };
        let object: Value = serde_json::from_str(&json::print(&report, &sources)).expect("JSON");
        object["skill"].clone()
    };
    assert_eq!(skill(&["SKILL.md"]), ".", "the root is the skill");
    assert_eq!(skill(&["a/b/templates/SKILL.md", "a/b/skill.json"]), "a/b", "a resource of that name");
    assert_eq!(skill(&["a/x.png"]), Value::Null);
}

#[test]
fn github_commands_are_escaped_as_the_runner_reads_them() {
    let (report, sources) = report();
    assert_eq!(
        github::print(&report, &sources),
        "::error file=my skills/git%2C 100%25%3A x/SKILL.md,line=1,col=5,endLine=1,endColumn=8,\
         title=skills%3A%3Atest-rule::bad `\"q\"`: this, here%0A\
         my skills/b/ref/skill.json:1:1: there%0Ahelp: type: x%0Aor: 100%25\n\
         ::warning file=my skills/ROLE.md,line=1,endLine=2,title=skills%3A%3Atest-rule::two%0Alines\\u{1b}\n"
    );
}

#[test]
fn cargo_lines_are_single() {
    let (report, sources) = report();
    assert_eq!(
        cargo::print(&report, &sources),
        "cargo::error=my skills/git, 100%: x/SKILL.md:1:5: bad `\"q\"` (type: x …: `skills check` shows the lines)\n\
         cargo::warning=my skills/ROLE.md:1:1: two\\r\\nlines\\u{1b}\n"
    );
}

#[test]
fn sarif_is_one_run_with_all_rules() {
    let (mut report, sources) = report();
    report.diagnostics[1].rule = rule::all()[0];
    let printed = sarif::print(&report, &sources);
    let log: Value = serde_json::from_str(&printed).expect("JSON");
    assert_eq!(log["version"], "2.1.0");
    let run = &log["runs"][0];
    assert_eq!(run["columnKind"], "unicodeCodePoints");
    let driver = &run["tool"]["driver"];
    assert_eq!(driver["name"], "skills");
    let rules = driver["rules"].as_array().expect("rules");
    assert_eq!(rules.len(), rule::all().len());
    for (described, rule) in rules.iter().zip(rule::all()) {
        assert_eq!(described["id"], rule.code);
        let text = rule::text(rule);
        assert_eq!(described["fullDescription"]["text"], text.explain);
        let short = described["shortDescription"]["text"].as_str().expect("a text");
        assert!(!short.is_empty() && text.explain.starts_with(short));
        assert_eq!(described["help"]["text"], explain::print(text));
    }
    assert_eq!(
        run["results"][0],
        json!({
            "ruleId": "test-rule", "level": "error",
            "message": {"text": "bad `\"q\"`: this, here\nhelp: type: x\nor: 100%"},
            "locations": [{"physicalLocation": {
                "artifactLocation": {"uri": "my%20skills/git%2C%20100%25%3A%20x/SKILL.md"},
                "region": {"startLine": 1, "startColumn": 5, "endLine": 1, "endColumn": 8},
            }}],
            "relatedLocations": [{
                "physicalLocation": {
                    "artifactLocation": {"uri": "my%20skills/b/ref/skill.json"},
                    "region": {"startLine": 1, "startColumn": 1, "endLine": 2, "endColumn": 2},
                },
                "message": {"text": "there"},
            }],
        })
    );
    let second = &run["results"][1];
    assert_eq!((&second["level"], &second["ruleIndex"]), (&json!("warning"), &json!(0)));
    assert_eq!(second.get("relatedLocations"), None);
}

#[test]
fn sarif_without_problems_is_still_a_run() {
    let log: Value =
        serde_json::from_str(&sarif::print(&Report::default(), &SourceMap::new("s"))).expect("JSON");
    assert_eq!(log["runs"][0]["results"], json!([]));
}

#[test]
fn sarif_paths_are_uris() {
    let uri = |root: &str, path: &str| {
        let mut sources = SourceMap::new(root);
        let span = sources.add_path(path, None);
        let report = Report { diagnostics: vec![RULE.report_at(span, "t").help("h")], ..Report::default() };
        let log: Value = serde_json::from_str(&sarif::print(&report, &sources)).expect("JSON");
        log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].clone()
    };
    assert_eq!(uri("./skills", "a/SKILL.md"), "skills/a/SKILL.md");
    assert_eq!(uri(".", "a:b/技.md"), "a%3Ab/%E6%8A%80.md");
    assert_eq!(uri("../skills/", "x"), "../skills/x");
    assert_eq!(uri("/srv/my skills", "x"), "file:///srv/my%20skills/x");
}

#[test]
fn explanations_are_wrapped_and_show_both_examples() {
    let expected = "\
skills::test-rule

In a bundle an error; on disk at run time a warning; by the open standard not
reported.
SPEC 2.4. A lint: its level can be set.

A paragraph that is long enough to be wrapped, since it goes on for more than
eighty columns, with 技能 in it.

Wrong:

    pdf/SKILL.md
    | ---
    | name: pdf\\r
    | ---
    | ```sh
    | ```

    pdf/a -> b

Right:

    pdf/SKILL.md
    | \\u{feff}x
    |
";
    assert_eq!(explain::print(&TEXT), expected);
    for text in rule::texts() {
        let wide = explain::print(text)
            .lines()
            .find(|line| !line.starts_with("    ") && line.chars().count() > 80)
            .map(str::to_owned);
        assert_eq!(wide, None, "`{}`", text.rule.code);
    }
}

#[test]
fn the_page_of_a_rule_has_its_examples() {
    let printed = page::print(&TEXT);
    let expected = "\
# test-rule

In a bundle an error; on disk at run time a warning; by the open standard not reported.
SPEC 2.4. A lint: its level can be set.

A paragraph that is long enough to be wrapped, since it goes on for more than eighty columns, with 技能 in it.

Wrong:

`pdf/SKILL.md`

````text
---
name: pdf\\r
---
```sh
```
````

`pdf/a -> b`

Right:
";
    assert!(printed.starts_with(expected), "{printed}");
}

// SPEC 11.38
#[cfg(unix)]
#[test]
fn broken_links_of_one_folder_are_one_problem_for_people() {
    let skill = "---\nname: a\ndescription: Reads.\n---\nText.\n";
    let mut entries = vec![("real/a/SKILL.md", skill)];
    let links = ["x", "y", "z"].map(|name| format!("x/skills/{name} -> /home/jo/all/real/a"));
    entries.extend(links.iter().map(|link| (link.as_str(), "")));
    entries.extend([("b -> gone", ""), ("y/skills/c -> gone", "")]);
    let read = skills_core::read::ReadOptions {
        scope: skills_core::read::DirectoryKind::Repository,
        ..Default::default()
    };
    let options = skills_core::options::Options { read, ..Default::default() };
    let disk = crate::disk::Disk::new(&entries);
    let loaded = skills_core::load(&disk.root(), "skills", &options);
    let merged = skills_report::repeats::merge(&loaded.report, loaded.catalog.sources());
    let titles: Vec<&str> = merged.diagnostics.iter().map(|found| found.title.as_str()).collect();
    let many = "the link leads to a path of another computer, while its target is here (the first of 3; `--all` shows them)";
    assert_eq!(titles, ["broken link", many, "broken link"]);
}
