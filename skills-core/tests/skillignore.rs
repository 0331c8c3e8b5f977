//! `.skillignore` against git: the same lines leave out the same files (SPEC 1.3).
#![cfg(unix)]

mod disk;

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Output};

use disk::{Disk, MD};
use skills_core::read::ReadOptions;

/// Files of every directory that is compared.
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

/// Lines that a person would write, and the odd ones of the manual.
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

/// Several lines, where order and negation count.
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
fn git_agrees_on_every_line() {
    let sets: Vec<String> = LINES
        .iter()
        .map(|line| format!("{line}\n"))
        .chain(FILESETS.iter().map(ToString::to_string))
        .chain(grown())
        .collect();
    let disk = Disk::new(&[]);
    let root = disk.root();
    for (index, set) in sets.iter().enumerate() {
        for file in FILES.iter().chain(&["SKILL.md"]) {
            disk.plant(&format!("{index:03}/{file}"), MD);
        }
        disk.plant(&format!("{index:03}/.skillignore"), set);
        disk.plant(&format!("{index:03}/.gitignore"), set);
    }
    let listed = git(&root, &["init", "--quiet"])
        .and_then(|_| git(&root, &["ls-files", "-z", "--others", "--exclude-standard"]));
    let Some(listed) = listed else {
        eprintln!("SKIPPED: git is not there to compare with");
        return;
    };
    let theirs: BTreeSet<String> =
        String::from_utf8(listed.stdout).unwrap().split_terminator('\0').map(String::from).collect();
    let ours: BTreeSet<String> = disk
        .read_with(&ReadOptions { contents: false, ..ReadOptions::default() })
        .files()
        .into_iter()
        .collect();
    let is_compared = |path: &&&String| {
        !path.ends_with("/SKILL.md") && !path.ends_with("/.skillignore") && !path.ends_with("/.gitignore")
    };
    let mut differences = Vec::new();
    for path in ours.symmetric_difference(&theirs).collect::<Vec<_>>().iter().filter(is_compared) {
        let index: usize = path[..3].parse().unwrap();
        let verdict = if ours.contains(*path) { "we keep" } else { "we leave out" };
        differences.push(format!("{:?}: {verdict} {:?}", sets[index], &path[4..]));
    }
    assert!(theirs.len() > 1000, "git listed next to nothing: {}", theirs.len());
    assert!(differences.is_empty(), "{} differences:\n{}", differences.len(), differences.join("\n"));
}

/// Lines put together from the signs that mean something, by a fixed rule.
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
