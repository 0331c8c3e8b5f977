//! Compares `.skillignore` with git: the same lines exclude the same files.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test without its directory must fail")]

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Output};

use skills_core::read::ReadOptions;

use crate::disk::{Disk, MD};

/// Files of every compared directory.
const FILES: &[&str] = &[
    "a",
    "b/a",
    "b/b",
    "ab",
    "aab",
    "abb",
    "c.txt",
    "d/a",
    "d/ab",
    "d/b/a",
    "d/b/c.txt",
    "d/b/d/a",
    "d/e/b/a",
    "e b",
    "e ",
    "e  ",
    "#x",
    "!x",
    "x*y",
    "xzy",
    "x[y",
    "f]g",
    "f-g",
    "g\\h",
    "k/l/m/n/o",
    "k/l/o",
    "k/o",
    "o",
    "ée",
    "k/l/m/a.txt",
    "R",
    "7",
    "d/7a",
    "_",
    "b-a/b",
    "db/a/b",
    "z/a\ttab",
    "z/{a,b}",
    "z/^",
    "z/ab/c",
];

/// Common lines, and unusual ones from the manual.
const LINES: &[&str] = &[
    "a",
    "/a",
    "a/",
    "b/",
    "/b/",
    "b/a",
    "/b/a",
    "*/a",
    "**/a",
    "d/**",
    "d/**/a",
    "d/**/",
    "**/b/a",
    "**",
    "*",
    "/*",
    "/*/",
    "*/",
    "*/*",
    "**/*",
    "**/",
    "/**",
    "d/*",
    "d/*/a",
    "d/*/",
    "*.txt",
    "/*.txt",
    "d/**/*.txt",
    "a*",
    "?",
    "??",
    "/?",
    "*b",
    "a?b",
    "a*b",
    "[ab]",
    "[!ab]",
    "[^ab]",
    "[a-c]",
    "[]]",
    "[]-]",
    "f[]]g",
    "f[!a]g",
    "f[-a]g",
    "f[a-]g",
    "x[[]y",
    "x\\[y",
    "x\\*y",
    "x*y",
    "x?y",
    "x[*]y",
    "\\#x",
    "#x",
    "\\!x",
    "!x",
    "e b",
    "e\\ b",
    "e ",
    "e\\ ",
    "e \\ ",
    "e\\  ",
    "e  ",
    "g\\\\h",
    "g\\h",
    "g?h",
    "[[:digit:]]",
    "[[:alpha:]]",
    "[[:upper:]]",
    "[![:alnum:]]",
    "[[:digit:]a]",
    "*[[:digit:]]*",
    "[[:punct:]]",
    "[[:space:]]",
    "k/**/o",
    "k/*/o",
    "k/**/m",
    "k/**/m/**",
    "**/m/**/o",
    "/**/o",
    "k**o",
    "k**/o",
    "k/**o",
    "**o",
    "l/",
    "l/m",
    "/l/m",
    "é*",
    "??e",
    "?e",
    "\\a",
    "\\\\",
    "a\\",
    "[",
    "[a",
    "[!",
    "[]",
    "[a-",
    "a[",
    "/",
    "//",
    "a//b",
    "!",
    "!/",
    "./a",
    "../a",
    "b/../a",
    "***",
    "k/***/o",
    "***/o",
    "d/****",
    "[b-a]",
    "[a-a]",
    "[\\]]",
    "f[\\]]g",
    "[[:nope:]]",
    "[[:digit]",
    "[[:digit:]",
    "{a,b}",
    "z/{a,b}",
    "^",
    "a$",
    "+",
    "a|b",
    " a",
    "\ta",
    "a\t",
    "z/a\ttab",
    "R",
    "r",
    "b-a",
    "b-*",
    "[+--]-a",
    "f[,-.]g",
    "*/b/*",
    "**/**/a",
    "**/*/a",
    "d/**/**/a",
    "*/**/a",
    "d/**/*/a",
    "**/d/**",
    "/d",
    "d/",
    "[d]/a",
    "d[/]a",
    "d?a",
    "[!x]",
    "*.*",
    "*a*",
    "*a*b*",
    "\\?",
    "/ab/",
    "z/*/c",
];

