//! The pages of rules, which clients open from a diagnostic. Unless the client knows a published book, the server writes
//! one file for each rule into the cache of the user.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use lsp_types::Uri;
use skills_core::rule;
use skills_report::page;

use crate::convert;

/// Where the page of a rule is.
#[derive(Clone, Debug)]
pub(crate) enum Pages {
    /// The address of a directory with the page `CODE.html` for each rule, as the book has it.
    Address(Arc<str>),
    /// A directory with the file `CODE.md` for each rule.
    Directory(Arc<Path>),
}

impl Pages {
    /// Chooses the pages: at the address that the client sets, or else files. If the client sets an empty address, there
    /// are no pages.
    pub(crate) fn new(wish: Option<&str>) -> Option<Self> {
        match wish {
            Some("") => None,
            Some(address) => Some(Self::Address(Arc::from(address.trim_end_matches('/')))),
            None => write(&cache()?).ok().map(|directory| Self::Directory(directory.into())),
        }
    }

    /// Returns the address of the page of a rule.
    pub(crate) fn uri(&self, code: &str) -> Option<Uri> {
        match self {
            Self::Address(address) => Uri::from_str(&format!("{address}/{code}.html")).ok(),
            Self::Directory(directory) => Some(convert::uri(&directory.join(format!("{code}.md")))),
        }
    }
}

/// Returns the cache of the user: `skills/rules` below the system's directory for caches.
fn cache() -> Option<PathBuf> {
    let home = std::env::home_dir().filter(|home| home.is_absolute());
    let caches = directory_in("XDG_CACHE_HOME").or_else(|| match std::env::consts::OS {
        "macos" => Some(home?.join("Library/Caches")),
        "windows" => directory_in("LOCALAPPDATA"),
        _ => Some(home?.join(".cache")),
    })?;
    Some(caches.join("skills/rules"))
}

/// Returns the directory that a variable holds.
fn directory_in(variable: &str) -> Option<PathBuf> {
    std::env::var_os(variable).map(PathBuf::from).filter(|path| path.is_absolute())
}

/// Writes the missing pages of rules into a directory that is named after the version of this package.
fn write(cache: &Path) -> io::Result<PathBuf> {
    let directory = cache.join(env!("CARGO_PKG_VERSION"));
    fs::create_dir_all(&directory)?;
    let temporary = directory.join(format!(".new-{}", std::process::id()));
    for rule in rule::all() {
        let (path, text) = (directory.join(format!("{}.md", rule.code)), page::print(rule::text(rule)));
        if fs::read_to_string(&path).is_ok_and(|found| found == text) {
            continue;
        }
        // Another server may write or read the same file.
        fs::write(&temporary, text)?;
        fs::rename(&temporary, &path)?;
    }
    Ok(directory)
}
