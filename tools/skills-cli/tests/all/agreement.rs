//! `check` and the build report the same problems of the directories that crates bundle.
#![cfg(unix)] // as the files that the tests share
#![allow(clippy::unwrap_used, reason = "a test without its directory must fail")]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::Value;
use skills_build::Bundle;
use skills_core::options::Options;
use skills_core::read::Overlay;
use skills_core::report::Report;
use skills_core::span::SourceMap;

use crate::command::Place;

/// A rule, a file, a line and a column.
type Found = BTreeSet<(String, String, u64, u64)>;

const MANIFEST: &str = "[package]\nname = \"NAME\"\nversion = \"1.0.0\"\nedition = \"2024\"\npublish = false\n\
                        [dependencies]\nskills-bundle = \"0.1\"\n[build-dependencies]\nskills-build = \"0.1\"\n";

/// A function that calls others.
fn caller(name: &str, calls: &str) -> String {
    format!(
        r#"{{"name": "{name}", "description": "Writes texts. Use for texts.", "mode": "composite", "calls": ["{calls}"],
            "input": {{"type": "object"}}, "output": {{"type": "object"}},
            "pipeline": {{"steps": [{{"name": "one", "skill": "{calls}", "input": {{}}}}]}}}}"#
    )
}

fn md(name: &str, body: &str) -> String {
    format!("---\nname: {name}\ndescription: Reads texts. Use for texts.\n---\n{body}\n")
}

/// A statement of a crate that bundles a directory.
#[derive(Clone)]
struct Stated {
    package: String,
    dir: String,
    caller: Option<&'static str>,
    bundle: Bundle,
}

/// Returns what the builds of crates report.
fn built(place: &Place, all: &[Stated]) -> Found {
    let mut found = Found::new();
    for Stated { package, dir, caller, bundle } in all {
        let label = skills_core::package::vendored::seen_from(package, dir);
        let manifest = format!("{package}/Cargo.toml");
        let over = Overlay::default();
        let at =
            skills_build::BundlePlace { label: &label, manifest: &manifest, caller: *caller, over: &over };
        let (skills, others) = bundle.inspect(&place.top.join(package), at, &Options::default());
        let [package, config] = others;
        for (report, sources) in [(skills.report, skills.sources), package, config] {
            add(&mut found, &report, &sources, &place.top);
        }
    }
    found
}

fn add(found: &mut Found, report: &Report, sources: &SourceMap, top: &Path) {
    for problem in &report.diagnostics {
        let (start, _) = sources.positions(problem.span);
        let path = sources.display_path(problem.span);
        let path =
            Path::new(&path).strip_prefix(top).map(|path| path.to_str().unwrap().to_owned()).unwrap_or(path);
        found.insert((problem.rule.code.to_owned(), path, start.line as u64, start.column as u64));
    }
}

/// Returns what `check .` reports, except in folders that no crate bundles.
fn checked(place: &Place) -> Found {
    let run = place.run(&["check", ".", "--json"]);
    assert!(run.code < 2, "{run:?}");
    let problems = run.out.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let problems = problems.filter(|problem| problem.get("code").is_some());
    let text = |problem: &Value, key: &str| problem[key].as_str().unwrap().to_owned();
    let all = problems.map(|problem| {
        let place = |key: &str| problem[key].as_u64().unwrap();
        (text(&problem, "code"), text(&problem, "path"), place("line"), place("column"))
    });
    all.filter(|(code, path, ..)| !code.starts_with("eval-") && !path.starts_with("apart/")).collect()
}

/// A generator of numbers that a seed decides.
struct Random(u64);

impl Random {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % most
    }

    fn is(&mut self) -> bool {
        self.below(2) == 0
    }
}

/// Writes a random directory of skills.
fn write_skills(place: &Place, dir: &str, random: &mut Random) {
    let names = ["summarize", "review", "pdf", "write_text", "write-text"];
    for at in 0..1 + random.below(5) {
        let name = names[random.below(names.len())];
        let folder = ["", "texts/", "more/texts/"][random.below(3)];
        let skill = format!("{dir}/{folder}{name}");
        match random.below(8) {
            0 => {
                place.write(format!("{skill}/SKILL.md"), &md(name, "Run `scripts/missing.py` with python.\n"))
            }
            1 => place.write(format!("{skill}/SKILL.md"), &md(name, "Read [this](../../../README.md).\n")),
            2 => {
                place.write(format!("{skill}/SKILL.md"), &md(name, "Outer."));
                place.write(format!("{skill}/inner{at}/SKILL.md"), &md(&format!("inner{at}"), "Inner."));
            }
            3 => place.write(format!("{skill}/skill.json"), &caller(name, names[random.below(names.len())])),
            4 => place.write(format!("{skill}/SKILL.md"), &md("another", "Read `references/none.md`.")),
            5 => place.write(format!("{skill}/SKILL.md"), "---\nname: [\ndescripton: x\n---\nText.\n"),
            6 => {
                place.write(format!("{skill}/SKILL.md"), &md(name, "See [it](references/.hidden/a.md)."));
                place.write(format!("{skill}/references/.hidden/a.md"), "Hidden.\n");
                place.write(format!("{dir}/.claude/skills/{name}/SKILL.md"), &md(name, "Hidden."));
            }
            _ => place.write(format!("{skill}/SKILL.md"), &md(name, "Fine.")),
        }
    }
    if random.below(4) == 0 {
        place.write(format!("{dir}/.skillignore"), "more/\n");
    }
}