/// Several lines whose order and negation matter.
const FILESETS: &[&str] = &[
    "*\n!a\n",
    "*\n!*/\n!a\n",
    "d/\n!d/a\n",
    "d/*\n!d/a\n",
    "d/**\n!d/b/\n!d/b/a\n",
    "!a\na\n",
    "a\n!a\na\n",
    "*.txt\n!c.txt\n",
    "a\r\nb\r\n",
    "\u{feff}a\n",
    "# a\n\n   \nb",
    "/*\n!/d\n/d/*\n!/d/b\n",
    "k/l/*\n!k/l/m\nk/l/m/*\n!k/l/m/n\n",
    "a\n!/d/a\n",
    "**/a\n!d/**/a\n",
    "e\\ \r\n",
    "a \r\n",
    "*\n!*/\n!*.txt\n",
    "d\n!d\n",
    "b/\n!b\n",
    "!\na\n",
    "[a\nab\n",
    "/k/\n!/k/l/\n",
    "?\n![ab]\n",
];

// SPEC 1.3
#[test]
#[ignore = "needs git"]
fn git_agrees_on_every_line() {
    let sets: Vec<String> = LINES
        .iter()
        .map(|line| format!("{line}\n"))
        .chain(FILESETS.iter().map(ToString::to_string))
        .chain(grown())
        .collect();
    let disk = Disk::new(&[("SKILL.md", MD)]);
    let root = disk.root();
    FILES.iter().for_each(|file| disk.plant(file, ""));
    test_bed::need("git");
    git(&root, &["init", "--quiet"]).expect("a repository");
    let options = ReadOptions { contents: false, ..ReadOptions::default() };
    let mut differences = Vec::new();
    let mut kept = 0;
    for set in &sets {
        disk.plant(".skillignore", set);
        disk.plant(".gitignore", set);
        let listed =
            git(&root, &["ls-files", "-z", "--others", "--exclude-standard"]).expect("git lists files");
        let listed = String::from_utf8(listed.stdout).unwrap();
        let theirs: BTreeSet<&str> = listed.split_terminator('\0').collect();
        let reading = disk.read_with(&options);
        let ours: BTreeSet<&str> =
            reading.tree.skills[0].files.iter().map(|file| file.path.as_str()).collect();
        for file in FILES {
            kept += usize::from(theirs.contains(file));
            if ours.contains(file) != theirs.contains(file) {
                let verdict = if ours.contains(file) { "we keep" } else { "we leave out" };
                differences.push(format!("{set:?}: {verdict} {file:?}"));
            }
        }
    }
    let all = sets.len() * FILES.len();
    assert!(
        kept > all / 10 && kept < all * 9 / 10,
        "git kept {kept} of {all}: that compares next to nothing"
    );
    assert!(differences.is_empty(), "{} differences:\n{}", differences.len(), differences.join("\n"));
}

/// Lines composed of special characters by a fixed rule.
fn grown() -> Vec<String> {
    let parts = [
        "a", "b", "d", "*", "**", "/", "/", "?", "[ab]", "[!a]", "**/", "/**/", "*.txt", "k", "o", "!", "\\",
        "-",
    ];
    let mut state = 7u32;
    let mut next = |below: usize| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 16) as usize % below
    };
    (0..200)
        .map(|_| {
            let lines = 1 + next(3);
            let mut line = || (0..1 + next(5)).map(|_| parts[next(parts.len())]).collect::<String>() + "\n";
            (0..lines).map(|_| line()).collect()
        })
        .collect()
}

fn git(root: &Path, arguments: &[&str]) -> Option<Output> {
    let output = Command::new("git")
        .current_dir(root)
        .args(["-c", "core.excludesFile=/dev/null", "-c", "core.ignoreCase=false"])
        .args(arguments)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env_remove("GIT_DIR")
        .output();
    output.ok().filter(|output| output.status.success())
}

