//! A check of a repository finds every skill of every client, treats each folder of skills separately, and
//! skips nothing silently.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test without its directory must fail")]

use std::fs;
use std::path::Path;

use skills_core::levels::Profile;
use skills_core::options::Options;
use skills_core::read::{DirectoryKind, ReadOptions};
use skills_core::{Loaded, load};

use crate::disk::{Disk, MD};
use crate::parsed::Random;

fn check_with(disk: &Disk, options: Options) -> Loaded {
    let read = ReadOptions { scope: DirectoryKind::Repository, ..options.read.clone() };
    load(&disk.root(), "skills", &Options { read, ..options })
}

fn check(disk: &Disk) -> Loaded {
    check_with(disk, Options::default())
}

fn codes(loaded: &Loaded) -> Vec<&str> {
    loaded.report.diagnostics.iter().map(|problem| problem.rule.code).collect()
}

fn skills(loaded: &Loaded) -> Vec<&str> {
    loaded.tally.skills.iter().map(|(_, path)| path.as_str()).collect()
}

fn passed(loaded: &Loaded) -> Vec<(&str, &str)> {
    loaded.tally.passed_over.iter().map(|passed| (passed.path.as_str(), passed.reason.as_str())).collect()
}

fn md(name: &str, text: &str) -> String {
    format!("---\nname: {name}\ndescription: {text}\n---\n# {name}\n")
}

// SPEC 1.9
#[test]
fn skills_of_all_clients_are_checked() {
    let a = md("a", "Does a.");
    let disk = Disk::new(&[
        (".claude/skills/a/SKILL.md", &a),
        (".github/skills/a/SKILL.md", &a),
        ("plugins/p/skills/a/SKILL.md", &a),
        ("plugins/p/skills/a/more/a/SKILL.md", &a),
        ("SKILL.md", &md("skills", "Is the root.")),
        (".git/a/SKILL.md", &a),
        ("node_modules/x/a/SKILL.md", &a),
        ("b/skill.md", &a),
        ("plugins/p/skills/a/assets/b/SKILL.md", "a template"),
        (".skillignore", "old/\n"),
    ]);
    let loaded = check(&disk);
    assert_eq!(
        skills(&loaded),
        ["", ".claude/skills/a", ".github/skills/a", "plugins/p/skills/a", "plugins/p/skills/a/more/a"]
    );
    assert_eq!(codes(&loaded), [""; 0], "{:?}", loaded.report.diagnostics);
    assert_eq!(
        passed(&loaded),
        [
            ("node_modules/x/a/SKILL.md", "below node_modules"),
            ("plugins/p/skills/a/assets/b/SKILL.md", "material of a skill, in its `assets`"),
            ("b/skill.md", "not named `SKILL.md`"),
        ]
    );
}

