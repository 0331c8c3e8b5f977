//! Checks statements of `ARCHITECTURE.md` that a program can see.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use skills_schema::json::Node;

use crate::command::at;
use crate::workspace::{Workspace, text};

/// The folders of crates, from the lowest row of the picture to the highest. The facade is the root of the repository.
const ROWS: [&str; 5] = ["core", "features", "", "adapters", "tools"];

/// Checks that no crate depends on a crate of a row above its own, except in tests.
pub(crate) fn rows() -> Result<(), String> {
    let workspace = Workspace::read()?;
    check_rows(workspace.packages(), &workspace.root()?)
}

fn check_rows(packages: &[Node], root: &str) -> Result<(), String> {
    for package in packages {
        let Some(own) = row(package, root) else { continue };
        for dependency in package.get("dependencies").map(Node::items).unwrap_or_default() {
            if text(dependency, "kind") == Some("dev") {
                continue;
            }
            let wanted = name(dependency);
            let other = packages.iter().find(|other| name(other) == wanted);
            if other.and_then(|other| row(other, root)).is_some_and(|other| other > own) {
                return Err(format!("`{}` depends on `{wanted}`, which is in a row above it", name(package)));
            }
        }
    }
    Ok(())
}

fn name(package: &Node) -> &str {
    text(package, "name").unwrap_or("?")
}

/// Returns the row of a package. Packages of the book and of examples have none.
fn row(package: &Node, root: &str) -> Option<usize> {
    let manifest = text(package, "manifest_path")?.strip_prefix(root)?.trim_start_matches(['/', '\\']);
    let folder = manifest.split_once(['/', '\\']).map_or("", |(folder, _)| folder);
    ROWS.iter().position(|row| *row == folder)
}

/// The modules of `skills-core` that may use files: `read`, and the modules that find out what it reads.
const READERS: [&str; 4] = ["config.rs", "package", "projects.rs", "read"];

/// The code that asks a file system for something.
const FILE_CALLS: [&str; 5] = ["fs::", "File::open", ".is_file()", ".is_dir()", ".canonicalize("];

/// Checks that the stages after `read` use no files: in `skills-core`, and in the generator of `skills-build`.
pub(crate) fn later_stages() -> Result<(), String> {
    check_later_stages(Path::new("core"))
}

fn check_later_stages(crates: &Path) -> Result<(), String> {
    let core = crates.join("skills-core/src");
    let mut files = Vec::new();
    for entry in fs::read_dir(&core).map_err(at(&core))? {
        let path = entry.map_err(at(&core))?.path();
        let is_reader = READERS.iter().any(|reader| path.ends_with(reader));
        if !is_reader {
            add_sources(&path, &mut files)?;
        }
    }
    for folder in ["generate", "shape", "types"] {
        add_sources(&crates.join("skills-build/src").join(folder), &mut files)?;
    }
    for path in files {
        let source = fs::read_to_string(&path).map_err(at(&path))?;
        if let Some(line) = first_line_with(&source, &FILE_CALLS) {
            return Err(format!("{} is a stage that must use no files: {line}", path.display()));
        }
    }
    Ok(())
}

/// Returns the first line that has one of the calls, except in documentation and in tests.
fn first_line_with<'s>(source: &'s str, calls: &[&str]) -> Option<&'s str> {
    let code = source
        .lines()
        .take_while(|line| !["#[cfg(test)]", "#[cfg(all(test"].iter().any(|test| line.starts_with(test)));
    let mut lines = code.map(str::trim);
    lines.find(|line| !line.starts_with("//") && calls.iter().any(|call| line.contains(call)))
}

/// Adds a source file, or those below a directory, without files of tests.
fn add_sources(path: &Path, found: &mut Vec<PathBuf>) -> Result<(), String> {
    if path.is_dir() {
        for entry in fs::read_dir(path).map_err(at(path))? {
            add_sources(&entry.map_err(at(path))?.path(), found)?;
        }
    } else if path.extension().is_some_and(|extension| extension == "rs") && !path.ends_with("tests.rs") {
        found.push(path.to_owned());
    }
    Ok(())
}

