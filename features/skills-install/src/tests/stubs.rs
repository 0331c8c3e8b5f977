//! Tests stubs, and the change between stubs and copies.

use super::fixture::*;
use crate::{InstallOptions, Stub, status, uninstall};

fn stubs(version: &str) -> InstallOptions {
    options().stub(Stub::new("agent skill").version(version))
}

#[test]
fn a_stub_names_the_command_and_stays_current() {
    // SPEC 9.14
    let target = Scratch::new();
    let one =
        bundle("1", &[("a", &[("SKILL.md", ""), ("scripts/x", "#!one")]), ("list", &[("SKILL.md", "")])]);
    run(&one, &target, &stubs("1.0.0"));
    let installed = files(&target);
    assert_eq!(installed.keys().collect::<Vec<_>>(), ["a/SKILL.md", "list/SKILL.md"]);
    let text = &installed["a/SKILL.md"];
    assert!(text.starts_with("---\nname: \"a\"\ndescription: \"Does it.\"\n---\n"), "{text}");
    assert!(text.contains("\n```sh\nagent skill a\n```\n"), "{text}");
    assert!(text.contains("`agent skill a FILE`"), "{text}");
    assert!(text.ends_with("\n<!-- Written by agent 1.0.0. -->\n"), "{text}");
    // A command of the program has the name of this skill.
    assert!(installed["list/SKILL.md"].contains("\nagent skill -- list\n"), "{}", installed["list/SKILL.md"]);

    // Version 2 has another text and another file, which the program prints, so nothing has to be installed.
    let two = bundle("2", &[("a", &[("SKILL.md", ""), ("b", "two")]), ("list", &[("SKILL.md", "")])]);
    for options in [stubs("2.0.0"), options()] {
        let found = status(&two, &target, &options).unwrap();
        let found: Vec<_> =
            found.iter().map(|found| (found.state.to_string(), found.installed.as_deref())).collect();
        assert_eq!(found, [("current".to_owned(), Some("1.0.0")), ("current".to_owned(), Some("1.0.0"))]);
    }
    assert_eq!(status(&two, &target, &options()).unwrap()[0].stub.as_deref(), Some("agent skill"));
    assert!(run(&two, &target, &stubs("2.0.0")).steps().is_empty());
    assert_eq!(files(&target), installed);

    // A stub that names another command cannot be read, so it is outdated.
    let renamed = options().stub(Stub::new("agent read").version("3.0.0"));
    assert_eq!(states(&two, &target, &renamed)[0], "a: outdated");
    run(&two, &target, &renamed);
    assert!(files(&target)["a/SKILL.md"].contains("agent read a"));
    uninstall(&target, &options()).unwrap();
    assert_eq!(files(&target), listed(&[]));
}

#[test]
fn no_edit_is_lost_between_stub_and_copy() {
    // SPEC 9.14
    let target = Scratch::new();
    let skill: [Sketch<'_>; 1] = [("a", &[("SKILL.md", "text"), ("b", "one"), ("c", "one")])];
    let registry = bundle("1", &skill);
    run(&registry, &target, &options());
    put(&target, "a/b", "mine");
    let report = run(&registry, &target, &stubs("1"));
    let report = lines(&report);
    assert!(report[0] == "update  a/SKILL.md" && report[1].starts_with("keep    a/b ("), "{report:?}");
    assert_eq!(report[2..], ["remove  a/c"]);
    assert_eq!(files(&target)["a/b"], "mine");

    // An edited stub is kept beside the files of the copy.
    put(&target, "a/SKILL.md", "my stub");
    run(&registry, &target, &options());
    assert_eq!(files(&target)["a/SKILL.md"], "my stub");
    assert_eq!(files(&target)["a/c"], "one");

    // An edited text needs the other files, so the skill stays a copy.
    let report = run(&registry, &target, &stubs("1"));
    assert!(lines(&report).contains(&"keep    a/SKILL.md (edited here)".to_owned()), "{report}");
    assert_eq!(files(&target)["a/c"], "one");
    assert_eq!(status(&registry, &target, &options()).unwrap()[0].stub, None);

    let report = run(&registry, &target, &stubs("1").force(true));
    assert!(lines(&report).iter().any(|line| line.contains("a/SKILL.md.bak")), "{report}");
    assert_eq!(files(&target)["a/SKILL.md.bak"], "my stub");
    assert_eq!(files(&target)["a/b.bak"], "mine");
    assert!(files(&target)["a/SKILL.md"].contains("agent skill a"));
    run(&registry, &target, &options());
    assert_eq!(files(&target)["a/SKILL.md"], "text");
}
