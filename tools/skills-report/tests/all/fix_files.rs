//! Fixes on files: which files are written, which fixes are refused, and diffs for `patch` (SPEC 17.2, 17.3,
//! 12.3).
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test without its directory must fail")]

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::Command;

use skills_core::edit::Applicability;
use skills_core::options::Options;
use skills_core::read::{Overlaid, Overlay};
use skills_core::{Loaded, load_over};
use skills_report::fix::{self, Fixed};

use crate::disk::Disk;

const COLON: &str = "---\nname: pdf\ndescription: Use when: reading\n---\n# PDF\n";
const QUOTED: &str = "---\nname: pdf\ndescription: \"Use when: reading\"\n---\n# PDF\n";

fn fixed(root: &Path) -> Fixed<Loaded> {
    let check = |over: &Overlay| load_over(root, "skills", &Options::default(), over);
    fix::fix(root, Overlay::default(), Applicability::Unsafe, check).unwrap()
}

fn write(root: &Path, done: &Fixed<Loaded>) -> std::io::Result<()> {
    fix::write(root, &done.over, &done.renamed, &done.found)
}

fn read(root: &Path, path: &str) -> String {
    fs::read_to_string(root.join(path)).unwrap()
}

/// Returns all files below a directory, with their texts and executable bits.
fn tree(root: &Path) -> BTreeMap<String, (Vec<u8>, bool)> {
    let mut files = BTreeMap::new();
    let mut open = vec![root.to_owned()];
    while let Some(dir) = open.pop() {
        for entry in fs::read_dir(&dir).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
                continue;
            }
            let mode = fs::metadata(&path).unwrap().permissions().mode();
            let name = path.strip_prefix(root).unwrap().to_str().unwrap().to_owned();
            files.insert(name, (fs::read(&path).unwrap(), mode & 0o111 != 0));
        }
    }
    files
}

// SPEC 17.15: if another process changes a file between reading and writing, nothing is written
#[test]
fn a_change_meanwhile_is_not_lost() {
    let disk = Disk::new(&[("a/SKILL.md", &COLON.replace("pdf", "a")), ("pdf/SKILL.md", COLON)]);
    let root = disk.root();
    let done = fixed(&root);
    let theirs = COLON.replace("reading", "writing");
    fs::write(root.join("pdf/SKILL.md"), &theirs).unwrap();
    let before = tree(&root);
    let error = write(&root, &done).unwrap_err().to_string();
    assert!(error.contains("pdf/SKILL.md: it changed while it was being fixed"), "{error}");
    assert_eq!(tree(&root), before);
    fs::remove_file(root.join("pdf/SKILL.md")).unwrap();
    assert!(write(&root, &done).is_err(), "a file that is gone does not come back");
    assert!(!root.join("pdf/SKILL.md").exists());
    fs::write(root.join("pdf/SKILL.md"), COLON).unwrap();
    write(&root, &done).unwrap();
    assert_eq!(read(&root, "pdf/SKILL.md"), QUOTED);
}

// SPEC 17.15: a new file with the name is not overwritten
#[test]
fn a_renamed_file_overwrites_no_other() {
    let disk = Disk::new(&[("pdf/skill.md", QUOTED)]);
    let root = disk.root();
    let done = fixed(&root);
    assert_eq!(done.renamed.len(), 1);
    fs::write(root.join("pdf/SKILL.md"), "theirs").unwrap();
    let error = write(&root, &done).unwrap_err().to_string();
    assert!(error.contains("it changed while"), "{error}");
    assert_eq!((read(&root, "pdf/SKILL.md"), read(&root, "pdf/skill.md")), ("theirs".into(), QUOTED.into()));
    fs::remove_file(root.join("pdf/SKILL.md")).unwrap();
    write(&root, &done).unwrap();
    assert_eq!(read(&root, "pdf/SKILL.md"), QUOTED);
    assert!(!root.join("pdf/skill.md").exists());
}

