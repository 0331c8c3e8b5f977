//! `check --watch`: checks a directory again after each change.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use skills_commands::terminal;

/// The pause between two looks at the directory.
const PAUSE: Duration = Duration::from_millis(250);

/// The time and size of each file, compared to detect changes.
type State = BTreeMap<PathBuf, (Option<SystemTime>, u64)>;

/// Runs `check` now and after each change until the process is ended. A terminal shows only the last report.
pub(super) fn follow(root: &Path, others: &[PathBuf], mut check: impl FnMut()) -> ! {
    let mut before = None;
    loop {
        let now = state(root, others);
        if before.as_ref() != Some(&now) {
            before = Some(now);
            terminal::clear();
            check();
            terminal::status(&format!("checked at {}; waiting for changes, until Ctrl-C", time_of_day()));
        }
        std::thread::sleep(PAUSE);
    }
}

/// Returns the time of day in UTC, since the standard library does not know the zone of the user.
fn time_of_day() -> String {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_secs();
    format!("{:02}:{:02}:{:02} UTC", now / 3600 % 24, now / 60 % 60, now % 60)
}

fn state(root: &Path, others: &[PathBuf]) -> State {
    let mut state = State::new();
    let mut stack: Vec<PathBuf> = others.iter().cloned().chain([root.to_owned()]).collect();
    while let Some(path) = stack.pop() {
        let Ok(found) = fs::symlink_metadata(&path) else { continue };
        if found.is_dir() {
            let entries = fs::read_dir(&path).into_iter().flatten().filter_map(Result::ok);
            let read = entries.filter(|entry| {
                !matches!(&*entry.file_name().to_string_lossy(), ".git" | "node_modules" | "target")
            });
            stack.extend(read.map(|entry| entry.path()));
        } else {
            state.insert(path, (found.modified().ok(), found.len()));
        }
    }
    state
}