/// The files outside of `skills-files` that write or remove files by path; `ARCHITECTURE.md` says why. Each line is needed.
const WRITERS: [&str; 17] = [
    "adapters/mcp-client/src/host/cache.rs",
    "adapters/mcp-client/src/oauth.rs",
    "core/skills-build/src/bundle.rs",
    "core/skills-usage/src/bundle.rs",
    "features/skills-call/src/pipeline/journal/file.rs",
    "features/skills-eval/src/scratch.rs",
    "features/skills-exec/src/cache/entry.rs",
    "features/skills-load/src/projects.rs",
    "features/skills-load/src/trust/file.rs",
    "tools/skills-cli/src/check/baseline.rs",
    "tools/skills-cli/src/commands.rs",
    "tools/skills-cli/src/eval.rs",
    "tools/skills-cli/src/init/changes.rs",
    "tools/skills-cli/src/lib.rs",
    "tools/skills-commands/src/plugin/pack.rs",
    "tools/skills-lsp/src/pages.rs",
    "tools/skills-report/src/plugin/launch.rs",
];

/// The calls of the standard library that change files.
const WRITES: [&str; 7] = [
    "File::create",
    "OpenOptions::new",
    "fs::create_dir",
    "fs::remove_dir",
    "fs::remove_file(",
    "fs::rename(",
    "fs::write(",
];

/// Checks that only `skills-files` and the listed files write by path.
pub(crate) fn writers() -> Result<(), String> {
    check_writers(Path::new("."))
}

fn check_writers(root: &Path) -> Result<(), String> {
    let mut found = Vec::new();
    for folder in ["core", "features", "adapters", "tools"] {
        let folder = root.join(folder);
        for entry in fs::read_dir(&folder).map_err(at(&folder))? {
            let package = entry.map_err(at(&folder))?.path();
            let is_tool = ["skills-files", "test-bed", "xtask"].iter().any(|name| package.ends_with(name));
            if !is_tool && package.join("src").is_dir() {
                add_writers(&package.join("src"), root, &mut found)?;
            }
        }
    }
    found.sort();
    match found == WRITERS {
        true => Ok(()),
        false => {
            Err(format!("these files write by path, which differs from the list:\n{}", found.join("\n")))
        }
    }
}

fn add_writers(directory: &Path, root: &Path, found: &mut Vec<String>) -> Result<(), String> {
    let mut files = Vec::new();
    add_sources(directory, &mut files)?;
    for path in files {
        let source = fs::read_to_string(&path).map_err(at(&path))?;
        // The reader opens files with options of the system.
        let name = path.strip_prefix(root).unwrap_or(&path).to_string_lossy().replace('\\', "/");
        let is_for_tests = name.contains("/testing/") || name.contains("/tests/");
        let is_reader = name == "core/skills-core/src/read/inside.rs";
        if !is_for_tests && !is_reader && first_line_with(&source, &WRITES).is_some() {
            found.push(name);
        }
    }
    Ok(())
}

/// The documents for people who change the code.
const DOCUMENTS: [&str; 8] = [
    "README.md",
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "bench/README.md",
    "docs/ENGINES.md",
    "docs/SANDBOX.md",
    "tests/README.md",
];

/// Checks that the paths that the documents name exist: code spans that begin with a folder of the repository.
pub(crate) fn paths() -> Result<(), String> {
    check_paths(Path::new("."))
}

fn check_paths(root: &Path) -> Result<(), String> {
    let mut missing = Vec::new();
    for document in DOCUMENTS {
        let file = root.join(document);
        let text = fs::read_to_string(&file).map_err(at(&file))?;
        let paths =
            named_paths(&text).filter(|path| root.join(path.split('/').next().unwrap_or(path)).is_dir());
        missing
            .extend(paths.filter(|path| !root.join(path).exists()).map(|path| format!("{document}: {path}")));
    }
    if missing.is_empty() { Ok(()) } else { Err(format!("there are no such files:\n{}", missing.join("\n"))) }
}

/// The folders with tests in Rust.
const TESTED: [&str; 8] = ["adapters", "core", "docs", "examples", "features", "src", "tests", "tools"];

/// Checks that a comment `// SPEC 2.4` names each rule of the specification, as `CONTRIBUTING.md` says.
pub(crate) fn tested_rules() -> Result<(), String> {
    check_tested_rules(Path::new("."))
}

