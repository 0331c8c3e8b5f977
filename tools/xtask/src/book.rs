//! Builds the book for readers, and checks the links of its pages. The examples in its chapters are run by tests.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::command::at;
use crate::tools::tool;
use crate::workspace::Workspace;

/// Builds the book into `book` of the target directory, and prints its path.
///
/// # Errors
/// If mdBook warns, or if a link leads nowhere.
pub(crate) fn run() -> Result<(), String> {
    // The server and search features take longer to build than the rest.
    let mdbook = tool("mdbook", &["--no-default-features", "--debug"]).ok_or("mdbook is missing")?;
    let out = Workspace::target()?.join("book");
    // Remove pages of an earlier build, because links to them must not count as valid.
    if out.is_dir() {
        fs::remove_dir_all(&out).map_err(at(&out))?;
    }
    let output = Command::new(mdbook).args(["build", "docs/book", "--dest-dir"]).arg(&out).output();
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

    // SPEC 18.9: links between pages lead somewhere
    #[test]
    fn broken_links_are_found() {
        let book = tempfile::tempdir().expect("a temporary directory can be created");
        let page = |name: &str, text: &str| crate::command::write(&book.path().join(name), text);
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