// SPEC 1.9: nobody repairs a copy whose author is elsewhere; a text may name it
#[test]
fn copies_from_other_projects_are_passed_over() {
    let lock = r#"{"version": 1, "skills": {
        "copy": {"source": "acme/skills", "sourceType": "github", "skillPath": "skills/copy/SKILL.md"},
        "own": {"source": "me/skills", "sourceType": "github", "skillPath": "skills/own/SKILL.md"},
        "near": {"source": "../near", "sourceType": "local"}
    }}"#;
    let damaged = "---\nname: copy\n---\n";
    let text = format!("{}Use the `copy` skill. Then use the `far` skill.\n", md("own", "Is own."));
    let files = [
        ("app/skills-lock.json", lock),
        ("app/.agents/skills/copy/SKILL.md", damaged),
        ("app/.claude/skills/copy -> ../../.agents/skills/copy", ""),
        ("app/.agents/skills/near/SKILL.md", &md("near", "Is near.")),
        ("app/.agents/skills/own/SKILL.md", &md("own", "Is own.")),
        ("app/skills/own/SKILL.md", &text),
        ("app/skills/own/backup/SKILL.md", &md("own", "Was own.")),
        ("app/src/copy/SKILL.md", &md("copy", "Is of the author.")),
        ("home/.skill-lock.json", lock),
        ("home/skills/copy/SKILL.md", damaged),
        ("app/vendor/far/SKILL.md", "no frontmatter"),
        ("skills/vendor/pay/SKILL.md", &md("pay", "Pays vendors.")),
    ];
    let loaded = check(&Disk::new(&files));
    assert_eq!(codes(&loaded), [""; 0], "{:?}", loaded.report.diagnostics);
    assert_eq!(
        skills(&loaded),
        [
            "app/.agents/skills/near",
            "app/.agents/skills/own",
            "app/skills/own",
            "app/src/copy",
            "skills/vendor/pay"
        ]
    );
    assert_eq!(
        passed(&loaded),
        [
            ("app/skills/own/backup/SKILL.md", "below a backup"),
            ("app/vendor/far/SKILL.md", "below vendor"),
            ("app/.agents/skills/copy/SKILL.md", "copied from another project"),
            ("home/skills/copy/SKILL.md", "copied from another project"),
        ]
    );
    // A build reads the folder `skills` of a crate, whatever a lock file says.
    let krate = [&files[8..10], &[("home/Cargo.toml", "")]].concat();
    assert_eq!(skills(&check(&Disk::new(&krate))), ["home/skills/copy"]);
    // A project that has only copies is not empty.
    assert_eq!(codes(&check(&Disk::new(&files[..2]))), [""; 0]);
    assert_eq!(codes(&check(&Disk::new(&[("app/vendor/far/SKILL.md", "far")]))), [""; 0]);
    assert_eq!(codes(&check(&Disk::new(&[("app/vendor/far/README.md", "far")]))), ["root-empty"]);
    // A damaged lock file says nothing.
    let broken = [&files[1..2], &[("app/skills-lock.json", "{")]].concat();
    assert_eq!(skills(&check(&Disk::new(&broken))), ["app/.agents/skills/copy"]);
}

// SPEC 11.22: problems that an author cannot fix are not reported
#[test]
fn folders_of_clients_may_be_links() {
    let nested = "---\nname: b\ndescription: Does b.\n---\nSee [a](../../a/SKILL.md) and [notes](../../../notes.md).\n";
    let wishes = "---\nname: c\ndescription: Does c.\n---\n- **Examples**: `references/x.md` for x, `assets/y.png`\n\
        A `scripts/z.py` script would be helpful.\nRead `references/operations.md`.\n";
    let disk = Disk::new(&[
        ("skills/a/SKILL.md", &md("a", "Does a.")),
        ("skills/group/b/SKILL.md", nested),
        ("skills/c/SKILL.md", wishes),
        ("skills/c/references/Security.md", "s"),
        ("notes.md", "n"),
        (".codex/skills/a -> ../../skills/a", ""),
        (".codex/all -> ../skills", ""),
    ]);
    let loaded = check(&disk);
    assert_eq!(skills(&loaded), ["skills/a", "skills/c", "skills/group/b"]);
    let reported: Vec<(&str, &str)> = loaded
        .report
        .diagnostics
        .iter()
        .map(|problem| (problem.title.as_str(), problem.help.as_str()))
        .collect();
    assert_eq!(
        reported,
        [
            (
                "the mention `references/operations.md` points to a file that does not exist",
                "add the file `references/operations.md` to the skill"
            ),
            ("the link `../../../notes.md` leads out of the skill", "copy the file into the skill"),
        ]
    );
}

