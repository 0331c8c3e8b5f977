//! Reads and writes the text of the lock file, which is TOML.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use skills_text::is_exact_path;

use super::{Lock, Locked};
use crate::{FileState, Files, Source};

const HEAD: &str = "# Written by `skills add`. `skills sync --locked` checks the skills against this file.\n";
const VERSION: u32 = 1;

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Document {
    version: u32,
    #[serde(default, rename = "skill")]
    skills: Vec<Entry>,
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    name: String,
    directory: String,
    source: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    revision: Option<String>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    path: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    license: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    permissions: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    programs: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    hidden: Vec<String>,
    files: BTreeMap<String, String>,
}

pub(super) fn print(lock: &Lock) -> String {
    let skills = lock.skills().map(|locked| Entry {
        name: locked.name.clone(),
        directory: locked.directory.clone(),
        source: locked.source.to_string(),
        revision: locked.revision.clone(),
        path: locked.path.clone(),
        license: locked.license.clone(),
        permissions: locked.permissions.clone(),
        programs: locked.programs.clone(),
        hidden: locked.hidden.clone(),
        files: locked.files.iter().map(|(path, state)| (path.to_owned(), state.to_text())).collect(),
    });
    let document = Document { version: VERSION, skills: skills.collect() };
    HEAD.to_owned() + &toml::to_string(&document).expect("texts, lists and tables of texts are TOML")
}

pub(super) fn parse(text: &str) -> Result<Lock, String> {
    let document: Document = toml::from_str(text).map_err(|error| error.to_string().trim_end().to_owned())?;
    if document.version != VERSION {
        return Err(format!("its version is {}, this program reads version {VERSION}", document.version));
    }
    let mut lock = Lock::default();
    for entry in document.skills {
        let locked = entry.into_locked()?;
        let is_twice = lock.get(&locked.name).is_some() || lock.skills().any(|other| clash(other, &locked));
        if is_twice {
            return Err(format!("`{}` or its directory occurs twice", locked.name));
        }
        lock.put(locked);
    }
    Ok(lock)
}

/// Returns `true` if two skills have the same directory on a system that ignores letter case.
fn clash(a: &Locked, b: &Locked) -> bool {
    a.directory.len() == b.directory.len() && a.directory.eq_ignore_ascii_case(&b.directory)
}

impl Entry {
    fn into_locked(self) -> Result<Locked, String> {
        let fault = |what: &str| format!("`{}` has an invalid {what}", self.name);
        if !is_exact_path(&self.name) || self.name.contains('/') {
            return Err(format!("`{}` is not the name of a skill", self.name));
        }
        let is_hidden_part =
            |part: &str| part.eq_ignore_ascii_case(".git") || part == crate::journal::STAGING;
        if !is_exact_path(&self.directory) || self.directory.split('/').any(is_hidden_part) {
            return Err(fault("directory"));
        }
        let source = Source::parse(&self.source).map_err(|error| error.to_string())?;
        let mut files = BTreeMap::new();
        for (path, text) in &self.files {
            let state = FileState::parse(text).ok_or_else(|| fault(&format!("digest of `{path}`")))?;
            if !is_exact_path(path) {
                return Err(fault(&format!("path `{path}`")));
            }
            files.insert(path.clone(), state);
        }
        Ok(Locked {
            name: self.name,
            directory: self.directory,
            source,
            revision: self.revision,
            path: self.path,
            license: self.license,
            permissions: self.permissions,
            programs: self.programs,
            hidden: self.hidden,
            files: Files(files),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text() -> String {
        let state = FileState::of(b"text", true).to_text();
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
