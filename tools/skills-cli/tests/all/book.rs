//! Runs the book in `docs/book`: the shell blocks of a page run one after another in one directory, and their output is
//! compared with the page. `BLESS=1` writes the output into the page.
//!
//! The line before a block says how it is used:
//!
//! - `<!-- file: PATH -->`: the block is written to this file
//! - `<!-- exit: N -->`: the shell block ends with this exit code
//! - `<!-- prints -->`: the block is the output of the shell block before it
//! - `<!-- not run: REASON -->`: the block `console` is not run
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test without its directory must fail")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::command::{Place, Run};
use crate::reference::between;

const BOOK: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/book");

/// A fenced block of a page.
struct Block {
    /// The comment on the line before it, without its delimiters.
    note: String,
    language: String,
    text: String,
    /// The lines of its text in the page.
    lines: std::ops::Range<usize>,
}

/// Returns the fenced blocks of a text, in order.
fn blocks(text: &str) -> Vec<Block> {
    let lines: Vec<&str> = text.split('\n').collect();
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        let ticks = line.len() - line.trim_start_matches('`').len();
        if ticks < 3 {
            at += 1;
            continue;
        }
        let fence = "`".repeat(ticks);
        let end = at + 1 + lines[at + 1..].iter().position(|line| *line == fence).unwrap();
        let before = at.checked_sub(1).map_or("", |before| lines[before]);
        let note = before.strip_prefix("<!-- ").and_then(|note| note.strip_suffix(" -->")).unwrap_or("");
        let text: String = lines[at + 1..end].iter().map(|line| format!("{line}\n")).collect();
        found.push(Block {
            note: note.to_owned(),
            language: line[ticks..].to_owned(),
            text,
            lines: at + 1..end,
        });
        at = end + 1;
    }
    found
}

/// Returns the pages in the order of `SUMMARY.md`, as paths below `text`.
fn pages() -> Vec<String> {
    let summary = fs::read_to_string(format!("{BOOK}/text/SUMMARY.md")).unwrap();
    let links = summary.split("](").skip(1).map(|rest| rest.split(')').next().unwrap().to_owned());
    links.filter(|link| !link.starts_with("..")).collect()
}

/// Replaces the parts of an output that differ from run to run.
fn stable(output: &str, place: &Place) -> String {
    let output = output.replace(place.top.to_str().unwrap(), "/home/me/desk");
    let output = output.replace(place.top.file_name().unwrap().to_str().unwrap(), "desk");
    let mut parts = output.split("\"duration_ms\":");
    let mut stable = parts.next().unwrap().to_owned();
    for part in parts {
        stable.push_str("\"duration_ms\":12");
        stable.push_str(part.trim_start_matches(|digit: char| digit.is_ascii_digit()));
    }
    stable
}

/// Where the blocks of a page are run.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Output {
    Pipe,
    /// A terminal without colours, on which no line changes, and which is wide enough for each line.
    Terminal,
}

/// Returns the command that runs a block.
fn shell(text: &str, place: &Place, output: Output) -> Command {
    match output {
        Output::Pipe => {
            let mut shell = Command::new("sh");
            shell.args(["-ec", &format!("exec 2>&1\n{text}")]);
            shell
        }
        Output::Terminal => {
            let file = place.top.with_extension("block");
            fs::write(&file, text).unwrap();
            let line = format!("stty cols 1000 rows 50; exec sh -e {} < /dev/null", file.display());
            let mut shell = Command::new("script");
            shell.args(["-q", "-e", "-c", &line, "/dev/null"]);
            for name in ["CLICOLOR", "CLICOLOR_FORCE", "COLUMNS"] {
                shell.env_remove(name);
            }
            shell.env("NO_COLOR", "1").env("TERM", "dumb").env("SHELL", "/bin/sh");
            shell
        }
    }
}

