//! Compares `.skillignore` with git: the same lines exclude the same files.
#![cfg(unix)]

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