fn check_tested_rules(root: &Path) -> Result<(), String> {
    let specification = root.join("docs/SPEC.md");
    let text = fs::read_to_string(&specification).map_err(at(&specification))?;
    let mut named = BTreeSet::new();
    for folder in TESTED {
        add_named_rules(&root.join(folder), &mut named)?;
    }
    let rules = text.lines().filter_map(|line| line.split(' ').next()).filter(|word| is_rule(word));
    let missing: Vec<&str> = rules.filter(|rule| !named.contains(*rule)).collect();
    if missing.is_empty() { Ok(()) } else { Err(format!("no test names SPEC {}", missing.join(", "))) }
}

/// Adds the rules that comments of a source file name, or of those below a directory.
fn add_named_rules(path: &Path, named: &mut BTreeSet<String>) -> Result<(), String> {
    if path.is_dir() {
        let entries = fs::read_dir(path).map_err(at(path))?;
        for entry in entries {
            let entry = entry.map_err(at(path))?.path();
            if !entry.ends_with("target") {
                add_named_rules(&entry, named)?;
            }
        }
    } else if path.extension().is_some_and(|extension| extension == "rs") {
        let source = fs::read_to_string(path).map_err(at(path))?;
        for (_, numbers) in source.lines().filter_map(|line| line.split_once("// SPEC ")) {
            let words = numbers.split([' ', ',', ':', ';']).map(|word| word.trim_end_matches('.'));
            named.extend(words.filter(|word| is_rule(word)).map(str::to_owned));
        }
    }
    Ok(())
}

/// Returns `true` if a word is the number of a rule, such as `2.4`.
fn is_rule(word: &str) -> bool {
    word.split_once('.').is_some_and(|(section, rule)| {
        [section, rule].iter().all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()))
    })
}

/// The sections of `ARCHITECTURE.md` that list the files to read for one path through the code, with the most files and lines
/// that each may have.
const READING_LISTS: [ReadingList; 2] = [
    ReadingList { title: "The path of `skills!`", max_files: 36, max_lines: 8_000 },
    ReadingList { title: "The path of a call", max_files: 20, max_lines: 4_800 },
];

struct ReadingList {
    title: &'static str,
    max_files: usize,
    max_lines: usize,
}

/// Checks that the files in the reading lists exist, that they are not too many or too long, and that the text has their
/// number and their lines.
pub(crate) fn reading_lists() -> Result<(), String> {
    check_reading_lists(Path::new("."))
}

fn check_reading_lists(root: &Path) -> Result<(), String> {
    let file = root.join("ARCHITECTURE.md");
    let text = fs::read_to_string(&file).map_err(at(&file))?;
    READING_LISTS.iter().try_for_each(|list| check_reading_list(list, &text, root))
}

fn check_reading_list(list: &ReadingList, text: &str, root: &Path) -> Result<(), String> {
    let ReadingList { title, max_files, max_lines } = list;
    let (_, section) = text
        .split_once(&format!("\n## {title}\n"))
        .ok_or_else(|| format!("ARCHITECTURE.md has no section \"{title}\""))?;
    let section = section.split("\n## ").next().unwrap_or(section);
    let files: Vec<&str> =
        section.lines().filter_map(|line| line.strip_prefix("- `")?.split('`').next()).collect();
    let mut lines = 0;
    for file in &files {
        let path = root.join(file);
        let source = fs::read_to_string(&path).map_err(at(&path))?;
        lines += source.lines().take_while(|line| *line != "mod tests {").count();
    }
    if files.len() > *max_files || lines > *max_lines {
        let count = files.len();
        return Err(format!(
            "\"{title}\" has {count} files and {lines} lines, more than {max_files} and {max_lines}"
        ));
    }
    // Rounded, so that the figure does not change with every edit.
    let shown = lines.next_multiple_of(100);
    let figure = format!("{} files, {},{:03} lines", files.len(), shown / 1000, shown % 1000);
    if !section.contains(&figure) {
        return Err(format!("the section \"{title}\" must say: {figure}"));
    }
    Ok(())
}

/// Returns the code spans of a text that have the form of a path.
fn named_paths(text: &str) -> impl Iterator<Item = &str> {
    let is_path = |span: &&str| {
        !span.starts_with("target/")
            && span.contains('/')
            && span.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '/' | '.' | '_' | '-'))
    };
    text.lines().flat_map(|line| line.split('`').skip(1).step_by(2)).filter(is_path)
}

#[cfg(test)]
mod tests {
    use skills_schema::json;

    use super::*;