/// Runs a page in a directory, and returns the page with the output of this run.
fn run(page: &str, place: &Place, kind: Output) -> (String, usize) {
    let programs = Path::new(env!("CARGO_BIN_EXE_skills")).parent().unwrap();
    let path = std::env::var_os("PATH").unwrap();
    let path =
        std::env::join_paths([programs.to_owned()].into_iter().chain(std::env::split_paths(&path))).unwrap();
    let text = fs::read_to_string(format!("{BOOK}/text/{page}")).unwrap();
    let mut lines: Vec<String> = text.split('\n').map(str::to_owned).collect();
    let (mut count, mut output, mut moved) = (0, None, 0_isize);
    for block in blocks(&text) {
        if let Some(file) = block.note.strip_prefix("file: ") {
            let file = place.top.join(file);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, &block.text).unwrap();
        } else if block.language == "sh" {
            let mut shell = shell(&block.text, place, kind);
            shell.env("PATH", &path);
            place.at_home(&mut shell);
            let mut run = Run::of(&mut shell);
            run.out = run.out.replace("\r\n", "\n");
            let code = block.note.strip_prefix("exit: ").map_or(0, |code| code.parse().unwrap());
            assert_eq!(run.code, code, "{page}:\n{}{}", block.text, run.out);
            output = Some(stable(&run.out, place));
            count += 1;
        } else if block.note == "prints" {
            assert!(output.is_some(), "{page}: no shell block before {}", block.text);
            let output = output.take().unwrap();
            let new: Vec<String> = output.lines().map(|line| line.trim_end().to_owned()).collect();
            let at = |line: usize| line.checked_add_signed(moved).unwrap();
            let range = at(block.lines.start)..at(block.lines.end);
            moved += isize::try_from(new.len()).unwrap() - isize::try_from(range.len()).unwrap();
            lines.splice(range, new);
        } else if block.language == "console" {
            assert!(
                block.note.starts_with("not run: "),
                "{page}: say why this does not run:\n{}",
                block.text
            );
        }
    }
    (lines.join("\n"), count)
}

/// The page whose blocks need a program that not every machine has.
const NEEDS_OPENSSL: &str = "guide/signatures.md";

/// Runs a page, and compares it with its output. Returns how many blocks were run.
fn runs_as_written(page: &str, place: &Place, kind: Output) -> usize {
    let (new, count) = run(page, place, kind);
    let file = format!("{BOOK}/text/{page}");
    if std::env::var_os("BLESS").is_some() {
        fs::write(&file, &new).unwrap();
    }
    assert_eq!(fs::read_to_string(&file).unwrap(), new, "{page}: BLESS=1 renews the output");
    count
}

// SPEC 18.9: the shell blocks of the book run, and print what the book shows
#[test]
fn its_lines_run() {
    same_as_the_program(&run_all(Output::Pipe));
}

// SPEC 11.27, 18.9: a terminal shows the same lines
#[test]
#[ignore = "needs script"]
fn its_lines_run_on_a_terminal() {
    test_bed::need("script");
    run_all(Output::Terminal);
}

/// Runs all pages, and returns the directory of the tutorial.
fn run_all(kind: Output) -> Place {
    let tutorial = Place::new(&[]);
    let mut count = 0;
    for page in pages().iter().filter(|page| *page != NEEDS_OPENSSL) {
        let own = Place::new(&[]);
        count += runs_as_written(page, if page.starts_with("tutorial/") { &tutorial } else { &own }, kind);
    }
    assert!(count >= 50, "{count} blocks were run");
    tutorial
}

// SPEC 18.9
#[test]
#[ignore = "needs openssl and script"]
fn its_lines_with_openssl_run() {
    test_bed::need("openssl");
    test_bed::need("script");
    for kind in [Output::Pipe, Output::Terminal] {
        assert!(runs_as_written(NEEDS_OPENSSL, &Place::new(&[]), kind) >= 3);
    }
}