// SPEC 17.15: files without write permission are left, and reported
#[test]
fn a_read_only_file_is_left() {
    let disk = Disk::new(&[("a/SKILL.md", &COLON.replace("pdf", "a")), ("pdf/SKILL.md", COLON)]);
    let root = disk.root();
    fs::set_permissions(root.join("pdf/SKILL.md"), fs::Permissions::from_mode(0o444)).unwrap();
    let before = tree(&root);
    let error = write(&root, &fixed(&root)).unwrap_err().to_string();
    assert!(error.contains("pdf/SKILL.md: it is read-only"), "{error}");
    assert_eq!(tree(&root), before, "no other file is written either");
}

// SPEC 12.3, 17.15: nothing is written through a link that leads out of the root
#[test]
fn nothing_outside_is_written() {
    let disk = Disk::new(&[("pdf/SKILL.md", QUOTED), ("pdf/.env", "KEY=1\n")]);
    let root = disk.root();
    fs::write(disk.top.join("outside"), "*.tmp\n").unwrap();
    fs::create_dir(disk.top.join("elsewhere")).unwrap();
    symlink("../../outside", root.join("pdf/.skillignore")).unwrap();
    symlink("../../elsewhere", root.join("pdf/bin")).unwrap();
    let done = fixed(&root);
    let real = root.canonicalize().unwrap();
    assert!(done.over.iter().all(|(path, _)| path.starts_with(&real)), "{:?}", done.over);
    write(&root, &done).unwrap();
    assert_eq!(fs::read_to_string(disk.top.join("outside")).unwrap(), "*.tmp\n");
    assert_eq!(fs::read_dir(disk.top.join("elsewhere")).unwrap().count(), 0);
}

// SPEC 17.3: a diff with new names, modes, new files and line ends gives the files of `--fix`, by `patch -p1` and
// `git apply`
#[test]
#[ignore = "needs git and patch"]
fn patches_equal_the_written_files() {
    let files = [
        ("pdf/skill.md", QUOTED),
        ("csv/skill.md", "---\nname: csv\ndescription: Reads: tables\n---\n# CSV\nno line feed"),
        ("crlf/SKILL.md", "\u{feff}---\r\nname: crlf\r\ndescription: Use: it\r\n---\r\n# C\r\n"),
        ("run/SKILL.md", "---\nname: run\ndescription: Runs.\nexec: go\n---\n# R\n"),
        ("run/bin/go", "#!/bin/sh\ncat\n"),
        ("ask/SKILL.md", "---\nname: ask\ndescription: Asks.\n---\n"),
        (
            "tabs/SKILL.md",
            "---\nname: tabs\ndescription: Use: it\nmetadata:\n\tplace:\there\n---\n\tcode\u{7}\u{1b}[31m\u{2028}\n",
        ),
        (
            "signs/SKILL.md",
            "---\nname: signs\ndescription: Use: \u{200b}it\u{feff}\n---\nA\u{0} B\rC\u{c}\u{85}\r\n\u{202e}no line feed",
        ),
        ("old/SKILL.md (latin-1)", "---\nname: old\ndescription: Caf\u{e9}s.\n---\n# Caf\u{e9}\n"),
        ("env/SKILL.md", "---\nname: env\ndescription: Reads.\n---\n# E\n"),
        ("env/.env", "TOKEN=secret\n"),
    ];
    let wanted = Disk::new(&files);
    let done = fixed(&wanted.root());
    let diff = fix::diff(&wanted.root(), "skills", &done.over, &done.renamed);
    write(&wanted.root(), &done).unwrap();
    let wanted = tree(&wanted.root());
    assert!(
        wanted.contains_key("pdf/SKILL.md") && wanted.contains_key("env/.skillignore"),
        "{:?}",
        wanted.keys()
    );
    assert!(wanted["run/bin/go"].1);
    assert!(done.over.iter().count() > 8, "{:?}", done.over.iter().map(|(path, _)| path).collect::<Vec<_>>());
    for (program, arguments) in
        [("patch", ["-p1", "-i", "../fix.diff"]), ("git", ["apply", "-p1", "../fix.diff"])]
    {
        test_bed::need(program);
        let disk = Disk::new(&files);
        fs::create_dir(disk.top.join("in")).unwrap();
        fs::rename(disk.root(), disk.top.join("in/skills")).unwrap();
        fs::write(disk.top.join("fix.diff"), &diff).unwrap();
        let output = Command::new(program).args(arguments).current_dir(disk.top.join("in")).output().unwrap();
        assert!(output.status.success(), "{program}: {output:?}\n{}", String::from_utf8_lossy(&diff));
        assert_eq!(
            tree(&disk.top.join("in/skills")),
            wanted,
            "{program}\n{}",
            String::from_utf8_lossy(&diff)
        );
    }
}

