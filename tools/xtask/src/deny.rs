//! Checks the dependencies in `cargo metadata` against `deny.toml`: licences, banned crates and sources.
//!
//! This implements `cargo deny check licenses bans sources` for the keys that the file uses. cargo-deny
//! itself has four hundred dependencies, which take longer to build than the workspace, and its advisories
//! need network access to another host. Users who have it can run it with the same file.

use std::collections::BTreeMap;
use std::path::Path;

use skills_schema::json::Node;

use crate::workspace::{Workspace, text};

/// Checks all packages of all lock files. Duplicate versions of a crate are printed but allowed.
pub(crate) fn run() -> Result<(), String> {
    let file = std::fs::read_to_string("deny.toml").map_err(|error| format!("deny.toml: {error}"))?;
    let policy = Policy::read(&file)?;
    let mut problems = Vec::new();
    for manifest in Workspace::manifests()? {
        let workspace = Workspace::with_dependencies(&manifest)?;
        let mut versions: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for package in workspace.packages() {
            let (Some(name), Some(version)) = (text(package, "name"), text(package, "version")) else {
                return Err("cargo names no package".to_owned());
            };
            versions.entry(name).or_default().push(version);
            problems.extend(policy.judge(package).map(|why| format!("{manifest}: {name} {version}: {why}")));
        }
        for (name, versions) in versions.iter().filter(|(_, versions)| versions.len() > 1) {
            println!("{manifest}: several versions of {name}: {}", versions.join(", "));
        }
    }
    if problems.is_empty() { Ok(()) } else { Err(problems.join("\n")) }
}

/// The contents of `deny.toml`.
struct Policy {
    licences: Vec<String>,
    refused: Vec<String>,
}

impl Policy {
    fn read(file: &str) -> Result<Self, String> {
        let file: toml::Table = toml::from_str(file).map_err(|error| format!("deny.toml: {error}"))?;
        let value = |table: &str, key: &str| file.get(table).and_then(|table| table.get(key));
        let list = |table: &str, key: &str| {
            let list = value(table, key).and_then(toml::Value::as_array);
            list.cloned().ok_or_else(|| format!("deny.toml: `{table}.{key}` is not a list"))
        };
        // Only these values are implemented, so any other one is an error.
        let expected = [
            ("bans", "multiple-versions", "warn"),
            ("sources", "unknown-registry", "deny"),
            ("sources", "unknown-git", "deny"),
        ];
        for (table, key, word) in expected {
            if value(table, key).and_then(toml::Value::as_str) != Some(word) {
                return Err(format!("deny.toml: `{table}.{key}` must be \"{word}\""));
            }
        }
        let licences = list("licenses", "allow")?;
        let refused = list("bans", "deny")?;
        let name = |value: &toml::Value| Some(value.get("name")?.as_str()?.to_owned());
        Ok(Self {
            licences: licences.iter().filter_map(|value| value.as_str().map(str::to_owned)).collect(),
            refused: refused.iter().map(name).collect::<Option<_>>().ok_or("deny.toml: a ban has no name")?,
        })
    }

    /// Returns the reason why a package is not allowed.
    fn judge(&self, package: &Node) -> Option<String> {
        if let Some(source) = text(package, "source").filter(|source| *source != CRATES_IO) {
            return Some(format!("comes from {source}"));
        }
        if text(package, "name").is_some_and(|name| self.refused.iter().any(|refused| refused == name)) {
            return Some("is refused".to_owned());
        }
        let licence = text(package, "license").or_else(|| is_mit(package).then_some("MIT"));
        let Some(licence) = licence else { return Some("states no licence".to_owned()) };
        let mut words = words(licence).into_iter().peekable();
        let is_allowed = self.either(&mut words);
        (words.next().is_some() || !is_allowed).then(|| format!("its licence is {licence}"))
    }

    /// Parses `A OR B`, of which one must be allowed. `AND` binds tighter.
    fn either<'w>(&self, words: &mut Words<'w>) -> bool {
        let mut is_allowed = self.both(words);
        while words.next_if(|word| matches!(*word, "OR" | "/")).is_some() {
            is_allowed |= self.both(words);
        }
        is_allowed
    }

    fn both<'w>(&self, words: &mut Words<'w>) -> bool {
        let mut is_allowed = self.one(words);
        while words.next_if_eq(&"AND").is_some() {
            is_allowed &= self.one(words);
        }
        is_allowed
    }

    /// Parses a licence, which may have an exception that must also be listed, or an expression in
    /// parentheses.
    fn one<'w>(&self, words: &mut Words<'w>) -> bool {
        if words.next_if_eq(&"(").is_some() {
            let is_allowed = self.either(words);
            return words.next_if_eq(&")").is_some() && is_allowed;
        }
        let Some(mut licence) = words.next().map(str::to_owned) else { return false };
        if words.next_if_eq(&"WITH").is_some() {
            licence = format!("{licence} WITH {}", words.next().unwrap_or_default());
        }
        self.licences.contains(&licence)
    }
}

