//! `trust`: records that the user trusts the current skills of a workspace, so that they may run.

use std::path::{Path, PathBuf};

use clap::Args;
use skills_load::trust::{TrustStatus, TrustStore, TrustStoreError};
use skills_text::visible;

use skills_commands::failure::Ended;
use skills_commands::{failure, home, terminal};

#[derive(Debug, Args)]
pub(crate) struct Trust {
    /// A workspace, a directory of skills in it, or one skill
    #[arg(value_name = "DIR", required_unless_present_any = ["list", "revoke"])]
    dir: Option<PathBuf>,
    /// List trusted directories, and whether they have changed since
    #[arg(long, conflicts_with_all = ["dir", "revoke"])]
    list: bool,
    /// Stop trusting a directory and everything below it
    #[arg(long, value_name = "DIR", conflicts_with = "dir")]
    revoke: Option<PathBuf>,
}

impl Trust {
    /// Changes or lists the trusted directories, with a line for each.
    pub(super) fn run(&self) -> Ended {
        let mut book = TrustStore::of_user();
        let done = match (&self.dir, &self.revoke) {
            (Some(dir), _) => book.trust(&home::path(dir)).map(|paths| lines("trusted", &paths)),
            (None, Some(dir)) => {
                book.revoke(&home::path(dir)).map(|paths| lines("no longer trusted", &paths))
            }
            (None, None) => listed(&book),
        };
        done.map(|lines| terminal::text(&lines)).map_err(failure::error)
    }
}

fn lines(what: &str, paths: &[PathBuf]) -> String {
    paths.iter().map(|path| format!("{what}: {}\n", shown(path))).collect()
}

fn shown(path: &Path) -> String {
    visible(&path.to_string_lossy())
}

fn listed(book: &TrustStore) -> Result<String, TrustStoreError> {
    if let (Some(path), Some(damage)) = (book.path(), book.damage()) {
        return Err(TrustStoreError::Damaged(path.to_owned(), damage.to_owned()));
    }
    let mut out = String::new();
    for entry in book.entries() {
        match entry.standing() {
            TrustStatus::Same => out.push_str(&format!("trusted  {}\n", shown(entry.path()))),
            other => {
                out.push_str(&format!("changed  {}\n", shown(entry.path())));
                for line in other.to_string().lines() {
                    out.push_str(&format!("  {}\n", visible(line)));
                }
            }
        }
    }
    if out.is_empty() {
        terminal::problem("no workspace is trusted");
    }
    Ok(out)
}