// SPEC 1.9: unreachable skills are reported by every check
#[test]
fn skills_behind_links_are_reported() {
    let disk = Disk::new(&[
        ("skills/a/SKILL.md", MD),
        ("skills/out -> /etc", ""),
        ("skills/gone -> nowhere", ""),
        ("skills/c/SKILL.md -> missing.md", ""),
        ("docs/readme -> nowhere.md", ""),
    ]);
    for profile in [Profile::Bundle, Profile::Standard] {
        let loaded = check_with(&disk, Options { profile, ..Options::default() });
        let problems: Vec<String> = loaded
            .report
            .diagnostics
            .iter()
            .filter(|problem| problem.rule.code.starts_with("link-"))
            .map(|problem| {
                let path = &loaded.catalog.sources().file_of(problem.span).path;
                format!("{} {path} {}", problem.level.as_str(), problem.rule.code)
            })
            .collect();
        assert_eq!(
            problems,
            [
                "error skills/c/SKILL.md link-broken",
                "error skills/gone link-broken",
                "warning skills/out link-outside"
            ]
        );
        let reported: Vec<&str> = passed(&loaded).into_iter().map(|(path, _)| path).collect();
        assert_eq!(reported, ["skills/gone", "skills/out", "skills/c/SKILL.md"]);
        assert_eq!(loaded.tally.checked, 1);
    }
}

// SPEC 1.10
#[test]
fn names_are_unique_in_one_folder_only() {
    let (a, other) = (md("a", "One."), md("a", "Another."));
    let across =
        Disk::new(&[("x/skills/a/SKILL.md", &a), ("y/skills/a/SKILL.md", &other), ("v1/a/SKILL.md", &other)]);
    assert_eq!(codes(&check(&across)), [""; 0]);
    let within = Disk::new(&[("x/skills/a/SKILL.md", &a), ("x/skills/b/a/SKILL.md", &other)]);
    assert_eq!(codes(&check(&within)), ["name-twice"]);
    let copies = Disk::new(&[("x/skills/a/SKILL.md", &a), ("x/skills/b/a/SKILL.md", &a)]);
    assert_eq!(codes(&check(&copies)), [""; 0]);
    // The bundle of a crate is one set of skills, with all folders in it.
    let files = [("skills/b/a/SKILL.md", a.as_str()), ("skills/c/a/SKILL.md", &other)];
    assert_eq!(codes(&check(&Disk::new(&files))), [""; 0]);
    let krate = Disk::new(&[files[0], files[1], ("Cargo.toml", "")]);
    assert_eq!(codes(&check(&krate)), ["name-twice"]);
}

// SPEC 1.10: two names with the same Rust identifier are a problem only in a crate
#[test]
fn names_with_one_identifier_are_separate_for_clients() {
    let (a, b) = (md("a-b", "One."), md("a_b", "Another."));
    let files = [("skills/a-b/SKILL.md", a.as_str()), ("skills/a_b/SKILL.md", &b)];
    assert_eq!(codes(&check(&Disk::new(&files))), [""; 0]);
    let krate = Disk::new(&[files[0], files[1], ("Cargo.toml", "")]);
    assert_eq!(codes(&check(&krate)), ["name-twice"]);
}

