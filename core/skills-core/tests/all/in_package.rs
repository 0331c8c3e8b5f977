//! Tests a skill beside the `Cargo.toml` of its package, and files that cargo leaves out.
#![cfg(unix)]

use std::fs;

use skills_core::levels::Levels;
use skills_core::options::Options;
use skills_core::package::{Bundled, LeftOut, Package};
use skills_core::read::ReadOptions;

use crate::disk::{Disk, MD};

const CARGO: &str = "[package]\nname = \"pond\"\nversion = \"0.1.0\"\n";
const POND: &str = "---\nname: pond\ndescription: Fishes.\nexec: run\n---\nSee [the guide](docs/guide.md#start), \
                    [code](src/main.rs) and `references/api.md`.\n";

// SPEC 18.15
#[test]
fn a_skill_beside_a_manifest_has_its_own_files_only() {
    let disk = Disk::new(&[
        ("Cargo.toml", CARGO),
        ("Cargo.lock", ""),
        ("build.rs", "fn main() {}\n"),
        ("SKILL.md", POND),
        ("README.md", "# Pond\n"),
        ("assets/logo.svg", "<svg/>"),
        ("bin/run (executable)", "#!/bin/sh\n"),
        ("bin/other", "x"),
        ("docs/guide.md", "Cast.\n"),
        ("docs/more.md", "Wait.\n"),
        ("references/api.md", "api\n"),
        ("scripts/fish.sh", "#!/bin/sh\n"),
        ("src/main.rs", "fn main() {}\n"),
        ("target/debug/pond", "binary"),
        ("tests/fixtures/other/SKILL.md", MD),
        ("skills/second/SKILL.md", MD),
    ]);
    let reading = disk.read_with(&ReadOptions { git: false, ..ReadOptions::default() });
    assert_eq!(
        reading.files(),
        [
            "/SKILL.md",
            "/assets/logo.svg",
            "/bin/run",
            "/docs/guide.md",
            "/references/api.md",
            "/scripts/fish.sh"
        ]
    );
    assert_eq!(reading.problems(), [""; 0]);
    // A survey of the repository finds the other skills, too.
    let survey = skills_core::read::DirectoryKind::Repository;
    let reading = disk.read_with(&ReadOptions { git: false, scope: survey, ..ReadOptions::default() });
    assert!(reading.skills().contains(&"skills/second"), "{:?}", reading.skills());
}

// SPEC 18.15: the directory of an unpacked package is called `pond-0.1.0`
#[test]
fn the_directory_of_a_package_does_not_name_its_skill() {
    let disk = Disk::new(&[
        ("Cargo.toml", CARGO),
        ("SKILL.md", "---\nname: fishing\ndescription: Fishes.\n---\nCast.\n"),
    ]);
    let unpacked = disk.top.join("pond-0.1.0");
    fs::rename(disk.root(), &unpacked).expect("it was created");
    let load = || skills_core::load(&unpacked, ".", &Options::default());
    let loaded = load();
    assert_eq!(loaded.report.diagnostics.len(), 0, "{:?}", loaded.report.diagnostics);
    assert_eq!(loaded.catalog.skills()[0].name, "fishing");
    fs::write(unpacked.join("SKILL.md"), "---\ndescription: Fishes.\n---\nCast.\n").expect("a file");
    assert_eq!(load().catalog.skills()[0].name, "pond", "without a name, it is that of the package");
}

fn package(disk: &Disk, lines: &str) -> Package {
    disk.plant("Cargo.toml", &format!("{CARGO}{lines}\n"));
    Package::read(&disk.root(), "Cargo.toml")
}