/// Compares the directory after the tutorial with the program `desk`, which is compiled and tested.
fn same_as_the_program(tutorial: &Place) {
    let desk = PathBuf::from(format!("{BOOK}/desk"));
    let mut count = 0;
    let mut directories = vec![desk.clone()];
    while let Some(directory) = directories.pop() {
        for entry in fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            let below = path.strip_prefix(&desk).unwrap();
            if path.is_dir() {
                directories.push(path);
            } else if below != Path::new("Cargo.toml") {
                let written = fs::read_to_string(tutorial.top.join(below)).unwrap_or_default();
                assert_eq!(written, fs::read_to_string(&path).unwrap(), "{}", below.display());
                count += 1;
            }
        }
    }
    assert!(count >= 12, "{count} files were compared");
}

/// Names in code that exist with a feature or in a separate package.
const OPTIONAL: [&str; 8] = [
    "skills::call",
    "skills::exec",
    "skills::install",
    "skills::load",
    "skills::testing",
    "SKILLS.runner()",
    "skills_genai::",
    "skills_http::",
];

/// Returns the anchors of a page: mdBook makes them of its headings.
fn anchors(text: &str) -> Vec<String> {
    let headings = text.lines().filter(|line| line.starts_with('#'));
    let kept = |c: &char| c.is_alphanumeric() || matches!(c, '-' | '_' | ' ');
    let anchor = |line: &str| line.trim_start_matches('#').trim().chars().filter(kept).collect::<String>();
    headings.map(|line| anchor(line).to_lowercase().replace(' ', "-")).collect()
}

// SPEC 18.9: each page is in the list of pages and is compiled, and links between pages lead somewhere
#[test]
fn its_pages_are_known() {
    let compiled = fs::read_to_string(format!("{BOOK}/book.rs")).unwrap();
    let pages = pages();
    let mut files = Vec::new();
    for directory in ["", "tutorial/", "guide/", "reference/", "explanation/"] {
        let entries = fs::read_dir(format!("{BOOK}/text/{directory}")).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        files.extend(names.filter(|name| name.ends_with(".md")).map(|name| format!("{directory}{name}")));
    }
    for file in files.iter().filter(|file| *file != "SUMMARY.md") {
        assert!(pages.contains(file), "{file} is not in SUMMARY.md");
        assert!(compiled.contains(&format!("= \"text/{file}\"")), "{file} is not compiled");
    }
    for page in pages.iter().filter(|page| page.starts_with("guide/")) {
        let text = fs::read_to_string(format!("{BOOK}/text/{page}")).unwrap();
        let is_optional = OPTIONAL.iter().any(|word| text.contains(word));
        let says_how =
            text.contains("cargo add ") || text.contains("[dependencies]") || text.contains("feature `");
        assert!(!is_optional || says_how, "{page} does not say which packages and features it needs");
    }
    for page in pages.iter().map(String::as_str).chain(["../../../README.md"]) {
        let file = PathBuf::from(format!("{BOOK}/text/{page}"));
        let text = fs::read_to_string(&file).unwrap();
        let code: Vec<_> = blocks(&text).into_iter().map(|block| block.lines).collect();
        let prose =
            text.split('\n').enumerate().filter(|(line, _)| !code.iter().any(|code| code.contains(line)));
        let prose: String = prose.map(|(_, line)| format!("{line}\n")).collect();
        for picture in between(&prose, "src=\"", "\"").chain(between(&prose, "srcset=\"", "\"")) {
            let size = fs::metadata(file.with_file_name(picture)).map(|found| found.len());
            assert!(size.as_ref().is_ok_and(|size| *size < 150_000), "{page} shows {picture}: {size:?}");
        }
        for link in prose.split("](").skip(1).map(|rest| rest.split(')').next().unwrap()) {
            let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
            if path.starts_with("http") || path.contains(['`', ' ']) {
                continue;
            }
            let target = if path.is_empty() { file.clone() } else { file.with_file_name(path) };
            assert!(target.exists(), "{page} links to {link}");
            if !anchor.is_empty() {
                let known = anchors(&fs::read_to_string(&target).unwrap());
                assert!(known.iter().any(|known| known == anchor), "{page} links to {link}: {known:?}");
            }
        }
    }
    let place = Place::new(&[]);
    for skills in ["skills", "desk/skills"] {
        let check = place.run(&["check", &format!("{BOOK}/{skills}")]);
        assert_eq!((check.code, check.out.ends_with("no problems\n")), (0, true), "{}", check.out);
    }
}

