//! `check --watch`: checks a directory again after each change.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// The pause between two looks at the directory.
const PAUSE: Duration = Duration::from_millis(250);

/// The time and size of each file, compared to detect changes.
type State = BTreeMap<PathBuf, (Option<SystemTime>, u64)>;

/// Runs `check` now and after each change until the process is ended.
pub(super) fn follow(root: &Path, others: &[PathBuf], mut check: impl FnMut()) -> ! {
    let mut before = state(root, others);
    check();
    loop {
        std::thread::sleep(PAUSE);
        let now = state(root, others);
        if now != before {
            before = now;
            check();
        }
    }
}

fn state(root: &Path, others: &[PathBuf]) -> State {
    let mut state = State::new();
    let mut stack: Vec<PathBuf> = others.iter().cloned().chain([root.to_owned()]).collect();
    while let Some(path) = stack.pop() {
        let Ok(found) = fs::symlink_metadata(&path) else { continue };
        if found.is_dir() {
            let entries = fs::read_dir(&path).into_iter().flatten().filter_map(Result::ok);
            let is_read = |name: &str| !matches!(name, ".git" | "node_modules" | "target");
            stack.extend(
                entries
                    .filter(|entry| is_read(&entry.file_name().to_string_lossy()))
                    .map(|entry| entry.path()),
            );
        } else {
            state.insert(path, (found.modified().ok(), found.len()));
        }
    }
    state
}