/// Writes a crate that bundles a directory, and returns its statement.
fn write_crate(place: &Place, package: &str, dir: &str, random: &mut Random) -> Stated {
    let name = package.rsplit('/').next().unwrap();
    let mut manifest = MANIFEST.replace("NAME", name);
    if random.below(4) == 0 {
        manifest = manifest.replace("publish = false\n", "exclude = [\"*.md\"]\n");
    }
    let mut bundle = Bundle::new(dir);
    let mut caller = Some("src/main.rs");
    let main = "fn main() {}\n";
    match random.below(5) {
        0 => {
            caller = Some("build.rs");
            place.write(format!("{package}/src/main.rs"), main);
            place.write(
                format!("{package}/build.rs"),
                &format!("fn main() {{ skills_build::bundle({dir:?}); }}\n"),
            );
        }
        1 => {
            caller = Some("build.rs");
            bundle = bundle.deny("broken-link").allow("name-mismatch");
            let text = format!(
                "use skills_build::Bundle;\nfn main() {{\n    Bundle::new({dir:?}).deny(\"broken-link\").allow(\"name-mismatch\").build();\n}}\n"
            );
            place.write(format!("{package}/build.rs"), &text);
            place.write(format!("{package}/src/main.rs"), &format!("skills::skills!({dir:?});\n{main}"));
        }
        2 => {
            bundle = bundle.allow("broken-link").file_cap(60);
            let text = format!("skills::skills!({dir:?}, allow(broken-link), file_cap(60));\n{main}");
            place.write(format!("{package}/src/main.rs"), &text);
        }
        3 => {
            caller = None;
            manifest.push_str(&format!("[package.metadata.skills]\npath = {dir:?}\n"));
        }
        _ => place.write(
            format!("{package}/src/main.rs"),
            &format!("mod inner {{ skills::skills!({dir:?}); }}\n{main}"),
        ),
    }
    place.write(format!("{package}/Cargo.toml"), &manifest);
    if random.below(4) == 0 {
        place.write(
            format!("{package}/skills.toml"),
            "[rules]\nname-twice = \"allow\"\nunknown-rule = \"warn\"\n",
        );
    }
    Stated { package: package.to_owned(), dir: dir.to_owned(), caller, bundle }
}

// SPEC 11.35: every bundle is judged as its build judges it
#[test]
fn generated_workspaces_are_judged_as_by_the_build() {
    let (mut codes, mut problems) = (BTreeSet::new(), 0);
    for seed in 0..200 {
        let mut random = Random(seed);
        let place = Place::new(&[("README.md", "# All\n")]);
        let members = 1 + random.below(3);
        place.write("Cargo.toml", "[workspace]\nmembers = [\"crates/*\"]\nresolver = \"3\"\n");
        let mut all = Vec::new();
        for at in 0..members {
            let package = format!("crates/c{at}");
            let dir = ["skills", "prompts/skills", "../../shared/skills"][random.below(3)];
            let stated = write_crate(&place, &package, dir, &mut random);
            write_skills(&place, &skills_core::package::vendored::seen_from(&package, dir), &mut random);
            all.push(stated);
        }
        if random.is() {
            write_skills(&place, "apart/skills", &mut random);
        }
        let (built, checked) = (built(&place, &all), checked(&place));
        let shown: Vec<_> = built.symmetric_difference(&checked).collect();
        assert!(shown.is_empty(), "seed {seed}: {shown:#?}\nin {:?}", place.run(&["check", ".", "-v"]));
        problems += built.len();
        codes.extend(built.into_iter().map(|(code, ..)| code));
    }
    let needed =
        ["broken-link", "call-unknown", "link-leaves-skill", "name-twice", "skill-nested", "config-invalid"];
    assert!(needed.iter().all(|code| codes.contains(*code)), "{codes:?}");
    assert!(problems > 400, "{problems}");
}