// SPEC 18.14
#[test]
fn files_are_left_out_as_cargo_leaves_them_out() {
    let disk = Disk::new(&[(".git/HEAD", ""), (".git/index", "")]);
    let of = |lines| package(&disk, lines);
    for (lines, path, wanted) in [
        ("", "skills/a/SKILL.md", None),
        ("", ".claude/skills/a/SKILL.md", None),
        ("include = [\"/src\", \"/skills/**/*.md\"]", "skills/a/SKILL.md", None),
        ("include = [\"/src\", \"/skills/**/*.md\"]", "skills/a/run.sh", Some(LeftOut::Include)),
        ("include = [\"skills/\"]", "skills/a/run.sh", None),
        ("include = [\"*\", \"!/skills/a\"]", "skills/a/run.sh", None),
        ("exclude = [\"/docs\", \"*.sh\"]", "skills/a/run.sh", Some(LeftOut::Exclude(1))),
        ("exclude = [\"*.sh\", \"!/skills/**\"]", "skills/a/run.sh", None),
        ("include = [\"/src\"]\nexclude = [\"*.sh\"]", "src/run.sh", None),
    ] {
        assert_eq!(of(lines).left_out(path), wanted, "{lines} {path}");
    }
    fs::remove_dir_all(disk.root().join(".git")).expect("it was created");
    assert_eq!(of("").left_out(".claude/skills/a/SKILL.md"), Some(LeftOut::Hidden), "without git");
    assert_eq!(of("include = [\".claude\"]").left_out(".claude/skills/a/SKILL.md"), None);
}

fn titles(package: &Package, dir: &str, disk: &Disk, files: &[&str]) -> Vec<String> {
    let root = disk.root().join(dir);
    let bundled = Bundled { dir, label: dir, root: &root };
    let files: Vec<String> = files.iter().map(|path| (*path).to_owned()).collect();
    let found = package.check(bundled, &files, &Levels::default());
    found.report.diagnostics.iter().map(|found| format!("{}: {}", found.title, found.help)).collect()
}

// SPEC 18.14: each cause is reported once, with the correction
#[test]
fn files_that_cargo_leaves_out_are_reported_by_cause() {
    let disk = Disk::new(&[
        (".git/HEAD", ""),
        (".gitignore", "/made\n/drafts\n"),
        ("skills/a/SKILL.md", MD),
        ("made/a/SKILL.md", MD),
        ("drafts/a/SKILL.md", MD),
        ("inner/Cargo.toml", CARGO),
        ("inner/skills/a/SKILL.md", MD),
    ]);
    fs::write(disk.root().join(".git/index"), crate::skillignore::index(&["made/a/SKILL.md"]))
        .expect("written");
    let files = ["skills/a/SKILL.md", "skills/a/b.sh", "skills/a/c.sh"];
    let plain = package(&disk, "");
    assert_eq!(titles(&plain, "skills", &disk, &files), [""; 0]);
    assert_eq!(titles(&plain, "made", &disk, &["made/a/SKILL.md"]), [""; 0], "it was committed");
    assert_eq!(
        titles(&plain, "drafts", &disk, &["drafts/a/SKILL.md"]),
        [
            "`cargo package` leaves out `drafts`, because git ignores it: remove the line, or commit the skills in spite \
          of it: `git add --force drafts`"
        ]
    );
    assert_eq!(
        titles(&plain, "inner/skills", &disk, &[]),
        [
            "`cargo package` leaves out `inner/skills`, which lies in another package: copy the skills with `skills package vendor \
          inner/skills skills`, and bundle `skills`"
        ]
    );
    let exclude = package(&disk, "exclude = [\"*.sh\"]");
    assert_eq!(
        titles(&exclude, "skills", &disk, &files),
        [
            "`cargo package` leaves out 2 files of the skills in `skills`: remove the pattern, or add after it: \
          \"!/skills/**\""
        ]
    );
    let include = package(&disk, "include = [\"/src\"]");
    assert_eq!(
        titles(&include, "skills", &disk, &files),
        ["`cargo package` leaves out all skills of `skills`: add to the list: \"/skills/**\""]
    );
    let private = package(&disk, "publish = false\ninclude = [\"/src\"]");
    assert_eq!(titles(&private, "skills", &disk, &files), [""; 0]);
    assert_eq!(titles(&private, "../skills", &disk, &files), [""; 0]);
    let outside = titles(&plain, "../shared", &disk, &files);
    assert!(outside[0].contains("`skills package vendor ../shared shared`"), "{outside:?}");
}
