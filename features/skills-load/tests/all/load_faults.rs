//! Tests that a broken skill on disk is reported at its place, and does not affect others.

use skills_load::{Layers, LayersBuilder, Level, Strictness};

use crate::planted::{self, Planted, codes, names, only};

/// A root of two good skills, and one whose `SKILL.md` is given.
fn beside(text: &str) -> Planted {
    let planted = Planted::of_names(&["a", "z"]);
    planted.write("m/SKILL.md", text);
    planted
}

// SPEC 1.7, 2.1, 2.3: broken skills are left out with one line each; the others stay
#[test]
fn a_broken_skill_never_stops_the_others() {
    let broken = [
        ("---\nname: \"\n---\n", 2, "a quote that is never closed"),
        ("---\nname: m\n", 1, "never closed"),
        ("---\nname: m\ndescription: x\n\tb: c\n---\n", 4, "a tab"),
        ("---\nname = \"m\n---\n", 2, "broken TOML"),
        ("---\n{\n---\n", 2, "broken flow"),
        ("---js\nprocess.exit(1)\n---\n", 1, "a language that could be run"),
        ("---json\n{}\n---\n", 1, "a language that is not read"),
    ];
    for (text, line, what) in broken {
        let layers = beside(text).load();
        assert_eq!(names(&layers), ["a", "z"], "{what}");
        let first = &layers.problems()[0];
        assert_eq!((first.level, first.line), (Level::Error, line), "{what}: {first}");
        assert!(first.path.ends_with("/m/SKILL.md"), "{first}");
    }
}

// SPEC 2.1: nothing is executed; the frontmatter would make a file
#[test]
fn a_frontmatter_in_javascript_is_never_executed() {
    let planted = Planted::of_names(&[]);
    let mark = planted.path().join("executed");
    let code = format!("---js\nrequire('fs').writeFileSync({mark:?}, '')\n---\n");
    planted.write("m/SKILL.md", &code);
    let layers =
        LayersBuilder::new().directory(planted.path()).strictness(Strictness::Lenient).load().unwrap();
    assert!(layers.is_empty() && !mark.exists());
    assert_eq!(codes(layers.problems()), ["frontmatter-tag"]);
}

// SPEC 12.1: the YAML of gray-matter and others caused a panic here
#[test]
fn half_a_quote_does_not_panic() {
    for text in
        ["---\nname: \"\n---\n", "---\nname: '\n---\n", "---\nname: \"", "---\n\"", "---\n'\n---", "---"]
    {
        let layers = beside(text).load();
        assert_eq!(names(&layers), ["a", "z"], "{text:?}: {:?}", layers.problems());
        assert!(!layers.problems().is_empty(), "{text:?}");
    }
}

// SPEC 2.4
#[test]
fn an_unquoted_colon_is_repaired_and_reported() {
    let layers = beside("---\nname: m\ndescription: Use when: reviewing\n---\nBody\n").load();
    assert_eq!(layers.get("m").unwrap().description(), "Use when: reviewing");
    let problem = only(&layers);
    assert_eq!((problem.code, problem.level), ("yaml-unquoted-colon", Level::Warning));
    assert_eq!((problem.line, problem.column), (3, 22));
    assert!(problem.to_string().contains("description: \"Use when: reviewing\""), "{problem}");
}

// SPEC 1.5
#[test]
fn the_first_path_of_two_equal_names_wins() {
    let planted = Planted::new(&[
        ("b/SKILL.md", &planted::document("pdf", "second")),
        ("a/SKILL.md", &planted::document("pdf", "first")),
        ("c/SKILL.md", &planted::document("p-df", "a name alone")),
        ("d/SKILL.md", &planted::document("p_df", "its twin")),
    ]);
    let layers = planted.load();
    assert_eq!(names(&layers), ["p-df", "pdf"]);
    assert_eq!(layers.get("pdf").unwrap().description(), "first");
    let twice: Vec<_> = layers.problems().iter().filter(|problem| problem.code == "name-twice").collect();
    assert_eq!(twice.len(), 2, "{:?}", layers.problems());
    assert!(twice.iter().all(|problem| problem.level == Level::Warning));
    assert!(twice[0].path.ends_with("/b/SKILL.md") && twice[1].path.ends_with("/d/SKILL.md"));
}

// SPEC 2.6: skills with any spelling are loaded at run time, with a warning
#[test]
fn invalid_names_are_loaded_with_a_warning() {
    let planted = Planted::new(&[
        ("constructor/SKILL.md", &planted::document("constructor", "x")),
        ("odd/SKILL.md", &planted::document("Odd Name", "x")),
        ("none/SKILL.md", "---\ndescription: x\n---\n"),
    ]);
    let layers = planted.load();
    assert_eq!(names(&layers), ["Odd Name", "constructor", "none"]);
    assert!(layers.problems().iter().all(|problem| problem.level == Level::Warning));
    for code in ["name-invalid", "name-missing"] {
        assert!(codes(layers.problems()).contains(&code), "{code}: {:?}", layers.problems());
    }
}

