//! `trust`: records that the user trusts the current skills of a workspace, so that they may run.

use std::path::{Path, PathBuf};

use clap::Args;
use skills_load::trust::{TrustStatus, TrustStore, TrustStoreError};
use skills_report::rights::changes_of_skills;
use skills_schema::json::Node;
use skills_schema::json::make::{array, object, string};
use skills_text::visible;

use super::source::expect_there;
use skills_commands::failure::Ended;
use skills_commands::output::{Output, versioned};
use skills_commands::{failure, home, terminal};

#[derive(Debug, Args)]
pub(crate) struct Trust {
    /// A workspace, a directory of skills in it, or one skill
    #[arg(value_name = "DIR", required_unless_present = "list")]
    dir: Option<PathBuf>,
    /// List trusted directories, and whether they have changed since
    #[arg(long, conflicts_with_all = ["dir", "revoke"])]
    list: bool,
    /// Stop trusting DIR and everything below it
    #[arg(long)]
    revoke: bool,
    #[command(flatten)]
    output: Output,
}

impl Trust {
    /// Changes or lists the trusted directories, with a line for each.
    pub(super) fn run(&self) -> Ended {
        // Trust in a directory that was removed can be revoked.
        if let Some(dir) = self.dir.as_ref().filter(|_| !self.revoke) {
            expect_there(dir)?;
        }
        let mut book = TrustStore::of_user();
        let done = match &self.dir {
            Some(dir) if self.revoke => {
                book.revoke(&home::path(dir)).map(|paths| entries("no longer trusted", paths))
            }
            Some(dir) => {
                let before = book.clone();
                book.trust(&home::path(dir)).map(|paths| trusted(paths, &before, &book))
            }
            None => listed(&book),
        };
        let done = done.map_err(failure::error)?;
        if self.output.is_json() {
            return Ok(terminal::json(&versioned([("directories", array(done.iter().map(node)))])));
        }
        if done.is_empty() {
            terminal::status("no workspace is trusted");
        }
        let separator = if self.dir.is_some() { ": " } else { "  " };
        Ok(terminal::text(&done.iter().map(|entry| entry.text(separator)).collect::<String>()))
    }
}

/// A directory, what is known about it, and how it has changed.
struct Entry {
    path: String,
    status: &'static str,
    changes: Vec<String>,
}

impl Entry {
    fn text(&self, separator: &str) -> String {
        let changes: String = self.changes.iter().map(|line| format!("  {}\n", visible(line))).collect();
        format!("{}{separator}{}\n{changes}", self.status, visible(&self.path))
    }
}

fn node(entry: &Entry) -> Node {
    let changes = entry.changes.iter().map(|line| string(line.as_str()));
    object([
        ("path", string(entry.path.as_str())),
        ("status", string(entry.status)),
        ("changes", array(changes)),
    ])
}

fn entries(status: &'static str, paths: Vec<PathBuf>) -> Vec<Entry> {
    let entry = |path: PathBuf| Entry { path: shown(&path), status, changes: Vec::new() };
    paths.into_iter().map(entry).collect()
}

/// Returns the directories that were just trusted. For one that was trusted before, says how the permissions of its
/// skills have changed since.
fn trusted(paths: Vec<PathBuf>, before: &TrustStore, now: &TrustStore) -> Vec<Entry> {
    fn find<'s>(store: &'s TrustStore, path: &Path) -> Option<&'s skills_load::trust::Entry> {
        store.entries().find(|entry| entry.path() == path)
    }
    let entry = |path: PathBuf| {
        let both = find(before, &path).zip(find(now, &path));
        let changes = both.map(|(old, new)| changes_of_skills(old.permissions(), new.permissions()));
        Entry { path: shown(&path), status: "trusted", changes: changes.unwrap_or_default() }
    };
    paths.into_iter().map(entry).collect()
}

fn shown(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

fn listed(book: &TrustStore) -> Result<Vec<Entry>, TrustStoreError> {
    if let (Some(path), Some(damage)) = (book.path(), book.damage()) {
        return Err(TrustStoreError::Damaged(path.to_owned(), damage.to_owned()));
    }
    let entry = |entry: &skills_load::trust::Entry| {
        let path = shown(entry.path());
        match entry.standing() {
            TrustStatus::Same => Entry { path, status: "trusted", changes: Vec::new() },
            other => {
                let mut changes: Vec<String> = other.to_string().lines().map(str::to_owned).collect();
                changes.extend(changes_of_skills(entry.permissions(), &entry.current_permissions()));
                Entry { path, status: "changed", changes }
            }
        }
    };
    Ok(book.entries().map(entry).collect())
}