// SPEC 2.13: a client does not read `skill.json`, so a SKILL.md without frontmatter is reported
#[test]
fn a_description_in_another_file_does_not_count_for_clients() {
    let disk = Disk::new(&[
        ("skills/a/SKILL.md", "# A\nText.\n"),
        ("skills/a/skill.json", r#"{"description": "Reads."}"#),
    ]);
    let loaded = check(&disk);
    assert_eq!(codes(&loaded), ["manifest-foreign"]);
    assert!(loaded.report.diagnostics[0].help.contains("do not load a skill without them"));
}

// SPEC 2.13: a `skill.json` of another system without a SKILL.md is not a skill, and is not checked for our keys
#[test]
fn a_manifest_of_another_system_alone_is_not_a_skill() {
    let foreign = r#"{"name": "x", "version": "1.0", "entry": "main.js"}"#;
    let disk = Disk::new(&[("skills/a/skill.json", foreign), ("skills/b/skill.json", foreign)]);
    let loaded = check(&disk);
    assert_eq!(codes(&loaded), ["manifest-foreign", "manifest-foreign"]);
    assert!(loaded.catalog.skills().is_empty());
    let passed_over: Vec<&str> = loaded.tally.passed_over.iter().map(|one| one.path.as_str()).collect();
    assert_eq!((loaded.tally.checked, passed_over), (0, vec!["skills/a", "skills/b"]));
    // The author of an incomplete function gets a report of the missing parts.
    for begun in [r#"{"name": "a", "mdoe": "code", "entry": 1}"#, r#"{"name": "a", "description": "Adds."}"#]
    {
        let loaded = check(&Disk::new(&[("skills/a/skill.json", begun)]));
        assert!(codes(&loaded).contains(&"manifest-missing-key"), "{begun}");
    }
}

// SPEC 2.14: a fenced block that also tests `src/` shows commands of a project
#[test]
fn commands_of_a_project_name_no_files_of_the_skill() {
    let block = |lines: &str| {
        format!("---\nname: a\ndescription: D.\n---\n```bash\n{lines}python scripts/gone.py\n```\n")
    };
    let script = ("skills/a/scripts/x.py", "");
    let found = |lines: &str, more: &[(&str, &str)]| {
        let text = block(lines);
        let files = [&[("skills/a/SKILL.md", text.as_str()), script], more].concat();
        codes(&check(&Disk::new(&files))).len()
    };
    assert_eq!(found("", &[]), 1);
    assert_eq!(found("python -m pytest tests/ -v --cov=src/\n", &[]), 0);
    assert_eq!(found("python -m black src/\n", &[("skills/a/src/x.py", "")]), 1, "its own `src`");
}

// SPEC 2.14: a key that has another meaning in another system is reported once for all skills
#[test]
fn keys_of_another_system_are_reported_once() {
    let foreign =
        |name: &str| format!("---\nname: {name}\ndescription: Reads.\nrequires:\n  mcp: [x]\n---\nA.\n");
    let (a, b) = (foreign("a"), foreign("b"));
    let loaded = check(&Disk::new(&[("skills/a/SKILL.md", &a), ("skills/b/SKILL.md", &b)]));
    assert_eq!(codes(&loaded), ["key-foreign"]);
    assert!(loaded.report.diagnostics[0].title.ends_with(", in 2 skills"));
}

// SPEC 2.14: other skills of the folder are loaded by name, and have their own files
#[test]
fn mentions_of_another_skill_are_not_broken_links() {
    let text = "See [b](../b/) and [c](../b).\n\n| `b`'s | `references/x.md` |\n\nStore the plan as:\n- `references/plan.md`\n\n\
        Read `references/gone.md`.\n";
    let a = format!("{}{text}", md("a", "One."));
    let b = md("b", "Another.");
    let disk = Disk::new(&[
        ("skills/a/SKILL.md", a.as_str()),
        ("skills/a/references/y.md", "y"),
        ("skills/b/SKILL.md", &b),
        ("skills/b/references/x.md", "x"),
    ]);
    let loaded = check(&disk);
    assert_eq!(codes(&loaded), ["broken-link"]);
    assert!(loaded.report.diagnostics[0].title.contains("references/gone.md"));
}

// SPEC 2.14: text that is not a percent code stays unchanged
#[test]
fn a_link_is_decoded_as_an_address_is() {
    let text = "[a](a%+5.md) [b](two%20words.md) [c](50%.md)\n";
    let a = format!("{}{text}", md("a", "One."));
    let disk = Disk::new(&[
        ("skills/a/SKILL.md", a.as_str()),
        ("skills/a/a%+5.md", "a"),
        ("skills/a/two words.md", "b"),
        ("skills/a/50%.md", "c"),
    ]);
    assert_eq!(codes(&check(&disk)), [""; 0]);
}

// SPEC 2.5, 17.9, 9.7: JSON text in `metadata` is read like a map by all readers
#[test]
fn metadata_as_json_text_is_read_as_a_map() {
    let skill = |metadata: &str| {
        format!("---\nname: a\ndescription: Does a.\nmetadata: {metadata}\n---\nRead [this](gone.md).\n")
    };
    for metadata in [
        "\n  skills-allow: broken-link",
        r#"'{"skills-allow": "broken-link"}'"#,
        r#"'{"skills-allow": ["broken_link"]}'"#,
    ] {
        let disk = Disk::new(&[("skills/a/SKILL.md", &skill(metadata))]);
        assert_eq!(codes(&check(&disk)), [""; 0], "{metadata}");
    }
    for metadata in [r#"'{"skills-allow": "broken-lnk"}'"#, r#"'["broken-link"]'"#] {
        let disk = Disk::new(&[("skills/a/SKILL.md", &skill(metadata))]);
        assert!(!codes(&check(&disk)).is_empty(), "{metadata}");
    }
    let manifest = r#"{"name": "do_a", "description": "Does a.", "category": "t", "mode": "code",
        "input": {"type": "object"}, "output": {"type": "object"}}"#;
    for (metadata, reported) in
        [("\n  function: do_a", false), (r#"'{"function": "do_a"}'"#, false), (r#"'{"x": "do_a"}'"#, true)]
    {
        let text = skill(metadata).replace("Read [this](gone.md)", "Do it");
        let disk = Disk::new(&[("skills/a/SKILL.md", text.as_str()), ("skills/a/skill.json", manifest)]);
        assert_eq!(codes(&check(&disk)).contains(&"field-conflict"), reported, "{metadata}");
    }
}

// SPEC 1.5, 9.7: two names that are one directory for agents are reported, and an error in a bundle
#[test]
fn two_functions_of_one_directory_are_reported() {
    let manifest = |name: &str| {
        format!(
            r#"{{"name": "{name}", "description": "Does it.", "category": "t", "mode": "code",
                "input": {{"type": "object"}}, "output": {{"type": "object"}}}}"#
        )
    };
    let (one, two) = (manifest("a_b"), manifest("a__b"));
    for (other, text, reported) in [
        ("a__b/skill.json", two.as_str(), &["name-twice"][..]),
        ("ab/skill.json", &manifest("ab"), &[]),
        ("a__b/SKILL.md", &md("a_c", "Another."), &["name-mismatch"]),
    ] {
        let disk = Disk::new(&[("a_b/skill.json", one.as_str()), (other, text)]);
        let loaded = load(&disk.root(), "skills", &Options::default());
        assert_eq!(codes(&loaded), reported, "{other}");
        let options = Options { profile: Profile::Disk, ..Options::default() };
        let loaded = load(&disk.root(), "skills", &options);
        assert_eq!(loaded.catalog.skills().len(), 2, "{other}: both are there at run time");
    }
}

// SPEC 1.10: reported once; nothing is left out, and no link breaks
#[test]
fn limits_drop_nothing() {
    let text = format!("{}See references/z.md.\n", md("a", "One."));
    let files = [
        ("skills/a/SKILL.md", text.as_str()),
        ("skills/a/references/a.bin (600 bytes)", "x"),
        ("skills/a/references/b.bin (600 bytes)", "x"),
        ("skills/a/references/z.md", "z"),
        ("skills/b/SKILL.md", &md("b", "Two.")),
    ];
    let disk = Disk::new(&files);
    let read = ReadOptions { bundle_cap: Some(1000), ..ReadOptions::default() };
    let loaded = check_with(&disk, Options { read: read.clone(), ..Options::default() });
    assert_eq!(codes(&loaded), ["bundle-too-large"]);
    assert_eq!(loaded.report.errors(), 0);
    assert_eq!(loaded.catalog.skills().len(), 2);
    let bundle = load(&disk.root(), "skills", &Options { read, ..Options::default() });
    assert!(bundle.report.errors() > 0);
}

// SPEC 2.14
#[test]
fn an_unknown_key_is_reported_once_with_a_count() {
    let text =
        |name: &str| format!("---\nname: {name}\ndescription: Does {name}.\nfavourite: {name}\n---\n# X\n");
    let disk =
        Disk::new(&[("a/SKILL.md", &text("a")), ("b/SKILL.md", &text("b")), ("c/SKILL.md", &text("c"))]);
    let loaded = check(&disk);
    assert_eq!(codes(&loaded), ["key-unknown"]);
    assert_eq!(loaded.report.diagnostics[0].title, "unknown key `favourite`, in 3 skills");
}

// SPEC 2.16: files that only skill.json names do not concern the standard, and skill.json is not read
#[test]
fn the_standard_ignores_skill_json() {
    let disk = Disk::new(&[("a/skill.json", "{"), ("b/SKILL.md", &md("b", "Two.")), ("b/skill.json", "{}")]);
    let loaded = check_with(&disk, Options { profile: Profile::Standard, ..Options::default() });
    assert_eq!(codes(&loaded), [""; 0]);
    assert_eq!(loaded.tally.checked, 1);
    assert_eq!(passed(&loaded).into_iter().map(|(path, _)| path).collect::<Vec<_>>(), ["a"]);
}

// SPEC 1.9: in any tree, each file called SKILL.md belongs to a checked skill or is reported
#[test]
fn no_skill_is_passed_over_silently() {
    let names =
        ["a", "b", "skills", ".claude", ".agents", "node_modules", "assets", "target", "Plugins", ".github"];
    let entries = ["SKILL.md", "SKILL.md", "skill.md", "Skill.md", "skill.json", "README.md"];
    let mut random = Random(7);
    for round in 0..test_bed::rounds(20) {
        let disk = Disk::new(&[]);
        let root = disk.root();
        let mut folders = vec![String::new()];
        for _ in 0..random.below(24) {
            let above = folders[random.below(folders.len())].clone();
            let name = names[random.below(names.len())];
            let path = if above.is_empty() { name.to_owned() } else { format!("{above}/{name}") };
            if root.join(&path).symlink_metadata().is_ok() {
                continue;
            }
            match random.below(10) {
                0 => std::os::unix::fs::symlink("nowhere", root.join(&path)).unwrap(),
                1 => std::os::unix::fs::symlink("/usr", root.join(&path)).unwrap(),
                2 => std::os::unix::fs::symlink(&root, root.join(&path)).unwrap(),
                _ => {
                    fs::create_dir_all(root.join(&path)).unwrap();
                    let entry = root.join(&path).join(entries[random.below(entries.len())]);
                    match random.below(8) {
                        0 => std::os::unix::fs::symlink("nowhere", entry).unwrap(),
                        1 => std::os::unix::fs::symlink("/etc/hosts", entry).unwrap(),
                        _ => fs::write(entry, md(name, "Does it.")).unwrap(),
                    }
                    folders.push(path);
                }
            }
        }
        let loaded = check(&disk);
        let mut found = Vec::new();
        gather(&root, &root, &mut found);
        for path in found {
            let directory = path.rsplit_once('/').map_or("", |(directory, _)| directory);
            let is_checked = path.ends_with("SKILL.md") && skills(&loaded).contains(&directory);
            let is_reported =
                passed(&loaded).iter().any(|(reported, _)| *reported == path || *reported == directory);
            // A file in the wrong case beside the correct one is reported as a file of that skill.
            let has_problem = loaded
                .report
                .diagnostics
                .iter()
                .any(|problem| loaded.catalog.sources().file_of(problem.span).path == path);
            assert!(
                is_checked || is_reported || has_problem,
                "round {round}: {path}; {:?} {:?}",
                skills(&loaded),
                passed(&loaded)
            );
        }
    }
}

fn gather(root: &Path, directory: &Path, found: &mut Vec<String>) {
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.symlink_metadata().unwrap().is_dir() {
            gather(root, &path, found);
        } else if path.file_name().is_some_and(|name| name.eq_ignore_ascii_case("SKILL.md")) {
            found.push(path.strip_prefix(root).unwrap().to_str().unwrap().to_owned());
        }
    }
}