/// Returns an index of git, in version 2, with these paths.
pub(crate) fn index(paths: &[&str]) -> Vec<u8> {
    let mut bytes = [b"DIRC".as_slice(), &2_u32.to_be_bytes(), &(paths.len() as u32).to_be_bytes()].concat();
    for path in paths {
        let start = bytes.len();
        bytes.extend([0; 60]);
        bytes.extend((path.len() as u16).to_be_bytes());
        bytes.extend(path.bytes());
        bytes.extend(vec![0; 8 - (bytes.len() - start) % 8]);
    }
    bytes.extend([0; 20]);
    bytes
}

/// Returns the files that are bundled although git ignores them, by the paths of the reports.
fn ignored(root: &Path) -> Vec<String> {
    let mut report = skills_core::report::Report::default();
    let tree = skills_core::read::read(root, "skills", &ReadOptions::default(), &mut report);
    let found = report.diagnostics.iter().filter(|found| found.rule.code == "git-ignored");
    found.map(|found| format!("{} {}", tree.sources.file_of(found.span).path, found.label)).collect()
}

// SPEC 12.12: a tracked file is not ignored; the index is read in all its forms
#[test]
fn tracked_files_are_not_ignored() {
    const LABEL: &str = "a line of a `.gitignore` matches it";
    let run = |root: &Path, arguments: &[&str]| {
        let done = git(
            root,
            &[&["-c", "user.name=a", "-c", "user.email=a@b", "-c", "protocol.file.allow=always"], arguments]
                .concat(),
        );
        assert!(done.is_some(), "git {arguments:?}");
    };
    let disk =
        Disk::new(&[("pdf/SKILL.md", MD), ("pdf/a.log", "1"), ("pdf/b.log", "2"), ("pdf/sub/c.log", "3")]);
    let top = &disk.top;
    std::fs::write(top.join(".gitignore"), "*.log\n").unwrap();
    run(top, &["init", "--quiet", "."]);
    let mut all: Vec<String> =
        ["a.log", "b.log", "sub/c.log"].map(|name| format!("pdf/{name} {LABEL}")).to_vec();
    assert_eq!(ignored(&disk.root()), all, "nothing is tracked yet");
    run(
        top,
        &["add", "--force", ".gitignore", "skills/pdf/SKILL.md", "skills/pdf/a.log", "skills/pdf/sub/c.log"],
    );
    all.remove(2);
    all.remove(0);
    assert_eq!(ignored(&disk.root()), all);
    for version in ["3", "4", "2"] {
        run(top, &["update-index", "--index-version", version]);
        assert_eq!(ignored(&disk.root()), all, "version {version}");
    }
    run(top, &["commit", "--quiet", "-m", "all"]);
    // A linked work tree has an index of its own, and `.git` is a file there.
    let linked = top.join("linked");
    run(top, &["worktree", "add", "--quiet", "linked"]);
    std::fs::write(linked.join("skills/pdf/b.log"), "2").unwrap();
    assert_eq!(ignored(&linked.join("skills")), all, "a work tree");
    // A split index holds most paths in a shared file; one of them is deleted here.
    run(top, &["update-index", "--split-index"]);
    run(top, &["rm", "--quiet", "--cached", "skills/pdf/sub/c.log"]);
    run(top, &["add", "--force", "skills/pdf/b.log"]);
    let split = ignored(&disk.root());
    assert_eq!(split, [format!("pdf/sub/c.log {LABEL}")], "a split index");
    // A repository in the skill has rules and files of its own.
    let inner = disk.root().join("pdf/inner");
    std::fs::create_dir_all(&inner).unwrap();
    std::fs::write(inner.join("d.log"), "4").unwrap();
    run(&inner, &["init", "--quiet", "."]);
    assert_eq!(ignored(&disk.root()), split, "no line of the inner repository matches");
    // An index that cannot be read is said.
    std::fs::write(top.join(".git/index"), "DIRC").unwrap();
    let unknown = ignored(&disk.root());
    assert!(
        unknown.len() == 3 && unknown[0].ends_with("its format is unknown, or it is damaged"),
        "{unknown:?}"
    );
}

