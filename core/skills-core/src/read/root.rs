//! Opens and lists the root, or reports why that is impossible.

use std::fs;
use std::io;
use std::path::Path;

use skills_text::shell_word;

use super::inside::RealRoot;
use super::junk;
use super::listing::{EntryType, Listing, list};
use super::overlay::Overlay;
use super::problem::{UnplacedProblem, say};
use super::walk::Discovery;
use crate::rule::files;

/// Resolves the real path of the root and lists it; `label` is the root as the user wrote it, `what` is
/// `skills` or `projects`. Fails if the root does not exist, is not a directory, or cannot be listed.
pub(super) fn open(
    root: &Path,
    label: &str,
    what: &str,
    over: &Overlay,
) -> Result<(RealRoot, Listing), UnplacedProblem> {
    let real = match fs::canonicalize(root) {
        Ok(real) => real,
        // The directory does not exist in the overlay either until the first file is saved.
        Err(error) if error.kind() == io::ErrorKind::NotFound && over.is_below(root) => {
            let root = RealRoot::new(root.to_owned());
            let listing = over.list(&root, &root, None).map_err(|error| unreadable(label, what, &error))?;
            return Ok((root, listing));
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(missing(root, label, what)),
        Err(error) => return Err(unreadable(label, what, &error)),
    };
    let metadata = fs::metadata(&real).map_err(|error| unreadable(label, what, &error))?;
    if !metadata.is_dir() {
        return Err(unreadable(label, what, &io::ErrorKind::NotADirectory.into()));
    }
    let root = RealRoot::new(real);
    let listing = over.list(&root, &root, None).map_err(|error| unreadable(label, what, &error))?;
    Ok((root, listing))
}

fn unreadable(label: &str, what: &str, error: &io::Error) -> UnplacedProblem {
    let help = match error.kind() {
        io::ErrorKind::NotADirectory => format!("name the directory that holds the {what}, not a file"),
        _ => format!(
            "grant permission: `chmod u+rx {}`, and the same for the directories above it",
            shell_word(label)
        ),
    };
    UnplacedProblem::new(&files::ROOT_UNREADABLE, format!("read {what} dir {label}: {}", say(error)), help)
        .label("cannot be listed")
}

fn missing(root: &Path, label: &str, what: &str) -> UnplacedProblem {
    let title = format!("{what} directory `{label}` does not exist");
    UnplacedProblem::new(&files::ROOT_MISSING, title, surroundings(root, label))
        .label("this path does not exist")
}

/// Describes the contents of the nearest directory above the root that exists.
fn surroundings(root: &Path, label: &str) -> String {
    for (path, shown) in root.ancestors().zip(Path::new(label).ancestors()) {
        let (Some(above), Some(shown), Some(name)) = (path.parent(), shown.parent(), path.file_name()) else {
            break;
        };
        let directory = if above.as_os_str().is_empty() { Path::new(".") } else { above };
        if let Ok(listing) = list(directory) {
            return advise(shown, &name.to_string_lossy(), &listing, label);
        }
    }
    format!("create it: `mkdir -p {label}`")
}

fn advise(above: &Path, name: &str, listing: &Listing, label: &str) -> String {
    let visible: Vec<_> = listing.entries.iter().filter(|entry| !junk::is_closed(&entry.name)).collect();
    let directories =
        visible.iter().filter(|entry| matches!(entry.kind, EntryType::Directory | EntryType::Link));
    let near = skills_text::nearest(name, directories.map(|entry| entry.name.as_str()));
    let names: Vec<_> = visible
        .iter()
        .map(|entry| format!("`{}{}`", entry.name, if entry.kind == EntryType::Directory { "/" } else { "" }))
        .collect();
    let here = if above.as_os_str().is_empty() { Path::new(".") } else { above };
    let mut holds = match names.len() {
        0 => format!("`{}` is empty", here.display()),
        count => format!("`{}` holds {}", here.display(), names[..count.min(MAX_NAMES)].join(", ")),
    };
    if names.len() > MAX_NAMES {
        holds.push_str(&format!(" and {} more", names.len() - MAX_NAMES));
    }
    match near {
        Some(near) => format!("change the path to `{}`; {holds}", above.join(near).display()),
        None => format!("create it: `mkdir -p {label}`; {holds}"),
    }
}

/// The maximum number of names in a message.
const MAX_NAMES: usize = 10;

/// Returns the files in the root that look like skills without a directory, sorted.
pub(super) fn loose(listing: &Listing) -> Vec<String> {
    let files = listing.entries.iter().filter(|entry| entry.kind == EntryType::File);
    let names = files.map(|entry| &entry.name).filter(|name| {
        let stem = name.strip_suffix(".md").filter(|_| !junk::is_hidden(name));
        stem.is_some_and(|stem| stem.contains(char::is_lowercase) && !stem.eq_ignore_ascii_case("skill"))
    });
    names.cloned().collect()
}

/// Reports a root without skills.
pub(super) fn empty(root: &Path, label: &str, discovery: &Discovery, loose: &[String]) -> UnplacedProblem {
    let label = label.trim_end_matches('/');
    let help = if let Some(path) = discovery.misspelt.first() {
        let right = if path.to_lowercase().ends_with(".md") { "SKILL.md" } else { "skill.json" };
        let directory = path.rfind('/').map_or("", |at| &path[..=at]);
        format!("rename `{label}/{path}`: `git mv {label}/{path} {label}/{directory}{right}`")
    } else if let Some(file) = loose.first() {
        let stem = file.trim_end_matches(".md");
        format!(
            "create a directory for each skill: `mkdir {label}/{stem} && git mv {label}/{file} {label}/{stem}/SKILL.md`"
        )
    } else if root.parent().is_some_and(|above| above.join("SKILL.md").is_file()) {
        format!("name the directory of the skill, `{label}/..`, which contains a `SKILL.md`")
    } else {
        format!(
            "create the first skill in `{label}/NAME/SKILL.md`, beginning with:\n---\nname: NAME\ndescription: what it \
             does, and when to use it\n---"
        )
    };
    UnplacedProblem::new(&files::ROOT_EMPTY, format!("`{label}` contains no skill"), help)
        .label("no directory in it has a file named exactly `SKILL.md` or `skill.json`")
}