// SPEC 1.9: a directory whose skills are all links to elsewhere is not empty
#[test]
fn skills_behind_links_out_are_passed_over() {
    let disk = Disk::new(&[
        ("r/.claude/skills/pdf -> ../../../../away/pdf", ""),
        ("file/SKILL.md -> ../../away/pdf/SKILL.md", ""),
    ]);
    fs::create_dir_all(disk.top.join("away/pdf")).unwrap();
    fs::write(disk.top.join("away/pdf/SKILL.md"), md("pdf", "Reads.")).unwrap();
    let at = |path: &str| {
        let options = ReadOptions { scope: DirectoryKind::Repository, ..ReadOptions::default() };
        load(&disk.root().join(path), "skills", &Options { read: options, ..Options::default() })
    };
    let links = at("r/.claude/skills");
    assert_eq!(passed(&links), [("pdf", "below a link that is not followed")]);
    assert_eq!((codes(&links), links.report.errors()), (vec![], 0));
    let file = at("file");
    assert_eq!(passed(&file), [("SKILL.md", "behind a link out of the directory")]);
    assert_eq!(file.report.errors(), 0);
    let bundle = load(&disk.root().join("r/.claude/skills"), "skills", &Options::default());
    assert!(codes(&bundle).contains(&"root-empty"), "a bundle needs a skill");
    fs::create_dir_all(disk.root().join("none")).unwrap();
    assert_eq!(codes(&at("none")), ["root-empty"]);
}