// SPEC 17.3: names are quoted as git does, old and new ones
#[test]
#[ignore = "needs git and patch"]
fn odd_names_are_quoted() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let names: [&[u8]; 12] = [
        b"plain.md",
        b"a tab\t.md",
        b"a line\nfeed.md",
        b"a \"quote\".md",
        b"a back\\slash.md",
        b"not-utf8-\xff.md",
        "n\u{e9}e \u{202e}\u{6587}.md".as_bytes(),
        b"ends with a blank ",
        b" begins with one",
        b"-dash.md",
        b"control\x07\x1b[31m.md",
        b"two  blanks\t",
    ];
    for label in ["skills", "./skills/", "odd \t\"label\" \u{fc}\\"] {
        for program in ["git", "patch"] {
            test_bed::need(program);
            let disk = Disk::new(&[]);
            let top = disk.top.join("in");
            let root = top.join(label);
            let mut over = Overlay::default();
            let mut renamed = Vec::new();
            let put = |over: &mut Overlay, path: &Path| {
                over.insert(path.to_owned(), Overlaid { bytes: b"one\nthree\n".to_vec(), executable: false });
            };
            for name in names.map(OsStr::from_bytes) {
                for dir in ["changed", "new", "from", "to"] {
                    fs::create_dir_all(root.join(dir)).unwrap();
                }
                let real = root.canonicalize().unwrap();
                fs::write(real.join("changed").join(name), "one\ntwo\n").unwrap();
                fs::write(real.join("from").join(name), "one\ntwo\n").unwrap();
                put(&mut over, &real.join("changed").join(name));
                put(&mut over, &real.join("new").join(name));
                put(&mut over, &real.join("to").join(name));
                renamed.push((real.join("from").join(name), real.join("to").join(name)));
            }
            let diff = fix::diff(&root, label, &over, &renamed);
            let diff = String::from_utf8(diff).unwrap();
            assert!(diff.lines().all(|line| line.is_ascii() && !line.contains(['\t', '\u{1b}'])), "{diff}");
            fs::write(top.join("fix.diff"), &diff).unwrap();
            let arguments: &[&str] =
                if program == "git" { &["apply", "fix.diff"] } else { &["-p1", "-i", "fix.diff"] };
            let output = Command::new(program).args(arguments).current_dir(&top).output().unwrap();
            assert!(output.status.success(), "{program}: {output:?}\n{diff}");
            for name in names.map(OsStr::from_bytes) {
                for dir in ["changed", "new", "to"] {
                    let text = fs::read_to_string(root.join(dir).join(name));
                    assert_eq!(text.unwrap(), "one\nthree\n", "{program}: {dir}/{name:?}");
                }
                assert!(!root.join("from").join(name).exists(), "{program}: {name:?}");
            }
        }
    }
}

// SPEC 17.20: a name and a directory in other letter case are repaired together
#[test]
fn a_directory_is_renamed_with_its_skill() {
    let text = "---\nname: Echo\ndescription: Echoes. See [a](references/a.md).\n---\n# Echo\n";
    let disk = Disk::new(&[
        ("Echo/SKILL.md", text),
        ("Echo/references/a.md", "a"),
        ("Echo/run.sh (executable)", "#!/bin/sh\n"),
        ("Csv/SKILL.md", &text.replace("Echo", "csv")),
    ]);
    let root = disk.root();
    let done = fixed(&root);
    write(&root, &done).unwrap();
    assert_eq!(read(&root, "echo/SKILL.md"), text.replace("name: Echo", "name: echo"));
    assert_eq!(
        (read(&root, "echo/references/a.md"), read(&root, "echo/run.sh")),
        ("a".into(), "#!/bin/sh\n".into())
    );
    assert!(!root.join("Echo").exists() && !root.join("Csv").exists() && root.join("csv/SKILL.md").exists());
    assert!(fixed(&root).renamed.is_empty(), "nothing is left");
}