// SPEC 11.35: every directory of the tests is judged as its build judges it
#[test]
fn fixtures_are_judged_as_by_the_build() {
    let ui = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../core/skills-core/tests/ui");
    let mut count = 0;
    let mut compare = |name: &str, write: &dyn Fn(&Place)| {
        let place = Place::new(&[("c/Cargo.toml", &MANIFEST.replace("NAME", "c"))]);
        write(&place);
        place.write("c/src/main.rs", "skills::skills!(\"skills\");\nfn main() {}\n");
        let stated = Stated {
            package: "c".to_owned(),
            dir: "skills".to_owned(),
            caller: Some("src/main.rs"),
            bundle: Bundle::new("skills"),
        };
        let (built, checked) = (built(&place, &[stated]), checked(&place));
        let shown: Vec<_> = built.symmetric_difference(&checked).collect();
        assert!(shown.is_empty(), "{name}: {shown:#?}");
        count += built.len();
    };
    for entry in fs::read_dir(ui).unwrap() {
        let skills = entry.unwrap().path().join("skills");
        if skills.is_dir() {
            compare(skills.to_str().unwrap(), &|place: &Place| copy(&skills, &place.top.join("c/skills")));
        }
    }
    for text in skills_core::rule::texts() {
        let files = text.bad.iter().filter(|(path, _)| !path.contains([' ', '(']) && !path.contains(".."));
        let files: Vec<_> = files.collect();
        compare(text.rule.code, &|place: &Place| {
            for (path, text) in &files {
                place.write(format!("c/skills/{path}"), text);
            }
        });
    }
    assert!(count > 200, "{count}");
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let (path, target) = (entry.path(), to.join(entry.file_name()));
        if path.is_dir() { copy(&path, &target) } else { assert!(fs::copy(&path, &target).is_ok()) }
    }
}

// SPEC 11.35: names lead to skills of the same bundle only
#[test]
fn two_crates_may_have_a_skill_of_one_name() {
    let place = Place::new(&[("Cargo.toml", "[workspace]\nmembers = [\"a\", \"b\"]\n")]);
    for package in ["a", "b"] {
        place.write(format!("{package}/Cargo.toml"), &MANIFEST.replace("NAME", package));
        place.write(format!("{package}/src/main.rs"), "skills::skills!(\"skills/\");\nfn main() {}\n");
        let text = format!("---\nname: summarize\ndescription: Summarizes for {package}.\n---\nText.\n");
        place.write(format!("{package}/skills/summarize/SKILL.md"), &text);
    }
    let run = place.run(&["check", ".", "--ci"]);
    assert_eq!((run.code, run.out.as_str()), (0, "2 skills, no problems\n"), "{run:?}");
    place.write("a/skills/only/SKILL.md", &md("only", "Text."));
    place.write("b/skills/brief/skill.json", &caller("brief", "only"));
    let run = place.run(&["check", "."]);
    assert!(run.code == 1 && run.out.contains("`calls` names an unknown skill: `only`"), "{run:?}");
    // Folders that no crate bundles are separate, too.
    fs::remove_file(place.top.join("a/src/main.rs")).unwrap();
    fs::remove_file(place.top.join("b/src/main.rs")).unwrap();
    let run = place.run(&["check", "."]);
    assert!(run.code == 1 && run.out.contains("`calls` names an unknown skill: `only`"), "{run:?}");
}

// SPEC 11.35: a bundle is judged as one without being asked, wherever the check starts; `-v` says why
#[test]
fn a_bundle_is_judged_as_one_without_being_asked() {
    let place = Place::new(&[
        ("agent/Cargo.toml", &MANIFEST.replace("NAME", "agent")),
        ("agent/build.rs", "fn main() { skills_build::bundle(\"prompts\"); }\n"),
        ("agent/prompts/a/pdf/SKILL.md", &md("pdf", "Read [it](scripts/missing.py).")),
        ("agent/prompts/b/pdf/SKILL.md", &md("pdf", "Read [it](../../../README.md). Other.")),
        ("agent/prompts/a/pdf/inner/SKILL.md", &md("inner", "Inner.")),
        ("agent/README.md", "# Agent\n"),
        ("notes/skills/csv/SKILL.md", &md("csv", "Read [it](scripts/missing.py).")),
    ]);
    for arguments in [["check", "."], ["check", "agent/prompts"]] {
        let run = place.run(&arguments);
        for code in ["name-twice", "broken-link", "link-leaves-skill", "skill-nested"] {
            assert!(
                run.code == 1 && run.out.contains(&format!("[skills::{code}]")),
                "{code} {arguments:?}: {run:?}"
            );
        }
        assert!(!run.out.contains("notes/"), "{run:?}");
    }
    let run = place.run(&["check", ".", "-v"]);
    for line in [
        "agent/prompts: judged as a bundle: `skills_build` in agent/build.rs\n",
        "notes/skills: judged as a folder of skills: no crate bundles it\n",
    ] {
        assert!(run.err.contains(line), "{run:?}");
    }
    let run = place.run(&["check", "agent/prompts/a", "-v"]);
    assert!(
        run.err.contains("judged by itself: it is a part of a bundle, by `skills_build` in agent/build.rs"),
        "{run:?}"
    );
    let run = place.run(&["check", ".", "--fix", "--unsafe-fixes"]);
    assert!(run.out.contains("name-twice"), "{run:?}");
}