    #[test]
    fn an_arrow_that_points_up_is_found() {
        let packages = |kind: &str| {
            let text = format!(
                r#"[{{"name": "low", "manifest_path": "/r/core/low/Cargo.toml",
                    "dependencies": [{{"name": "high", "kind": {kind}}}, {{"name": "serde", "kind": null}}]}},
                   {{"name": "high", "manifest_path": "/r/features/high/Cargo.toml",
                    "dependencies": [{{"name": "low", "kind": null}}]}},
                   {{"name": "facade", "manifest_path": "/r/Cargo.toml",
                    "dependencies": [{{"name": "high", "kind": null}}, {{"name": "low", "kind": "build"}}]}}]"#
            );
            json::parse(&text).unwrap()
        };
        for kind in ["null", "\"build\""] {
            let error = check_rows(packages(kind).items(), "/r").unwrap_err();
            assert_eq!(error, "`low` depends on `high`, which is in a row above it");
        }
        assert_eq!(check_rows(packages("\"dev\"").items(), "/r"), Ok(()));
    }

    #[test]
    fn code_that_uses_files_is_found() {
        for line in ["let text = std::fs::read(path);", "if path.is_file() {", "File::open(path)"] {
            assert_eq!(first_line_with(&format!("// ok\n    {line}\n"), &FILE_CALLS), Some(line));
        }
        let hidden = "/// [`std::fs::read`]\nfn a() {}\n#[cfg(test)]\nmod tests { fs::read() }\n";
        assert_eq!(first_line_with(hidden, &FILE_CALLS), None);
    }

    #[test]
    fn a_reading_list_that_is_wrong_is_found() {
        let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
        let list = ReadingList { title: "A path", max_files: 1, max_lines: 100 };
        let check =
            |section: &str| check_reading_list(&list, &format!("#\n## A path\n{section}\n## B\n"), root);
        let file = "- `core/skills-macros/src/lib.rs`: the macro";
        assert_eq!(check(&format!("1 files, 0,100 lines\n\n{file}")), Ok(()));
        assert_eq!(check(file).unwrap_err(), "the section \"A path\" must say: 1 files, 0,100 lines");
        let twice = check(&format!("2 files, 0,100 lines\n{file}\n{file}")).unwrap_err();
        assert!(twice.starts_with("\"A path\" has 2 files and 78 lines, more than"), "{twice}");
        assert!(check("1 files, 0,100 lines\n- `core/none.rs`: gone").unwrap_err().contains("none.rs"));
        assert!(check_reading_list(&list, "## B\n", root).unwrap_err().contains("no section"));
    }

    #[test]
    fn paths_are_code_spans() {
        let text = "`docs/SPEC.md`, `a b/c`, `core/<name>`, docs/none.md and `word`; `src/`";
        assert_eq!(named_paths(text).collect::<Vec<_>>(), ["docs/SPEC.md", "src/"]);
    }

    #[test]
    fn a_rule_without_a_test_is_found() {
        let root = std::env::temp_dir().join(format!("skills-rules-{}", std::process::id()));
        for folder in ["docs/target"].into_iter().chain(TESTED) {
            fs::create_dir_all(root.join(folder)).unwrap();
        }
        let files = [
            ("docs/SPEC.md", "# 2\n2.1 One.\n\n2.2 Two (2.9).\n\n2.10 Ten.\n"),
            ("tests/a.rs", "// SPEC 2.1: it does\n"),
            ("docs/target/b.rs", "// SPEC 2.10\n"),
            ("tests/c.txt", "// SPEC 2.2\n"),
        ];
        for (path, text) in files {
            fs::write(root.join(path), text).unwrap();
        }
        assert_eq!(check_tested_rules(&root), Err("no test names SPEC 2.2, 2.10".to_owned()));
        fs::write(root.join("tests/a.rs"), "// SPEC 2.1, 2.2 and 2.10.\n").unwrap();
        assert_eq!(check_tested_rules(&root), Ok(()));
        fs::remove_dir_all(&root).unwrap();
    }

    #[test]
    fn this_workspace_keeps_them() {
        assert_eq!(rows(), Ok(()));
        assert_eq!(check_writers(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))), Ok(()));
        assert_eq!(check_paths(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))), Ok(()));
        assert_eq!(check_tested_rules(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))), Ok(()));
        assert_eq!(check_reading_lists(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))), Ok(()));
        assert_eq!(check_later_stages(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../core"))), Ok(()));
    }
}