// SPEC 18.9: the text names each file that the reader writes, because a reader does not see the comment above the block
#[test]
fn its_files_have_names() {
    let mut count = 0;
    for page in pages() {
        let text = fs::read_to_string(format!("{BOOK}/text/{page}")).unwrap();
        let lines: Vec<&str> = text.split('\n').collect();
        let mut prose = String::new();
        let mut at = 0;
        for block in blocks(&text) {
            prose.push_str(&lines[at..block.lines.start].join("\n"));
            at = block.lines.end;
            if let Some(file) = block.note.strip_prefix("file: ") {
                assert!(prose.contains(&format!("`{file}`")), "{page} does not name {file} before its text");
                count += 1;
            }
        }
    }
    assert!(count > 30, "{count} files were found");
}

// SPEC 18.9: each path below `CHECKOUT` is the directory of the package beside it, and the page says what `CHECKOUT` is
#[test]
fn its_packages_are_in_the_checkout() {
    let checkout = Path::new(BOOK).join("../..");
    let mut count = 0;
    for page in pages() {
        let text = fs::read_to_string(format!("{BOOK}/text/{page}")).unwrap();
        assert!(!text.contains("--git GIT"), "{page}: a reader has a checkout, and no address");
        let is_explained =
            page == "introduction.md" || text.contains("[your checkout](../introduction.md#packages)");
        let is_used = text.contains("--path CHECKOUT") || text.contains("\"CHECKOUT");
        assert!(!is_used || is_explained, "{page} does not link to what `CHECKOUT` is");
        for line in text.split("cargo add ").skip(1) {
            let mut words = line.lines().next().unwrap().split([' ', '`']);
            let (name, option, path) = (words.next().unwrap(), words.next(), words.next());
            let Some(path) = path.filter(|_| option == Some("--path")) else { continue };
            let below = path.strip_prefix("CHECKOUT").unwrap().trim_start_matches('/');
            let manifest = fs::read_to_string(checkout.join(below).join("Cargo.toml")).unwrap();
            assert!(
                manifest.contains(&format!("\nname = \"{name}\"")),
                "{page}: {path} has no package {name}"
            );
            count += 1;
        }
    }
    assert!(count > 20, "{count} packages were looked up");
}

// SPEC 18.9: commands and options that README.md and the book show exist
#[test]
fn the_texts_name_existing_commands() {
    let mut program = skills_cli::command();
    program.build();
    let mut count = 0;
    for page in pages().iter().map(String::as_str).chain(["../../../README.md"]) {
        let text = fs::read_to_string(format!("{BOOK}/text/{page}")).unwrap();
        let shells = blocks(&text).into_iter().filter(|block| matches!(&*block.language, "sh" | "console"));
        let lines = shells.map(|block| block.text.replace("\\\n", "")).collect::<String>();
        for line in lines.lines().filter_map(|line| line.strip_prefix("skills ")) {
            let line = line.split(" #").next().unwrap();
            let words: Vec<&str> = line.split_whitespace().collect();
            let own = program.find_subcommand(words[0]);
            let own = own.or(words[0].starts_with("--").then_some(&program));
            assert!(own.is_some(), "{page}: {line}: there is no such command");
            // Some commands have subcommands.
            let below = words.get(1).and_then(|word| own?.find_subcommand(word));
            let help = [own, below].into_iter().flatten().map(|one| one.clone().render_long_help());
            let help: String = help.map(|help| help.to_string()).collect();
            for option in words.iter().filter(|word| word.starts_with("--") && word.len() > 2) {
                assert!(help.contains(option), "{page}: {line}: {option}");
            }
            count += 1;
        }
    }
    assert!(count > 60, "{count} lines were looked at");
}