/// The MIT licence after its title and copyright, with whitespace collapsed.
const MIT: &str = "\
    Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated \
    documentation files (the \"Software\"), to deal in the Software without restriction, including without limitation the \
    rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit \
    persons to whom the Software is furnished to do so, subject to the following conditions: The above copyright notice \
    and this permission notice shall be included in all copies or substantial portions of the Software. THE SOFTWARE IS \
    PROVIDED \"AS IS\", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF \
    MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT \
    HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, \
    ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.";

/// Returns `true` if a package without a licence name has a licence file with the text of the MIT licence.
fn is_mit(package: &Node) -> bool {
    let file = text(package, "license_file").zip(text(package, "manifest_path"));
    let Some((file, directory)) =
        file.and_then(|(file, manifest)| Some((file, Path::new(manifest).parent()?)))
    else {
        return false;
    };
    let text = std::fs::read_to_string(directory.join(file)).unwrap_or_default();
    let words: Vec<&str> = text.split_whitespace().collect();
    let text = words.join(" ");
    // The text before it may be a title and a copyright, but not a condition.
    text.strip_suffix(MIT).is_some_and(|before| before.len() < 200)
}

/// The registry of allowed crates.
const CRATES_IO: &str = "registry+https://github.com/rust-lang/crates.io-index";

type Words<'w> = std::iter::Peekable<std::vec::IntoIter<&'w str>>;

/// Splits an SPDX expression. Old manifests write `OR` as a slash.
fn words(licence: &str) -> Vec<&str> {
    let mut words = Vec::new();
    for part in licence.split_whitespace() {
        let mut rest = part;
        while let Some(at) = rest.find(['(', ')', '/']) {
            let (before, sign) = rest.split_at(at);
            words.extend([before, &sign[..1]].into_iter().filter(|word| !word.is_empty()));
            rest = &sign[1..];
        }
        words.extend(Some(rest).filter(|rest| !rest.is_empty()));
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn why(package: &str) -> Option<String> {
        let policy = Policy { licences: vec!["MIT".into(), "ISC".into()], refused: vec!["bad".into()] };
        policy.judge(&skills_schema::json::parse(package).expect("JSON"))
    }

    #[test]
    fn licences_are_expressions() {
        let fine = ["MIT", "GPL-3.0 OR MIT", "Apache-2.0/MIT", "MIT AND ISC", "(GPL-2.0 OR ISC) AND MIT"];
        for licence in fine {
            assert_eq!(why(&format!(r#"{{"name": "a", "license": "{licence}"}}"#)), None, "{licence}");
        }
        let bad = ["GPL-3.0", "MIT AND GPL-3.0", "MIT WITH x", "(MIT", "MIT)", "", "MIT ISC", "GPL-3.0 OR"];
        for licence in bad {
            assert!(why(&format!(r#"{{"name": "a", "license": "{licence}"}}"#)).is_some(), "{licence}");
        }
        assert!(why(r#"{"name": "a", "license": null}"#).is_some());
    }

    #[test]
    fn a_file_may_state_the_licence_of_mit() {
        let root = std::env::temp_dir().join(format!("skills-deny-{}", std::process::id()));
        std::fs::create_dir_all(&root).expect("a directory");
        let package = format!(
            r#"{{"name": "a", "license": null, "license_file": "TEXT", "manifest_path": "{}/Cargo.toml"}}"#,
            root.display()
        );
        assert!(why(&package).is_some(), "there is no file");
        for (text, is_fine) in [
            (format!("The MIT License\n\nCopyright (c) 2021 A. B.\n\n{}\n", MIT.replace(". ", ".\n")), true),
            (format!("{MIT} But not by you."), false),
            (MIT.replace("without limitation", "with limitation"), false),
        ] {
            std::fs::write(root.join("TEXT"), text).expect("a file");
            assert_eq!(why(&package).is_none(), is_fine);
        }
        std::fs::remove_dir_all(root).expect("removed");
    }

    #[test]
    fn crates_and_sources_are_refused() {
        assert_eq!(why(r#"{"name": "bad", "license": "MIT"}"#).as_deref(), Some("is refused"));
        let source = r#"{"name": "a", "license": "MIT", "source": "git+https://example.org/a"}"#;
        assert!(why(source).is_some());
        let source = format!(r#"{{"name": "a", "license": "MIT", "source": "{CRATES_IO}"}}"#);
        assert_eq!(why(&source), None);
    }
}