// SPEC 12.12: a sparse index names a directory instead of its files
#[test]
fn a_sparse_index_names_directories() {
    let disk = Disk::new(&[
        (".gitignore", "*.log\n"),
        ("pdf/SKILL.md", MD),
        ("pdf/sub/c.log", "3"),
        ("pdf/d.log", "4"),
    ]);
    std::fs::create_dir(disk.root().join(".git")).unwrap();
    std::fs::write(disk.root().join(".git/index"), index(&["pdf/SKILL.md", "pdf/sub/"])).unwrap();
    assert_eq!(ignored(&disk.root()), ["pdf/d.log a line of a `.gitignore` matches it"]);
}

// SPEC 1.3: hidden files are material below four directories, and elsewhere if a line with `!` names them
#[test]
fn hidden_files_are_material_below_four_directories() {
    let hidden = [
        "pdf/assets/.github/workflows/ci.yml",
        "pdf/assets/.env",
        "pdf/assets/.env.example",
        "pdf/assets/.DS_Store",
        "pdf/assets/.git/config",
        "pdf/assets/a/_rels/.rels",
        "pdf/assets/.netrc",
        "pdf/references/.hidden.md",
        "pdf/scripts/.lib/a.sh",
        "pdf/templates/.helmignore",
        "pdf/.config/keep.json",
        "pdf/.config/drop.json",
        "pdf/.other/a",
        "pdf/docs/.hidden.md",
    ];
    let paths = |more: &[(&str, &str)]| -> (Vec<String>, Vec<String>) {
        let mut files = vec![("pdf/SKILL.md", MD)];
        files.extend(hidden.map(|path| (path, "text\n")));
        files.extend(more);
        let disk = Disk::new(&files);
        let mut report = skills_core::report::Report::default();
        let tree = skills_core::read::read(&disk.root(), "skills", &ReadOptions::default(), &mut report);
        let secrets = report.diagnostics.iter().map(|found| tree.sources.file_of(found.span).path.clone());
        (tree.skills[0].files.iter().map(|file| file.path.clone()).collect(), secrets.collect())
    };
    let material = [
        "SKILL.md",
        "assets/.env.example",
        "assets/.github/workflows/ci.yml",
        "assets/a/_rels/.rels",
        "references/.hidden.md",
        "scripts/.lib/a.sh",
        "templates/.helmignore",
    ];
    let (found, secrets) = paths(&[]);
    assert_eq!(found, material);
    assert_eq!(secrets, ["pdf/assets/.env", "pdf/assets/.netrc"]);
    let (found, _) = paths(&[("pdf/.skillignore", "!/.config/keep.json\n!/.other/\n!.env\n")]);
    let mut wanted: Vec<String> = material.map(str::to_owned).to_vec();
    wanted.extend([".config/keep.json", ".other/a"].map(str::to_owned));
    wanted.sort();
    assert_eq!(found, wanted);
}

// SPEC 8.14
#[test]
fn evals_are_not_bundled_by_default() {
    let evals = ["pdf/evals/evals.json", "pdf/evals/files/a.txt", "pdf/docs/evals/kept.md"];
    let paths = |more: &[(&str, &str)]| -> Vec<String> {
        let mut files = vec![("pdf/SKILL.md", MD)];
        files.extend(evals.map(|path| (path, "{}")));
        files.extend(more);
        let disk = Disk::new(&files);
        let mut report = skills_core::report::Report::default();
        let tree = skills_core::read::read(&disk.root(), "skills", &ReadOptions::default(), &mut report);
        tree.skills[0].files.iter().map(|file| file.path.clone()).collect()
    };
    assert_eq!(paths(&[]), ["SKILL.md", "docs/evals/kept.md"]);
    let asked = paths(&[("pdf/.skillignore", "!evals/\n")]);
    assert_eq!(asked, ["SKILL.md", "docs/evals/kept.md", "evals/evals.json", "evals/files/a.txt"]);
}
