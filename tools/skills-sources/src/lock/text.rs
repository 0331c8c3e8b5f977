//! Reads and writes the text of the lock file, which is TOML.

use serde::{Deserialize, Serialize};
use skills_text::is_exact_path;

use super::{Lock, Locked};

const HEAD: &str = "# Written by `skills add`. `skills sync --locked` checks the skills against this file.\n";
const VERSION: u32 = 1;

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Document<S> {
    version: u32,
    #[serde(default = "Vec::new", rename = "skill")]
    skills: Vec<S>,
}

pub(super) fn print(lock: &Lock) -> String {
    let document = Document { version: VERSION, skills: lock.skills().collect() };
    HEAD.to_owned() + &toml::to_string(&document).expect("texts, lists and tables of texts are TOML")
}

pub(super) fn parse(text: &str) -> Result<Lock, String> {
    let document: Document<Locked> =
        toml::from_str(text).map_err(|error| error.to_string().trim_end().to_owned())?;
    if document.version != VERSION {
        return Err(format!("its version is {}, this program reads version {VERSION}", document.version));
    }
    let mut lock = Lock::default();
    for locked in document.skills {
        check(&locked)?;
        let is_twice = lock.get(&locked.name).is_some() || lock.skills().any(|other| clash(other, &locked));
        if is_twice {
            return Err(format!("`{}` or its directory occurs twice", locked.name));
        }
        lock.insert(locked);
    }
    Ok(lock)
}

/// Returns `true` if two skills have the same directory on a system that ignores letter case.
fn clash(a: &Locked, b: &Locked) -> bool {
    a.directory.len() == b.directory.len() && a.directory.eq_ignore_ascii_case(&b.directory)
}

/// Checks that a skill stays within its place in the project.
fn check(locked: &Locked) -> Result<(), String> {
    let fault = |what: &str| Err(format!("`{}` has an invalid {what}", locked.name));
    if !is_exact_path(&locked.name) || locked.name.contains('/') {
        return Err(format!("`{}` is not the name of a skill", locked.name));
    }
    let is_hidden_part = |part: &str| part.eq_ignore_ascii_case(".git") || part == crate::journal::STAGING;
    if !is_exact_path(&locked.directory) || locked.directory.split('/').any(is_hidden_part) {
        return fault("directory");
    }
    match locked.files.iter().find(|(path, _)| !is_exact_path(path)) {
        Some((path, _)) => fault(&format!("path `{path}`")),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::FileState;

    fn text() -> String {
        let state = String::from(FileState::new(b"text", true));
        format!(
            "version = 1\n[[skill]]\nname = \"pdf\"\ndirectory = \"skills/pdf\"\nsource = \"acme/skills@v1\"\n\
             revision = \"abc\"\npath = \"skills/pdf\"\n[skill.files]\n\"SKILL.md\" = \"{state}\"\n"
        )
    }

    // SPEC 21.3
    #[test]
    fn a_lock_survives_a_round_trip() {
        let lock = parse(&text()).expect("valid");
        assert_eq!(parse(&print(&lock)).expect("valid"), lock);
        assert!(lock.get("pdf").is_some_and(|locked| locked.files.iter().all(|(_, state)| state.executable)));
    }

    // SPEC 21.3, 21.4: a lock file of a cloned repository cannot name a place outside the project
    #[test]
    fn a_damaged_lock_is_refused() {
        for (from, to) in [
            ("version = 1", "version = 2"),
            ("\"skills/pdf\"\nsource", "\"../pdf\"\nsource"),
            ("\"skills/pdf\"\nsource", "\"/etc/pdf\"\nsource"),
            ("\"skills/pdf\"\nsource", "\".git/hooks\"\nsource"),
            ("\"SKILL.md\"", "\"../SKILL.md\""),
            ("\"pdf\"", "\"..\""),
            ("acme/skills@v1", "ext::sh -c id"),
            (" executable", " runs"),
            ("revision", "revisions"),
        ] {
            let damaged = text().replacen(from, to, 1);
            assert_ne!(damaged, text(), "{from}");
            assert!(parse(&damaged).is_err(), "{to}");
        }
        let (head, entry) =
            text().split_once('\n').map(|(a, b)| (a.to_owned(), b.to_owned())).expect("two lines");
        assert!(parse(&format!("{head}\n{entry}{}", entry.replace("pdf", "PDF"))).is_err());
    }
}