// SPEC 1.9
#[test]
fn texts_that_are_no_skills_are_passed_over() {
    let a = md("a", "Does a.");
    let disk = Disk::new(&[
        ("SKILL.md", "# Skills\n\nSee [a](skills/a/SKILL.md).\n"),
        ("docs/guide.md", "g"),
        ("skills/a/SKILL.md", "---\nname: a\ndescription: Does a.\n---\nSee [guide](../../docs/guide.md).\n"),
        ("skills/gone -> nowhere", ""),
        ("skills/moved/SKILL.md", "# Moved\n\nSee a.\n"),
        ("flavors/a/SKILL.md", "<!-- part:start -->\nText.\n"),
        ("skills/late/SKILL.md", "<!-- note -->\n---\nname: late\ndescription: Does it.\n---\nText.\n"),
        ("skills/moved-files/SKILL.md", "# Moved files\n\nMoves files.\n"),
        ("backups/one/a/SKILL.md", &a),
        ("old/backup-20251108/a/SKILL.md", &a),
        ("skills/backup/SKILL.md", &md("backup", "Backs up.")),
    ]);
    let loaded = check(&disk);
    assert_eq!(skills(&loaded), ["skills/a", "skills/backup", "skills/late", "skills/moved-files"]);
    assert_eq!(
        passed(&loaded),
        [
            ("skills/moved/SKILL.md", "a note that the skill was moved"),
            ("flavors/a/SKILL.md", "a part of another text, without a frontmatter"),
            ("SKILL.md", "an index without a frontmatter, with skills below it"),
            ("backups/one/a/SKILL.md", "below a backup"),
            ("old/backup-20251108/a/SKILL.md", "below a backup"),
            ("skills/gone", "below a link that is not followed"),
        ]
    );
    let mut found = codes(&loaded);
    found.sort_unstable();
    assert_eq!(found, ["description-missing", "frontmatter-late", "link-broken", "link-leaves-skill"]);
    let alone = check(&Disk::new(&[("SKILL.md", "# A\n\nDoes a.\n")]));
    assert_eq!(skills(&alone), [""]);
}

// SPEC 1.9
#[test]
fn a_page_about_skills_is_no_misspelling() {
    let loaded = check(&Disk::new(&[
        ("skills/a/SKILL.md", &md("a", "Does a.")),
        ("skills/low/skill.md", &md("low", "Does it.")),
        ("wiki/skill.md", "---\nconcept: skill\n---\nA page.\n---\nname: a\n"),
    ]));
    assert_eq!(
        passed(&loaded),
        [
            ("skills/low/skill.md", "not named `SKILL.md`"),
            ("wiki/skill.md", "not named `SKILL.md`, and without the fields of a skill"),
        ]
    );
    assert_eq!(codes(&loaded), ["file-name-case"]);
}