// SPEC 2.7
#[test]
fn a_skill_without_a_description_is_skipped_or_described_by_its_body() {
    let bodies = [
        ("---\nname: m\n---\n# Title\n\nReads PDF files.\n", "Reads PDF files."),
        ("---\nname: m\ndescription: \"  \"\n---\n# Title\n\n- item\n", "Title"),
        ("# Title\n\n> quote\n\n```\ncode\n```\n\nText.\n", "Text."),
        ("---\nname: m\ndescription:\n---\n", ""),
        ("", ""),
    ];
    for (text, description) in bodies {
        let planted = beside(text);
        let standard = planted.load();
        assert_eq!(names(&standard), ["a", "z"], "{text:?}");
        let reported = |layers: &Layers, level| {
            let problems =
                layers.problems().iter().filter(|problem| problem.code.starts_with("description-"));
            problems.map(|problem| problem.level).collect::<Vec<_>>() == [level]
        };
        assert!(reported(&standard, Level::Error), "{text:?}: {:?}", standard.problems());
        let builder = LayersBuilder::new().directory(planted.path());
        let lenient = builder.strictness(Strictness::Lenient).load().unwrap();
        assert_eq!(names(&lenient), ["a", "m", "z"], "{text:?}: {:?}", lenient.problems());
        assert_eq!(lenient.get("m").unwrap().description(), description);
        assert!(reported(&lenient, Level::Warning), "{text:?}: {:?}", lenient.problems());
    }
    let long = format!("---\nname: m\n---\n{}\n", "é".repeat(201));
    let planted = beside(&long);
    let lenient =
        LayersBuilder::new().directory(planted.path()).strictness(Strictness::Lenient).load().unwrap();
    assert_eq!(lenient.get("m").unwrap().description(), format!("{}...", "é".repeat(197)));
}

// SPEC 4.1, 4.2
#[test]
fn tiers_follow_the_files() {
    let planted = Planted::of_names(&["zero"]);
    let write = |name: &str, more: &str, files: &[&str]| {
        planted
            .write(&format!("{name}/SKILL.md"), &format!("---\nname: {name}\ndescription: x\n{more}---\n"));
        files.iter().for_each(|file| planted.write(&format!("{name}/{file}"), "#!/bin/sh\n"));
    };
    write("one", "", &["scripts/a"]);
    write("two", "exec: run\n", &["bin/run"]);
    write("three", "exec: bin/run\nschema: in.json\n", &["bin/run"]);
    planted.write("three/in.json", "{}");
    write("gone", "exec: run\n", &["helper.py"]);
    let layers = planted.load();
    let tier = |name| layers.get(name).unwrap().tier();
    assert_eq!([tier("zero"), tier("one"), tier("two"), tier("three"), tier("gone")], [0, 1, 2, 3, 1]);
    assert!(layers.get("gone").unwrap().exec().is_none());
    assert!(codes(layers.problems()).contains(&"exec-missing"));
}

#[cfg(unix)]
mod links {
    use super::*;
    use std::os::unix::fs::symlink;

    // SPEC 1.4, 12.3: the target of a link out of the root is not read, except a whole skill
    #[test]
    fn links_out_of_the_root_are_refused() {
        let outside = Planted::of_names(&["secret"]);
        outside.write("key", "hidden");
        let planted = Planted::of_names(&["a"]);
        symlink(outside.path().join("secret"), planted.path().join("dir")).unwrap();
        symlink(outside.path().join("key"), planted.path().join("a/file")).unwrap();
        symlink(outside.path(), planted.path().join("a/folder")).unwrap();
        planted.write("b/other", "");
        symlink(outside.path().join("secret/SKILL.md"), planted.path().join("b/SKILL.md")).unwrap();
        let layers = planted.load();
        assert_eq!(names(&layers), ["a", "secret"]);
        let files: Vec<_> = layers.get("a").unwrap().files().map(|file| file.path()).collect();
        assert_eq!(files, ["SKILL.md"]);
        assert_eq!(codes(layers.problems()), ["link-outside"; 3]);
        assert!(layers.problems().iter().all(|problem| problem.level == Level::Warning));
    }

    // SPEC 1.4
    #[test]
    fn a_link_to_a_read_directory_is_skipped() {
        let planted = Planted::of_names(&["group/a"]);
        symlink("group", planted.path().join("again")).unwrap();
        symlink("..", planted.path().join("group/up")).unwrap();
        let layers = planted.load();
        assert_eq!(layers.len(), 1);
        let codes = codes(layers.problems());
        assert_eq!(
            codes.iter().filter(|code| **code == "link-repeated").count(),
            2,
            "{:?}",
            layers.problems()
        );
    }
}

// SPEC 9.8: npm's `skills`, nix and dotfiles link single skills to another place
#[cfg(unix)]
#[test]
fn a_linked_skill_is_read_once_where_the_link_leads() {
    let planted = Planted::of_names(&[]);
    let text = |name: &str| format!("---\nname: {name}\ndescription: Does {name}.\n---\nA.\n");
    planted.write("agents/local/SKILL.md", &text("local"));
    planted.write("store/far/SKILL.md", &text("far"));
    planted.write("claude/own/SKILL.md", &text("own"));
    let top = planted.path();
    for (name, target) in [("local", "../agents/local"), ("far", "../store/far")] {
        std::os::unix::fs::symlink(target, top.join("claude").join(name)).expect("a link");
    }
    let builder = LayersBuilder::new().directory(top.join("agents")).directory(top.join("claude"));
    let layers = builder.load().expect("readable");
    assert_eq!(names(&layers), ["far", "local", "own"]);
    assert!(layers.problems().is_empty(), "{:?}", layers.problems());
}
