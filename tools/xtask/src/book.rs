//! Builds the book for readers, with a page for each rule, and checks the links of its pages. The examples in its chapters
//! are run by tests.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use skills_core::rule;
use skills_report::page;

use crate::command::{at, write};
use crate::tools::tool;
use crate::workspace::Workspace;

/// The entry of the list of rules in the summary.
const RULES: &str = "- [Rules](reference/rules.md)\n";

/// Builds the book into `book` of the target directory, and prints its path.
///
/// # Errors
/// If mdBook warns, or if a link leads nowhere.
pub(crate) fn run() -> Result<(), String> {
    // The server and search features take longer to build than the rest.
    let mdbook = tool("mdbook", &["--no-default-features", "--debug"]).ok_or("mdbook is missing")?;
    let target = Workspace::target()?;
    let (source, out) = (target.join("book-source"), target.join("book"));
    // Remove pages of an earlier build, because links to them must not count as valid.
    for earlier in [&source, &out] {
        if earlier.is_dir() {
            fs::remove_dir_all(earlier).map_err(at(earlier))?;
        }
    }
    copy(Path::new("docs/book/book.toml"), &source.join("book.toml"))?;
    copy(Path::new("docs/book/text"), &source.join("text"))?;
    add_rules(&source.join("text"))?;
    let output = Command::new(mdbook).arg("build").arg(&source).arg("--dest-dir").arg(&out).output();
    let output = output.map_err(|error| format!("mdbook cannot be started: {error}"))?;
    let log = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() || is_warning(&log) {
        return Err(log.into_owned());
    }
    let (count, broken) = links(&out)?;
    if !broken.is_empty() || count < 1000 {
        return Err(format!("{count} links, of which these lead nowhere:\n{}", broken.join("\n")));
    }
    println!("{count} links between pages; {}", out.join("index.html").display());
    Ok(())
}

/// Copies a file, or a directory with everything below it.
fn copy(from: &Path, to: &Path) -> Result<(), String> {
    if from.is_file() {
        return write(to, fs::read(from).map_err(at(from))?);
    }
    for entry in fs::read_dir(from).map_err(at(from))? {
        let entry = entry.map_err(at(from))?;
        copy(&entry.path(), &to.join(entry.file_name()))?;
    }
    Ok(())
}

/// Writes a page for each rule into the text of the book, and links to it from the list of rules and the summary.
fn add_rules(text: &Path) -> Result<(), String> {
    let [list_path, summary_path] = ["reference/rules.md", "SUMMARY.md"].map(|path| text.join(path));
    let mut list = fs::read_to_string(&list_path).map_err(at(&list_path))?;
    let summary = fs::read_to_string(&summary_path).map_err(at(&summary_path))?;
    let mut entries = RULES.to_owned();
    for rule in rule::all() {
        let code = rule.code;
        write(&text.join(format!("reference/rules/{code}.md")), page::print(rule::text(rule)))?;
        list = list.replace(&format!("| `{code}` |"), &format!("| [`{code}`](rules/{code}.md) |"));
        entries.push_str(&format!("  - [{code}](reference/rules/{code}.md)\n"));
    }
    write(&list_path, list)?;
    write(&summary_path, summary.replace(RULES, &entries))
}

/// Returns `true` if the log of mdBook has a warning or an error.
fn is_warning(log: &str) -> bool {
    log.lines().any(|line| matches!(line.split_whitespace().next(), Some("WARN" | "ERROR")))
}

/// Counts the links to files of the book, and returns a line for each that leads nowhere.
fn links(book: &Path) -> Result<(usize, Vec<String>), String> {
    let (mut count, mut broken) = (0, Vec::new());
    for page in pages(book)? {
        let text = fs::read_to_string(&page).map_err(at(&page))?;
        let directory = page.parent().unwrap_or(book);
        for link in ["href=\"", "src=\"", "srcset=\""].iter().flat_map(|mark| text.split(mark).skip(1)) {
            let link = link.split('"').next().unwrap_or_default();
            if link.contains("//") || link.contains(':') {
                continue;
            }
            count += 1;
            let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = if path.is_empty() { page.clone() } else { directory.join(path) };
            let is_found = if anchor.is_empty() {
                target.exists()
            } else {
                fs::read_to_string(&target).is_ok_and(|text| text.contains(&format!("id=\"{anchor}\"")))
            };
            if !is_found {
                broken.push(format!("{}: {link}", page.display()));
            }
        }
    }
    Ok((count, broken))
}

/// Returns the pages, sorted. The page for unknown addresses is left out: its links begin at the root of a server.
fn pages(book: &Path) -> Result<Vec<PathBuf>, String> {
    let (mut found, mut directories) = (Vec::new(), vec![book.to_owned()]);
    while let Some(directory) = directories.pop() {
        for entry in fs::read_dir(&directory).map_err(at(&directory))? {
            let path = entry.map_err(at(&directory))?.path();
            if path.is_dir() {
                directories.push(path);
            } else if path.extension().is_some_and(|extension| extension == "html")
                && path.file_name().is_none_or(|name| name != "404.html")
            {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    // SPEC 18.9: a warning of mdBook fails the build
    #[test]
    fn warnings_are_seen() {
        assert!(!is_warning(" INFO Book building has started\n INFO about a WARN in a page\n"));
        assert!(is_warning(" INFO Book building has started\n WARN unclosed HTML tag `<DIR>`\n"));
    }

    // SPEC 18.9: the book has a page for each rule, which the list of rules and the summary lead to
    #[test]
    fn each_rule_has_a_page() {
        let text = tempfile::tempdir().expect("a temporary directory can be created");
        copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/book/text"), text.path()).unwrap();
        add_rules(text.path()).unwrap();
        let read = |path: &str| fs::read_to_string(text.path().join(path)).unwrap();
        let (list, summary) = (read("reference/rules.md"), read("SUMMARY.md"));
        for rule in rule::all() {
            let code = rule.code;
            assert!(
                read(&format!("reference/rules/{code}.md")).starts_with(&format!("# {code}\n")),
                "{code}"
            );
            assert!(list.contains(&format!("| [`{code}`](rules/{code}.md) |")), "{code}");
            assert!(summary.contains(&format!("  - [{code}](reference/rules/{code}.md)\n")), "{code}");
        }
    }

    // SPEC 18.9: links between pages lead somewhere
    #[test]
    fn broken_links_are_found() {
        let book = tempfile::tempdir().expect("a temporary directory can be created");
        let page = |name: &str, text: &str| write(&book.path().join(name), text);
        page("a.html", r#"<h1 id="top"><a href="b/c.html#part"><a href="https://x.y/z"><img src="no.svg">"#)
            .unwrap();
        page(
            "b/c.html",
            r##"<h2 id="part"><a href="../a.html#top"><a href="#none"><a href="../a.html#none">"##,
        )
        .unwrap();
        page("404.html", r#"<a href="no.html">"#).unwrap();
        let (count, broken) = links(book.path()).unwrap();
        let broken: Vec<&str> = broken.iter().filter_map(|line| line.rsplit(' ').next()).collect();
        assert_eq!((count, broken), (5, vec!["no.svg", "#none", "../a.html#none"]));
    }
}
